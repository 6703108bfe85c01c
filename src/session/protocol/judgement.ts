/**
 * The judgement of a report by the worker: which groups are ignored and why, and which are missing from the project's
 * baseline. It is small, and can change while the report stays the same. So it is sent separately, and always
 * completely.
 */
import type { Totals } from '../../core/engine/report/report.ts';
import type { BaselineEntry } from '../../review/gate/baseline.ts';
import type { IgnoredRegion } from '../../review/gate/ignoreComments.ts';

/** A comment in a source file that ignores passages. */
export interface IgnoringComment {
  readonly by: 'comment';
  /** Path of the file, as in the report. */
  readonly path: string;
  readonly region: IgnoredRegion;
  /** Number of passages that the comment ignores. */
  readonly passages: number;
}

/** An entry of a baseline or of the user that ignores a group, or did so until the group changed. */
export interface IgnoringEntry {
  /** `baseline`: in a baseline file. `own`: one of the user's own entries. */
  readonly by: 'baseline' | 'own';
  readonly entry: BaselineEntry;
  /** Path of the baseline file, as in the report. `undefined` for the user's own entries. */
  readonly file: string | undefined;
  /**
   * Id of the group to which the entry refers, even if the group has changed and is no longer ignored. `undefined` if
   * the report contains no such group.
   */
  readonly about: string | undefined;
}

/** A comment or entry, with the ids of the groups that it ignores: an empty list if it no longer ignores any. */
export type IgnoringSource = (IgnoringComment | IgnoringEntry) & { readonly groups: readonly string[] };

/** A baseline that cannot be read. */
export interface BaselineTrouble {
  /** Path of the baseline file, as in the report. */
  readonly path: string;
  /** Line of the problem, counted from 1; `undefined` if it is not on a specific line. */
  readonly line: number | undefined;
  /** The rest of a sentence that begins with the file: "has a merge conflict; keep the entries of both sides". */
  readonly problem: string;
}

/** Generation of the stored findings of the last session. The generations of this session begin with 1. */
export const recalledGeneration = 0;

export interface Judgement {
  /** Comments and entries that ignore groups: first comments, by position, then entries. */
  readonly sources: readonly IgnoringSource[];
  /** For groups that are shown, the indices of their passages that comments ignore. */
  readonly aside: readonly (readonly [id: string, places: readonly number[]])[];
  /** Totals of the report without ignored groups. */
  readonly totals: Totals;
  /** Ids of groups that are not in the baselines, or with fewer copies; `undefined` if there is no baseline. */
  readonly unknown: readonly string[] | undefined;
  readonly trouble: readonly BaselineTrouble[];
}
