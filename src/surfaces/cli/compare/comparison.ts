/** Result of comparing two trees, A and B: plain data for all formats. Lists begin with the largest differences. */
import type { Group, Skipped } from '../../../core/engine/report/report.ts';
import type { LineRange } from '../../../review/gate/changes.ts';

export interface Tree {
  readonly name: string;
  /** Absolute path of the folder that its paths are relative to. */
  readonly root: string;
  readonly files: number;
  readonly lines: number;
  /**
   * Lines that are also in the other tree: of equal files, unchanged in a diff of two versions, or in a passage with a
   * copy elsewhere.
   */
  readonly linesInOther: number;
}

/** A file with different paths in the two trees. */
export interface MovedFile {
  readonly a: string;
  readonly b: string;
  readonly lines: number;
}

export interface Version {
  readonly path: string;
  readonly lines: number;
  /** Lines that are in the other version, at the same place or not. */
  readonly linesInOther: number;
}

export interface ChangedFile {
  readonly a: Version;
  readonly b: Version;
  /** Number of removed and added lines in a diff that ignores whitespace. */
  readonly removed: number;
  readonly added: number;
}

/** Line range of a file. */
export interface Lines extends LineRange {
  readonly path: string;
}

/** Passages of A and B that are copies of each other, in files that are not versions of each other. */
export interface ComparedPassage {
  /** moved: no longer at its place. copied: B has it in addition. merged: both trees have it at several places. */
  readonly change: 'moved' | 'copied' | 'merged';
  readonly a: Lines;
  readonly b: Lines;
  readonly kind: 'code' | 'prose';
  readonly type: Group['type'];
  /** In [0, 1]. For passages that were not aligned with each other, the minimum of their group. */
  readonly similarity: number;
  readonly tokens: number;
}

/** A file without a counterpart in the other tree, which may still have some of its lines. */
export interface SingleFile {
  readonly path: string;
  readonly lines: number;
  readonly linesInOther: number;
  /** A file of the other tree with the same bytes. */
  readonly copyOf?: string;
}

export interface Comparison {
  readonly complete: boolean;
  readonly a: Tree;
  readonly b: Tree;
  /** Files that are equal under the same path. */
  readonly equal: { readonly files: number; readonly lines: number };
  readonly moved: readonly MovedFile[];
  /** Under the same path. */
  readonly changed: readonly ChangedFile[];
  readonly movedAndChanged: readonly ChangedFile[];
  readonly passages: readonly ComparedPassage[];
  readonly onlyInA: readonly SingleFile[];
  readonly onlyInB: readonly SingleFile[];
  /** Skipped files of both trees, those of A first. */
  readonly skipped: readonly (Skipped & { readonly tree: 'a' | 'b' })[];
}

/** Returns the share of lines in the other tree or version, in [0, 1]; 1 without lines. */
export function shareOf({ lines, linesInOther }: Pick<Version, 'lines' | 'linesInOther'>): number {
  return lines === 0 ? 1 : linesInOther / lines;
}
