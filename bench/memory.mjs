/**
 * Memory that Kindred adds to an extension host, by part, after a scan of a large tree and after thousands of edits.
 *
 *   npm run bench -- memory [--tree FOLDER] [--edits N] [--seed N] [--rest SECONDS]
 *
 * --tree   the tree (`corpora/java` in the project)
 * --edits  number of edits of unsaved texts (2,000): added, removed, changed, and pasted lines, in bursts per file
 * --seed   seed of the random edits (1)
 * --rest   pause before each idle sample, in which the index and a pending epoch are completed (15)
 *
 * A separate Node process simulates the extension host (bench/memoryHost.mjs). It contains the client, the worker, and
 * the report in the form of the views. The memory before the scan is subtracted. The bench requires Linux, because the
 * parts come from /proc/self/smaps.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../scripts/project.mjs';
import { machine, round, table } from './measuring.mjs';
import { bundleSources } from './sources.mjs';

const { values } = parseArgs({
  options: {
    tree: { type: 'string', default: path.join(root, 'corpora', 'java') },
    edits: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    rest: { type: 'string', default: '15' },
  },
});
const tree = path.resolve(values.tree);
const sources = await bundleSources({
  'session/client/engineClient.ts': ['EngineClient'],
  'session/client/nodeWorker.ts': ['nodeWorker'],
  'session/client/report.ts': ['readReport'],
  'core/engine/options.ts': ['defaultOptions'],
  'scan/io/sources.ts': ['defaultSourceOptions'],
});
const { status, stdout } = spawnSync(
  process.execPath,
  [path.join(root, 'bench/memoryHost.mjs'), sources, tree, values.edits, values.seed, values.rest],
  { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8', maxBuffer: 1 << 26 },
);
if (status !== 0) throw new Error(`The process that stands in for the extension host ended with ${status}.`);
const { totals, samples, findings } = JSON.parse(stdout);
const megabytes = (/** @type {number} */ bytes) => round(bytes / 2 ** 20, 1);
const [before] = samples;
console.log(
  `${path.basename(tree)}: ${totals.files} files, ${totals.lines} lines, ${totals.groups} groups; ${machine()}\n`,
);
const names = Object.keys(before.parts);
console.log(
  table(
    ['MB', ...samples.map((/** @type {{ when: string }} */ { when }) => when)],
    [
      ...names.map((name) => [name, ...samples.map(({ parts }) => megabytes(parts[name]))]),
      ['added', ...samples.map(({ resident }) => megabytes(resident - before.resident))],
    ],
  ),
);
const added = Object.fromEntries(samples.map(({ when, resident }) => [when, megabytes(resident - before.resident)]));
console.log(
  `\n${JSON.stringify({ bench: 'memory', tree: path.basename(tree), lines: totals.lines, addedMB: added, findings })}`,
);
