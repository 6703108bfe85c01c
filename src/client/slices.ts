/** Long work on the extension host's thread, in slices between which everything else gets its turn. */
import { setImmediate } from 'node:timers/promises';

/** How long a slice is: well under a frame. */
export const sliceMs = 5;

/** What tells the time, in milliseconds, and what waits until everything else had its turn. */
export interface Turns {
  now(): number;
  pass(): Promise<void>;
}

const ofEventLoop: Turns = { now: () => performance.now(), pass: () => setImmediate() };

export class Slices {
  readonly #turns: Turns;
  #endsAt: number;

  constructor(turns: Turns = ofEventLoop) {
    this.#turns = turns;
    this.#endsAt = turns.now() + sliceMs;
  }

  /** Whether it is time for `next`. */
  get isUsedUp(): boolean {
    return this.#turns.now() >= this.#endsAt;
  }

  /** Waits until everything else had its turn, and begins a new slice. */
  async next(): Promise<void> {
    await this.#turns.pass();
    this.#endsAt = this.#turns.now() + sliceMs;
  }
}
