/**
 * The report: what the world gets. It is plain data, sorted and self-contained; command line, tree, diagnostics and
 * tools all answer from it. Its shape is a contract with a schema number: docs/report.schema.json.
 */

import type { Category } from '../rows/category.ts';

/** One place: a run of one document. Lines and columns count from 1; columns in UTF-16 units; `endLine` is inclusive. */
export interface Passage {
  /** The name the document was given: relative to the scanned root, with forward slashes. */
  readonly path: string;
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  /** The column after the last character. */
  readonly endColumn: number;
  readonly tokens: number;
  /**
   * Made from its content alone, without path, lines and white space: equal for equal content, and small edits seldom change
   * it. The id of a group is that of its longest passage. Every report that the engine makes has it.
   */
  readonly content?: string;
}

/** A verified match between two passages of a group, as places in `passages`; `a` < `b`. */
export interface Pair {
  readonly a: number;
  readonly b: number;
  /**
   * In [0, 1], rounded to three digits. Of passages: 2 × aligned tokens / tokens of both. Of files: their resemblance, the
   * shingles of both over those of either.
   */
  readonly similarity: number;
  /** Bits that differ between the fingerprints of the closest windows of the two; of files, between those of the wholes. */
  readonly distance: number;
  /** Of files only: the share of the shingles of `a` that `b` has, and the other way round, rounded to three digits. */
  readonly containment?: readonly [ofA: number, ofB: number];
}

/**
 * Passages that a person would call one thing. Those of kind `file` are whole files that nearly repeat each other, or two of
 * which one lies inside the other; what they share is in groups of the other kinds as well.
 */
export interface Group {
  /** Made from content: survives moved lines and restarts. Unique in a report. */
  readonly id: string;
  readonly kind: 'code' | 'prose' | 'file';
  /** exact: equal token by token. renamed: equal but for names and literals. near: edited. */
  readonly type: 'exact' | 'renamed' | 'near';
  /** The least similarity of its pairs. */
  readonly similarity: number;
  /** Lines and tokens of its longest passage. */
  readonly lines: number;
  readonly tokens: number;
  /**
   * The id of the group in whose row it is shown, since most of it stands there or matches connect the two; absent when it
   * is a row of its own.
   */
  readonly parent?: string;
  /** The first, in the order of `categories`, of those that its passages have. */
  readonly category: Category;
  /** About how many tokens less there would be without the repetition, discounted where that helps little. */
  readonly worth: number;
  /** There, and true, when all its passages are in tests. */
  readonly tests?: true;
  /** There when it is two files of which one lies inside the other: the place of that one in `passages`. */
  readonly inside?: 0 | 1;
  /** Two or more, ordered by path and line. */
  readonly passages: readonly Passage[];
  readonly pairs: readonly Pair[];
}

/**
 * Two files that have several rows in common and no others: one row, which is shown instead of them. Arrays have an item for
 * each path.
 */
export interface FilePair {
  /** In order. */
  readonly paths: readonly [string, string];
  /** The ids of its rows, in order; two or more. */
  readonly groups: readonly string[];
  /** Lines of each file that are in passages of these rows, and their share of the file's lines, rounded to three digits. */
  readonly lines: readonly [number, number];
  readonly shares: readonly [number, number];
  /** The first, in the order of `categories`, of its rows. */
  readonly category: Category;
  /** Of all its rows. */
  readonly worth: number;
}

/** Folders that repeat each other: most of what one has is in the others. Arrays have an item for each path. */
export interface FolderGroup {
  /** In order; two or more, of which none lies in another. */
  readonly paths: readonly string[];
  /** How many files each has, and how many of them are alike to files of the others: by half of their lines at least. */
  readonly files: readonly number[];
  readonly alike: readonly number[];
  /** Lines of each that the others have as well, and their share of its lines, rounded to three digits. */
  readonly lines: readonly number[];
  readonly shares: readonly number[];
  /** How many passages these are. */
  readonly passages: number;
  /** The ids of the rows that lie in these folders alone, in order. A row is in one folder group at most. */
  readonly groups: readonly string[];
  /** The one that most of the lines have. */
  readonly category: Category;
  /** Of all its rows. */
  readonly worth: number;
}

/** Settings that let in what is left out. */
export const admittingSettings = ['generated', 'maxFileSize', 'include', 'exclude', 'prose', 'memory'] as const;
export type AdmittingSetting = (typeof admittingSettings)[number];

/** A file that was left out, why, and the setting that would let it in (if one does). */
export interface Skipped {
  readonly path: string;
  readonly reason: string;
  readonly setting?: AdmittingSetting;
}

export interface Totals {
  readonly files: number;
  readonly lines: number;
  readonly tokens: number;
  readonly groups: number;
  readonly passages: number;
  /** Lines that are in some passage of code or prose, each counted once. */
  readonly duplicatedLines: number;
  /** 100 × duplicatedLines / lines, rounded to two digits. */
  readonly duplicatedPercent: number;
  readonly skipped: number;
  /** The same for the files and groups of each category; what there is none of is absent. */
  readonly categories: Readonly<Partial<Record<Category, CategoryTotals>>>;
  /**
   * There when not 0: how many different windows have more near ones than they are compared with. Each is compared with the
   * nearest of them.
   */
  readonly crowdedWindows?: number;
}

export interface CategoryTotals {
  readonly files: number;
  readonly lines: number;
  /** Groups of this category that are rows: that have no parent. */
  readonly rows: number;
  readonly duplicatedLines: number;
  /** 100 × duplicatedLines / lines, rounded to two digits. */
  readonly duplicatedPercent: number;
}

/** The answer to one scan. Groups in the order of rows: by worth, each before those that are shown in its row. */
export interface Findings {
  /** False when cancelled or cut short: what is here holds, but there may be more. */
  readonly complete: boolean;
  readonly totals: Totals;
  readonly groups: readonly Group[];
  /** Most worth first. */
  readonly files: readonly FilePair[];
  readonly folders: readonly FolderGroup[];
  readonly skipped: readonly Skipped[];
}
