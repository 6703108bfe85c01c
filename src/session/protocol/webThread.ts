/** Adapts a browser's worker to the interface of Node's `Worker`, as far as clients use it. */

/** A browser's worker, or the global scope inside of it. This layer is compiled without the types of the DOM. */
export interface WebWorker {
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onerror: ((event: { readonly message?: string; preventDefault(): void }) => void) | null;
  postMessage(message: unknown, transfer?: readonly unknown[]): void;
  terminate(): void;
}

/** Event listeners. As in Node, an error that ends the worker is followed by `exit`. */
interface Events {
  message: (message: never) => void;
  error: (error: Error) => void;
  exit: (code: number) => void;
}

/** Exit code after an error and after `terminate`, as in Node. */
const failed = 1;

export class WebThread {
  readonly #listeners: { readonly [Name in keyof Events]: Events[Name][] } = { message: [], error: [], exit: [] };
  readonly #worker: Promise<WebWorker | undefined>;
  #hasEnded = false;

  /** @param start  starts the worker, sends its first message, and returns it */
  constructor(start: () => Promise<WebWorker>) {
    this.#worker = start().then(
      (worker) => this.#listen(worker),
      (error: unknown) => void this.#fail(error instanceof Error ? error : new Error(String(error))),
    );
  }

  postMessage(message: unknown): void {
    void this.#worker.then((worker) => worker?.postMessage(message));
  }

  on<Name extends keyof Events>(event: Name, listener: Events[Name]): void {
    this.#listeners[event].push(listener);
  }

  async terminate(): Promise<void> {
    (await this.#worker)?.terminate();
    this.#end();
  }

  #listen(worker: WebWorker): WebWorker {
    worker.onmessage = ({ data }) => {
      for (const listener of this.#listeners.message) listener(data as never);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      worker.terminate();
      this.#fail(new Error(event.message ?? 'A worker ended.'));
    };
    return worker;
  }

  #fail(error: Error): void {
    for (const listener of this.#listeners.error) listener(error);
    this.#end();
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    for (const listener of this.#listeners.exit) listener(failed);
  }
}
