// Compares functions and other units as a whole. If a seed indicates that two units may be copies, they are aligned
// from end to end. So the alignment neither stops at an edit nor continues into the next unit.
import { Unit } from '../documents/unit';
import { runOnly, Seed } from '../seeds/seed';
import { acceptsUnits, classifier, leastEqualOfUnits, leastOfRenamed } from './classifier';
import { commonTokens, mostCommonTokens, openCommonTokens } from './commonTokens';
import { pair, setPassages } from './documentPair';
import { dropInside, recordForUnits, writeUnits } from './matchRecords';
import { recordAround } from './recordGrid';
import { lists } from './runs';
import { alignUnits, mostAligned, mostCells } from './unitAlignment';
import { golden64 } from '../documents/hashFactors';
import { itemOf, newRecord, recordBytes } from '../records';
import { countUpTo } from '../search';

/**
 * Maximum number of units to examine, going back from the last one that starts before a token. In a class, these are
 * the methods before the token.
 */
const mostSteps: u32 = 64;
/** Maximum number of pairs of units to compare in a pair of documents. */
const mostPairs: u32 = 2048;
const slotBits: u32 = 12;
/** Slot for a pair of units that was compared. */
@unmanaged class KnownPair {
  key: u64;
  round: u32;
  /** Aligns the next slot to 8 bytes. */
  padding: u32;
}

const slotCount: u32 = 1 << slotBits;
const slotsBytes: usize = <usize>slotCount * offsetof<KnownPair>();

/** Set of the pairs of units that were compared in the current pair of documents. */
@unmanaged class UnitPairs {
  /** Address of the slots, which are `KnownPair` records. */
  slots: usize;
  /** Number of the current pair of documents. */
  round: u32;
  pairCount: u32;
}

let unitPairs = changetype<UnitPairs>(0);

export const unitPairScratchBytes: usize = recordBytes<UnitPairs>() + slotsBytes;

/** @param scratch  aligned to 8 */
export function placeUnitPairs(scratch: usize): void {
  unitPairs = newRecord<UnitPairs>(scratch);
  unitPairs.slots = scratch + recordBytes<UnitPairs>();
  memory.fill(unitPairs.slots, 0, slotsBytes);
}

/**
 * For each of the seeds [from, to) of the current pair of documents, compares the two units that contain the seed.
 * Writes the resulting matches.
 */
export function writeUnitPairs(seeds: usize, from: u32, to: u32): void {
  if (!pair.left.unitCount || !pair.right.unitCount) return;
  unitPairs.round++;
  openCommonTokens();
  unitPairs.pairCount = 0;
  for (let seed = from; seed < to && unitPairs.pairCount < mostPairs; seed++) {
    const record = itemOf<Seed>(seeds, seed);
    if (record.bits == runOnly) continue;
    const unitA = unitAround(pair.left.units, pair.left.unitCount, record.tokenA);
    if (!unitA) continue;
    const unitB = unitAround(pair.right.units, pair.right.unitCount, record.posB);
    if (!unitB || !isNewPair(unitA, unitB)) continue;
    compareUnits(unitA, unitB, record.bits);
  }
}

/** Returns the innermost unit that contains a token and is large enough, or null if there is none. */
function unitAround(units: usize, count: u32, token: u32): Unit | null {
  const begun = countUpTo<Unit>(token, units, count, offsetof<Unit>('start'));
  for (let i = begun, end = begun - min(begun, mostSteps); i-- > end;) {
    const unit = itemOf<Unit>(units, i);
    if (unit.end > token && unit.end - unit.start >= classifier.leastTokens) return unit;
  }
  return null;
}

/** Adds a pair of units to the set. Returns false if the set already contained it. */
function isNewPair(a: Unit, b: Unit): bool {
  const key = ((<u64>changetype<usize>(a)) << 32) | (<u64>changetype<usize>(b));
  let slot = <u32>((key * golden64) >> (64 - <u64>slotBits));
  let known = itemOf<KnownPair>(unitPairs.slots, slot);
  while (known.round == unitPairs.round) {
    if (known.key == key) return false;
    slot = (slot + 1) & (slotCount - 1);
    known = itemOf<KnownPair>(unitPairs.slots, slot);
  }
  known.key = key;
  known.round = unitPairs.round;
  unitPairs.pairCount++;
  return true;
}

/** Minimum share of identical tokens in the longest common subsequence, for units that may be a renamed copy. */
const writtenOfRenamed: f64 = 0.45;

function compareUnits(unitA: Unit, unitB: Unit, bits: u32): void {
  const a0 = unitA.start,
    a1 = unitA.end,
    b0 = unitB.start,
    b1 = unitB.end;
  const lengthA = a1 - a0,
    lengthB = b1 - b0;
  if (pair.sameDocument && a1 > b0) return;
  const both = <f64>(lengthA + lengthB);
  const shorter = min(lengthA, lengthB);
  if (2 * <f64>shorter < leastEqualOfUnits * both) return;
  if (max(lengthA, lengthB) > mostAligned || lengthB > mostCommonTokens || lengthA * (lengthB + 8) > mostCells) return;
  // Skip units that a match already contains nearly completely.
  if (recordAround(a0, b0, shorter, shorter >> 4)) return;
  const abstracted = commonTokens(a0, a1, b0, b1, true);
  if (2 * <f64>abstracted < leastEqualOfUnits * both) return;
  const written = 2 * <f64>abstracted < leastOfRenamed * both ? leastEqualOfUnits : writtenOfRenamed;
  if (2 * <f64>commonTokens(a0, a1, b0, b1, false) < written * both) return;
  const record = recordForUnits();
  if (record == null) return;
  lists.otherRunCount = 0;
  alignUnits(a0, a1, b0, b1, abstracted);
  setPassages(a0, a1, b0, b1);
  if (!acceptsUnits(0, lists.otherRunCount, record)) return;
  dropInside(record);
  writeUnits(record, bits);
}
