/** Time and timers. Tests use their own. */

export interface Clock {
  now(): number;
  /** Runs an action after some time, unless the returned function is called before then. */
  after(ms: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
