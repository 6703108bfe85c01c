/** Order of rows and groups: by worth, in descending order. */
import type { Group, Passage } from '../report/report.ts';

/** Compares groups by worth, then by size, then by position. The order is deterministic. */
export function byWorth(x: Group, y: Group): number {
  const first = y.worth - x.worth || y.tokens - x.tokens;
  if (first !== 0) return first;
  for (let i = 0; i < Math.min(x.passages.length, y.passages.length); i++) {
    const order = comparePlaces(x.passages[i], y.passages[i]);
    if (order !== 0) return order;
  }
  return (
    x.passages.length - y.passages.length ||
    compareText(x.id, y.id) ||
    // Groups of different kinds may have the same passages, for example if whole files are copies of each other. So
    // compare the kinds last.
    compareText(x.kind, y.kind)
  );
}

/** The groups inside which a group is shown, outermost first, followed by the group itself. */
type GroupPath = readonly { readonly group: Group }[];

/** Compares groups. Groups inside a row come directly after the row. */
export function comparePlaced(x: GroupPath, y: GroupPath): number {
  for (let i = 0; i < Math.min(x.length, y.length); i++) {
    if (x[i] !== y[i]) return byWorth(x[i].group, y[i].group);
  }
  return x.length - y.length;
}

function comparePlaces(x: Passage, y: Passage): number {
  return (
    compareText(x.path, y.path) ||
    x.startLine - y.startLine ||
    x.endLine - y.endLine ||
    x.startColumn - y.startColumn ||
    x.endColumn - y.endColumn
  );
}

/** Compares texts by their UTF-16 units. */
export function compareText(x: string, y: string): number {
  return x < y ? -1 : x > y ? 1 : 0;
}
