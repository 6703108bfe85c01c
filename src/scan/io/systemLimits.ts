/** Recognizes errors that are due to a limit of the operating system or the user, such as a limit set with `ulimit`. */
import * as l10n from '@vscode/l10n';

/** Exhausted resource. */
export type SystemLimit = 'memory' | 'openFiles' | 'processes';

/** Returns the resource whose limit has caused an error, or `undefined` if the error has another cause. */
export function systemLimitOf(error: unknown): SystemLimit | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, message } = error as NodeJS.ErrnoException;
  // If a thread cannot be started, only the message states the cause.
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

/** Returns a sentence that names the limit and a remedy. Returns `undefined` if no limit has caused the error. */
export function remedyFor(error: unknown): string | undefined {
  switch (systemLimitOf(error)) {
    case 'memory':
      // The limit is so high because each of the two WebAssembly memories reserves about 10 GB of address space. Most
      // of it stays unused.
      return l10n.t(
        'there is not enough memory; close other programs, or raise the limit on the address space (ulimit -v) to 24 GB or more.',
      );
    case 'openFiles':
      return l10n.t('too many files are open; raise the limit, for example with ulimit -n 1024.');
    case 'processes':
      return l10n.t('the system cannot start another process or thread; raise the limit (ulimit -u).');
    case undefined:
      return undefined;
  }
}

/** Matches messages of V8 for errors without a code. */
const refusedMemory = /^WebAssembly\.|^Array buffer allocation failed/;
