// Upper limits of the number of tokens that two units have in common, from how often each token occurs in either. Most
// pairs of units are refused by them, at a small part of the cost of a common subsequence. Tokens are counted in
// buckets of their hashes, so a limit may be too high, but never too low. The counts of a unit are kept for the other
// pairs that contain it.
import { kindMask } from '../lex/lexed';
import { isName } from '../documents/fingerprint';
import { golden32 } from '../documents/hashFactors';
import { Unit } from '../documents/unit';
import { addressAt, itemOf, newRecord, recordBytes } from '../records';
import { reserve } from './matchScratch';
import { pair } from './documentPair';
import { Side } from './side';

// The counts of a unit, u16 each. First, tokens other than names, of which a language has few. Then, one count for each
// kind of name, followed by a count of all other tokens, which is not compared. Then, the names themselves.
const otherBits: u32 = 7;
const kindsAt: u32 = 1 << otherBits;
const kindsEnd: u32 = kindsAt + 8;
const namesAt: u32 = kindsAt + 16;
const nameBits: u32 = 8;
const countCount: u32 = namesAt + (1 << nameBits);
const countsBytes: usize = <usize>countCount * 2;

/** Number of units on each side whose counts are kept, as a power of two. Together, the counts take 205 kB. */
const keptBits: u32 = 7;
const keptUnits: u32 = 2 << keptBits;

@unmanaged class KeptUnit {
  /** Address of the unit. */
  unit: usize;
  /** Value of `round` when the tokens were counted. */
  round: u32;
}

@unmanaged export class UnitCounts {
  /** Addresses of `keptUnits` records, and of the counts of each. */
  units: usize;
  counts: usize;
  /** Number of the current call of `openUnitCounts`. */
  round: u32;
  /** Results of `compareCounts`: maximum number of common tokens as written, and with abstracted names. */
  maxWritten: u32;
  maxAbstracted: u32;
}

let unitCounts = changetype<UnitCounts>(0);

const unitsBytes: usize = <usize>keptUnits * offsetof<KeptUnit>();
const scratchAt = reserve(recordBytes<UnitCounts>() + unitsBytes + <usize>keptUnits * countsBytes);

export function placeUnitCounts(scratch: usize): void {
  const address = scratch + scratchAt;
  unitCounts = newRecord<UnitCounts>(address);
  unitCounts.units = address + recordBytes<UnitCounts>();
  unitCounts.counts = unitCounts.units + unitsBytes;
  memory.fill(unitCounts.units, 0, unitsBytes);
}

/** Returns empty counts. They are valid until a document changes, because a unit is recognized by its address. */
export function openUnitCounts(): UnitCounts {
  unitCounts.round++;
  return unitCounts;
}

/** Determines `maxWritten` and `maxAbstracted` of two units, each of which has fewer than 65,536 tokens. */
export function compareCounts(unitCounts: UnitCounts, unitA: Unit, unitB: Unit): void {
  const x = countsOf(unitCounts, unitA, pair.left, 0),
    y = countsOf(unitCounts, unitB, pair.right, 1 << keptBits);
  const others = sumOfLower(x, y, 0, kindsAt);
  unitCounts.maxAbstracted = others + sumOfLower(x, y, kindsAt, kindsEnd);
  unitCounts.maxWritten = others + sumOfLower(x, y, namesAt, countCount);
}

/** Returns the address of the counts of a unit. `firstSlot` is the first slot of the units on its side. */
function countsOf(unitCounts: UnitCounts, unit: Unit, side: Side, firstSlot: u32): usize {
  const address = changetype<usize>(unit);
  const slot = firstSlot + ((<u32>address * golden32) >> (32 - keptBits));
  const kept = itemOf<KeptUnit>(unitCounts.units, slot);
  const counts = unitCounts.counts + <usize>slot * countsBytes;
  if (kept.unit == address && kept.round == unitCounts.round) return counts;
  kept.unit = address;
  kept.round = unitCounts.round;
  memory.fill(counts, 0, countsBytes);
  for (let at = side.at(unit.start), end = side.at(unit.end); at < end; at += 4) {
    const token = load<u32>(at);
    const hash = token * golden32;
    const named = isName(token);
    raise(counts, named ? namesAt + (hash >> (32 - nameBits)) : hash >> (32 - otherBits));
    raise(counts, named ? kindsAt + (token & kindMask) : kindsEnd);
  }
  return counts;
}

@inline function raise(counts: usize, i: u32): void {
  const at = addressAt<u16>(counts, i);
  store<u16>(at, load<u16>(at) + 1);
}

/** Returns the sum of the lower ones of the counts [from, to) of two units. Both bounds are multiples of 8. */
@inline function sumOfLower(x: usize, y: usize, from: u32, to: u32): u32 {
  let sums = i16x8.splat(0);
  for (let at = addressAt<u16>(x, from), end = addressAt<u16>(x, to), other = y - x; at < end; at += 16) {
    sums = i16x8.add(sums, i16x8.min_u(v128.load(at), v128.load(at + other)));
  }
  const ofTwo = i32x4.extadd_pairwise_i16x8_u(sums);
  return (
    i32x4.extract_lane(ofTwo, 0) +
    i32x4.extract_lane(ofTwo, 1) +
    i32x4.extract_lane(ofTwo, 2) +
    i32x4.extract_lane(ofTwo, 3)
  );
}
