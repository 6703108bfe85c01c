/**
 * The harness itself. Every failure of a suite, in plain Node or in VS Code's extension host, must fail the run and be
 * reported. Each case runs the harness once with a suite from sabotage/ instead of a part's own.
 */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { root } from '../../scripts/project.mjs';

const harness = path.join(root, 'scripts', 'test.mjs');

interface Run {
  readonly exitCode: number;
  readonly output: string;
}

interface Sabotage {
  readonly name: 'assertion' | 'empty' | 'exit' | 'hang' | 'kill';
  /** Last line of the output. */
  readonly counts: string;
  /** Reported problem, repeated below the table. */
  readonly problem: string;
}

/** The architecture test represents all parts in plain Node. */
const inNode: readonly Sabotage[] = [
  { name: 'assertion', counts: '1 passed, 1 failed', problem: '1 !== 2' },
  { name: 'empty', counts: '0 passed, 1 failed', problem: 'There were no tests.' },
  { name: 'exit', counts: '1 passed, 1 failed', problem: 'The run ended after 1 of 3 tests.' },
  { name: 'kill', counts: '1 passed, 1 failed', problem: 'It ended with SIGKILL.' },
  { name: 'hang', counts: '1 passed, 1 failed', problem: 'It made no progress for 3 s.' },
];

const inHost: readonly Sabotage[] = [
  { name: 'assertion', counts: '1 passed, 1 failed', problem: '1 !== 2' },
  { name: 'kill', counts: '1 passed, 1 failed', problem: 'The run ended after 1 of 2 tests.' },
  { name: 'hang', counts: '1 passed, 1 failed', problem: 'It made no progress for 3 s.' },
];

suite('the harness fails a run in plain Node', () => {
  for (const sabotage of inNode) test(sabotage.name, () => check('architecture', sabotage));
});

suite('the harness fails a run in the extension host', () => {
  for (const sabotage of inHost) test(sabotage.name, () => check('host', sabotage));
});

suite('concurrent parts', () => {
  test('print their output without interleaving, and all count', async () => {
    const { output, exitCode } = await runHarness(['--no-build', 'architecture', 'manifest'], {
      KINDRED_LANES: '2',
      KINDRED_SABOTAGE: 'kill',
    });
    assert.equal(output.trimEnd().split('\n').at(-1), '2 passed, 2 failed', output);
    for (const part of ['architecture', 'manifest'])
      assert.match(output, new RegExp(`^── ${part} ──\n[^─]*✔[^─]*$`, 'm'), output);
    assert.equal(exitCode, 1);
  });

  test('end when the run is interrupted', async () => {
    const child = spawn(process.execPath, [harness, '--no-build', 'architecture', 'manifest'], {
      env: { ...process.env, KINDRED_LANES: '2', KINDRED_SABOTAGE: 'hang' },
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    const parts = (): number[] => childrenOf(child.pid ?? 0);
    while (parts().length < 2) await setTimeout(20);
    const started = parts();
    child.kill('SIGINT');
    assert.deepEqual(await ended, [130, null]);
    assert.deepEqual(started.filter(isRunning), []);
  });
});

suite('the harness', () => {
  test('names a test that passed only when it was run again', async () => {
    const { output, exitCode } = await runHarness(['--no-build', 'architecture'], { KINDRED_SABOTAGE: 'again' });
    assert.equal(exitCode, 0, output);
    assert.match(output, /^architecture, run again: sabotage passes the second time\n.*1 !== 2/ms);
  });

  test('lists the parts if a requested part does not exist', async () => {
    const { exitCode, output } = await runHarness(['engin'], {});
    assert.equal(exitCode, 2);
    assert.match(output, /There is no part engin\. The parts are: build, setup, /);
  });
});

suite('setup', () => {
  test('reports a problem in a sentence, and skips the parts that need it', async () => {
    const { exitCode, output } = await runHarness(['--no-build', 'setup', 'browser'], { CHROMIUM_PATH: '/no/browser' });
    assert.equal(exitCode, 1);
    assert.match(output, /^The browser \/no\/browser does not start \(.*\): install what it needs, or another one\.$/m);
    assert.match(output, /^browser: It was not run, since it needs setup\.$/m);
    assert.equal(output.trimEnd().split('\n').at(-1), '0 passed, 2 failed');
  });
});

async function check(part: string, { name, counts, problem }: Sabotage): Promise<void> {
  const { exitCode, output } = await runHarness(['--no-build', part], {
    KINDRED_SABOTAGE: name,
    // Other suites end by themselves, however long that takes.
    ...(name === 'hang' && { KINDRED_HANG_SECONDS: '3' }),
  });
  const summary = output.slice(output.search(/^part +passed/m));
  assert.ok(summary.includes(problem), output);
  assert.equal(output.trimEnd().split('\n').at(-1), counts, output);
  assert.equal(exitCode, 1);
}

function runHarness(harnessArguments: readonly string[], environment: NodeJS.ProcessEnv): Promise<Run> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [harness, ...harnessArguments],
      { env: { ...process.env, ...environment } },
      // Standard error first, so that the counts are the last line.
      (_error, stdout, stderr) => resolve({ exitCode: child.exitCode ?? -1, output: stderr + stdout }),
    );
  });
}

/** Returns the ids of the running child processes of a process. */
function childrenOf(parent: number): number[] {
  return readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch {
    return false;
  }
}
