/**
 * Long work in steps: a generator that yields so often that whoever runs it can give others their turn, or stop, within some
 * milliseconds. The engine has no clock, so it counts what it does.
 */

/** What steps lead to, all at once. */
export function lastOf<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The rest of steps that outlive whoever runs them: ended early by `return`, these are left where they are, for others to go on with. */
export function* restOf<Result>(steps: Generator<void, Result>): Generator<void, Result> {
  for (;;) {
    // Not `yield*`, which would end these steps too.
    const step = steps.next();
    if (step.done === true) return step.value;
    yield;
  }
}

/** Units of work in a step: a unit is about a microsecond's, on a machine of 2020. */
const unitsOfStep = 4_000;

/** How much work has been done since the last step ended. */
export class Pace {
  #left = unitsOfStep;

  /** Counts work of someone who cannot yield. */
  count(units: number): void {
    this.#left -= units;
  }

  /** Counts work, and returns whether it is time to yield: then the next step begins. */
  isDue(units: number): boolean {
    this.count(units);
    if (this.#left > 0) return false;
    this.#left = unitsOfStep;
    return true;
  }
}
