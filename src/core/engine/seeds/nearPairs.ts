/**
 * Finds all pairs of distinct fingerprints that differ in at most k bits, by permuted tables (Manku, Jain, Das Sarma
 * 2007, section 3). For each fingerprint, returns only its nearest neighbors. The number and order of the tables affect
 * only the time, not the result.
 */
import type { Kernel } from '../kernel.ts';
import { chosenBlocks } from '../../methods/permutation.ts';
import * as layout from '../../kernel/seeds/nearPairsLayout.ts';
import { constants } from '../constants.ts';

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

/** Number of comparisons in one step. It takes a few dozen milliseconds. */
const comparisonsOfStep = 20_000_000;

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
  const limit = maxPartners(n, distance);
  const leftOut = kernel.allocate(64 * 8);
  const truncatedAt = kernel.allocate(4);
  const pairs = kernel.allocate(layout.nearPairsBytes);
  const buckets = Math.max(4, Math.min(24, Math.ceil(Math.log2(n + 1))));
  const starts = kernel.allocate(((1 << buckets) + 1) * 4);
  const places = kernel.allocate(n * 12);
  const table = kernel.allocate(exports.joinTableBytes());
  // Allocate the memory for pairs last. If more is needed, it usually directly follows this memory.
  let room = 2 * Math.ceil(n / 4 + 512);
  let address = kernel.allocate(room * layout.pairBytes);
  let count = 0;
  for (const { mask, earlierMasks: masks } of chosenBlocks(blockCount(n, distance), distance)) {
    new BigUint64Array(kernel.memory.buffer, leftOut, masks.length).set(masks);
    const longest = exports.partTable(fingerprints, n, mask, buckets, places, starts, table) >>> 0;
    const beforeFilling = kernel.mark();
    exports.fillTable(table, kernel.allocate(longest * 12));
    kernel.release(beforeFilling);
    for (let next = 0; next < n;) {
      writeNearPairs(kernel.words, pairs, { address, room, count, next });
      // Request one partner more than needed, to detect that pairs are missing.
      exports.joinRows(table, distance, leftOut, masks.length, limit + 1, comparisonsOfStep, pairs);
      const { words } = kernel;
      const reached = words[(pairs + layout.nearPairsNextAt) >>> 2];
      count = words[(pairs + layout.nearPairsCountAt) >>> 2];
      if (reached === next) {
        const more = 2 * Math.ceil((room + n) / 2);
        if (kernel.allocate(more * layout.pairBytes) !== address + room * layout.pairBytes) {
          const whole = kernel.allocate((room + more) * layout.pairBytes);
          kernel.bytes.copyWithin(whole, address, address + count * layout.pairBytes);
          address = whole;
        }
        room += more;
      }
      next = reached;
      yield;
    }
  }
  const mark = kernel.mark();
  const [other, counts] = [kernel.allocate(count * layout.pairBytes), kernel.allocate(65_536 * 4)];
  const kept = exports.nearestPairs(address, other, count, counts, limit, truncatedAt) >>> 0;
  const truncated = kernel.words[truncatedAt >>> 2];
  kernel.release(mark);
  return { address, count: kept, truncated };
}

/** Fields of the record in src/core/kernel/seeds/nearPairs.ts. */
interface UnfinishedPairs {
  readonly address: number;
  readonly room: number;
  readonly count: number;
  readonly next: number;
}

/** Writes the record of the pairs so far, before each step. */
export function writeNearPairs(words: Uint32Array, record: number, pairs: UnfinishedPairs): void {
  words[(record + layout.nearPairsAddressAt) >>> 2] = pairs.address;
  words[(record + layout.nearPairsRoomAt) >>> 2] = pairs.room;
  words[(record + layout.nearPairsCountAt) >>> 2] = pairs.count;
  words[(record + layout.nearPairsNextAt) >>> 2] = pairs.next;
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
