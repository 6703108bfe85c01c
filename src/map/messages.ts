/** What the extension and the page of the duplication map say to each other. Folders are paths of the report; the root is ''. */

/** Which files are counted: those of the category source, or every one. */
export type Scope = 'source' | 'all';

/** A folder or file; or all others of a folder, whose path that is, in one. */
export interface MapPlace {
  readonly type: 'folder' | 'file' | 'others';
  readonly path: string;
  /** Its path from the folder that it is shown in; empty of others. */
  readonly name: string;
  readonly files: number;
  readonly lines: number;
  /** Lines that are in some passage, each counted once. */
  readonly duplicatedLines: number;
}

/** With what is in it, the largest first, a few levels deep; without it when that would be too small to see. */
export interface MapCell extends MapPlace {
  readonly cells: readonly MapCell[];
}

export interface MapRow extends MapPlace {
  /** Groups with a copy in it, counted as the tree does when it is grouped by folder. */
  readonly duplicates: number;
}

/** Places against each other. */
export interface SharedLines {
  readonly paths: readonly string[];
  /** `lines[x][y]`: lines of x with a copy in y, each counted once. x and y are places in `paths`. */
  readonly lines: readonly (readonly number[])[];
}

export interface FolderView {
  /** The folder that was asked for, or the nearest one above it that is there. */
  readonly folder: string;
  /** The folder whose entries are shown: where one has nothing but one folder, that one. */
  readonly shownFolder: string;
  readonly scope: Scope;
  /** Whether there is any source. */
  readonly hasSource: boolean;
  readonly total: MapRow;
  /** The largest first. */
  readonly cells: readonly MapCell[];
  /** Most duplicated lines first. */
  readonly rows: readonly MapRow[];
  readonly rowsLeftOut: number;
  /** Those of the rows with most duplicated lines, in their order. */
  readonly shared: SharedLines;
}

/** What the page is told. */
export type MapMessage =
  | { readonly type: 'view'; readonly view: FolderView }
  /** There is nothing to show, and why. */
  | { readonly type: 'nothing'; readonly sentence: string; readonly canScan: boolean };

/** What the page asks for. */
export type MapRequest =
  /** Also the first thing that it says. Without a scope, the one that fits. */
  | { readonly type: 'show'; readonly folder: string; readonly scope?: Scope }
  /** Shows in the tree what has a copy in a folder or file, and in another one if that is given. */
  | { readonly type: 'filter'; readonly path: string; readonly other?: string; readonly scope: Scope }
  | { readonly type: 'scan' };

/** What the page keeps for when it is shown again. */
export interface MapState {
  readonly folder: string;
  readonly scope?: Scope;
}

/** The texts of the page, with {0}, {1} … for what is put in. */
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
