/** What a scan compares and what it tells while it runs. */
import type { ScanListing } from '../io/sources.ts';
import type { Fetch } from './remoteFiles.ts';

/** A text that does not come from a file: UTF-8 without byte order mark. */
export interface Text {
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface ScanInput {
  readonly listing: ScanListing;
  /** What is compared besides the files, or instead of one that has the same path. */
  readonly texts: readonly Text[];
  /** Reads files of the listing that are there without their bytes; undefined when there are none. */
  readonly fetch?: Fetch;
}

export interface ScanProgress {
  readonly phase: 'reading' | 'matching';
  readonly done: number;
  readonly total: number;
}

/** What a running scan tells and asks. `cancelled` is looked at between files and in long loops. */
export interface ScanMonitor {
  readonly onProgress: (progress: ScanProgress) => void;
  readonly cancelled: () => boolean;
}

/** Seeds that are matched at a time: some milliseconds' worth, so that cancelling is quick. */
export const seedsOfSlice = 2_000;
