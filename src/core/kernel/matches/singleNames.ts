// Finds names that occur only once in their document. If two such names are aligned, their pair occurs only once, so it
// need not be counted. In listings of thousands of definitions, nearly all aligned names are such pairs. Counting them
// took half of the matching time, because the table of names does not fit into a cache.
//
// The result is a bit set with one bit for each token of a document. Some names are missed, because names with equal
// hashes count as the same name.
import { isName } from '../documents/fingerprint';
import { golden32 } from '../documents/hashFactors';
import { itemOf, newRecord, recordBytes } from '../records';
import { reserve } from './matchScratch';

/**
 * Size in bytes of the cache for the bit sets of recently processed documents. In a large tree, the documents of
 * consecutive pairs are often the same.
 */
const room: usize = 4 << 20;
/** Maximum number of tokens in a document. The cache must have room for the bit sets of two documents. */
const maxTokens: u32 = 1 << 23;
/** A slot of the cache: addresses of a document's tokens and of its bit set. */
@unmanaged class Slot {
  tokens: usize;
  bits: usize;
}

const slotBits: u32 = 12;
const slotsBytes: usize = offsetof<Slot>() << (<usize>slotBits);
/** Maximum number of bits for counting names. For a document, up to eight bits per token are used. */
const maxCounterBits: u32 = 20;
const countersBytes: usize = (<usize>1) << (maxCounterBits - 3);

/** State of this module: the cached bit sets, and those of the current documents. */
@unmanaged export class SingleNames {
  /** Address of the slots of the cache, which are found by the address of a document's tokens. */
  slots: usize;
  /**
   * Address of two bit sets with one bit for each hash of a name: the bit in the first set is 1 if the name has
   * occurred; the bit in the second, if it has occurred more than once.
   */
  seen: usize;
  repeated: usize;
  /** Address of the cached bit sets, and number of bytes in use. */
  places: usize;
  used: usize;
  /** Addresses of the bit sets of the left and right document, for `isSingle`. */
  left: usize;
  right: usize;
}

let singleNames = changetype<SingleNames>(0);

const scratchAt = reserve(recordBytes<SingleNames>() + slotsBytes + 2 * countersBytes + room);

/** Initializes the scratch memory with an empty cache. */
export function placeSingleNames(scratch: usize): void {
  const address = scratch + scratchAt;
  singleNames = newRecord<SingleNames>(address);
  singleNames.slots = address + recordBytes<SingleNames>();
  singleNames.seen = singleNames.slots + slotsBytes;
  singleNames.repeated = singleNames.seen + countersBytes;
  singleNames.places = singleNames.repeated + countersBytes;
  forgetSingleNames();
}

/** Empties the cache. It must be called if there may be another text at an address. */
export function forgetSingleNames(): void {
  memory.fill(singleNames.slots, 0, slotsBytes);
  singleNames.used = 0;
}

/** Returns the bit sets of two documents, or null if a document is too large. */
export function openSingleNames(left: usize, leftCount: u32, right: usize, rightCount: u32): SingleNames | null {
  if (leftCount > maxTokens || rightCount > maxTokens) return null;
  if (singleNames.used + bytesOf(leftCount) + bytesOf(rightCount) > room) forgetSingleNames();
  singleNames.left = bitsOf(left, leftCount);
  singleNames.right = bitsOf(right, rightCount);
  return singleNames;
}

/** Returns true if the token at an index is a name that occurs nowhere else in its document. */
@inline export function isSingle(bits: usize, token: u32): bool {
  return (load<u8>(bits + (token >> 3)) >> (token & 7)) & 1 ? true : false;
}

@inline function bytesOf(count: u32): usize {
  return (<usize>count + 7) >> 3;
}

function bitsOf(tokens: usize, count: u32): usize {
  // Shift by 4, because addresses of documents are multiples of 16.
  const slot = itemOf<Slot>(singleNames.slots, (((<u32>tokens) >> 4) * golden32) >> (32 - slotBits));
  if (slot.tokens == tokens) return slot.bits;
  const bits = singleNames.places + singleNames.used;
  singleNames.used += bytesOf(count);
  slot.tokens = tokens;
  slot.bits = bits;
  findSingle(tokens, count, bits);
  return bits;
}

function findSingle(tokens: usize, count: u32, bits: usize): void {
  const counterBits = min(maxCounterBits, 35 - clz<u32>(count | 31));
  const shift = 32 - counterBits;
  memory.fill(singleNames.seen, 0, (<usize>1) << (counterBits - 3));
  memory.fill(singleNames.repeated, 0, (<usize>1) << (counterBits - 3));
  for (let i: u32 = 0; i < count; i++) {
    const token = itemOf<u32>(tokens, i);
    if (!isName(token)) continue;
    const hash = (token * golden32) >> shift;
    const bit: u32 = 1 << (hash & 7);
    const before = <u32>load<u8>(singleNames.seen + (hash >> 3));
    store<u8>(singleNames.seen + (hash >> 3), <u8>(before | bit));
    if (before & bit)
      store<u8>(singleNames.repeated + (hash >> 3), <u8>((<u32>load<u8>(singleNames.repeated + (hash >> 3))) | bit));
  }
  let byte: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const token = itemOf<u32>(tokens, i);
    const hash = (token * golden32) >> shift;
    const isOften = ((<u32>load<u8>(singleNames.repeated + (hash >> 3))) >> (hash & 7)) & 1;
    byte |= ((<u32>isName(token)) & ~isOften & 1) << (i & 7);
    if ((i & 7) == 7 || i + 1 == count) {
      store<u8>(bits + (i >> 3), <u8>byte);
      byte = 0;
    }
  }
}
