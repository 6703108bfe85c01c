/**
 * Small files that say what is to be done: configurations, rules. They are read whole, up to a size that none of them has,
 * and never when something else lies in their place.
 */
import { closeSync, readSync, statSync } from 'node:fs';
import * as l10n from '@vscode/l10n';
import { formatFileSize } from './fileSize.ts';
import { openRegular } from './regularFile.ts';
import { causeOf } from './systemErrors.ts';

/** Why a file is not read. */
export interface Unread {
  /** Follows its name: "is not a file". */
  readonly problem: string;
  /** Whether nothing of that name is there. */
  readonly isMissing: boolean;
}

/** The bytes of a file. Never throws. */
export function readSmallFile(file: string, mostBytes: number): { readonly bytes: Buffer } | Unread {
  try {
    // Looked at before it is opened: some devices do something when they are.
    const opened = statSync(file).isFile() ? openRegular(file) : undefined;
    if (opened === undefined) return { problem: l10n.t('is not a file'), isMissing: false };
    const { descriptor, status } = opened;
    try {
      // Files of /proc have more than they say.
      const bytes = status.size > mostBytes ? undefined : readUpTo(descriptor, mostBytes + 1);
      return bytes === undefined || bytes.length > mostBytes
        ? { problem: l10n.t('is too large (limit {0})', formatFileSize(mostBytes)), isMissing: false }
        : { bytes };
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    const isMissing = ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
    return { problem: l10n.t('cannot be read ({0})', causeOf(error)), isMissing };
  }
}

/** The text of a file as UTF-8, whatever it holds. Never throws. */
export function readTextFile(file: string, mostBytes: number): { readonly text: string } | Unread {
  const read = readSmallFile(file, mostBytes);
  return 'bytes' in read ? { text: read.bytes.toString('utf8') } : read;
}

const readAtOnce = 65_536;

function readUpTo(descriptor: number, most: number): Buffer {
  const parts: Buffer[] = [];
  let length = 0;
  while (length < most) {
    const part = Buffer.allocUnsafe(Math.min(readAtOnce, most - length));
    const count = readSync(descriptor, part, 0, part.length, null);
    if (count === 0) break;
    parts.push(part.subarray(0, count));
    length += count;
  }
  return Buffer.concat(parts);
}
