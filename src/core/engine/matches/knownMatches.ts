/**
 * Reuses matches of an earlier scan. The matches between two documents depend on their texts, their seeds, the options,
 * and the weights of their tokens. If none of these has changed, the earlier matches are still valid. Seeds are always
 * recomputed, because this is cheap, and because a change of one document may affect the seeds between two others.
 */
import { mix32 } from '../../methods/bits.ts';
import type { Kernel } from '../kernel.ts';
import * as layout from '../../kernel/matches/matchRecordLayout.ts';
import { seedBytes, seedDocAAt, seedDocBAt, seedPosAAt, seedPosBAt } from '../../kernel/seeds/seedLayout.ts';
import { grown } from '../grown.ts';
import type { Seeds } from '../seeds/seeds.ts';
import { Pace } from '../steps.ts';

/** Matches between documents, which are identified by number. Both lists are sorted by docA, then docB. */
export interface PairMatches {
  /** Pairs of documents that have seeds, four words each: docA, docB, and two words for a digest of these seeds. */
  readonly pairs: Uint32Array;
  /** Match records in the format of `readMatch`. */
  readonly records: Uint32Array;
}

/** Seeds that must be matched, and the stored matches of all other seeds. */
export interface RemainingSeeds {
  /** Seeds of the document pairs without stored matches, in the original order. */
  readonly seeds: Seeds;
  /** All document pairs with seeds, in the format of `PairMatches`. */
  readonly pairs: Uint32Array;
  /** Match records of the pairs with stored matches, in several arrays. */
  readonly records: readonly Uint32Array[];
}

export const noMatches: PairMatches = { pairs: new Uint32Array(), records: new Uint32Array() };

export const pairWords = 4;
/** Size of a seed in words. A seed consists of docA, docB, and a position in each. */
const seedWords = seedBytes >>> 2;
const [docAWord, docBWord] = [seedDocAAt >>> 2, seedDocBAt >>> 2];
const [posAWord, posBWord] = [seedPosAAt >>> 2, seedPosBAt >>> 2];

/**
 * Separates the seeds of document pairs with stored matches from the other seeds, in steps of a few milliseconds. Moves
 * the other seeds to the beginning of the same memory.
 */
export function* separateKnownSteps(
  kernel: Kernel,
  { address, count }: Seeds,
  knownMatches: PairMatches,
): Generator<void, RemainingSeeds> {
  const pace = new Pace();
  const words = kernel.words;
  const start = address >>> 2;
  const end = start + count * seedWords;
  const pairs = new PairList();
  const records: Uint32Array[] = [];
  let [left, pair, record] = [start, 0, 0];
  for (let at = start; at < end;) {
    const next = pairs.read(words, at, end);
    const [docA, docB] = [words[at + docAWord], words[at + docBWord]];
    const passed = pair + record;
    pair = skipTo(knownMatches.pairs, pair, pairWords, docA, docB);
    if (pairs.endsWith(knownMatches.pairs, pair)) {
      record = skipTo(knownMatches.records, record, layout.matchWords, docA, docB);
      const first = record;
      while (isOf(knownMatches.records, record, docA, docB)) record += layout.matchWords;
      records.push(knownMatches.records.subarray(first, record));
    } else {
      if (left < at) words.copyWithin(left, at, next);
      left += next - at;
    }
    if (pace.endsStep((wordsBesides + next - at + pair + record - passed) / wordsOfUnit)) yield;
    at = next;
  }
  const seeds = { address, count: (left - start) / seedWords };
  return { seeds, pairs: pairs.words(), records };
}

/**
 * Returns the document pairs of seeds, in the format of `PairMatches` and in the order of the seeds. Precondition:
 * seeds of the same pair are adjacent.
 */
export function pairsOf(kernel: Kernel, { address, count }: Seeds): Uint32Array {
  const words = kernel.words;
  const start = address >>> 2;
  const end = start + count * seedWords;
  const pairs = new PairList();
  for (let at = start; at < end;) at = pairs.read(words, at, end);
  return pairs.words();
}

/** Number of words that can be read from a list per unit of work, and the fixed cost of a pair, expressed in words. */
const wordsOfUnit = 200;
const wordsBesides = 20;

/** A growing list of document pairs in the format of `PairMatches`, which is built from seeds. */
class PairList {
  #words = new Uint32Array(1024 * pairWords);
  #length = 0;

