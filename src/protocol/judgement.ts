/**
 * What the worker says of the groups of a report: which are ignored and by what, and which the project's baseline does not
 * know. It travels beside the report, whole each time: it can change when the report does not, and is small.
 */
import type { Totals } from '../engine/report/report.ts';
import type { BaselineEntry } from '../gate/baseline.ts';
import type { IgnoredRegion } from '../gate/ignoreComments.ts';

/** A comment that sets lines aside. */
export interface IgnoringComment {
  readonly by: 'comment';
  /** As the report names the file. */
  readonly path: string;
  readonly region: IgnoredRegion;
  /** How many passages it sets aside. */
  readonly passages: number;
}

/** An entry that ignores, or did until something changed. */
export interface IgnoringEntry {
  /** `own`: of this person alone. */
  readonly by: 'baseline' | 'own';
  readonly entry: BaselineEntry;
  /** The file that it is in, as a report would name it; undefined for a person's own. */
  readonly file: string | undefined;
  /** The group that it is about, ignored or changed since; undefined when there is none any more. */
  readonly about: string | undefined;
}

/** What ignores something, with the ids of the groups that it does; of one that no longer applies, none. */
export type IgnoringSource = (IgnoringComment | IgnoringEntry) & { readonly groups: readonly string[] };

/** A baseline that cannot be read. */
export interface BaselineTrouble {
  /** As a report would name the file. */
  readonly path: string;
  /** From 1; undefined when it is not about a line. */
  readonly line: number | undefined;
  /** Follows the name: "has a merge conflict; keep the entries of both sides". */
  readonly problem: string;
}

/** The generation of the findings of the last time: before the first one, which is 1. */
export const recalledGeneration = 0;

export interface Judgement {
  /** Comments by their places, then entries. */
  readonly sources: readonly IgnoringSource[];
  /** Of groups that are shown, the places of passages that comments set aside. */
  readonly aside: readonly (readonly [id: string, places: readonly number[]])[];
  /** The totals of the report without what is ignored. */
  readonly totals: Totals;
  /** The groups that the baselines do not know, or not with so many copies; undefined when there is no baseline. */
  readonly unknown: readonly string[] | undefined;
  readonly trouble: readonly BaselineTrouble[];
}
