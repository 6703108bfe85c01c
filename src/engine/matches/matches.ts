/** Matches: seeds extended by the kernel, in slices that any thread may do. */
import * as layout from '../../kernel/matches/settingsLayout.ts';
import { seedBytes, seedDocAAt, seedDocBAt } from '../../kernel/seeds/seedLayout.ts';
import type { Kernel } from '../kernel.ts';
import { type Match, readMatch, matchRecordBytes, type TokenRange } from './matchRecord.ts';
import { defaultOptions, type Options } from '../options.ts';
import type { Seeds } from '../seeds/seeds.ts';
import { tuning } from '../tuning.ts';

/** Records of matches that there is room for at first: more than nearly any pair of documents has. */
const leastRoom = 4096;

/** What every thread's matcher works on, in the kernel's memory. Plain numbers, so that threads can pass it on. */
export interface MatchTask {
  /** Addresses of the table of documents and of the idf table. */
  readonly table: number;
  readonly idfTable: number;
  readonly seeds: Seeds;
  /** The tokens ( [ { ) ] } ; in the order of their layout. */
  readonly brackets: readonly number[];
}

/** Where the slices of the seeds begin and end: each about as long as told, and no pair of documents in two slices. */
export function sliceSeeds(kernel: Kernel, { address, count }: Seeds, sliceSize: number): number[] {
  const words = kernel.words;
  const bounds = [0];
  for (let at = sliceSize; at < count; at += sliceSize) {
    while (at < count && samePair(words, address + seedBytes * at)) at++;
    if (at < count) bounds.push(at);
  }
  if (count > 0) bounds.push(count);
  return bounds;
}

// Whether the seed at an address is of the same two documents as the one before it.
function samePair(words: Uint32Array, seed: number): boolean {
  return [seedDocAAt, seedDocBAt].every((at) => words[(seed + at) >>> 2] === words[(seed - seedBytes + at) >>> 2]);
}

/** One thread's matcher: its scratch memory, and the settings the kernel reads. */
export class Matcher {
  readonly #kernel: Kernel;
  #task: MatchTask;
  readonly #scratch: number;
  readonly #settings: number;
  readonly #brackets: number;
  readonly #scoreWeights: number;
  #out: number;
  #room = leastRoom;
  readonly #progress: number;

  constructor(kernel: Kernel, task: MatchTask, options: Options) {
    this.#kernel = kernel;
    this.#task = task;
    this.#scratch = kernel.allocate(kernel.exports.matchScratchBytes());
    this.#brackets = kernel.allocate(layout.bracketsBytes);
    this.#scoreWeights = kernel.allocate(8 * classifierWeights.length);
    this.#settings = kernel.allocate(layout.settingsBytes);
    this.#out = kernel.allocate(this.#room * matchRecordBytes);
    this.#progress = kernel.allocate(4);
    this.turnTo(task, options);
  }

