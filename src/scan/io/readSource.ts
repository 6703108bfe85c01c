/**
 * Reads a source file into memory that the caller provides, or returns the reason to skip it. The caller provides
 * kernel memory, so bytes are copied only once. Threads read synchronously, which is the fastest way in Node: 14,000
 * cached files with 250 MB take 140 ms, compared to 210 ms with readFileSync and a copy.
 */
import { closeSync, fstatSync, readSync, type Stats, statSync } from 'node:fs';
import * as l10n from '@vscode/l10n';
import type { MemoryProvider } from './decode.ts';
import { maxBytesOf, tooLarge } from './judgeContent.ts';
import { openRegular } from './regularFile.ts';
import { copyBytes, judgeRead, type ReadResult, type Source, type SourceReader } from './sourceReader.ts';
import { type FileStamp, type ListedFile, type ReadLimits, settled } from './sources.ts';
import { causeOf } from './systemErrors.ts';
import { systemLimitOf } from './systemLimits.ts';

/**
 * Reads a source file into memory from `reserve`. The last view that `reserve` has returned contains the text. If the
 * file cannot be read, returns the reason. Invalid UTF-8 is kept unchanged.
 *
 * @throws if too many files are open
 */
export function readSource(file: ListedFile, limits: ReadLimits, reserve: MemoryProvider): Source {
  try {
    const maxBytes = maxBytesOf(file.path, limits.maxFileSizeBytes);
    const read = 'file' in file ? readBytes(file.file, maxBytes, reserve) : copyBytes(file, maxBytes, reserve);
    return judgeRead(file.path, read, limits, reserve);
  } catch (error) {
    return { skipped: { path: file.path, reason: describeFailure(error) }, stamp: undefined };
  }
}

/** Returns the stamp of a file without reading the file. Returns `undefined` if the stamp is not available. */
export function stampOf(file: ListedFile): FileStamp | undefined {
  if (!('file' in file)) return file.stamp;
  try {
    const status = statSync(file.file, { throwIfNoEntry: false });
    return status?.isFile() ? stampFrom(status) : undefined;
  } catch {
    return undefined;
  }
}

/** Reads files that are listed by their path on disk, and files that are listed with their bytes. */
export const diskReader: SourceReader = { read: readSource, stampOf };

/**
 * Returns the reason to skip a file that could not be read: `missing` if it was removed; otherwise, `unreadable` and
 * the cause in parentheses.
 *
 * @throws the error itself if too many files are open, because the file is not the cause
 */
export function describeFailure(error: unknown): string {
  if (systemLimitOf(error) === 'openFiles') throw error;
  const { code = '', path = '' } = error as NodeJS.ErrnoException;
  if (code === 'EISDIR' || code === 'ENXIO') return 'not a file';
  const isGone = code === 'ENOENT' || code === 'ENOTDIR';
  // U+FFFD replaces bytes that are not valid UTF-8 when Node decodes the names in a folder. Such a file cannot be
  // opened.
  if (isGone && path.includes('\uFFFD')) return `unreadable (${l10n.t('its name is not UTF-8')})`;
  return isGone ? 'missing' : `unreadable (${causeOf(error)})`;
}

/** Maximum number of attempts if a file grows while it is read. A file that keeps growing is a log file. */
const attempts = 3;

function readBytes(file: string, maxSizeBytes: number, reserve: MemoryProvider): ReadResult {
  const opened = openRegular(file);
  if (opened === undefined) return { refusal: { reason: 'not a file' }, stamp: undefined };
  const { descriptor } = opened;
  try {
    let { status } = opened;
    for (let attempt = 1; ; attempt++) {
      const stamp = settled(stampFrom(status));
      if (status.size > maxSizeBytes) return { refusal: tooLarge(status.size, maxSizeBytes), stamp };
      // Reserve one byte more than the size of the file. If that byte is filled, the file has grown. So the end is
      // detected without a second call.
      const view = reserve(status.size + 1);
      const length = fill(descriptor, view, status.size + 1);
      if (length <= status.size) return { bytes: view.subarray(0, length), stamp };
      if (attempt === attempts) return { refusal: { reason: 'changed while being read' }, stamp: undefined };
      status = fstatSync(descriptor);
    }
  } finally {
    closeSync(descriptor);
  }
}

function stampFrom({ size, mtimeMs, ctimeMs, ino }: Stats): FileStamp {
  return { sizeBytes: size, mtimeMs, ctimeMs, inode: ino };
}

/** Reads up to `size` bytes from the start of the file. Returns the number of bytes read. */
function fill(descriptor: number, view: Uint8Array, size: number): number {
  let length = 0;
  while (length < size) {
    const count = readSync(descriptor, view, length, size - length, length);
    length += count;
    // Stop if fewer bytes were read than expected, which means the end of the file. Usually, this happens in the first
    // read.
    if (count === 0 || length === size - 1) break;
  }
  return length;
}