  /** Adds the pair of the seed at index `at`. Returns the index after the last seed of that pair. */
  read(words: Uint32Array, at: number, end: number): number {
    const [docA, docB] = [words[at + docAWord], words[at + docBWord]];
    let [high, low, next] = [0, 0, at];
    for (; next < end && words[next + docAWord] === docA && words[next + docBWord] === docB; next += seedWords) {
      high = mix32(high ^ words[next + posAWord]) + low;
      low = mix32(low ^ words[next + posBWord] ^ high);
    }
    if (this.#length === this.#words.length) this.#words = grown(this.#words, 2 * this.#length);
    const own = this.#words;
    own[this.#length++] = docA;
    own[this.#length++] = docB;
    own[this.#length++] = mix32(high ^ low);
    own[this.#length++] = mix32(low + next - at);
    return next;
  }

  /** Returns true if the last pair equals the one at an offset in another list, including the digest of the seeds. */
  endsWith(others: Uint32Array, at: number): boolean {
    const own = this.#length - pairWords;
    for (let i = 0; i < pairWords; i++) if (this.#words[own + i] !== others[at + i]) return false;
    return true;
  }

  words(): Uint32Array {
    return this.#words.slice(0, this.#length);
  }
}

/**
 * Returns the offset of the first entry that does not come before the given pair of documents, searching from `at` on.
 * Entries have `width` words.
 */
function skipTo(list: Uint32Array, at: number, width: number, docA: number, docB: number): number {
  while (at < list.length && (list[at] < docA || (list[at] === docA && list[at + 1] < docB))) at += width;
  return at;
}

function isOf(list: Uint32Array, at: number, docA: number, docB: number): boolean {
  return list[at] === docA && list[at + 1] === docB;
}

/** Sorts document pairs by docA, then docB. */
export function sortDocumentPairs(pairs: Uint32Array): Uint32Array {
  return sortedWords(pairs, pairWords);
}

/** Sorts match records by docA, then docB. The sort is stable. */
export function sortRecords(records: Uint32Array): Uint32Array {
  return sortedWords(records, layout.matchWords);
}

/** Sorts entries of `width` words by their first two words. The sort is stable. */
export function sortedWords(list: Uint32Array, width: number): Uint32Array {
  const places = Array.from({ length: list.length / width }, (_, i) => i * width);
  places.sort((x, y) => list[x] - list[y] || list[x + 1] - list[y + 1]);
  const inOrder = new Uint32Array(list.length);
  places.forEach((place, i) => inOrder.set(list.subarray(place, place + width), i * width));
  return inOrder;
}

/**
 * Converts document numbers and removes void entries.
 *
 * @param numberOf  the new number of each document; −1 if it was removed or its text has changed. Must not change the
 *                  order of documents
 * @param holds     returns true if the matches between two documents, given by their new numbers, are still valid
 */
export function renumber(
  { pairs, records }: PairMatches,
  numberOf: Int32Array,
  holds: (docA: number, docB: number) => boolean,
): PairMatches {
  return {
    pairs: renumberList(pairs, pairWords, numberOf, holds),
    records: renumberList(records, layout.matchWords, numberOf, holds),
  };
}

/** Same as `renumber`, for a list of entries of `width` words that begin with two document numbers. */
export function renumberList(
  list: Uint32Array,
  width: number,
  numberOf: Int32Array,
  holds: (docA: number, docB: number) => boolean,
): Uint32Array {
  const kept = new Uint32Array(list.length);
  let end = 0;
  for (let at = 0; at < list.length; at += width) {
    const [docA, docB] = [numberOf[list[at]], numberOf[list[at + 1]]];
    if (docA < 0 || docB < 0 || !holds(docA, docB)) continue;
    kept.set(list.subarray(at, at + width), end);
    kept[end] = docA;
    kept[end + 1] = docB;
    end += width;
  }
  return kept.slice(0, end);
}

/** Returns true if lists from an untrusted source have complete entries with numbers below `documents`. */
export function areOfDocuments({ pairs, records }: PairMatches, documents: number): boolean {
  return isOfDocuments(pairs, pairWords, documents) && isOfDocuments(records, layout.matchWords, documents);
}

/** Same as `areOfDocuments`, for a list of entries of `width` words that begin with two document numbers. */
export function isOfDocuments(list: Uint32Array, width: number, documents: number): boolean {
  if (list.length % width !== 0) return false;
  for (let at = 0; at < list.length; at += width) {
    if (list[at] >= documents || list[at + 1] >= documents) return false;
  }
  return true;
}

/** Returns true if all records refer only to tokens that exist in their documents. */
export function areInDocuments(records: Uint32Array, tokensOf: (document: number) => number): boolean {
  for (let at = 0; at < records.length; at += layout.matchWords) {
    const [a, b] = [tokensOf(records[at]), tokensOf(records[at + 1])];
    if (records[at + layout.matchA0Word] >= records[at + layout.matchA1Word] || records[at + layout.matchA1Word] > a)
      return false;
    if (records[at + layout.matchB0Word] >= records[at + layout.matchB1Word] || records[at + layout.matchB1Word] > b)
      return false;
  }
  return true;
}
