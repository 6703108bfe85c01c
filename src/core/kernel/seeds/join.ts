// Finds all pairs of fingerprints within a Hamming distance by permuted tables (Manku, Jain, Das Sarma 2007, section
// 3). The 64 bits are cut into m blocks. Two fingerprints within a distance k < m differ in at most k blocks, so they
// agree on at least m − k blocks. For each choice of m − k blocks, the fingerprints are put into buckets by the bits of
// these blocks, and compared within each bucket. For each fingerprint, only its nearest partners are kept.
import { golden64 } from '../documents/hashFactors';
import { startsOfCounts, sortByDigit } from '../radixSort';
import { addressAt, bytesOf, itemOf, newRecord, recordBytes, setItem } from '../records';
import { bitsOf, greaterOf, NearPairs, pairBytes, pairOf } from './nearPairs';

/** Maximum number of fingerprints that are sorted by insertion. */
const few: u32 = 24;
const firstDigitBits: u64 = 11;
const digitBits: u64 = 8;
/** Value of `isHome` for entries that are not in the arrays for the result. */
const away: bool = false;

/**
 * Sorts n fingerprints (u64) and their ids (u32) by fingerprint. The sort is stable. It begins with the leading bits
 * (McIlroy, Bostic, McIlroy 1993), so that the remaining sorts are small and local. Beginning with the lowest bits
 * would move millions of entries across the memory four times.
 *
 * The other two arrays have the same size; `counts` has 8,192 words.
 */
export function sortFingerprints(
  fingerprints: usize,
  ids: usize,
  otherFingerprints: usize,
  otherIds: usize,
  n: u32,
  counts: usize,
): void {
  deal(fingerprints, ids, otherFingerprints, otherIds, 0, n, 64 - firstDigitBits, firstDigitBits, counts);
  let start: u32 = 0;
  for (let digit: usize = 0; digit < 1 << (<usize>firstDigitBits); digit++) {
    const end = itemOf<u32>(counts, digit);
    if (end > start)
      sortRest(
        otherFingerprints,
        otherIds,
        fingerprints,
        ids,
        start,
        end,
        away,
        counts + ((<usize>4) << (<usize>firstDigitBits)),
      );
    start = end;
  }
}

/** Sorts [start, end) of `from` into the same range of `to`. If `from` is the array for the result, sorts in place. */
function sortRest(
  from: usize,
  fromIds: usize,
  to: usize,
  toIds: usize,
  start: u32,
  end: u32,
  isHome: bool,
  counts: usize,
): void {
  const first = itemOf<u64>(from, start);
  let differing: u64 = 0;
  if (end - start > few) {
    for (let i = start + 1; i < end; i++) differing |= first ^ itemOf<u64>(from, i);
  }
  if (!differing) {
    if (!isHome) {
      memory.copy(addressAt<u64>(to, start), addressAt<u64>(from, start), bytesOf<u64>(end - start));
      memory.copy(addressAt<u32>(toIds, start), addressAt<u32>(fromIds, start), bytesOf<u32>(end - start));
    }
    if (end - start <= few) insert(isHome ? from : to, isHome ? fromIds : toIds, start, end);
    return;
  }
  // Sort by the digit below the highest bit in which any two differ. The bits above it are equal.
  const highest = 64 - clz<u64>(differing);
  const shift = highest > digitBits ? highest - digitBits : 0;
  deal(from, fromIds, to, toIds, start, end, shift, digitBits, counts);
  let dealt = start;
  for (let digit: usize = 0; digit < 1 << (<usize>digitBits); digit++) {
    const until = itemOf<u32>(counts, digit);
    if (until > dealt)
      sortRest(to, toIds, from, fromIds, dealt, until, !isHome, counts + ((<usize>4) << (<usize>digitBits)));
    dealt = until;
  }
}

/**
 * Moves the entries [start, end) to the other arrays, ordered by one digit. Afterwards, counts[digit] is the position
 * after the last entry with that digit.
 */
