/** A scanned tree, with all data that a scan of its base needs. */
import type { Findings } from '../../core/engine/report/report.ts';
import type { ScanRequest } from '../../scan/indexer/scan.ts';
import type { ScanMonitor } from '../../scan/indexer/scanInput.ts';
import type { Listing } from '../../scan/io/sources.ts';

export interface ScannedTree {
  readonly findings: Findings;
  readonly idfTable: () => Uint8Array | undefined;
  /** Paths of files that are known to have no ignore comments. If `undefined`, any file may have some. */
  readonly commentless?: ReadonlySet<string> | undefined;
  readonly listing: Listing;
  readonly request: ScanRequest;
  readonly monitor: ScanMonitor;
}
