/**
 * Schedules polls of the disk for changes that watchers do not report. Watchers, including VS Code's, lose events: on
 * Linux, everything in folders that are created together with their parent, as by `mkdir -p` and Git
 * (microsoft/vscode#142694), and everything that exceeds their buffers. A reported change may be accompanied by others,
 * so the disk is polled shortly after it; and also periodically, because unwatched folders never report anything.
 */
import type { Clock } from './clock.ts';

/** Delay of a poll after the last reported change. The findings are then already being updated. */
const quietMs = 2_000;
/** Interval of polls without reported changes. */
const everyMs = 15_000;
/** Minimum interval of polls as a multiple of their duration, so that they take at most one percent of the time. */
const restFactor = 100;

export class Lookout {
  readonly #look: () => Promise<number>;
  readonly #clock: Clock;
  #cancelTimer: () => void = () => undefined;
  #isLooking = false;
  #isDisposed = false;
  /** No poll starts before this time, in milliseconds. */
  #restUntil = 0;

  /** @param look  polls the disk and returns the duration in milliseconds; never rejects */
  constructor(look: () => Promise<number>, clock: Clock) {
    this.#look = look;
    this.#clock = clock;
    this.#lookIn(everyMs);
  }

  /** Records a reported change. */
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
