/**
 * Decides whether a file is compared, based on its content. For a notebook, only its cells matter: outputs (mostly
 * images), attachments, and metadata are ignored.
 */
import type { SkippedFile } from '../../core/engine/report/report.ts';
import { decodeText, hasNul, type MemoryProvider } from './decode.ts';
import { isNotebookName } from './fileNames.ts';
import { formatExceeded } from './fileSize.ts';
import { machineMadeKind } from './machineMadeKind.ts';
import { highestFileSizeBytes, type ReadLimits, type Refusal } from './sources.ts';

/** Maximum size of a notebook in bytes, including outputs. Reading it takes about three times as much memory. */
const maxNotebookBytes = 32 * 2 ** 20;

/** Returns the maximum size in bytes of the file at a path. Larger files are not read. */
export function maxBytesOf(path: string, maxFileSizeBytes: number): number {
  return isNotebookName(path) ? Math.max(maxFileSizeBytes, maxNotebookBytes) : maxFileSizeBytes;
}

/**
 * Returns the bytes of a file as UTF-8 text without a byte order mark, or the reason to skip the file. Precondition:
 * there are at most `maxBytesOf(path)` bytes.
 *
 * @param reserve  returns memory for texts that must be converted
 */
export function judgeBytes(
  path: string,
  bytes: Uint8Array,
  limits: ReadLimits,
  reserve: MemoryProvider,
): { readonly bytes: Uint8Array } | Refusal {
  const text = decodeText(bytes, reserve);
  return 'reason' in text ? text : (judgeContent(path, text.bytes, limits) ?? text);
}

/** Returns the reason to skip a text in memory, if there is one. It must be UTF-8 without a byte order mark. */
export function judgeText(path: string, text: Uint8Array, limits: ReadLimits): SkippedFile | undefined {
  const maxBytes = maxBytesOf(path, limits.maxFileSizeBytes);
  if (text.length > maxBytes) return { path, ...tooLarge(text.length, maxBytes) };
  if (hasNul(text)) return { path, reason: 'binary' };
  const refusal = judgeContent(path, text, limits);
  return refusal && { path, ...refusal };
}

/**
 * Returns the reason to skip a text, or `undefined` if it is compared. Precondition: the text is UTF-8 without a byte
 * order mark, and has at most `maxBytesOf(path)` bytes.
 */
export function judgeContent(path: string, text: Uint8Array, limits: ReadLimits): Refusal | undefined {
  const { maxFileSizeBytes, generated, textOfCells } = limits;
  let judged = text;
  if (isNotebookName(path) && !(generated && text.length <= maxFileSizeBytes)) {
    // If the file is not a valid notebook, compare it as plain text.
    const cells = textOfCells?.(text);
    judged = cells ?? text;
    if (judged.length > maxFileSizeBytes) return tooLarge(judged.length, maxFileSizeBytes, cells && 'of cells');
  }
  const made = generated ? undefined : machineMadeKind(judged);
  return made && { reason: made, setting: 'generated' };
}

/**
 * Returns the reason to skip a file of a virtual folder that has more than `maxFiles` files. Only VS Code has this
 * limit.
 */
export function beyondLimit(maxFiles: number): Refusal {
  return { reason: `not read (limit ${maxFiles} files)` };
}

/**
 * Returns the reason to skip a file that is too large. If the file exceeds the highest possible value of the setting,
 * the result does not name the setting.
 *
 * @param part  the part of the file that was measured, such as "of cells"; `undefined` for the whole file
 */
export function tooLarge(sizeBytes: number, maxSizeBytes: number, part?: string): Refusal {
  const isAboveAll = sizeBytes > highestFileSizeBytes;
  const [exceeding, limit] = formatExceeded(sizeBytes, isAboveAll ? highestFileSizeBytes : maxSizeBytes);
  const size = part === undefined ? exceeding : `${exceeding} ${part}`;
  return isAboveAll
    ? { reason: `too large for any limit (${size})` }
    : { reason: `too large (${size}, limit ${limit})`, setting: 'maxFileSize' };
}
