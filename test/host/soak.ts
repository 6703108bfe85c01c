/**
 * A long day in a window in fast motion: thousands of edits, saves, branch switches, and changed settings in quick
 * succession. At the end, the shown findings must equal those of a scan. Memory is sampled on the way. Run only by `npm
 * run bench -- soak`.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import { randomNumbers } from '../../bench/randomNumbers.mjs';
import { lineOfOwn } from '../engine/histories.ts';
import { configure, rest, settings, setUpHistories, shown } from './longHistories.ts';
import { scan, uriOf, write } from './window.ts';

/** Parameters from scripts/hostTests.mjs in KINDRED_SOAK. */
interface SoakParameters {
  readonly actions: number;
  readonly seed: number;
  /** Stops after this time, whatever the number of actions. */
  readonly minutes: number;
  /** Path of the JSON file for the samples. */
  readonly results: string;
}

const fileCount = 150;
/** Number of lines in each file, and number of files that differ on the other branch. */
const linesOfFile = 120;
const branchFiles = 40;
/** Number of editors that users have open at once. */
const openAtOnce = 12;
/** Interval of memory samples, in actions. */
const sampleEvery = 250;

suite('a soak', function () {
  this.timeout(0);
  const { actions, seed, minutes, results } = JSON.parse(process.env['KINDRED_SOAK'] ?? '{}') as SoakParameters;
  const chance = randomNumbers(seed);
  const below = (count: number): number => Math.floor(chance() * count);
  const names = Array.from({ length: fileCount }, (_, i) => `soak/${i % 9}/f${i}.${i % 5 === 0 ? 'md' : 'ts'}`);
  const done: Record<string, number> = {};
  const samples: object[] = [];
  let branch = 0;

  setUpHistories();

  test('ends with the findings of a scan', async () => {
    for (const [i, name] of names.entries()) await write(name, textOf(i, 0));
    const api = await scan();
    const begun = performance.now();
    const sample = (count: number): void => {
      const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
      const megabytes = [rss, heapUsed, arrayBuffers].map((bytes) => Math.round(bytes / 2 ** 20));
      samples.push({ actions: count, seconds: Math.round((performance.now() - begun) / 1000), megabytes });
    };
    await rest(api);
    sample(0);
    let count = 0;
    while (count < actions && performance.now() - begun < 60_000 * minutes) {
      const what = kindOfAction();
      await act(what);
      done[what] = (done[what] ?? 0) + 1;
      if (++count % sampleEvery === 0) sample(count);
      // Most edits follow each other immediately. Sometimes there is time for an update, or half of one.
      await setTimeout(chance() < 0.9 ? 20 + below(60) : below(1_200));
    }
    const writeResults = (more: object): void =>
      writeFileSync(results, JSON.stringify({ seed, actions: count, done, samples, ...more }));
    try {
      await rest(api);
    } catch (error) {
      const { state } = api.scanner;
      const before = shown(api);
      const outcome = (await api.scanner.scan()).type;
      const last = shown(api).groups.filter(({ passages }) =>
        passages.some(({ path }) => path.includes('history/last')),
      );
      writeResults({ problem: String(error), state, before: before.totals, outcome, after: shown(api).totals, last });
      throw error;
    }
    sample(count);
    const followed = shown(api);
    await api.scanner.scan();
    const isEqual = JSON.stringify(followed) === JSON.stringify(shown(api));
    sample(count);
    const groups = followed.groups.length;
    writeResults({ groups, isEqual });
    assert.deepEqual(followed, shown(api));
  });

  function kindOfAction(): 'edit' | 'save' | 'close' | 'branch' | 'settings' {
    const n = chance();
    return n < 0.86 ? 'edit' : n < 0.95 ? 'save' : n < 0.97 ? 'close' : n < 0.985 ? 'settings' : 'branch';
  }

  async function act(what: ReturnType<typeof kindOfAction>): Promise<void> {
    switch (what) {
      case 'edit':
        return edit();
      case 'save':
        await vscode.workspace.saveAll(false);
        return;
      case 'close':
        await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
        return;
      case 'settings': {
        const [name, value] = settings[below(settings.length)];
        return configure(`kindred.${name}`, chance() < 0.5 ? value : undefined);
      }
      case 'branch': {
        branch++;
        const first = below(fileCount);
        for (let i = 0; i < branchFiles; i++) {
          const at = (first + i) % fileCount;
          await write(names[at], textOf(at, branch % 3));
        }
      }
    }
  }

  /** Inserts a line or a function, or deletes lines, in a file that may be open already. */
  async function edit(): Promise<void> {
    const opened = vscode.workspace.textDocuments.filter(({ uri }) => uri.path.includes('/soak/'));
    const isAgain = opened.length >= openAtOnce || (opened.length > 0 && chance() < 0.9);
    const name = names[below(fileCount)];
    const document = isAgain ? opened[below(opened.length)] : await vscode.workspace.openTextDocument(uriOf(name));
    if (!isAgain) await vscode.window.showTextDocument(document, { preview: false });
    const change = new vscode.WorkspaceEdit();
    const line = below(document.lineCount);
    if (document.lineCount > 2 * linesOfFile || chance() < 0.3) {
      change.delete(document.uri, new vscode.Range(line, 0, Math.min(document.lineCount, line + 1 + below(20)), 0));
    } else {
      const text = Array.from({ length: chance() < 0.8 ? 1 : 15 }, () => lineOfOwn(below(60))).join('\n');
      change.insert(document.uri, new vscode.Position(line, 0), `${text}\n`);
    }
    await vscode.workspace.applyEdit(change);
  }
});

/** Returns the text of a file on a branch. A fifth of it is also in other files, and part of it only on this branch. */
function textOf(file: number, branch: number): string {
  const lines = Array.from({ length: linesOfFile }, (_, line) => {
    const block = Math.floor(line / 24);
    const isShared = block === (file + branch) % 5;
    return lineOfOwn(isShared ? line + 100 * (file % 7) : 1_000 * file + 200 * (block === branch ? branch : 0) + line);
  });
  return `${lines.join('\n')}\n`;
}
