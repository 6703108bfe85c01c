/**
 * Weighted simhash: one 64-bit fingerprint for a bag of weighted features (Charikar 2002, section 3; the form of Manku,
 * Jain, Das Sarma 2007, section 2).
 *
 * Each feature votes on every bit with its weight: for 1 where its hash has a 1, and for 0 where its hash has a 0. The
 * majority determines the bit. If the weight vectors of two bags form the angle θ, a bit differs with probability θ /
 * π. Fingerprints of similar bags therefore differ in few bits.
 *
 * Fingerprints are comparable only if their features were hashed and weighted in the same way.
 */
import { fingerprintBits, fromWords, pack, unpack, type Words } from './bits.ts';
import { checkIterable, checkWeight } from './checkArgument.ts';
import { checkWeights } from './resemblance.ts';

/**
 * Returns the fingerprint of a bag of features.
 *
 * @param hashes   hashes of the features; a repeated hash votes once for each occurrence
 * @param weights  weight of each hash, finite and ≥ 0: either one number per hash, in order, or a map from hash to
 *                 weight. Missing weights are 1. With integer weights, the sums are exact and do not depend on order
 * @returns the fingerprint. A bit whose votes cancel out is 0, so the result for an empty or weightless bag is 0
 * @throws TypeError, RangeError naming `hashes` or `weights`
 * @example
 * ```js
 * simhash([0b001n, 0b011n, 0b111n]); // 0b011n
 * simhash([0b01n, 0b10n], [2, 1]); // 0b01n
 * ```
 */
export function simhash(hashes: Iterable<bigint>, weights?: Iterable<number> | ReadonlyMap<bigint, number>): bigint {
  const packed = pack(hashes, 'hashes');
  const words = simhashWords(unpack(packed), weightsOf(packed, weights));
  return fromWords(words[0], words[1]);
}

/**
 * Returns the fingerprint of a bag whose hashes are given as words.
 *
 * @param weights  one per hash
 * @returns        two words, high first
 */
function simhashWords({ high, low }: Words, weights: Float64Array): Uint32Array {
  const votes = new Float64Array(fingerprintBits);
  for (let i = 0; i < weights.length; i++) {
    addVotes(votes, 0, high[i], weights[i]);
    addVotes(votes, 32, low[i], weights[i]);
  }
  return Uint32Array.of(signs(votes, 0), signs(votes, 32));
}

// Adds the votes of a word of a hash. Bit 31 votes in votes[from], and bit 0 in votes[from + 31].
function addVotes(votes: Float64Array, from: number, word: number, weight: number): void {
  for (let bit = from; bit < from + 32; bit++) {
    votes[bit] += word & 0x80000000 ? weight : -weight;
    word <<= 1;
  }
}

function signs(votes: Float64Array, from: number): number {
  let word = 0;
  for (let bit = from; bit < from + 32; bit++) word = (word << 1) | (votes[bit] > 0 ? 1 : 0);
  return word >>> 0;
}

function weightsOf(
  hashes: BigUint64Array,
  weights: Iterable<number> | ReadonlyMap<bigint, number> | undefined,
): Float64Array {
  if (weights === undefined) return new Float64Array(hashes.length).fill(1);
  checkIterable('weights', weights);
  if (weights instanceof Map) checkWeights('weights', weights as ReadonlyMap<bigint, number>);
  const list =
    weights instanceof Map
      ? Array.from(hashes, (hash) => (weights as ReadonlyMap<bigint, number>).get(hash) ?? 1)
      : [...(weights as Iterable<number>)];
  if (list.length !== hashes.length) {
    throw new RangeError(`weights must hold one number for each of the ${hashes.length} hashes, not ${list.length}.`);
  }
  for (const weight of list) checkWeight('weights', weight);
  // Sums of weights near Number.MAX_VALUE would overflow, so scale them down. Only the ratios of the weights matter.
  const total = list.reduce((sum, weight) => sum + weight, 0);
  return Float64Array.from(list, (weight) => (total < Infinity ? weight : weight / list.length));
}
