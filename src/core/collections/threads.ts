/** Hides differences between Node and browsers: how to yield to the event loop, and to share memory between threads. */

/** Globals that Node and browsers have in common. This layer is compiled without the types of either platform. */
interface Platform {
  readonly setImmediate?: (callback: () => void) => unknown;
  /** `undefined` in Node. If false, the page may have shared memory, but cannot send it to workers. */
  readonly crossOriginIsolated?: boolean;
  readonly MessageChannel?: new () => { readonly port1: MessageEnd; readonly port2: MessageEnd };
}

interface MessageEnd {
  onmessage: (() => void) | null;
  postMessage(message: undefined): void;
}

/** Yields to the event loop. The promise resolves after pending messages and timers have been handled. */
export const nextTurn: () => Promise<void> = turnsOf(globalThis as Platform);

function turnsOf({ setImmediate, MessageChannel }: Platform): () => Promise<void> {
  if (setImmediate) return () => new Promise((resolve) => void setImmediate(resolve));
  // Use messages instead of timers, because browsers delay nested timers by 4 ms.
  const { port1, port2 } = new MessageChannel!();
  const waiting: (() => void)[] = [];
  port1.onmessage = () => waiting.shift()!();
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      port2.postMessage(undefined);
    });
}

/** True if threads can share memory. In a browser, the page must be cross-origin isolated. */
export const canShare =
  typeof SharedArrayBuffer === 'function' && (globalThis as Platform).crossOriginIsolated !== false;

/** Returns zeroed memory. Threads share it if the platform permits that; otherwise, sending it copies it. */
export function sharedBytes(length: number): ArrayBuffer | SharedArrayBuffer {
  return canShare ? new SharedArrayBuffer(length) : new ArrayBuffer(length);
}
