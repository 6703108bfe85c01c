/**
 * The library for other programs: dist/engine.js, with types in dist/engine.d.ts. It runs in Node and in browsers.
 *
 * This file is the only exception to the rule against re-exports: it lists the public API and contains nothing else.
 * Inside the project, import from the file that owns the name.
 *
 * A 64-bit hash or fingerprint is a `bigint`; a list or set of them is any iterable of `bigint`. Weighted features are
 * a `Map` from features to finite weights ≥ 0. Tokens are strings. An argument of the wrong type causes a TypeError,
 * and a value out of range a RangeError. Both name the argument. docs/methods.md explains the methods.
 */
export { BandedLookup, type Banding, candidateProbability } from './bandedLookup.ts';
export { numDifferingBits } from '../core/methods/bits.ts';
export { leastKey } from './clusterKey.ts';
export {
  type CombinedOptions,
  combinedPairs,
  type DocumentPair,
  type MinhashOptions,
  minhashPairs,
  type SimhashOptions,
  simhashPairs,
} from './combinedPairs.ts';
export { explain, type ExplainedFeature, type ExplainOptions, type Explanation } from '../core/methods/explain.ts';
export { findAll } from './findAll.ts';
export { FingerprintIndex, type HammingIndex, type IndexDesign } from './fingerprintIndex.ts';
export { hash64 } from '../core/methods/hash64.ts';
export { type LeaderCluster, LeaderClusters, type LeaderOptions } from './leaderClusters.ts';
export { estimateJaccard, minhash, type Signature } from './minhash.ts';
export type { CountedFile } from '../core/engine/report/makeReport.ts';
export type { Findings } from '../core/engine/report/report.ts';
export type { SimilarPassage, SimilarPassages, SimilarQuery } from '../core/engine/similar/findSimilar.ts';
export { defaultOptions, type Options } from '../core/engine/options.ts';
export {
  blockPermutations,
  type Permutation,
  permute,
  twoLevelPermutations,
  unpermute,
} from '../core/methods/permutation.ts';
export type { Seed } from './randomPermutation.ts';
export { containment, resemblance, weightedResemblance } from '../core/methods/resemblance.ts';
export { type ShingleOptions, shingles } from '../core/methods/shingle.ts';
export { find, type FindOptions, scan, type Scan, type ScanOptions, type SourceText } from './scan.ts';
export { simhash } from '../core/methods/simhash.ts';
export {
  estimateContainment,
  estimateResemblance,
  type MinSketch,
  minSketch,
  type ModSketch,
  modSketch,
} from './sketch.ts';
export { TwoLevelIndex } from './twoLevelIndex.ts';
export { vocabularyWeights } from './vocabulary.ts';
export { weightedMinhash } from './weightedMinhash.ts';
