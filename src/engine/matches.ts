/** Matches: what the kernel's records say, as a person would count. */
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
  /** What the tokens equal as written tell, and what all tokens of both sides tell, in sixteenths of a bit. */
  readonly evidence: number;
  readonly wholeEvidence: number;
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

  /**
   * @param rarities  address of the table of rarities
   * @param brackets  words of the tokens ( [ { ) ] } ;
   */
  constructor(kernel: Kernel, table: number, rarities: number, options: Options, brackets: readonly number[]) {
    this.#kernel = kernel;
    this.#table = table;
    kernel.exports.prepareMatching(kernel.allocate(kernel.exports.matchScratchBytes(0)));
    const words = kernel.allocate(bracketWords * 4);
    kernel.words.set(brackets, words >>> 2);
    const { equal, telling, length, once, consistent, evenness, sameDocument, given } = tuning.conviction;
    const convictions = kernel.allocate(8 * 8);
    const weights = [equal, telling, length, once, consistent, evenness, sameDocument, given];
    new Float64Array(kernel.memory.buffer, convictions, 8).set(weights);
    this.#settings = kernel.allocate(7 * 8);
    const { xDrop, gapTokens, leastPieceScore, promisingScore } = tuning.align;
    kernel.words.set(
      [
        ...[xDrop, gapTokens, leastPieceScore, promisingScore, words, rarities],
        ...[options.minTokens, options.prose.minWords, convictions],
      ],
      this.#settings >>> 2,
    );
    const similarities = [options.minSimilarity, options.prose.minSimilarity];
    new Float64Array(kernel.memory.buffer, this.#settings + 40, 2).set(similarities);
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
      for (let i = 0; i < written; i++) matches.push(readMatch(kernel.words, (out + i * recordBytes) >>> 2));
      seed = kernel.words[this.#progress >>> 2]!;
    }
    return matches;
  }

  /** The match of two given passages, aligned from end to end; undefined when they do not match. */
  matchPassages(a: TokenRange, b: TokenRange): Match | undefined {
    const { exports, words } = this.#kernel;
    const found = exports.matchPassages(
      ...[this.#table, this.#settings, a.document, a.start, a.end, b.document, b.start, b.end, this.#passage],
    );
    return found ? readMatch(words, this.#passage >>> 2) : undefined;
  }
}

function readMatch(words: Uint32Array, at: number): Match {
  const word = (i: number): number => words[at + i];
  const [a0, a1, b0, b1] = [word(2), word(3), word(4), word(5)];
  const [equal, consistent, once, differing] = [word(6), word(7), word(8), word(9)];
  const similarity = (2 * (equal + consistent + once / 2)) / (a1 - a0 + b1 - b0);
  return {
    ...{ docA: word(0), docB: word(1), a0, a1, b0, b1, equal, consistent, once, differing, similarity },
    ...{ bits: word(10), score: word(11) },
    ...{ evidence: word(14), wholeEvidence: word(15) },
  };
}
