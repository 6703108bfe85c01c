/** Layout and content of the records in which the kernel writes matches. */
import {
  a0Word,
  a1Word,
  b0Word,
  b1Word,
  bitsWord,
  consistentWord,
  differingWord,
  docAWord,
  docBWord,
  equalWord,
  longestWord,
  onceWord,
  recordWords,
  scoreWord,
} from '../../kernel/matches/matchLayout.ts';

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

/** Bytes of a match record (src/core/kernel/matches/matchLayout.ts). */
export const matchRecordBytes = 4 * recordWords;

/** Reads the match record that begins at a word. */
export function readMatch(words: Uint32Array, at: number): Match {
  return {
    docA: words[at + docAWord],
    docB: words[at + docBWord],
    a0: words[at + a0Word],
    a1: words[at + a1Word],
    b0: words[at + b0Word],
    b1: words[at + b1Word],
    equal: words[at + equalWord],
    consistent: words[at + consistentWord],
    once: words[at + onceWord],
    differing: words[at + differingWord],
    bits: words[at + bitsWord],
    score: words[at + scoreWord],
    longest: words[at + longestWord],
    similarity: similarityOf(words, at),
  };
}

/** Writes a match in the format of the kernel. */
export function writeMatch(words: Uint32Array, at: number, match: Match): void {
  words[at + docAWord] = match.docA;
  words[at + docBWord] = match.docB;
  words[at + a0Word] = match.a0;
  words[at + a1Word] = match.a1;
  words[at + b0Word] = match.b0;
  words[at + b1Word] = match.b1;
  words[at + equalWord] = match.equal;
  words[at + consistentWord] = match.consistent;
  words[at + onceWord] = match.once;
  words[at + differingWord] = match.differing;
  words[at + bitsWord] = match.bits;
  words[at + scoreWord] = match.score;
  words[at + longestWord] = match.longest;
}

/**
 * Returns twice the aligned tokens over the tokens of both passages; a name that is renamed in one place counts half.
 */
export function similarityOf(words: Uint32Array, at: number): number {
  const tokens = words[at + a1Word] - words[at + a0Word] + words[at + b1Word] - words[at + b0Word];
  return (2 * (words[at + equalWord] + words[at + consistentWord] + words[at + onceWord] / 2)) / tokens;
}
