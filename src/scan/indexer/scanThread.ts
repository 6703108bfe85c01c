/** The interface to a scan thread, which runs src/scan/indexer/scanThreadMain.ts, for the thread that starts it. */
import type { KernelMemory } from '../../core/engine/kernel.ts';
import type { PlanSearch } from '../../core/engine/matches/matchPlan.ts';
import type { AllSeeds } from '../../core/engine/seeds/seeds.ts';
import type { SourceReader } from '../io/sourceReader.ts';
import type { IndexingResult, IndexingTask } from './indexFiles.ts';
import type { MatchingTask } from './matchSlices.ts';

/** Methods of a scan thread. */
export interface ScanMethods {
  index(task: IndexingTask): Promise<IndexingResult>;
  /** Searches for seeds. Returns `undefined` if memory is insufficient. Keeps only the memory of the seeds. */
  search(search: PlanSearch): Promise<AllSeeds | undefined>;
  match(task: MatchingTask): Promise<Uint32Array>;
}

/** Call of a method. The thread answers with a single message, which is the result. */
export interface ScanThreadJob {
  readonly type: keyof ScanMethods;
  readonly param: unknown;
}

/** The methods of Node's `Worker` that are used here. Browsers need another implementation. */
export interface Thread {
  postMessage(job: ScanThreadJob): void;
  on(event: 'message', listener: (answer: unknown) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'exit', listener: (code: number) => void): unknown;
  terminate(): Promise<unknown>;
}

/** Parts of a scan that Node and browsers implement differently. */
export interface ScanSystem {
  readonly reader: SourceReader;
  /** Function that starts threads on a kernel memory. `undefined` if threads cannot share memory. */
  readonly threads: (() => Promise<(memory: KernelMemory) => Thread>) | undefined;
}

/** Key of the user's translations in the environment data of threads. Not set for English. */
export const translationsKey = 'translations';

interface PendingCall {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (reason: Error) => void;
}

export async function startScanThreads(
  count: number,
  { threads }: ScanSystem,
  memory: KernelMemory,
): Promise<ScanThread[]> {
  if (count === 0 || threads === undefined) return [];
  const start = await threads();
  return Array.from({ length: count }, () => new ScanThread(start(memory)));
}

/** A thread that shares kernel memory with the current thread. It runs one job at a time. */
export class ScanThread {
  readonly #thread: Thread;
  #pending: PendingCall | undefined;
  /** Reason why the thread has ended, or `undefined` while it runs. */
  #ended: Error | undefined;

  constructor(thread: Thread) {
    this.#thread = thread;
    this.#thread.on('message', (answer) => this.#settle()?.resolve(answer));
    this.#thread.on('error', (error) => this.#fail(error));
    this.#thread.on('exit', (code) => this.#fail(new Error(`A thread of the scan ended with code ${code}.`)));
  }

  /** Calls a method. Rejects if the thread has ended, or ends before it answers. */
  call<Name extends keyof ScanMethods>(
    type: Name,
    param: Parameters<ScanMethods[Name]>[0],
  ): Promise<Awaited<ReturnType<ScanMethods[Name]>>> {
    if (this.#ended) return Promise.reject(this.#ended);
    return new Promise((resolve, reject) => {
      this.#pending = { resolve: resolve as PendingCall['resolve'], reject };
      this.#thread.postMessage({ type, param });
    });
  }

  /** Terminates the thread; a running job gets no answer. Resolves when the thread has released its resources. */
  end(): Promise<unknown> {
    this.#settle();
    this.#fail(new Error('The scan thread was ended.'));
    return this.#thread.terminate();
  }

  /** Records why the thread has ended. Keeps the first reason, because an error is followed by an exit. */
  #fail(reason: Error): void {
    this.#ended ??= reason;
    this.#settle()?.reject(this.#ended);
  }

  /** Removes and returns the pending job. */
  #settle(): PendingCall | undefined {
    const pending = this.#pending;
    this.#pending = undefined;
    return pending;
  }
}
