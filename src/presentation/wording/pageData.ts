/** Data of the HTML report, and of other pages that display rows. */
import type { Category } from '../../core/engine/rows/category.ts';
import type { SectionName } from './outline.ts';

/** A group. Each passage is three numbers: an index into `paths`, the first line, and the last line. */
export interface PageGroup {
  readonly id: string;
  /** Description of the group, such as "Near copies of code". */
  readonly words: string;
  readonly isFile: boolean;
  readonly isExact: boolean;
  /** True if the group consists of a file and another file that contains it. */
  readonly isContained: boolean;
  readonly similarity: number;
  readonly lines: number;
  readonly tokens: number;
  readonly category: Category;
  readonly worth: number;
  readonly passages: readonly number[];
  /** For each passage, the index of the first one with equal text. Missing if all are equal, or if no two are. */
  readonly equals?: readonly number[];
  /** Indices of the passages that are new. Present only if the group is new. */
  readonly fresh?: readonly number[] | undefined;
  /** Reason why the group is ignored; '' if no reason was given. Present only if the group is ignored. */
  readonly ignored?: string | undefined;
}

/** A set of peers (peers.ts). The arrays have one item for each path of the row. */
export interface PagePeers {
  readonly name: string;
  /** Number of groups that are not nested in another group. */
  readonly groups: number;
  /**
   * `lines`: for each file, the number of its lines in the groups. `shared`: for each file, the number of these lines
   * that each other file shares.
   */
  readonly lines: readonly number[];
  readonly shared: readonly (readonly number[])[];
}

/** A row, with the rows nested in it. It shows a group (index into `groups`), or files or folders (of their paths). */
export interface PageRow {
  readonly group?: number;
  /** Paths of two files, of peers, or of several folders. */
  readonly paths?: readonly string[];
  readonly peers?: PagePeers;
  readonly shares?: readonly number[];
  readonly worth?: number;
  readonly rows?: readonly PageRow[];
}

export interface PageData {
  readonly name: string;
  readonly version: string;
  /** Absolute path, with forward slashes, of the folder of all paths; `undefined` if the page cannot open files. */
  readonly root: string | undefined;
  /** Template for links to a code host, with {path}, {start}, and {end}; otherwise, links open files in VS Code. */
  readonly address: string | undefined;
  readonly headline: string;
  readonly complete: boolean;
  readonly check?: { readonly holds: boolean; readonly message: string } | undefined;
  /** Copies that were edited although others of the group were not: place, message, and the edit as a diff. */
  readonly edited?:
    readonly { readonly place: string; readonly message: string; readonly diff: readonly string[] }[] | undefined;
  readonly categories: readonly {
    readonly name: Category;
    readonly files: number;
    readonly lines: number;
    readonly rows: number;
    readonly duplicatedLines: number;
  }[];
  readonly paths: readonly string[];
  readonly groups: readonly PageGroup[];
  readonly sections: readonly {
    readonly name: SectionName;
    /** Number of duplicates, counted as in the totals per category. */
    readonly count: number;
    readonly rows: readonly PageRow[];
  }[];
}

/** Data of a report page that the command line embeds in the page, compressed. */
export interface EmbeddedPageData extends PageData {
  /** Texts of passages in the rows with the most worth. A key is "group passage", both as indices. */
  readonly texts: Readonly<Record<string, string>>;
}
