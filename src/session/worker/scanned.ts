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
  /** The answered request, with the folders' own options. */
  readonly request: ScanRequest;
};

export type Outcome = Exclude<Answer, ReportResponse> | Report;

/** Inputs of a report: the request with the folders' own options, and the compared sources. */
export interface Reported {
  readonly request: ConfiguredScan;
  readonly input: ScanInput;
}

/** State of the last scan: nothing before the first one, a scan without a report, or a complete report. */
export type Scanned = { readonly type: 'nothing' } | Asked | Kept;

/** A scan without a complete report so far. */
interface Asked {
  readonly type: 'asked';
  readonly asked: ScanRequest;
}

/** A complete report, to be updated. */
export interface Kept {
  readonly type: 'kept';
  /** The scan as it was requested. */
  readonly asked: ScanRequest;
  /** Inputs of the last complete report. */
  last: Reported;
  /** The index of that report, if it exists. */
  live: LiveScan | undefined;
  /** True if the requested folders differ from those of the report, and their files were not added. */
  readonly isCutShort: boolean;
  /** False if not everything fits into memory: each update then scans again. */
  isFollowable: boolean;
}

export function reportOf({ request, input }: Reported, findings: Findings, started: number): Report {
  const leftOut = byReason(findings.skipped).map(([reason, files]) => [reason, files.length] as const);
  const hidden = findings.totals.files === 0 ? (input.listing.hidden ?? []) : [];
  const elapsedMs = Math.round(performance.now() - started);
  return { type: 'report', generation: request.generation, findings, elapsedMs, leftOut, hidden, request };
}
