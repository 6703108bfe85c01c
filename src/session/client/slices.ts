/** Long work on the extension host's thread, in slices that let other work run in between. */
import { nextTurn } from '../../core/collections/threads.ts';

/** Duration of a slice: well under a frame. */
export const sliceMs = 5;

/** A clock in milliseconds, and a wait that lets all other work run. */
export interface Turns {
  now(): number;
  pass(): Promise<void>;
}

const ofEventLoop: Turns = { now: () => performance.now(), pass: nextTurn };

export class Slices {
  readonly #turns: Turns;
  #endsAt: number;

  constructor(turns: Turns = ofEventLoop) {
    this.#turns = turns;
    this.#endsAt = turns.now() + sliceMs;
  }

  /** True if it is time for `next`. */
  get isUsedUp(): boolean {
    return this.#turns.now() >= this.#endsAt;
  }

  /** Lets all other work run, and begins a new slice. */
  async next(): Promise<void> {
    await this.#turns.pass();
    this.#endsAt = this.#turns.now() + sliceMs;
  }
}
