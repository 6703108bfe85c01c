/** What came of a comparison of two trees, A and B: plain data, for every format. Lists have what differs most first. */
import type { Group, Skipped } from '../../engine/report/report.ts';
import type { LineRange } from '../../gate/changes.ts';

/** One of the two trees. */
export interface Tree {
  /** As it was given. */
  readonly name: string;
  /** The folder that its paths are relative to: absolute. */
  readonly root: string;
  readonly files: number;
  readonly lines: number;
  /** Lines that are in the other tree: of equal files, left by a diff of two versions, or in a passage with a copy at another place. */
  readonly linesInOther: number;
}

/** A file of both trees under another path. */
export interface MovedFile {
  readonly a: string;
  readonly b: string;
  readonly lines: number;
}

/** One side of two versions of a file. */
export interface Version {
  readonly path: string;
  readonly lines: number;
  /** Those that are in the other version, at the same place or not. */
  readonly linesInOther: number;
}

/** Two versions of a file. */
export interface ChangedFile {
  readonly a: Version;
  readonly b: Version;
  /** Lines that a diff takes out and puts in; white space makes no line another. */
  readonly removed: number;
  readonly added: number;
}

/** A run of lines of a file. */
export interface Lines extends LineRange {
  readonly path: string;
}

/** A passage of A and one of B that are copies of each other in files that are not versions of each other. */
export interface ComparedPassage {
  /**
   * moved: it is not in its place any more. copied: B has it besides. merged: A has it, and B has it in a place where A has it,
   * too.
   */
  readonly change: 'moved' | 'copied' | 'merged';
  readonly a: Lines;
  readonly b: Lines;
  readonly kind: 'code' | 'prose';
  readonly type: Group['type'];
  /** In [0, 1]; of two that were not aligned with each other the least of their group. */
  readonly similarity: number;
  readonly tokens: number;
}

/** A file that the other tree has under no path: some of its lines may be there. */
export interface SingleFile {
  readonly path: string;
  readonly lines: number;
  readonly linesInOther: number;
  /** A file of the other tree with the same bytes, of which this is one more. */
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
  /** Of both trees, those of A first. */
  readonly skipped: readonly (Skipped & { readonly tree: 'a' | 'b' })[];
}

/** The share of lines in the other tree or version, in [0, 1]; 1 of what has none. */
export function shareOf({ lines, linesInOther }: Pick<Version, 'lines' | 'linesInOther'>): number {
  return lines === 0 ? 1 : linesInOther / lines;
}
