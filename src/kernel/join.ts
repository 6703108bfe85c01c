// All pairs of fingerprints within a Hamming distance, by permuted tables (Manku, Jain, Das Sarma 2007, section 3):
// the 64 bits are cut into m blocks; two fingerprints within k < m differ in at most k blocks, so they agree on some
// m − k of them. For each choice of m − k blocks the fingerprints are put into buckets by these bits and compared
// within their bucket. Of the pairs each fingerprint keeps the nearest.
//
// A pair is a number of 64 bits, so that pairs in order are by their greater fingerprint, its nearest partners first:
//
//   place of the greater fingerprint, 29 bits | bits that differ, 6 | place of the lesser one, 29

/**
 * Sorts n fingerprints (u64) with their ids (u32) by fingerprint; equal ones keep their order.
 * The other two arrays are of the same size, `counts` has 65,536 words.
 */
export function sortFingerprints(fingerprints: usize, ids: usize, otherFingerprints: usize, otherIds: usize, n: u32, counts: usize): void {
  for (let shift: u64 = 0; shift < 64; shift += 16) {
    memory.fill(counts, 0, 65536 << 2);
    for (let i: u32 = 0; i < n; i++) {
      const slot = counts + (<usize>((load<u64>(fingerprints + (<usize>i << 3)) >> shift) & 0xffff) << 2);
      store<u32>(slot, load<u32>(slot) + 1);
    }
    let sum: u32 = 0;
    for (let slot = counts; slot < counts + (65536 << 2); slot += 4) {
      const count = load<u32>(slot);
      store<u32>(slot, sum);
      sum += count;
    }
    for (let i: u32 = 0; i < n; i++) {
      const fingerprint = load<u64>(fingerprints + (<usize>i << 3));
      const slot = counts + (<usize>((fingerprint >> shift) & 0xffff) << 2);
      const place = load<u32>(slot);
      store<u32>(slot, place + 1);
      store<u64>(otherFingerprints + (<usize>place << 3), fingerprint);
      store<u32>(otherIds + (<usize>place << 2), load<u32>(ids + (<usize>i << 2)));
    }
    const f = fingerprints, d = ids;
    fingerprints = otherFingerprints; ids = otherIds;
    otherFingerprints = f; otherIds = d;
  }
}

const greaterShift: u64 = 35;
const bitsShift: u64 = 29;
const lesserMask: u64 = (1 << 29) - 1;

@inline function pairOf(greater: u32, bits: u32, lesser: u32): u64 {
  return (<u64>greater << greaterShift) | (<u64>bits << bitsShift) | <u64>lesser;
}

@inline export function greaterOf(pair: u64): u32 {
  return <u32>(pair >> greaterShift);
}

@inline export function bitsOf(pair: u64): u32 {
  return <u32>(pair >> bitsShift) & 63;
}

@inline export function lesserOf(pair: u64): u32 {
  return <u32>(pair & lesserMask);
}

/** Where a bucket begins that a fingerprint is in: the buckets of the table that was filled last. */
let tableMask: u64 = 0;
let tableFactor: u64 = 0;
let tableShift: u64 = 0;

/**
 * Fills one table: puts the fingerprints into buckets by their bits in `mask`, for `joinRows`.
 *
 * @param fingerprints  n different fingerprints (u64), ascending
 * @param buckets       log2 of the number of buckets there may be
 * @param starts        (1 << buckets) + 1 words
 * @param places        12 n bytes: the fingerprints by bucket, then where each of them is among all
 */
export function fillTable(fingerprints: usize, n: u32, mask: u64, buckets: u32, starts: usize, places: usize): void {
  // A block that has no more values than there are buckets is the number of its bucket; anything else is hashed.
  const block = mask >> ctz<u64>(mask);
  const isNumber = mask != 0 && (block & (block + 1)) == 0 && popcnt<u64>(mask) <= <u64>buckets;
  const factor: u64 = isNumber ? 1 : 0x9e3779b97f4a7c15;
  const shift: u64 = isNumber ? ctz<u64>(mask) : 64 - <u64>buckets;
  const size = <usize>1 << (isNumber ? <usize>popcnt<u64>(mask) : <usize>buckets);
  const numbers = places + (<usize>n << 3);
  memory.fill(starts, 0, (size + 1) << 2);
  for (let i: u32 = 0; i < n; i++) {
    const slot = starts + (bucketOf(load<u64>(fingerprints + (<usize>i << 3)), mask, factor, shift) << 2);
    store<u32>(slot, load<u32>(slot) + 1);
  }
  let sum: u32 = 0;
  for (let bucket: usize = 0; bucket <= size; bucket++) {
    sum += load<u32>(starts + (bucket << 2));
    store<u32>(starts + (bucket << 2), sum);
  }
  // Filled from the back: starts[bucket] ends as the bucket's first place, and places ascend in each bucket.
  for (let i = n; i-- > 0; ) {
    const fingerprint = load<u64>(fingerprints + (<usize>i << 3));
    const slot = starts + (bucketOf(fingerprint, mask, factor, shift) << 2);
    const place = load<u32>(slot) - 1;
    store<u32>(slot, place);
    store<u64>(places + (<usize>place << 3), fingerprint);
    store<u32>(numbers + (<usize>place << 2), i);
  }
  tableMask = mask;
  tableFactor = factor;
  tableShift = shift;
}

