/** What git says of the base: which commit it is, which files are others than there, and their texts of then. */
import path from 'node:path';
import { addedFile, type FileChange, removedFile } from '../gate/changes.ts';
import { parseHunks, parseRaw, type RawChange } from '../gate/parseDiff.ts';
import type { Text } from '../indexer/scanInput.ts';
import { decodeText } from '../io/decode.ts';
import type { Git, GitProblem } from '../io/git.ts';
import { listTree } from '../io/listTree.ts';
import type { Listing, SourceOptions } from '../io/sources.ts';
import { readTextFile } from '../io/textFile.ts';
import type { Gate } from './gate.ts';

/** What is compared with. */
export interface GitBase {
  /** As it was given, or as the pipeline names it. */
  readonly ref: string;
  readonly commit: string;
}

/** Where pipelines name the branch that a change is to be merged into, or its commit. */
const targets: readonly (readonly [variable: string, prefix: string])[] = [
  ['GITHUB_BASE_REF', 'origin/'],
  ['CI_MERGE_REQUEST_DIFF_BASE_SHA', ''],
  ['BITBUCKET_PR_DESTINATION_BRANCH', 'origin/'],
  ['SYSTEM_PULLREQUEST_TARGETBRANCHNAME', 'origin/'],
  ['BUILDKITE_PULL_REQUEST_BASE_BRANCH', 'origin/'],
  ['CHANGE_TARGET', 'origin/'],
];

/** The base that a check asks for, or why there is none. */
export async function findBase(
  git: Git,
  { since, staged }: Pick<Gate, 'since' | 'staged'>,
  environment: NodeJS.ProcessEnv,
): Promise<GitBase | GitProblem | undefined> {
  if (staged) {
    const commit = await git.commitOf('HEAD');
    return commit === undefined ? { problem: 'the repository has no commit yet.' } : { ref: 'HEAD', commit };
  }
  if (since === undefined) return undefined;
  const ref = since.ref ?? targetOf(environment);
  if (ref === undefined) {
    return { problem: '--since needs a ref here, such as --since=origin/main; no pipeline names a target branch.' };
  }
  const base = await git.mergeBase(ref);
  return 'problem' in base ? base : { ref, commit: base.commit };
}

function targetOf(environment: NodeJS.ProcessEnv): string | undefined {
  for (const [variable, prefix] of targets) {
    const value = environment[variable];
    if (value) return prefix + value;
  }
  return undefined;
}

/** What differs from the base; paths are relative to the folder that git is asked from, with forward slashes. */
export interface GitChanges {
  readonly files: readonly FileChange[];
  readonly raw: readonly RawChange[];
  /** Submodules of which another commit is checked out. */
  readonly submodules: readonly string[];
  /** Files that git does not know, of which nothing is in the base. */
  readonly untracked: readonly string[];
}

/** What of the working tree, or with `staged` what is staged, differs from a commit. */
export async function changesSince(git: Git, commit: string, staged: boolean): Promise<GitChanges> {
  const how = [
    ...['--relative', '-M', '--src-prefix=a/', '--dst-prefix=b/'],
    ...['--inter-hunk-context=0', ...(staged ? ['--cached'] : [])],
  ];
  const [rawText, patch, others] = await Promise.all([
    git.diff(...how, '--raw', '-z', '--no-abbrev', commit),
    // A line that was only indented anew is no new line.
    git.diff(...how, '--unified=0', '--ignore-all-space', commit),
    git.must('ls-files', '--others', '--exclude-standard', '-z'),
  ]);
  const all = parseRaw(rawText);
  const raw = all.filter(({ isSubmodule }) => !isSubmodule);
  const hunks = parseHunks(patch);
  const untracked = others.split('\0').filter((name) => name !== '');
  return {
    files: [
      ...raw.flatMap((change) => fileChange(change, hunks.get(change.path ?? change.basePath ?? ''))),
      ...(staged ? [] : untracked.map(addedFile)),
    ],
    raw,
    submodules: all
      .filter(({ isSubmodule }) => isSubmodule)
      .flatMap(({ path: name, basePath }) => name ?? basePath ?? []),
    untracked,
  };
}

function fileChange(
  { path: now, basePath }: RawChange,
  found: ReturnType<typeof parseHunks> extends Map<string, infer Found> ? Found | undefined : never,
): FileChange[] {
  if (now === undefined) return basePath === undefined ? [] : [removedFile(basePath)];
  if (basePath === undefined) return [{ ...addedFile(now), ...(found?.isBinary === false && { hunks: found.hunks }) }];
  // Of a text that is none for git, such as one in UTF-16, all lines are others.
  if (found?.isBinary) return [removedFile(basePath), addedFile(now)];
  return [{ path: now, basePath, hunks: found?.hunks ?? [] }];
}

