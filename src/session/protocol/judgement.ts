/**
 * The worker's judgement of the groups of a report: which are ignored and why, and which are missing from the project's
 * baseline. It is sent separately from the report and always complete, because it can change on its own and is small.
 */
import type { Totals } from '../../core/engine/report/report.ts';
import type { BaselineEntry } from '../../review/gate/baseline.ts';
import type { IgnoredRegion } from '../../review/gate/ignoreComments.ts';

/** A comment that ignores lines. */
export interface IgnoringComment {
  readonly by: 'comment';
  /** Path of the file in the report. */
  readonly path: string;
  readonly region: IgnoredRegion;
  /** Number of passages that it ignores. */
  readonly passages: number;
}

/** An entry that ignores a group, or did so until something changed. */
export interface IgnoringEntry {
  /** `own`: the user's own entry. */
  readonly by: 'baseline' | 'own';
  readonly entry: BaselineEntry;
  /** The file of the entry, named as in a report; `undefined` for the user's own entries. */
  readonly file: string | undefined;
  /** The group that it refers to, whether ignored or changed since; `undefined` if it no longer exists. */
  readonly about: string | undefined;
}

/** A source of ignored groups, with their ids; empty if it no longer applies. */
export type IgnoringSource = (IgnoringComment | IgnoringEntry) & { readonly groups: readonly string[] };

/** An unreadable baseline. */
export interface BaselineTrouble {
  /** Path of the file, named as in a report. */
  readonly path: string;
  /** Line from 1; `undefined` if the problem is not on a specific line. */
  readonly line: number | undefined;
  /** Continues a sentence that begins with the name: "has a merge conflict; keep the entries of both sides". */
  readonly problem: string;
}

/** Generation of the stored findings of the last session. The first regular generation is 1. */
export const recalledGeneration = 0;

export interface Judgement {
  /** Comments by position, then entries. */
  readonly sources: readonly IgnoringSource[];
  /** For shown groups, the indices of passages that comments ignore. */
  readonly aside: readonly (readonly [id: string, places: readonly number[]])[];
  /** Totals of the report without ignored groups. */
  readonly totals: Totals;
  /** Groups that are missing from the baselines, or have fewer copies there; `undefined` if there is no baseline. */
  readonly unknown: readonly string[] | undefined;
  readonly trouble: readonly BaselineTrouble[];
}
