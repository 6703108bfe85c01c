// The set of the pairs of units or paragraphs that were compared in the current pair of documents. Many seeds lie in
// the same pair, which must be compared only once.
import { golden64 } from '../documents/hashFactors';
import { itemOf, newRecord, recordBytes } from '../records';
import { reserve } from './matchScratch';

/** Maximum number of pairs to compare in a pair of documents. */
const maxPairs: u32 = 2048;
const slotBits: u32 = 12;
const slotCount: u32 = 1 << slotBits;

/** Slot for a pair that was compared. */
@unmanaged class KnownPair {
  key: u64;
  round: u32;
  /** Aligns the next slot to 8 bytes. */
  padding: u32;
}

const slotsBytes: usize = <usize>slotCount * offsetof<KnownPair>();

@unmanaged export class ComparedPairs {
  /** Address of the slots, which are `KnownPair` records. */
  slots: usize;
  /** Number of the current pair of documents. */
  round: u32;
  /** Number of pairs that were compared in the current pair of documents. */
  count: u32;

  @inline get hasRoom(): bool {
    return this.count < maxPairs;
  }

  /**
   * Adds a pair to the set. Returns false if the set already contained it.
   *
   * @param a  number of the left unit or paragraph, such as its address or first token
   * @param b  number of the right one
   */
  add(a: u32, b: u32): bool {
    const key = ((<u64>a) << 32) | (<u64>b);
    let slot = <u32>((key * golden64) >> (64 - <u64>slotBits));
    let entry = itemOf<KnownPair>(this.slots, slot);
    while (entry.round == this.round) {
      if (entry.key == key) return false;
      slot = (slot + 1) & (slotCount - 1);
      entry = itemOf<KnownPair>(this.slots, slot);
    }
    entry.key = key;
    entry.round = this.round;
    this.count++;
    return true;
  }
}

let compared = changetype<ComparedPairs>(0);

const scratchAt = reserve(recordBytes<ComparedPairs>() + slotsBytes);

export function placeComparedPairs(scratch: usize): void {
  const address = scratch + scratchAt;
  compared = newRecord<ComparedPairs>(address);
  compared.slots = address + recordBytes<ComparedPairs>();
  memory.fill(compared.slots, 0, slotsBytes);
}

/** Returns the empty set, for the next pair of documents. */
export function openComparedPairs(): ComparedPairs {
  compared.round++;
  compared.count = 0;
  return compared;
}
