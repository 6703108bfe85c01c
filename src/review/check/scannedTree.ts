/** A scanned tree, with everything that is needed to scan its base. */
import type { Findings } from '../../core/engine/report/report.ts';
import type { ScanRequest } from '../../scan/indexer/scan.ts';
import type { ScanMonitor } from '../../scan/indexer/scanInput.ts';
import type { Listing } from '../../scan/io/sources.ts';

export interface ScannedTree {
  readonly findings: Findings;
  /** Returns the idf table of the scan. */
  readonly idfTable: () => Uint8Array | undefined;
  /** Paths of files that are known to have no ignore comments; `undefined` if none are known. */
  readonly commentless?: ReadonlySet<string> | undefined;
  readonly listing: Listing;
  readonly request: ScanRequest;
  readonly monitor: ScanMonitor;
}
