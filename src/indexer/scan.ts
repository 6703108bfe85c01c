/**
 * Scans files: reads and indexes them on all lanes, and matches. The command line and the editor's worker both call this.
 */
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Corpus } from '../engine/corpus.ts';
import { createMemory, Kernel } from '../engine/kernel.ts';
import type { Options } from '../engine/options.ts';
import type { Findings } from '../engine/report.ts';
import { type ReadLimits, readSource } from '../io/readSource.ts';
import type { Listing, SourceFile, SourceOptions } from '../io/sources.ts';
import { indexFiles, type LaneResult, type LaneTask } from './indexFiles.ts';

export interface ScanRequest {
  readonly listing: Listing;
  readonly options: Options;
  readonly sources: SourceOptions;
  /** Threads that read and index, this one included; at least 1. */
  readonly workers: number;
  /** The script of a lane's thread: dist/lane.js. */
  readonly lane: URL;
}

export interface ScanProgress {
  readonly phase: 'reading' | 'matching';
  readonly done: number;
  readonly total: number;
}

/** What a running scan tells and asks. `cancelled` is looked at between files and in long loops. */
export interface ScanMonitor {
  readonly onProgress: (progress: ScanProgress) => void;
  readonly cancelled: () => boolean;
}

/** Fewer files than this are read faster by one thread than it takes to start another. */
const filesWorthThread = 300;

export async function scan(request: ScanRequest, monitor: ScanMonitor): Promise<Findings> {
  const { options, sources, workers, lane } = request;
  const { files } = request.listing;
  const memory = createMemory();
  const kernel = new Kernel(memory);
  const corpus = new Corpus(kernel, options);
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const task: LaneTask = { memory, options, sources, files, shared };
  const threads = Math.min(workers, 1 + Math.floor(files.length / filesWorthThread)) - 1;
  const others = Array.from({ length: threads }, () => runLane(lane, task));
  const own = indexFiles(task, async () => {
    monitor.onProgress({
      phase: 'reading',
      done: Math.min(Atomics.load(shared, 0), files.length),
      total: files.length,
    });
    await setImmediate();
    if (monitor.cancelled()) Atomics.store(shared, 1, 1);
  });
  const results = await Promise.all([own, ...others]);
  const skipped = [...request.listing.skipped, ...results.flatMap((r) => r.skipped)];
  skipped.sort((x, y) => (x.path < y.path ? -1 : x.path > y.path ? 1 : 0));
  for (const { indexed } of results) for (const [place, index] of indexed) corpus.adopt(files[place]!.path, index);
  monitor.onProgress({ phase: 'matching', done: 0, total: 1 });
  await setImmediate();
  const fileOf = new Map(files.map((f) => [f.path, f]));
  return corpus.report({ skipped, complete: !monitor.cancelled(), textOf: (path) => readAgain(fileOf.get(path)) });
}

function runLane(script: URL, task: LaneTask): Promise<LaneResult> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(script, { workerData: task });
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', (code) => reject(new Error(`A thread that reads files ended with code ${code}.`)));
  });
}

/** The text of a source as it was indexed: decoded the same way. Undefined when the file is gone. */
function readAgain(file: SourceFile | undefined): Uint8Array | undefined {
  if (file === undefined) return undefined;
  const source = readSource(file, readAsBefore, (size) => new Uint8Array(size));
  return 'bytes' in source ? source.bytes : undefined;
}

/** What was let through once is let through again. */
const readAsBefore: ReadLimits = { maxFileSizeBytes: 2 ** 30, generated: true };
