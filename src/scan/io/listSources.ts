/**
 * Walks through folders on disk. Lists the source files with their paths in the report, and records which rules exclude
 * other files.
 *
 * Folders are read synchronously, which is three times faster in Node. The walk yields to the event loop at regular
 * intervals. Skipped folders are not entered.
 */
import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { byPath } from './byPath.ts';
import { versionControlNames } from './fileNames.ts';
import { linkedWorktree } from './gitFile.ts';
import { describeFailure } from './readSource.ts';
import { hidesFolderOn, type PathRules } from './pathRules.ts';
import { isLinkedWorktree, readAttributeFiles, readIgnoreFiles, repositoryFoldersAround } from './ruleFiles.ts';
import type { HidingRule, Listing, SourceFile, SourceOptions } from './sources.ts';
import {
  beginWalk,
  type FolderRules,
  hasGitFile,
  noRules,
  reasonToSkip,
  ruleFilesAmong,
  sortEntries,
  type WalkRules,
  withAttributeFiles,
  withIgnoreFiles,
} from './walk.ts';

/**
 * Lists the source files in the given folders and files (roots). Paths are relative to the root, or to its folder if
 * the root is a file. If there are several roots, paths are relative to the innermost folder that contains all of them.
 *
 * - A root is always entered, even if rules in its parent folders would hide it. A root that is a file is always
 *   listed, unless `exclude` matches it.
 * - Each file is listed once, even if several paths lead to it. Links to files are followed, but not links to folders.
 *   If `links` allows only targets inside the roots, links to other targets are in `skipped`.
 * - Linked worktrees of Git are in `skipped`, unless they are roots. Submodules are entered.
 * - `skipped` contains files excluded by built-in rules. Files hidden by git or by a glob are only counted in `hidden`.
 *
 * Never throws for errors on disk. Stops early if `cancelled` returns true.
 */
export async function listSources(
  roots: readonly string[],
  options: SourceOptions,
  cancelled: () => boolean = () => false,
  links: 'anywhere' | 'inside' = 'anywhere',
): Promise<Listing> {
  const places = roots.map(locate);
  const root = commonFolder(places);
  const walk = beginListing(root, options, cancelled, places);

  // Begin with outer folders, so that a root inside another root is usually reached during the walk.
  const folders = places.filter(({ isFolder }) => isFolder).sort((a, b) => a.real.length - b.real.length);
  for (const place of folders) {
    const pending: Folder[] = [startAt(walk, place)];
    for (let folder = pending.pop(); folder !== undefined && !cancelled(); folder = pending.pop()) {
      for (const inner of await enter(walk, folder)) pending.push(inner);
    }
  }
  const single = places.filter(({ isFolder }) => !isFolder);
  if (walk.links.length > 0 || single.length > 0) addByRealPath(walk, folders, single, links);

  walk.files.sort(byPath);
  walk.skipped.sort(byPath);
  const { files, skipped, hidden, warnings } = walk;
  return { root, files, skipped, hidden: hidden.list(), warnings: [...warnings] };
}

/**
 * Returns the rule that hides a file, or one of its parent folders, from the listing of a root. Returns `undefined` if
 * there is no such rule.
 *
 * @param name  path relative to the root, with forward slashes
 */
export async function whatHides(root: string, name: string, options: SourceOptions): Promise<HidingRule | undefined> {
  const place = locate(root);
  const walk = beginListing(place.folder, options, () => false, [place]);
  let folder = startAt(walk, place);
  for (const member of name.split('/')) {
    if (versionControlNames.has(member)) return { by: 'versionControl', source: '' };
    const entries = readdirSync(folder.file, { withFileTypes: true });
    const here = withOwnRules(walk, folder, entries);
    await sortEntries(
      walk,
      here,
      entries.filter((entry) => entry.name === member),
    );
    const [hidden] = walk.hidden.list();
    if (hidden !== undefined) return { by: hidden.by, source: hidden.source };
    const file = path.join(folder.file, member);
    folder = { ...here, file, path: `${here.path}${member}/`, real: path.join(folder.real, member) };
  }
  return undefined;
}

