// Finds runs of equal tokens in two ranges, one at a time. These are parts of a match that must not be lost when its
// passages are joined with others.
//
// The left range is cut into blocks of half the minimum length, so every run contains a complete block. A rolling hash
// finds the blocks in the right range (Karp, Rabin 1987). The cost is linear; in repetitive text, at most `maxTried`
// occurrences of a block are tried. scripts/build.mjs derives equalStretchesLayout.ts from this file.
import { murmur32 } from '../documents/hashFactors';
import { addressAt, bytesOf, itemOf, newRecord, recordBytes, setItem } from '../records';

/** Maximum number of occurrences of a block to try: the ones nearest to the continuation of the longest run. */
const maxTried: u32 = 16;
/** Multiplier of the rolling hash; odd, so that it is invertible. */
const factor: u32 = 0x01000193;

/**
 * A slot of a hash table: the hash of some blocks, the number of blocks with this hash, and the end of their positions
 * in the list. In an empty slot, `count` is 0.
 */
@unmanaged class BlockHash {
  hash: u32;
  count: u32;
  end: u32;
}

/** A search, and the run that it has found. Positions are relative to the beginnings of the ranges. */
@unmanaged export class EqualStretches {
  /** The run: `length` tokens that are equal from `a` and `b` on. */
  a: u32;
  b: u32;
  length: u32;
  /** The longest run that has not ended yet. */
  longestA: u32;
  longestB: u32;
  longestLength: u32;
  /** Addresses and lengths of the ranges. */
  left: u32;
  right: u32;
  leftLength: u32;
  rightLength: u32;
  /** Minimum length of a run; length of a block; and the weight of the oldest token in the rolling hash. */
  minLength: u32;
  size: u32;
  oldest: u32;
  /** Hash of the right tokens before `hashed`. */
  hash: u32;
  hashed: u32;
  /** The positions of the current block that are still to be tried: entries [next, end) of the list. */
  next: u32;
  end: u32;
  /** Address and number of the slots, which have the type `BlockHash`; and the address of the positions of blocks. */
  slots: u32;
  slotMask: u32;
  positions: u32;
  /** Address of a word for each diagonal: the right position up to which it has been checked. */
  checked: u32;

  @inline leftToken(i: u32): u32 {
    return itemOf<u32>(<usize>this.left, i);
  }

  @inline rightToken(i: u32): u32 {
    return itemOf<u32>(<usize>this.right, i);
  }

  @inline position(i: u32): u32 {
    return itemOf<u32>(<usize>this.positions, i);
  }
}

/** Returns the size in bytes of the memory of a search in ranges of these lengths. */
export function equalStretchBytes(leftLength: u32, rightLength: u32, minLength: u32): usize {
  const blocks = leftLength / sizeOfBlock(minLength);
  return (
    recordBytes<EqualStretches>() +
    <usize>slotsFor(blocks) * offsetof<BlockHash>() +
    bytesOf<u32>(blocks + leftLength + rightLength + 1)
  );
}

@inline function sizeOfBlock(minLength: u32): u32 {
  return max<u32>(1, (minLength + 1) >> 1);
}

/** Returns a power of two that is at least twice the number of blocks. */
@inline function slotsFor(blocks: u32): u32 {
  return (<u32>4) << (32 - clz<u32>(blocks));
}

/**
 * Begins a search.
 *
 * @param search     `equalStretchBytes` bytes, aligned to 16
 * @param left       address of the first token of the left range
 * @param minLength  minimum length of a run
 */
export function openEqualStretches(
  search: usize,
  left: usize,
  leftLength: u32,
  right: usize,
  rightLength: u32,
  minLength: u32,
): void {
  const record = newRecord<EqualStretches>(search),
    size = sizeOfBlock(minLength),
    blocks = leftLength / size,
    slotCount = slotsFor(blocks);
  record.left = <u32>left;
  record.leftLength = leftLength;
  record.right = <u32>right;
  record.rightLength = rightLength;
  record.minLength = minLength;
  record.size = size;
  record.oldest = 1;
  for (let i: u32 = 1; i < size; i++) record.oldest *= factor;
  record.slots = <u32>(search + recordBytes<EqualStretches>());
  record.slotMask = slotCount - 1;
  record.positions = record.slots + slotCount * <u32>offsetof<BlockHash>();
  record.checked = record.positions + (blocks << 2);
  memory.fill(<usize>record.slots, 0, <usize>slotCount * offsetof<BlockHash>());
  memory.fill(<usize>record.checked, 0, bytesOf<u32>(leftLength + rightLength + 1));
  for (let block: u32 = 0; block < blocks; block++) {
    const hash = hashOfBlock(record, block),
      slot = slotOf(record, hash);
    slot.hash = hash;
    slot.count++;
  }
  let end: u32 = 0;
  for (let i: u32 = 0; i < slotCount; i++) {
    const slot = itemOf<BlockHash>(<usize>record.slots, i);
    slot.end = end;
    end += slot.count;
  }
  for (let block: u32 = 0; block < blocks; block++) {
    const slot = slotOf(record, hashOfBlock(record, block));
    setItem<u32>(<usize>record.positions, slot.end, block * size);
    slot.end++;
  }
}

