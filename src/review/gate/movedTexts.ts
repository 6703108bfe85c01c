/**
 * Recognizes passages that were moved and slightly edited at the same time, or that begin on a different line in their
 * new place. Compares only the few passages that are no longer at their old place, by the similarity of their texts.
 */
import { append } from '../../core/collections/lists.ts';
import type { Passage } from '../../core/engine/report/report.ts';

/** Function that returns the lines of a file, or `undefined` if they are not available. */
export type LineSource = (path: string) => readonly string[] | undefined;

/** Number of tokens in a shingle. It is the engine's default for code. */
const shingleSize = 4;
/**
 * Number of hashes under which a passage is stored: the smallest hashes of its shingles. Two similar passages very
 * probably have one of them in common.
 */
const minHashes = 16;
/** Minimum share of shingles in common, among the shingles of both passages. */
const minResemblance = 0.6;

/** An index of removed passages by their text. */
export class GoneTexts<Item> {
  readonly #byHash = new Map<number, { readonly item: Item; readonly shingles: ReadonlySet<number> }[]>();

  add(item: Item, passage: Passage, linesOf: LineSource): void {
    const shingles = shinglesOf(passage, linesOf);
    for (const hash of smallestOf(shingles)) append(this.#byHash, hash, { item, shingles });
  }

  /** Returns the items whose passages resemble a passage, each with its resemblance. */
  like(passage: Passage, linesOf: LineSource): ReadonlyMap<Item, number> {
    const shingles = shinglesOf(passage, linesOf);
    const found = new Map<Item, number>();
    const seen = new Set<Item>();
    for (const hash of smallestOf(shingles)) {
      for (const { item, shingles: others } of this.#byHash.get(hash) ?? []) {
        if (seen.has(item)) continue;
        seen.add(item);
        const resemblance = resemblanceOf(shingles, others);
        if (resemblance >= minResemblance) found.set(item, resemblance);
      }
    }
    return found;
  }
}

function shinglesOf({ path, startLine, endLine }: Passage, linesOf: LineSource): ReadonlySet<number> {
  const text =
    linesOf(path)
      ?.slice(startLine - 1, endLine)
      .join('\n') ?? '';
  const tokens = text.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
  const shingles = new Set<number>();
  for (let at = 0; at + shingleSize <= tokens.length; at++) {
    shingles.add(hashOf(tokens.slice(at, at + shingleSize).join(' ')));
  }
  return shingles;
}

/** Computes FNV-1a, and mixes the bits. Otherwise, the order of hashes would depend on how texts begin. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

function smallestOf(shingles: ReadonlySet<number>): number[] {
  return [...shingles].sort((x, y) => x - y).slice(0, minHashes);
}

function resemblanceOf(x: ReadonlySet<number>, y: ReadonlySet<number>): number {
  let common = 0;
  for (const shingle of x) if (y.has(shingle)) common++;
  return common / Math.max(1, x.size + y.size - common);
}
