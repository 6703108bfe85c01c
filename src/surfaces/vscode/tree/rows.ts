/** Types of rows in the tree. VS Code passes rows to commands. */
import type * as vscode from 'vscode';
import { isObject } from '../../../core/collections/parsedValues.ts';
import type { FilePair, FolderGroup, Group } from '../../../core/engine/report/report.ts';
import type { OutlineRow, SectionName } from '../../../presentation/wording/outline.ts';
import type { Peers } from '../../../presentation/wording/peers.ts';
import type { Copy } from '../../../session/client/report.ts';

/** A row of the tree. Different objects with the same content represent the same row. */
export type Row =
  /** A command that may solve the problem if a scan has failed. */
  | { readonly type: 'remedy'; readonly command: vscode.Command }
  | { readonly type: 'section'; readonly name: SectionName }
  /** Duplicates in one language, given by its VS Code id. */
  | { readonly type: 'language'; readonly id: string }
  /** A folder with copies, given by its path. The variant `file` is a file with copies. */
  | { readonly type: 'folder'; readonly path: string }
  | { readonly type: 'file'; readonly path: string }
  | { readonly type: 'folders'; readonly folders: FolderGroup }
  | { readonly type: 'peers'; readonly peers: Peers }
  /** `members` has the files of a set of peers; `member` is one of them, with the lines that it shares with others. */
  | { readonly type: 'members'; readonly peers: Peers }
  | { readonly type: 'member'; readonly peers: Peers; readonly path: string }
  | { readonly type: 'files'; readonly files: FilePair }
  | { readonly type: 'group'; readonly group: Group }
  /** Contains the nested groups of a group: groups whose passages are mostly inside the group's passages. */
  | { readonly type: 'inner'; readonly group: Group }
  /** A copy below its file. The other copies of its group are below it. */
  | ({ readonly type: 'occurrence' } & Copy)
  /**
   * @property from index of the copy whose `occurrence` row contains this row; `undefined` if the row is below its
   * group
   */
  | ({ readonly type: 'copy'; readonly from?: number } & Copy)
  /** Placeholder for the rows below the row `inRow` (an id) that are not shown yet. */
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

/** Id that represents the top level of the tree. */
export const topId = '';

/** Returns true if a value is a row. VS Code passes rows to commands as the same objects. */
export function isRow(value: unknown): value is Row {
  return isObject(value) && Object.hasOwn(rowTypes, String(value['type']));
}

export function isCopyRow(row: Row | undefined): row is Extract<Row, { type: 'occurrence' | 'copy' }> {
  return row?.type === 'occurrence' || row?.type === 'copy';
}

/** Returns the tree row for a row of the outline. */
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

/** Returns rows for the other copies in the group of a copy. */
export function siblingRowsOf({ group, place: from }: Copy): Row[] {
  return group.passages.flatMap((passage, place): Row[] =>
    place === from ? [] : [{ type: 'copy', group, place, passage, from }],
  );
}

/** Returns the id of a row. It depends on content and not on position, so it stays the same in later reports. */
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

/** Returns the `occurrence` row below which the row of a copy is. */
export function occurrenceAround({ group, from }: { readonly group: Group; readonly from: number }): Row {
  return { type: 'occurrence', group, place: from, passage: group.passages[from]! };
}

/** Returns a key for a copy in its group that survives moved lines: its path, and its index in this file. */
function anchor({ group, place, passage: { path } }: Copy): string {
  const earlier = group.passages.slice(0, place).filter((passage) => passage.path === path).length;
  return earlier === 0 ? path : `${path}#${earlier + 1}`;
}
