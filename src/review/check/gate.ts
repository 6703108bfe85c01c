/** Options of a check. */
import type { Category } from '../../core/engine/rows/category.ts';
import type { Limits } from '../gate/limits.ts';

export interface Gate {
  /** For `--since`: the ref; `undefined` to use the one of the CI pipeline. */
  readonly since: { readonly ref: string | undefined } | undefined;
  /** True if the staged changes are compared with the last commit. */
  readonly staged: boolean;
  /** Path of the file as given. */
  readonly baseline: string | undefined;
  readonly limits: Limits;
  /** True if copies across the configured boundaries fail the check. */
  readonly boundaries: boolean;
  /** True if added lines are also compared with those of the other worktrees of the repository. */
  readonly worktrees: boolean;
  /** The categories whose groups count. */
  readonly counted: ReadonlySet<Category>;
  /** True if a check may pass although files could not be compared. */
  readonly allowsIncomplete: boolean;
}

/** Categories that are maintained by hand. Copies in tests, examples, data, and boilerplate are often intended. */
export const countedByDefault: readonly Category[] = ['source', 'text'];
