/** Data of the HTML report and of other pages that show rows. */
import type { Category } from '../../core/engine/rows/category.ts';
import type { SectionName } from './outline.ts';

/** A group. Passages have three numbers each: index in `paths`, first line, and last line. */
export interface PageGroup {
  readonly id: string;
  /** "Near copies of code". */
  readonly words: string;
  readonly isFile: boolean;
  readonly isExact: boolean;
  /** Two files of which one contains the other. */
  readonly isContained: boolean;
  readonly similarity: number;
  readonly lines: number;
  readonly tokens: number;
  readonly category: Category;
  readonly worth: number;
  readonly passages: readonly number[];
  /** For each passage, the index of the first one that it equals. Absent if none equals another, or all do. */
  readonly equals?: readonly number[];
  /** Indices of new passages; present if the group is new. */
  readonly fresh?: readonly number[];
  /** Present if the group is ignored: the reason, or empty. */
  readonly ignored?: string;
}

/** Files that play the same part. Arrays have an item for each path of their row. */
export interface PagePeers {
  readonly name: string;
  /** Number of groups, without those that are shown in another group. */
  readonly groups: number;
  /** Lines of each file in passages of the groups, and those that it shares with each other file. */
  readonly lines: readonly number[];
  readonly shared: readonly (readonly number[])[];
}

/** A row: a group by its index in `groups`, or files or folders by the indices of their paths; and the rows in it. */
export interface PageRow {
  readonly group?: number;
  /** Paths of two files, peers, or several folders. */
  readonly paths?: readonly string[];
  readonly peers?: PagePeers;
  readonly shares?: readonly number[];
  readonly worth?: number;
  readonly rows?: readonly PageRow[];
}

export interface PageData {
  readonly name: string;
  readonly version: string;
  /** The folder that contains the paths: absolute, with slashes; `undefined` if it cannot be opened. */
  readonly root: string | undefined;
  /** URL template of lines on a service, with {path}, {start}, and {end}; `undefined` to open VS Code. */
  readonly address: string | undefined;
  readonly headline: string;
  readonly complete: boolean;
  readonly check?: { readonly holds: boolean; readonly message: string };
  /** Copies that were edited while others were not: message and edit. */
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
    /** Number of duplicates, as `categories` counts them. */
    readonly count: number;
    readonly rows: readonly PageRow[];
  }[];
}

/** Data that the command line embeds in the page of a report: one packed object. */
export interface EmbeddedPageData extends PageData {
  /** The texts of passages of the rows with the greatest worth, by "group passage". */
  readonly texts: Readonly<Record<string, string>>;
}
