// The kernel's surface: what the engine calls. Everything here is AssemblyScript, compiled to one WebAssembly module
// that owns no memory: all addresses come from the engine (src/engine/kernel.ts), which shares one memory among threads.
export { allocateBlock, blockListBytes, donateBlock, freeBlock, prepareBlocks } from './blocks';
export { lex } from './lex';
export { dropRepeated, dropRepeating, fingerprint } from './fingerprint';
export { fingerprintListings } from './listings';
export { anchors, gatherWindows, groupEqual, leastKey, nearestBits, seedEqual, seedPairs, sortSeeds } from './candidates';
export { fillTable, joinRows, nearestPairs, partTable, partWords, sortFingerprints } from './join';
export { changedFingerprints } from './fingerprintLists';
export {
  createLiveIndex, dropLiveIndex, insertWindows, liveFingerprints, liveIndexBytes, liveTableBytes, removeWindows,
} from './liveIndex';
export { clearSeeds, crowdedCount, seedsAddress, seedsCount, seedsWith, seedsWithout, touchedFingerprints } from './liveSeeds';
export { matchPassages, matchScratchBytes, matchSeeds, prepareMatching, tokensCompared } from './match';
export { packPlaces } from './places';
export { findProbes, probeScratchBytes } from './probes';
export { measureRarity, rarityBytes, rarityScratchBytes, weighsAlike } from './rarity';
export { gatherShingles, sharedShingles, shingleSlots } from './shingleSet';
export { sketch } from './sketch';
export { writeRows } from './votes';
