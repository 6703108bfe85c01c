/** Data of the HTML report and of other pages that show rows. */
import type { Category } from '../../core/engine/rows/category.ts';
import type { SectionName } from './outline.ts';

/** A group. Each passage consists of three numbers: index in `paths`, first line, and last line. */
export interface PageGroup {
  readonly id: string;
  /** Kind of the group, such as "Near copies of code". */
  readonly words: string;
  readonly isFile: boolean;
  readonly isExact: boolean;
  /** True if the group has two files of which one contains the other. */
  readonly isContained: boolean;
  readonly similarity: number;
  readonly lines: number;
  readonly tokens: number;
  readonly category: Category;
  readonly worth: number;
  readonly passages: readonly number[];
  /**
   * For each passage, the index of the first passage that equals it. Absent if all passages are equal, or no two are.
   */
  readonly equals?: readonly number[];
  /** Indices of new passages. Present only if the group is new. */
  readonly fresh?: readonly number[];
  /** Reason for which the group is ignored, or ''. Present only if the group is ignored. */
  readonly ignored?: string;
}

/** A set of peers (peers.ts). Arrays have one item for each path of the row. */
export interface PagePeers {
  readonly name: string;
  /** Number of groups, not counting groups inside other groups. */
  readonly groups: number;
  /** For each file, its lines that are in the groups; and its lines that are in groups with each other file. */
  readonly lines: readonly number[];
  readonly shared: readonly (readonly number[])[];
}

/**
 * A row, with the rows inside it: a group, given by its index in `groups`; or files or folders, given by the indices of
 * their paths.
 */
export interface PageRow {
  readonly group?: number;
  /** Indices of the paths of two files, of peers, or of several folders. */
  readonly paths?: readonly string[];
  readonly peers?: PagePeers;
  readonly shares?: readonly number[];
  readonly worth?: number;
  readonly rows?: readonly PageRow[];
}

export interface PageData {
  readonly name: string;
  readonly version: string;
  /** Folder to which paths are relative: an absolute path with slashes. `undefined` if files cannot be opened. */
  readonly root: string | undefined;
  /**
   * Template of links to lines on a web service, with {path}, {start}, and {end}. `undefined` to open files in VS Code.
   */
  readonly address: string | undefined;
  readonly headline: string;
  readonly complete: boolean;
  readonly check?: { readonly holds: boolean; readonly message: string };
  /** Copies that were edited while other copies were not, with a message and the edit. */
  readonly edited?: readonly { readonly place: string; readonly message: string; readonly diff: readonly string[] }[];
  readonly categories: readonly {
    readonly name: Category;
    readonly files: number;
    readonly lines: number;
    readonly rows: number;
    readonly percent: number;
  }[];
  readonly paths: readonly string[];
  readonly groups: readonly PageGroup[];
  readonly sections: readonly {
    readonly name: SectionName;
    /** Number of duplicates, counted as in `categories`. */
    readonly count: number;
    readonly rows: readonly PageRow[];
  }[];
}

/** Data that the command line embeds in a report page, packed. */
export interface EmbeddedPageData extends PageData {
  /** Texts of passages in the rows with the greatest worth. The key has the form "group passage". */
  readonly texts: Readonly<Record<string, string>>;
}
