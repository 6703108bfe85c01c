/**
 * Messages between the extension and the page of the duplication map. Folders are paths of the report; the root is ''.
 */

/** Files to count: those of the category source, or all. */
export type Scope = 'source' | 'all';

/** A folder or file; or the combined other entries of a folder, whose path it has. */
export interface MapPlace {
  readonly type: 'folder' | 'file' | 'others';
  readonly path: string;
  /** Path relative to the folder it is shown in; empty for combined entries. */
  readonly name: string;
  readonly files: number;
  readonly lines: number;
  /** Duplicated lines, each counted once. */
  readonly duplicatedLines: number;
}

/**
 * A place with its content, largest first, a few levels deep. The content is omitted if it would be too small to see.
 */
export interface MapCell extends MapPlace {
  readonly cells: readonly MapCell[];
}

export interface MapRow extends MapPlace {
  /** Number of groups with a copy in it, counted as in the tree grouped by folder. */
  readonly duplicates: number;
}

/** Lines that pairs of places have in common. */
export interface SharedLines {
  readonly paths: readonly string[];
  /** `lines[x][y]`: lines of x with a copy in y, each counted once. x and y are indices into `paths`. */
  readonly lines: readonly (readonly number[])[];
}

export interface FolderView {
  /** The requested folder, or its nearest existing ancestor. */
  readonly folder: string;
  /** The folder whose entries are shown, after skipping folders that contain only one folder. */
  readonly shownFolder: string;
  readonly scope: Scope;
  /** True if there are source files. */
  readonly hasSource: boolean;
  readonly total: MapRow;
  /** Largest first. */
  readonly cells: readonly MapCell[];
  /** Most duplicated lines first. */
  readonly rows: readonly MapRow[];
  readonly rowsLeftOut: number;
  /** The rows with the most duplicated lines, in their order. */
  readonly shared: SharedLines;
}

/** Messages to the page. */
export type MapMessage =
  | { readonly type: 'view'; readonly view: FolderView }
  /** There is nothing to show, and the reason. */
  | { readonly type: 'nothing'; readonly sentence: string; readonly canScan: boolean };

/** Requests of the page. */
export type MapRequest =
  /** Also the first message of the page. Without a scope, a suitable one is chosen. */
  | { readonly type: 'show'; readonly folder: string; readonly scope?: Scope }
  /** Filters the tree by the copies in a folder or file and, if given, in another one. */
  | { readonly type: 'filter'; readonly path: string; readonly other?: string; readonly scope: Scope }
  | { readonly type: 'scan' };

/** State that the page stores for when it is shown again. */
export interface MapState {
  readonly folder: string;
  readonly scope?: Scope;
}

/** The texts of the page, with placeholders {0}, {1} … */
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
