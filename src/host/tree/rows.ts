/** The rows of the tree, as VS Code hands them back to us. */
import type * as vscode from 'vscode';
import type { FilePair, FolderGroup, Group } from '../../engine/report/report.ts';
import type { OutlineRow, SectionName } from '../../wording/outline.ts';
import type { Copy } from '../../client/report.ts';

/** A row. Rows are values: two of the same content are the same row. */
export type Row =
  /** What to do about a scan that could not be done. */
  | { readonly type: 'remedy'; readonly command: vscode.Command }
  | { readonly type: 'section'; readonly name: SectionName }
  /** What is in one language, by its id in VS Code. */
  | { readonly type: 'language'; readonly id: string }
  /** A folder of the workspace, and a file in it. */
  | { readonly type: 'folder'; readonly path: string }
  | { readonly type: 'file'; readonly path: string }
  | { readonly type: 'folders'; readonly folders: FolderGroup }
  | { readonly type: 'files'; readonly files: FilePair }
  | { readonly type: 'group'; readonly group: Group }
  /** The groups that are shown in the row of another one, since most of them stands there. */
  | { readonly type: 'inner'; readonly group: Group }
  /** A copy as one of its file: below it are the others of its group. */
  | ({ readonly type: 'occurrence' } & Copy)
  /** @property from  the place of the occurrence that it is shown in; undefined in its group */
  | ({ readonly type: 'copy'; readonly from?: number } & Copy)
  /** What is not shown yet of the rows in the row of an id. */
  | { readonly type: 'more'; readonly hidden: number; readonly inRow: string };

const rowTypes: Readonly<Record<Row['type'], true>> = {
  ...{ remedy: true, section: true, language: true, folder: true, file: true, folders: true, files: true },
  ...{ group: true, inner: true, occurrence: true, copy: true, more: true },
};

/** What stands for the id of a row around those at the top. */
export const topId = '';

/** Whether something that VS Code hands out is one of our rows: what it gives of the tree is what it was given. */
export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && 'type' in value && Object.hasOwn(rowTypes, String(value.type));
}

/** True if a row stands for one copy. */
export function isCopyRow(row: Row | undefined): row is Extract<Row, { type: 'occurrence' | 'copy' }> {
  return row?.type === 'occurrence' || row?.type === 'copy';
}

/** The row of something that has a place in the outline. */
export function rowOf(row: OutlineRow): Row {
  switch (row.type) {
    case 'folders':
      return { type: 'folders', folders: row.folders };
    case 'files':
      return { type: 'files', files: row.files };
    case 'group':
      return { type: 'group', group: row.group };
  }
}

/** The rows of the members of a group. */
export function copyRowsOf(group: Group): Row[] {
  return group.passages.map((passage, place) => ({ type: 'copy', group, place, passage }));
}

/** The rows of the other members of its group. */
export function siblingRowsOf({ group, place: from }: Copy): Row[] {
  return group.passages.flatMap((passage, place): Row[] =>
    place === from ? [] : [{ type: 'copy', group, place, passage, from }],
  );
}

/** What a row is known by from report to report: its content, and never its number. */
export function idOf(row: Row): string {
  switch (row.type) {
    case 'remedy':
      return `remedy/${row.command.title}`;
    case 'section':
      return `section/${row.name}`;
    case 'language':
      return `language/${row.id}`;
    case 'folder':
      return `folder/${row.path}`;
    case 'file':
      return `file/${row.path}`;
    case 'folders':
      return `folders/${row.folders.paths.join('|')}`;
    case 'files':
      return `files/${row.files.paths.join('|')}`;
    case 'group':
      return row.group.id;
    case 'inner':
      return `inner/${row.group.id}`;
    case 'occurrence':
      return `occurrence/${row.group.id}/${anchor(row)}`;
    case 'copy':
      return row.from === undefined
        ? `${row.group.id}/${anchor(row)}`
        : `${idOf(occurrenceAround({ ...row, from: row.from }))}/${anchor(row)}`;
    case 'more':
      return `more/${row.inRow}`;
  }
}

/** The occurrence that a copy is shown in. */
export function occurrenceAround({ group, from }: { readonly group: Group; readonly from: number }): Row {
  return { type: 'occurrence', group, place: from, passage: group.passages[from]! };
}

/** What tells a copy from the others of its group, and stays the same when its lines move: path and number in the file. */
function anchor({ group, place, passage: { path } }: Copy): string {
  const earlier = group.passages.slice(0, place).filter((passage) => passage.path === path).length;
  return earlier === 0 ? path : `${path}#${earlier + 1}`;
}
