/** Messages between the extension and the page of the duplication map. Folders are report paths; the root is ''. */

/** Files to include: only those of the category `source`, or all. */
export type Scope = 'source' | 'all';

/** A folder, a file, or all remaining entries of a folder (`others`). `others` has the path of its folder. */
export interface MapPlace {
  readonly type: 'folder' | 'file' | 'others';
  readonly path: string;
  /** Path relative to the folder that contains the place; empty for `others`. */
  readonly name: string;
  readonly files: number;
  readonly lines: number;
  /** Number of duplicated lines. A line in several groups counts once. */
  readonly duplicatedLines: number;
}

/** A cell of the treemap, and the cells inside it, sorted by size, without those too deep or too small to see. */
export interface MapCell extends MapPlace {
  readonly cells: readonly MapCell[];
}

export interface MapRow extends MapPlace {
  /** Number of groups with a copy in this place, counted as in the tree grouped by folder. */
  readonly duplicates: number;
}

/** Lines that each pair of places shares. */
export interface SharedLines {
  readonly paths: readonly string[];
  /** `lines[x][y]` is the number of lines of place x with a copy in place y, each once, by index into `paths`. */
  readonly lines: readonly (readonly number[])[];
}

export interface FolderView {
  /** Path of the requested folder, or of its nearest existing parent. */
  readonly folder: string;
  /** Path of the folder with the displayed entries: not `folder` if folders with one subfolder were skipped. */
  readonly shownFolder: string;
  readonly scope: Scope;
  /** True if any file has the category `source`. */
  readonly hasSource: boolean;
  readonly total: MapRow;
  /** Cells of the treemap, the largest first. */
  readonly cells: readonly MapCell[];
  /** Table rows, by descending number of duplicated lines. */
  readonly rows: readonly MapRow[];
  readonly rowsLeftOut: number;
  /** Number of lines that each pair of rows shares. Only for the first rows. */
  readonly shared: SharedLines;
}

export type MessageToMap =
  | { readonly type: 'view'; readonly view: FolderView }
  /** There is no data. `sentence` says why. */
  | { readonly type: 'nothing'; readonly sentence: string; readonly canScan: boolean };

export type MessageFromMap =
  /** Requests the data of a folder; the page's first message. Without `scope`, the extension chooses one. */
  | { readonly type: 'show'; readonly folder: string; readonly scope?: Scope | undefined }
  /** Limits the tree to duplicates with a copy in a folder or file and, if given, another one in `other`. */
  | { readonly type: 'filter'; readonly path: string; readonly other?: string | undefined; readonly scope: Scope }
  | { readonly type: 'scan' };

/** State that the page saves, so that it can be restored when the page is shown again. */
export interface MapState {
  readonly folder: string;
  readonly scope?: Scope;
}
