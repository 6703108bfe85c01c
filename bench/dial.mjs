/**
 * The dial: the time in which the index of a large tree computes the findings of other settings, stop by stop, as
 * requested by the worker of the editor.
 *
 *   npm run bench -- dial [--tree FOLDER] [--runs N]
 *
 * --tree  the tree (`corpora/typescript` in the project)
 * --runs  runs of each stop, of which the median is reported (3)
 *
 * On a shared machine, only processor time is meaningful. Each stop is printed as soon as it is measured.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { pathToFileURL } from 'node:url';
import { root } from '../scripts/project.mjs';
import { machine, median, round, table } from './measuring.mjs';
import { importSources } from './sources.mjs';

const { values } = parseArgs({
  options: {
    tree: { type: 'string', default: path.join(root, 'corpora', 'typescript') },
    runs: { type: 'string', default: '3' },
  },
});

const {
  dials,
  withValue,
  withDialValues,
  presets,
  defaultOptions,
  defaultSourceOptions,
  listSources,
  nodeSystem,
  scanToFollow,
} = await importSources({
  'core/engine/dials.ts': ['dials', 'withValue', 'withDialValues', 'presets'],
  'core/engine/options.ts': ['defaultOptions'],
  'scan/indexer/nodeSystem.ts': ['nodeSystem'],
  'scan/indexer/scan.ts': ['scanToFollow'],
  'scan/io/listSources.ts': ['listSources'],
  'scan/io/sources.ts': ['defaultSourceOptions'],
});

const monitor = { onProgress: () => undefined, cancelled: () => false };
const listing = await listSources([path.resolve(values.tree)], defaultSourceOptions, () => false);
const { live, findings } = await scanToFollow(
  {
    listing,
    texts: [],
    options: defaultOptions,
    sources: defaultSourceOptions,
    configured: [],
    lexicons: [],
    scope: 'all',
    workers: 1,
    memoryMB: 0,
    store: undefined,
    weighing: 'kept',
    whenCancelled: 'stop',
    system: nodeSystem(pathToFileURL(path.join(root, 'dist/scanThread.js'))),
  },
  monitor,
  'index',
);
await live.prepare(monitor.cancelled);
const before = process.memoryUsage().rss;
console.log(machine());
console.log(`${path.basename(values.tree)}: ${findings.totals.files} files, ${findings.totals.lines} lines\n`);

/** @type {(string | number)[][]} */
const rows = [];
console.log(table(['stop', 'ms', 'CPU ms', 'rows', 'duplicated lines'], []));
for (const dial of dials) {
  for (const value of dial.stops.filter((stop) => stop <= dial.swept)) {
    await measure(`${dial.name} ${value}`, withValue(defaultOptions, dial.name, value));
  }
}
for (const [name, values] of Object.entries(presets)) {
  await measure(name, withDialValues(defaultOptions, values));
}
const [walls, cpus] = [1, 2].map((column) => rows.map((row) => Number(row[column])));
const figures = {
  stops: rows.length,
  medianMs: median(walls),
  mostMs: Math.max(...walls),
  medianCpuMs: median(cpus),
  mostCpuMs: Math.max(...cpus),
  sumCpuMs: cpus.reduce((sum, ms) => sum + ms, 0),
  growthMB: round((process.memoryUsage().rss - before) / 2 ** 20, 0),
};
console.log(JSON.stringify(figures));

/**
 * @param {string} name
 * @param {typeof defaultOptions} options
 */
async function measure(name, options) {
  /** @type {number[]} */
  const walls = [];
  /** @type {number[]} */
  const cpus = [];
  let found = findings;
  for (let run = 0; run < Number(values.runs); run++) {
    const [began, cpu] = [performance.now(), process.cpuUsage()];
    found = await live.trial(options, monitor);
    const { user, system } = process.cpuUsage(cpu);
    walls.push(performance.now() - began);
    cpus.push((user + system) / 1000);
  }
  const shown = found.groups.filter((/** @type {{ parent?: string }} */ { parent }) => parent === undefined);
  const row = [name, round(median(walls), 0), round(median(cpus), 0), shown.length, found.totals.duplicatedLines];
  rows.push(row);
  console.log(`| ${row.join(' | ')} |`);
}
