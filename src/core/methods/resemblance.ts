/**
 * Exact resemblance and containment of two sets of features (Broder 1997, section 2), and their weighted form.
 *
 *        A ┌────────┐           resemblance  = |A ∩ B| / |A ∪ B| = 2 / 5
 *          │  ·  ┌──┼────┐      containment of A in B = |A ∩ B| / |A| = 2 / 3
 *          │     │∶ │ ·  │      containment of B in A = 2 / 4
 *          └─────┼──┘ ·  │ B
 *                └───────┘
 *
 * A bag of labeled shingles is also a set, because the hash of each shingle includes its occurrence number.
 */
import { pack } from './bits.ts';
import { checkMap, checkWeight } from './checkArgument.ts';

/**
 * Returns the resemblance of two sets, |A ∩ B| / |A ∪ B|, in [0, 1]. Repetitions do not matter. The resemblance of two
 * empty sets is 1. 1 − resemblance is a metric.
 *
 * @throws TypeError, RangeError  naming the argument that contains a value other than a 64-bit hash
 * @example
 * ```js
 * resemblance([1n, 2n, 3n], [2n, 3n, 4n]); // 0.5
 * ```
 */
export function resemblance(a: Iterable<bigint>, b: Iterable<bigint>): number {
  const { sizeA, sizeB, shared } = intersect(a, b);
  const either = sizeA + sizeB - shared;
  return either === 0 ? 1 : shared / either;
}

/**
 * Returns the containment of `a` in `b`: the share of `a` that is also in `b`, |A ∩ B| / |A|, in [0, 1]. Repetitions do
 * not matter. If `a` is empty, the result is 1.
 *
 * @throws TypeError, RangeError  as `resemblance`
 * @example
 * ```js
 * containment([1n, 2n], [1n, 2n, 3n, 4n]); // 1
 * containment([1n, 2n, 3n, 4n], [1n, 2n]); // 0.5
 * ```
 */
export function containment(a: Iterable<bigint>, b: Iterable<bigint>): number {
  const { sizeA, shared } = intersect(a, b);
  return sizeA === 0 ? 1 : shared / sizeA;
}

/**
 * Returns Σ min(aᵢ, bᵢ) / Σ max(aᵢ, bᵢ) over all features, in [0, 1] (Charikar 2002, section 2). If a map does not
 * contain a feature, its weight there is 0. If all weights are 1, the result is the resemblance. If all weights are 0,
 * the result is 1.
 *
 * @param a, b  from feature to weight, finite and ≥ 0
 * @throws TypeError, RangeError  naming the argument that is not a map or contains an invalid weight
 * @example
 * ```js
 * weightedResemblance(new Map([['a', 1], ['b', 3]]), new Map([['a', 1], ['b', 1]])); // 0.5
 * ```
 */
export function weightedResemblance<Feature>(a: ReadonlyMap<Feature, number>, b: ReadonlyMap<Feature, number>): number {
  checkWeights('a', a);
  checkWeights('b', b);
  const { minSum, maxSum } = sumsOf(a, b, 1);
  if (maxSum === 0) return 1;
  if (maxSum < Infinity) return minSum / maxSum;
  // Sums of weights near Number.MAX_VALUE would overflow, so scale them down.
  const scaled = sumsOf(a, b, 1 / Number.MAX_VALUE);
  return scaled.minSum / scaled.maxSum;
}

function sumsOf<Feature>(
  a: ReadonlyMap<Feature, number>,
  b: ReadonlyMap<Feature, number>,
  scale: number,
): { minSum: number; maxSum: number } {
  let [minSum, maxSum] = [0, 0];
  for (const [feature, weight] of a) {
    const other = b.get(feature) ?? 0;
    minSum += scale * Math.min(weight, other);
    maxSum += scale * Math.max(weight, other);
  }
  for (const [feature, weight] of b) if (!a.has(feature)) maxSum += scale * weight;
  return { minSum, maxSum };
}

/**
 * Throws unless the value is a map of finite numbers ≥ 0.
 *
 * @throws TypeError, RangeError
 */
export function checkWeights(argument: string, weights: ReadonlyMap<unknown, number>): void {
  checkMap(argument, weights);
  for (const weight of weights.values()) checkWeight(argument, weight);
}

function intersect(a: Iterable<bigint>, b: Iterable<bigint>): { sizeA: number; sizeB: number; shared: number } {
  const inA = new Set(pack(a, 'a'));
  const inB = new Set(pack(b, 'b'));
  let shared = 0;
  for (const hash of inA) if (inB.has(hash)) shared++;
  return { sizeA: inA.size, sizeB: inB.size, shared };
}
