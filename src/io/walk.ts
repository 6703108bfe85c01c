/**
 * The rules of a walk over folders: what of a folder is entered, listed, left out and named, or passed over in silence.
 * They look at names alone, so they hold for every tree of files: on disk (listSources.ts) and elsewhere (listTree.ts).
 */
import type { Skipped } from '../engine/report.ts';
import {
  dependencyFolderNames,
  drawingEnding,
  generatedByName,
  leftOutByName,
  versionControlNames,
} from './fileNames.ts';
import { compileGlobs, names } from './globs.ts';
import {
  addRules,
  type Attribute,
  attributePatterns,
  attributesFileName,
  ignoreFileNames,
  matchesRules,
  type PathRules,
} from './pathRules.ts';
import type { SourceOptions } from './sources.ts';

/** What the options say, for the whole walk. */
export interface WalkRules {
  readonly options: SourceOptions;
  readonly included: ((path: string) => boolean) | undefined;
  readonly excluded: ((path: string) => boolean) | undefined;
}

/** The rules in force in a folder. `path` is its name in the listing: empty, or with a slash at the end. */
export interface FolderRules {
  readonly path: string;
  readonly hidden: PathRules | undefined;
  readonly generated: PathRules | undefined;
  readonly vendored: PathRules | undefined;
}

/** A member of a folder, as Node tells of it. */
export interface Entry {
  readonly name: string;
  readonly isFile: () => boolean;
  readonly isDirectory: () => boolean;
  readonly isSymbolicLink: () => boolean;
}

/** Members of a folder that go on, by name. */
export interface SortedEntries {
  readonly folders: readonly string[];
  readonly files: readonly string[];
  readonly links: readonly string[];
}

export function compileRules(options: SourceOptions): WalkRules {
  return {
    options,
    included: options.include.length === 0 ? undefined : compileGlobs(options.include),
    excluded: options.exclude.length === 0 ? undefined : compileGlobs(options.exclude),
  };
}

/** The rules in a folder that has none of its own. */
export function noRules(path: string): FolderRules {
  return { path, hidden: undefined, generated: undefined, vendored: undefined };
}

/** Which files with rules a folder seems to have, of those that the options want. */
export function ruleFilesAmong(
  { options }: WalkRules,
  entries: readonly Entry[],
): { readonly ignore: boolean; readonly attributes: boolean } {
  let ignore = false;
  let attributes = false;
  for (const { name } of entries) {
    if (!name.startsWith('.')) continue;
    if (ignoreFileNames.includes(name) || name === '.git') ignore = true;
    if (name === attributesFileName) attributes = true;
  }
  return { ignore: ignore && options.gitignore, attributes: attributes && !options.generated };
}

/** How paths of the walk become those that a folder's rules are about. */
type Place = Pick<PathRules, 'prefix' | 'strip'>;

/** The folder with lines of ignore files, weakest first. */
export function withIgnoreLines<Folder extends FolderRules>(
  folder: Folder,
  lines: readonly string[],
  place: Place = ownPlace(folder),
): Folder {
  return { ...folder, hidden: addRules(lines, place, folder.hidden) };
}

/** The folder with lines of a .gitattributes. */
export function withAttributeLines<Folder extends FolderRules>(
  folder: Folder,
  lines: readonly string[],
  place: Place = ownPlace(folder),
): Folder {
  const add = (attribute: Attribute, outer: PathRules | undefined): PathRules | undefined =>
    addRules(attributePatterns(lines, attribute), place, outer);
  return {
    ...folder,
    generated: add('linguist-generated', folder.generated),
    vendored: add('linguist-vendored', folder.vendored),
  };
}

function ownPlace({ path }: FolderRules): Place {
  return { prefix: '', strip: path.length };
}

/**
 * What becomes of the members of a folder. What git ignores, or a glob, is left out in silence; what our own rules leave
 * out is added to `skipped`. Links are not judged yet: what they lead to decides.
 */
export function sortEntries(
  walk: WalkRules,
  folder: FolderRules,
  entries: readonly Entry[],
  skipped: Skipped[],
): SortedEntries {
  const folders: string[] = [];
  const files: string[] = [];
  const links: string[] = [];
  for (const entry of entries) {
    const { name } = entry;
    if (versionControlNames.has(name)) continue;
    const path = folder.path + name;
    if (entry.isDirectory()) {
      if (isHidden(walk, folder, `${path}/`, name)) continue;
      if (dependencyFolderNames.has(name) && !names(walk.options.include, name)) {
        skipped.push({ path: `${path}/`, reason: 'dependencies', setting: 'include' });
      } else folders.push(name);
    } else if (!isHidden(walk, folder, path, name) && (walk.included?.(path) ?? true)) {
      if (entry.isFile()) {
        const reason = reasonToSkip(walk.options, folder, path, name);
        if (reason) skipped.push({ path, ...reason });
        else files.push(name);
      } else if (entry.isSymbolicLink()) links.push(name);
      else skipped.push({ path, reason: 'not a file' });
    }
  }
  return { folders, files, links };
}

function isHidden(walk: WalkRules, folder: FolderRules, path: string, name: string): boolean {
  if (folder.hidden !== undefined && matchesRules(folder.hidden, path, name)) return true;
  return walk.excluded !== undefined && walk.excluded(path.endsWith('/') ? path.slice(0, -1) : path);
}

/** Why a file is left out by its name and the attributes that its folder gives it; undefined when it is listed. */
export function reasonToSkip(
  options: SourceOptions,
  folder: Pick<FolderRules, 'generated' | 'vendored'>,
  path: string,
  name: string,
): Omit<Skipped, 'path'> | undefined {
  const reason = leftOutByName(name);
  if (reason && !(reason.setting === 'include' && names(options.include, drawingEnding))) return reason;
  if (options.generated) return undefined;
  if (matchesRules(folder.generated, path, name)) return { reason: 'generated', setting: 'generated' };
  if (matchesRules(folder.vendored, path, name)) return { reason: 'vendored', setting: 'generated' };
  return generatedByName(name, path);
}
