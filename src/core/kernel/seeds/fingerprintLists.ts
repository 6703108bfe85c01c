// Sorts and compares lists of fingerprints.
import { addressAt, itemOf, setItem } from '../records';

/**
 * Compares two lists of fingerprints. Writes the fingerprints whose number of occurrences differs, in ascending order,
 * and returns their number. Ignores fingerprints that are 0. `scratch` and `out` have 8 bytes for each entry of both
 * lists.
 */
export function changedFingerprints(
  before: usize,
  beforeCount: u32,
  after: usize,
  afterCount: u32,
  scratch: usize,
  out: usize,
): u32 {
  const a = scratch;
  const aCount = sortedCopy(before, beforeCount, a);
  const b = addressAt<u64>(scratch, beforeCount);
  const bCount = sortedCopy(after, afterCount, b);
  let n: u32 = 0;
  for (let i: u32 = 0, j: u32 = 0; i < aCount || j < bCount;) {
    const x = i < aCount ? itemOf<u64>(a, i) : u64.MAX_VALUE;
    const y = j < bCount ? itemOf<u64>(b, j) : u64.MAX_VALUE;
    const smallest = i == aCount ? y : j == bCount ? x : min(x, y);
    const i0 = i,
      j0 = j;
    while (i < aCount && itemOf<u64>(a, i) == smallest) i++;
    while (j < bCount && itemOf<u64>(b, j) == smallest) j++;
    if (i - i0 == j - j0) continue;
    setItem<u64>(out, n, smallest);
    n++;
  }
  return n;
}

function sortedCopy(from: usize, count: u32, to: usize): u32 {
  let n: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const fingerprint = itemOf<u64>(from, i);
    if (!fingerprint) continue;
    setItem<u64>(to, n, fingerprint);
    n++;
  }
  sort(to, n);
  return n;
}

/** Heapsort (Williams 1964): in place, with guaranteed O(n log n). */
export function sort(list: usize, n: u32): void {
  for (let i = n >> 1; i-- > 0;) sift(list, i, n);
  for (let end = n; end-- > 1;) {
    const last = itemOf<u64>(list, end);
    setItem<u64>(list, end, load<u64>(list));
    store<u64>(list, last);
    sift(list, 0, end);
  }
}

function sift(list: usize, start: u32, n: u32): void {
  const value = itemOf<u64>(list, start);
  let at = start;
  for (;;) {
    let child = (at << 1) + 1;
    if (child >= n) break;
    if (child + 1 < n && itemOf<u64>(list, child + 1) > itemOf<u64>(list, child)) child++;
    const greater = itemOf<u64>(list, child);
    if (greater <= value) break;
    setItem<u64>(list, at, greater);
    at = child;
  }
  setItem<u64>(list, at, value);
}
