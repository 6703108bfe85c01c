/** State of the last scan, and its report before it is packed for the host. */
import type { LiveScan } from '../../scan/indexer/liveScan.ts';
import type { ScanInput } from '../../scan/indexer/scanInput.ts';
import { byReason } from '../../scan/io/byReason.ts';
import type { Findings } from '../../core/engine/report/report.ts';
import type { Answer, ReportResponse, ScanRequest } from '../protocol/messages.ts';
import type { ConfiguredScan } from './configure.ts';

/** A report before it is packed for the host. */
export type Report = Omit<ReportResponse, 'findings' | 'judgement'> & {
  readonly findings: Findings;
  /** The request that was answered, after configuration files were applied. */
  readonly request: ScanRequest;
};

export type Outcome = Exclude<Answer, ReportResponse> | Report;

/** Inputs of a report: the request after configuration files were applied, and the compared files and texts. */
export interface ReportSources {
  readonly request: ConfiguredScan;
  readonly input: ScanInput;
}

/** State of the last scan: none yet, a scan without a complete report, or a complete report. */
export type LastScan = { readonly type: 'nothing' } | RequestedScan | KeptReport;

/** A scan that has no complete report yet. */
interface RequestedScan {
  readonly type: 'requested';
  readonly request: ScanRequest;
}

/** A complete report, which updates can change. */
export interface KeptReport {
  readonly type: 'kept';
  /** The scan request, before configuration files were applied. */
  readonly request: ScanRequest;
  /** Inputs of the last complete report. */
  last: ReportSources;
  /** Live index from which the last complete report was made, or `undefined` if there is none. */
  live: LiveScan | undefined;
  /**
   * True if the set of folders has changed and the update for it was interrupted. The last report is then still the
   * report of the previous folders.
   */
  readonly isCutShort: boolean;
  /** False if not everything fits in memory. Then each update is a new scan. */
  isFollowable: boolean;
}

export function reportOf({ request, input }: ReportSources, findings: Findings, started: number): Report {
  const leftOut = byReason(findings.skipped).map(([reason, files]) => [reason, files.length] as const);
  const hidden = findings.totals.files === 0 ? (input.listing.hidden ?? []) : [];
  const elapsedMs = Math.round(performance.now() - started);
  return { type: 'report', generation: request.generation, findings, elapsedMs, leftOut, hidden, request };
}
