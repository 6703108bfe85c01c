// Finds all pairs of fingerprints within a Hamming distance. The method is described in src/library/findAll.ts. These
// functions form a separate module (pairs.wasm) with its own memory. So the library needs no shared memory, which
// browsers provide only to cross-origin isolated pages. Fingerprints are u64 and counts are u32. Addresses count bytes.
//
// Scans use a different search (seeds/join.ts), which needs sorted fingerprints and keeps only the nearest partners of
// each. For a million fingerprints in 5 blocks and a distance of 3, that search would take 350 ms of CPU time instead
// of 90 ms.
import { golden64 } from './documents/hashFactors';
import { ChoiceHead, Pair, pairCounts, PairSearch } from './pair';
import { sortByDigit } from './radixSort';
import { addressAt, bytesOf, itemOf, setItem } from './records';
import { agreesOnAny } from './seeds/join';

/**
 * Distributes n fingerprints to 1 << bits parts by a hash of their bits in `mask`.
 *
 * @param starts  (1 << bits) + 1 words: part p has the indices [starts[p], starts[p + 1]) in `parts`
 * @param parts   receives the fingerprints, ordered by part
 * @returns the length of the longest part
 */
export function scatter(fingerprints: usize, n: u32, mask: u64, bits: u32, starts: usize, parts: usize): u32 {
  const shift: u64 = 64 - <u64>bits;
  const size = (<usize>1) << bits;
  const end = addressAt<u64>(fingerprints, n);
  memory.fill(starts, 0, (size + 1) << 2);
  for (let at = fingerprints; at < end; at += 8) {
    const slot = starts + (part(load<u64>(at) & mask, shift) << 2);
    store<u32>(slot, load<u32>(slot) + 1);
  }
  let sum: u32 = 0;
  let longest: u32 = 0;
  for (let slot = starts; slot <= starts + (size << 2); slot += 4) {
    longest = max<u32>(longest, load<u32>(slot));
    sum += load<u32>(slot);
    store<u32>(slot, sum);
  }
  // Parts are filled from the end. At first, starts[p] is the end of part p. When the part is full, starts[p] is its
  // start.
  for (let at = fingerprints; at < end; at += 8) {
    const fingerprint = load<u64>(at);
    const slot = starts + (part(fingerprint & mask, shift) << 2);
    const place = load<u32>(slot) - 1;
    store<u32>(slot, place);
    setItem<u64>(parts, place, fingerprint);
  }
  return longest;
}

@inline function part(masked: u64, shift: u64): usize {
  return <usize>((masked * golden64) >> shift);
}

// Returns the chain of a fingerprint within its part. This hash must differ from the hash that selects the part,
// because all fingerprints of a part have some bits of that hash in common. The constant is one of SplitMix64 (Steele,
// Lea, Flood 2014).
@inline function chain(masked: u64, shift: u64): usize {
  return <usize>(((masked ^ (masked >> 29)) * 0xbf58476d1ce4e5b9) >> shift);
}

/** Maximum number of pairs: 2^28, which is more than fits in memory. */
const tooMany: u32 = 0x1000_0000;

/**
 * Removes duplicate fingerprints. They are always in the same part.
 *
 * @param heads,  next see `PairSearch`
 * @param out     receives the distinct fingerprints, in any order
 * @returns the number of distinct fingerprints
 */
export function distinct(parts: usize, starts: usize, bits: u32, heads: usize, next: usize, out: usize): u32 {
  let left: u32 = 0;
  for (let p: usize = 0; p < (<usize>1) << bits; p++) {
    const start = itemOf<u32>(starts, p);
    const count = load<u32>(starts + (p << 2), 4) - start;
    const fingerprints = addressAt<u64>(parts, start);
    const chainBits = 33 - clz<u32>(count | 1);
    const shift: u64 = 64 - <u64>chainBits;
    memory.fill(heads, 0, (<usize>4) << chainBits);
    for (let i: u32 = 0; i < count; i++) {
      const fingerprint = itemOf<u64>(fingerprints, i);
      const head = heads + (chain(fingerprint, shift) << 2);
      let link = load<u32>(head);
      while (link !== 0 && itemOf<u64>(fingerprints, link - 1) !== fingerprint) {
        link = itemOf<u32>(next, link - 1);
      }
      if (link !== 0) continue;
      setItem<u32>(next, i, load<u32>(head));
      store<u32>(head, i + 1);
      setItem<u64>(out, left, fingerprint);
      left++;
    }
  }
  return left;
}

