/**
 * Why two passages match, as numbers: how far their fingerprints are apart, how much they share by each measure, and which
 * features weigh most on either side of it. The data of Explain Match.
 */
import { numDifferingBits } from './bits.ts';
import { checkIterable, checkObject, checkStrings, checkWhole } from './checkArgument.ts';
import { commonLength } from './longestCommonSubsequence.ts';
import { containment, resemblance, checkWeights, weightedResemblance } from './resemblance.ts';
import { runHashes } from './shingle.ts';
import { simhash } from './simhash.ts';

export interface ExplainOptions {
  /** Tokens in a feature, from 1; 1 unless given. */
  readonly size?: number;
  /** The weight of each token, finite and ≥ 0; a token that is not there weighs 1. A feature weighs the mean of its tokens. */
  readonly weights?: ReadonlyMap<string, number>;
  /** How many shared and how many differing features are listed at most; 20 unless given. */
  readonly most?: number;
}

/** A feature and what it weighs in each passage: its weight times its occurrences there, 0 where it does not occur. */
export interface ExplainedFeature {
  readonly tokens: readonly string[];
  readonly weightInA: number;
  readonly weightInB: number;
}

export interface Explanation {
  /** The weighted simhash fingerprints. */
  readonly fingerprintA: bigint;
  readonly fingerprintB: bigint;
  /** Bits that differ between them, 0 to 64. */
  readonly distance: number;
  /** 2 × tokens of the longest common subsequence / tokens of both, in [0, 1]: order counts, weights do not. */
  readonly similarity: number;
  /** Of the sets of features, in [0, 1]. */
  readonly resemblance: number;
  /** How much of A is in B, and of B in A, as sets of features. */
  readonly containmentOfA: number;
  readonly containmentOfB: number;
  /** Σ min / Σ max of the features' weights in both, in [0, 1]. */
  readonly weightedResemblance: number;
  /** Features that both have, the heaviest first (by the lesser of the two weights). */
  readonly shared: readonly ExplainedFeature[];
  /** Features whose weights differ, those that differ most first; most of them occur on one side only. */
  readonly differing: readonly ExplainedFeature[];
}

/**
 * Compares two passages.
 *
 * Two empty ones, or two that are shorter than a feature and so have none, have distance 0 and resemble each other fully;
 * the similarity of two empty ones is 1.
 *
 * Cost: |a| × |b| / 32 steps.
 *
 * @throws TypeError, RangeError  naming `tokensA`, `tokensB`, `options`, `size`, `weights` or `most`
 * @example
 * ```js
 * const { similarity, shared } = explain(['a', 'b', 'c', 'd'], ['a', 'b', 'x', 'd'], { size: 1 });
 * similarity; // 0.75
 * shared.map(({ tokens }) => tokens.join(' ')); // ['a', 'b', 'd']
 * ```
 */
export function explain(
  tokensA: Iterable<string>,
  tokensB: Iterable<string>,
  options: ExplainOptions = {},
): Explanation {
  checkObject('options', options);
  const { size = 1, weights = new Map<string, number>(), most = 20 } = options;
  checkIterable('tokensA', tokensA);
  checkIterable('tokensB', tokensB);
  checkWhole('size', size, 1, 1_000_000);
  checkWhole('most', most, 0, 1_000_000);
  checkWeights('weights', weights);
  const [a, b] = [[...tokensA], [...tokensB]];
  checkStrings('tokensA', a);
  checkStrings('tokensB', b);
  const [inA, inB] = [featuresOf(a, size, weights), featuresOf(b, size, weights)];
  const [weightsA, weightsB] = [weightsOf(inA), weightsOf(inB)];
  const [fingerprintA, fingerprintB] = [weightsA, weightsB].map((all) => simhash(all.keys(), all.values()));
  const features = [...new Map([...inA, ...inB])].map(([hash, { tokens }]) => ({
    tokens,
    weightInA: weightsA.get(hash) ?? 0,
    weightInB: weightsB.get(hash) ?? 0,
  }));
  return {
    fingerprintA,
    fingerprintB,
    distance: numDifferingBits(fingerprintA, fingerprintB),
    similarity: similarityOf(a, b),
    resemblance: resemblance(inA.keys(), inB.keys()),
    containmentOfA: containment(inA.keys(), inB.keys()),
    containmentOfB: containment(inB.keys(), inA.keys()),
    weightedResemblance: weightedResemblance(weightsA, weightsB),
    shared: heaviest(features, most, ({ weightInA, weightInB }) => Math.min(weightInA, weightInB)),
    differing: heaviest(features, most, ({ weightInA, weightInB }) => Math.abs(weightInA - weightInB)),
  };
}

interface Feature {
  readonly tokens: readonly string[];
  readonly weight: number;
}

/** The features of a passage by hash, each with its weight times its occurrences, in the order of first occurrence. */
function featuresOf(
  tokens: readonly string[],
  size: number,
  weights: ReadonlyMap<string, number>,
): Map<bigint, Feature> {
  const features = new Map<bigint, Feature>();
  runHashes(tokens, size).forEach((hash, first) => {
    const run = tokens.slice(first, first + size);
    const weight = run.reduce((sum, token) => sum + (weights.get(token) ?? 1), 0) / size;
    features.set(hash, { tokens: run, weight: weight + (features.get(hash)?.weight ?? 0) });
  });
  return features;
}

function weightsOf(features: ReadonlyMap<bigint, Feature>): Map<bigint, number> {
  return new Map([...features].map(([hash, { weight }]) => [hash, weight]));
}

function similarityOf(a: readonly string[], b: readonly string[]): number {
  if (a.length + b.length === 0) return 1;
  const numbers = new Map<string, number>();
  const numbered = (tokens: readonly string[]): Uint32Array =>
    Uint32Array.from(tokens, (token) => {
      const number = numbers.get(token) ?? numbers.size;
      numbers.set(token, number);
      return number;
    });
  return (2 * commonLength(numbered(a), numbered(b))) / (a.length + b.length);
}

/** Those for which the measure is above 0, the greatest first; features of one measure in the order of their tokens. */
function heaviest(
  features: readonly ExplainedFeature[],
  most: number,
  measure: (feature: ExplainedFeature) => number,
): ExplainedFeature[] {
  return features
    .map((feature) => ({ feature, measure: measure(feature), text: feature.tokens.join(' ') }))
    .filter((ranked) => ranked.measure > 0)
    .sort((x, y) => y.measure - x.measure || (x.text < y.text ? -1 : x.text > y.text ? 1 : 0))
    .slice(0, most)
    .map(({ feature }) => feature);
}
