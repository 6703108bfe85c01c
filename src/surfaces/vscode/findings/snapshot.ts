/** A report with the folders that its paths are relative to, for the views. */
import type { Group } from '../../../core/engine/report/report.ts';
import { type Packed, readReport, type Report } from '../../../session/client/report.ts';
import { percentage } from '../wording.ts';
import type { Folders } from '../workspace/folders.ts';
import { readLimitOf } from './readLimit.ts';

export interface Snapshot extends Report {
  readonly folders: Folders;
}

/** Returns the snapshot of a report; `undefined` if `readReport` returns none. */
export async function makeSnapshot(
  packed: Packed,
  folders: Folders,
  before: Snapshot | undefined,
): Promise<Snapshot | undefined> {
  const report = await readReport(packed, before);
  return report && { ...report, folders };
}

/**
 * True if the rows of two snapshots look the same. Unchanged groups are the same objects in both, so comparing many
 * groups is fast. Totals are compared as rounded in the headings, so a tooltip of a heading may show the previous
 * numbers.
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

/** Most items are identical objects; only the others are compared by content. */
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
    .map(([name, { rows, duplicatedPercent }]) => [name, rows, percentage(duplicatedPercent)]);
  const { sources, aside, unknown, trouble } = judgement;
  return { complete, categories, sources, aside, unknown, trouble, hidden, limit: readLimitOf(snapshot) };
}
