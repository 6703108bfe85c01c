/**
 * Opens a folder with the worker like the extension, and prints the times of the results as JSON (bench/reopen.mjs).
 * With a storage folder, waits until the worker has written to it.
 *
 *   node bench/openFolder.mjs <folder> [<storage>]
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { root } from '../scripts/project.mjs';
import { digestOfFindings } from './digestOfFindings.mjs';

const [folder = '', storage] = process.argv.slice(2);
const { defaultOptions, defaultSourceOptions, unpackGroups } = await protocol();

const generation = 1;
const wanted = new Int32Array(new SharedArrayBuffer(4)).fill(generation);
const started = performance.now();
const worker = new Worker(path.join(root, 'dist/worker.js'), { workerData: { wanted: wanted.buffer } });
let firstMs;
let filesRead = 0;
let found = {};
worker.on('error', (error) => {
  throw error;
});
worker.on('message', async (response) => {
  const ms = performance.now() - started;
  if (response.type === 'progress' && response.progress.phase === 'reading') filesRead = response.progress.total;
  if (response.type === 'recalled') firstMs = ms;
  if (response.type === 'recalled' || response.type === 'report') found = summary(response.findings);
  if (response.type === 'warning' || response.type === 'failed') throw new Error(JSON.stringify(response));
  if (response.type !== 'report' && response.type !== 'unchanged') return;
  if (storage !== undefined && response.type === 'report') await written(path.join(storage, 'index.findings'));
  console.log(JSON.stringify({ firstMs, upToDateMs: ms, filesRead, ...found }));
  await worker.terminate();
});
const roots = [{ folder, prefix: '', sources: defaultSourceOptions }];
const request = {
  type: 'scan',
  generation,
  roots,
  options: defaultOptions,
  workers: 0,
  languages: [],
  memoryMB: 0,
  overlays: [],
  ignored: [],
  storage,
};
worker.postMessage({ ...request, recall: true });

/** Unpacks the findings, as the extension does, and returns a digest of them. */
function summary(findings) {
  const digest = digestOfFindings(findings.totals, unpackGroups(findings), findings.skipped);
  return { findings: digest, totals: findings.totals };
}

/** Waits until a file has been written by this process. */
async function written(file) {
  const writtenAt = () => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  while (writtenAt() < performance.timeOrigin) await setTimeout(100);
}

/** Bundles the sources that the extension host needs. */
async function protocol() {
  const folder = mkdtempSync(path.join(tmpdir(), 'kindred-bench-'));
  const outfile = path.join(folder, 'protocol.mjs');
  await build({
    stdin: {
      contents: `export { unpackGroups } from './src/protocol/packedFindings.ts';
        export { defaultOptions } from './src/engine/options.ts';
        export { defaultSourceOptions } from './src/io/sources.ts';`,
      resolveDir: root,
    },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    outfile,
  });
  const bundled = await import(pathToFileURL(outfile).href);
  rmSync(folder, { recursive: true });
  return bundled;
}
