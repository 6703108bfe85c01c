/**
 * Explains why two passages match: the distance of their fingerprints, several measures of their overlap, and the
 * features with the greatest weights in both or in only one of them. Explain Match displays these data.
 */
import { numDifferingBits } from './bits.ts';
import { checkIterable, checkObject, checkStrings, checkWhole } from './checkArgument.ts';
import { commonLength } from './longestCommonSubsequence.ts';
import { containment, resemblance, checkWeights, weightedResemblance } from './resemblance.ts';
import { runHashes } from './shingle.ts';
import { simhash } from './simhash.ts';

export interface ExplainOptions {
  /** Number of tokens in a feature, at least 1. Default: 1. */
  readonly size?: number;
  /** Weight of each token, finite and ≥ 0. Default: 1. The weight of a feature is the mean of its tokens' weights. */
  readonly weights?: ReadonlyMap<string, number>;
  /** Maximum number of shared and of differing features to list. Default: 20. */
  readonly limit?: number;
}

/** A feature, and its weight in each passage: the weight of one occurrence times their number. */
export interface ExplainedFeature {
  readonly tokens: readonly string[];
  readonly weightInA: number;
  readonly weightInB: number;
}

export interface Explanation {
  /** The weighted simhash fingerprints of the passages. */
  readonly fingerprintA: bigint;
  readonly fingerprintB: bigint;
  /** Number of bits in which the fingerprints differ, 0 to 64. */
  readonly distance: number;
  /**
   * Similarity by longest common subsequence, in [0, 1]: 2 × its number of tokens / number of tokens of both passages.
   * It depends on the order of tokens, but not on their weights.
   */
  readonly similarity: number;
  /** Resemblance of the sets of features, in [0, 1]. */
  readonly resemblance: number;
  /** Share of the features of A that are also in B, and share of the features of B that are also in A. */
  readonly containmentOfA: number;
  readonly containmentOfB: number;
  /** Weighted resemblance in [0, 1]: the sum of each feature's smaller weight, divided by that of the greater. */
  readonly weightedResemblance: number;
  /** Features that occur in both passages, sorted by the smaller of their two weights, descending. */
  readonly shared: readonly ExplainedFeature[];
  /** Features whose weights in the two passages differ, largest difference first. Most occur in only one. */
  readonly differing: readonly ExplainedFeature[];
}

/**
 * Compares two passages.
 *
 * If both passages are empty or shorter than a feature, neither has features: the distance is 0 and the resemblance 1.
 * The similarity of two empty passages is 1.
 *
 * Cost: |a| × |b| / 32 steps.
 *
 * @throws TypeError, RangeError  naming `tokensA`, `tokensB`, `options`, `size`, `weights` or `limit`
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
  const { size = 1, weights = new Map<string, number>(), limit = 20 } = options;
  checkIterable('tokensA', tokensA);
  checkIterable('tokensB', tokensB);
  checkWhole('size', size, 1, 1_000_000);
  checkWhole('limit', limit, 0, 1_000_000);
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
    shared: heaviest(features, limit, ({ weightInA, weightInB }) => Math.min(weightInA, weightInB)),
    differing: heaviest(features, limit, ({ weightInA, weightInB }) => Math.abs(weightInA - weightInB)),
  };
}

interface Feature {
  readonly tokens: readonly string[];
  readonly weight: number;
}

/**
 * Returns a map from hashes to the features of a passage, in the order of first occurrence. The weight of a feature is
 * the weight of one occurrence times the number of occurrences.
 */
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

/** Returns the features for which `measureOf` returns more than 0, in descending order; ties by tokens. */
function heaviest(
  features: readonly ExplainedFeature[],
  limit: number,
  measure: (feature: ExplainedFeature) => number,
): ExplainedFeature[] {
  return features
    .map((feature) => ({ feature, measure: measure(feature), text: feature.tokens.join(' ') }))
    .filter((ranked) => ranked.measure > 0)
    .sort((x, y) => y.measure - x.measure || (x.text < y.text ? -1 : x.text > y.text ? 1 : 0))
    .slice(0, limit)
    .map(({ feature }) => feature);
}