  /** Goes on with another task. Of several matchers of a kernel only the one works that was made or turned last. */
  turnTo(task: MatchTask, options: Options): void {
    const kernel = this.#kernel;
    this.#task = task;
    kernel.exports.prepareMatching(this.#scratch);
    kernel.words.set(task.brackets, this.#brackets >>> 2);
    new Float64Array(kernel.memory.buffer, this.#scoreWeights, classifierWeights.length).set(classifierWeights);
    this.#writeSettings(options);
  }

  #writeSettings(options: Options): void {
    const words = new Uint32Array(this.#kernel.memory.buffer, this.#settings, layout.settingsBytes >>> 2);
    const { xDrop, gapTokens, leastPieceScore, promisingScore } = tuning.align;
    words[layout.xDropAt >>> 2] = xDrop;
    words[layout.gapTokensAt >>> 2] = gapTokens;
    words[layout.leastScoreAt >>> 2] = leastPieceScore;
    words[layout.promisingScoreAt >>> 2] = promisingScore;
    words[layout.bracketsAt >>> 2] = this.#brackets;
    words[layout.idfTableAt >>> 2] = this.#task.idfTable;
    words[layout.codeTokensAt >>> 2] = options.minTokens;
    words[layout.proseTokensAt >>> 2] = options.prose.minWords;
    words[layout.scoreWeightsAt >>> 2] = this.#scoreWeights;
    words[layout.distinctShinglesAt >>> 2] = leastDistinctShingles(options);
    words[layout.allowedDistinctShinglesAt >>> 2] = tuning.distinctShingles.least;
    const fractions = new Float64Array(this.#kernel.memory.buffer, this.#settings, layout.settingsBytes >>> 3);
    fractions[layout.codeSimilarityAt >>> 3] = options.minSimilarity;
    fractions[layout.proseSimilarityAt >>> 3] = options.prose.minSimilarity;
    const allowance = allowanceOf(options);
    // Where less is asked, passages that others have brought together are taken rather for one cluster than for two.
    fractions[layout.givenCostAt >>> 3] = tuning.classifier.given - allowance;
    fractions[layout.allowanceAt >>> 3] = allowance;
  }

  /** The matches that seeds [from, to) lead to, of the task or others, as records for `readMatch`. */
  matchSeeds(from: number, to: number, seeds = this.#task.seeds): Uint32Array {
    const kernel = this.#kernel;
    const { table } = this.#task;
    const found: Uint32Array[] = [];
    for (let seed = from; seed < to;) {
      const out = this.#out;
      const written = kernel.exports.matchSeeds(
        seeds.address,
        seed,
        to,
        table,
        this.#settings,
        out,
        this.#room,
        this.#progress,
      );
      found.push(kernel.words.slice(out >>> 2, (out + written * matchRecordBytes) >>> 2));
      const next = kernel.words[this.#progress >>> 2];
      if (next === seed) this.#makeRoom();
      seed = next;
    }
    return joinRecords(found);
  }

  /** Makes room for more records: one pair of documents has more matches than there was room for. */
  #makeRoom(): void {
    this.#room *= 4;
    this.#out = this.#kernel.allocate(this.#room * matchRecordBytes);
  }

  /** The match of two given passages, aligned from end to end; undefined when they do not match. */
  matchPassages(a: TokenRange, b: TokenRange): Match | undefined {
    const kernel = this.#kernel;
    const found = kernel.exports.matchPassages(
      this.#task.table,
      this.#settings,
      a.document,
      a.start,
      a.end,
      b.document,
      b.start,
      b.end,
      this.#out,
    );
    return found ? readMatch(kernel.words, this.#out >>> 2) : undefined;
  }
}

/** What `tuning.distinctShingles` asks for, of passages that may be short less. */
function leastDistinctShingles({ minTokens }: Options): number {
  const { least, ofTokens } = tuning.distinctShingles;
  return Math.round(least * Math.min(1, minTokens / ofTokens));
}

/** How far below 0 the score of a match may be: the more, the farther the least similarity is below its default. */
function allowanceOf({ minSimilarity }: Options): number {
  return tuning.classifier.allowance * Math.max(0, defaultOptions.minSimilarity - minSimilarity);
}

/** The features that weights are given for. With another number of them than the kernel measures this does not compile. */
const features: readonly string[] & { readonly length: typeof layout.featureCount } = tuning.classifier.features;

/** The weights of `tuning.classifier` as the kernel reads them: of each pair of features, those of the first one first. */
const classifierWeights = features.flatMap((x, i) =>
  features.slice(i).map((y) => tuning.classifier.terms[x === 'one' ? y : `${x} ${y}`] ?? 0),
);
if (classifierWeights.filter((weight) => weight !== 0).length !== Object.keys(tuning.classifier.terms).length) {
  throw new Error('A term of the classifier names no features, or not in their order.');
}

/** Records one after the other in one array. */
export function joinRecords(parts: readonly Uint32Array[]): Uint32Array {
  const joined = new Uint32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
