/**
 * Walks through a remote or virtual file system, which answers asynchronously. The rules are the same as in
 * listSources.ts, with two exceptions. Links are reported, not followed, because their targets are unknown. Rules
 * outside of the top folder are not read.
 */
import { byPath } from './byPath.ts';
import { commonFolderFile, gitFolderIn, linkedWorktree, looksLikeWorktree } from './gitFile.ts';
import { excludeFile, ignoreFileNames, attributesFileName, ruleLines } from './pathRules.ts';
import type { RuleText } from './ruleFiles.ts';
import type { Listing, SourceOptions } from './sources.ts';
import {
  beginWalk,
  type Entry,
  type FolderRules,
  hasGitFile,
  noRules,
  ruleFilesAmong,
  sortEntries,
  type WalkRules,
  withAttributeFiles,
  withIgnoreFiles,
} from './walk.ts';

/**
 * A file system to list. Paths are relative to its top folder, with forward slashes. The path of a folder ends with a
 * slash. The path of the top folder is empty.
 */
export interface FileTree {
  /** Returns the members of a folder, or the reason if it cannot be read. */
  readonly readFolder: (path: string) => Promise<readonly Entry[] | { readonly reason: string }>;
  /** Returns the text of a file with rules, such as .gitignore; '' if it does not exist or cannot be read. */
  readonly readText: (path: string) => Promise<string>;
}

/** Result of the walk. `paths` is sorted. */
export interface TreeListing extends Pick<Listing, 'skipped' | 'warnings'> {
  readonly paths: readonly string[];
}

/** Number of folders to request at once. Remote file systems answer slowly, but can handle many requests. */
const foldersAtOnce = 16;

/** Lists the source files of a file system. Never throws because of its errors. Stops if `cancelled` returns true. */
export async function listTree(
  tree: FileTree,
  options: SourceOptions,
  cancelled: () => boolean = () => false,
): Promise<TreeListing> {
  const walk: Walk = { ...beginWalk(options, cancelled), tree, paths: [] };
  const pending: FolderRules[] = [noRules('')];
  while (pending.length > 0 && !cancelled()) {
    const found = await Promise.all(pending.splice(-foldersAtOnce).map((folder) => enter(walk, folder)));
    for (const inner of found.flat()) pending.push(inner);
  }
  return { paths: walk.paths.sort(), skipped: walk.skipped.sort(byPath), warnings: [...walk.warnings] };
}

interface Walk extends WalkRules {
  readonly tree: FileTree;
  readonly paths: string[];
}

/** Lists the files of a folder, and returns the subfolders to enter. */
async function enter(walk: Walk, folder: FolderRules): Promise<FolderRules[]> {
  const found = await walk.tree.readFolder(folder.path);
  if ('reason' in found) {
    walk.skipped.push({ path: folder.path || '.', reason: found.reason });
    return [];
  }
  const entries = found.filter(({ name }) => isName(name));
  if (folder.path !== '' && hasGitFile(entries) && (await isLinkedWorktree(walk.tree, folder.path))) {
    walk.skipped.push({ path: folder.path, reason: linkedWorktree });
    return [];
  }
  const here = await withOwnRules(walk, folder, entries);
  const { folders, files, links } = await sortEntries(walk, here, entries);
  for (const name of files) walk.paths.push(here.path + name);
  for (const name of links) walk.skipped.push({ path: here.path + name, reason: 'a symbolic link' });
  return folders.map((name) => ({ ...here, path: `${here.path}${name}/` }));
}

/**
 * Returns true if a folder is a linked worktree. If its Git folder is outside of the tree and cannot be read, decides
 * by the path of the Git folder.
 */
async function isLinkedWorktree(tree: FileTree, folder: string): Promise<boolean> {
  const target = gitFolderIn(await tree.readText(`${folder}.git`));
  if (target === undefined) return false;
  const gitFolder = target.startsWith('/') ? undefined : joined(folder, target);
  if (gitFolder === undefined) return looksLikeWorktree(target);
  const members = await tree.readFolder(`${gitFolder}/`);
  return 'reason' in members ? looksLikeWorktree(target) : members.some(({ name }) => name === commonFolderFile);
}

/** Joins a folder and a relative path, and resolves `.` and `..`; `undefined` if that is outside of the tree. */
function joined(folder: string, relative: string): string | undefined {
  const names: string[] = [];
  for (const name of `${folder}/${relative}`.split('/')) {
    if (name === '..' && names.pop() === undefined) return undefined;
    if (name !== '' && name !== '.' && name !== '..') names.push(name);
  }
  return names.join('/');
}

/** Returns true if the name of a folder's member is valid. File system providers may return invalid names. */
function isName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !name.includes('/') && !name.includes('\0');
}

async function withOwnRules(walk: Walk, folder: FolderRules, entries: readonly Entry[]): Promise<FolderRules> {
  const own = ruleFilesAmong(walk, entries);
  const read = (names: readonly string[]): Promise<RuleText[]> =>
    Promise.all(
      names.map(async (name) => {
        const text = await walk.tree.readText(folder.path + name);
        return { name, lines: ruleLines(text), problem: undefined };
      }),
    );
  const names = new Set(entries.map(({ name }) => name));
  const ignoreFiles = ignoreFileNames.filter((name) => names.has(name));
  const repository = entries.some((entry) => entry.name === '.git' && entry.isDirectory()) ? [excludeFile] : [];
  let here = folder;
  if (own.ignore) here = withIgnoreFiles(walk, here, await read([...repository, ...ignoreFiles]));
  if (own.attributes) here = withAttributeFiles(walk, here, await read([attributesFileName]));
  return here;
}
