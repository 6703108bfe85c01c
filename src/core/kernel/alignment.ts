// The steps of an alignment one by one, so that tests can compare them with their definitions. A separate module that
// is in no bundle.
export { blocksAround, blocksBytes } from './matches/bounds';
export { commonTokens, commonTokensScratchBytes, openCommonTokens, placeCommonTokens } from './matches/commonTokens';
export { openDocuments } from './matches/documentPair';
export { extensionScratchBytes, placeExtension, reach, usedA, usedB } from './matches/extend';
export { gapScratchBytes, jump, jumpedA, jumpedB, placeGaps, setRenamedCopy } from './matches/gaps';
export { dropRecords, openRecords } from './matches/matchRecords';
export { openRecordGrid, placeRecordGrid, recordAround, recordGridScratchBytes } from './matches/recordGrid';
export { columnAgreement, countNames, nameScratchBytes, placeNames } from './matches/renaming';
export {
  bestFirst,
  bestFrom,
  bestLast,
  bestScore,
  bestTo,
  boundScore,
  mostScore,
  rescore,
  setGapFactor,
} from './matches/rescore';
export { useSettings } from './matches/settings';
export { otherRunCount, otherRuns, placeRuns, runScratchBytes, setOtherRunCount } from './matches/runs';
export { alignUnits, placeUnitAlignment, unitAlignmentScratchBytes } from './matches/unitAlignment';