/** Returns the absolute path of the folder to which paths are relative in a listing of these roots. */
export function commonFolderOf(roots: readonly string[]): string {
  return commonFolder(roots.map(locate));
}

/** Location of a root. Its real path identifies it. */
interface Place {
  readonly file: string;
  readonly real: string;
  readonly folder: string;
  readonly isFolder: boolean;
}

function locate(root: string): Place {
  const file = path.resolve(root);
  try {
    const isFolder = statSync(file).isDirectory();
    return { file, real: realpathSync(file), folder: isFolder ? file : path.dirname(file), isFolder };
  } catch {
    // Return the path as it is. The error will be reported when the file is opened.
    return { file, real: file, folder: path.dirname(file), isFolder: false };
  }
}

function commonFolder(places: readonly Place[]): string {
  const [first = path.resolve(), ...others] = places.map(({ folder }) => folder);
  let common = first;
  for (const folder of others) {
    while (!isWithin(folder, common)) {
      const parent = path.dirname(common);
      if (parent === common) break;
      common = parent;
    }
  }
  return common;
}

function isWithin(file: string, folder: string): boolean {
  return file === folder || file.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
}

interface Walk extends WalkRules {
  readonly root: string;
  readonly files: SourceFile[];
  readonly links: SourceFile[];
  /** Real paths of the folders entered so far. */
  readonly entered: Set<string>;
  /** Real paths of the roots, which are entered even if they are linked worktrees. */
  readonly rootFolders: ReadonlySet<string>;
}

function beginListing(root: string, options: SourceOptions, cancelled: () => boolean, roots: readonly Place[]): Walk {
  const rootFolders = new Set(roots.map(({ real }) => real));
  return { ...beginWalk(options, cancelled), root, rootFolders, files: [], links: [], entered: new Set() };
}

interface Folder extends FolderRules {
  readonly file: string;
  readonly real: string;
}

/** Returns the folder of a root, with the rules of the repository around it. */
function startAt(walk: Walk, place: Place): Folder {
  const relative = nameIn(walk.root, place.file);
  const prefix = relative === '' ? '' : `${relative}/`;
  const { gitignore, generated } = walk.options;
  const folder: Folder = { ...noRules(prefix), file: place.file, real: place.real };
  return repositoryFoldersAround(place.file).reduce((inner, around) => {
    const steps = {
      prefix: `${nameIn(around, place.file)}/`,
      strip: prefix.length,
      folder: `${nameIn(walk.root, around)}/`,
    };
    const { hidden } = gitignore ? withIgnoreFiles(walk, inner, readIgnoreFiles(around), steps) : inner;
    const attributed = generated ? inner : withAttributeFiles(walk, inner, readAttributeFiles(around), steps);
    // If ignore rules hide the root itself, do not apply them, because the user has named the root explicitly.
    return { ...attributed, hidden: hidesRoot(hidden, inner.hidden, steps.prefix) ? inner.hidden : hidden };
  }, folder);
}

/** Returns true if rules hide a folder on the path to the root. Considers only rules that are not in `before`. */
function hidesRoot(rules: PathRules | undefined, before: PathRules | undefined, way: string): boolean {
  if (rules === undefined || rules === before) return false;
  return hidesFolderOn(rules, way) || hidesRoot(rules.outer, before, way);
}

