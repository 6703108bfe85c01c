/**
 * Comparisons of passages that no seed connects. Grouping compares them because both match a third passage. The result
 * depends only on the passages, the options, and the weights of tokens, so a later report can reuse it.
 */
import {
  matchA0Word,
  matchA1Word,
  matchB0Word,
  matchB1Word,
  matchWords,
} from '../../kernel/matches/matchRecordLayout.ts';
import { type Match, readMatch, type TokenRange, writeMatch } from '../matches/matchRecord.ts';
import { type PairKey, pairKey } from '../seeds/liveSeeds.ts';

/**
 * Offset in words of the match record in a stored comparison:
 *
 *   docA  docB  the compared tokens: [start, end) of a, [start, end) of b  the record from its third word on
 *
 * The last compared tokens are in the place of the record's documents. The record is 0 if the passages do not match.
 * docA has the lower rank.
 */
const recordAt = 6 - matchA0Word;
/** Size in words of a stored comparison. */
export const comparisonWords = recordAt + matchWords;

/** Writes a comparison at index `at` of `words`. `a` and `b` are in the order of their ranks. */
export function writeComparison(
  words: Uint32Array,
  at: number,
  a: TokenRange,
  b: TokenRange,
  match: Match | undefined,
): void {
  if (match) writeMatch(words, at + recordAt, match);
  words.set([a.document, b.document, a.start, a.end, b.start, b.end], at);
}

/** Finds stored comparisons. */
export class ComparedPassages {
  readonly #words: Uint32Array;
  /** For each pair of documents, the offset of its first comparison. */
  readonly #firstOf = new Map<PairKey, number>();

  /** @param words  comparisons, sorted by docA, then docB. They may come from an untrusted source */
  constructor(words: Uint32Array) {
    this.#words = words;
    for (let at = words.length - comparisonWords; at >= 0; at -= comparisonWords) {
      this.#firstOf.set(pairKey(words[at], words[at + 1]), at);
    }
  }

  /**
   * Returns the result of an earlier comparison of two passages: the match, or `refused` if they do not match. Returns
   * `undefined` if they have not been compared. `a` and `b` are in the order of their ranks.
   */
  find(a: TokenRange, b: TokenRange): Match | 'refused' | undefined {
    const words = this.#words;
    const first = this.#firstOf.get(pairKey(a.document, b.document)) ?? words.length;
    for (let at = first; words[at] === a.document && words[at + 1] === b.document; at += comparisonWords) {
      if (words[at + 2] !== a.start || words[at + 3] !== a.end || words[at + 4] !== b.start || words[at + 5] !== b.end)
        continue;
      const record = at + recordAt;
      if (words[record + matchA1Word] === 0) return 'refused';
      const isPossible =
        a.start <= words[record + matchA0Word] &&
        words[record + matchA0Word] < words[record + matchA1Word] &&
        words[record + matchA1Word] <= a.end &&
        b.start <= words[record + matchB0Word] &&
        words[record + matchB0Word] < words[record + matchB1Word] &&
        words[record + matchB1Word] <= b.end;
      if (!isPossible) return undefined;
      return { ...readMatch(words, record), docA: a.document, docB: b.document };
    }
    return undefined;
  }
}
