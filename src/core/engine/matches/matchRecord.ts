/** Layout and content of the records in which the kernel writes matches. */
import {
  matchA0Word,
  matchA1Word,
  matchB0Word,
  matchB1Word,
  matchBitsWord,
  matchConsistentWord,
  matchDifferingWord,
  matchDocAWord,
  matchDocBWord,
  matchEqualWord,
  matchLongestWord,
  matchOnceWord,
  matchWords,
  matchScoreWord,
} from '../../kernel/matches/matchRecordLayout.ts';

/** Two similar runs of tokens: [a0, a1) of document docA and [b0, b1) of docB, docA ≤ docB. */
export interface Match {
  readonly docA: number;
  readonly docB: number;
  readonly a0: number;
  readonly a1: number;
  readonly b0: number;
  readonly b1: number;
  /** Aligned tokens: equal as written, renamed consistently, renamed in one place, renamed inconsistently. */
  readonly equal: number;
  readonly consistent: number;
  readonly once: number;
  readonly differing: number;
  readonly bits: number;
  readonly score: number;
  /** The longest run of tokens that are equal as written, whether aligned with each other or not. */
  readonly longest: number;
  readonly similarity: number;
}

/** A run of tokens [start, end) of a document. */
export interface TokenRange {
  readonly document: number;
  readonly start: number;
  readonly end: number;
}

/** Bytes of a match record (src/core/kernel/matches/matchRecordLayout.ts). */
export const matchRecordBytes = 4 * matchWords;

/** Reads the match record that begins at a word. */
export function readMatch(words: Uint32Array, at: number): Match {
  return {
    docA: words[at + matchDocAWord],
    docB: words[at + matchDocBWord],
    a0: words[at + matchA0Word],
    a1: words[at + matchA1Word],
    b0: words[at + matchB0Word],
    b1: words[at + matchB1Word],
    equal: words[at + matchEqualWord],
    consistent: words[at + matchConsistentWord],
    once: words[at + matchOnceWord],
    differing: words[at + matchDifferingWord],
    bits: words[at + matchBitsWord],
    score: words[at + matchScoreWord],
    longest: words[at + matchLongestWord],
    similarity: similarityOf(words, at),
  };
}

/** Writes a match in the format of the kernel. */
export function writeMatch(words: Uint32Array, at: number, match: Match): void {
  words[at + matchDocAWord] = match.docA;
  words[at + matchDocBWord] = match.docB;
  words[at + matchA0Word] = match.a0;
  words[at + matchA1Word] = match.a1;
  words[at + matchB0Word] = match.b0;
  words[at + matchB1Word] = match.b1;
  words[at + matchEqualWord] = match.equal;
  words[at + matchConsistentWord] = match.consistent;
  words[at + matchOnceWord] = match.once;
  words[at + matchDifferingWord] = match.differing;
  words[at + matchBitsWord] = match.bits;
  words[at + matchScoreWord] = match.score;
  words[at + matchLongestWord] = match.longest;
}

/**
 * Returns twice the aligned tokens over the tokens of both passages; a name that is renamed in one place counts half.
 */
export function similarityOf(words: Uint32Array, at: number): number {
  const tokens = words[at + matchA1Word] - words[at + matchA0Word] + words[at + matchB1Word] - words[at + matchB0Word];
  return (2 * (words[at + matchEqualWord] + words[at + matchConsistentWord] + words[at + matchOnceWord] / 2)) / tokens;
}
