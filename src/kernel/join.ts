// All pairs of fingerprints within a Hamming distance, by permuted tables (Manku, Jain, Das Sarma 2007, section 3):
// the 64 bits are cut into m blocks; two fingerprints within k < m differ in at most k blocks, so they agree on some
// m − k of them. For each choice of m − k blocks the fingerprints are put into buckets by these bits and compared
// within their bucket.

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

/**
 * The pairs of one table: those that agree on all bits of `mask`, are within `distance`, and agree on all bits of none
 * of the `earlier` masks (their tables have found them already).
 *
 * @param fingerprints  n different fingerprints (u64)
 * @param buckets       log2 of the number of buckets there may be
 * @param earlier       masks (u64): of the tables before this one, or any others of which a pair that one of these tables has
 *                      found agrees on all bits of at least one, and no pair that is left to this table on any
 * @param starts        (1 << buckets) + 1 words
 * @param places        12 n bytes: the fingerprints by bucket, then where each of them is among all
 * @param most          at most so many pairs with an earlier fingerprint for each: 0xffffffff gives all of them; fewer keep a
 *                      crowd of n near fingerprints from making n² pairs, and still link it together
 * @param out           records of 12 bytes: i, j (i < j), bits that differ; room for `room` of them
 * @returns             how many pairs there are from `found` on; those past `room` are counted, not written
 */
export function joinTable(
  fingerprints: usize, n: u32, distance: u32, mask: u64, earlier: usize, earlierCount: u32,
  buckets: u32, starts: usize, places: usize, most: u32, out: usize, room: u32, found: u32,
): u32 {
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
    const slot = starts + (bucketOf(load<u64>(fingerprints + (<usize>i << 3)), mask, factor, shift) << 2);
    const place = load<u32>(slot) - 1;
    store<u32>(slot, place);
    store<u64>(places + (<usize>place << 3), load<u64>(fingerprints + (<usize>i << 3)));
    store<u32>(numbers + (<usize>place << 2), i);
  }
  for (let bucket: usize = 0; bucket < size; bucket++) {
    const first = load<u32>(starts + (bucket << 2));
    const end = load<u32>(starts + (bucket << 2), 4);
    for (let b = first + 1; b < end; b++) {
      const fingerprint = load<u64>(places + (<usize>b << 3));
      let partners: u32 = 0;
      for (let a = first; a < b && partners < most; a++) {
        const differing = fingerprint ^ load<u64>(places + (<usize>a << 3));
        const bits = <u32>popcnt(differing);
        if (bits > distance || differing & mask) continue;
        if (foundEarlier(differing, earlier, earlierCount)) continue;
        if (found < room) {
          const record = out + <usize>found * 12;
          store<u32>(record, load<u32>(numbers + (<usize>a << 2)));
          store<u32>(record, load<u32>(numbers + (<usize>b << 2)), 4);
          store<u32>(record, bits, 8);
        }
        found++;
        partners++;
      }
    }
  }
  return found;
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
