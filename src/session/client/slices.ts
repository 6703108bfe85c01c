/** Divides long work on the extension host's thread into slices, so that other work can run in between. */
import { nextTurn } from '../../core/collections/threads.ts';

/** Duration of a slice in milliseconds, which is well below the duration of a frame. */
export const sliceMs = 5;

/** A clock in milliseconds, and a function that lets other work run. */
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

  /** True if the slice is used up, and `next` should be called. */
  get isUsedUp(): boolean {
    return this.#turns.now() >= this.#endsAt;
  }

  /** Lets other work run, and then begins a new slice. */
  async next(): Promise<void> {
    await this.#turns.pass();
    this.#endsAt = this.#turns.now() + sliceMs;
  }
}
