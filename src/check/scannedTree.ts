/** A tree that was scanned, and what it takes to scan it as it was before. */
import type { Findings } from '../engine/report/report.ts';
import type { ScanRequest } from '../indexer/scan.ts';
import type { ScanMonitor } from '../indexer/scanInput.ts';
import type { Listing } from '../io/sources.ts';

export interface ScannedTree {
  readonly findings: Findings;
  /** The table of inverse document frequencies by which it was weighed. */
  readonly idfTable: () => Uint8Array | undefined;
  /** The paths of files that are known to have no comment about copies; undefined when nothing is known. */
  readonly commentless?: ReadonlySet<string> | undefined;
  readonly listing: Listing;
  readonly request: ScanRequest;
  readonly monitor: ScanMonitor;
}
