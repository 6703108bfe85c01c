/** Match records: the format in which the kernel returns matches. */
import * as layout from '../../kernel/matches/matchRecordLayout.ts';

/** A run of tokens [a0, a1) of document docA, and a similar run [b0, b1) of document docB. docA ≤ docB. */
export interface Match {
  readonly docA: number;
  readonly docB: number;
  readonly a0: number;
  readonly a1: number;
  readonly b0: number;
  readonly b1: number;
  /**
   * Numbers of aligned token pairs: `equal` are the same in the text. In the other pairs, a name or literal differs. It
   * is always replaced by the same name (`consistent`), occurs only once (`once`), or is replaced by different names in
   * different places (`differing`).
   */
  readonly equal: number;
  readonly consistent: number;
  readonly once: number;
  readonly differing: number;
  readonly bits: number;
  readonly score: number;
  /** Length of the longest run of equal tokens. The alignment may pair these tokens differently. */
  readonly longest: number;
  readonly similarity: number;
}

/** A run of tokens [start, end) of a document. */
export interface TokenRange {
  readonly document: number;
  readonly start: number;
  readonly end: number;
}

/** Size of a match record in bytes (src/core/kernel/matches/matchRecord.ts). */
export const matchRecordBytes = 4 * layout.matchWords;

/** Reads the match record that begins at index `at` of `words`. */
export function readMatch(words: Uint32Array, at: number): Match {
  return {
    docA: words[at + layout.matchDocAWord],
    docB: words[at + layout.matchDocBWord],
    a0: words[at + layout.matchA0Word],
    a1: words[at + layout.matchA1Word],
    b0: words[at + layout.matchB0Word],
    b1: words[at + layout.matchB1Word],
    equal: words[at + layout.matchEqualWord],
    consistent: words[at + layout.matchConsistentWord],
    once: words[at + layout.matchOnceWord],
    differing: words[at + layout.matchDifferingWord],
    bits: words[at + layout.matchBitsWord],
    score: words[at + layout.matchScoreWord],
    longest: words[at + layout.matchLongestWord],
    similarity: similarityOf(words, at),
  };
}

/** Writes a match record at index `at` of `words`. */
export function writeMatch(words: Uint32Array, at: number, match: Match): void {
  words[at + layout.matchDocAWord] = match.docA;
  words[at + layout.matchDocBWord] = match.docB;
  words[at + layout.matchA0Word] = match.a0;
  words[at + layout.matchA1Word] = match.a1;
  words[at + layout.matchB0Word] = match.b0;
  words[at + layout.matchB1Word] = match.b1;
  words[at + layout.matchEqualWord] = match.equal;
  words[at + layout.matchConsistentWord] = match.consistent;
  words[at + layout.matchOnceWord] = match.once;
  words[at + layout.matchDifferingWord] = match.differing;
  words[at + layout.matchBitsWord] = match.bits;
  words[at + layout.matchScoreWord] = match.score;
  words[at + layout.matchLongestWord] = match.longest;
}

/**
 * Returns the similarity of the match record at index `at`: twice the number of aligned tokens, divided by the number
 * of tokens of both passages. If a name differs only in this one pair, the pair counts half.
 */
export function similarityOf(words: Uint32Array, at: number): number {
  const tokens =
    words[at + layout.matchA1Word] -
    words[at + layout.matchA0Word] +
    words[at + layout.matchB1Word] -
    words[at + layout.matchB0Word];
  return (
    (2 *
      (words[at + layout.matchEqualWord] +
        words[at + layout.matchConsistentWord] +
        words[at + layout.matchOnceWord] / 2)) /
    tokens
  );
}

/**
 * Returns the similarity of two passages that contain most of a match: 2 × aligned tokens / tokens of both passages.
 * Tokens outside of the match count as not aligned.
 */
export function similarityOfPassages(match: Match, tokensOfA: number, tokensOfB: number): number {
  const aligned = match.equal + match.consistent + match.once / 2;
  return (2 * Math.min(aligned, tokensOfA, tokensOfB)) / (tokensOfA + tokensOfB);
}
