/**
 * Latency of cancelling a cold scan. Scans of a tree are cancelled at different moments. In a scan that is not
 * cancelled, the longest time between two checks of the flag is measured.
 *
 *   npm run bench -- cancel [--tree FOLDER] [--cancels N] [--workers N] [--stored]
 *
 * --tree      the tree (`corpora/java` in the project)
 * --cancels   number of cancelled scans, at moments spread evenly over the duration of a scan (36)
 * --workers   threads of a scan (the number of processors)
 * --stored    scans with a stored index, and ten files that have changed since
 *
 * Wall time runs from the moment at which another thread sets the flag to the result. On Linux, the processor time of
 * the main thread in that period is reported too. On a busy machine, only the processor time is meaningful.
 */
import { subscribe } from 'node:diagnostics_channel';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { root } from '../scripts/project.mjs';
import { machine, median, round, table } from './measuring.mjs';
import { importSources } from './sources.mjs';

const { values } = parseArgs({
  options: {
    tree: { type: 'string', default: path.join(root, 'corpora', 'java') },
    cancels: { type: 'string', default: '36' },
    workers: { type: 'string', default: String(availableParallelism()) },
    stored: { type: 'boolean', default: false },
  },
});
const { defaultOptions, defaultSourceOptions, listSources, nodeSystem, openIndexStore, scanToFollow } =
  await importSources({
    'core/engine/options.ts': ['defaultOptions'],
    'scan/indexer/nodeSystem.ts': ['nodeSystem'],
    'scan/indexer/scan.ts': ['scanToFollow'],
    'scan/indexer/storeOnDisk.ts': ['openIndexStore'],
    'scan/io/listSources.ts': ['listSources'],
    'scan/io/sources.ts': ['defaultSourceOptions'],
  });

/** @type {{ stage: string, ms: number }[]} */
let ends = [];
subscribe('kindred.stage', (message) => {
  ends.push({ .../** @type {{ stage: string }} */ (message), ms: performance.now() });
});

/**
 * Sets the flag at a given time, which a thread in a loop could not do. Posts that time and the main thread's processor
 * time.
 */
const cancellerScript = `
  const { readFileSync } = require('node:fs');
  const { parentPort } = require('node:worker_threads');
  const never = new Int32Array(new SharedArrayBuffer(4));
  parentPort.on('message', ({ flag, atMs, pid }) => {
    const now = () => performance.timeOrigin + performance.now();
    Atomics.wait(never, 0, 0, Math.max(0, atMs - now()));
    let cpuMs = NaN;
    try {
      cpuMs = Number(readFileSync('/proc/self/task/' + pid + '/schedstat', 'utf8').split(' ')[0]) / 1e6;
    } catch {}
    Atomics.store(flag, 0, 1);
    parentPort.postMessage({ ms: now(), cpuMs });
  });
`;

const scanThread = pathToFileURL(path.join(root, 'dist/scanThread.js'));
const storage = mkdtempSync(path.join(tmpdir(), 'kindred-cancel-'));
process.on('exit', () => rmSync(storage, { recursive: true }));

await main();

async function main() {
  const tree = path.resolve(values.tree);
  if (values.stored) await storeIndex(tree);
  // A warm-up that reads the files into the page cache and compiles the code. It is not measured.
  await scanTree(tree, () => false);
  const { checks, wholeMs } = await timeChecks(tree);
  const count = Number(values.cancels);
  const canceller = new Worker(cancellerScript, { eval: true });
  const stops = [];
  for (let i = 0; i < count; i++) stops.push(await timeStop(tree, canceller, ((i + 0.5) / count) * wholeMs));
  await canceller.terminate();

  console.log(
    `Scans of ${tree} on ${values.workers} threads, ${Math.round(wholeMs)} ms when not cancelled; ${machine()}`,
  );
  console.log(`\nLongest times between two checks of the flag:\n`);
  const longest = [...checks].sort((x, y) => y.cpuMs - x.cpuMs || y.ms - x.ms).slice(0, 10);
  console.log(
    table(
      ['in', 'ms', 'CPU ms'],
      longest.map(({ stage, ms, cpuMs }) => [stage, round(ms, 0), round(cpuMs, 0)]),
    ),
  );
  const phases = [...new Set(stops.map(({ stage }) => stage))];
  console.log(`\nTime from a cancel to the answer, ${count} of them:\n`);
  console.log(
    table(
      ['cancelled in', 'cancels', 'median ms', 'longest ms', 'CPU ms', 'longest CPU ms'],
      phases.map((stage) => {
        const own = stops.filter((stop) => stop.stage === stage);
        const [ms, cpuMs] = [own.map((stop) => stop.ms), own.map((stop) => stop.cpuMs)];
        return [
          ...[stage, own.length, round(median(ms), 0), round(Math.max(...ms), 0)],
          ...[round(median(cpuMs), 0), round(Math.max(...cpuMs), 0)],
        ];
      }),
    ),
  );
  console.log(
    JSON.stringify({
      bench: 'cancel',
      machine: machine(),
      tree: path.basename(tree),
      wholeMs: round(wholeMs, 0),
      longest: longest.map(({ stage, ms, cpuMs }) => ({ stage, ms: round(ms, 0), cpuMs: round(cpuMs, 0) })),
      stops: stops.map(({ stage, atMs, ms, cpuMs }) => ({
        stage,
        atMs: round(atMs, 0),
        ms: round(ms, 0),
        cpuMs: round(cpuMs, 0),
      })),
    }),
  );
}