function deal(
  from: usize,
  fromIds: usize,
  to: usize,
  toIds: usize,
  start: u32,
  end: u32,
  shift: u64,
  bits: u64,
  counts: usize,
): void {
  const last = ((<u64>1) << bits) - 1;
  memory.fill(counts, 0, bytesOf<u32>(<usize>last + 1));
  for (let i = start; i < end; i++) {
    const slot = addressAt<u32>(counts, <usize>((itemOf<u64>(from, i) >> shift) & last));
    store<u32>(slot, load<u32>(slot) + 1);
  }
  startsOfCounts(counts, <u32>last + 1, start);
  for (let i = start; i < end; i++) {
    const fingerprint = itemOf<u64>(from, i);
    const slot = addressAt<u32>(counts, <usize>((fingerprint >> shift) & last));
    const place = load<u32>(slot);
    store<u32>(slot, place + 1);
    setItem<u64>(to, place, fingerprint);
    setItem<u32>(toIds, place, itemOf<u32>(fromIds, i));
  }
}

function insert(fingerprints: usize, ids: usize, start: u32, end: u32): void {
  for (let i = start + 1; i < end; i++) {
    const fingerprint = itemOf<u64>(fingerprints, i);
    const id = itemOf<u32>(ids, i);
    let at = i;
    for (; at > start && itemOf<u64>(fingerprints, at - 1) > fingerprint; at--) {
      setItem<u64>(fingerprints, at, itemOf<u64>(fingerprints, at - 1));
      setItem<u32>(ids, at, itemOf<u32>(ids, at - 1));
    }
    setItem<u64>(fingerprints, at, fingerprint);
    setItem<u32>(ids, at, id);
  }
}

/**
 * A table with 1 << bits buckets. A fingerprint is in bucket (fingerprint & mask) * factor >> shift. Buckets are filled
 * in parts of 1 << localBits buckets, so that writes stay local.
 */
@unmanaged class JoinTable {
  mask: u64;
  factor: u64;
  shift: u64;
  n: u32;
  /** Address of 12 n bytes: the fingerprints by part, and then the index in the input of each of them. */
  places: usize;
  /** Address of (1 << buckets) + 1 words: the index in `places` of the first fingerprint in each bucket. */
  starts: usize;
  bits: usize;
  localBits: usize;

  /** Address of the indices at the end of `places`. */
  @inline get numbers(): usize {
    return addressAt<u64>(this.places, this.n);
  }
}

const maxPartBits: usize = 10;

/** Returns the size in bytes of a table: its record, followed by the index of the first fingerprint in each part. */
export function joinTableBytes(): usize {
  return recordBytes<JoinTable>() + ((((<usize>1) << maxPartBits) + 1) << 2);
}

/**
 * Begins a table: orders the fingerprints by part. The bits in `mask` determine the bucket of a fingerprint, and the
 * bucket determines the part. The memory at `places` and `starts` must be kept as long as the table.
 *
 * @param fingerprints  n distinct fingerprints (u64), ascending
 * @param buckets       log2 of the maximum number of buckets
 * @param places        12 n bytes, aligned to 8
 * @param starts        (1 << buckets) + 1 words
 * @param address       address of the table: `joinTableBytes()` bytes, aligned to 8
 * @returns the length of the longest part
 */
export function partTable(
  fingerprints: usize,
  n: u32,
  mask: u64,
  buckets: u32,
  places: usize,
  starts: usize,
  address: usize,
): u32 {
  // If the mask is one block with at most as many values as there are buckets, the value is the bucket number.
  // Otherwise, the bits are hashed.
  const block = mask >> ctz<u64>(mask);
  const isNumber = mask != 0 && (block & (block + 1)) == 0 && popcnt<u64>(mask) <= <u64>buckets;
  const factor = isNumber ? 1 : golden64,
    tableShift = isNumber ? ctz<u64>(mask) : 64 - <u64>buckets;
  const bits = isNumber ? <usize>popcnt<u64>(mask) : <usize>buckets;
  const partBits = min<usize>(maxPartBits, bits >> 1),
    localBits = bits - partBits;
  const table = newRecord<JoinTable>(address);
  table.mask = mask;
  table.factor = factor;
  table.shift = tableShift;
  table.bits = bits;
  table.localBits = localBits;
  table.n = n;
  table.places = places;
  table.starts = starts;
  const shift = tableShift + <u64>localBits;
  const parts = partsOf(address);
  const count = (<usize>1) << partBits;
  const numbers = table.numbers;
  memory.fill(parts, 0, (count + 1) << 2);
  for (let i: u32 = 0; i < n; i++) {
    const slot = parts + (bucketOf(itemOf<u64>(fingerprints, i), mask, factor, shift) << 2);
    store<u32>(slot, load<u32>(slot) + 1);
  }
  let sum: u32 = 0;
  let longest: u32 = 0;
  for (let part: usize = 0; part <= count; part++) {
    longest = max(longest, itemOf<u32>(parts, part));
    sum += itemOf<u32>(parts, part);
    setItem<u32>(parts, part, sum);
  }
  // Fill the parts from the end. Then parts[part] ends as the index of the part's first fingerprint, and indices ascend
  // within a part.
  for (let i = n; i-- > 0;) {
    const fingerprint = itemOf<u64>(fingerprints, i);
    const slot = parts + (bucketOf(fingerprint, mask, factor, shift) << 2);
    const place = load<u32>(slot) - 1;
    store<u32>(slot, place);
    setItem<u64>(places, place, fingerprint);
    setItem<u32>(numbers, place, i);
  }
  return longest;
}

