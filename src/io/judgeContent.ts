/**
 * Whether a text is worth comparing, by what is read of it: all of a file, but of a notebook the cells alone. Its outputs
 * (pictures mostly), attachments, and metadata count neither as size nor as text that a machine wrote.
 */
import { isNotebookName } from './fileNames.ts';
import { formatFileSize } from './fileSize.ts';
import { machineMade } from './machineMade.ts';
import type { ReadLimits, Refusal } from './sources.ts';

/** The size of a notebook with all that is not compared: each thread that reads one needs some three times as much memory. */
const mostNotebookBytes = 32 * 2 ** 20;

/** The size in bytes above which a file is not read at all. */
export function mostBytesOf(path: string, maxFileSizeBytes: number): number {
  return isNotebookName(path) ? Math.max(maxFileSizeBytes, mostNotebookBytes) : maxFileSizeBytes;
}

/** Why a text (UTF-8, without byte order mark, no larger than `mostBytesOf` its file) is not compared; undefined when it is. */
export function judgeContent(path: string, text: Uint8Array, limits: ReadLimits): Refusal | undefined {
  const { maxFileSizeBytes, generated, textOfCells } = limits;
  let judged = text;
  if (isNotebookName(path) && !(generated && text.length <= maxFileSizeBytes)) {
    // What is no notebook after all is compared as a whole.
    const cells = textOfCells?.(text);
    judged = cells ?? text;
    if (judged.length > maxFileSizeBytes) return tooLarge(judged.length, maxFileSizeBytes, cells && 'of cells');
  }
  const made = generated ? undefined : machineMade(judged);
  return made && { reason: made, setting: 'generated' };
}

/**
 * Why a file is too large to be read.
 *
 * @param part  "of cells": what was measured of the file, where that is not all
 */
export function tooLarge(sizeBytes: number, maxSizeBytes: number, part?: string): Refusal {
  const size = [formatFileSize(sizeBytes), part].filter(Boolean).join(' ');
  return { reason: `too large (${size}, limit ${formatFileSize(maxSizeBytes)})`, setting: 'maxFileSize' };
}
