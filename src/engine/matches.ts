/** Matches: what the kernel's records say, as a person would count. */
import type { DocumentIndex } from './indexDocument.ts';
import type { Kernel } from './kernel.ts';
import type { Options } from './options.ts';
import type { Seeds } from './seeds.ts';
import { tuning } from './tuning.ts';

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
  readonly weight: number;
  readonly wholeWeight: number;
  readonly similarity: number;
}

/** A run of tokens [start, end) of a document. */
export interface TokenRange {
  readonly document: number;
  readonly start: number;
  readonly end: number;
}

const recordBytes = 64;
const bracketWords = 7;

/** One thread's matcher: its scratch memory, and the settings the kernel reads. */
export class Matcher {
  readonly #kernel: Kernel;
  readonly #table: number;
  readonly #settings: number;
  readonly #passage: number;
  readonly #progress: number;

  /** @param brackets words of the tokens ( [ { ) ] } ; */
  constructor(kernel: Kernel, table: number, options: Options, brackets: readonly number[]) {
    this.#kernel = kernel;
    this.#table = table;
    kernel.exports.prepareMatching(kernel.allocate(kernel.exports.matchScratchBytes(0)));
    const words = kernel.allocate(bracketWords * 4);
    kernel.words.set(brackets, words >> 2);
    this.#settings = kernel.allocate(7 * 4);
    const { xDrop, gapTokens, leastPieceScore, promisingScore } = tuning.align;
    const leastTokens = Math.min(options.minTokens, options.prose.minWords);
    const leastShare = Math.floor(100 * Math.min(options.minSimilarity, options.prose.minSimilarity)) - 1;
    kernel.words.set(
      [xDrop, gapTokens, leastPieceScore, leastTokens, leastShare, words, promisingScore],
      this.#settings >> 2,
    );
    this.#passage = kernel.allocate(recordBytes);
    this.#progress = kernel.allocate(4);
  }

  /** The matches that seeds [from, to) lead to. */
  matchSeeds(seeds: Seeds, from: number, to: number): Match[] {
    const kernel = this.#kernel;
    const room = 16_384;
    const out = kernel.allocate(room * recordBytes);
    const matches: Match[] = [];
    for (let seed = from; seed < to;) {
      const written = kernel.exports.matchSeeds(
        seeds.address,
        seed,
        to,
        this.#table,
        this.#settings,
        out,
        room,
        this.#progress,
      );
      for (let i = 0; i < written; i++) matches.push(readMatch(kernel.words, (out + i * recordBytes) >> 2));
      seed = kernel.words[this.#progress >> 2]!;
    }
    return matches;
  }

  /** The match of two given passages, aligned from end to end; undefined when they do not match. */
  matchPassages(a: TokenRange, b: TokenRange): Match | undefined {
    const { exports, words } = this.#kernel;
    const found = exports.matchPassages(
      ...[this.#table, this.#settings, a.document, a.start, a.end, b.document, b.start, b.end, this.#passage],
    );
    return found ? readMatch(words, this.#passage >> 2) : undefined;
  }
}

function readMatch(words: Uint32Array, at: number): Match {
  const [docA, docB, a0, a1, b0, b1, equal, consistent, once, differing, bits, score, weight, wholeWeight] =
    words.subarray(at, at + 14) as unknown as number[] as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
  const similarity = (2 * (equal + consistent + once / 2)) / (a1 - a0 + b1 - b0);
  return {
    docA,
    docB,
    a0,
    a1,
    b0,
    b1,
    equal,
    consistent,
    once,
    differing,
    bits,
    score,
    weight,
    wholeWeight,
    similarity,
  };
}

/**
 * Whether a match is worth showing. What is equal as written counts fully. A renamed copy has to carry more: a renaming
 * that is consistent, and enough text that is the same.
 */
export function worthShowing(match: Match, document: DocumentIndex, options: Options): boolean {
  const { a0, a1, b0, b1, equal } = match;
  const tokens = Math.min(a1 - a0, b1 - b0);
  if (document.prose) return tokens >= options.prose.minWords * 0.8 && match.similarity >= options.prose.minSimilarity;
  if (Math.max(a1 - a0, b1 - b0) < options.minTokens) return false;
  const written = (2 * equal) / (a1 - a0 + b1 - b0);
  return match.similarity >= options.minSimilarity && written >= 0.45;
}
