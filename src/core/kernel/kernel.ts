// The exports of the kernel, which the engine calls. The kernel is AssemblyScript, compiled to one WebAssembly module.
// It has no memory of its own: all addresses come from the engine (src/core/engine/kernel.ts), which shares one memory
// among all threads.
export { allocateBlock, blockListBytes, donateBlock, freeBlock, prepareBlocks } from './blocks';
export { lex, lexScratchBytes } from './lex/lex';
export { copyArray } from './documents/copyArray';
export { dropRepeated, dropRepeating, fingerprint } from './documents/fingerprint';
export { fingerprintListings } from './documents/listings';
export { hasWord } from './documents/hasWord';
export { leastKey } from './documents/leastKey';
export { distinctShapes } from './documents/shapes';
export { anchors, nearestBits } from './documents/windows';
export { gatherWindows, groupEqual, seedEqual, seedPairs, sortSeeds } from './seeds/candidates';
export { joinNearest, nearestPairs, scatter, sortFingerprints } from './seeds/join';
export { changedFingerprints } from './seeds/fingerprintLists';
export { gatherPhrases, markPhrases, writePatterns, writePhrases } from './seeds/phrases';
export {
  countEntries,
  createLiveIndex,
  dropEmptyGroups,
  dropLiveIndex,
  equalWindows,
  fillGroups,
  insertWindows,
  liveFingerprints,
  liveGroups,
  placeEntries,
  removeWindows,
  reserveEntries,
} from './seeds/liveIndex';
export {
  dropLiveSearch,
  seedsOfText,
  seedsWith,
  seedsWithout,
  touchedFingerprints,
  windowsNear,
} from './seeds/liveSeeds';
export {
  countLines,
  insertLines,
  keepLinesIn,
  listLines,
  phraseSeedsOfText,
  phraseSeedsWith,
  phraseSeedsWithout,
  placeLines,
  removeLines,
  reserveLines,
} from './seeds/livePhrases';
export {
  matchesCompared,
  matchPassages,
  matchSeeds,
  prepareMatching,
  resumeMatching,
  tokensCompared,
} from './matches/match';
export { matchScratchBytes } from './matches/matchScratch';
export { packPlaces } from './documents/places';
export { lineOf, linesCovered, placePassage, placeToken } from './documents/passage';
export { lastLineUnits, markUnitless } from './documents/textUnits';
export { equalStretchBytes, nextEqualStretch, openEqualStretches } from './matches/equalStretches';
export { findUnits, unitScratchBytes } from './documents/units';
export { findProbes, leastHashes, probeScratchBytes } from './files/probes';
export { countDocuments, measureIdf, idfTableBytes, idfScratchBytes, weighsAlike, writeIdf } from './matches/idf';
export { gatherShingles, sharedShingles, shingleSlots } from './files/shingleSet';
export { sketch } from './files/sketch';
export { createVotes, votesBytes } from './documents/votes';
