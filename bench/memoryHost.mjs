/**
 * Simulates the extension host (bench/memory.mjs). Scans a tree with the worker, applies edits, keeps the last report
 * like the views, and prints the measured memory as JSON.
 *
 *   node bench/memoryHost.mjs <bundled sources> <tree> <edits> <seed> <rest in seconds>
 */
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { BroadcastChannel } from 'node:worker_threads';
import { root } from '../scripts/project.mjs';
import { randomNumbers } from './randomNumbers.mjs';

const [sources = '', tree = '', edits = '', seed = '', rest = ''] = process.argv.slice(2);
const { EngineClient, nodeWorker, readReport, defaultOptions, defaultSourceOptions } = await import(
  pathToFileURL(sources).href
);
const random = randomNumbers(Number(seed));
const quietMs = 1000 * Number(rest);
/** Consecutive edits of one file, like those of a typing user. */
const editsInARow = 10;

const script = path.join(path.dirname(sources), 'measuredWorker.mjs');
writeFileSync(script, measuredWorker(pathToFileURL(path.join(root, 'dist/worker.js')).href));
const log = {
  error: (/** @type {unknown} */ message) => console.error(message),
  warn: console.error,
  info: () => undefined,
};
const words = { stopped: 'stopped', stoppedOften: () => 'stopped' };
const readNothing = () => Promise.reject(new Error('All is on disk.'));
const client = new EngineClient(nodeWorker(script), log, { readFolder: readNothing, readFile: readNothing }, words);
const channel = new BroadcastChannel('kindred-memory');
let report;
const samples = [];

samples.push(await sample('before'));
report = await reportOf(
  await client.scan({
    roots: [{ folder: tree, prefix: '', sources: defaultSourceOptions }],
    options: defaultOptions,
    workers: 0,
    languages: [],
    memoryMB: 0,
    overlays: [],
    storage: undefined,
    recall: false,
    ignored: [],
  }),
);
samples.push(await sample('after the scan'));
await setTimeout(quietMs);
samples.push(await sample('at rest'));
const { totals } = report.findings;
await edit(Number(edits));
samples.push(await sample('after the edits'));
await setTimeout(quietMs);
samples.push(await sample('at rest again'));
const findings = createHash('sha256').update(JSON.stringify(report.findings)).digest('hex').slice(0, 16);
console.log(JSON.stringify({ totals, samples, findings }));
channel.close();
await client.terminateWorker();
client.dispose();
rmSync(script);

/** Returns the report of a worker's response, in the form of the views. */
async function reportOf(outcome) {
  if (outcome.type === 'unchanged') return report;
  if (outcome.type !== 'report') throw new Error(`The worker answered ${JSON.stringify(outcome)}.`);
  return readReport(outcome, report);
}

async function edit(/** @type {number} */ maxEdits) {
  const files = [...new Set([...report.found.copies.keys()])].sort();
  const pick = (/** @type {readonly any[]} */ list) => list[Math.floor(random() * list.length)];
  const linesOf = (/** @type {string} */ name) => readFileSync(path.join(tree, name), 'utf8').split('\n');
  for (let done = 0; done < maxEdits;) {
    const name = pick(files);
    const lines = linesOf(name);
    const donors = linesOf(pick(files));
    for (let row = 0; row < editsInARow && done < maxEdits; row++, done++) {
      const at = Math.floor(random() * lines.length);
      const kind = random();
      if (kind < 0.3) lines.splice(at, 0, pick(donors));
      else if (kind < 0.5) lines.splice(at, 1);
      else if (kind < 0.8) lines[at] = (lines[at] ?? '').replace(/\b[A-Za-z_]\w+/, (word) => `${word}Changed`);
      else lines.splice(at, 0, ...donors.slice(0, 10 + Math.floor(random() * 30)));
      const overlays = [{ path: name, text: lines.join('\n') }];
      report = await reportOf(await client.update({ paths: [], overlays, dropped: [], has: report.generation }));
    }
    // As if the file was closed without saving.
    if (random() < 0.5)
      await client
        .update({ paths: [], overlays: [], dropped: [name], has: report.generation })
        .then(reportOf)
        .then((next) => (report = next));
  }
}

/** Returns the source of a worker that also answers requests for the memory of its thread. */
function measuredWorker(/** @type {string} */ bundle) {
  return `
    import { BroadcastChannel } from 'node:worker_threads';
    let memory;
    const Memory = WebAssembly.Memory;
    WebAssembly.Memory = function (given) { const made = new Memory(given); if (given.shared) memory = made; return made; };
    WebAssembly.Memory.prototype = Memory.prototype;
    const channel = new BroadcastChannel('kindred-memory');
    channel.onmessage = ({ data }) => {
      if (data !== 'memory') return;
      const { heapTotal, heapUsed, external, arrayBuffers } = process.memoryUsage();
      const used = memory ? (new Int32Array(memory.buffer)[2] >>> 0) * 16 : 0;
      channel.postMessage({ heapTotal, heapUsed, external, arrayBuffers, kernelUsed: used, kernelBytes: memory?.buffer.byteLength ?? 0 });
    };
    channel.unref();
    await import(${JSON.stringify(bundle)});
  `;
}

/** @param {string} when */
async function sample(when) {
  const worker = await askWorker();
  const { heapTotal, heapUsed } = process.memoryUsage();
  const { kernel, files, resident } = residentParts();
  const parts = {
    'kernel, resident': kernel,
    'kernel, in use': worker.kernelUsed,
    'heap of the worker': worker.heapTotal,
    '… in use': worker.heapUsed,
    'heap of the host': heapTotal,
    '… in use ': heapUsed,
    'buffers of the worker': worker.arrayBuffers,
    programs: files,
    'other (allocator, stacks, code)': resident - kernel - worker.heapTotal - heapTotal - files,
    resident,
  };
  return { when, resident, parts };
}

function askWorker() {
  if (samples.length === 0) return { heapTotal: 0, heapUsed: 0, arrayBuffers: 0, kernelUsed: 0, kernelBytes: 0 };
  return new Promise((resolve) => {
    channel.onmessage = ({ data }) => typeof data === 'object' && resolve(data);
    channel.postMessage('memory');
  });
}

/** Returns the resident bytes of the kernel's memory, of mapped files, and in total. */
function residentParts() {
  const mappings = readFileSync('/proc/self/smaps', 'utf8')
    .split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m)
    .map((text) => {
      const [, from, to, access, file] = /^([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ \S+ *(.*)$/m.exec(text);
      const bytes = 1024 * Number(/^Rss: +(\d+)/m.exec(text)[1]);
      return { from: parseInt(from, 16), to: parseInt(to, 16), access, file, bytes };
    });
  const sum = (list) => list.reduce((all, { bytes }) => all + bytes, 0);
  // A shared WebAssembly memory reserves addresses for more than 4 GiB, of which only the allocated part is writable.
  const isKernel = (mapping, i) =>
    mapping.access.startsWith('rw') && mapping.to - mapping.from + gapBehind(mappings, i) > 2 ** 32 - 2 ** 20;
  return {
    kernel: sum(mappings.filter(isKernel)),
    files: sum(mappings.filter(({ file }) => file.startsWith('/'))),
    resident: sum(mappings),
  };
}

function gapBehind(mappings, i) {
  const next = mappings[i + 1];
  return next !== undefined && next.access.startsWith('---') && next.from === mappings[i].to ? next.to - next.from : 0;
}
