/** The side of a lane that starts it: src/indexer/lane.ts is the script of its thread. */
import { Worker } from 'node:worker_threads';
import type { LaneResult, LaneTask } from './indexFiles.ts';
import type { MatchingTask } from './matchSlices.ts';

/** A thread beside this one: it indexes files as soon as it is made, then matches. */
export class Lane {
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
