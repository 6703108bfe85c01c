// Compares functions and other units as a whole. If a seed indicates that two units may be copies, they are aligned
// from end to end. So the alignment neither stops at an edit nor continues into the next unit.
import { isName } from '../documents/fingerprint';
import { Unit, unitAround } from '../documents/unit';
import { runOnly, Seed, unitOnly } from '../seeds/seed';
import { acceptsPorted, acceptsUnits, classifier, minEqualOfUnits, minOfRenamed } from './classifier';
import { ComparedPairs, openComparedPairs } from './comparedPairs';
import {
  abstractedForm,
  CommonTokens,
  commonTokens,
  maxCommonTokens,
  openCommonTokens,
  wordForm,
  writtenForm,
} from './commonTokens';
import { pair, setPassages } from './documentPair';
import { compareCounts, UnitCounts } from './unitCounts';
import { dropInside, recordForUnits, writeUnits } from './matchRecords';
import { recordAround } from './recordGrid';
import { lists } from './runs';
import { Side } from './side';
import { alignUnits, maxAligned, maxCells } from './unitAlignment';
import { itemOf } from '../records';

/**
 * For each of the seeds [from, to) of the current pair of documents, compares the two units that contain the seed.
 * Writes the resulting matches.
 */
export function writeUnitPairs(seeds: usize, from: u32, to: u32, counts: UnitCounts): void {
  if (!pair.left.unitCount || !pair.right.unitCount) return;
  const compared = openComparedPairs(),
    common = openCommonTokens();
  writeUnitPairsOf(seeds, from, to, 0, unitOnly, compared, common, counts);
  // Seeds of phrases and patterns come last, so the matches of other seeds do not depend on them.
  writeUnitPairsOf(seeds, from, to, unitOnly, runOnly, compared, common, counts);
}

/** Same as `writeUnitPairs`, for the seeds whose `bits` are in the range [minBits, endBits). */
function writeUnitPairsOf(
  seeds: usize,
  from: u32,
  to: u32,
  minBits: u32,
  endBits: u32,
  compared: ComparedPairs,
  common: CommonTokens,
  counts: UnitCounts,
): void {
  let tokenA: u32 = 0xffffffff;
  let unitA: Unit | null = null;
  for (let seed = from; seed < to && compared.hasRoom; seed++) {
    const record = itemOf<Seed>(seeds, seed);
    if (record.bits < minBits || record.bits >= endBits) continue;
    // Seeds are sorted by their left token.
    if (record.tokenA != tokenA) {
      tokenA = record.tokenA;
      unitA = unitAround(pair.left.units, pair.left.unitCount, tokenA, classifier.minTokens);
    }
    if (!unitA) continue;
    const unitB = unitAround(pair.right.units, pair.right.unitCount, record.posB, classifier.minTokens);
    if (!unitB || !compared.add(<u32>changetype<usize>(unitA), <u32>changetype<usize>(unitB))) continue;
    compareUnits(unitA, unitB, record.bits == unitOnly ? unseeded : record.bits, common, counts);
  }
}

/** Number of differing bits in a match that no windows indicated. The report then determines it from the passages. */
const unseeded: u32 = 64;

/** Minimum share of identical tokens in the longest common subsequence, for units that may be a renamed copy. */
const writtenOfRenamed: f64 = 0.45;

/**
 * Returns the minimum number of identical tokens in the longest common subsequence of two units.
 *
 * @param abstracted  number of common tokens with abstracted names
 * @param both        number of tokens of both units
 */
function minWritten(abstracted: u32, both: f64): f64 {
  return ((2 * <f64>abstracted < minOfRenamed * both ? minEqualOfUnits : writtenOfRenamed) * both) / 2;
}

/** Returns true if two units have too many tokens to be compared. */
function areTooLong(lengthA: u32, lengthB: u32): bool {
  return max(lengthA, lengthB) > maxAligned || lengthB > maxCommonTokens || lengthA * (lengthB + 8) > maxCells;
}

function compareUnits(unitA: Unit, unitB: Unit, bits: u32, common: CommonTokens, counts: UnitCounts): void {
  const a0 = unitA.start,
    a1 = unitA.end,
    b0 = unitB.start,
    b1 = unitB.end;
  const lengthA = a1 - a0,
    lengthB = b1 - b0;
  if (pair.sameDocument && a1 > b0) return;
  const both = <f64>(lengthA + lengthB);
  const shorter = min(lengthA, lengthB);
  const minShare = pair.hasTwoLanguages ? min(minEqualOfUnits, classifier.minSimilarity) : minEqualOfUnits;
  if (2 * <f64>shorter < minShare * both) return;
  if (areTooLong(lengthA, lengthB)) return;
  // Skip units that a match already contains nearly completely.
  if (recordAround(a0, b0, shorter, shorter >> 4)) return;
  const minAbstracted = (minShare * both) / 2;
  compareCounts(counts, unitA, unitB);
  if (<f64>counts.maxAbstracted < minAbstracted) return;
  if (!pair.hasTwoLanguages && <f64>counts.maxWritten < minWritten(counts.maxAbstracted, both)) return;
  const abstracted = commonTokens(common, a0, a1, b0, b1, abstractedForm, minAbstracted);
  if (!abstracted) return;
  const written = minWritten(abstracted, both);
  const isAlike = <f64>counts.maxWritten >= written && commonTokens(common, a0, a1, b0, b1, writtenForm, written) != 0;
  const isPorted = mayBePorted(common, a0, a1, b0, b1);
  if (!isAlike && !isPorted) return;
  const record = recordForUnits();
  if (record == null) return;
  lists.otherRunCount = 0;
  alignUnits(a0, a1, b0, b1, abstracted);
  setPassages(a0, a1, b0, b1);
  if (
    !(isAlike && acceptsUnits(0, lists.otherRunCount, record)) &&
    !(isPorted && acceptsPorted(0, lists.otherRunCount, record))
  )
    return;
  dropInside(record);
  writeUnits(record, bits);
}

/**
 * Minimum share of words in the longest common subsequence, for units in two languages. See
 * bench/results/2026-11-30-ported-functions.md.
 */
const minWordsInOrder: f64 = 0.55;

/**
 * Returns true if two units are in different languages, and have most of their names and literals in common, in the
 * same order and regardless of their kind.
 */
function mayBePorted(common: CommonTokens, a0: u32, a1: u32, b0: u32, b1: u32): bool {
  if (!pair.hasTwoLanguages) return false;
  const words = countWords(pair.left, a0, a1) + countWords(pair.right, b0, b1);
  return commonTokens(common, a0, a1, b0, b1, wordForm, (minWordsInOrder * <f64>words) / 2) != 0;
}

/** Returns the number of names and literals among the tokens [from, to). */
function countWords(side: Side, from: u32, to: u32): u32 {
  let words: u32 = 0;
  for (let i = from; i < to; i++) words += u32(isName(side.token(i)));
  return words;
}
