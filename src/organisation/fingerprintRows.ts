/**
 * Fingerprints as the database has them. A fingerprint has 64 bits without sign, and `bigint` of PostgreSQL has one: so the
 * highest bit is turned over, and both have the same order. How many bits differ stays what it was.
 */
import type { DocumentIndex } from '../engine/documents/documents.ts';
import { documentParts, partsOf } from '../engine/documents/namedDocument.ts';
import type { Kernel } from '../engine/kernel.ts';
import { renamedView, writtenView, proseView } from '../kernel/documents/documentLayout.ts';
import { partOf } from '../database/parts.ts';
import type { View } from './blockKeys.ts';

const highestBit = 0x8000_0000;

/** The upper half as it is stored, or as it was. */
export function turned(high: number): number {
  return (high ^ highestBit) >>> 0;
}

/** A window as it is stored: the part of a content that it is in, and its fingerprint as it is. */
export interface WindowRow {
  readonly view: View;
  readonly high: number;
  readonly low: number;
  /** See `documentCode`. */
  readonly document: number;
  /** The first token. */
  readonly position: number;
}

/** A content and the part of it (`documentParts`) in one number. */
export function documentCode(content: number, part: number): number {
  return content * 4 + part;
}

export function codeParts(code: number): { readonly content: number; readonly part: number } {
  return { content: Math.floor(code / 4), part: code % 4 };
}

/** Views have numbers of their own in the choice of a part: those of tables of keys are less. */
const firstViewNumber = 256;

/** The part of the database that has the windows of a fingerprint. */
export function windowsPart(view: View, high: number, low: number, parts: number): number {
  return partOf(firstViewNumber + view, (high ^ low) >>> 0, parts);
}

/** The part that has the arrays of a content. */
export function payloadPart(content: number, parts: number): number {
  return partOf(0, content, parts);
}

/** The part that has the rows of a key. */
export function keyPart(table: number, key: number, parts: number): number {
  // Not those of payloads, which are many for one number.
  return partOf(1 + table, key, parts);
}

/** Calls for all windows of a content that seed, in the order of its parts. */
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

/**
 * Drops the windows of contents that are not wanted: they seed no more. Hundreds of documents have some hundred thousand, of
 * which few are wanted; so the lowest 16 bits tell nearly all of the others apart, without a look into the map.
 *
 * @param wanted  those that stay, by their low halves
 */
export function keepWindows(
  { words }: Pick<Kernel, 'words'>,
  indexes: readonly DocumentIndex[],
  wanted: ReadonlyMap<number, readonly Pick<WindowRow, 'view' | 'high'>[]>,
): void {
  const ends = new Uint8Array(0x1_0000);
  for (const low of wanted.keys()) ends[low & 0xffff] = 1;
  for (const { index } of indexes.flatMap((each) => partsOf('', each))) {
    for (const { view, list } of listsOf(index)) {
      const from = list >>> 2;
      const end = from + 2 * index.windowCount;
      for (let at = from; at < end; at += 2) {
        const low = words[at]!;
        if (
          ends[low & 0xffff] === 1 &&
          wanted.get(low)?.some((one) => one.view === view && one.high === words[at + 1])
        ) {
          continue;
        }
        words[at] = 0;
        words[at + 1] = 0;
      }
    }
  }
}

/** A list of fingerprints, by address. */
interface FingerprintList {
  readonly view: View;
  readonly list: number;
}

/** The lists of fingerprints that a part of a content has. */
function listsOf({ prose, written, renamed }: DocumentIndex): FingerprintList[] {
  const lists: FingerprintList[] = prose
    ? [{ view: proseView, list: written }]
    : [
        { view: writtenView, list: written },
        { view: renamedView, list: renamed },
      ];
  return lists.filter(({ list }) => list !== 0);
}
