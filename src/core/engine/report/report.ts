/**
 * The report: the output of a scan. It is plain, sorted, self-contained data. The command line, the tree, diagnostics,
 * and tools all use it. Its shape is a versioned contract: docs/report.schema.json.
 */

import type { Category, Evidence } from '../rows/category.ts';

/** A run of one document. Lines and columns count from 1, columns in UTF-16 units; `endLine` is inclusive. */
export interface Passage {
  /** Name of the document: relative to the scanned root, with forward slashes. */
  readonly path: string;
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  /** The column after the last character. */
  readonly endColumn: number;
  readonly tokens: number;
  /**
   * Key of the content, independent of path, lines, and white space. Equal content has equal keys, and small edits
   * rarely change the key. The id of a group is the key of its longest passage. Every report of the engine contains it.
   */
  readonly content?: string;
}

/** A verified match between two passages of a group, as indices into `passages`; `a` < `b`. */
export interface Pair {
  readonly a: number;
  readonly b: number;
  /**
   * In [0, 1], rounded to three digits. For passages: 2 × aligned tokens / tokens of both. For files: their
   * resemblance, that is, common shingles / all shingles.
   */
  readonly similarity: number;
  /** Present if it is not that of the group: two copies may be equal, and others of the group edited. */
  readonly type?: 'exact' | 'renamed';
  /** Number of differing fingerprint bits of the closest windows; for files, of the whole files. */
  readonly distance: number;
  /** Files only: the share of the shingles of `a` that are in `b`, and vice versa, rounded to three digits. */
  readonly containment?: readonly [ofA: number, ofB: number];
}

/**
 * Copies of one passage. Groups of the kind `file` are near-duplicate whole files, or two files of which one contains
 * the other. Their common passages are also in groups of the other kinds.
 */
export interface Group {
  /** Derived from content, so it survives moved lines and restarts. Unique in a report. */
  readonly id: string;
  readonly kind: 'code' | 'prose' | 'file';
  /** exact: equal token by token. renamed: code, equal except for names and literals. near: edited. */
  readonly type: 'exact' | 'renamed' | 'near';
  /** Least similarity of its pairs. */
  readonly similarity: number;
  /** Lines and tokens of its longest passage. */
  readonly lines: number;
  readonly tokens: number;
  /**
   * Id of the group in whose row it is shown, because they overlap or are connected by matches. Absent if it is a row
   * of its own.
   */
  readonly parent?: string;
  /** The first category, in the order of `categories`, of its passages. */
  readonly category: Category;
  /** Evidence for the category. Absent for source and text, unless the setting has chosen them. */
  readonly categoryBy?: Evidence;
  /** Approximate number of tokens saved by merging the copies, discounted if that is of little use. */
  readonly worth: number;
  /** True if all its passages are in tests, otherwise absent. */
  readonly tests?: true;
  /** Present if one of two files contains the other: index of the contained file in `passages`. */
  readonly inside?: 0 | 1;
  /** At least two, ordered by path and line. */
  readonly passages: readonly Passage[];
  readonly pairs: readonly Pair[];
}

/**
 * Two files with several rows in common that are in no other file. Shown as one row instead. Arrays have an item for
 * each path.
 */
export interface FilePair {
  /** Sorted. */
  readonly paths: readonly [string, string];
  /** Ids of its rows, sorted; at least two. */
  readonly groups: readonly string[];
  /** Lines of each file in passages of these rows, and their share of the file's lines, rounded to three digits. */
  readonly lines: readonly [number, number];
  readonly shares: readonly [number, number];
  /** The first category, in the order of `categories`, of its rows. */
  readonly category: Category;
  /** Sum over its rows. */
  readonly worth: number;
}

/** Near-duplicate folders: most of the content of one is in the others. Arrays have an item for each path. */
export interface FolderGroup {
  /** Sorted; at least two, not nested in each other. */
  readonly paths: readonly string[];
  /**
   * Number of files in each folder, and number of its files that are similar to files of the others: at least half of
   * their lines are duplicated.
   */
  readonly files: readonly number[];
  readonly alike: readonly number[];
  /** Lines of each folder that are also in the others, and their share of its lines, rounded to three digits. */
  readonly lines: readonly number[];
  readonly shares: readonly number[];
  /** Number of these passages. */
  readonly passages: number;
  /** Ids of the rows that are only in these folders, sorted. A row is in at most one folder group. */
  readonly groups: readonly string[];
  /** The category of most of the lines. */
  readonly category: Category;
  /** Sum over its rows. */
  readonly worth: number;
}

/** Settings that can include skipped files. */
export const admittingSettings = ['generated', 'maxFileSize', 'include', 'exclude', 'prose', 'memory'] as const;
export type AdmittingSetting = (typeof admittingSettings)[number];

/** A skipped file, the reason, and the setting that would include it (if any). */
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
  /** Lines in at least one passage of code or prose, each counted once. */
  readonly duplicatedLines: number;
  /** 100 × duplicatedLines / lines, rounded to two digits. */
  readonly duplicatedPercent: number;
  readonly skipped: number;
  /** The same for the files and groups of each category. Empty categories are absent. */
  readonly categories: Readonly<Partial<Record<Category, CategoryTotals>>>;
  /**
   * Number of distinct windows with more near windows than they are compared with; each is compared with the nearest
   * ones. Absent if 0.
   */
  readonly crowdedWindows?: number;
}

export interface CategoryTotals {
  readonly files: number;
  readonly lines: number;
  /** Groups of this category that are rows, that is, without a parent. */
  readonly rows: number;
  readonly duplicatedLines: number;
  /** 100 × duplicatedLines / lines, rounded to two digits. */
  readonly duplicatedPercent: number;
}

/** Result of a scan. Groups are in the order of rows: by worth, each followed by the groups in its row. */
export interface Findings {
  /** False if the scan was cancelled or cut short: the findings are valid, but there may be more. */
  readonly complete: boolean;
  readonly totals: Totals;
  readonly groups: readonly Group[];
  /** Sorted by worth, descending. */
  readonly files: readonly FilePair[];
  readonly folders: readonly FolderGroup[];
  readonly skipped: readonly Skipped[];
}
