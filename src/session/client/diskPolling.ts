/**
 * Schedules polls of the disk for changes that file watchers do not report. Watchers, including VS Code's, lose events.
 * On Linux, they miss folders that are created together with their parent, as by `mkdir -p` and Git
 * (microsoft/vscode#142694). They also drop events when their buffers are full. Missed changes often occur together
 * with reported ones, so the disk is polled shortly after a reported change. It is also polled at regular intervals,
 * because some folders are not watched.
 */
import type { Clock } from './clock.ts';

/** Milliseconds between the last reported change, whose update has begun by then, and the poll. */
const quietMs = 2_000;
/** Interval in milliseconds between polls if no changes are reported. */
const everyMs = 15_000;
/** Minimum pause between polls, as a multiple of their duration, so that polling takes at most 1% of the time. */
const restFactor = 100;

export class DiskPolling {
  readonly #poll: () => Promise<number>;
  readonly #clock: Clock;
  #cancelTimer: () => void = () => undefined;
  #isPolling = false;
  #isDisposed = false;
  /** Earliest time of the next poll, in milliseconds. */
  #pauseUntil = 0;

  /** @param poll  polls the disk, and returns the duration in milliseconds. Must not reject */
  constructor(poll: () => Promise<number>, clock: Clock) {
    this.#poll = poll;
    this.#clock = clock;
    this.#scheduleIn(everyMs);
  }

  /** Schedules a poll after a reported change. */
  changeReported(): void {
    if (!this.#isPolling) this.#scheduleIn(quietMs);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#cancelTimer();
  }

  #scheduleIn(waitMs: number): void {
    this.#cancelTimer();
    if (this.#isDisposed) return;
    const restMs = this.#pauseUntil - this.#clock.now();
    this.#cancelTimer = this.#clock.after(Math.max(waitMs, restMs), () => void this.#pollNow());
  }

  async #pollNow(): Promise<void> {
    this.#isPolling = true;
    const elapsedMs = await this.#poll();
    this.#isPolling = false;
    this.#pauseUntil = this.#clock.now() + restFactor * elapsedMs;
    this.#scheduleIn(everyMs);
  }
}
