/**
 * The one way in which files are opened to be read. Names in a tree may stand for anything: a pipe that nobody writes into
 * would be waited for, and a device has no end.
 */
import { closeSync, constants, fstatSync, openSync, type Stats } from 'node:fs';

/** An open file, to be closed. */
export interface RegularFile {
  readonly descriptor: number;
  readonly status: Stats;
}

// A pipe is opened without waiting for somebody to write into it, and no terminal becomes that of this program. Windows
// has no such flags and no such files.
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/**
 * Opens a file; undefined when it is none, but a folder, a pipe, a socket or a device.
 *
 * @throws the system's error when it cannot be opened
 */
export function openRegular(file: string): RegularFile | undefined {
  const descriptor = openSync(file, flags);
  try {
    const status = fstatSync(descriptor);
    if (status.isFile()) return { descriptor, status };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  closeSync(descriptor);
  return undefined;
}
