/** The offer to set up a folder for coding agents. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { offerAgents } from '../../src/surfaces/vscode/offerAgents.ts';
import { folder } from './window.ts';

const script = vscode.Uri.file(path.join(import.meta.dirname, '../../cli.js'));
const created = ['.mcp.json', '.claude', '.cursor', '.github/hooks', '.agents', 'AGENTS.md', 'CLAUDE.md'];

suite('the offer to set up agents', () => {
  let questions: string[];
  let state: vscode.Memento;

  setup(() => {
    questions = [];
    const values = new Map<string, unknown>();
    state = {
      keys: () => [...values.keys()],
      get: (key: string) => values.get(key),
      update: (key: string, value: unknown) => Promise.resolve(void values.set(key, value)),
    } as vscode.Memento;
  });

  teardown(async () => {
    for (const name of created) await rm(path.join(folder(), name), { recursive: true, force: true });
  });

  const agentsFile = (): string => path.join(folder(), 'AGENTS.md');

  async function offer(isWanted: boolean): Promise<vscode.WorkspaceFolder[]> {
    const run: vscode.WorkspaceFolder[] = [];
    await offerAgents(
      script,
      { workspaceState: state },
      {
        confirm: (sentence) => {
          questions.push(sentence);
          return Promise.resolve(isWanted);
        },
        run: (_, where) => Promise.resolve(run.push(where)),
      },
    );
    return run;
  }

  test('is made only if there are files of agents, and only once', async () => {
    await offer(true);
    assert.deepEqual(questions, []);
    await writeFile(agentsFile(), '# Rules\n');
    assert.deepEqual(await offer(false), []);
    assert.equal(questions.length, 1);
    assert.match(questions[0], /^Kindred can tell coding agents in workspace what code already exists\./);
    assert.deepEqual(await offer(true), []);
    assert.equal(questions.length, 1);
  });

  test('is not made if the folder is set up', async () => {
    await writeFile(agentsFile(), '<!-- kindred:begin -->\n<!-- kindred:end -->\n');
    await offer(true);
    assert.deepEqual(questions, []);
  });

  test('runs the command in the folder', async () => {
    await writeFile(agentsFile(), '# Rules\n');
    const ended = new Promise<number | undefined>((resolve) => {
      const listening = vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
        if (execution.task.name !== 'kindred init --agents') return;
        listening.dispose();
        resolve(exitCode);
      });
    });
    await offerAgents(script, { workspaceState: state }, { confirm: () => Promise.resolve(true) });
    assert.equal(await ended, 0);
    assert.ok(existsSync(path.join(folder(), '.mcp.json')));
    assert.match(await readFile(agentsFile(), 'utf8'), /^# Rules\n\n<!-- kindred:begin/);
  });
});
