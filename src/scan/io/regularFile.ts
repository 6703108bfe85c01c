/**
 * Opens files for reading. All files are opened here, because names in a tree may refer to anything: a pipe without a
 * writer would block, and a device may be endless.
 */
import { closeSync, constants, fstatSync, openSync, type Stats } from 'node:fs';

/** An open file. The caller must close it. */
export interface RegularFile {
  readonly descriptor: number;
  readonly status: Stats;
}

// Opens a pipe without waiting for a writer, and does not acquire a controlling terminal. Windows has no such flags and
// no such files.
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/**
 * Opens a file; returns `undefined` for a folder, a pipe, a socket or a device.
 *
 * @throws the system's error if it cannot be opened
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
