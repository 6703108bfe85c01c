/**
 * Finds all pairs of distinct fingerprints that differ in at most k bits, by permuted tables (Manku, Jain, Das Sarma
 * 2007, section 3). For each fingerprint, returns only its nearest neighbors. The number and order of the tables affect
 * only the time, not the result.
 */
import type { Kernel } from '../kernel.ts';
import * as layout from '../../kernel/seeds/nearPairsLayout.ts';
import { constants } from '../constants.ts';
import { type JoinKernel, joinSteps } from './hammingJoin.ts';

/** Pairs of near fingerprints, sorted by the greater fingerprint of each pair, and then by distance. */
export interface NearPairs {
  readonly address: number;
  readonly count: number;
  /** Number of fingerprints with more than `maxPartners` smaller ones within the distance: some pairs are missing. */
  readonly truncated: number;
}

/**
 * Each of n fingerprints is paired with smaller fingerprints within the distance k, its partners. Returns the maximum
 * number of partners. If there are more, the nearest partners are used; if several are equally near, the smallest.
 *
 * The maximum is large enough that accidental neighbors do not displace a real one. Among n random fingerprints, a
 * fingerprint has about λ = n Σ C(64, i) / 2^64 (i from 0 to k) within k bits: a Poisson variable, which reaches x > λ
 * with a probability of at most e^−λ (eλ / x)^x (Mitzenmacher, Upfal 2005, theorem 5.4). The result is a power of two
 * between `partners` and `maxPartners` of `constants` that less than one in a million fingerprints is expected to
 * exceed. It rarely changes while n grows.
 */
export function maxPartners(n: number, distance: number): number {
  const { partners, maxPartners: limit } = constants.seeds;
  const expected = n * shareWithin(distance);
  let answer: number = partners;
  while (answer < limit && !isRarelyReached(answer, expected)) answer *= 2;
  return answer;
}

/** Returns the share of all 64-bit numbers that are within the distance of a given number. */
function shareWithin(distance: number): number {
  let share = 0;
  let binomial = 2 ** -64;
  for (let bits = 0; bits <= distance; bits++) {
    share += binomial;
    binomial = (binomial * (64 - bits)) / (bits + 1);
  }
  return share;
}

/** Returns true if the probability that a Poisson variable with this mean reaches x is below one in a million. */
function isRarelyReached(x: number, mean: number): boolean {
  return x > mean && x - mean + x * Math.log(mean / x) < Math.log(1e-6);
}

/**
 * Finds the near pairs among n distinct, ascending fingerprints, in steps. The memory allocated here is not released.
 *
 * @param distance  1 to 16
 */
export function* findNearPairsSteps(
  kernel: Kernel,
  fingerprints: number,
  n: number,
  distance: number,
): Generator<void, NearPairs> {
  const { exports } = kernel;
  const partners = maxPartners(n, distance);
  const blocks = blockCount(n, distance);
  // Request one partner more than needed, to detect that pairs are missing.
  const input = { fingerprints, n, blocks, distance, pairBytes: layout.pairBytes, maxPartners: partners + 1 };
  const { address, count } = (yield* joinSteps(scanJoin(kernel), input))!;
  const mark = kernel.mark();
  const [other, counts] = [kernel.allocate(count * layout.pairBytes), kernel.allocate(65_536 * 4)];
  const truncatedAt = kernel.allocate(4);
  const kept = exports.nearestPairs(address, other, count, counts, partners, truncatedAt) >>> 0;
  const truncated = kernel.words[truncatedAt >>> 2];
  kernel.release(mark);
  return { address, count: kept, truncated };
}

/** Returns the join of a scan, which keeps the nearest partners of each fingerprint. */
export function scanJoin(kernel: Kernel): JoinKernel {
  const { memory, exports } = kernel;
  return { memory, allocate: (size) => kernel.allocate(size), scatter: exports.scatter, join: exports.joinNearest };
}

const maxTables = 5_000;
/** Cost of one fingerprint in one table. The unit is the cost of comparing two fingerprints. See bench/results. */
const stepsPerFingerprint = 12;

/**
 * Returns the number of blocks into which the 64 bits are divided. Chooses the cheapest number for n random
 * fingerprints. More blocks give longer keys and smaller buckets, but also more tables. Each table costs some steps per
 * fingerprint, and one step per pair in a bucket. If the number of blocks equals the distance, there is one table
 * without a key, and all pairs are compared.
 */
export function blockCount(n: number, distance: number): number {
  let best = distance;
  let minCost = (n * n) / 2;
  let tables = 1;
  for (let blocks = distance + 1; blocks <= 64; blocks++) {
    tables = (tables * blocks) / (blocks - distance);
    if (tables > maxTables) break;
    const keyBits = (64 * (blocks - distance)) / blocks;
    const cost = tables * (stepsPerFingerprint * n + (n * n) / 2 / 2 ** keyBits);
    if (cost < minCost) [best, minCost] = [blocks, cost];
  }
  return best;
}
