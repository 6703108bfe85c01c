// Finds all pairs of fingerprints within a Hamming distance by permuted tables (Manku, Jain, Das Sarma 2007, section
// 3). The 64 bits are cut into m blocks. Two fingerprints within a distance k < m differ in at most k blocks, so they
// agree on at least m − k blocks. For each choice of m − k blocks, the fingerprints are put into buckets by the bits of
// these blocks, and compared within each bucket. Choices that begin with the same blocks share the first step:
//
//   m = 5, k = 3:   A ─┬─ B        1. scatter all fingerprints by a hash of block A into parts that fit the
//                      ├─ C           nearest cache; then of B, of C, of D
//                      ├─ D        2. in each part, chain those that agree on A and B as well; then, while
//                      └─ E           the part is in that cache, on A and C; …
//                   B ─┬─ C …
//
// A pair that agrees on several choices is found only with the first of them. This is the choice for which the pair
// does not agree on any earlier block outside of the choice. A scan keeps only the nearest partners of each fingerprint
// (`joinNearest`); the library keeps all pairs (pairs.ts).
import { golden64 } from '../documents/hashFactors';
import { startsOfCounts, sortByDigit } from '../radixSort';
import { addressAt, bytesOf, itemOf, setItem } from '../records';
import { bitsOf, ChoiceHead, greaterOf, Join, pairBytes, pairOf } from './nearPairs';

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
 * Distributes n fingerprints to the parts of a join by a hash of their bits in `mask`. The order within a part stays.
 * The join then begins with the first part.
 *
 * @param mask  bits that all of the join's choices have in common
 * @returns the length of the longest part
 */
export function scatter(join: Join, fingerprints: usize, n: u32, mask: u64): u32 {
  const parts = join.parts,
    starts = join.starts,
    numbers = join.numbers;
  const shift: u64 = 64 - <u64>join.partBits;
  const partCount = (<usize>1) << (<usize>join.partBits);
  memory.fill(starts, 0, bytesOf<u32>(partCount + 1));
  for (let at = fingerprints, end = addressAt<u64>(fingerprints, n); at < end; at += 8) {
    const slot = addressAt<u32>(starts, partOf(load<u64>(at) & mask, shift));
    store<u32>(slot, load<u32>(slot) + 1);
  }
  let sum: u32 = 0;
  let longest: u32 = 0;
  for (let slot = starts; slot <= addressAt<u32>(starts, partCount); slot += 4) {
    longest = max<u32>(longest, load<u32>(slot));
    sum += load<u32>(slot);
    store<u32>(slot, sum);
  }
  // Parts are filled from the end. At first, starts[p] is the end of part p. When the part is full, starts[p] is its
  // start.
  for (let i = n; i-- > 0;) {
    const fingerprint = itemOf<u64>(fingerprints, i);
    const slot = addressAt<u32>(starts, partOf(fingerprint & mask, shift));
    const place = load<u32>(slot) - 1;
    store<u32>(slot, place);
    setItem<u64>(parts, place, fingerprint);
    if (numbers) setItem<u32>(numbers, place, i);
  }
  join.part = 0;
  join.choice = 0;
  join.reached = 0;
  return longest;
}

@inline function partOf(masked: u64, shift: u64): usize {
  return <usize>((masked * golden64) >> shift);
}

// Returns the chain of a fingerprint within its part. This hash must differ from the hash that selects the part,
// because all fingerprints of a part have some bits of that hash in common. The constant is one of SplitMix64 (Steele,
// Lea, Flood 2014).
@inline function chainOf(masked: u64, shift: u64): usize {
  return <usize>(((masked ^ (masked >> 29)) * 0xbf58476d1ce4e5b9) >> shift);
}

/**
 * Writes the pairs within the distance whose fingerprints are both in the same part. For at least one choice, both
 * fingerprints must agree on all bits of its mask, and must differ in each mask that it excludes.
 *
 * Returns after about `steps` steps, or if there may be no room for the next fingerprint, which can have a pair with
 * each earlier fingerprint of its part. The join is complete when `part` is the number of parts. The result is false if
 * two fingerprints are equal.
 *
 * @param join  has the methods write(found, first, i, j), which writes the pair of the fingerprints i and j of a
 *              part that begins at `first`, and keep(row, found), which may drop pairs of the same fingerprint
 */
@inline export function joinParts<Joined>(join: Joined, steps: u32): bool {
  const room = join.room;
  const partCount: u32 = (<u32>1) << join.partBits;
  let found = join.count;
  join.isFull = 0;
  join.left = <i32>steps;
  for (let p = join.part; p < partCount; p++) {
    const first = itemOf<u32>(join.starts, p);
    const count = itemOf<u32>(join.starts, p + 1) - first;
    if (count < 2) continue;
    // Process all choices for one part before the next part, while the part is in the nearest cache.
    for (; join.choice < join.choiceCount; join.choice++) {
      const choice = changetype<ChoiceHead>(join.choices + <usize>join.choice * <usize>join.choiceBytes);
      if (!join.reached) {
        join.linkedEnd = linkChains(changetype<Join>(join), first, count, choice.mask);
        join.reached = join.linked;
        join.left -= count;
      }
      const linkedEnd = join.linkedEnd;
      for (let at = join.reached; at < linkedEnd; at += 4) {
        const i = load<u32>(at);
        const isFull = found + i > room;
        if (isFull || join.left <= 0) {
          join.isFull = <u32>isFull;
          join.part = p;
          join.reached = at;
          join.count = found;
          return true;
        }
        const row = found;
        found = choice.mask ? joinChain<Joined>(join, choice, first, i, row) : joinEarlier<Joined>(join, first, i, row);
        if (found == hasEqual) return false;
        found = join.keep(row, found);
      }
      join.reached = 0;
    }
    join.choice = 0;
  }
  join.part = partCount;
  join.count = found;
  return true;
}

