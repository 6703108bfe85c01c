/** Event listeners without VS Code's own emitter, which is available only in the extension. */

/** Removes the listener when disposed. */
export interface Subscription {
  dispose(): void;
}

export class Listeners<Event> {
  readonly #listeners = new Set<(event: Event) => void>();

  /** Calls a listener for each event until the subscription is disposed. */
  readonly add = (listener: (event: Event) => void): Subscription => {
    const own = (event: Event): void => listener(event);
    this.#listeners.add(own);
    return { dispose: () => this.#listeners.delete(own) };
  };

  tell(event: Event): void {
    for (const listener of [...this.#listeners]) listener(event);
  }

  /** Removes all listeners. */
  clear(): void {
    this.#listeners.clear();
  }
}
