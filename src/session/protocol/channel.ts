/**
 * Sends messages between two threads: calls, which are answered, and notifications, which are not. Both ends use this
 * class. The methods of each end are described by an interface of functions, whose parameters and results are copied
 * between the threads.
 */

/** One end of a connection: a `Worker` or a `MessagePort`. */
export interface Port {
  postMessage(message: Message): void;
  on(event: 'message', listener: (message: Message) => void): unknown;
}

export type Message =
  | { readonly type: 'call'; readonly id: number; readonly name: PropertyKey; readonly params: readonly unknown[] }
  | { readonly type: 'notify'; readonly name: PropertyKey; readonly params: readonly unknown[] }
  /** Cancels a call. The call must still be answered. */
  | { readonly type: 'cancel'; readonly id: number }
  | { readonly type: 'returned'; readonly id: number; readonly result: unknown }
  | { readonly type: 'threw'; readonly id: number; readonly message: string };

export type Params<Method> = Method extends (...params: infer Params extends unknown[]) => unknown ? Params : never;
export type Result<Method> = Method extends (...params: never[]) => infer Result ? Awaited<Result> : never;

/** Implementations of the methods of one end. `signal` is aborted if the caller cancels the call. */
export type Handlers<Methods> = {
  readonly [Name in keyof Methods]: (
    ...params: [...Params<Methods[Name]>, signal: AbortSignal]
  ) => Result<Methods[Name]> | Promise<Result<Methods[Name]>>;
};

/** Rejection of a call that will never be answered because the other end has ended. */
export class ChannelEndedError extends Error {}

interface PendingAnswer {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class Channel<Own, Other> {
  readonly #port: Port;
  readonly #waiting = new Map<number, PendingAnswer>();
  /** Abort controllers of the calls that this end is answering, by id. */
  readonly #controllers = new Map<number, AbortController>();
  #lastId = 0;

  constructor(port: Port) {
    this.#port = port;
  }

  /** Starts handling messages of the other end, including its answers. */
  serve(handlers: Handlers<Own>): void {
    const methods = handlers as Readonly<Record<PropertyKey, (...params: readonly unknown[]) => unknown>>;
    this.#port.on('message', (message) => {
      switch (message.type) {
        case 'call': {
          const controller = new AbortController();
          this.#controllers.set(message.id, controller);
          void this.#answer(message.id, () => methods[message.name]!(...message.params, controller.signal));
          return;
        }
        case 'notify':
          methods[message.name]!(...message.params);
          return;
        case 'cancel':
          this.#controllers.get(message.id)?.abort();
          return;
        case 'returned':
          this.#take(message.id)?.resolve(message.result);
          return;
        case 'threw':
          this.#take(message.id)?.reject(new Error(message.message));
      }
    });
  }

  /**
   * Calls a method of the other end.
   *
   * @throws ChannelEndedError if there is no answer
   * @throws Error with the message of the error that the method throws
   */
  call<Name extends keyof Other>(name: Name, ...params: Params<Other[Name]>): Promise<Result<Other[Name]>> {
    return this.callUntil(undefined, name, ...params);
  }

  /** @param signal  cancels the call */
  callUntil<Name extends keyof Other>(
    signal: AbortSignal | undefined,
    name: Name,
    ...params: Params<Other[Name]>
  ): Promise<Result<Other[Name]>> {
    const id = ++this.#lastId;
    const answer = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.#port.postMessage({ type: 'call', id, name, params });
    const cancel = (): void => this.#port.postMessage({ type: 'cancel', id });
    if (signal?.aborted === true) cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    return answer as Promise<Result<Other[Name]>>;
  }

  notify<Name extends keyof Other>(name: Name, ...params: Params<Other[Name]>): void {
    this.#port.postMessage({ type: 'notify', name, params });
  }

  /** Rejects all calls that have no answer yet, because the other end has ended. */
  end(message: string): void {
    for (const { reject } of this.#waiting.values()) reject(new ChannelEndedError(message));
    this.#waiting.clear();
  }

  /** Runs a method and sends its result, or its error, as the answer. */
  async #answer(id: number, run: () => unknown): Promise<void> {
    try {
      this.#port.postMessage({ type: 'returned', id, result: await run() });
    } catch (error) {
      this.#port.postMessage({ type: 'threw', id, message: error instanceof Error ? error.message : String(error) });
    }
    this.#controllers.delete(id);
  }

  #take(id: number): PendingAnswer | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }
}
