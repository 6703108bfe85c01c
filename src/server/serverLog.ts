/** The log of a server: standard error, since standard output is the protocol's. */
import type { Log } from '../client/engineClient.ts';

/** @param write  takes whole lines */
export function serverLog(write: (line: string) => void): Log {
  const tell = (level: string, message: string): void => write(`kindred: ${level}${message}\n`);
  return {
    error: (message) => tell('error: ', message instanceof Error ? (message.stack ?? message.message) : message),
    warn: (message) => tell('warning: ', message),
    info: (message) => tell('', message),
  };
}
