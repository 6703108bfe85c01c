/** Options of a check. */
import type { Category } from '../../core/engine/rows/category.ts';
import type { Limits } from '../gate/limits.ts';

export interface Gate {
  /** Set by `--since`. `ref` is `undefined` if the CI pipeline determines the ref. */
  readonly since: { readonly ref: string | undefined } | undefined;
  /** True if the staged changes are compared with the last commit. */
  readonly staged: boolean;
  /** Path of the baseline file, as the user has written it. */
  readonly baseline: string | undefined;
  readonly limits: Limits;
  /** True if copies across the configured boundaries make the check fail. */
  readonly boundaries: boolean;
  /** True if added lines are also compared with the lines that other worktrees of the repository add. */
  readonly worktrees: boolean;
  /** Categories of the groups that count. */
  readonly counted: ReadonlySet<Category>;
  /** True if the check may pass although some files could not be compared. */
  readonly allowsIncomplete: boolean;
}

/**
 * Categories that count by default, because people maintain their files. In the others (tests, examples, data, and
 * boilerplate), copies are often intended.
 */
export const countedByDefault: readonly Category[] = ['source', 'text'];
