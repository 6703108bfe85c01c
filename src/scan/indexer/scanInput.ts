/** Inputs and callbacks of a scan. */
import type { Findings } from '../../core/engine/report/report.ts';
import type { SimilarPassages } from '../../core/engine/similar/findSimilar.ts';
import type { SearchedText } from '../../core/engine/windowIndex.ts';
import type { ListedFile, ScanListing } from '../io/sources.ts';
import type { FileFetcher } from './remoteFiles.ts';

/** A text in memory, encoded as UTF-8 without a byte order mark. */
export interface Text {
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface ScanInput {
  readonly listing: ScanListing;
  /** Texts to compare. A text replaces the file with the same path; others are compared in addition to the files. */
  readonly texts: readonly Text[];
  /** Reads files that were listed without their bytes. `undefined` if there are no such files. */
  readonly fetch?: FileFetcher;
}

export interface ScanProgress {
  readonly phase: 'reading' | 'matching' | 'grouping';
  readonly done: number;
  readonly total: number;
}

/** Callbacks of a running scan. `cancelled` is called often: between files and in long loops. */
export interface ScanMonitor {
  readonly onProgress: (progress: ScanProgress) => void;
  readonly cancelled: () => boolean;
  /**
   * Receives incomplete findings of a large tree before matching: the longest exact copies of source and text. The scan
   * continues when the returned promise is settled. If omitted, they are not computed. They do not affect the result.
   */
  readonly onFirst?: ((findings: Findings) => Promise<void>) | undefined;
  /**
   * Called between stages once all documents are in memory, with a function that searches them. The scan continues when
   * the returned promise is settled.
   */
  readonly onPause?: ((search: DocumentSearch) => Promise<void>) | undefined;
}

/** Finds passages that a text nearly duplicates; `undefined` if the scan was canceled or memory insufficient. */
export type DocumentSearch = (text: SearchedText) => Promise<SimilarPassages | undefined>;

/** Number of seeds in a slice. Matching takes a few milliseconds, so that a cancellation quickly takes effect. */
export const seedsOfSlice = 2_000;

const knownFiles = new WeakMap<ScanListing, ReadonlyMap<string, ListedFile>>();

/** Returns a map of the files in a listing by path. The map is cached, because each edit looks up only a few files. */
export function filesByPath(listing: ScanListing): ReadonlyMap<string, ListedFile> {
  let files = knownFiles.get(listing);
  if (files === undefined) knownFiles.set(listing, (files = new Map(listing.files.map((file) => [file.path, file]))));
  return files;
}
