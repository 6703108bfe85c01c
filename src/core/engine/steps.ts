/**
 * Long work in steps: a generator that yields every few milliseconds, so that its caller can run other work or stop.
 * The engine has no clock, so it counts units of work.
 */

/** Runs steps to completion and returns their result. */
export function lastOf<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/**
 * Runs the remaining steps of a generator that is to continue later. If ended early by `return`, keeps their state, so
 * that another call can resume them.
 */
export function* restOf<Result>(steps: Generator<void, Result>): Generator<void, Result> {
  for (;;) {
    // Not `yield*`, which would also end these steps.
    const step = steps.next();
    if (step.done === true) return step.value;
    yield;
  }
}

/** Units of work in a step. A unit takes about a microsecond on a machine from 2020. */
const unitsOfStep = 4_000;

/** Counts the work done since the last step ended. */
export class Pace {
  #left = unitsOfStep;

  /** Counts work in code that cannot yield. */
  count(units: number): void {
    this.#left -= units;
  }

  /** Counts work. Returns true if it is time to yield; the next step then begins. */
  isDue(units: number): boolean {
    this.count(units);
    if (this.#left > 0) return false;
    this.#left = unitsOfStep;
    return true;
  }
}
