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
import { build } from 'esbuild';
import { root } from '../scripts/project.mjs';
import { digestOfFindings } from './digestOfFindings.mjs';

const [folder = '', storage] = process.argv.slice(2);
const { defaultOptions, defaultSourceOptions, EngineClient, nodeWorker, unpackGroups } = await sources();

const started = performance.now();
const startedCpu = process.cpuUsage();
const fail = (message) => {
  throw message instanceof Error ? message : new Error(message);
};
const files = { readFolder: fail, readFile: fail };
const words = { stopped: 'stopped', stoppedOften: () => 'stopped often' };
const client = new EngineClient(
  nodeWorker(path.join(root, 'dist/worker.js')),
  { error: fail, warn: fail, info: () => undefined },
  files,
  words,
);
let firstMs;
let firstCpuMs;
let filesRead = 0;
let found = {};
client.onDidProgress(({ progress }) => {
  if (progress.phase === 'reading') filesRead = progress.total;
});
client.onDidRecall(({ findings }) => {
  firstMs = performance.now() - started;
  firstCpuMs = cpuMs();
  found = summary(findings);
});
const outcome = await client.scan({
  roots: [{ folder, prefix: '', sources: defaultSourceOptions }],
  options: defaultOptions,
  workers: 0,
  languages: [],
  memoryMB: 0,
  overlays: [],
  ignored: [],
  storage,
  recall: true,
});
const upToDateMs = performance.now() - started;
const upToDateCpuMs = cpuMs();
if (outcome.type === 'report') found = summary(outcome.findings);
else if (outcome.type !== 'unchanged') fail(JSON.stringify(outcome));
if (storage !== undefined && outcome.type === 'report') await written(path.join(storage, 'index.findings'));
console.log(JSON.stringify({ firstMs, firstCpuMs, upToDateMs, upToDateCpuMs, filesRead, ...found }));
await client.endWorker();

/** Returns the processor time of all threads since the start. */
function cpuMs() {
  const { user, system } = process.cpuUsage(startedCpu);
  return (user + system) / 1000;
}

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
async function sources() {
  const folder = mkdtempSync(path.join(tmpdir(), 'kindred-bench-'));
  const outfile = path.join(folder, 'sources.mjs');
  await build({
    stdin: {
      contents: `export { EngineClient } from './src/session/client/engineClient.ts';
        export { nodeWorker } from './src/session/client/nodeWorker.ts';
        export { unpackGroups } from './src/scan/io/packedGroups.ts';
        export { defaultOptions } from './src/core/engine/options.ts';
        export { defaultSourceOptions } from './src/scan/io/sources.ts';`,
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