/** Lists the files of a folder, and returns the subfolders to enter. */
async function enter(walk: Walk, folder: Folder): Promise<Folder[]> {
  if (walk.entered.has(folder.real)) return [];
  walk.entered.add(folder.real);
  let entries: Dirent[];
  try {
    entries = readdirSync(folder.file, { withFileTypes: true });
  } catch (error) {
    walk.skipped.push({ path: folder.path || '.', reason: describeFailure(error) });
    return [];
  }
  if (!walk.rootFolders.has(folder.real) && hasGitFile(entries) && isLinkedWorktree(folder.file)) {
    walk.skipped.push({ path: folder.path, reason: linkedWorktree });
    return [];
  }
  const here = withOwnRules(walk, folder, entries);
  const start = here.file.endsWith(path.sep) ? here.file : here.file + path.sep;
  const realStart = here.real.endsWith(path.sep) ? here.real : here.real + path.sep;
  const sorted = await sortEntries(walk, here, entries);
  // The last subfolder is entered first, so add the last file first, too. Sorting is faster if most of the list is in
  // descending order.
  for (let i = sorted.files.length - 1; i >= 0; i--) {
    const name = sorted.files[i]!;
    walk.files.push({ file: start + name, path: here.path + name });
  }
  for (const name of sorted.links) walk.links.push({ file: start + name, path: here.path + name });
  return sorted.folders.map((name) => ({
    ...here,
    file: start + name,
    path: `${here.path}${name}/`,
    real: realStart + name,
  }));
}

/** Returns the folder with additional rules from the files in it. */
function withOwnRules(walk: Walk, folder: Folder, entries: readonly Dirent[]): Folder {
  const own = ruleFilesAmong(walk, entries);
  const here = own.ignore ? withIgnoreFiles(walk, folder, readIgnoreFiles(folder.file)) : folder;
  return own.attributes ? withAttributeFiles(walk, here, readAttributeFiles(folder.file)) : here;
}

/**
 * Adds roots that are files, and targets of links, each only once. Ignores those in folders of the walk, because the
 * walk has already listed or skipped them.
 */
function addByRealPath(
  walk: Walk,
  folders: readonly Place[],
  single: readonly Place[],
  links: 'anywhere' | 'inside',
): void {
  const seen = new Set<string>();
  const inFolders = (real: string): boolean => folders.some((folder) => isWithin(real, folder.real));
  const listed = new Set(single.length === 0 ? [] : walk.files.map(({ file }) => file));
  for (const { file, real } of single) {
    const found = { file, path: nameIn(walk.root, file) };
    // The path of the root folder may contain a link although this file is given by its real path, or vice versa.
    const isInFolder = folders.some(
      (folder) => isWithin(real, folder.real) && listed.has(folder.file + real.slice(folder.real.length)),
    );
    if (isInFolder || seen.has(real)) continue;
    seen.add(real);
    if (walk.excluded?.(found.path)) walk.skipped.push({ path: found.path, reason: 'excluded', setting: 'exclude' });
    else walk.files.push(found);
  }
  for (const link of walk.links.sort(byPath)) {
    try {
      const real = realpathSync(link.file);
      const status = statSync(real);
      if (inFolders(real) || seen.has(real)) continue;
      seen.add(real);
      if (status.isDirectory()) {
        walk.skipped.push({ path: link.path, reason: 'a symbolic link to a folder elsewhere' });
      } else if (!status.isFile()) {
        walk.skipped.push({ path: link.path, reason: 'not a file' });
      } else if (links === 'inside') {
        walk.skipped.push({ path: link.path, reason: 'a symbolic link to a file elsewhere' });
      } else {
        const reason = reasonToSkip(walk, noRules(''), link.path, path.basename(link.file));
        if (reason) walk.skipped.push({ path: link.path, ...reason });
        else walk.files.push(link);
      }
    } catch (error) {
      const isBroken = (error as NodeJS.ErrnoException).code === 'ENOENT' && !link.file.includes('\uFFFD');
      const reason = isBroken ? 'a broken symbolic link' : describeFailure(error);
      walk.skipped.push({ path: link.path, reason });
    }
  }
}

function nameIn(folder: string, file: string): string {
  return path.relative(folder, file).split(path.sep).join('/');
}
