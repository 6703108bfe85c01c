/** A report with the folders that its paths refer to, for the views. */
import type { Group } from '../../../core/engine/report/report.ts';
import { type PackedReport, readReport, type Report } from '../../../session/client/report.ts';
import { duplicatedShare } from '../wording.ts';
import type { Folders } from '../workspace/folders.ts';
import { readLimitOf } from './readLimit.ts';

export interface Snapshot extends Report {
  readonly folders: Folders;
}

/** Returns the snapshot for a report; `undefined` if `readReport` returns none. */
export async function makeSnapshot(
  packed: PackedReport,
  folders: Folders,
  before: Snapshot | undefined,
): Promise<Snapshot | undefined> {
  const report = await readReport(packed, before);
  return report && { ...report, folders };
}

/**
 * Returns true if the rows of two snapshots look the same. Unchanged groups are the same objects in both, so this is
 * fast even for many groups. Compares totals only as rounded in headings, so a heading's tooltip may show slightly
 * older numbers.
 */
export function haveSameRows(left: Snapshot, right: Snapshot): boolean {
  return (
    left.folders === right.folders &&
    areSame(left.found.all, right.found.all) &&
    areSame(left.all, right.all) &&
    areEqual(left.findings.files, right.findings.files) &&
    areEqual(left.findings.folders, right.findings.folders) &&
    JSON.stringify(rowsBeside(left)) === JSON.stringify(rowsBeside(right))
  );
}

function areSame(left: readonly Group[], right: readonly Group[]): boolean {
  return left.length === right.length && left.every((group, at) => group === right[at]);
}

/** Compares identical objects by reference first, because most are identical; compares the others by content. */
function areEqual(left: readonly object[], right: readonly object[]): boolean {
  return (
    left.length === right.length &&
    left.every((item, at) => item === right[at] || JSON.stringify(item) === JSON.stringify(right[at]))
  );
}

function rowsBeside(snapshot: Snapshot): unknown {
  const { findings, judgement, hidden } = snapshot;
  const { complete, totals } = findings;
  const categories = Object.entries(totals.categories)
    .filter(([, { rows }]) => rows > 0)
    .map(([name, totals]) => [name, totals.rows, duplicatedShare(totals)]);
  const { sources, aside, unknown, trouble } = judgement;
  return { complete, categories, sources, aside, unknown, trouble, hidden, limit: readLimitOf(snapshot) };
}
