// All pairs of fingerprints within a Hamming distance, as src/engine/findAll.ts asks for them: that file has the method.
// These functions are a module of their own (pairs.wasm) with a memory of their own, so that the library needs no shared
// memory, which browsers give only to isolated pages. Fingerprints are u64, places and counts u32; addresses are of bytes.

/** Words of `counts` that `sort` needs: one for each of 2,048 values of each of 6 digits of 11 bits. */
const digitValues: u32 = 2048;
const digitBits: u64 = 11;
/** Digits 3 to 5, bits 33 to 63: they tell hashes apart nearly always. */
const firstHighDigit: u32 = 3;
const digits: u32 = 6;
/** So many fingerprints with equal high digits are sorted by insertion; when there are more, the low digits are sorted too. */
const longestTie: u32 = 16;

/**
 * Sorts n fingerprints at `fingerprints`, using as much room at `other`, and keeps one of equal ones.
 *
 * @param counts  6 × 2,048 words
 * @returns       how many are left, at `other`
 */
export function sortDistinct(fingerprints: usize, other: usize, n: u32, counts: usize): u32 {
  // Radix sort, the least digit first: three passes over the high digits end in `other`.
  sortDigits(fingerprints, other, n, counts, firstHighDigit, digits);
  if (longestRun(other, n) > longestTie) {
    memory.copy(fingerprints, other, <usize>n << 3);
    sortDigits(fingerprints, other, n, counts, 0, firstHighDigit);
    memory.copy(fingerprints, other, <usize>n << 3);
    sortDigits(fingerprints, other, n, counts, firstHighDigit, digits);
  } else {
    insertTies(other, n);
  }
  let count: u32 = 0;
  for (let i: u32 = 0; i < n; i++) {
    const fingerprint = load<u64>(other + (<usize>i << 3));
    if (count > 0 && load<u64>(other + (<usize>(count - 1) << 3)) === fingerprint) continue;
    store<u64>(other + (<usize>count << 3), fingerprint);
    count++;
  }
  return count;
}

// An odd number of passes, each keeping the order of equal digits.
function sortDigits(from: usize, to: usize, n: u32, counts: usize, first: u32, end: u32): void {
  for (let digit = first; digit < end; digit++) {
    const shift = digitBits * digit;
    memory.fill(counts, 0, <usize>digitValues << 2);
    for (let i: u32 = 0; i < n; i++) {
      const slot = counts + valueOffset(load<u64>(from + (<usize>i << 3)), shift);
      store<u32>(slot, load<u32>(slot) + 1);
    }
    let sum: u32 = 0;
    for (let slot = counts; slot < counts + (<usize>digitValues << 2); slot += 4) {
      const count = load<u32>(slot);
      store<u32>(slot, sum);
      sum += count;
    }
    for (let i: u32 = 0; i < n; i++) {
      const fingerprint = load<u64>(from + (<usize>i << 3));
      const slot = counts + valueOffset(fingerprint, shift);
      const place = load<u32>(slot);
      store<u32>(slot, place + 1);
      store<u64>(to + (<usize>place << 3), fingerprint);
    }
    const swap = from;
    from = to;
    to = swap;
  }
}

@inline function valueOffset(fingerprint: u64, shift: u64): usize {
  return (<usize>(fingerprint >> shift) & (digitValues - 1)) << 2;
}

// The longest run of fingerprints with equal high digits.
function longestRun(fingerprints: usize, n: u32): u32 {
  let longest: u32 = 0;
  let first: u32 = 0;
  for (let i: u32 = 1; i <= n; i++) {
    const differing = i === n ? ~(<u64>0) : load<u64>(fingerprints + (<usize>i << 3)) ^ load<u64>(fingerprints + (<usize>(i - 1) << 3));
    if (differing >> (digitBits * firstHighDigit) === 0) continue;
    longest = max<u32>(longest, i - first);
    first = i;
  }
  return longest;
}

function insertTies(fingerprints: usize, n: u32): void {
  for (let i: u32 = 1; i < n; i++) {
    const fingerprint = load<u64>(fingerprints + (<usize>i << 3));
    let place = fingerprints + (<usize>i << 3);
    while (place > fingerprints && load<u64>(place - 8) > fingerprint) {
      store<u64>(place, load<u64>(place - 8));
      place -= 8;
    }
    store<u64>(place, fingerprint);
  }
}

/**
 * Puts n fingerprints into 1 << bits parts by a hash of their bits in `mask`. In a part they keep their order.
 *
 * @param starts  (1 << bits) + 1 words: part p is at places [starts[p], starts[p + 1])
 * @param parts   the fingerprints by part
 * @param places  where each of them was
 * @returns       the length of the longest part
 */
