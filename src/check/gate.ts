/** What a check holds the findings against. */
import type { Category } from '../engine/rows/category.ts';
import type { Limits } from '../gate/limits.ts';

/** What the findings are held against. */
export interface Gate {
  /** With `--since`: the ref; undefined for the one that the pipeline names. */
  readonly since: { readonly ref: string | undefined } | undefined;
  /** Whether what is staged is compared with the last commit. */
  readonly staged: boolean;
  /** The file, as it was given. */
  readonly baseline: string | undefined;
  readonly limits: Limits;
  /** Whether copies across the parts of the tree that the configuration names are a failure. */
  readonly boundaries: boolean;
  /** The categories whose groups count. */
  readonly counted: ReadonlySet<Category>;
  /** True if a check may pass although files could not be compared. */
  readonly allowsIncomplete: boolean;
}

/** What people change by hand; tests, examples, data, and boilerplate have copies that are meant. */
export const countedByDefault: readonly Category[] = ['source', 'text'];
