/** Log of a server. It goes to standard error, because standard output belongs to the protocol. */
import type { Log } from '../../session/client/engineClient.ts';
import { remedyFor } from '../../scan/io/systemLimits.ts';

/** @param write  called with complete lines */
export function serverLog(write: (line: string) => void): Log {
  const writeLine = (level: string, message: string): void => write(`kindred: ${level}${message}\n`);
  return {
    error: (message) => writeLine('error: ', message instanceof Error ? describe(message) : message),
    warn: (message) => writeLine('warning: ', message),
    info: (message) => writeLine('', message),
    debug: () => undefined,
  };
}

/** Returns a sentence if the error is due to a system limit, and the stack trace if it is a bug. */
function describe(error: Error): string {
  return remedyFor(error) ?? error.stack ?? error.message;
}
