/** Formats the similarity of passages and files, for the command line and the extension. */
import type { Group, Passage } from '../../core/engine/report/report.ts';

/** Converts a share in [0, 1] to a percentage. Rounds down, so that only equal texts have 100 %. */
export function wholePercent(share: number): number {
  // Compensates for rounding errors: 0.29 × 100 is 28.999… in floating point.
  return Math.floor(share * 100 + 1e-9);
}

/** A file that is contained in another file, and the share of it that is contained. */
export interface Inside {
  readonly inner: Passage;
  readonly outer: Passage;
  /** Share of the shingles (short token sequences) of `inner` that also occur in `outer`, in [0, 1]. */
  readonly share: number;
}

/**
 * If a group consists of a file and another file that contains it, returns the contained file and its share. Returns
 * `undefined` for all other groups.
 */
export function insideOf({ inside, passages, pairs }: Group): Inside | undefined {
  if (inside === undefined) return undefined;
  return { inner: passages[inside]!, outer: passages[1 - inside]!, share: pairs[0]!.containment![inside] };
}
