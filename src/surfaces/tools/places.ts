/** Formats and parses places in the inputs and answers of tools: "src/a.ts:10-42". */
import type { Group, Passage } from '../../core/engine/report/report.ts';
import type { Access } from './access.ts';

export interface WrittenPlace {
  readonly path: string;
  /** Lines, counted from 1, inclusive; `undefined` for the entire file. */
  readonly lines: { readonly start: number; readonly end: number } | undefined;
}

export function parseWrittenPlace(written: string): WrittenPlace {
  const [, path = '', start = '', end = start] = /^(.+):(\d+)(?:-(\d+))?$/.exec(written) ?? [];
  return path === ''
    ? { path: written, lines: undefined }
    : { path, lines: { start: Number(start), end: Number(end) } };
}

export function writePlace({ path, startLine, endLine }: Pick<Passage, 'path' | 'startLine' | 'endLine'>): string {
  return `${path}:${startLine}${endLine === startLine ? '' : `-${endLine}`}`;
}

/** Formats the place of a passage. If the passage is an entire file, returns only its path. */
export function placeIn({ kind }: Pick<Group, 'kind'>, passage: Passage): string {
  return kind === 'file' ? passage.path : writePlace(passage);
}

export function linesIn(text: string, { startLine, endLine }: Pick<Passage, 'startLine' | 'endLine'>): string[] {
  return text.split(/\r\n|\n|\r/).slice(startLine - 1, endLine);
}

/** Returns true if a path is the folder or inside it. The folder '' contains all paths. */
export function isIn(folder: string, path: string): boolean {
  return folder === '' || path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** Returns the error that a path is outside of all folders. */
export function outside(written: string): { readonly problem: string } {
  return { problem: `${written} is outside the followed folders; specify a path inside them.` };
}

/** Returns true if a path exists. It may be a followed folder, or anything inside one. */
export async function isThere({ prefixes, exists }: Access, path: string): Promise<boolean> {
  return path === '' || prefixes.includes(`${path}/`) || exists(path);
}

const mostFolders = 20;

/** Returns the error that a folder is unknown, with a list of the known folders. */
export function unknownFolder(
  { prefixes }: Access,
  written: string,
  groups: readonly Group[],
): { readonly problem: string } {
  const depth = prefixes.length > 1 ? 2 : 1;
  const found = new Set<string>(prefixes.length > 1 ? prefixes.map((prefix) => prefix.slice(0, -1)) : []);
  for (const { passages } of groups) {
    for (const { path } of passages) {
      const folder = path.split('/').slice(0, -1).slice(0, depth).join('/');
      if (folder !== '') found.add(folder);
    }
  }
  const names = [...found].sort();
  const more = names.length > mostFolders ? `, and ${names.length - mostFolders} more` : '';
  const which =
    names.length === 0
      ? 'no folder has duplicates; omit folder'
      : `those with duplicates are ${names.slice(0, mostFolders).join(', ')}${more}`;
  return { problem: `There is no folder ${written}; ${which}.` };
}
