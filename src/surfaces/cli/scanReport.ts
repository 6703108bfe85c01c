/** Data of a scan for the renderers. */
import type { CheckResult } from '../../review/check/checkRun.ts';
import type { JudgedReport } from '../../review/check/ignoring.ts';
import { uncomparedWords } from '../../review/gate/uncompared.ts';
import type { Hidden } from '../../scan/io/sources.ts';

export interface CheckedReport extends ScanReport {
  readonly check: CheckResult;
}

export interface ScanReport extends JudgedReport {
  /** Content of the report: everything, whole files only, or folders with their contents. */
  readonly scope: 'all' | 'files' | 'folders';
  readonly tool: { readonly name: 'kindred'; readonly version: string };
  /** Absolute path of the folder that the paths of the findings are relative to. */
  readonly root: string;
  /** Every option in effect, in the form of a configuration file. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Number of hidden files by rule, in descending order. */
  readonly hidden: readonly Hidden[];
  /** Wall time since the start of the program. */
  readonly elapsedMs: number;
  /** Only set for a check. */
  readonly check?: Pick<CheckResult, 'holds' | 'message' | 'since' | 'baseline' | 'diverged' | 'uncompared'>;
}

/** Title of a report about files that could not be compared. */
export const incompleteTitle = 'Incomplete comparison';

/** The files that could not be compared, in words; undefined if no file is missing. */
export function uncomparedIn({ check, findings }: ScanReport): string | undefined {
  return check ? check.uncompared : uncomparedWords(findings.skipped);
}

/** True for a check with a base: a Git ref or a baseline. Only then are groups new or old. */
export function hasBase({ check }: ScanReport): boolean {
  return check?.since !== undefined || check?.baseline !== undefined;
}

export function isChecked(report: ScanReport): report is CheckedReport {
  return report.check !== undefined;
}
