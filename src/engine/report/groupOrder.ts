/** Groups in the order in which they are reported. */
import type { Group, Passage } from './report.ts';

/** A group, and the lines that would go if all of its passages but the longest went. */
export interface Ranked {
  readonly group: Group;
  readonly impact: number;
}

/** The same group, ranked. */
export function ranked(group: Group): Ranked {
  return { group, impact: impact(group) };
}

/** Most duplicated lines first; then larger, then by place, so that the order never depends on chance. */
export function byImpact(left: Ranked, right: Ranked): number {
  const [x, y] = [left.group, right.group];
  const first = right.impact - left.impact || y.tokens - x.tokens;
  if (first !== 0) return first;
  for (let i = 0; i < Math.min(x.passages.length, y.passages.length); i++) {
    const order = comparePlaces(x.passages[i], y.passages[i]);
    if (order !== 0) return order;
  }
  return x.passages.length - y.passages.length || (x.id < y.id ? -1 : x.id > y.id ? 1 : 0);
}

function impact(group: Group): number {
  return group.passages.reduce((sum, p) => sum + p.endLine - p.startLine + 1, 0) - group.lines;
}

function comparePlaces(x: Passage, y: Passage): number {
  return (
    (x.path < y.path ? -1 : x.path > y.path ? 1 : 0) ||
    x.startLine - y.startLine ||
    x.endLine - y.endLine ||
    x.startColumn - y.startColumn ||
    x.endColumn - y.endColumn
  );
}

/** Where a group is in the order, or would be. */
export function placeOf(ordered: readonly Ranked[], ranked: Ranked): number {
  let low = 0;
  let high = ordered.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (byImpact(ordered[middle], ranked) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
