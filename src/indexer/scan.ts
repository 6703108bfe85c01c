/**
 * Scans files: reads and indexes them on all lanes, and matches. The command line and the editor's worker both call this.
 */
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Corpus } from '../engine/corpus.ts';
import { DocumentIndexer } from '../engine/indexDocument.ts';
import { createMemory, Kernel } from '../engine/kernel.ts';
import { lexiconForPath } from '../engine/lexicon.ts';
import { joinRecords, sliceSeeds } from '../engine/matches.ts';
import type { Options } from '../engine/options.ts';
import type { Findings, Skipped } from '../engine/report.ts';
import { judgeText } from '../io/readSource.ts';
import type { Listing, SourceOptions } from '../io/sources.ts';
import { indexFiles, type LaneResult, type LaneTask } from './indexFiles.ts';
import { type MatchingTask, matchSlices } from './matchSlices.ts';
import { endStage } from './stages.ts';

/** A text that does not come from a file: UTF-8 without byte order mark. */
export interface Text {
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface ScanRequest {
  /** The files to read. */
  readonly listing: Listing;
  /** What is compared besides; no file of the listing has the same path. */
  readonly texts: readonly Text[];
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
  const others = Array.from({ length: threads }, () => new Lane(lane, task));
  try {
    const results = await Promise.all([
      indexFiles(task, () => tell('reading', files.length)),
      ...others.map((l) => l.indexed),
    ]);
    for (const { indexed } of results) for (const [place, index] of indexed) corpus.adopt(files[place]!.path, index);
    const indexer = new DocumentIndexer(kernel, options);
    const besides = request.texts.flatMap((text) => indexText(text, corpus, indexer, request));
    endStage({ stage: 'read', bytes: kernel.usedBytes() });
    const plan = corpus.planMatching();
    endStage({ stage: 'seeded', bytes: kernel.usedBytes() });
    await tell('matching', 0);
    const slices = sliceSeeds(kernel, plan.task.seeds, seedsOfSlice);
    Atomics.store(shared, 0, 0);
    const matching = { task: plan.task, slices, options, shared };
    const records = await Promise.all([
      ...others.map((l) => l.match(matching)),
      matchSlices(kernel, matching, () => tell('matching', slices.length - 1)),
    ]);
    endStage({ stage: 'matched', bytes: kernel.usedBytes() });
    const skipped = [...request.listing.skipped, ...results.flatMap((r) => r.skipped), ...besides];
    skipped.sort((x, y) => (x.path < y.path ? -1 : x.path > y.path ? 1 : 0));
    const complete = Atomics.load(shared, 1) === 0 && !monitor.cancelled();
    const findings = corpus.finish(plan, joinRecords(records), { skipped, complete });
    endStage({ stage: 'grouped' });
    return findings;
  } finally {
    for (const other of others) other.end();
  }

  // Between files and slices: how far all lanes are, and whether they shall stop.
  async function tell(phase: ScanProgress['phase'], total: number): Promise<void> {
    monitor.onProgress({ phase, done: Math.min(Atomics.load(shared, 0), total), total });
    await setImmediate();
    if (monitor.cancelled()) Atomics.store(shared, 1, 1);
  }
}

/** Seeds that a lane matches at a time: some milliseconds' worth, so that cancelling is quick. */
const seedsOfSlice = 2_000;

/** A thread beside this one: it indexes files as soon as it is made, then matches. */
class Lane {
  readonly indexed: Promise<LaneResult>;
  readonly #thread: Worker;

  constructor(script: URL, task: LaneTask) {
    this.#thread = new Worker(script, { workerData: task });
    this.indexed = this.#answer() as Promise<LaneResult>;
  }

  match(matching: MatchingTask): Promise<Uint32Array> {
    const answer = this.#answer() as Promise<Uint32Array>;
    this.#thread.postMessage(matching);
    return answer;
  }

  end(): void {
    void this.#thread.terminate();
  }

  #answer(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const failed = (code: number): void => reject(new Error(`A thread of the scan ended with code ${code}.`));
      this.#thread.once('message', (answer: unknown) => {
        this.#thread.off('error', reject);
        this.#thread.off('exit', failed);
        resolve(answer);
      });
      this.#thread.once('error', reject);
      this.#thread.once('exit', failed);
    });
  }
}

/** Takes a text into the corpus as a lane does a file, or says why not. */
function indexText(text: Text, corpus: Corpus, indexer: DocumentIndexer, { options, sources }: ScanRequest): Skipped[] {
  const lexicon = lexiconForPath(text.path);
  if (lexicon.prose && !options.prose.enabled) return [{ path: text.path, reason: 'prose', setting: 'prose' }];
  const skipped = judgeText(text.path, text.bytes, sources);
  if (skipped) return [skipped];
  const bytes = indexer.reserve(text.bytes.length);
  bytes.set(text.bytes);
  corpus.adopt(text.path, indexer.index(bytes, lexicon));
  return [];
}
