/**
 * What becomes of rows from one report to another one of the same texts: which ones tell of a repetition that the other report
 * does not. A row that has only become longer, or has lost a copy, is no other row.
 */
import { sharedLines } from './overlap.ts';
import type { Findings, Group, Passage } from '../report/report.ts';

/** The ids of rows, in the order of their report. */
export interface ChangedRows {
  /** Of the report after. */
  readonly come: readonly string[];
  /** Of the report before. */
  readonly gone: readonly string[];
}

/** Rows of which no group of the other report has two copies. */
export function changedRows(before: Findings, after: Findings): ChangedRows {
  return { come: rowsMissingIn(before, after), gone: rowsMissingIn(after, before) };
}

function rowsMissingIn(other: Findings, findings: Findings): string[] {
  const byPath = new Map<string, Member[]>();
  for (const group of other.groups) {
    for (const passage of group.passages) {
      const members = byPath.get(passage.path);
      if (members) members.push({ group, passage });
      else byPath.set(passage.path, [{ group, passage }]);
    }
  }
  const rows = findings.groups.filter(({ parent }) => parent === undefined);
  return rows.filter((row) => !isKnown(row, byPath)).map(({ id }) => id);
}

interface Member {
  readonly group: Group;
  readonly passage: Passage;
}

/** The passages of a row and of a group that are the same as one of the other's. */
interface Same {
  readonly own: Set<Passage>;
  readonly others: Set<Passage>;
}

/** Whether two passages of a row are the same as two of one group. */
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

/** Whether they have half of the shorter one's lines in common. */
function isMostOf(a: Passage, b: Passage): boolean {
  return 2 * sharedLines(a, b) >= Math.min(a.endLine - a.startLine, b.endLine - b.startLine) + 1;
}
