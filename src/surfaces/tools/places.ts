/** Formats and parses places in the inputs and answers of tools: "src/a.ts:10-42". */
import type { Group, Passage } from '../../core/engine/report/report.ts';
import { declarationNamed } from '../../presentation/wording/declarations.ts';
import type { Access, IndexCondition } from './access.ts';

export interface WrittenPlace {
  readonly path: string;
  /** Lines, counted from 1, inclusive; `undefined` for the entire file. */
  readonly lines: { readonly start: number; readonly end: number } | undefined;
}

/**
 * Returns the place of a declaration that is written as "src/a.ts#parseDay" or "src/a.ts#Calendar.parseDay", or an
 * error message. Returns `undefined` if the place is not written like that, or if it is an existing file.
 */
export async function placeOfSymbol(
  { pathOf, exists, textOf }: Pick<Access, 'pathOf' | 'exists' | 'textOf'>,
  written: string,
  condition: IndexCondition,
): Promise<WrittenPlace | { readonly problem: string } | undefined> {
  const [, file = '', symbol = ''] = /^(.+?)#(.+)$/.exec(written) ?? [];
  const [path, whole] = [file, written].map(pathOf);
  if (file === '' || path === undefined || (whole !== undefined && (await exists(whole)))) return undefined;
  const text = await textOf(path);
  if (text === undefined) return withoutText(file, condition);
  const lines = text.split(/\r\n|\n|\r/);
  const found = declarationNamed(file, lines, symbol);
  return 'problem' in found ? found : { path, lines: { start: found.startLine, end: found.endLine } };
}

/** Returns the error that a file's text is unavailable: it is not compared, or that is not known yet. */
export function withoutText(written: string, condition: IndexCondition): { readonly problem: string } {
  return condition.state === 'indexing'
    ? { problem: `${written} is not in the index yet. Try again in a few seconds.` }
    : { problem: `${written} is not compared; specify a compared file, or the text.` };
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
  return path === '' || prefixes().includes(`${path}/`) || exists(path);
}

const maxFolders = 20;

/**
 * Returns the error that a folder is unknown, with a list of the known folders: those with the same name elsewhere, or
 * else those in the folder that exists.
 */
export function unknownFolder(
  { prefixes, pathOf, leadsOutside }: Pick<Access, 'prefixes' | 'pathOf' | 'leadsOutside'>,
  written: string,
  groups: readonly Group[],
): { readonly problem: string } {
  const all = foldersOf(groups);
  const path = (pathOf(written) ?? written).replace(/\/+$/, '');
  if (leadsOutside?.(path) === true) {
    return { problem: `${written} is a symbolic link to a place outside the followed folders, so it is not compared.` };
  }
  const parts = path.split('/');
  const elsewhere = [...all].filter((folder) => folder.endsWith(`/${parts.at(-1)!}`)).sort();
  if (elsewhere.length > 0) return { problem: `There is no folder ${written}; did you mean ${listed(elsewhere)}?` };
  let existingDepth = parts.length - 1;
  while (existingDepth > 0 && !all.has(parts.slice(0, existingDepth).join('/'))) existingDepth--;
  const around = parts.slice(0, existingDepth).join('/');
  const folders = prefixes();
  const depth = Math.max(existingDepth, folders.length > 1 ? 1 : 0) + 1;
  const found = new Set<string>(
    folders.length > 1 && existingDepth === 0 ? folders.map((one) => one.slice(0, -1)) : [],
  );
  for (const folder of all) if (isIn(around, folder) && folder.split('/').length <= depth) found.add(folder);
  found.delete(around);
  const where = around === '' ? '' : ` in ${around}`;
  const which =
    found.size === 0
      ? `no folder${where} has duplicates; ${around === '' ? 'omit folder' : `specify ${around}`}`
      : `those with duplicates${where} are ${listed([...found].sort())}`;
  return { problem: `There is no folder ${written}; ${which}.` };
}

/** Returns all folders that contain passages, at any depth. */
function foldersOf(groups: readonly Group[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { passages } of groups) {
    for (const { path } of passages) {
      for (
        let end = path.lastIndexOf('/');
        end > 0 && !found.has(path.slice(0, end));
        end = path.lastIndexOf('/', end - 1)
      )
        found.add(path.slice(0, end));
    }
  }
  return found;
}

function listed(names: readonly string[]): string {
  const more = names.length > maxFolders ? `, and ${names.length - maxFolders} more` : '';
  return `${names.slice(0, maxFolders).join(', ')}${more}`;
}
