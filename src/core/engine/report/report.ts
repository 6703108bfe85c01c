/**
 * The report, which is the output of a scan: plain, sorted, self-contained data. All surfaces read it: the command
 * line, the tree, diagnostics, and the tools for agents. Its shape is a versioned contract: docs/report.schema.json.
 */

import type { Category, Evidence } from '../rows/category.ts';

/** A range of one file. Lines and columns count from 1, columns in UTF-16 units. `endLine` is inclusive. */
export interface Passage {
  /** Path relative to the scanned root, with forward slashes. */
  readonly path: string;
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  /** Column after the last character of the passage. */
  readonly endColumn: number;
  readonly tokens: number;
  /**
   * Key of the content. It does not depend on path, lines, and white space. Equal content has equal keys, and small
   * edits rarely change the key. The id of a group is the key of its longest passage. Reports of the engine always
   * contain it.
   */
  readonly content?: string;
}

/** A verified match between two passages of a group. `a` and `b` are indices into `passages`; `a` < `b`. */
export interface Pair {
  readonly a: number;
  readonly b: number;
  /**
   * Similarity in [0, 1], rounded to three digits. For passages: 2 × aligned tokens / tokens of both passages. For
   * files, the resemblance: number of shingles in both / number of shingles in either.
   */
  readonly similarity: number;
  /** Type of this pair, if it differs from that of the group: in a group of edited copies, two may be equal. */
  readonly type?: 'exact' | 'renamed';
  /** Number of differing bits between the two closest windows, or between the fingerprints of two files. */
  readonly distance: number;
  /** Files only: the shares of the shingles of `a` in `b`, and of those of `b` in `a`, with three digits. */
  readonly containment?: readonly [ofA: number, ofB: number];
}

export const groupKinds = ['code', 'prose', 'file'] as const;
/** Types of groups, from equal to edited copies. */
export const groupTypes = ['exact', 'renamed', 'near'] as const;

/**
 * Copies of one passage. A group of the kind `file` consists of near-duplicate whole files, or of two files of which
 * one contains the other. The passages that these files share are also in groups of the other kinds.
 */
export interface Group {
  /** Id that is derived from the content, so it survives moves of lines and restarts. Unique in a report. */
  readonly id: string;
  readonly kind: (typeof groupKinds)[number];
  /** exact: the tokens are equal. renamed: code in which only names and literals differ. near: edited copies. */
  readonly type: (typeof groupTypes)[number];
  /** Smallest similarity of its pairs. */
  readonly similarity: number;
  /** Size of the longest passage, in lines and in tokens. */
  readonly lines: number;
  readonly tokens: number;
  /**
   * Id of the group in whose row this group is shown. A group is shown there if the two overlap, or if they are in the
   * same family. Absent if this group has its own row.
   */
  readonly parent?: string;
  /** Category of the group: the category of its passages that comes first in `categories`. */
  readonly category: Category;
  /** Evidence for the category. Absent for `source` and `text`, unless the user has set the category. */
  readonly categoryBy?: Evidence;
  /** Approximate number of tokens saved by merging the copies. Reduced if merging them is of little use. */
  readonly worth: number;
  /** True if all passages are in tests, otherwise absent. */
  readonly tests?: true;
  /** Present only if one of two files contains the other: the index of the contained file in `passages`. */
  readonly inside?: 0 | 1;
  /** At least two, ordered by path and line. */
  readonly passages: readonly Passage[];
  readonly pairs: readonly Pair[];
}

/** Two files that share several rows only with each other, shown as one row. Arrays have an item per path. */
export interface FilePair {
  /** Paths of the two files, sorted. */
  readonly paths: readonly [string, string];
  /** Ids of the shared rows, sorted. There are at least two. */
  readonly groups: readonly string[];
  /** For each file, its lines in shared rows: their number, and their share of all lines, with three digits. */
  readonly lines: readonly [number, number];
  readonly shares: readonly [number, number];
  /** Category of the pair: the category of its rows that comes first in `categories`. */
  readonly category: Category;
  /** Sum of the worth of its rows. */
  readonly worth: number;
}

/** Near-duplicate folders: most of the content of each is also in the others. Each array has one item per path. */
export interface FolderGroup {
  /** Paths of the folders, sorted. There are at least two, and none is inside another. */
  readonly paths: readonly string[];
  /**
   * For each folder, the number of its files, and the number of those that are similar to files in the other folders. A
   * file counts as similar if at least half of its lines are duplicated in the other folders.
   */
  readonly files: readonly number[];
  readonly alike: readonly number[];
  /** For each folder, its lines that are also in the others: their number, and their share, with three digits. */
  readonly lines: readonly number[];
  readonly shares: readonly number[];
  /** Number of passages that contain these lines. */
  readonly passages: number;
  /** Ids of the rows whose passages are all in these folders, sorted. A row is in at most one folder group. */
  readonly groups: readonly string[];
  /** Category of most of the lines. */
  readonly category: Category;
  /** Sum of the worth of its rows. */
  readonly worth: number;
}

/** Names of the settings with which a skipped file can be included. */
export const admittingSettings = ['generated', 'maxFileSize', 'include', 'exclude', 'prose', 'memory'] as const;
export type AdmittingSetting = (typeof admittingSettings)[number];

/** A skipped file, with the reason and, if there is one, the setting that includes the file. */
export interface SkippedFile {
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
  /** Number of lines in at least one passage of code or prose. Each line counts once. */
  readonly duplicatedLines: number;
  /** 100 × duplicatedLines / lines, rounded to two digits. */
  readonly duplicatedPercent: number;
  readonly skipped: number;
  /** Totals of the files and groups of each category. Empty categories are absent. */
  readonly categories: Readonly<Partial<Record<Category, CategoryTotals>>>;
  /**
   * Number of distinct windows with more near windows than can be compared. Each such window is compared only with its
   * nearest neighbors. Absent if 0.
   */
  readonly crowdedWindows?: number;
}

export interface CategoryTotals {
  readonly files: number;
  readonly lines: number;
  /** Number of groups that have their own row, and so no parent. */
  readonly rows: number;
  readonly duplicatedLines: number;
  /** 100 × duplicatedLines / lines, rounded to two digits. */
  readonly duplicatedPercent: number;
}

/** Number of rows for each type. */
export type RowTypes = Readonly<Record<Group['type'], number>>;

/** Result of a scan. Groups are in display order: rows by worth, each followed by the groups shown inside it. */
export interface Findings {
  /** False if the scan was canceled or cut short. The findings are then valid but incomplete. */
  readonly complete: boolean;
  readonly totals: Totals;
  readonly groups: readonly Group[];
  /** Pairs of files, in descending order of worth. */
  readonly files: readonly FilePair[];
  readonly folders: readonly FolderGroup[];
  readonly skipped: readonly SkippedFile[];
}
