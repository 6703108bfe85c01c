// The passages of the current match: tokens [startA, endA) and [startB, endB).
import { newRecord, recordBytes } from '../records';

@unmanaged class Passages {
  startA: u32;
  endA: u32;
  startB: u32;
  endB: u32;
}

export let passages = changetype<Passages>(0);

/** Bytes of scratch memory that `placePassages` initializes. */
export const passagesScratchBytes: usize = recordBytes<Passages>();

export function placePassages(scratch: usize): void {
  passages = newRecord<Passages>(scratch);
}

@inline export function lengthA(): u32 {
  return passages.endA - passages.startA;
}
@inline export function lengthB(): u32 {
  return passages.endB - passages.startB;
}

export function setPassages(fromA: u32, toA: u32, fromB: u32, toB: u32): void {
  passages.startA = fromA;
  passages.endA = toA;
  passages.startB = fromB;
  passages.endB = toB;
}
