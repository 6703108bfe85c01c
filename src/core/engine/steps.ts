/**
 * Runs long work in steps: generators that yield every few milliseconds, so that the caller can do other work or stop.
 * The engine has no clock, so it measures steps in units of work.
 */

/** Runs steps to completion and returns their result. */
export function lastOf<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/**
 * Runs the remaining steps of a generator. If the caller ends this early with `return`, the generator keeps its state
 * and can be resumed.
 */
export function* restOf<Result>(steps: Generator<void, Result>): Generator<void, Result> {
  for (;;) {
    // `yield*` would also end the inner generator, so call `next` instead.
    const step = steps.next();
    if (step.done === true) return step.value;
    yield;
  }
}

/** Number of units of work in a step. A unit takes about a microsecond on a machine from 2020. */
const unitsOfStep = 4_000;

/** Counts the work since the last step ended. */
export class Pace {
  #left = unitsOfStep;

  /** Adds work in code that cannot yield. */
  count(units: number): void {
    this.#left -= units;
  }

  /** Adds work. Returns true if the step should end now, and then begins the next step. */
  isDue(units: number): boolean {
    this.count(units);
    if (this.#left > 0) return false;
    this.#left = unitsOfStep;
    return true;
  }
}
