/**
 * Finds all pairs of fingerprints within k bits (the batch version of Manku, Jain, Das Sarma 2007, section 3.2). For
 * each choice of m − k of the m blocks, compares the fingerprints that agree on these blocks. Every pair within k bits
 * agrees on at least one choice. Scans use the same join (src/core/engine/seeds/hammingJoin.ts).
 */
import wasm from '../core/kernel/pairs.wasm';
import { pairBytes, pairCounts } from '../core/kernel/pairLayout.ts';
import { type JoinInput, joinSteps } from '../core/engine/seeds/hammingJoin.ts';
import { lastOf } from '../core/engine/steps.ts';
import type { PairsExports } from '../core/kernel/pairsExports.ts';
import { fromWords, hammingDistance, pack, repack, sortedDistinct, unpack } from '../core/methods/bits.ts';
import { checkDesign, tableCount } from '../core/methods/permutation.ts';

/** Maximum number of fingerprints at which comparing all pairs is faster than setting up the kernel. */
const fewFingerprints = 256;
/** Maximum number of fingerprints: 2^26, so that everything fits in 4 GiB. */
const maxFingerprints = 0x4000000;
/**
 * Cost of processing one fingerprint in a table, and cost of one pair that agrees on the table's blocks, both in
 * comparisons of a pair. The measured times are 6, 2, and 0.6 ns (bench/results/2026-11-21-find-all.md).
 */
const stepCost = 10;
const linkCost = 3;

/**
 * Returns every unordered pair of distinct fingerprints that differ in at most `distance` bits. `blocks` affects only
 * the time, not the result. The best value is distance + 1 for hundreds of thousands of fingerprints and distance + 2
 * for millions; more blocks help only beyond that (`npm run bench -- find-all`).
 *
 * Cost: C(blocks, blocks − distance) × n steps of about 6 ns, and one step for each pair that agrees on a choice of
 * blocks. If comparing all pairs costs less, all pairs are compared instead. Memory: about 20 bytes for each
 * fingerprint and 32 for each pair.
 *
 * @param hashes    fewer than 2^26; repetitions do not matter; a BigUint64Array is fastest
 * @param blocks    1 to 64, more than `distance`, with at most 100,000 choices
 * @param distance  0 to 63
 * @returns pairs [a, b] with a < b, ascending by a, then b; empty for fewer than two distinct fingerprints
 * @throws TypeError, RangeError naming `hashes`, `blocks` or `distance`
 * @example
 * ```js
 * findAll([0b0000n, 0b0011n, 0b1111n], 4, 2); // [[0n, 3n], [3n, 15n]]
 * ```
 */
export function findAll(hashes: Iterable<bigint>, blocks: number, distance: number): [bigint, bigint][] {
  checkDesign(blocks, distance);
  const pairs = findPairs(pack(hashes, 'hashes'), blocks, distance);
  return Array.from({ length: pairs.length / 2 }, (_, i) => [pairs[2 * i], pairs[2 * i + 1]]);
}

/**
 * Same as `findAll`, with packed arguments and results. The result contains a and b of each pair, one pair after the
 * other.
 *
 * @param hashes   not changed
 * @param blocks,  distance a design that `checkDesign` accepts
 * @throws RangeError if there are 2^26 hashes or more
 */
export function findPairs(hashes: BigUint64Array, blocks: number, distance: number): BigUint64Array {
  if (hashes.length >= maxFingerprints) {
    throw new RangeError(`hashes must be fewer than ${maxFingerprints}, not ${hashes.length}.`);
  }
  if (distance === 0) return new BigUint64Array(0);
  if (hashes.length <= fewFingerprints) return compareFew(hashes, distance);
  // If comparing all pairs costs less than tables, use a single table, whose key has no blocks.
  const design = { blocks: comparesAll(hashes.length, blocks, distance) ? distance : blocks, distance };
  return joinAll(hashes, design) ?? joinAll(repack(sortedDistinct(unpack(hashes))), design)!;
}

/** Returns true if comparing all pairs of n random fingerprints costs less than searching them with tables. */
export function comparesAll(n: number, blocks: number, distance: number): boolean {
  const all = (n * n) / 2;
  const keyBits = (64 * (blocks - distance)) / blocks;
  return tableCount(blocks, distance) * (stepCost * n + (linkCost * all) / 2 ** keyBits) > all;
}

function compareFew(hashes: BigUint64Array, distance: number): BigUint64Array {
  const { high, low } = sortedDistinct(unpack(hashes));
  const pairs: bigint[] = [];
  for (let i = 0; i < high.length; i++) {
    for (let j = i + 1; j < high.length; j++) {
      if (hammingDistance(high[i], low[i], high[j], low[j]) > distance) continue;
      pairs.push(fromWords(high[i], low[i]), fromWords(high[j], low[j]));
    }
  }
  return BigUint64Array.from(pairs);
}

const pairsModule = new WebAssembly.Module(wasm);
const pageBytes = 65_536;
const maxPages = 65_536;

/** Returns the pairs within the distance, sorted. Returns `undefined` if it finds equal fingerprints. */
function joinAll(hashes: BigUint64Array, design: Pick<JoinInput, 'blocks' | 'distance'>): BigUint64Array | undefined {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: maxPages });
  const { exports } = new WebAssembly.Instance(pairsModule, { env: { memory } }) as unknown as {
    exports: PairsExports;
  };
  // The first bytes are reserved for constants of the kernel.
  let usedBytes = 1024;
  const allocate = (size: number): number => {
    const address = usedBytes;
    usedBytes += Math.ceil(size / 16) * 16;
    if (usedBytes > maxPages * pageBytes) {
      throw new RangeError('hashes have more pairs within the distance than fit in 4 GiB.');
    }
    const missing = usedBytes - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / pageBytes));
    return address;
  };
  const n = hashes.length;
  const fingerprints = allocate(8 * n);
  new BigUint64Array(memory.buffer, fingerprints, n).set(hashes);
  const kernel = { memory, allocate, scatter: exports.scatter, join: exports.joinAll };
  const input = { fingerprints, n, pairBytes, maxPartners: undefined, ...design };
  const found = lastOf(joinSteps(kernel, input));
  if (found === undefined) return undefined;
  const { address, count } = found;
  exports.sortPairs(address, allocate(pairBytes * count), count, allocate(4 * pairCounts));
  return new BigUint64Array(memory.buffer, address, 2 * count).slice();
}
