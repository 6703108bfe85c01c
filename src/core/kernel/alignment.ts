// Exports the steps of an alignment for tests, which compare each step with its definition. This module is built only
// for tests.
import { blocksAround, bounds, findCases } from './matches/bounds';
import { pair, setPassages } from './matches/documentPair';
import { extension } from './matches/extend';
import { gap } from './matches/gaps';
import { BestStretch } from './matches/rescore';
import { lists } from './matches/runs';
import { UnitCounts } from './matches/unitCounts';

export { abstractedForm, commonTokens, openCommonTokens, wordForm, writtenForm } from './matches/commonTokens';
export { openDocuments } from './matches/documentPair';
export { extendFrom } from './matches/extend';
export { jump } from './matches/gaps';
export { prepareMatching } from './matches/match';
export { dropRecords, openRecords } from './matches/matchRecords';
export { matchScratchBytes } from './matches/matchScratch';
export { openRecordGrid, recordAround } from './matches/recordGrid';
export { columnAgreement, countNames } from './matches/renaming';
export { boundScore, certainScore, rescoreCounted } from './matches/rescore';
export { useSettings } from './matches/settings';
export { widestBlock } from './matches/side';
export { alignUnits } from './matches/unitAlignment';
export { compareCounts, openUnitCounts } from './matches/unitCounts';

// The following functions set the inputs of steps.
export function setRenamedCopy(isRenamedCopy: bool): void {
  gap.isRenamedCopy = isRenamedCopy;
}
export function setOtherRunCount(count: u32): void {
  lists.otherRunCount = count;
}

/** Sets the left passage to the tokens [from, to). Returns the address of the blocks around it. */
export function blocksOfLeft(from: u32, to: u32): usize {
  setPassages(from, to, 0, 0);
  blocksAround(pair.left);
  return changetype<usize>(pair.left.block(0));
}

/** Finds the cases in the tokens [from, to) of the left text. */
export function findCasesOfLeft(from: u32, to: u32): void {
  findCases(pair.left, from, to);
}

// The following functions return results of steps.
export function firstCase(): u32 {
  return bounds.firstCase;
}
export function lastCase(): u32 {
  return bounds.lastCase;
}
export function hasCase(): bool {
  return bounds.hasCase;
}
export function usedA(): u32 {
  return extension.usedA;
}
export function usedB(): u32 {
  return extension.usedB;
}
export function jumpedA(): u32 {
  return gap.jumpedA;
}
export function jumpedB(): u32 {
  return gap.jumpedB;
}
export function bestScore(best: BestStretch): i32 {
  return best.score;
}
export function bestFirst(best: BestStretch): u32 {
  return best.first;
}
export function bestFrom(best: BestStretch): u32 {
  return best.from;
}
export function bestLast(best: BestStretch): u32 {
  return best.last;
}
export function bestTo(best: BestStretch): u32 {
  return best.to;
}
export function maxWritten(counts: UnitCounts): u32 {
  return counts.maxWritten;
}
export function maxAbstracted(counts: UnitCounts): u32 {
  return counts.maxAbstracted;
}
export function otherRuns(): usize {
  return lists.otherRuns;
}
export function otherRunCount(): u32 {
  return lists.otherRunCount;
}
