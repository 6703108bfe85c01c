/**
 * Compares the rows of two reports of the same texts: finds the rows that have no counterpart in the other report. A
 * row that has only become longer, or has lost a copy, is not a new row.
 */
import { append } from '../../collections/lists.ts';
import { sharedLines } from './overlap.ts';
import type { Findings, Group, Passage } from '../report/report.ts';

/** Ids of rows, in the order of their report. */
export interface ChangedRows {
  /** Rows of the later report. */
  readonly come: readonly string[];
  /** Rows of the earlier report. */
  readonly gone: readonly string[];
}

/** Returns the rows for which no group of the other report has two of the copies. */
export function changedRows(before: Findings, after: Findings): ChangedRows {
  return { come: rowsMissingIn(before, after), gone: rowsMissingIn(after, before) };
}

/** Returns true if two passages of a group are in one group of another report of the same texts. */
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

/** The passages of a row and of a group that are the same as a passage of the other. */
interface Same {
  readonly own: Set<Passage>;
  readonly others: Set<Passage>;
}

/** Returns true if two passages of a row are also in one group. */
function isKnown(row: Group, byPath: ReadonlyMap<string, readonly Member[]>): boolean {
  const known = new Map<Group, Same>();
  for (const passage of row.passages) {
    for (const { group, passage: other } of byPath.get(passage.path) ?? []) {
      if ((group.kind === 'file') !== (row.kind === 'file') || !isMostOf(passage, other)) continue;
      const same = known.get(group) ?? { own: new Set(), others: new Set() };
      known.set(group, same);
      same.own.add(passage);
      same.others.add(other);
      if (same.own.size > 1 && same.others.size > 1) return true;
    }
  }
  return false;
}

/** Returns true if two passages share at least half of the lines of the shorter one. */
function isMostOf(a: Passage, b: Passage): boolean {
  return 2 * sharedLines(a, b) >= Math.min(a.endLine - a.startLine, b.endLine - b.startLine) + 1;
}
