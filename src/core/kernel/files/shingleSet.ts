// Compares whole documents exactly, as sets of shingles. The shingles of a document are collected only once, and then
// compared with those of any number of documents, because hashing takes most of the time.
//
//   slots   u64 × slotCount   hash of a shingle, or 0
//   stamps  u32 × slotCount   stamp of the last comparison that found the shingle
//
// scripts/build.mjs derives shingleSetLayout.ts from this file.
import { mix64 } from '../documents/fingerprint';
import { addressAt, itemOf } from '../records';

/** Size in bytes of a slot and its stamp. */
export const slotBytes: usize = sizeof<u64>() + sizeof<u32>();

/**
 * Returns the number of slots for the shingles of a document with `tokens` tokens. It is a power of two, and at least
 * half of the slots stay empty.
 */
export function shingleSlots(tokens: u32): u32 {
  return (<u32>1) << (33 - <u32>clz(max<u32>(tokens, 8)));
}

/**
 * Collects the shingles of a document in `slotCount` slots of `slotBytes` bytes. Each shingle has `size` tokens.
 * Returns the number of distinct shingles.
 */
export function gatherShingles(tokens: usize, count: u32, size: u32, slots: usize, slotCount: u32): u32 {
  memory.fill(slots, 0, <usize>slotCount * slotBytes);
  let different: u32 = 0;
  for (let i: u32 = 0; i + size <= count; i++) {
    const hash = shingleHash(addressAt<u32>(tokens, i), size);
    const slot = slotOf(hash, slots, slotCount);
    if (load<u64>(slot)) continue;
    store<u64>(slot, hash);
    different++;
  }
  return different;
}

/**
 * Returns how many distinct shingles of a document are in the set that `gatherShingles` has collected.
 *
 * @param stamp  number other than 0; must differ in each call with the same slots
 */
export function sharedShingles(tokens: usize, count: u32, size: u32, slots: usize, slotCount: u32, stamp: u32): u32 {
  const stamps = addressAt<u64>(slots, slotCount);
  let shared: u32 = 0;
  for (let i: u32 = 0; i + size <= count; i++) {
    const slot = slotOf(shingleHash(addressAt<u32>(tokens, i), size), slots, slotCount);
    if (!load<u64>(slot)) continue;
    const seen = stamps + ((slot - slots) >> 1);
    if (load<u32>(seen) == stamp) continue;
    store<u32>(seen, stamp);
    shared++;
  }
  return shared;
}

// Returns the slot that contains a hash, or an empty slot for it.
function slotOf(hash: u64, slots: usize, slotCount: u32): usize {
  const mask = <usize>slotCount - 1;
  let slot = (<usize>hash) & mask;
  let there = itemOf<u64>(slots, slot);
  while (there && there != hash) {
    slot = (slot + 1) & mask;
    there = itemOf<u64>(slots, slot);
  }
  return slots + (slot << 3);
}

// Returns the hash of a shingle. It is never 0, because 0 marks an empty slot.
@inline function shingleHash(tokens: usize, size: u32): u64 {
  let hash: u64 = 0;
  for (let i: u32 = 0; i < size; i++) hash = mix64(hash ^ (<u64>itemOf<u32>(tokens, i))) + 0x9e3779b97f4a7c15;
  hash = mix64(hash);
  return hash ? hash : 1;
}
