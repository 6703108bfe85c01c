/** Handles signals that end the program: the first in an orderly way, the second immediately. */
import { closeSync, fstatSync } from 'node:fs';
import { constants } from 'node:os';
import { discardAll } from '../../scan/io/temporaryFile.ts';

/** Ctrl+C, termination of a service or container, and closing of the terminal. */
const interruptions = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Exit code after the terminal was closed. */
export const hungUp = 128 + constants.signals.SIGHUP;

export interface Interruption {
  readonly seen: () => boolean;
  /** Returns the exit code for the signal that was received. */
  readonly code: () => number;
  readonly release: () => void;
}

/**
 * Starts to handle signals. After the first one, the scan ends with partial findings. After the second one, temporary
 * files are removed and the process exits immediately.
 */
export function catchInterrupts(): Interruption {
  let first: NodeJS.Signals | undefined;
  const codeOf = (signal: NodeJS.Signals): number => 128 + constants.signals[signal];
  const onSignal = (signal: NodeJS.Signals): void => {
    if (first === undefined) {
      first = signal;
      return;
    }
    discardAll();
    if (signal === 'SIGHUP') closeTerminal();
    process.exit(codeOf(signal));
  };
  for (const name of interruptions) process.on(name, onSignal);
  return {
    seen: () => first !== undefined,
    code: () => (first === undefined ? 0 : codeOf(first)),
    release: () => {
      for (const name of interruptions) process.off(name, onSignal);
    },
  };
}

/**
 * Closes the descriptors of the terminal. Otherwise, Node would restore the terminal's settings on exit, and abort if
 * the terminal no longer exists.
 */
export function closeTerminal(): void {
  for (const descriptor of [0, 1, 2]) {
    try {
      if (fstatSync(descriptor).isCharacterDevice()) closeSync(descriptor);
    } catch {
      // The descriptor is already closed.
    }
  }
}
