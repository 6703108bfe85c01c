// Sorts and compares lists of fingerprints.

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
  const b = scratch + ((<usize>beforeCount) << 3);
  const bCount = sortedCopy(after, afterCount, b);
  let n: u32 = 0;
  for (let i: u32 = 0, j: u32 = 0; i < aCount || j < bCount;) {
    const x = i < aCount ? load<u64>(a + ((<usize>i) << 3)) : u64.MAX_VALUE;
    const y = j < bCount ? load<u64>(b + ((<usize>j) << 3)) : u64.MAX_VALUE;
    const least = i == aCount ? y : j == bCount ? x : min(x, y);
    const i0 = i,
      j0 = j;
    while (i < aCount && load<u64>(a + ((<usize>i) << 3)) == least) i++;
    while (j < bCount && load<u64>(b + ((<usize>j) << 3)) == least) j++;
    if (i - i0 == j - j0) continue;
    store<u64>(out + ((<usize>n) << 3), least);
    n++;
  }
  return n;
}

function sortedCopy(from: usize, count: u32, to: usize): u32 {
  let n: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const fingerprint = load<u64>(from + ((<usize>i) << 3));
    if (!fingerprint) continue;
    store<u64>(to + ((<usize>n) << 3), fingerprint);
    n++;
  }
  sort(to, n);
  return n;
}

/** Heapsort (Williams 1964): in place, with guaranteed O(n log n). */
export function sort(list: usize, n: u32): void {
  for (let i = n >> 1; i-- > 0;) sift(list, i, n);
  for (let end = n; end-- > 1;) {
    const last = load<u64>(list + ((<usize>end) << 3));
    store<u64>(list + ((<usize>end) << 3), load<u64>(list));
    store<u64>(list, last);
    sift(list, 0, end);
  }
}

function sift(list: usize, start: u32, n: u32): void {
  const value = load<u64>(list + ((<usize>start) << 3));
  let at = start;
  for (;;) {
    let child = (at << 1) + 1;
    if (child >= n) break;
    if (child + 1 < n && load<u64>(list + ((<usize>(child + 1)) << 3)) > load<u64>(list + ((<usize>child) << 3)))
      child++;
    const greater = load<u64>(list + ((<usize>child) << 3));
    if (greater <= value) break;
    store<u64>(list + ((<usize>at) << 3), greater);
    at = child;
  }
  store<u64>(list + ((<usize>at) << 3), value);
}
