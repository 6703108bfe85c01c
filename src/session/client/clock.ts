/** Time and timers, which tests replace. */

export interface Clock {
  /** Time in milliseconds. */
  now(): number;
  /** Runs an action later, unless the returned function is called before. */
  after(ms: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