/**
 * Measures a complete scan, and the time between its checks of the flag.
 *
 * @param {string} tree
 */
async function timeChecks(tree) {
  /** @type {{ stage: string, ms: number, cpuMs: number }[]} */
  const checks = [];
  ends = [];
  const started = performance.now();
  let before = { ms: started, cpuMs: ownProcessorMs() };
  const ask = () => {
    const now = { ms: performance.now(), cpuMs: ownProcessorMs() };
    checks.push({ stage: stageNow(), ms: now.ms - before.ms, cpuMs: now.cpuMs - before.cpuMs });
    before = now;
    return false;
  };
  await scanTree(tree, ask);
  ask();
  return { checks, wholeMs: performance.now() - started };
}

/**
 * Cancels a scan after a delay, and returns the time until it stopped: 0 if the scan ended before.
 *
 * @param {string} tree
 * @param {Worker} canceller
 * @param {number} delayMs
 */
async function timeStop(tree, canceller, delayMs) {
  const flag = new Int32Array(new SharedArrayBuffer(4));
  ends = [];
  const started = performance.now();
  /** @type {Promise<{ ms: number, cpuMs: number }>} */
  const cancelled = new Promise((resolve) => canceller.once('message', resolve));
  canceller.postMessage({ flag, atMs: performance.timeOrigin + started + delayMs, pid: process.pid });
  await scanTree(tree, () => Atomics.load(flag, 0) !== 0);
  const ended = { ms: performance.timeOrigin + performance.now(), cpuMs: ownProcessorMs() };
  const at = await cancelled;
  const atMs = at.ms - performance.timeOrigin;
  const stage = [...ends].reverse().find(({ ms }) => ms <= atMs)?.stage;
  // Garbage of this scan must not be collected during the next one.
  await setTimeout(50);
  return {
    stage: after(stage),
    atMs: atMs - started,
    ms: Math.max(0, ended.ms - at.ms),
    cpuMs: Math.max(0, ended.cpuMs - at.cpuMs),
  };
}

/**
 * @param {string} tree
 * @param {() => boolean} cancelled
 */
async function scanTree(tree, cancelled) {
  const listing = await listSources([tree], defaultSourceOptions, cancelled);
  ends.push({ stage: 'listed', ms: performance.now() });
  const stored = values.stored ? { store: openStore(), texts: changedTexts(listing.files) } : {};
  await scanListing(listing, stored, cancelled);
}

/** @param {string} tree */
async function storeIndex(tree) {
  const never = () => false;
  const store = openStore();
  await scanListing(await listSources([tree], defaultSourceOptions, never), { store }, never);
  await store.save();
}

/**
 * @param {object} listing
 * @param {object} stored  the stored index, and the texts that have changed since
 * @param {() => boolean} cancelled
 */
async function scanListing(listing, stored, cancelled) {
  const request = {
    listing,
    texts: [],
    options: defaultOptions,
    sources: defaultSourceOptions,
    lexicons: [],
    scope: 'all',
    system: nodeSystem(scanThread),
    workers: Number(values.workers),
    memoryMB: 0,
    store: undefined,
    weighing: 'kept',
    whenCancelled: 'stop',
    configured: [],
    ...stored,
  };
  await scanToFollow(request, { onProgress: () => undefined, cancelled }, 'index');
}

function openStore() {
  const identity = { options: defaultOptions, sources: defaultSourceOptions, lexicons: [], files: 'tree' };
  const scripts = { scanThread, program: scanThread };
  return openIndexStore(path.join(storage, 'index'), identity, scripts, console.warn);
}

/**
 * Returns ten evenly spread files with an additional line at the end.
 *
 * @param {readonly { path: string, file: string }[]} files
 */
function changedTexts(files) {
  return Array.from({ length: 10 }, (_, i) => {
    const { path, file } = files[Math.floor((i * files.length) / 10)];
    return { path, bytes: Buffer.concat([readFileSync(file), Buffer.from('\n// Something else\n')]) };
  });
}

function stageNow() {
  return after(ends.at(-1)?.stage);
}

/**
 * Returns the name of the work that follows a stage.
 *
 * @param {string | undefined} ended
 */
function after(ended) {
  const stages = ['listing', 'reading', 'seeds', 'matching', 'grouping', 'end'];
  return stages[['listed', 'read', 'seeded', 'matched', 'grouped'].indexOf(ended ?? '') + 1] ?? '';
}

/** Returns the processor time of this thread in milliseconds, or NaN if the system does not report it. */
function ownProcessorMs() {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return NaN;
  }
}
