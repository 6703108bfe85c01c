/** What a report says of how much passages and files are alike, as the command line and the extension both tell it. */
import type { Group, Passage } from '../engine/report/report.ts';

/** A share of one as a percentage, rounded down: only what is equal is 100 %. */
export function wholePercent(share: number): number {
  // A hair is added because 0.29 × 100 is 28.999… in floating point.
  return Math.floor(share * 100 + 1e-9);
}

/** One file of a group lies inside the other, which has more. */
export interface Inside {
  readonly inner: Passage;
  readonly outer: Passage;
  /** The share of the shingles of `inner` that `outer` has, in [0, 1]. */
  readonly share: number;
}

/** Of two files of which one lies inside the other: which, and how much of it. Undefined for all other groups. */
export function insideOf({ inside, passages, pairs }: Group): Inside | undefined {
  if (inside === undefined) return undefined;
  return { inner: passages[inside]!, outer: passages[1 - inside]!, share: pairs[0]!.containment![inside] };
}
