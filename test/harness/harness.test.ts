/**
 * The harness itself: whatever goes wrong in a suite, in plain Node or in VS Code's extension host, must fail the run and
 * be told. Each case runs the harness once with a suite from sabotage/ in place of a part's own.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { root } from '../../scripts/project.mjs';

interface Run {
  readonly exitCode: number;
  readonly output: string;
}

interface Sabotage {
  readonly name: 'assertion' | 'empty' | 'exit' | 'hang' | 'kill';
  /** How long the part may take. Only a hang uses it up; in VS Code it must be enough for a busy machine to start it. */
  readonly limitSeconds: number;
  /** The last line. */
  readonly counts: string;
  /** What the person is told. */
  readonly told: string;
}

/** The architecture test stands for all parts in plain Node. */
const inNode: readonly Sabotage[] = [
  { name: 'assertion', limitSeconds: 30, counts: '1 passed, 1 failed', told: '1 !== 2' },
  { name: 'empty', limitSeconds: 30, counts: '0 passed, 1 failed', told: 'There were no tests.' },
  { name: 'exit', limitSeconds: 30, counts: '1 passed, 1 failed', told: 'The run ended after 1 of 3 tests.' },
  { name: 'kill', limitSeconds: 30, counts: '1 passed, 1 failed', told: 'It ended with SIGKILL.' },
  { name: 'hang', limitSeconds: 3, counts: '1 passed, 1 failed', told: 'It had not ended after 3 s.' },
];

const inHost: readonly Sabotage[] = [
  { name: 'assertion', limitSeconds: 60, counts: '1 passed, 1 failed', told: '1 !== 2' },
  { name: 'kill', limitSeconds: 60, counts: '1 passed, 1 failed', told: 'The run ended after 1 of 2 tests.' },
  { name: 'hang', limitSeconds: 30, counts: '1 passed, 1 failed', told: 'It had not ended after 30 s.' },
];

suite('the harness fails a run in plain Node', () => {
  for (const sabotage of inNode) test(sabotage.name, () => check('architecture', sabotage));
});

suite('the harness fails a run in the extension host', () => {
  for (const sabotage of inHost) test(sabotage.name, () => check('host', sabotage));
});

suite('the harness', () => {
  test('names the parts when it is asked for one that is not there', async () => {
    const { exitCode, output } = await runHarness(['engin'], {});
    assert.equal(exitCode, 2);
    assert.match(output, /There is no part engin\. The parts are: build, types, /);
  });
});

suite('the set-up', () => {
  test('says in a sentence what is wrong, and what needs it is not run', async () => {
    const { exitCode, output } = await runHarness(['--no-build', 'setup', 'browser'], { CHROMIUM_PATH: '/no/browser' });
    assert.equal(exitCode, 1);
    assert.match(output, /^The browser \/no\/browser does not start \(.*\): install what it needs, or another one\.$/m);
    assert.match(output, /^browser: It was not run, since it needs setup\.$/m);
    assert.equal(output.trimEnd().split('\n').at(-1), '0 passed, 2 failed');
  });
});

async function check(part: string, { name, limitSeconds, counts, told }: Sabotage): Promise<void> {
  const { exitCode, output } = await runHarness(['--no-build', part], {
    KINDRED_SABOTAGE: name,
    KINDRED_PART_SECONDS: String(limitSeconds),
  });
  assert.ok(output.includes(told), output);
  assert.equal(output.trimEnd().split('\n').at(-1), counts, output);
  assert.equal(exitCode, 1);
}

function runHarness(harnessArguments: readonly string[], environment: NodeJS.ProcessEnv): Promise<Run> {
  const program = path.join(root, 'scripts', 'test.mjs');
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [program, ...harnessArguments],
      { env: { ...process.env, ...environment } },
      // Standard error first, so that the counts are the last line.
      (_error, stdout, stderr) => resolve({ exitCode: child.exitCode ?? -1, output: stderr + stdout }),
    );
  });
}
