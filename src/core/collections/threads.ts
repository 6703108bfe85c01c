/** Threads in Node and in browsers: turns of their event loops, and memory that they share. */

/** Globals of Node and of browsers. This layer includes neither one's types. */
interface Platform {
  readonly setImmediate?: (callback: () => void) => unknown;
  readonly MessageChannel?: new () => { readonly port1: MessageEnd; readonly port2: MessageEnd };
}

interface MessageEnd {
  onmessage: (() => void) | null;
  postMessage(message: undefined): void;
}

/** Resolves in another turn of the event loop, after waiting messages and timers were handled. */
export const nextTurn: () => Promise<void> = turnsOf(globalThis as Platform);

function turnsOf({ setImmediate, MessageChannel }: Platform): () => Promise<void> {
  if (setImmediate) return () => new Promise((resolve) => void setImmediate(resolve));
  // Browsers delay nested timers by 4 ms, but not messages.
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
export const canShare = typeof SharedArrayBuffer === 'function';

/** Returns zeroed memory, which threads share if possible. Otherwise, messages copy it. */
export function sharedBytes(length: number): ArrayBuffer | SharedArrayBuffer {
  return canShare ? new SharedArrayBuffer(length) : new ArrayBuffer(length);
}
