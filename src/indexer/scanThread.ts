/** The side of a scan thread that starts it: src/indexer/scanThreadMain.ts is the script of its thread. */
import type { Worker } from 'node:worker_threads';
import type { KernelMemory } from '../engine/kernel.ts';
import type { PlanSearch } from '../engine/matches/matchPlan.ts';
import type { AllSeeds } from '../engine/seeds/seeds.ts';
import type { IndexingResult, IndexingTask } from './indexFiles.ts';
import type { MatchingTask } from './matchSlices.ts';

/** What a scan thread is told to do. It answers with one message: what the method of `ScanThread` returns. */
export type ScanThreadJob =
  | { readonly type: 'index'; readonly task: IndexingTask }
  | { readonly type: 'search'; readonly search: PlanSearch }
  | { readonly type: 'match'; readonly task: MatchingTask };

/**
 * What a scan thread may take for objects that are fresh, in MB. It makes few, since its work is in the kernel's memory; the
 * engine's own limit would let them lie for longer: 4 of 128 MB on 190,000 lines of Markdown, for the same time.
 */
const youngMB = 2;

/** The strings of the person's language, by the English ones, in the environment data of threads: none for English. */
export const translationsKey = 'translations';

/** Who waits for an answer. */
interface Pending {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (reason: Error) => void;
}

/**
 * Starts so many threads. Node's part that makes threads is loaded for the first of them: small trees are scanned by one
 * thread alone, and sooner without it.
 *
 * @param script  dist/scanThread.js
 */
export async function startScanThreads(count: number, script: URL, memory: KernelMemory): Promise<ScanThread[]> {
  if (count === 0) return [];
  const { Worker } = await import('node:worker_threads');
  const settings = { workerData: memory, resourceLimits: { maxYoungGenerationSizeMb: youngMB } };
  return Array.from({ length: count }, () => new ScanThread(new Worker(script, settings)));
}

/** A thread beside this one over the same kernel's memory. It does one thing at a time. */
export class ScanThread {
  readonly #thread: Worker;
  #pending: Pending | undefined;
  /** Why the thread does nothing any more. */
  #ended: Error | undefined;

  constructor(thread: Worker) {
    this.#thread = thread;
    this.#thread.on('message', (answer) => this.#settle()?.resolve(answer));
    this.#thread.on('error', (error) => this.#fail(error));
    this.#thread.on('exit', (code) => this.#fail(new Error(`A thread of the scan ended with code ${code}.`)));
  }

  /** Fails, as all that a scan thread is told, when its thread ends before it has answered, or has ended. */
  index(task: IndexingTask): Promise<IndexingResult> {
    return this.#do({ type: 'index', task }) as Promise<IndexingResult>;
  }

  /** Undefined when there is not memory enough. What it took beside the seeds is given back with them. */
  search(search: PlanSearch): Promise<AllSeeds | undefined> {
    return this.#do({ type: 'search', search }) as Promise<AllSeeds | undefined>;
  }

  match(task: MatchingTask): Promise<Uint32Array> {
    return this.#do({ type: 'match', task }) as Promise<Uint32Array>;
  }

  /** Ends the thread, whatever it is at: that is never answered. */
  end(): void {
    this.#settle();
    this.#fail(new Error('The scan thread was ended.'));
    void this.#thread.terminate();
  }

  #do(job: ScanThreadJob): Promise<unknown> {
    if (this.#ended) return Promise.reject(this.#ended);
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject };
      this.#thread.postMessage(job);
    });
  }

  /** Keeps the first reason: that a thread exits follows from its error. */
  #fail(reason: Error): void {
    this.#ended ??= reason;
    this.#settle()?.reject(this.#ended);
  }

  /** Nobody waits from now on; returns who did. */
  #settle(): Pending | undefined {
    const pending = this.#pending;
    this.#pending = undefined;
    return pending;
  }
}
