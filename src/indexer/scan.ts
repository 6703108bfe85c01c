/**
 * Scans folders: walks them, reads and fingerprints the files on all lanes, and matches. The command line and the
 * editor's worker both call this.
 */
import type { Options } from '../engine/options.ts';
import type { Findings } from '../engine/report.ts';
import type { Listing, SourceOptions } from '../io/sources.ts';

export interface ScanRequest {
  readonly listing: Listing;
  readonly options: Options;
  readonly sources: SourceOptions;
  /** Threads that read and fingerprint, this one included; at least 1. */
  readonly workers: number;
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

export async function scan(request: ScanRequest, monitor: ScanMonitor): Promise<Findings> {
  monitor.onProgress({ phase: 'reading', done: 0, total: request.listing.files.length });
  return Promise.reject(new Error('not built yet'));
}
