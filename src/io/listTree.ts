/**
 * The walk over a tree of files that is not on disk and answers later: a remote or virtual file system. The rules are
 * those of listSources; what they cannot know here is what links lead to, so links are named and not followed, and the
 * rules that lie around the top folder are not read.
 */
import type { Skipped } from '../engine/report.ts';
import { byPath } from './byPath.ts';
import { excludeFile, ignoreFileNames, attributesFileName, ruleLines } from './pathRules.ts';
import type { SourceOptions } from './sources.ts';
import {
  compileRules,
  type Entry,
  type FolderRules,
  noRules,
  ruleFilesAmong,
  sortEntries,
  type WalkRules,
  withAttributeLines,
  withIgnoreLines,
} from './walk.ts';

/** A tree of files. Paths are relative to its top folder, with forward slashes; those of folders end with one, or are empty. */
export interface FileTree {
  /** The members of a folder, or why they cannot be had. */
  readonly readFolder: (path: string) => Promise<readonly Entry[] | { readonly reason: string }>;
  /** The text of a file with rules; empty when it is not there or cannot be read. */
  readonly readText: (path: string) => Promise<string>;
}

/** What was found. Both lists are sorted by path. */
export interface TreeListing {
  readonly paths: readonly string[];
  readonly skipped: readonly Skipped[];
}

/** Folders that are asked for at the same time: what is far away answers slowly, and to many questions at once. */
const foldersAtOnce = 16;

/** The sources in a tree. Never throws for what it meets; when `cancelled` says so, the listing ends early. */
export async function listTree(
  tree: FileTree,
  options: SourceOptions,
  cancelled: () => boolean = () => false,
): Promise<TreeListing> {
  const walk: Walk = { ...compileRules(options), tree, paths: [], skipped: [] };
  const pending: FolderRules[] = [noRules('')];
  while (pending.length > 0 && !cancelled()) {
    const found = await Promise.all(pending.splice(-foldersAtOnce).map((folder) => enter(walk, folder)));
    pending.push(...found.flat());
  }
  return { paths: walk.paths.sort(), skipped: walk.skipped.sort(byPath) };
}

interface Walk extends WalkRules {
  readonly tree: FileTree;
  readonly paths: string[];
  readonly skipped: Skipped[];
}

/** Lists what is in a folder; returns the folders in it that are to be entered. */
async function enter(walk: Walk, folder: FolderRules): Promise<FolderRules[]> {
  const found = await walk.tree.readFolder(folder.path);
  if ('reason' in found) {
    walk.skipped.push({ path: folder.path || '.', reason: found.reason });
    return [];
  }
  const entries = found.filter(({ name }) => isName(name));
  const here = await withOwnRules(walk, folder, entries);
  const { folders, files, links } = sortEntries(walk, here, entries, walk.skipped);
  for (const name of files) walk.paths.push(here.path + name);
  for (const name of links) walk.skipped.push({ path: here.path + name, reason: 'a symbolic link' });
  return folders.map((name) => ({ ...here, path: `${here.path}${name}/` }));
}

/** Whether a name is one: nothing that a file system says is taken for granted. */
function isName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !name.includes('/') && !name.includes('\0');
}

async function withOwnRules(walk: Walk, folder: FolderRules, entries: readonly Entry[]): Promise<FolderRules> {
  const own = ruleFilesAmong(walk, entries);
  const read = async (names: readonly string[]): Promise<string[]> => {
    const texts = await Promise.all(names.map((name) => walk.tree.readText(folder.path + name)));
    return texts.flatMap(ruleLines);
  };
  const names = new Set(entries.map(({ name }) => name));
  const ignoreFiles = ignoreFileNames.filter((name) => names.has(name));
  const repository = entries.some((entry) => entry.name === '.git' && entry.isDirectory()) ? [excludeFile] : [];
  let here = folder;
  if (own.ignore) here = withIgnoreLines(here, await read([...repository, ...ignoreFiles]));
  if (own.attributes) here = withAttributeLines(here, await read([attributesFileName]));
  return here;
}
