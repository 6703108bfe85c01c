/** Formats the similarity of passages and files, for the command line and the extension. */
import * as l10n from '@vscode/l10n';
import type { Group, Passage } from '../../core/engine/report/report.ts';

/** Converts a share in [0, 1] to a percentage. Rounds down, so that only equal texts have 100%. */
export function wholePercent(share: number): number {
  // Compensates for rounding errors: 0.29 × 100 is 28.999… in floating point.
  return Math.floor(share * 100 + 1e-9);
}

/** Formats a share in [0, 1]: "94%". Rounds down, so that only identical passages have 100%. */
export function percent(share: number): string {
  return l10n.t('{0}%', wholePercent(share));
}

/** Formats the similarity of a pair: "identical", "renamed, 94% similar", or "edited, 94% similar". */
export function pairText({ type, similarity }: Pick<Group, 'type' | 'similarity'>): string {
  switch (type) {
    case 'exact':
      return l10n.t('identical');
    case 'renamed':
      return l10n.t('renamed, {0} similar', percent(similarity));
    case 'near':
      return l10n.t('edited, {0} similar', percent(similarity));
  }
}

/** A file that is contained in another file, and the share of it that is contained. */
export interface ContainedFile {
  readonly inner: Passage;
  readonly outer: Passage;
  /** Share of the shingles (short token sequences) of `inner` that also occur in `outer`, in [0, 1]. */
  readonly share: number;
}

/**
 * Returns the size of a group: of the contained file if one file contains the other, otherwise of the longest passage.
 */
export function sizeOf(group: Group): { readonly lines: number; readonly tokens: number } {
  const inside = insideOf(group);
  return inside === undefined ? group : { lines: inside.inner.endLine, tokens: inside.inner.tokens };
}

/** Returns the similarity of a group as displayed. If a file contains another, it is the share of the latter. */
export function similarityOf(group: Group): number {
  return insideOf(group)?.share ?? group.similarity;
}

/**
 * If a group consists of a file and another file that contains it, returns the contained file and its share. Returns
 * `undefined` for all other groups.
 */
export function insideOf({ inside, passages, pairs }: Group): ContainedFile | undefined {
  if (inside === undefined) return undefined;
  return { inner: passages[inside]!, outer: passages[1 - inside]!, share: pairs[0]!.containment![inside] };
}
