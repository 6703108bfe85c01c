/** Inputs and callbacks of a scan. */
import type { ListedFile, ScanListing } from '../io/sources.ts';
import type { Fetch } from './remoteFiles.ts';

/** Text without a file: UTF-8 without a byte order mark. */
export interface Text {
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface ScanInput {
  readonly listing: ScanListing;
  /** Texts that are compared in addition to files, or instead of a file with the same path. */
  readonly texts: readonly Text[];
  /** Reads listed files that are available without their bytes; `undefined` if there are none. */
  readonly fetch?: Fetch;
}

export interface ScanProgress {
  readonly phase: 'reading' | 'matching';
  readonly done: number;
  readonly total: number;
}

/** Callbacks of a running scan. `cancelled` is polled between files and in long loops. */
export interface ScanMonitor {
  readonly onProgress: (progress: ScanProgress) => void;
  readonly cancelled: () => boolean;
}

/** Seeds per slice: a few milliseconds, so that cancellation is fast. */
export const seedsOfSlice = 2_000;

const knownFiles = new WeakMap<ScanListing, ReadonlyMap<string, ListedFile>>();

/** Returns the files of a listing by path. Cached, because each edit needs some of them. */
export function filesByPath(listing: ScanListing): ReadonlyMap<string, ListedFile> {
  let files = knownFiles.get(listing);
  if (files === undefined) knownFiles.set(listing, (files = new Map(listing.files.map((file) => [file.path, file]))));
  return files;
}
