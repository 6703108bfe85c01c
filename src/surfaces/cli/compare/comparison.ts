/**
 * Result of comparing two trees, A and B, as plain data for all formats. The largest differences come first in each
 * list.
 */
import type { Group, Skipped } from '../../../core/engine/report/report.ts';
import type { LineRange } from '../../../review/gate/changes.ts';

export interface Tree {
  readonly name: string;
  /** Absolute path of the folder to which the paths of the tree are relative. */
  readonly root: string;
  readonly files: number;
  readonly lines: number;
  /**
   * Number of lines that are also in the other tree. These are the lines of equal files, unchanged lines of changed
   * files, and lines in passages that have a copy elsewhere in the other tree.
   */
  readonly linesInOther: number;
}

/** A file that has different paths in the two trees. */
export interface MovedFile {
  readonly a: string;
  readonly b: string;
  readonly lines: number;
}

export interface Version {
  readonly path: string;
  readonly lines: number;
  /** Number of lines that are also in the other version, at the same place or elsewhere. */
  readonly linesInOther: number;
}

export interface ChangedFile {
  readonly a: Version;
  readonly b: Version;
  /** Number of removed lines and of added lines, in a diff that ignores white space. */
  readonly removed: number;
  readonly added: number;
}

/** Range of lines in a file. */
export interface Lines extends LineRange {
  readonly path: string;
}

/** Two passages, one of each tree, that are copies of each other. Their files are not versions of each other. */
export interface ComparedPassage {
  /**
   * moved: the passage is no longer at its old place. copied: it is still there, and B has another copy. merged: A had
   * several copies, and B has fewer.
   */
  readonly change: 'moved' | 'copied' | 'merged';
  readonly a: Lines;
  readonly b: Lines;
  readonly kind: 'code' | 'prose';
  readonly type: Group['type'];
  /** In [0, 1]. If the two passages were not aligned with each other, the minimum similarity of their group. */
  readonly similarity: number;
  readonly tokens: number;
}

/** A file that has no counterpart in the other tree. Some of its lines may be there nevertheless. */
export interface SingleFile {
  readonly path: string;
  readonly lines: number;
  readonly linesInOther: number;
  /** Path of a file in the other tree with the same bytes. */
  readonly copyOf?: string;
}

export interface Comparison {
  readonly complete: boolean;
  readonly a: Tree;
  readonly b: Tree;
  /** Numbers of files and lines that are equal and have the same path. */
  readonly equal: { readonly files: number; readonly lines: number };
  readonly moved: readonly MovedFile[];
  /** Files with the same path whose content differs. */
  readonly changed: readonly ChangedFile[];
  readonly movedAndChanged: readonly ChangedFile[];
  readonly passages: readonly ComparedPassage[];
  readonly onlyInA: readonly SingleFile[];
  readonly onlyInB: readonly SingleFile[];
  /** Skipped files of both trees, first those of A. */
  readonly skipped: readonly (Skipped & { readonly tree: 'a' | 'b' })[];
}

/**
 * Returns the share of lines that are also in the other tree or version, in [0, 1]. Returns 1 if there are no lines.
 */
export function shareOf({ lines, linesInOther }: Pick<Version, 'lines' | 'linesInOther'>): number {
  return lines === 0 ? 1 : linesInOther / lines;
}
