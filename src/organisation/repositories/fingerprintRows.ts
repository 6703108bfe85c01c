/**
 * Fingerprints in the database. A fingerprint has 64 unsigned bits, and PostgreSQL's `bigint` is signed. Flipping the
 * highest bit keeps the order, and does not change the number of differing bits.
 */
import type { DocumentIndex } from '../../core/engine/documents/documents.ts';
import { documentParts, partsOf } from '../../core/engine/documents/namedDocument.ts';
import type { Kernel } from '../../core/engine/kernel.ts';
import { renamedView, writtenView, proseView } from '../../core/kernel/documents/documentLayout.ts';
import { partOf } from '../database/parts.ts';
import type { View } from './blockKeys.ts';

const highestBit = 0x8000_0000;

/** Flips the sign bit of the upper half, in either direction. */
export function turned(high: number): number {
  return (high ^ highestBit) >>> 0;
}

/** Window row: the part of a content that contains it, and its unmodified fingerprint. */
export interface WindowRow {
  readonly view: View;
  readonly high: number;
  readonly low: number;
  /** See `documentCode`. */
  readonly document: number;
  /** First token. */
  readonly position: number;
}

/** Combines a content and its part (`documentParts`) into one number. */
export function documentCode(content: number, part: number): number {
  return content * 4 + part;
}

export function codeParts(code: number): { readonly content: number; readonly part: number } {
  return { content: Math.floor(code / 4), part: code % 4 };
}

/** First hash key of views. The numbers of key tables are lower. */
const firstViewNumber = 256;

/** Returns the database part of the windows with a fingerprint. */
export function windowsPart(view: View, high: number, low: number, parts: number): number {
  return partOf(firstViewNumber + view, (high ^ low) >>> 0, parts);
}

/** Returns the database part of a content's arrays. */
export function payloadPart(content: number, parts: number): number {
  return partOf(0, content, parts);
}

/** Returns the database part of the rows with a key. */
export function keyPart(table: number, key: number, parts: number): number {
  // Avoids the numbers of payloads, which have many rows.
  return partOf(1 + table, key, parts);
}

/** Calls back for all windows of a content that can seed, part by part. */
export function forEachWindow(
  { words }: Pick<Kernel, 'words'>,
  content: number,
  index: DocumentIndex,
  take: (row: WindowRow) => void,
): void {
  for (const named of partsOf('', index)) {
    const document = documentCode(content, documentParts.indexOf(named.part));
    const { windows, windowStride, windowCount } = named.index;
    for (const { view, list } of listsOf(named.index)) {
      for (let i = 0; i < windowCount; i++) {
        const [low, high] = [words[(list >>> 2) + 2 * i]!, words[(list >>> 2) + 2 * i + 1]!];
        if (high === 0 && low === 0) continue;
        take({ view, high, low, document, position: words[(windows + i * windowStride) >>> 2]! });
      }
    }
  }
}

/** Address and length of a list of fingerprints. */
interface FingerprintList {
  readonly view: View;
  readonly list: number;
}

function listsOf({ prose, written, renamed }: DocumentIndex): FingerprintList[] {
  const lists: FingerprintList[] = prose
    ? [{ view: proseView, list: written }]
    : [
        { view: writtenView, list: written },
        { view: renamedView, list: renamed },
      ];
  return lists.filter(({ list }) => list !== 0);
}