/**
 * Writes the pairs within the distance whose fingerprints are both in the same one of the parts [firstPart, endPart).
 * For at least one choice, both fingerprints must agree on all bits of its mask, and must differ in each mask that it
 * excludes. Returns false if two fingerprints are equal.
 */
export function joinParts(search: PairSearch, firstPart: u32, endPart: u32): bool {
  const parts = search.parts;
  const starts = search.starts;
  const choices = search.choices;
  const choiceBytes = <usize>search.choiceBytes;
  const choicesEnd = choices + <usize>search.choiceCount * choiceBytes;
  const distance = search.distance;
  const heads = search.heads;
  const next = search.next;
  for (let p: usize = firstPart; p < <usize>endPart; p++) {
    const start = itemOf<u32>(starts, p);
    const count = load<u32>(starts + (p << 2), 4) - start;
    if (count < 2) continue;
    const fingerprints = addressAt<u64>(parts, start);
    // Use between two and four times as many chains as there are fingerprints.
    const chainBits = 33 - clz<u32>(count);
    const shift: u64 = 64 - <u64>chainBits;
    // Process all choices for one part before the next part, while the part is in the nearest cache.
    for (let choice = choices; choice < choicesEnd; choice += choiceBytes) {
      const mask = changetype<ChoiceHead>(choice).mask,
        leftOutCount = <u32>changetype<ChoiceHead>(choice).leftOut,
        leftOut = choice + offsetof<ChoiceHead>();
      memory.fill(heads, 0, (<usize>4) << chainBits);
      let linked = search.linked;
      for (let i: u32 = 0; i < count; i++) {
        const head = heads + (chain(itemOf<u64>(fingerprints, i) & mask, shift) << 2);
        const first = load<u32>(head);
        setItem<u32>(next, i, first);
        store<u32>(head, i + 1);
        // Store without a branch, which would be mispredicted every fifth time.
        store<u32>(linked, i);
        linked += bytesOf<u32>(<usize>(first !== 0));
      }
      for (let at = search.linked; at < linked; at += 4) {
        const i = load<u32>(at);
        const fingerprint = itemOf<u64>(fingerprints, i);
        // A chain contains the earlier fingerprints with the same hash. Links are indices in the part plus one; 0 ends
        // the chain.
        let link = itemOf<u32>(next, i);
        do {
          const other = itemOf<u64>(fingerprints, link - 1);
          const differing = fingerprint ^ other;
          link = itemOf<u32>(next, link - 1);
          if ((differing & mask) !== 0 || <u32>popcnt(differing) > distance) continue;
          if (differing === 0) return false;
          if (agreesOnAny(differing, leftOut, leftOutCount)) continue;
          if (!addPair(search, fingerprint, other)) return true;
        } while (link !== 0);
      }
    }
  }
  return true;
}

/**
 * Compares fingerprints directly: among n fingerprints, writes the pairs within the distance whose first fingerprint
 * has an index in [first, end). Returns false if two fingerprints are equal.
 */
export function compareRows(search: PairSearch, fingerprints: usize, n: u32, first: u32, end: u32): bool {
  const distance = search.distance;
  const firstRow = addressAt<u64>(fingerprints, first);
  const lastRow = addressAt<u64>(fingerprints, end);
  for (let at = firstRow + 8; at < addressAt<u64>(fingerprints, n); at += 8) {
    const fingerprint = load<u64>(at);
    const rowEnd = min<usize>(at, lastRow);
    for (let row = firstRow; row < rowEnd; row += 8) {
      const other = load<u64>(row);
      if (<u32>popcnt(fingerprint ^ other) > distance) continue;
      if (fingerprint === other) return false;
      if (!addPair(search, fingerprint, other)) return true;
    }
  }
  return true;
}

// Counts a pair, and writes it if there is room. Returns false if there are too many pairs.
function addPair(search: PairSearch, a: u64, b: u64): bool {
  if (search.found < search.room) {
    const pair = itemOf<Pair>(search.pairs, search.found);
    pair.a = min<u64>(a, b);
    pair.b = max<u64>(a, b);
  }
  search.found++;
  return search.found !== tooMany;
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
