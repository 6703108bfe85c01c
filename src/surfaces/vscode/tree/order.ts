/** Sort orders of rows. Reports are sorted by worth; users may choose another order. */
import { sum } from '../../../core/collections/lists.ts';
import type { FilePair, FolderGroup } from '../../../core/engine/report/report.ts';
import { similarityOf, sizeOf } from '../../../presentation/wording/likeness.ts';
import { groupsIn, type OutlineRow } from '../../../presentation/wording/outline.ts';
import { type Peers, type SharedLines, sharedLines } from '../../../presentation/wording/peers.ts';

/** Sort orders: by worth, number of repeated lines, similarity, number of copies (all descending), or path. */
export const orders = ['worth', 'size', 'similarity', 'copies', 'path'] as const;
export type Order = (typeof orders)[number];

export function isOrder(value: unknown): value is Order {
  return orders.some((order) => order === value);
}

type RowComparer = (left: OutlineRow, right: OutlineRow) => number;

/** Comparison function for each order. Rows that compare as equal keep the order of the report. */
export const compareRows: Readonly<Record<Exclude<Order, 'worth'>, RowComparer>> = {
  size: (left, right) => linesOf(right) - linesOf(left),
  similarity: (left, right) => alikeOf(right) - alikeOf(left),
  copies: (left, right) => copiesOf(right) - copiesOf(left),
  path: (left, right) => {
    const [a, b] = [firstOf(left), firstOf(right)];
    return a.path < b.path ? -1 : a.path > b.path ? 1 : a.startLine - b.startLine;
  },
};

/**
 * Returns the rows inside similar folders in a different order: first pairs of files, those that differ most first,
 * because one of them may be outdated; then all other rows.
 */
export function leastAlikeFirst(rows: readonly OutlineRow[]): OutlineRow[] {
  const files = rows.filter(isOfFiles).sort((left, right) => alikeOf(left) - alikeOf(right));
  return [...files, ...rows.filter((row) => !isOfFiles(row))];
}

/** Returns the share, in [0, 1], of both files' lines that are in passages they share. */
export function shareOfPair({ lines: [a, b], shares: [ofA, ofB] }: FilePair): number {
  return weighted([a, b], [ofA, ofB]);
}

/** Returns the share, in [0, 1], of the folders' lines that also occur in another of these folders. */
export function shareOfFolders({ lines, shares }: FolderGroup): number {
  return weighted(lines, shares);
}

const shared = new WeakMap<Peers, SharedLines>();

export function linesOfPeers(peers: Peers): SharedLines {
  let lines = shared.get(peers);
  if (lines === undefined) shared.set(peers, (lines = sharedLines(peers)));
  return lines;
}

function isOfFiles(row: OutlineRow): boolean {
  return row.type === 'files' || (row.type === 'group' && row.group.kind === 'file');
}

function linesOf(row: OutlineRow): number {
  switch (row.type) {
    case 'folders':
      return sum(row.folders.lines);
    case 'peers':
      return sum(linesOfPeers(row.peers).lines);
    case 'files':
      return sum(row.files.lines);
    case 'group':
      return sizeOf(row.group).lines * row.group.passages.length;
  }
}

function alikeOf(row: OutlineRow): number {
  switch (row.type) {
    case 'folders':
      return shareOfFolders(row.folders);
    case 'peers':
      return Math.max(...row.rows.map(alikeOf));
    case 'files':
      return shareOfPair(row.files);
    case 'group':
      return similarityOf(row.group);
  }
}

function copiesOf(row: OutlineRow): number {
  switch (row.type) {
    case 'folders':
      return row.folders.paths.length;
    case 'peers':
      return row.peers.paths.length;
    case 'files':
      return row.files.paths.length;
    case 'group':
      return row.group.passages.length;
  }
}

function firstOf(row: OutlineRow): { readonly path: string; readonly startLine: number } {
  if (row.type === 'group') return row.group.passages[0]!;
  if (row.type === 'folders') return { path: row.folders.paths[0]!, startLine: 0 };
  const [first] = groupsIn(row);
  return first!.passages[0]!;
}

/** Returns the combined share of several parts, given the number of lines and the share of each part. */
function weighted(lines: readonly number[], shares: readonly number[]): number {
  const whole = sum(lines.map((count, i) => (shares[i]! > 0 ? count / shares[i]! : 0)));
  return whole === 0 ? 0 : Math.min(1, sum(lines) / whole);
}
