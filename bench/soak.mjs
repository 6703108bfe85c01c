/**
 * A soak test of the extension in a real window (test/host/soak.ts): random edits, saves, switches of branches, and
 * changes of settings. Reports the memory of the extension host, including the worker thread, and checks that the final
 * findings equal those of a scan.
 *
 *   npm run bench -- soak [--actions N] [--minutes M] [--seed S] [--no-build]
 *
 * --actions   number of actions (10,000)
 * --minutes   time limit (30)
 * --seed      seed of the random actions (1)
 * --no-build  uses the tests as they were last built
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../scripts/project.mjs';
import { machine, table } from './measuring.mjs';

const { values } = parseArgs({
  options: {
    actions: { type: 'string', default: '10000' },
    minutes: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    'no-build': { type: 'boolean', default: false },
  },
});

const folder = mkdtempSync(path.join(tmpdir(), 'kindred-soak-'));
try {
  process.exitCode = run(path.join(folder, 'soak.json'));
} finally {
  rmSync(folder, { recursive: true });
}

/** @param {string} results */
function run(results) {
  const [actions, minutes, seed] = [values.actions, values.minutes, values.seed].map(Number);
  const parameters = JSON.stringify({ actions, minutes, seed, results });
  const node = (/** @type {readonly string[]} */ command) =>
    spawnSync(process.execPath, command, {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, KINDRED_SOAK: parameters, KINDRED_RESULTS: path.join(folder, 'results.jsonl') },
    }).status ?? 1;
  const isBuilt = values['no-build'] || node(['scripts/build.mjs', '--tests']) === 0;
  const status = isBuilt ? node(['scripts/hostTests.mjs']) : 1;
  if (!existsSync(results)) {
    console.error('The soak did not come to its end.');
    return status || 1;
  }
  const figures = JSON.parse(readFileSync(results, 'utf8'));
  const { samples, ...others } = figures;
  const rows = samples.map(
    (/** @type {{ actions: number, seconds: number, megabytes: number[] }} */ { actions, seconds, megabytes }) => [
      ...[actions, seconds, ...megabytes],
    ],
  );
  console.log(`${machine()}\n\n${table(['actions', 's', 'resident, MB', 'heap, MB', 'buffers, MB'], rows)}\n`);
  console.log(JSON.stringify(others));
  return status;
}
