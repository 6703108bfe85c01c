/** Rows of the tree, as VS Code passes them back. */
import type * as vscode from 'vscode';
import type { FilePair, FolderGroup, Group } from '../../../core/engine/report/report.ts';
import type { OutlineRow, SectionName } from '../../../presentation/wording/outline.ts';
import type { Peers } from '../../../presentation/wording/peers.ts';
import type { Copy } from '../../../session/client/report.ts';

/** A row. Rows are values: two with the same content are the same row. */
export type Row =
  /** A remedy for a failed scan. */
  | { readonly type: 'remedy'; readonly command: vscode.Command }
  | { readonly type: 'section'; readonly name: SectionName }
  /** The contents in one language, by its VS Code id. */
  | { readonly type: 'language'; readonly id: string }
  /** A folder of the workspace, and a file in it. */
  | { readonly type: 'folder'; readonly path: string }
  | { readonly type: 'file'; readonly path: string }
  | { readonly type: 'folders'; readonly folders: FolderGroup }
  | { readonly type: 'peers'; readonly peers: Peers }
  /** The files of peers, and one of them by its path: who shares how much with whom. */
  | { readonly type: 'members'; readonly peers: Peers }
  | { readonly type: 'member'; readonly peers: Peers; readonly path: string }
  | { readonly type: 'files'; readonly files: FilePair }
  | { readonly type: 'group'; readonly group: Group }
  /** Nested groups of a group, which overlap mostly with it. */
  | { readonly type: 'inner'; readonly group: Group }
  /** A copy in the row of its file. The other copies of its group are below. */
  | ({ readonly type: 'occurrence' } & Copy)
  /** @property from  index of the occurrence that it is shown in; `undefined` in its group */
  | ({ readonly type: 'copy'; readonly from?: number } & Copy)
  /** Remaining rows inside the row with an id. */
  | { readonly type: 'more'; readonly hidden: number; readonly inRow: string };

/** Rows of the outline, whose labels have several forms. */
export type LabelledRow = Extract<Row, { type: 'folders' | 'peers' | 'files' | 'group' }>;

const rowTypes: Readonly<Record<Row['type'], true>> = {
  remedy: true,
  section: true,
  language: true,
  folder: true,
  file: true,
  folders: true,
  peers: true,
  members: true,
  member: true,
  files: true,
  group: true,
  inner: true,
  occurrence: true,
  copy: true,
  more: true,
};

/** Id for the top level. */
export const topId = '';

/** True if the value is one of our rows. VS Code passes tree elements back unchanged. */
export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && 'type' in value && Object.hasOwn(rowTypes, String(value.type));
}

/** True if a row represents one copy. */
export function isCopyRow(row: Row | undefined): row is Extract<Row, { type: 'occurrence' | 'copy' }> {
  return row?.type === 'occurrence' || row?.type === 'copy';
}

/** Returns the row of an item of the outline. */
export function rowOf(row: OutlineRow): LabelledRow {
  switch (row.type) {
    case 'folders':
      return { type: 'folders', folders: row.folders };
    case 'peers':
      return { type: 'peers', peers: row.peers };
    case 'files':
      return { type: 'files', files: row.files };
    case 'group':
      return { type: 'group', group: row.group };
  }
}

export function copyRowsOf(group: Group): Row[] {
  return group.passages.map((passage, place) => ({ type: 'copy', group, place, passage }));
}

/** Returns the rows of the other members of its group. */
export function siblingRowsOf({ group, place: from }: Copy): Row[] {
  return group.passages.flatMap((passage, place): Row[] =>
    place === from ? [] : [{ type: 'copy', group, place, passage, from }],
  );
}

/** Returns the identity of a row across reports, based on its content and not on its index. */
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
    case 'peers':
    case 'members':
      return `${row.type}/${row.peers.paths.join('|')}`;
    case 'member':
      return `${idOf({ type: 'members', peers: row.peers })}/${row.path}`;
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

/** Returns the row of the occurrence that contains a copy. */
export function occurrenceAround({ group, from }: { readonly group: Group; readonly from: number }): Row {
  return { type: 'occurrence', group, place: from, passage: group.passages[from]! };
}

/** Returns a key of a copy in its group that does not change when its lines move: path and index in the file. */
function anchor({ group, place, passage: { path } }: Copy): string {
  const earlier = group.passages.slice(0, place).filter((passage) => passage.path === path).length;
  return earlier === 0 ? path : `${path}#${earlier + 1}`;
}
