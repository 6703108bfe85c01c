/** What a check says of a report, as far as formats tell it; a scan says nothing of it. */
import type { Group, Passage } from '../../engine/report/report.ts';

/** A group that may have been judged. */
export interface Judged extends Group {
  readonly passages: readonly (Passage & {
    /** There, and true, when this copy is new. */
    readonly isNew?: true;
  })[];
  /** There, and true, when the group counts as new. */
  readonly isNew?: true;
  /** There when somebody has decided that it may stay: in a comment, or in a file of known groups. */
  readonly ignored?: { readonly by: 'comment' | 'baseline'; readonly reason?: string };
}

export interface Verdict {
  /** Whether no limit is broken. */
  readonly holds: boolean;
  /** Which limit is broken, or that all hold. */
  readonly message: string;
}