/** Result of a row instead of a number of pairs, if two fingerprints are equal. */
const hasEqual: u32 = u32.MAX_VALUE;

/**
 * Compares the fingerprint i of a part with the earlier ones in its chain. Returns the number of all pairs, which was
 * `found` before.
 */
@inline function joinChain<Joined>(join: Joined, choice: ChoiceHead, first: u32, i: u32, found: u32): u32 {
  const fingerprints = addressAt<u64>(join.parts, first),
    next = join.next,
    distance = join.distance;
  const mask = choice.mask,
    leftOut = changetype<usize>(choice) + offsetof<ChoiceHead>(),
    leftOutCount = <u32>choice.leftOut;
  const fingerprint = itemOf<u64>(fingerprints, i);
  // Links are indices in the part plus one; 0 ends the chain.
  let link = itemOf<u32>(next, i);
  do {
    const j = link - 1;
    const differing = fingerprint ^ itemOf<u64>(fingerprints, j);
    link = itemOf<u32>(next, j);
    join.left--;
    if (differing & mask || <u32>popcnt(differing) > distance) continue;
    if (!differing) return hasEqual;
    if (agreesOnAny(differing, leftOut, leftOutCount)) continue;
    join.write(found, first, i, j);
    found++;
  } while (link);
  return found;
}

/** Compares the fingerprint i of a part with all earlier ones, for a choice without blocks. */
@inline function joinEarlier<Joined>(join: Joined, first: u32, i: u32, found: u32): u32 {
  const fingerprints = addressAt<u64>(join.parts, first),
    distance = join.distance;
  const fingerprint = itemOf<u64>(fingerprints, i);
  join.left -= i;
  for (let j = i; j-- > 0;) {
    const differing = fingerprint ^ itemOf<u64>(fingerprints, j);
    if (<u32>popcnt(differing) > distance) continue;
    if (!differing) return hasEqual;
    join.write(found, first, i, j);
    found++;
  }
  return found;
}

/**
 * Puts the fingerprints of a part into chains by a hash of their bits in `mask`. Writes the indices of those with an
 * earlier one in their chain to `linked`, and returns the end of this list.
 */
@inline function linkChains(join: Join, first: u32, count: u32, mask: u64): usize {
  const fingerprints = addressAt<u64>(join.parts, first),
    heads = join.heads,
    next = join.next;
  let linked = join.linked;
  // Use between two and four times as many chains as there are fingerprints.
  const chainBits = 33 - clz<u32>(count);
  const shift: u64 = 64 - <u64>chainBits;
  memory.fill(heads, 0, (<usize>4) << chainBits);
  for (let i: u32 = 0; i < count; i++) {
    const head = addressAt<u32>(heads, chainOf(itemOf<u64>(fingerprints, i) & mask, shift));
    const earlier = load<u32>(head);
    setItem<u32>(next, i, earlier);
    store<u32>(head, i + 1);
    // Store without a branch, which would be mispredicted every fifth time.
    store<u32>(linked, i);
    linked += bytesOf<u32>(<usize>(earlier !== 0));
  }
  return linked;
}

/** A join of a scan. Its fingerprints ascend, so that of each pair, the later one is greater. */
@unmanaged class NearestJoin extends Join {
  @inline write(found: u32, first: u32, i: u32, j: u32): void {
    const bits = <u32>popcnt(itemOf<u64>(this.parts, first + i) ^ itemOf<u64>(this.parts, first + j));
    const greater = itemOf<u32>(this.numbers, first + i),
      lesser = itemOf<u32>(this.numbers, first + j);
    setItem<u64>(this.pairs, found, pairOf(greater, bits, lesser));
  }

  /** Keeps the pairs with the nearest partners of a fingerprint. Returns the number of pairs of all fingerprints. */
  @inline keep(row: u32, found: u32): u32 {
    if (found - row <= this.maxPartners) return found;
    const pairs = addressAt<u64>(this.pairs, row);
    reverse(pairs, found - row);
    return row + keepNearest(pairs, found - row, this.maxPartners);
  }
}

function reverse(pairs: usize, count: u32): void {
  for (let i: u32 = 0, j = count; i < --j; i++) {
    const pair = itemOf<u64>(pairs, i);
    setItem<u64>(pairs, i, itemOf<u64>(pairs, j));
    setItem<u64>(pairs, j, pair);
  }
}

/**
 * Joins distinct ascending fingerprints. For each fingerprint and choice, keeps only the pairs with the `maxPartners`
 * nearest smaller fingerprints. Among equally near ones, the smallest are kept.
 */
export function joinNearest(join: Join, steps: u32): bool {
  return joinParts<NearestJoin>(changetype<NearestJoin>(join), steps);
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

/**
 * Returns true if two fingerprints agree on all bits of at least one mask.
 *
 * @param differing  the bits in which the fingerprints differ
 * @param masks      address of `count` masks
 */
@inline function agreesOnAny(differing: u64, masks: usize, count: u32): bool {
  for (let i: u32 = 0; i < count; i++) if (!(differing & itemOf<u64>(masks, i))) return true;
  return false;
}
