/** The side of a lane that starts it: src/indexer/lane.ts is the script of its thread. */
import { Worker } from 'node:worker_threads';
import type { KernelMemory } from '../engine/kernel.ts';
import type { PlanSearch } from '../engine/matchPlan.ts';
import type { AllSeeds } from '../engine/seeds.ts';
import type { LaneResult, LaneTask } from './indexFiles.ts';
import type { MatchingTask } from './matchSlices.ts';

/** What a lane is told to do. It answers with one message: what the method of `Lane` returns. */
export type LaneJob =
  | { readonly type: 'index'; readonly task: LaneTask }
  | { readonly type: 'search'; readonly search: PlanSearch }
  | { readonly type: 'match'; readonly task: MatchingTask };

/**
 * What a lane may take for objects that are fresh, in MB. It makes few, since its work is in the kernel's memory; the
 * engine's own limit would let them lie for longer: 4 of 128 MB on 190,000 lines of Markdown, for the same time.
 */
const youngMB = 2;

/** A thread beside this one over the same kernel's memory. It does one thing at a time. */
export class Lane {
  readonly #thread: Worker;
  #isEnded = false;

  constructor(script: URL, memory: KernelMemory) {
    this.#thread = new Worker(script, { workerData: memory, resourceLimits: { maxYoungGenerationSizeMb: youngMB } });
  }

  index(task: LaneTask): Promise<LaneResult> {
    return this.#do({ type: 'index', task }) as Promise<LaneResult>;
  }

  /** Undefined when there is not memory enough. What it took beside the seeds is given back with them. */
  search(search: PlanSearch): Promise<AllSeeds | undefined> {
    return this.#do({ type: 'search', search }) as Promise<AllSeeds | undefined>;
  }

  match(task: MatchingTask): Promise<Uint32Array> {
    return this.#do({ type: 'match', task }) as Promise<Uint32Array>;
  }

  /** Ends the thread, whatever it is at; then it does not answer any more. */
  end(): void {
    this.#isEnded = true;
    void this.#thread.terminate();
  }

  #do(job: LaneJob): Promise<unknown> {
    const answer = new Promise((resolve, reject) => {
      const failed = (code: number): void => {
        if (!this.#isEnded) reject(new Error(`A thread of the scan ended with code ${code}.`));
      };
      this.#thread.once('message', (message: unknown) => {
        this.#thread.off('error', reject);
        this.#thread.off('exit', failed);
        resolve(message);
      });
      this.#thread.once('error', reject);
      this.#thread.once('exit', failed);
    });
    this.#thread.postMessage(job);
    return answer;
  }
}
