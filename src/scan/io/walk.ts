/**
 * Rules for walking through folders. They decide for each member of a folder if it is entered, listed, skipped with a
 * reason, or hidden. They depend only on names, so they apply to files on disk (listSources.ts) and elsewhere
 * (listTree.ts).
 */
import { nextTurn } from '../../core/collections/threads.ts';
import type { SkippedFile } from '../../core/engine/report/report.ts';
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
  marksFile,
  type PathRules,
  rulesThatHide,
} from './pathRules.ts';
import type { RuleText } from './ruleFiles.ts';
import type { HiddenFiles, SourceOptions } from './sources.ts';

/** Options of a walk, and results collected during the walk. */
export interface WalkRules {
  readonly options: SourceOptions;
  readonly included: ((path: string) => boolean) | undefined;
  readonly excluded: ((path: string) => boolean) | undefined;
  /** Folder names and file extensions that are skipped by default, but explicitly included by the options. */
  readonly includedNames: ReadonlySet<string>;
  readonly turns: Turns;
  readonly skipped: SkippedFile[];
  readonly hidden: HiddenCounts;
  readonly warnings: Set<string>;
}

/** Rules that apply in a folder. `path` is the folder's path in the listing, which is empty or ends with a slash. */
export interface FolderRules {
  readonly path: string;
  readonly hidden: PathRules | undefined;
  readonly generated: PathRules | undefined;
  readonly vendored: PathRules | undefined;
}

/** A member of a folder, with the methods of Node's `Dirent`. */
export interface Entry {
  readonly name: string;
  readonly isFile: () => boolean;
  readonly isDirectory: () => boolean;
  readonly isSymbolicLink: () => boolean;
}

/** Members of a folder that are neither hidden nor skipped, by kind. */
export interface SortedEntries {
  readonly folders: readonly string[];
  readonly files: readonly string[];
  readonly links: readonly string[];
}

export function beginWalk(options: SourceOptions, cancelled: () => boolean): WalkRules {
  const named = [...dependencyFolderNames, drawingEnding].filter((word) => names(options.include, word));
  return {
    options,
    included: options.include.length === 0 ? undefined : compileGlobs(options.include),
    excluded: options.exclude.length === 0 ? undefined : compileGlobs(options.exclude),
    includedNames: new Set(named),
    turns: new Turns(cancelled),
    skipped: [],
    hidden: new HiddenCounts(),
    warnings: new Set(),
  };
}

/** Maximum time between two yields to the event loop, for interrupts and the progress bar. */
const turnEveryMs = 50;

/** Yields to the event loop at regular intervals, by a clock, because the time for a folder is unpredictable. */
export class Turns {
  readonly #cancelled: () => boolean;
  #next = performance.now() + turnEveryMs;

  constructor(cancelled: () => boolean) {
    this.#cancelled = cancelled;
  }

  /** Returns true if it is time to await `yieldNow`. */
  mustYield(): boolean {
    return performance.now() > this.#next;
  }

  /** Yields to the event loop. Returns true if the walk has been canceled. */
  async yieldNow(): Promise<boolean> {
    await nextTurn();
    this.#next = performance.now() + turnEveryMs;
    return this.#cancelled();
  }
}

/** Counts the files and folders that each rule hides. */
export class HiddenCounts {
  readonly #counts = new Map<string, HiddenFiles>();

  add(by: HiddenFiles['by'], source: string, kind: 'files' | 'folders'): void {
    const key = `${by} ${source}`;
    const count = this.#counts.get(key) ?? { by, source, files: 0, folders: 0 };
    this.#counts.set(key, { ...count, [kind]: count[kind] + 1 });
  }

