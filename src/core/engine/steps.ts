/**
 * Runs long work in steps. Such work is a generator that yields every few milliseconds, so that the caller can do other
 * work or stop. The engine has no clock, so it counts units of work instead.
 */

/** Runs a generator to completion and returns its result. */
export function lastOf<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Runs the rest of a generator. If the caller ends this one with `return`, the inner one can be resumed. */
export function* restOf<Result>(steps: Generator<void, Result>): Generator<void, Result> {
  for (;;) {
    // `yield*` would also end the inner generator, so call `next` instead.
    const step = steps.next();
    if (step.done === true) return step.value;
    yield;
  }
}

/** Calls back for consecutive ranges [from, to) of a list, `size` items in each step. */
export function* slices(count: number, size: number, act: (from: number, to: number) => void): Generator<void, void> {
  for (let from = 0; from < count; from += size) {
    act(from, Math.min(count, from + size));
    yield;
  }
}

/** Number of units of work in a step. A unit takes about a microsecond on a machine from 2020. */
const unitsOfStep = 4_000;

/** Counts the work since the last step ended. */
export class Pace {
  #left = unitsOfStep;

  /** Counts work that was done without yielding. */
  count(units: number): void {
    this.#left -= units;
  }

  /** Counts work. Returns true if the current step should end, and begins the next one. */
  endsStep(units: number): boolean {
    this.count(units);
    if (this.#left > 0) return false;
    this.#left = unitsOfStep;
    return true;
  }
}
