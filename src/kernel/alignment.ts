// The parts of an alignment one by one, for tests to hold against their definitions: a module of its own, in no bundle.
export { blocksAround, blocksBytes, setBrackets } from './bounds';
export { openDocuments } from './documentPair';
export { extensionScratchBytes, placeExtension, reach, setExtension, usedA, usedB } from './extend';
export { gapScratchBytes, jump, jumpedA, jumpedB, placeGaps, setRenamedCopy } from './gaps';
export { columnAgreement, countNames, nameScratchBytes, placeNames } from './renaming';
export { bestFirst, bestFrom, bestLast, bestScore, bestTo, boundScore, mostScore, rescore, setGapFactor } from './rescore';
export { otherRunCount, otherRuns, placeRuns, runScratchBytes, setOtherRunCount } from './runs';
