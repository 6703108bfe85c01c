/** Long work on the extension host's thread, in slices between which everything else gets its turn. */
import { setImmediate } from 'node:timers/promises';

/** How long a slice is: well under a frame. */
const sliceMs = 5;

export class Slices {
  #endsAt = performance.now() + sliceMs;

  /** Whether it is time for `next`. */
  get isUsedUp(): boolean {
    return performance.now() >= this.#endsAt;
  }

  /** Waits until everything else had its turn, and begins a new slice. */
  async next(): Promise<void> {
    await setImmediate();
    this.#endsAt = performance.now() + sliceMs;
  }
}
