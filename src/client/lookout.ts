/**
 * Schedules polls of the disk for changes that watchers do not report. Watchers, including VS Code's, lose events: on
 * Linux, everything in folders that are created together with their parent, as by `mkdir -p` and Git
 * (microsoft/vscode#142694), and everything that exceeds their buffers. A reported change may be accompanied by others,
 * so the disk is polled shortly after it; and also periodically, because unwatched folders never report anything.
 */

/** Delay of a poll after the last reported change. The findings are then already being updated. */
const quietMs = 2_000;
/** Interval of polls without reported changes. */
const everyMs = 15_000;
/** Minimum interval of polls as a multiple of their duration, so that they take at most one percent of the time. */
const restFactor = 100;

export class Lookout {
  readonly #look: () => Promise<number>;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #isDisposed = false;
  /** No poll starts before this time, in milliseconds. */
  #restUntil = 0;

  /** @param look  polls the disk and returns the duration in milliseconds; never rejects */
  constructor(look: () => Promise<number>) {
    this.#look = look;
    this.#lookIn(everyMs);
  }

  /** Records a reported change. */
  heard(): void {
    if (!this.#isLooking) this.#lookIn(quietMs);
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
  }

  #lookIn(waitMs: number): void {
    clearTimeout(this.#timer);
    if (this.#isDisposed) return;
    this.#timer = setTimeout(() => void this.#lookNow(), Math.max(waitMs, this.#restUntil - Date.now()));
  }

  async #lookNow(): Promise<void> {
    this.#isLooking = true;
    const elapsedMs = await this.#look();
    this.#isLooking = false;
    this.#restUntil = Date.now() + restFactor * elapsedMs;
    this.#lookIn(everyMs);
  }
}
