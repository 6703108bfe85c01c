/** Signals that end the program: the first one ends its work, and the second one the process. */
import { closeSync, fstatSync } from 'node:fs';
import { constants } from 'node:os';
import { discardAll } from '../../scan/io/temporaryFile.ts';

/** Ctrl+C, termination of a service or a container, and closing of the terminal. */
const interruptions = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Exit code if the terminal was closed. */
export const hungUp = 128 + constants.signals.SIGHUP;

export interface Interruption {
  readonly seen: () => boolean;
  /** Exit code after an interruption. */
  readonly code: () => number;
  readonly release: () => void;
}

/**
 * The first signal ends the scan with partial findings. The second one exits immediately and removes temporary files.
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
    if (signal === 'SIGHUP') letGoOfTerminal();
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
 * Node restores the terminal settings on exit, and aborts if the terminal has disappeared, unless its descriptor is
 * closed.
 */
export function letGoOfTerminal(): void {
  for (const descriptor of [0, 1, 2]) {
    try {
      if (fstatSync(descriptor).isCharacterDevice()) closeSync(descriptor);
    } catch {
      // It is already closed.
    }
  }
}
