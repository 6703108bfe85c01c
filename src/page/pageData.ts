/** What the HTML report has to show, as the command line hands it to the page: one object, packed. */

/** A group. Passages are places in `paths` with first and last lines: three numbers for each. */
export interface PageGroup {
  readonly id: string;
  /** "Near copies of code". */
  readonly words: string;
  readonly isFile: boolean;
  readonly isExact: boolean;
  /** Two files of which one is in the other. */
  readonly isContained: boolean;
  readonly similarity: number;
  readonly lines: number;
  readonly tokens: number;
  readonly category: string;
  readonly worth: number;
  readonly passages: readonly number[];
  /** The places of passages that are new; there when the group is new. */
  readonly fresh?: readonly number[];
  /** There when the group is ignored: why, or empty. */
  readonly ignored?: string;
}

/** A row: a group by its place in `groups`, or files or folders by the places of their paths; and the rows in it. */
export interface PageRow {
  readonly group?: number;
  /** Of two files or several folders. */
  readonly paths?: readonly string[];
  readonly shares?: readonly number[];
  readonly worth?: number;
  readonly rows?: readonly PageRow[];
}

export interface PageData {
  readonly name: string;
  readonly version: string;
  /** The folder that paths are in: absolute, with slashes. */
  readonly root: string;
  /** Addresses of lines on a service, with {path}, {start} and {end}; undefined to open VS Code. */
  readonly address: string | undefined;
  readonly headline: string;
  readonly complete: boolean;
  readonly check?: { readonly holds: boolean; readonly message: string };
  /** Copies that were edited while others were not: what of them is said, and the edit. */
  readonly edited?: readonly { readonly place: string; readonly message: string; readonly diff: readonly string[] }[];
  readonly categories: readonly {
    readonly name: string;
    readonly files: number;
    readonly lines: number;
    readonly rows: number;
    readonly percent: number;
  }[];
  readonly paths: readonly string[];
  readonly groups: readonly PageGroup[];
  readonly sections: readonly { readonly name: string; readonly rows: readonly PageRow[] }[];
  /** The texts of passages of the rows most worth a look, by "group passage". */
  readonly texts: Readonly<Record<string, string>>;
}
