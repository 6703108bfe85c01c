/** A scanned tree, and everything needed to scan its base. */
import type { Findings } from '../../core/engine/report/report.ts';
import type { ScanRequest } from '../../scan/indexer/scan.ts';
import type { ScanMonitor } from '../../scan/indexer/scanInput.ts';
import type { Listing } from '../../scan/io/sources.ts';

export interface ScannedTree {
  readonly findings: Findings;
  /** The idf table of the scan. */
  readonly idfTable: () => Uint8Array | undefined;
  /** Paths of files known to have no ignore comments; `undefined` if unknown. */
  readonly commentless?: ReadonlySet<string> | undefined;
  readonly listing: Listing;
  readonly request: ScanRequest;
  readonly monitor: ScanMonitor;
}
