/**
 * The report: the output of a scan. It is plain, sorted, self-contained data. The command line, the tree, diagnostics,
 * and tools all use it. Its shape is a versioned contract: docs/report.schema.json.
 */

import type { Category, Evidence } from '../rows/category.ts';

/** A range of one document. Lines and columns count from 1, columns in UTF-16 units; `endLine` is inclusive. */
export interface Passage {
  /** Name of the document: its path relative to the scanned root, with forward slashes. */
  readonly path: string;
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  /** The column after the last character of the passage. */
  readonly endColumn: number;
  readonly tokens: number;
  /**
   * Key of the content, independent of path, lines, and white space. Equal content has equal keys, and small edits
   * rarely change the key. The id of a group is the key of its longest passage. Always present in reports of the
   * engine.
   */
  readonly content?: string;
}

/** A verified match between two passages of a group. `a` and `b` are indices into `passages`; `a` < `b`. */
export interface Pair {
  readonly a: number;
  readonly b: number;
  /**
   * In [0, 1], rounded to three digits. For passages: 2 × aligned tokens / tokens of both passages. For files, the
   * resemblance: common shingles / all shingles of both.
   */
  readonly similarity: number;
  /** Present if it differs from the type of the group. In a group of edited copies, two copies may be equal. */
  readonly type?: 'exact' | 'renamed';
  /**
   * Number of differing fingerprint bits of the two closest windows. For files, of the fingerprints of the whole files.
   */
  readonly distance: number;
  /** Files only: the share of the shingles of `a` that are in `b`, and vice versa, rounded to three digits. */
  readonly containment?: readonly [ofA: number, ofB: number];
}

/**
 * Copies of one passage. Groups of the kind `file` are near-duplicate whole files, or two files of which one contains
 * the other. The passages that they have in common are also in groups of the other kinds.
 */
export interface Group {
  /** Derived from the content, so it stays the same when lines move and after a restart. Unique in a report. */
  readonly id: string;
  readonly kind: 'code' | 'prose' | 'file';
  /** exact: equal token by token. renamed: code, equal except for names and literals. near: edited. */
  readonly type: 'exact' | 'renamed' | 'near';
  /** Least similarity of its pairs. */
  readonly similarity: number;
  /** Number of lines and tokens of the longest passage. */
  readonly lines: number;
  readonly tokens: number;
  /**
   * Id of the group in whose row this group is shown, because they overlap or because matches connect them. Absent if
   * the group is a row of its own.
   */
  readonly parent?: string;
  /** Category of the group: among the categories of its passages, the first one in the order of `categories`. */
  readonly category: Category;
  /** Evidence for the category. Absent for `source` and `text`, unless the user has set the category. */
  readonly categoryBy?: Evidence;
  /** Approximate number of tokens saved by merging the copies, reduced if merging them is of little use. */
  readonly worth: number;
  /** True if all passages are in tests, otherwise absent. */
  readonly tests?: true;
  /** Present if one of two files contains the other: index in `passages` of the contained file. */
  readonly inside?: 0 | 1;
  /** At least two, ordered by path and line. */
  readonly passages: readonly Passage[];
  readonly pairs: readonly Pair[];
}

/**
 * Two files that have several rows in common with each other, but not with other files. Shown as one row instead.
 * Arrays have one item for each path.
 */
export interface FilePair {
  /** Paths of the two files, sorted. */
  readonly paths: readonly [string, string];
  /** Ids of the common rows, sorted; at least two. */
  readonly groups: readonly string[];
  /**
   * For each file, the number of its lines that are in the common rows, and the share of its lines, rounded to three
   * digits.
   */
  readonly lines: readonly [number, number];
  readonly shares: readonly [number, number];
  /** Category of the pair: among the categories of its rows, the first one in the order of `categories`. */
  readonly category: Category;
  /** Sum of the worth of its rows. */
  readonly worth: number;
}

/** Near-duplicate folders: most of the content of each folder is in the others. Arrays have one item for each path. */
export interface FolderGroup {
  /** Sorted; at least two. No folder is in another one. */
  readonly paths: readonly string[];
  /**
   * For each folder, its number of files, and the number of files that are similar to files in the other folders. At
   * least half of the lines of a similar file are duplicated there.
   */
  readonly files: readonly number[];
  readonly alike: readonly number[];
  /**
   * For each folder, the number of its lines that are also in the others, and the share of its lines, rounded to three
   * digits.
   */
  readonly lines: readonly number[];
  readonly shares: readonly number[];
  /** Number of passages that contain these lines. */
  readonly passages: number;
  /** Ids of the rows that are in no other folders, sorted. A row is in at most one folder group. */
  readonly groups: readonly string[];
  /** The category that most of the lines have. */
  readonly category: Category;
  /** Sum of the worth of its rows. */
  readonly worth: number;
}

/** Settings with which a skipped file can be included. */
export const admittingSettings = ['generated', 'maxFileSize', 'include', 'exclude', 'prose', 'memory'] as const;
export type AdmittingSetting = (typeof admittingSettings)[number];

/** A skipped file, the reason, and the setting that would include the file, if there is one. */
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
  /** Number of lines that are in at least one passage of code or prose. Each line counts once. */
  readonly duplicatedLines: number;
  /** 100 × duplicatedLines / lines, rounded to two digits. */
  readonly duplicatedPercent: number;
  readonly skipped: number;
  /** The same for the files and groups of each category. Empty categories are absent. */
  readonly categories: Readonly<Partial<Record<Category, CategoryTotals>>>;
  /**
   * Number of distinct windows that have more near windows than the maximum number of comparisons. Such a window is
   * compared with the nearest ones only. Absent if 0.
   */
  readonly crowdedWindows?: number;
}

export interface CategoryTotals {
  readonly files: number;
  readonly lines: number;
  /** Number of groups of this category that are rows, that is, without a parent. */
  readonly rows: number;
  readonly duplicatedLines: number;
  /** 100 × duplicatedLines / lines, rounded to two digits. */
  readonly duplicatedPercent: number;
}

/** Result of a scan. Groups are in the order of rows: by worth, each followed by the groups in its row. */
export interface Findings {
  /** False if the scan was canceled or cut short. The findings are then valid but incomplete. */
  readonly complete: boolean;
  readonly totals: Totals;
  readonly groups: readonly Group[];
  /** Pairs of files, the greatest worth first. */
  readonly files: readonly FilePair[];
  readonly folders: readonly FolderGroup[];
  readonly skipped: readonly Skipped[];
}