function hashOfBlock(record: EqualStretches, block: u32): u32 {
  const first = block * record.size;
  let hash: u32 = 0;
  for (let i = first; i < first + record.size; i++) hash = hash * factor + mixed(record.leftToken(i));
  return hash;
}

/** Finds the next run of a search. Returns false if there is none. If a run occurs several times, all are found. */
export function nextEqualStretch(record: EqualStretches): bool {
  do {
    while (record.next < record.end) {
      if (isRunAround(record, record.position(record.next++), record.hashed - record.size)) return true;
    }
  } while (hashNext(record));
  return false;
}

/** Adds the next right token to the rolling hash. Returns false if there is none. */
function hashNext(record: EqualStretches): bool {
  const at = record.hashed,
    size = record.size;
  if (at == record.rightLength) return false;
  let hash = record.hash;
  if (at >= size) hash -= record.oldest * mixed(record.rightToken(at - size));
  record.hash = hash * factor + mixed(record.rightToken(at));
  record.hashed = at + 1;
  if (record.hashed < size) return true;
  const slot = slotOf(record, record.hash);
  if (slot.count) chooseNearest(record, slot);
  return true;
}

/**
 * Selects the positions of a block in b that are compared with its position in a. If there are too many, selects those
 * nearest to the diagonal of the longest run.
 */
function chooseNearest(record: EqualStretches, slot: BlockHash): void {
  const first = slot.end - slot.count;
  record.next = first;
  record.end = slot.end;
  if (slot.count <= maxTried) return;
  const to = <i32>(record.hashed - record.size - record.longestB + record.longestA);
  // Slide a window of `maxTried` positions to the right, as long as the position that it gains is nearer than the
  // position that it loses.
  let low: u32 = first,
    high = slot.end - maxTried;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (to - <i32>record.position(middle) > <i32>record.position(middle + maxTried) - to) low = middle + 1;
    else high = middle;
  }
  record.next = low;
  record.end = low + maxTried;
}

/** Writes the run of equal tokens around two positions to the record. Returns false if it is known or too short. */
function isRunAround(record: EqualStretches, a: u32, b: u32): bool {
  const checked = addressAt<u32>(<usize>record.checked, b + record.leftLength - a);
  if (b < load<u32>(checked)) return false;
  let forth: u32 = 0,
    back: u32 = 0;
  const maxForth = min(record.leftLength - a, record.rightLength - b),
    maxBack = min(a, b);
  while (forth < maxForth && record.leftToken(a + forth) == record.rightToken(b + forth)) forth++;
  while (back < maxBack && record.leftToken(a - back - 1) == record.rightToken(b - back - 1)) back++;
  store<u32>(checked, b + forth);
  const length = back + forth;
  if (length < record.minLength) return false;
  record.a = a - back;
  record.b = b - back;
  record.length = length;
  if (length > record.longestLength || b >= record.longestB + record.longestLength) {
    record.longestA = record.a;
    record.longestB = record.b;
    record.longestLength = length;
  }
  return true;
}

/** Returns the slot of a hash, or the empty slot for it. */
function slotOf(record: EqualStretches, hash: u32): BlockHash {
  let at = (hash * murmur32) & record.slotMask;
  let slot = itemOf<BlockHash>(<usize>record.slots, at);
  while (slot.count && slot.hash != hash) {
    at = (at + 1) & record.slotMask;
    slot = itemOf<BlockHash>(<usize>record.slots, at);
  }
  return slot;
}

/** The finalizer of MurmurHash3 (Appleby 2011). */
@inline function mixed(token: u32): u32 {
  let word = (token ^ (token >> 16)) * murmur32;
  word = (word ^ (word >> 13)) * 0xc2b2ae35;
  return word ^ (word >> 16);
}
