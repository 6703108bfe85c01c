/** Errors that are due to a limit of the system or of its user, such as those that `ulimit` sets. */

/** Resource that the system refuses. */
export type SystemLimit = 'memory' | 'openFiles' | 'processes';

/** Returns the limit that caused an error; `undefined` if none did. */
export function systemLimitOf(error: unknown): SystemLimit | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, message } = error as NodeJS.ErrnoException;
  // When a thread cannot be started, only the message names the cause.
  const cause = code === 'ERR_WORKER_INIT_FAILED' ? (/E[A-Z]+$/.exec(message)?.[0] ?? 'ENOMEM') : code;
  switch (cause) {
    case 'EMFILE':
    case 'ENFILE':
      return 'openFiles';
    case 'EAGAIN':
      return 'processes';
    case 'ENOMEM':
    case 'ERR_WORKER_OUT_OF_MEMORY':
    case 'ERR_MEMORY_ALLOCATION_FAILED':
      return 'memory';
    case undefined:
    default:
      return error instanceof RangeError && refusedMemory.test(message) ? 'memory' : undefined;
  }
}

/** Messages of V8, which have no code. */
const refusedMemory = /^WebAssembly\.|^Array buffer allocation failed/;
