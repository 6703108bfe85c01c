/**
 * Matches that are known from before. What matching makes of a pair of documents depends on their texts, on the seeds
 * between them, on the options and on how telling their tokens are; where nothing of that has changed, its matches are
 * what they were, and need not be found again. Seeds are made of all documents each time: they are cheap, and one
 * document may change those of two others.
 */
import { mix32 } from '../../methods/bits.ts';
import type { Kernel } from '../kernel.ts';
import { recordWords } from '../../kernel/matches/matchLayout.ts';
import { seedBytes, seedDocAAt, seedDocBAt, seedPosAAt, seedPosBAt } from '../../kernel/seeds/seedLayout.ts';
import { grown } from '../grown.ts';
import type { Seeds } from '../seeds/seeds.ts';
import { Pace } from '../steps.ts';

/** What matching has made of documents, by number. Both lists are in the order of docA and docB. */
export interface PairMatches {
  /** For each pair of documents between which there are seeds, four words: docA, docB, and the digest of the seeds. */
  readonly pairs: Uint32Array;
  /** The matches, as records that `readMatch` reads: docA and docB are their first two words. */
  readonly records: Uint32Array;
}

/** What there is to match, and what is known. */
export interface PartlyKnown {
  /** Those of the pairs whose matches are not known, in order. */
  readonly seeds: Seeds;
  /** All pairs, as in `PairMatches`. */
  readonly pairs: Uint32Array;
  /** Records of the other pairs, in parts. */
  readonly records: readonly Uint32Array[];
}

export const noMatches: PairMatches = { pairs: new Uint32Array(), records: new Uint32Array() };

/** Words of a pair. */
export const pairWords = 4;
/** Of a seed: docA, docB, and where it is in both. */
const seedWords = seedBytes >>> 2;
const [docAWord, docBWord] = [seedDocAAt >>> 2, seedDocBAt >>> 2];
const [posAWord, posBWord] = [seedPosAAt >>> 2, seedPosBAt >>> 2];

/** Takes the seeds of pairs out whose matches are known, in steps of some milliseconds: the others move up, in the same memory. */
export function* takeKnownSteps(
  kernel: Kernel,
  { address, count }: Seeds,
  known: PairMatches,
): Generator<void, PartlyKnown> {
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
    pair = skipTo(known.pairs, pair, pairWords, docA, docB);
    if (pairs.endsWith(known.pairs, pair)) {
      record = skipTo(known.records, record, recordWords, docA, docB);
      const first = record;
      while (isOf(known.records, record, docA, docB)) record += recordWords;
      records.push(known.records.subarray(first, record));
    } else {
      if (left < at) words.copyWithin(left, at, next);
      left += next - at;
    }
    if (pace.isDue((wordsBesides + next - at + pair + record - passed) / wordsOfUnit)) yield;
    at = next;
  }
  const seeds = { address, count: (left - start) / seedWords };
  return { seeds, pairs: pairs.words(), records };
}

/** The pairs between which there are seeds, as in `PairMatches`, in the order of the seeds: those of a pair in a row. */
export function pairsOf(kernel: Kernel, { address, count }: Seeds): Uint32Array {
  const words = kernel.words;
  const start = address >>> 2;
  const end = start + count * seedWords;
  const pairs = new PairList();
  for (let at = start; at < end;) at = pairs.read(words, at, end);
  return pairs.words();
}

/** Words of lists that are walked in a unit of work, and what a pair costs besides them. */
const wordsOfUnit = 200;
const wordsBesides = 20;

/** Pairs of documents, as in `PairMatches`, while they are read of seeds. */
class PairList {
  #words = new Uint32Array(1024 * pairWords);
  #length = 0;

  /** Adds the pair whose seeds begin at a word; returns where those of the next one do. */
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

  /** Whether the last pair is the one at a place in others. */
  endsWith(others: Uint32Array, at: number): boolean {
    const own = this.#length - pairWords;
    for (let i = 0; i < pairWords; i++) if (this.#words[own + i] !== others[at + i]) return false;
    return true;
  }

  words(): Uint32Array {
    return this.#words.slice(0, this.#length);
  }
}

/** The first entry from `at` on that does not come before a pair of documents, each of `width` words. */
function skipTo(list: Uint32Array, at: number, width: number, docA: number, docB: number): number {
  while (at < list.length && (list[at] < docA || (list[at] === docA && list[at + 1] < docB))) at += width;
  return at;
}

function isOf(list: Uint32Array, at: number, docA: number, docB: number): boolean {
  return list[at] === docA && list[at + 1] === docB;
}

/** Pairs in the order of docA and docB. */
export function sortDocumentPairs(pairs: Uint32Array): Uint32Array {
  return sorted(pairs, pairWords);
}

/** Records in the order of docA and docB; of one pair, in the order in which they were. */
export function sortRecords(records: Uint32Array): Uint32Array {
  return sorted(records, recordWords);
}

/** Entries of `width` words by their first two; those alike stay as they were. */
function sorted(list: Uint32Array, width: number): Uint32Array {
  const places = Array.from({ length: list.length / width }, (_, i) => i * width);
  places.sort((x, y) => list[x] - list[y] || list[x + 1] - list[y + 1]);
  const inOrder = new Uint32Array(list.length);
  places.forEach((place, i) => inOrder.set(list.subarray(place, place + width), i * width));
  return inOrder;
}

/**
 * The same under other numbers, without what does not hold any more.
 *
 * @param numberOf  for each number the new one, in the same order; −1: gone, or another text
 * @param holds     whether what was known of two documents, by new number, is so still
 */
export function renumber(
  { pairs, records }: PairMatches,
  numberOf: Int32Array,
  holds: (docA: number, docB: number) => boolean,
): PairMatches {
  return {
    pairs: renumberList(pairs, pairWords, numberOf, holds),
    records: renumberList(records, recordWords, numberOf, holds),
  };
}

function renumberList(
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