  /** Returns the counts in descending order. */
  list(): HiddenFiles[] {
    const size = ({ files, folders }: HiddenFiles): number => files + folders;
    return [...this.#counts.values()].sort((a, b) => size(b) - size(a) || (a.source < b.source ? -1 : 1));
  }
}

export function noRules(path: string): FolderRules {
  return { path, hidden: undefined, generated: undefined, vendored: undefined };
}

/** Selects the files that contain rules from the members of a folder, as far as the options enable these rules. */
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

/** Returns true if a folder contains a file `.git`, because it is a linked worktree or a submodule. */
export function hasGitFile(entries: readonly Entry[]): boolean {
  return entries.some((entry) => entry.name === '.git' && entry.isFile());
}

/** Location of a folder with rules, and how to convert paths in the listing to paths relative to this folder. */
interface Place extends Pick<PathRules, 'prefix' | 'strip'> {
  /** Path of the folder for messages. It is empty or ends with a slash. */
  readonly folder: string;
}

/** Returns the folder with the additional rules of ignore files. The files must be in ascending order of precedence. */
export function withIgnoreFiles<Folder extends FolderRules>(
  { warnings }: WalkRules,
  folder: Folder,
  files: readonly RuleText[],
  place: Place = ownPlace(folder),
): Folder {
  let { hidden } = folder;
  for (const { name, lines, problem } of files) {
    const source = place.folder + name;
    if (problem !== undefined) warnings.add(`${source} ${problem}; its rules are ignored.`);
    hidden = addRules({ ...place, source, lines }, hidden, (warning) => warnings.add(warning));
  }
  return { ...folder, hidden };
}

/** Returns the folder with the additional rules of its .gitattributes. */
export function withAttributeFiles<Folder extends FolderRules>(
  { warnings }: WalkRules,
  folder: Folder,
  files: readonly RuleText[],
  place: Place = ownPlace(folder),
): Folder {
  let { generated, vendored } = folder;
  for (const { name, lines, problem } of files) {
    const source = place.folder + name;
    if (problem !== undefined) warnings.add(`${source} ${problem}; its attributes are ignored.`);
    const add = (attribute: Attribute, outer: PathRules | undefined): PathRules | undefined =>
      addRules({ ...place, source, lines: attributePatterns(lines, attribute) }, outer, (it) => warnings.add(it));
    generated = add('linguist-generated', generated);
    vendored = add('linguist-vendored', vendored);
  }
  return { ...folder, generated, vendored };
}

function ownPlace({ path }: FolderRules): Place {
  return { prefix: '', strip: path.length, folder: path };
}

/**
 * Sorts the members of a folder by kind. Counts files that git or a glob hides. Adds files that built-in rules exclude
 * to `skipped`. Returns links separately, because only their targets show how to treat them. After a cancellation,
 * drops the remaining members.
 */
export async function sortEntries(
  walk: WalkRules,
  folder: FolderRules,
  entries: readonly Entry[],
): Promise<SortedEntries> {
  const { skipped, turns, hidden } = walk;
  const folders: string[] = [];
  const files: string[] = [];
  const links: string[] = [];
  for (const entry of entries) {
    if (turns.mustYield() && (await turns.yieldNow())) break;
    const { name } = entry;
    if (versionControlNames.has(name)) continue;
    const path = folder.path + name;
    if (entry.isDirectory()) {
      if (isHidden(walk, folder, `${path}/`, name, 'folders')) continue;
      if (dependencyFolderNames.has(name) && !walk.includedNames.has(name)) {
        skipped.push({ path: `${path}/`, reason: 'dependencies', setting: 'include' });
      } else folders.push(name);
    } else if (isHidden(walk, folder, path, name, 'files')) {
      continue;
    } else if (walk.included?.(path) === false) {
      hidden.add('include', '', 'files');
    } else if (entry.isFile()) {
      const reason = reasonToSkip(walk, folder, path, name);
      if (reason) skipped.push({ path, ...reason });
      else files.push(name);
    } else if (entry.isSymbolicLink()) links.push(name);
    else skipped.push({ path, reason: 'not a file' });
  }
  return { folders, files, links };
}

function isHidden(
  { excluded, hidden }: WalkRules,
  folder: FolderRules,
  path: string,
  name: string,
  kind: 'files' | 'folders',
): boolean {
  const rules = folder.hidden && rulesThatHide(folder.hidden, path, name);
  if (rules !== undefined) hidden.add('rules', rules.source, kind);
  else if (excluded?.(path) === true) hidden.add('exclude', '', kind);
  else return false;
  return true;
}

/** Returns the reason to skip a file because of its name or attributes, or `undefined` if it should be listed. */
export function reasonToSkip(
  { options, includedNames }: Pick<WalkRules, 'includedNames' | 'options'>,
  folder: Pick<FolderRules, 'generated' | 'vendored'>,
  path: string,
  name: string,
): Omit<SkippedFile, 'path'> | undefined {
  const reason = leftOutByName(name);
  if (reason && !(reason.setting === 'include' && includedNames.has(drawingEnding))) return reason;
  if (options.generated) return undefined;
  if (marksFile(folder.generated, path, name)) return { reason: 'generated', setting: 'generated' };
  if (marksFile(folder.vendored, path, name)) return { reason: 'vendored', setting: 'generated' };
  return generatedByName(name, path);
}
