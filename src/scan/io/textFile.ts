/** Reads small files, such as configurations, completely. Refuses files that are too large or not regular. */
import { closeSync, readSync, statSync } from 'node:fs';
import * as l10n from '@vscode/l10n';
import { formatFileSize } from './fileSize.ts';
import { openRegular } from './regularFile.ts';
import { causeOf } from './systemErrors.ts';

/** Reason why a file was not read. */
export interface ReadFailure {
  /** Description of the problem that can follow the name of the file in a message, such as "is not a file". */
  readonly problem: string;
  readonly isMissing: boolean;
}

/** Reads the bytes of a file. Returns the reason if it is unreadable or has over `maxBytes` bytes. Never throws. */
export function readSmallFile(file: string, maxBytes: number): { readonly bytes: Buffer } | ReadFailure {
  try {
    // Check the type first, because opening some devices has side effects.
    const opened = statSync(file).isFile() ? openRegular(file) : undefined;
    if (opened === undefined) return { problem: l10n.t('is not a file'), isMissing: false };
    const { descriptor, status } = opened;
    try {
      // Files in /proc may be larger than their reported size, so try to read one byte more than allowed.
      const bytes = status.size > maxBytes ? undefined : readUpTo(descriptor, maxBytes + 1);
      return bytes === undefined || bytes.length > maxBytes
        ? { problem: l10n.t('is too large (limit {0})', formatFileSize(maxBytes)), isMissing: false }
        : { bytes };
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    const isMissing = ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
    return { problem: l10n.t('cannot be read ({0})', causeOf(error)), isMissing };
  }
}

/** Reads a file as UTF-8 text. Invalid bytes are not reported. Never throws. */
export function readTextFile(file: string, maxBytes: number): { readonly text: string } | ReadFailure {
  const read = readSmallFile(file, maxBytes);
  return 'bytes' in read ? { text: read.bytes.toString('utf8') } : read;
}

const readAtOnce = 65_536;

function readUpTo(descriptor: number, maxBytes: number): Buffer {
  const parts: Buffer[] = [];
  let length = 0;
  while (length < maxBytes) {
    const part = Buffer.allocUnsafe(Math.min(readAtOnce, maxBytes - length));
    const count = readSync(descriptor, part, 0, part.length, null);
    if (count === 0) break;
    parts.push(part.subarray(0, count));
    length += count;
  }
  return Buffer.concat(parts);
}
