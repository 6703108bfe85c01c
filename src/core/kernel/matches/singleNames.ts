// Names that occur only once in their document. Two such names correspond only once, so they need not be counted. In
// listings of thousands of definitions, nearly every column has such names, and counting them took half of the matching
// time, since the table of names does not fit into a cache.
//
// bits  a bit for each token, set for such a name. Some are missing, because names with equal hashes count as one.
import { isName } from '../documents/fingerprint';
import { golden32 } from '../documents/hashFactors';
import { itemOf, newRecord, recordBytes } from '../records';

/** Bytes for the bits of recently used documents: in a large tree, those that follow each other. */
const room: usize = 4 << 20;
/** Larger documents are not processed, because the bits of two must fit. */
const mostTokens: u32 = 1 << 23;
/** A slot of the available documents: addresses of its tokens and of its bits. */
@unmanaged class Slot {
  tokens: usize;
  bits: usize;
}

const slotBits: u32 = 12;
const slotsBytes: usize = offsetof<Slot>() << (<usize>slotBits);
/** Maximum number of bits for counting names: up to eight per token of a document. */
const mostCounterBits: u32 = 20;
const countersBytes: usize = (<usize>1) << (mostCounterBits - 3);

/** The bits of the documents that were opened last. */
@unmanaged class SingleNames {
  /** Slots of the documents by the address of their tokens. */
  slots: usize;
  /** A bit for each hash of a name that occurred, and one for each that occurred again. */
  seen: usize;
  repeated: usize;
  /** Address of the bits of all documents, and the number of bytes in use. */
  places: usize;
  used: usize;
  /** Addresses of the bits of two documents, for `isSingle`; 0 for none. */
  left: usize;
  right: usize;
}

export let singleNames = changetype<SingleNames>(0);

/** Bytes of scratch memory that `placeSingleNames` lays out. */
export const singleNameScratchBytes: usize = recordBytes<SingleNames>() + slotsBytes + 2 * countersBytes + room;

/** Initializes the scratch memory and removes all documents. @param scratch  aligned to 16 */
export function placeSingleNames(scratch: usize): void {
  singleNames = newRecord<SingleNames>(scratch);
  singleNames.slots = scratch + recordBytes<SingleNames>();
  singleNames.seen = singleNames.slots + slotsBytes;
  singleNames.repeated = singleNames.seen + countersBytes;
  singleNames.places = singleNames.repeated + countersBytes;
  forget();
}

function forget(): void {
  memory.fill(singleNames.slots, 0, slotsBytes);
  singleNames.used = false;
}

/** Provides the bits of two documents. Returns false if the documents are too large. */
export function openSingleNames(left: usize, leftCount: u32, right: usize, rightCount: u32): bool {
  if (leftCount > mostTokens || rightCount > mostTokens) return false;
  if (singleNames.used + bytesOf(leftCount) + bytesOf(rightCount) > room) forget();
  singleNames.left = bitsOf(left, leftCount);
  singleNames.right = bitsOf(right, rightCount);
  return true;
}

/** Returns true if a token is a name that occurs nowhere else in its document. */
@inline export function isSingle(bits: usize, token: u32): bool {
  return (load<u8>(bits + (token >> 3)) >> (token & 7)) & 1 ? true : false;
}

@inline function bytesOf(count: u32): usize {
  return (<usize>count + 7) >> 3;
}

function bitsOf(tokens: usize, count: u32): usize {
  // Documents are aligned to at least this distance.
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
  const counterBits = min(mostCounterBits, 35 - clz<u32>(count | 31));
  const shift = 32 - counterBits;
  memory.fill(singleNames.seen, 0, (<usize>1) << (counterBits - 3));
  memory.fill(singleNames.repeated, 0, (<usize>1) << (counterBits - 3));
  for (let i: u32 = 0; i < count; i++) {
    const token = load<u32>(tokens + ((<usize>i) << 2));
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
    const token = load<u32>(tokens + ((<usize>i) << 2));
    const hash = (token * golden32) >> shift;
    const isOften = ((<u32>load<u8>(singleNames.repeated + (hash >> 3))) >> (hash & 7)) & 1;
    byte |= ((<u32>isName(token)) & ~isOften & 1) << (i & 7);
    if ((i & 7) == 7 || i + 1 == count) {
      store<u8>(bits + (i >> 3), <u8>byte);
      byte = 0;
    }
  }
}
