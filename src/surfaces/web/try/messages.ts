/** Messages between the page and its worker. The worker answers each request once, in order. */
import type { Group } from '../../../core/engine/report/report.ts';
import type { ScanOptions } from '../../../library/scan.ts';

/** Two texts to compare. */
export interface TextPair {
  readonly texts: readonly [left: string, right: string];
  /** File extension that determines the language, such as `.ts`. */
  readonly language: string;
  readonly options: ScanOptions;
}

/** A shingle, with its weight in each text: its weight times its occurrences. */
export interface WeightedShingle {
  readonly tokens: readonly string[];
  /** Its hash: 64 binary digits, the highest bit first. */
  readonly bits: string;
  readonly weights: readonly [left: number, right: number];
}

export interface Fingerprint {
  /** 16 hexadecimal digits. */
  readonly hex: string;
  /** Sum of the votes on each bit, the highest bit first. A bit is 1 if its sum is above 0. */
  readonly votes: readonly number[];
  readonly tokens: number;
}

/** Result of a comparison of two texts. Shares are in [0, 1]. */
export interface Comparison {
  readonly fingerprints: readonly [left: Fingerprint, right: Fingerprint];
  readonly distance: number;
  /** Distance of the closest windows, which a scan searches by; 64 if a text is too short for a window. */
  readonly windowDistance: number;
  readonly similarity: number;
  readonly resemblance: number;
  readonly weightedResemblance: number;
  readonly shingleSize: number;
  /** All shingles with a weight, heaviest first. */
  readonly shingles: readonly WeightedShingle[];
  /** The passages that a scan of the two texts finds, and their names in it. */
  readonly groups: readonly Group[];
  readonly paths: readonly [left: string, right: string];
}

export type Request = { readonly type: 'compare'; readonly pair: TextPair };

export type Answer =
  | { readonly type: 'compared'; readonly comparison: Comparison }
  | { readonly type: 'failed'; readonly message: string };