/**
 * The pairs of the table that was filled last: those that agree on all bits of its mask, are within `distance`, and agree
 * on all bits of none of the `earlier` masks (their tables have found them already). Of each fingerprint those with the
 * nearest `most` lesser ones; of equally near ones, with the least.
 *
 * @param earlier  masks (u64): of the tables before this one, or any others of which a pair that one of these tables has
 *                 found agrees on all bits of at least one, and no pair that is left to this table on any
 * @param out      pairs; room for `room` of them
 * @param steps    after about so many comparisons it returns
 * @param progress u32 the fingerprint of `places` to go on with, n after the last; u32 how many pairs there are. It stops
 *                 where there may be no room for the pairs of one fingerprint, which are as many as are before it.
 */
export function joinRows(
  n: u32, distance: u32, earlier: usize, earlierCount: u32, starts: usize, places: usize, most: u32,
  out: usize, room: u32, steps: u32, progress: usize,
): void {
  const mask = tableMask;
  const numbers = places + (<usize>n << 3);
  let found = load<u32>(progress, 4);
  let left = <i64>steps;
  let b = load<u32>(progress);
  for (; b < n && left > 0; b++) {
    const fingerprint = load<u64>(places + (<usize>b << 3));
    const first = load<u32>(starts + (bucketOf(fingerprint, mask, tableFactor, tableShift) << 2));
    left -= <i64>(b - first + 1);
    if (found + (b - first) > room) break;
    const row = found;
    for (let a = first; a < b; a++) {
      const differing = fingerprint ^ load<u64>(places + (<usize>a << 3));
      const bits = <u32>popcnt(differing);
      if (bits > distance || differing & mask) continue;
      if (foundEarlier(differing, earlier, earlierCount)) continue;
      const lesser = load<u32>(numbers + (<usize>a << 2));
      store<u64>(out + (<usize>found << 3), pairOf(load<u32>(numbers + (<usize>b << 2)), bits, lesser));
      found++;
    }
    if (found - row > most) found = row + keepNearest(out + (<usize>row << 3), found - row, most);
  }
  store<u32>(progress, b);
  store<u32>(progress, found, 4);
}

/**
 * Of pairs of one fingerprint, in the order of the others, keeps the `most` nearest, in place and order. Returns `most`,
 * which is less than their number.
 */
function keepNearest(pairs: usize, count: u32, most: u32): u32 {
  // The bits up to which all are kept, and how many of one bit more.
  let farthest: u32 = 0;
  let atFarthest = most;
  for (;;) {
    let these: u32 = 0;
    for (let i: u32 = 0; i < count; i++) if (bitsOf(load<u64>(pairs + (<usize>i << 3))) == farthest) these++;
    if (these >= atFarthest) break;
    atFarthest -= these;
    farthest++;
  }
  let kept: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const pair = load<u64>(pairs + (<usize>i << 3));
    const bits = bitsOf(pair);
    if (bits > farthest || (bits == farthest && !atFarthest)) continue;
    if (bits == farthest) atFarthest--;
    store<u64>(pairs + (<usize>kept << 3), pair);
    kept++;
  }
  return kept;
}

/**
 * Sorts the pairs that all tables have found, and keeps of each fingerprint those with the `most` nearest lesser ones.
 *
 * @param other    room for as many pairs
 * @param counts   65,536 words
 * @param crowded  u32: gets how many fingerprints had more
 * @returns        how many are left
 */
export function nearestPairs(pairs: usize, other: usize, count: u32, counts: usize, most: u32, crowded: usize): u32 {
  sortPairs(pairs, other, count, counts);
  let kept: u32 = 0;
  let crowds: u32 = 0;
  let greater: u32 = 0;
  let ofGreater: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const pair = load<u64>(pairs + (<usize>i << 3));
    if (greaterOf(pair) != greater) {
      greater = greaterOf(pair);
      ofGreater = 0;
    }
    ofGreater++;
    if (ofGreater > most) {
      if (ofGreater == most + 1) crowds++;
      continue;
    }
    store<u64>(pairs + (<usize>kept << 3), pair);
    kept++;
  }
  store<u32>(crowded, crowds);
  return kept;
}

function sortPairs(pairs: usize, other: usize, count: u32, counts: usize): void {
  for (let shift: u64 = 0; shift < 64; shift += 16) {
    memory.fill(counts, 0, 65536 << 2);
    for (let i: u32 = 0; i < count; i++) {
      const slot = counts + (<usize>((load<u64>(pairs + (<usize>i << 3)) >> shift) & 0xffff) << 2);
      store<u32>(slot, load<u32>(slot) + 1);
    }
    let sum: u32 = 0;
    for (let slot = counts; slot < counts + (65536 << 2); slot += 4) {
      const these = load<u32>(slot);
      store<u32>(slot, sum);
      sum += these;
    }
    for (let i: u32 = 0; i < count; i++) {
      const pair = load<u64>(pairs + (<usize>i << 3));
      const slot = counts + (<usize>((pair >> shift) & 0xffff) << 2);
      const place = load<u32>(slot);
      store<u32>(slot, place + 1);
      store<u64>(other + (<usize>place << 3), pair);
    }
    const swapped = pairs;
    pairs = other;
    other = swapped;
  }
}

@inline function bucketOf(fingerprint: u64, mask: u64, factor: u64, shift: u64): usize {
  return <usize>(((fingerprint & mask) * factor) >> shift);
}

@inline function foundEarlier(differing: u64, earlier: usize, count: u32): bool {
  for (let i: u32 = 0; i < count; i++) {
    if (!(differing & load<u64>(earlier + (<usize>i << 3)))) return true;
  }
  return false;
}
