/** Who is told when something has happened, without VS Code's own emitter, which only the extension has. */

/** Ends what it was returned for. */
export interface Subscription {
  dispose(): void;
}

export class Listeners<Event> {
  readonly #listeners = new Set<(event: Event) => void>();

  /** Tells a listener of each event, until what is returned is disposed of. */
  readonly add = (listener: (event: Event) => void): Subscription => {
    const own = (event: Event): void => listener(event);
    this.#listeners.add(own);
    return { dispose: () => this.#listeners.delete(own) };
  };

  tell(event: Event): void {
    for (const listener of [...this.#listeners]) listener(event);
  }

  /** Nobody is told any more. */
  clear(): void {
    this.#listeners.clear();
  }
}
