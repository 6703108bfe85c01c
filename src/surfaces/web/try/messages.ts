/**
 * Messages between the page and its worker. The worker processes requests in order. For each request, it sends any
 * number of progress messages and then one answer.
 */
import type { CountedFile } from '../../../core/engine/report/makeReport.ts';
import type { Findings, Group, SkippedFile } from '../../../core/engine/report/report.ts';
import type { OptionChanges } from '../../../scan/io/configuration.ts';
import type { SimilarPassages } from '../../../core/engine/similar/findSimilar.ts';
import type { ScanOptions } from '../../../library/scan.ts';
import type { Project } from './projectFile.ts';

export interface TextPair {
  readonly texts: readonly [left: string, right: string];
  /** File extension that determines the language, such as `.ts`. */
  readonly language: string;
  readonly options: ScanOptions;
}

/** A shingle, with its weight in each of the two texts: the weight of one occurrence times their number. */
export interface WeightedShingle {
  readonly tokens: readonly string[];
  /** Hash of the shingle as 64 binary digits, the most significant first. */
  readonly bits: string;
  readonly weights: readonly [left: number, right: number];
}

export interface Fingerprint {
  /** Fingerprint as 16 hexadecimal digits. */
  readonly hex: string;
  /** Sum of the votes on each bit, most significant bit first. A bit is 1 if its sum is greater than 0. */
  readonly votes: readonly number[];
  readonly tokens: number;
}

/** Result of comparing two texts. Shares are in [0, 1]. */
export interface Comparison {
  readonly fingerprints: readonly [left: Fingerprint, right: Fingerprint];
  readonly distance: number;
  /** Number of differing bits between the two most similar windows; 64 if a text is too short for a window. */
  readonly windowDistance: number;
  readonly sameTokens: number;
  readonly resemblance: number;
  readonly weightedResemblance: number;
  readonly shingleSize: number;
  /** All shingles with a nonzero weight, by descending weight. */
  readonly shingles: readonly WeightedShingle[];
  /** Groups that a scan of both texts finds. `paths` has the names of the texts in these groups. */
  readonly groups: readonly Group[];
  readonly paths: readonly [left: string, right: string];
}

/** Files to scan: an archive, or files that the ignore rules do not exclude. */
export type ScanSource =
  | { readonly type: 'zip'; readonly file: File }
  | {
      readonly type: 'files';
      /** Name of the selected folder; empty if there is none. */
      readonly name: string;
      readonly files: readonly (readonly [path: string, file: File])[];
      readonly skipped: readonly SkippedFile[];
      readonly project: Project;
    };

export interface ScanRequest {
  readonly source: ScanSource;
  /** Options set by the user. They override those of the project. */
  readonly options: OptionChanges;
}

export interface ScanResult {
  readonly name: string;
  readonly findings: Findings;
  /** Compared files, sorted by path. */
  readonly files: readonly CountedFile[];
  readonly skipped: readonly SkippedFile[];
  readonly project: Project;
  /** The compared texts in UTF-8. */
  readonly texts: readonly { readonly path: string; readonly text: Uint8Array }[];
}

/** Reason why the files cannot be scanned. */
export type Problem =
  /** The configuration file of the folder is invalid. */
  | { readonly type: 'badProject'; readonly sentence: string }
  | { readonly type: 'badZip'; readonly name: string; readonly reason: string }
  | { readonly type: 'nothing'; readonly skipped: readonly SkippedFile[] }
  | { readonly type: 'tooLarge'; readonly name: string; readonly sizeBytes: number; readonly limitBytes: number }
  | { readonly type: 'unreadable'; readonly name: string }
  | { readonly type: 'tooManyFiles'; readonly limit: number };

/** `done` is the number of files read or indexed so far. While files are compared, it is the number of all files. */
export interface Progress {
  readonly stage: 'reading' | 'indexing' | 'comparing';
  readonly done: number;
  readonly total: number;
}

export type Request =
  | { readonly type: 'compare'; readonly pair: TextPair }
  | { readonly type: 'scan'; readonly request: ScanRequest }
  /** Searches for near-duplicates of a text in the files of the last scan. */
  | { readonly type: 'find'; readonly text: string; readonly language: string };

export type Answer =
  | { readonly type: 'compared'; readonly comparison: Comparison }
  | { readonly type: 'scanned'; readonly result: ScanResult }
  | { readonly type: 'found'; readonly found: SimilarPassages }
  | { readonly type: 'refused'; readonly problem: Problem }
  | { readonly type: 'failed'; readonly message: string };

export type WorkerMessage = Answer | { readonly type: 'progress'; readonly progress: Progress };
