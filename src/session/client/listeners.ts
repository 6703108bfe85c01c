/** An event emitter for layers that must not use VS Code. */

/** Removes the listener when it is disposed. */
export interface Subscription {
  dispose(): void;
}

export class Listeners<Event> {
  readonly #listeners = new Set<(event: Event) => void>();

  /** Adds a listener. It is called for each event until its subscription is disposed. */
  readonly add = (listener: (event: Event) => void): Subscription => {
    const own = (event: Event): void => listener(event);
    this.#listeners.add(own);
    return { dispose: () => this.#listeners.delete(own) };
  };

  fire(event: Event): void {
    for (const listener of [...this.#listeners]) listener(event);
  }

  clear(): void {
    this.#listeners.clear();
  }
}
