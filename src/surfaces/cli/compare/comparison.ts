/** Result of comparing two trees, A and B, as plain data for all formats. Lists begin with the largest difference. */
import type { Group, SkippedFile } from '../../../core/engine/report/report.ts';
import type { LineRange } from '../../../review/gate/changes.ts';

export interface Tree {
  readonly name: string;
  /** Absolute path of the tree's folder. The paths of its files are relative to it. */
  readonly root: string;
  readonly files: number;
  readonly lines: number;
  /**
   * Number of lines that the other tree contains, too: all lines of equal files, unchanged lines of changed files, and
   * lines of passages with a copy elsewhere in the other tree.
   */
  readonly linesInOther: number;
}

/** A file that is in both trees under different paths. */
export interface MovedFile {
  readonly a: string;
  readonly b: string;
  readonly lines: number;
}

export interface Version {
  readonly path: string;
  readonly lines: number;
  /** Number of lines that the other tree contains, too, in the other version of the file or elsewhere. */
  readonly linesInOther: number;
}

export interface ChangedFile {
  readonly a: Version;
  readonly b: Version;
  /** Number of removed lines in a diff that ignores white space; `added` is the number of added lines. */
  readonly removed: number;
  readonly added: number;
}

export interface Lines extends LineRange {
  readonly path: string;
}

/** Two copies of a passage, one in each tree, in files that are not versions of each other. */
export interface ComparedPassage {
  /**
   * `moved`: A's copy is no longer at its old place in B. `copied`: it is still there, and B has an additional copy.
   * `merged`: A has several copies, and B has fewer.
   */
  readonly change: 'moved' | 'copied' | 'merged';
  readonly a: Lines;
  readonly b: Lines;
  readonly kind: 'code' | 'prose';
  readonly type: Group['type'];
  /** Similarity in [0, 1]. If the passages were not aligned with each other, the lowest similarity in their group. */
  readonly similarity: number;
  readonly tokens: number;
}

/** A file without a counterpart in the other tree. The other tree may still contain some of its lines. */
export interface SingleFile {
  readonly path: string;
  readonly lines: number;
  readonly linesInOther: number;
  /** Path of a file with the same bytes in the other tree. Missing if there is none. */
  readonly copyOf?: string | undefined;
}

export interface Comparison {
  readonly complete: boolean;
  readonly a: Tree;
  readonly b: Tree;
  /** Number of files, and of their lines, that are equal and have the same path in both trees. */
  readonly equal: { readonly files: number; readonly lines: number };
  readonly moved: readonly MovedFile[];
  /** Files that have the same path in both trees but different content. */
  readonly changed: readonly ChangedFile[];
  readonly movedAndChanged: readonly ChangedFile[];
  readonly passages: readonly ComparedPassage[];
  readonly onlyInA: readonly SingleFile[];
  readonly onlyInB: readonly SingleFile[];
  /** Skipped files: those of A, then those of B. */
  readonly skipped: readonly (SkippedFile & { readonly tree: 'a' | 'b' })[];
}

/** Returns the share, in [0, 1], of lines that are in the other tree or version, too; 1 if there are no lines. */
export function shareOf({ lines, linesInOther }: Pick<Version, 'lines' | 'linesInOther'>): number {
  return lines === 0 ? 1 : linesInOther / lines;
}