/** A listing with texts that are compared instead of files. */
export interface TreeInput {
  readonly listing: Listing;
  readonly texts: readonly Text[];
}

/** The tree as it was in the base. */
export async function baseTree(
  git: Git,
  listing: Listing,
  { raw, untracked }: GitChanges,
  place: TreePlace,
): Promise<TreeInput> {
  const texts = raw.map(({ basePath, baseObject }) => ({ path: basePath, object: baseObject }));
  return replaceFiles(git, listing, { texts, others: [...raw.map((change) => change.path), ...untracked] }, place);
}

/** The tree as it is staged. */
export async function stagedTree(git: Git, listing: Listing, place: TreePlace): Promise<TreeInput> {
  const [unstaged, others] = await Promise.all([
    git.diff('--relative', '--no-renames', '--raw', '-z', '--no-abbrev'),
    git.must('ls-files', '--others', '--exclude-standard', '-z'),
  ]);
  // What is "before" an unstaged change is what is staged.
  const texts = parseRaw(unstaged)
    .filter(({ isSubmodule }) => !isSubmodule)
    .map(({ basePath, baseObject }) => ({ path: basePath, object: baseObject }));
  return replaceFiles(git, listing, { texts, others: others.split('\0') }, place);
}

/** What decides about files that are not on disk. */
export interface TreePlace {
  /** The folders and files that are scanned, as they were given. */
  readonly roots: readonly string[];
  readonly sources: SourceOptions;
}

interface Replacement {
  readonly texts: readonly { readonly path: string | undefined; readonly object: string | undefined }[];
  /** Files that are not there. */
  readonly others: readonly (string | undefined)[];
}

async function replaceFiles(
  git: Git,
  listing: Listing,
  { texts, others }: Replacement,
  place: TreePlace,
): Promise<TreeInput> {
  const listed = new Set(listing.files.map((file) => file.path));
  const wanted = texts.flatMap(({ path: name, object }) =>
    name === undefined || object === undefined ? [] : [{ path: name, object }],
  );
  const missing = wanted.filter((file) => !listed.has(file.path)).map((file) => file.path);
  const admitted = await sourcesAmong(missing, listing.root, place);
  const read = wanted.filter((file) => listed.has(file.path) || admitted.has(file.path));
  const contents = await git.contents(read.map(({ object }) => object));
  const replaced = new Set<string | undefined>([...others, ...texts.map((file) => file.path)]);
  return {
    listing: {
      ...listing,
      files: listing.files.filter((file) => !replaced.has(file.path)),
      skipped: listing.skipped.filter((file) => !replaced.has(file.path)),
    },
    texts: read.flatMap(({ path: name }, i) => {
      const bytes = contents[i];
      const decoded = bytes && decodeText(bytes, (size) => new Uint8Array(size));
      return decoded && 'bytes' in decoded ? [{ path: name, bytes: decoded.bytes }] : [];
    }),
  };
}

/** Which of some files that are not there now would be read if they were: by the rules that hold now. */
async function sourcesAmong(names: readonly string[], root: string, place: TreePlace): Promise<ReadonlySet<string>> {
  if (names.length === 0) return new Set();
  const roots = place.roots.map((name) => path.relative(root, path.resolve(name)).split(path.sep).join('/'));
  const folders = new Map<string, Map<string, boolean>>([['', new Map()]]);
  const enter = (folder: string, name: string, isFolder: boolean): void => {
    const entries = folders.get(folder) ?? new Map<string, boolean>();
    entries.set(name, isFolder);
    folders.set(folder, entries);
  };
  for (const name of names) {
    if (!roots.some((start) => start === '' || name === start || name.startsWith(`${start}/`))) continue;
    const parts = name.split('/');
    for (const [depth, part] of parts.entries()) {
      const folder = parts
        .slice(0, depth)
        .map((outer) => `${outer}/`)
        .join('');
      enter(folder, part, depth < parts.length - 1);
    }
  }
  for (const folder of folders.keys()) {
    for (const name of ['.gitignore', '.ignore', '.gitattributes']) {
      if ('text' in readRules(root, folder + name)) enter(folder, name, false);
    }
  }
  const tree = {
    readFolder: (folder: string) =>
      Promise.resolve(
        Array.from(folders.get(folder) ?? [], ([name, isFolder]) => ({
          name,
          isFile: () => !isFolder,
          isDirectory: () => isFolder,
          isSymbolicLink: () => false,
        })),
      ),
    readText: (name: string) => {
      const rules = readRules(root, name);
      return Promise.resolve('text' in rules ? rules.text : '');
    },
  };
  const { paths } = await listTree(tree, place.sources);
  return new Set(paths);
}

const mostRuleBytes = 2 ** 20;

function readRules(root: string, name: string): ReturnType<typeof readTextFile> {
  return readTextFile(path.join(root, name), mostRuleBytes);
}
