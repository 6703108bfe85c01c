/** Options of a check. */
import type { Category } from '../../core/engine/rows/category.ts';
import type { Limits } from '../gate/limits.ts';

export interface Gate {
  /** Set with `--since`. If `ref` is `undefined`, the ref comes from the CI pipeline. */
  readonly since: { readonly ref: string | undefined } | undefined;
  /** True if staged changes are compared with the last commit. */
  readonly staged: boolean;
  /** Path of the baseline file, as the user has given it. */
  readonly baseline: string | undefined;
  readonly limits: Limits;
  /** True if copies across the configured boundaries make the check fail. */
  readonly boundaries: boolean;
  /** True if added lines are also compared with those of the other worktrees of the repository. */
  readonly worktrees: boolean;
  /** Categories whose groups count. */
  readonly counted: ReadonlySet<Category>;
  /** True if the check may pass although some files could not be compared. */
  readonly allowsIncomplete: boolean;
}

/**
 * Categories that people maintain. In the others (tests, examples, data, and boilerplate), copies are often intended.
 */
export const countedByDefault: readonly Category[] = ['source', 'text'];
