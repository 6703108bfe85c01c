// Finds all pairs of fingerprints within a Hamming distance, for the library (src/library/findAll.ts), with the join of
// scans (seeds/join.ts). This is a separate module (pairs.wasm) with its own memory. So the library needs no shared
// memory, which browsers provide only to cross-origin isolated pages.
import { Pair, pairCounts } from './pair';
import { sortByDigit } from './radixSort';
import { itemOf } from './records';
import { joinParts } from './seeds/join';
import { Join } from './seeds/nearPairs';
export { scatter } from './seeds/join';

@unmanaged class FullJoin extends Join {
  @inline write(found: u32, first: u32, i: u32, j: u32): void {
    const a = itemOf<u64>(this.parts, first + i),
      b = itemOf<u64>(this.parts, first + j);
    const pair = itemOf<Pair>(this.pairs, found);
    pair.a = min<u64>(a, b);
    pair.b = max<u64>(a, b);
  }

  @inline keep(_: u32, found: u32): u32 {
    return found;
  }
}

/** Joins fingerprints in any order, and keeps all pairs. Returns false if two fingerprints are equal. */
export function joinAll(join: Join, steps: u32): bool {
  return joinParts<FullJoin>(changetype<FullJoin>(join), steps);
}

const digitBits: u64 = 11;
const digits: u32 = 6;

/**
 * Sorts pairs by their first fingerprint, then by their second.
 *
 * @param other   memory of the same size as `pairs`
 * @param counts  memory of `pairCounts` words
 */
export function sortPairs(pairs: usize, other: usize, count: u32, counts: usize): void {
  // Radix sort, beginning with the lowest digit. The number of passes is even, so the result is in the original memory.
  let from = pairs;
  let to = other;
  for (let digit: u32 = 0; digit < 2 * digits; digit++) {
    const field = digit < digits ? offsetof<Pair>('b') : offsetof<Pair>('a');
    const shift = digitBits * (digit % digits);
    sortByDigit<u64>(from, to, count, offsetof<Pair>(), field, shift, pairCounts - 1, counts);
    const swap = from;
    from = to;
    to = swap;
  }
}