export function scatter(fingerprints: usize, n: u32, mask: u64, bits: u32, starts: usize, parts: usize, places: usize): u32 {
  const shift: u64 = 64 - <u64>bits;
  const size = <usize>1 << bits;
  memory.fill(starts, 0, (size + 1) << 2);
  for (let i: u32 = 0; i < n; i++) {
    const slot = starts + (part(load<u64>(fingerprints + (<usize>i << 3)) & mask, shift) << 2);
    store<u32>(slot, load<u32>(slot) + 1);
  }
  let sum: u32 = 0;
  let longest: u32 = 0;
  for (let slot = starts; slot <= starts + (size << 2); slot += 4) {
    longest = max<u32>(longest, load<u32>(slot));
    sum += load<u32>(slot);
    store<u32>(slot, sum);
  }
  // Filled from the back: starts[p] is the end of part p at first, and its start at last.
  for (let i = n; i-- > 0; ) {
    const fingerprint = load<u64>(fingerprints + (<usize>i << 3));
    const slot = starts + (part(fingerprint & mask, shift) << 2);
    const place = load<u32>(slot) - 1;
    store<u32>(slot, place);
    store<u64>(parts + (<usize>place << 3), fingerprint);
    store<u32>(places + (<usize>place << 2), i);
  }
  return longest;
}

// The upper bits of a product depend on all bits of the factor (Knuth 1998, section 6.4).
@inline function part(masked: u64, shift: u64): usize {
  return <usize>((masked * 0x9e3779b97f4a7c15) >> shift);
}

// Another hash than that of the parts, since all of a part agree on some of its bits.
@inline function chain(masked: u64, shift: u64): usize {
  return <usize>(((masked ^ (masked >> 29)) * 0xbf58476d1ce4e5b9) >> shift);
}

/**
 * The pairs within each part that agree on all bits of `mask`, are within `distance`, and disagree on each of the `leftOut`
 * masks (u64).
 *
 * @param heads  4 words for each fingerprint of the longest part
 * @param next   a word for each fingerprint of the longest part
 * @param out    pairs of places, the lower first; room for `room` of them
 * @param found  how many pairs there are already
 * @returns      how many there are then; those past `room` are counted, not written
 */
export function joinParts(
  parts: usize, places: usize, starts: usize, bits: u32, mask: u64, distance: u32, leftOut: usize, leftOutCount: u32,
  heads: usize, next: usize, out: usize, room: u32, found: u32,
): u32 {
  for (let p: usize = 0; p < <usize>1 << bits; p++) {
    const start = load<u32>(starts + (p << 2));
    const count = load<u32>(starts + (p << 2), 4) - start;
    if (count < 2) continue;
    const fingerprints = parts + (<usize>start << 3);
    const placesOfPart = places + (<usize>start << 2);
    // Between two and four times as many chains as fingerprints.
    const chainBits = 33 - clz<u32>(count);
    const shift: u64 = 64 - <u64>chainBits;
    memory.fill(heads, 0, <usize>4 << chainBits);
    for (let i: u32 = 0; i < count; i++) {
      const fingerprint = load<u64>(fingerprints + (<usize>i << 3));
      const head = heads + (chain(fingerprint & mask, shift) << 2);
      const first = load<u32>(head);
      // A chain holds the earlier ones with this hash, each as its number in the part plus one; 0 ends it.
      for (let link = first; link !== 0; link = load<u32>(next + (<usize>(link - 1) << 2))) {
        const differing = fingerprint ^ load<u64>(fingerprints + (<usize>(link - 1) << 3));
        if ((differing & mask) !== 0 || <u32>popcnt(differing) > distance) continue;
        if (agreesOnOne(differing, leftOut, leftOutCount)) continue;
        if (found < room) {
          const pair = out + (<usize>found << 3);
          store<u32>(pair, load<u32>(placesOfPart + (<usize>(link - 1) << 2)));
          store<u32>(pair, load<u32>(placesOfPart + (<usize>i << 2)), 4);
        }
        found++;
      }
      store<u32>(next + (<usize>i << 2), first);
      store<u32>(head, i + 1);
    }
  }
  return found;
}

@inline function agreesOnOne(differing: u64, masks: usize, count: u32): bool {
  for (let i: u32 = 0; i < count; i++) if (!(differing & load<u64>(masks + (<usize>i << 3)))) return true;
  return false;
}
