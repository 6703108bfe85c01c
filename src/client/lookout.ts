/**
 * When to look for changes on disk that nobody tells of. Watchers lose some, VS Code's too: on Linux all that happens in folders
 * that were made together with the one they lie in, as `mkdir -p` and Git make them (microsoft/vscode#142694), and whatever
 * is more than its buffers take. Where one change is heard of there may be others, so it is looked a little later; and every
 * now and then, since a folder that is not watched is never heard of.
 */

/** After a change that was heard of, once no other was for this long: then the findings follow it already. */
const quietMs = 2_000;
/** Between two looks, when nothing is heard. */
const everyMs = 15_000;
/** Between two looks in any case, as a multiple of what one takes: so all of them take a hundredth of the time at most. */
const restFactor = 100;

export class Lookout {
  readonly #look: () => Promise<number>;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #isDisposed = false;
  /** There is none before this time, in milliseconds. */
  #restUntil = 0;

  /** @param look  looks, and returns how long it took, in milliseconds; never rejects */
  constructor(look: () => Promise<number>) {
    this.#look = look;
    this.#lookIn(everyMs);
  }

  /** Something has changed. */
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
