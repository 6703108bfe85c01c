/** The records in which the kernel writes matches, and what they say. */

/** Two runs of tokens that say the same: [a0, a1) of document docA and [b0, b1) of docB, docA ≤ docB. */
export interface Match {
  readonly docA: number;
  readonly docB: number;
  readonly a0: number;
  readonly a1: number;
  readonly b0: number;
  readonly b1: number;
  /** Aligned tokens: equal as written, renamed alike throughout, renamed in one place, renamed inconsistently. */
  readonly equal: number;
  readonly consistent: number;
  readonly once: number;
  readonly differing: number;
  readonly bits: number;
  readonly score: number;
  /** The longest run of tokens that are equal as written, aligned with each other or not. */
  readonly longest: number;
  readonly similarity: number;
}

/** A run of tokens [start, end) of a document. */
export interface TokenRange {
  readonly document: number;
  readonly start: number;
  readonly end: number;
}

/** The word of a record that is the longest run of equal tokens. */
export const longestWord = 12;
/** Words of a record that `matchSeeds` writes: `matchBytes` in src/kernel/matches/match.ts. The first two are its documents. */
export const recordWords = 13;
export const matchRecordBytes = 4 * recordWords;

/** The match in a record, which begins at a word. */
export function readMatch(words: Uint32Array, at: number): Match {
  const [a0, a1, b0, b1] = [words[at + 2], words[at + 3], words[at + 4], words[at + 5]];
  const [equal, consistent, once] = [words[at + 6], words[at + 7], words[at + 8]];
  return {
    docA: words[at],
    docB: words[at + 1],
    a0,
    a1,
    b0,
    b1,
    equal,
    consistent,
    once,
    differing: words[at + 9],
    bits: words[at + 10],
    score: words[at + 11],
    longest: words[at + 12],
    similarity: similarityOf(words, at),
  };
}

/** Writes a match as the kernel does. */
export function writeMatch(words: Uint32Array, at: number, match: Match): void {
  const { docA, docB, a0, a1, b0, b1, equal, consistent, once, differing, bits, score, longest } = match;
  words.set([docA, docB, a0, a1, b0, b1, equal, consistent, once, differing, bits, score, longest], at);
}

/** Twice the aligned tokens over those of both passages; a name that is renamed in one place counts half. */
export function similarityOf(words: Uint32Array, at: number): number {
  const tokens = words[at + 3] - words[at + 2] + words[at + 5] - words[at + 4];
  return (2 * (words[at + 6] + words[at + 7] + words[at + 8] / 2)) / tokens;
}
