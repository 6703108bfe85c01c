/**
 * Schedules polls of the disk for changes that file watchers do not report. Watchers, including VS Code's, lose events.
 * On Linux, they miss folders that are created together with their parent, as by `mkdir -p` and Git
 * (microsoft/vscode#142694). They also drop events when their buffers are full. Missed changes often occur together
 * with reported ones, so the disk is polled shortly after a reported change. It is also polled at regular intervals,
 * because some folders are not watched.
 */
import type { Clock } from './clock.ts';

/**
 * Delay in milliseconds between the last reported change and the poll. The update for the reported change has begun by
 * then.
 */
const quietMs = 2_000;
/** Interval in milliseconds between polls if no changes are reported. */
const everyMs = 15_000;
/**
 * Minimum pause between two polls, as a multiple of the duration of a poll. So polling takes at most one percent of the
 * time.
 */
const restFactor = 100;

export class Lookout {
  readonly #look: () => Promise<number>;
  readonly #clock: Clock;
  #cancelTimer: () => void = () => undefined;
  #isLooking = false;
  #isDisposed = false;
  /** Earliest time of the next poll, in milliseconds. */
  #restUntil = 0;

  /** @param look  polls the disk, and returns the duration in milliseconds. Must not reject */
  constructor(look: () => Promise<number>, clock: Clock) {
    this.#look = look;
    this.#clock = clock;
    this.#lookIn(everyMs);
  }

  /** Schedules a poll after a reported change. */
  heard(): void {
    if (!this.#isLooking) this.#lookIn(quietMs);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#cancelTimer();
  }

  #lookIn(waitMs: number): void {
    this.#cancelTimer();
    if (this.#isDisposed) return;
    const restMs = this.#restUntil - this.#clock.now();
    this.#cancelTimer = this.#clock.after(Math.max(waitMs, restMs), () => void this.#lookNow());
  }

  async #lookNow(): Promise<void> {
    this.#isLooking = true;
    const elapsedMs = await this.#look();
    this.#isLooking = false;
    this.#restUntil = this.#clock.now() + restFactor * elapsedMs;
    this.#lookIn(everyMs);
  }
}