/**
 * Returns the address of an array with the index of each part's first fingerprint, followed by the end of the last
 * part.
 */
@inline function partsOf(table: usize): usize {
  return table + recordBytes<JoinTable>();
}

/**
 * Fills a table that `partTable` has begun: orders the fingerprints of each part by bucket. Afterwards, the
 * fingerprints of each bucket ascend.
 *
 * @param scratch  12 bytes for each fingerprint of the longest part
 */
export function fillTable(address: usize, scratch: usize): void {
  const table = changetype<JoinTable>(address);
  const starts = table.starts,
    places = table.places,
    numbers = table.numbers;
  const mask = table.mask,
    factor = table.factor,
    shift = table.shift,
    bits = table.bits,
    localBits = table.localBits;
  const parts = partsOf(address);
  const inPart = (<usize>1) << localBits;
  for (let part: usize = 0; part < (<usize>1) << (bits - localBits); part++) {
    const first = itemOf<u32>(parts, part);
    const count = load<u32>(parts + (part << 2), 4) - first;
    const copied = addressAt<u64>(scratch, count);
    memory.copy(scratch, addressAt<u64>(places, first), bytesOf<u64>(count));
    memory.copy(copied, addressAt<u32>(numbers, first), bytesOf<u32>(count));
    const begin = starts + ((part << localBits) << 2);
    memory.fill(begin, 0, inPart << 2);
    for (let i: u32 = 0; i < count; i++) {
      const slot = starts + (bucketOf(itemOf<u64>(scratch, i), mask, factor, shift) << 2);
      store<u32>(slot, load<u32>(slot) + 1);
    }
    let sum = first;
    for (let slot = begin; slot < begin + (inPart << 2); slot += 4) {
      sum += load<u32>(slot);
      store<u32>(slot, sum);
    }
    for (let i = count; i-- > 0;) {
      const fingerprint = itemOf<u64>(scratch, i);
      const slot = starts + (bucketOf(fingerprint, mask, factor, shift) << 2);
      const place = load<u32>(slot) - 1;
      store<u32>(slot, place);
      setItem<u64>(places, place, fingerprint);
      setItem<u32>(numbers, place, itemOf<u32>(copied, i));
    }
  }
  store<u32>(starts + ((<usize>4) << bits), table.n);
}

/**
 * Writes the pairs of a filled table: fingerprints within `distance` that agree on all bits of the table's mask. Skips
 * pairs that agree on all bits of an `earlier` mask, because an earlier table has found them. For each fingerprint,
 * keeps only the pairs with the `maxPartners` nearest smaller fingerprints. Among equally near ones, the smallest are
 * kept.
 *
 * The function returns if the table has been read, after about `steps` comparisons, or if there may be no room for the
 * next fingerprint, which can have a pair with each smaller fingerprint.
 *
 * @param address  address of the table
 * @param earlier  masks (u64) that exclude pairs, usually those of the previous tables. Each pair that the previous
 *                 tables have found must agree on all bits of at least one of them, and no other pair may
 * @param pairs    receives the pairs, and the index in `places` to continue with
 */
