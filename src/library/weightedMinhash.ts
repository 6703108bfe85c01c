/**
 * Weighted minhash: signatures of weighted sets. Two signatures agree in a place with the probability Σ min(aᵢ, bᵢ) / Σ
 * max(aᵢ, bᵢ).
 *
 * Charikar 2002, section 2, shows that the rounding of Kleinberg and Tardos is such a scheme for non-negative vectors.
 * The one used here is improved consistent weighted sampling (Ioffe 2010, section 3), which has exactly this collision
 * probability. It takes one step for each feature and place, regardless of the weights.
 *
 * Picture the weights as columns, and random points in the plane that are the same for every document. The sample of a
 * document is the first point below its outline. Two outlines have the same sample exactly if the first point that is
 * below either of them is below both.
 *
 *        ·      a ▔▔│ ·
 *    b ┈┈┈┈┈┐       │            the point in the overlap comes first
 *      ▔▔▔▔▔│▔┈┈┈┈┈┈│┈┈┈┈┐       with probability
 *       · a │   · b │  · ┊       overlap / union
 *      ─────┴───────┴────┴──
 *      feature 1    2    3
 *
 * The points are not generated. For feature k and place p, r and c are drawn from Gamma(2, 1) and β from [0, 1), always
 * the same for the same k and p. Then t = ⌊ln w / r + β⌋ and ln a = ln c − r (t − β + 1), and the sample is the (k, t)
 * of the least a. Weights between the same steps t give the same sample, which makes the sampling consistent.
 */
import { highWord, lowWord, mix32, repack } from '../core/methods/bits.ts';
import { checkHash, checkWhole } from '../core/methods/checkArgument.ts';
import { hash64 } from '../core/methods/hash64.ts';
import { defaultPermutations, maxPermutations, type Signature } from './minhash.ts';
import { keysPerPermutation, permutationKeys, permutedHigh, permutedLow, type Seed } from './randomPermutation.ts';
import { checkWeights } from '../core/methods/resemblance.ts';

/**
 * Returns the signature of a weighted set. `estimateJaccard` of two signatures estimates the weighted resemblance W; it
 * is unbiased and has the variance W (1 − W) / permutations. The scale of the weights matters: if all weights are
 * doubled, the set is a different one.
 *
 * Cost: features × permutations steps of about 150 ns. Signatures depend on the logarithm function, so in rare cases
 * the signatures of two JavaScript engines may differ in a place.
 *
 * @param weights       from feature to weight, finite and ≥ 0; features of weight 0 are ignored. A bigint is a 64-bit
 *                      hash; a string is hashed
 * @param permutations  places of the signature, 1 to 65,536
 * @param seed          chooses the samples; only signatures with the same seed are comparable
 * @returns for a set without weight, 2^64 − 1 in every place
 * @throws TypeError, RangeError naming `weights`, `permutations` or `seed`
 * @example
 * ```js
 * const a = weightedMinhash(new Map([['a', 1], ['b', 3]]));
 * const b = weightedMinhash(new Map([['a', 1], ['b', 1]]));
 * estimateJaccard(a, b); // 0.5234375, an estimate of 0.5
 * ```
 */
export function weightedMinhash(
  weights: ReadonlyMap<bigint | string, number>,
  permutations = defaultPermutations,
  seed: Seed = 0,
): Signature {
  checkWeights('weights', weights);
  checkWhole('permutations', permutations, 1, maxPermutations);
  const keys = permutationKeys(seed, permutations);
  const signature = {
    high: new Uint32Array(permutations).fill(0xffffffff),
    low: new Uint32Array(permutations).fill(0xffffffff),
  };
  const minima = new Float64Array(permutations).fill(Infinity);
  for (const [feature, weight] of weights) {
    const hash = hashOf(feature);
    if (weight === 0) continue;
    const logWeight = Math.log(weight);
    const [high, low] = [highWord(hash), lowWord(hash)];
    for (let place = 0, at = 0; place < permutations; place++, at += keysPerPermutation) {
      const stateHigh = permutedHigh(keys, at, high, low);
      const stateLow = permutedLow(keys, at, high, low, stateHigh);
      const r = -Math.log(uniform(stateHigh, stateLow, 1) * uniform(stateHigh, stateLow, 2));
      const logC = Math.log(-Math.log(uniform(stateHigh, stateLow, 3) * uniform(stateHigh, stateLow, 4)));
      const beta = uniform(stateHigh, stateLow, 5);
      const t = Math.floor(logWeight / r + beta);
      const logA = logC - r * (t - beta + 1);
      if (logA >= minima[place]) continue;
      minima[place] = logA;
      // Store a digest of (k, t). The state of the generator can replace k, because a bijection derives it from k.
      signature.high[place] = mix32(stateHigh + Math.imul(t | 0, 0x9e3779b9));
      signature.low[place] = mix32(stateLow ^ mix32((t | 0) + 0x7f4a7c15));
    }
  }
  return repack(signature);
}

/** Returns a random number in (0, 1): the one with an index from a generator whose state consists of two words. */
function uniform(high: number, low: number, index: number): number {
  return (mix32(mix32(high + Math.imul(index, 0x9e3779b9)) ^ low) + 0.5) / 0x100000000;
}

function hashOf(feature: bigint | string): bigint {
  if (typeof feature === 'string') return hash64(feature);
  checkHash('weights: a feature', feature);
  return feature;
}
