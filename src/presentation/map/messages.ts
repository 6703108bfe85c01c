/** Messages between the extension and the page of the duplication map. Folders are report paths; the root is ''. */

/** Files to count: those of the category `source`, or all files. */
export type Scope = 'source' | 'all';

/** A folder, a file, or all other entries of a folder combined. The latter has the path of the folder. */
export interface MapPlace {
  readonly type: 'folder' | 'file' | 'others';
  readonly path: string;
  /** Path relative to the folder in which the place is shown; empty for combined entries. */
  readonly name: string;
  readonly files: number;
  readonly lines: number;
  /** Duplicated lines, each counted once. */
  readonly duplicatedLines: number;
}

/**
 * A place with its content, which is sorted by size and goes a few levels deep. Content that would be too small to see
 * is left out.
 */
export interface MapCell extends MapPlace {
  readonly cells: readonly MapCell[];
}

export interface MapRow extends MapPlace {
  /** Number of groups with a copy in the place, counted as in the tree that is grouped by folder. */
  readonly duplicates: number;
}

/** Lines that pairs of places have in common. */
export interface SharedLines {
  readonly paths: readonly string[];
  /**
   * `lines[x][y]` is the number of lines of place x that have a copy in place y, each counted once. x and y are indices
   * into `paths`.
   */
  readonly lines: readonly (readonly number[])[];
}

export interface FolderView {
  /** The requested folder, or its nearest existing parent folder. */
  readonly folder: string;
  /** The folder whose entries are shown. Folders that contain nothing but one folder were skipped. */
  readonly shownFolder: string;
  readonly scope: Scope;
  /** True if there are files of the category `source`. */
  readonly hasSource: boolean;
  readonly total: MapRow;
  /** Cells of the treemap, the largest first. */
  readonly cells: readonly MapCell[];
  /** Rows of the table, those with the most duplicated lines first. */
  readonly rows: readonly MapRow[];
  readonly rowsLeftOut: number;
  /** Lines that rows have in common, for the first rows. */
  readonly shared: SharedLines;
}

/** Messages to the page. */
export type MapMessage =
  | { readonly type: 'view'; readonly view: FolderView }
  /** There is nothing to show; `sentence` gives the reason. */
  | { readonly type: 'nothing'; readonly sentence: string; readonly canScan: boolean };

/** Requests from the page. */
export type MapRequest =
  /** Requests a view; also the first message of the page. Without a scope, the extension chooses one. */
  | { readonly type: 'show'; readonly folder: string; readonly scope?: Scope }
  /**
   * Filters the tree to the copies in a folder or file. If `other` is given, they must also be in that folder or file.
   */
  | { readonly type: 'filter'; readonly path: string; readonly other?: string; readonly scope: Scope }
  | { readonly type: 'scan' };

/** State that the page stores, to restore it when the page is shown again. */
export interface MapState {
  readonly folder: string;
  readonly scope?: Scope;
}

/** Texts of the page, with placeholders {0}, {1} … */
export type MapWords = Readonly<
  Record<
    | 'title'
    | 'allFolders'
    | 'folders'
    | 'scope'
    | 'sourceOnly'
    | 'allFiles'
    | 'summary'
    | 'treemap'
    | 'treemapHelp'
    | 'cell'
    | 'others'
    | 'legend'
    | 'table'
    | 'name'
    | 'lines'
    | 'duplicatedLines'
    | 'share'
    | 'duplicates'
    | 'openFolder'
    | 'showDuplicates'
    | 'leftOut'
    | 'shared'
    | 'sharedHelp'
    | 'sharedCell'
    | 'sharedWithin'
    | 'nothingShared'
    | 'scan',
    string
  >
>;
