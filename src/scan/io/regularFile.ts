/**
 * Opens files for reading. All other modules open files with it, because a name in a tree may refer to anything:
 * opening a pipe without a writer would block, and reading a device may never end.
 */
import { closeSync, constants, fstatSync, openSync, type Stats } from 'node:fs';

/** An open file. The caller must close it. */
export interface RegularFile {
  readonly descriptor: number;
  readonly status: Stats;
}

// Flags for opening: a pipe opens without waiting for a writer, and a terminal does not become the controlling
// terminal. Windows has neither these flags nor such files.
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/**
 * Opens a regular file. Returns `undefined` for a folder, a pipe, a socket, or a device.
 *
 * @throws the system's error if the file cannot be opened
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
