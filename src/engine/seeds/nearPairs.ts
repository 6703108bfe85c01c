/**
 * Near fingerprints: all pairs of different ones within k bits, by permuted tables (Manku, Jain, Das Sarma 2007,
 * section 3), and of each fingerprint the nearest of them. The tables, their number and their order decide how long that
 * takes and never what is found.
 */
import type { Kernel } from '../kernel.ts';
import { chosenBlocks } from '../../methods/permutation.ts';
import { tuning } from '../tuning.ts';

/** Bytes of a pair: see src/kernel/seeds/join.ts. */
const pairBytes = 8;

/** The places of both fingerprints of a pair, from its two words. */
export function placesOfPair(low: number, high: number): { readonly greater: number; readonly lesser: number } {
  return { greater: high >>> 3, lesser: low & 0x1fff_ffff };
}

/** Pairs of fingerprints, in order: by their greater one, and for each its nearest partners first. */
export interface NearPairs {
  readonly address: number;
  readonly count: number;
  /** How many fingerprints have more lesser ones within the distance than `mostPartners`, so that some are left out. */
  readonly truncated: number;
}

/**
 * How many lesser ones within the distance k each of n fingerprints is paired with at most; the nearest ones, and of those
 * that are equally near the least.
 *
 * So many that fingerprints by chance do not crowd a real neighbour out. Of n random ones, a fingerprint has about
 * λ = n Σ C(64, i) / 2^64 (i from 0 to k) within k bits: a Poisson variable, which reaches x > λ with a probability of
 * e^−λ (eλ / x)^x at most (Mitzenmacher, Upfal 2005, theorem 5.4). The answer is a power of two for which fewer than one
 * in a million of n fingerprints is expected to have more, from `partners` to `mostPartners` of `tuning`. It changes
 * seldom while n grows.
 */
export function mostPartners(n: number, distance: number): number {
  const { partners, mostPartners: most } = tuning.seeds;
  const expected = n * shareWithin(distance);
  let answer: number = partners;
  while (answer < most && !isRarelyReached(answer, expected)) answer *= 2;
  return answer;
}

/** The share of all 64-bit numbers that are within the distance of one. */
function shareWithin(distance: number): number {
  let share = 0;
  let binomial = 2 ** -64;
  for (let bits = 0; bits <= distance; bits++) {
    share += binomial;
    binomial = (binomial * (64 - bits)) / (bits + 1);
  }
  return share;
}

/** Whether a Poisson variable of this mean reaches x in less than one of a million cases. */
function isRarelyReached(x: number, mean: number): boolean {
  return x > mean && x - mean + x * Math.log(mean / x) < Math.log(1e-6);
}

/** Comparisons between two steps: some dozens of milliseconds. */
const comparisonsOfStep = 20_000_000;

/**
 * The pairs of n different, ascending fingerprints, step by step. They and what was needed for them are allocated and not
 * given back.
 *
 * @param distance  1 to 16
 * @param most      how many lesser ones each is paired with
 */
export function* findNearPairsSteps(
  kernel: Kernel,
  fingerprints: number,
  n: number,
  distance: number,
  most = mostPartners(n, distance),
): Generator<void, NearPairs> {
  const { exports } = kernel;
  const leftOut = kernel.allocate(64 * 8);
  const progress = kernel.allocate(16);
  const buckets = Math.max(4, Math.min(24, Math.ceil(Math.log2(n + 1))));
  const starts = kernel.allocate(((1 << buckets) + 1) * 4);
  const places = kernel.allocate(n * 12);
  const parts = kernel.allocate(exports.partWords() * 4);
  // Allocated last, so that more room mostly lies right behind.
  let room = 2 * Math.ceil(n / 4 + 512);
  let address = kernel.allocate(room * pairBytes);
  let count = 0;
  for (const { mask, leftOut: masks } of chosenBlocks(blockCount(n, distance), distance)) {
    new BigUint64Array(kernel.memory.buffer, leftOut, masks.length).set(masks);
    const longest = exports.partTable(fingerprints, n, mask, buckets, places, parts) >>> 0;
    const beforeFilling = kernel.mark();
    exports.fillTable(n, starts, places, parts, kernel.allocate(longest * 12));
    kernel.release(beforeFilling);
    for (let next = 0; next < n;) {
      kernel.words.set([next, count], progress >>> 2);
      exports.joinRows(
        // One more than are kept, so that crowds are told from those that are just full.
        n,
        distance,
        leftOut,
        masks.length,
        starts,
        places,
        most + 1,
        address,
        room,
        comparisonsOfStep,
        progress,
      );
      const [reached, found] = kernel.words.subarray(progress >>> 2, (progress >>> 2) + 2);
      if (reached === next) {
        const more = 2 * Math.ceil((room + n) / 2);
        if (kernel.allocate(more * pairBytes) !== address + room * pairBytes) {
          const whole = kernel.allocate((room + more) * pairBytes);
          kernel.bytes.copyWithin(whole, address, address + found * pairBytes);
          address = whole;
        }
        room += more;
      }
      [next, count] = [reached, found];
      yield;
    }
  }
  const mark = kernel.mark();
  const [other, counts] = [kernel.allocate(count * pairBytes), kernel.allocate(65_536 * 4)];
  const kept = exports.nearestPairs(address, other, count, counts, most, progress) >>> 0;
  const truncated = kernel.words[progress >>> 2];
  kernel.release(mark);
  return { address, count: kept, truncated };
}

/** How many tables a design may have at most. */
const mostTables = 5_000;
/** Tables times fingerprints that cost as much as one comparison of two in a bucket: see bench/results. */
const stepsPerFingerprint = 12;

/**
 * The blocks that the 64 bits are cut into, chosen by what comparing n random fingerprints costs: each table takes some
 * steps for every fingerprint, and one for every pair in a bucket. More blocks make longer keys and smaller buckets, but
 * more tables; as many as the distance make one table without a key, in which each is compared with each.
 */
export function blockCount(n: number, distance: number): number {
  let best = distance;
  let least = (n * n) / 2;
  let tables = 1;
  for (let blocks = distance + 1; blocks <= 64; blocks++) {
    tables = (tables * blocks) / (blocks - distance);
    if (tables > mostTables) break;
    const keyBits = (64 * (blocks - distance)) / blocks;
    const cost = tables * (stepsPerFingerprint * n + (n * n) / 2 / 2 ** keyBits);
    if (cost < least) [best, least] = [blocks, cost];
  }
  return best;
}
