// The steps of an alignment one by one, so that tests can compare them with their definitions. A separate module that
// is in no bundle.
import * as extend from './matches/extend';
import * as gaps from './matches/gaps';
import * as scores from './matches/rescore';
import * as lists from './matches/runs';

export { blocksAround, blocksBytes } from './matches/bounds';
export { commonTokens, openCommonTokens } from './matches/commonTokens';
export { openDocuments } from './matches/documentPair';
export { reach } from './matches/extend';
export { jump, setRenamedCopy } from './matches/gaps';
export { matchScratchBytes, prepareMatching } from './matches/match';
export { dropRecords, openRecords } from './matches/matchRecords';
export { openRecordGrid, recordAround } from './matches/recordGrid';
export { columnAgreement, countNames } from './matches/renaming';
export { boundScore, rescore, setGapFactor } from './matches/rescore';
export { setOtherRunCount } from './matches/runs';
export { useSettings } from './matches/settings';
export { alignUnits } from './matches/unitAlignment';

// Results of the steps.
export function usedA(): u32 {
  return extend.usedA;
}
export function usedB(): u32 {
  return extend.usedB;
}
export function jumpedA(): u32 {
  return gaps.jumpedA;
}
export function jumpedB(): u32 {
  return gaps.jumpedB;
}
export function bestScore(): i32 {
  return scores.bestScore;
}
export function bestFirst(): u32 {
  return scores.bestFirst;
}
export function bestFrom(): u32 {
  return scores.bestFrom;
}
export function bestLast(): u32 {
  return scores.bestLast;
}
export function bestTo(): u32 {
  return scores.bestTo;
}
export function mostScore(): i32 {
  return scores.mostScore;
}
export function otherRuns(): usize {
  return lists.otherRuns;
}
export function otherRunCount(): u32 {
  return lists.otherRunCount;
}
