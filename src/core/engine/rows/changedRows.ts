/**
 * Compares two reports of the same texts. Finds the rows of each report that have no counterpart in the other report. A
 * row that has become longer or has lost a copy still has a counterpart.
 */
import { append } from '../../collections/lists.ts';
import { sharedLines } from '../../collections/textPositions.ts';
import type { Findings, Group, Passage } from '../report/report.ts';

/** Ids of rows, in the order of the report to which they belong. */
export interface ChangedRows {
  /** Rows that are only in the later report. */
  readonly added: readonly string[];
  /** Rows that are only in the earlier report. */
  readonly removed: readonly string[];
}

/** Returns the rows of each report without a counterpart in the other: a group with two of their passages. */
export function changedRows(before: Findings, after: Findings): ChangedRows {
  return { added: rowsMissingIn(before, after), removed: rowsMissingIn(after, before) };
}

/** Returns true if a group of another report of the same texts contains two passages of this group. */
export function isFoundIn({ groups }: Pick<Findings, 'groups'>, group: Group): boolean {
  return isKnown(group, membersByPath(groups));
}

function rowsMissingIn(other: Findings, findings: Findings): string[] {
  const byPath = membersByPath(other.groups);
  const rows = findings.groups.filter(({ parent }) => parent === undefined);
  return rows.filter((row) => !isKnown(row, byPath)).map(({ id }) => id);
}

function membersByPath(groups: readonly Group[]): ReadonlyMap<string, readonly Member[]> {
  const byPath = new Map<string, Member[]>();
  for (const group of groups) {
    for (const passage of group.passages) append(byPath, passage.path, { group, passage });
  }
  return byPath;
}

interface Member {
  readonly group: Group;
  readonly passage: Passage;
}

/** `own`: passages of a row that a group contains. `others`: passages of this group that the row contains. */
interface CommonPassages {
  readonly own: Set<Passage>;
  readonly others: Set<Passage>;
}

/** Returns true if one of the groups contains two passages of a row. */
function isKnown(row: Group, byPath: ReadonlyMap<string, readonly Member[]>): boolean {
  const membersByGroup = new Map<Group, CommonPassages>();
  for (const passage of row.passages) {
    for (const { group, passage: other } of byPath.get(passage.path) ?? []) {
      if ((group.kind === 'file') !== (row.kind === 'file') || !isMostOf(passage, other)) continue;
      const same = membersByGroup.get(group) ?? { own: new Set(), others: new Set() };
      membersByGroup.set(group, same);
      same.own.add(passage);
      same.others.add(other);
      if (same.own.size > 1 && same.others.size > 1) return true;
    }
  }
  return false;
}

/** Returns true if two passages share at least half of the lines of the shorter passage. */
function isMostOf(a: Passage, b: Passage): boolean {
  return 2 * sharedLines(a, b) >= Math.min(a.endLine - a.startLine, b.endLine - b.startLine) + 1;
}
