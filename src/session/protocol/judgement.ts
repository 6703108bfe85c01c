/**
 * The worker's judgement of the groups of a report: which groups are ignored and why, and which are missing from the
 * project's baseline. It is small, and can change without the report. Therefore it is sent separately, and always
 * completely.
 */
import type { Totals } from '../../core/engine/report/report.ts';
import type { BaselineEntry } from '../../review/gate/baseline.ts';
import type { IgnoredRegion } from '../../review/gate/ignoreComments.ts';

/** A comment in a source file that ignores lines. */
export interface IgnoringComment {
  readonly by: 'comment';
  /** Report path of the file. */
  readonly path: string;
  readonly region: IgnoredRegion;
  /** Number of passages that the comment ignores. */
  readonly passages: number;
}

/** An entry of a baseline or of the user that ignores a group, or has done so before something changed. */
export interface IgnoringEntry {
  /** `own`: one of the user's own entries. */
  readonly by: 'baseline' | 'own';
  readonly entry: BaselineEntry;
  /** Report path of the baseline file; `undefined` for the user's own entries. */
  readonly file: string | undefined;
  /**
   * Id of the group that the entry refers to, even if the group has changed and is no longer ignored. `undefined` if
   * there is no such group anymore.
   */
  readonly about: string | undefined;
}

/** A comment or entry, with the ids of the groups that it ignores. Empty if it no longer applies. */
export type IgnoringSource = (IgnoringComment | IgnoringEntry) & { readonly groups: readonly string[] };

/** A baseline that cannot be read. */
export interface BaselineTrouble {
  /** Report path of the baseline file. */
  readonly path: string;
  /** Line of the problem, counted from 1; `undefined` if it is not on a specific line. */
  readonly line: number | undefined;
  /**
   * Text that continues a sentence that begins with the name: "has a merge conflict; keep the entries of both sides".
   */
  readonly problem: string;
}

/** Generation of the stored findings of the last session. Other generations begin with 1. */
export const recalledGeneration = 0;

export interface Judgement {
  /** Sources of ignored groups: comments by position, then entries. */
  readonly sources: readonly IgnoringSource[];
  /** For groups that are shown, the indices of passages that comments ignore. */
  readonly aside: readonly (readonly [id: string, places: readonly number[]])[];
  /** Totals of the report without ignored groups. */
  readonly totals: Totals;
  /**
   * Ids of groups that are missing from the baselines, or have fewer copies there; `undefined` if there is no baseline.
   */
  readonly unknown: readonly string[] | undefined;
  readonly trouble: readonly BaselineTrouble[];
}
