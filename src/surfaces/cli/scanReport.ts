/** Data of a scan, for the modules that write reports. */
import type { CheckResult } from '../../review/check/checkRun.ts';
import type { JudgedReport } from '../../review/check/ignoring.ts';
import { uncomparedWords } from '../../review/gate/uncompared.ts';
import type { HiddenFiles } from '../../scan/io/sources.ts';

export interface CheckedReport extends ScanReport {
  readonly check: CheckResult;
}

export interface ScanReport extends JudgedReport {
  /** Scope of the report: everything, only whole files, or only folders and what is in them. */
  readonly scope: 'all' | 'files' | 'folders';
  readonly tool: { readonly name: 'kindred'; readonly version: string };
  /** Absolute path of the folder to which paths in the findings are relative. */
  readonly root: string;
  /** All options in effect, with the keys of a configuration file. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Number of files that each rule hides, in descending order. */
  readonly hidden: readonly HiddenFiles[];
  /** Milliseconds since the start of the program. */
  readonly elapsedMs: number;
  /** Result of the check; missing if there was none. */
  readonly check?: Pick<CheckResult, 'holds' | 'message' | 'since' | 'baseline' | 'diverged' | 'uncompared'>;
}

/** Title of the entry about files that could not be compared. */
export const incompleteTitle = 'Incomplete comparison';

/** Returns a description of the files that could not be compared; `undefined` if there are none. */
export function uncomparedIn({ check, findings }: ScanReport): string | undefined {
  return check ? check.uncompared : uncomparedWords(findings.skipped);
}

/** Returns true if a check has a base: a Git ref or a baseline. Only then can groups be new or old. */
export function hasBase({ check }: ScanReport): boolean {
  return check?.since !== undefined || check?.baseline !== undefined;
}

export function isChecked(report: ScanReport): report is CheckedReport {
  return report.check !== undefined;
}