export function joinRows(
  address: usize,
  distance: u32,
  earlier: usize,
  earlierCount: u32,
  maxPartners: u32,
  steps: u32,
  pairs: NearPairs,
): void {
  const table = changetype<JoinTable>(address);
  const mask = table.mask,
    factor = table.factor,
    shift = table.shift,
    n = table.n,
    starts = table.starts,
    places = table.places,
    numbers = table.numbers;
  const out = pairs.address,
    room = pairs.room;
  let found = pairs.count;
  let left = <i64>steps;
  let b = pairs.next;
  for (; b < n && left > 0; b++) {
    const fingerprint = itemOf<u64>(places, b);
    const first = load<u32>(starts + (bucketOf(fingerprint, mask, factor, shift) << 2));
    left -= <i64>(b - first + 1);
    if (found + (b - first) > room) break;
    const row = found;
    for (let a = first; a < b; a++) {
      const differing = fingerprint ^ itemOf<u64>(places, a);
      const bits = <u32>popcnt(differing);
      if (bits > distance || differing & mask) continue;
      if (agreesOnAny(differing, earlier, earlierCount)) continue;
      const lesser = itemOf<u32>(numbers, a);
      setItem<u64>(out, found, pairOf(itemOf<u32>(numbers, b), bits, lesser));
      found++;
    }
    if (found - row > maxPartners) found = row + keepNearest(addressAt<u64>(out, row), found - row, maxPartners);
  }
  pairs.next = b;
  pairs.count = found;
}

/**
 * Keeps the pairs of a fingerprint with its `maxPartners` nearest partners, in place and without changing their order.
 * Among equally near ones, keeps the smallest. The live index uses this rule, too (livePartners.ts). Precondition: the
 * fingerprint has more than `maxPartners` pairs, and its partners ascend. Returns `maxPartners`.
 */
export function keepNearest(pairs: usize, count: u32, maxPartners: u32): u32 {
  // All pairs with at most `maxDistance` differing bits are kept, and `atFarthest` of the pairs with one more bit.
  let maxDistance: u32 = 0;
  let atFarthest = maxPartners;
  for (;;) {
    let these: u32 = 0;
    for (let i: u32 = 0; i < count; i++) if (bitsOf(itemOf<u64>(pairs, i)) == maxDistance) these++;
    if (these >= atFarthest) break;
    atFarthest -= these;
    maxDistance++;
  }
  let kept: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const pair = itemOf<u64>(pairs, i);
    const bits = bitsOf(pair);
    if (bits > maxDistance || (bits == maxDistance && !atFarthest)) continue;
    if (bits == maxDistance) atFarthest--;
    setItem<u64>(pairs, kept, pair);
    kept++;
  }
  return kept;
}

/**
 * Sorts the pairs of all tables. For each fingerprint, keeps the pairs with its `maxPartners` nearest smaller
 * fingerprints.
 *
 * @param other      memory for the same number of pairs
 * @param counts     65,536 words
 * @param truncated  receives the number (u32) of fingerprints that had more than `maxPartners` pairs
 * @returns number of pairs that are kept
 */
export function nearestPairs(
  pairs: usize,
  other: usize,
  count: u32,
  counts: usize,
  maxPartners: u32,
  truncated: usize,
): u32 {
  sortPairs(pairs, other, count, counts);
  let kept: u32 = 0;
  let crowds: u32 = 0;
  let greater: u32 = 0;
  let ofGreater: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const pair = itemOf<u64>(pairs, i);
    if (greaterOf(pair) != greater) {
      greater = greaterOf(pair);
      ofGreater = 0;
    }
    ofGreater++;
    if (ofGreater > maxPartners) {
      if (ofGreater == maxPartners + 1) crowds++;
      continue;
    }
    setItem<u64>(pairs, kept, pair);
    kept++;
  }
  store<u32>(truncated, crowds);
  return kept;
}

function sortPairs(pairs: usize, other: usize, count: u32, counts: usize): void {
  for (let shift: u64 = 0; shift < 64; shift += 16) {
    sortByDigit<u64>(pairs, other, count, pairBytes, 0, shift, 65_535, counts);
    const swapped = pairs;
    pairs = other;
    other = swapped;
  }
}

@inline function bucketOf(fingerprint: u64, mask: u64, factor: u64, shift: u64): usize {
  return <usize>(((fingerprint & mask) * factor) >> shift);
}

/**
 * Returns true if two fingerprints agree on all bits of at least one mask.
 *
 * @param differing  the bits in which the fingerprints differ
 * @param masks      address of `count` masks
 */
@inline export function agreesOnAny(differing: u64, masks: usize, count: u32): bool {
  for (let i: u32 = 0; i < count; i++) if (!(differing & itemOf<u64>(masks, i))) return true;
  return false;
}
