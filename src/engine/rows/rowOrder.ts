/** The order of rows, and of groups in general: by worth, so that what comes first is what somebody should look at first. */
import type { Group, Passage } from '../report/report.ts';

/** Most worth first; then larger, then by place, so that the order never depends on chance. */
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
    // The passages of two files may be theirs as wholes as well.
    compareText(x.kind, y.kind)
  );
}

/** The groups that one is shown in, from the outermost, and itself. */
type Placed = readonly { readonly group: Group }[];

/** What is shown in a row comes right behind it. */
export function comparePlaced(x: Placed, y: Placed): number {
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

/** Texts by their UTF-16 units. */
export function compareText(x: string, y: string): number {
  return x < y ? -1 : x > y ? 1 : 0;
}
