/** Extends seeds to matches in the kernel. The seeds are divided into slices, which any thread may process. */
import { wordsOfMatch } from '../../kernel/matches/matchRecordLayout.ts';
import * as featureOffsets from '../../kernel/matches/featuresLayout.ts';
import * as layout from '../../kernel/matches/settingsLayout.ts';
import { seedBytes, seedDocAAt, seedDocBAt } from '../../kernel/seeds/seedLayout.ts';
import type { Kernel } from '../kernel.ts';
import { type Match, readMatch, matchRecordBytes, type TokenRange } from './matchRecord.ts';
import { presets } from '../dials.ts';
import { defaultOptions, type Options } from '../options.ts';
import type { Seeds } from '../seeds/seeds.ts';
import { constants } from '../constants.ts';

/** Initial capacity for match records. Nearly all pairs of documents need less. */
const minRoom = 4096;

/** Input of a matcher. It contains only numbers, so it can be sent between threads. */
export interface MatchTask {
  /** Addresses of the table of documents and of the idf table. */
  readonly table: number;
  readonly idfTable: number;
  readonly seeds: Seeds;
  /** The result of `bracketTokens`. */
  readonly brackets: readonly number[];
}

/**
 * Divides the seeds into slices of about the given size, and returns the boundaries. Seeds of the same pair of
 * documents are always in the same slice.
 */
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

// Returns true if the seed at an address has the same two documents as the seed before it.
function samePair(words: Uint32Array, seed: number): boolean {
  return [seedDocAAt, seedDocBAt].every((at) => words[(seed + at) >>> 2] === words[(seed - seedBytes + at) >>> 2]);
}

/** Matches seeds for one thread. Owns scratch memory, and the settings that the kernel reads. */
export class Matcher {
  readonly #kernel: Kernel;
  #task: MatchTask;
  readonly #scratch: number;
  readonly #settings: number;
  readonly #scoreWeights: number;
  #out: number;
  #room = minRoom;
  readonly #progress: number;

  constructor(kernel: Kernel, task: MatchTask, options: Options) {
    this.#kernel = kernel;
    this.#task = task;
    this.#scratch = kernel.allocate(kernel.exports.matchScratchBytes());
    this.#scoreWeights = kernel.allocate(8 * classifierWeights.length);
    this.#settings = kernel.allocate(layout.settingsBytes);
    this.#out = kernel.allocate(4 * wordsOfMatch * this.#room);
    this.#progress = kernel.allocate(4);
    kernel.exports.prepareMatching(this.#scratch);
    this.setTask(task, options);
  }

  /**
   * Applies another task and options, also after documents have changed. Only a kernel's last created or changed
   * matcher may be used.
   */
  setTask(task: MatchTask, options: Options, content = contentFor(options)): void {
    const kernel = this.#kernel;
    this.#task = task;
    kernel.exports.resumeMatching(this.#scratch);
    new Float64Array(kernel.memory.buffer, this.#scoreWeights, classifierWeights.length).set(classifierWeights);
    this.#writeSettings(options, content);
  }

  #writeSettings(options: Options, content: ContentRequirements): void {
    const words = new Uint32Array(this.#kernel.memory.buffer, this.#settings, layout.settingsBytes >>> 2);
    const { xDrop, gapTokens, minPieceScore, promisingScore } = constants.align;
    words[layout.settingsXDropAt >>> 2] = xDrop;
    words[layout.settingsGapTokensAt >>> 2] = gapTokens;
    words[layout.settingsMinScoreAt >>> 2] = minPieceScore;
    words[layout.settingsPromisingScoreAt >>> 2] = promisingScore;
    words.set(this.#task.brackets, layout.settingsOpenRoundAt >>> 2);
    words[layout.settingsIdfTableAt >>> 2] = this.#task.idfTable;
    words[layout.settingsCodeTokensAt >>> 2] = options.minTokens;
    words[layout.settingsProseTokensAt >>> 2] = options.prose.minWords;
    words[layout.settingsScoreWeightsAt >>> 2] = this.#scoreWeights;
    words[layout.settingsDistinctShinglesAt >>> 2] = content.distinctShingles;
    const fractions = new Float64Array(this.#kernel.memory.buffer, this.#settings, layout.settingsBytes >>> 3);
    fractions[layout.settingsCodeSimilarityAt >>> 3] = options.minSimilarity;
    fractions[layout.settingsProseSimilarityAt >>> 3] = options.prose.minSimilarity;
    fractions[layout.settingsGivenCostAt >>> 3] = constants.classifier.given;
    fractions[layout.settingsRequiredScoreAt >>> 3] = content.requiredScore;
  }

  /** Returns the matches of the seeds [from, to) as match records. By default, these are the seeds of the task. */
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

  /** Increases the capacity for records. Called if a pair of documents has more matches than expected. */
  #makeRoom(): void {
    this.#room *= 4;
    this.#out = this.#kernel.allocate(4 * wordsOfMatch * this.#room);
  }

  /** Aligns two passages from end to end. Returns `undefined` if the result is not a match. */
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

/** Requirements of a match other than length and similarity. */
export interface ContentRequirements {
  /** Minimum number of distinct shingles. */
  readonly distinctShingles: number;
  /** Minimum score of the classifier. */
  readonly requiredScore: number;
}

/** Content requirements that every match meets, also one that has only common words. */
export const anyContent: ContentRequirements = {
  distinctShingles: 0,
  requiredScore: -Number.MAX_VALUE,
};

/**
 * Returns the content requirements of a scan. If the options allow shorter passages, the minimum number of shingles is
 * lower. The minimum similarity has no influence, so with a lower one, all matches of a higher one are accepted, and
 * those that are accepted in addition have a lower similarity.
 *
 * Each bit of the maximum distance above its default lowers the required score by 1, up to the distance of the preset
 * *Loose*. A user who raises it wants copies with more edits: of forty functions that were adapted by hand, *Loose*
 * finds 29 with a score of −3, and 16 with 0. See bench/results/2026-11-30-adapted-copies-targets-3.md.
 */
export function contentFor({ minTokens, maxDistance }: Options): ContentRequirements {
  const { minimum, ofTokens } = constants.distinctShingles;
  const bits = Math.max(0, Math.min(maxDistance, presets.loose.maxDistance) - defaultOptions.maxDistance);
  return { distinctShingles: Math.round(minimum * Math.min(1, minTokens / ofTokens)), requiredScore: -bits };
}

/** Names of the features in the kernel's order: the fields of its record. */
const features = Object.entries(featureOffsets)
  .filter(([name]) => name.endsWith('At'))
  .sort(([, x], [, y]) => x - y)
  .map(([name]) => name.slice('features'.length, -'At'.length).replace(/^./, (letter) => letter.toLowerCase()));

/**
 * The weights of `constants.classifier` in the kernel's order: for each feature, the weights of its products with
 * itself and with all later features.
 */
const classifierWeights = features.flatMap((x, i) =>
  features.slice(i).map((y) => constants.classifier.terms[x === 'one' ? y : `${x} ${y}`] ?? 0),
);
if (classifierWeights.filter((weight) => weight !== 0).length !== Object.keys(constants.classifier.terms).length) {
  throw new Error('A term of the classifier names no features, or not in their order.');
}

export function joinRecords(parts: readonly Uint32Array[]): Uint32Array {
  const joined = new Uint32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
