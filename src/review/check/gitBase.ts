/** Queries git for the base of a check: its commit, the changed files, and their old texts. */
import path from 'node:path';
import { addedFile, type FileChange, removedFile } from '../gate/changes.ts';
import { type FileHunks, parseHunks, parseRaw, type RawChange } from '../gate/parseDiff.ts';
import type { Text } from '../../scan/indexer/scanInput.ts';
import { decodeText } from '../../scan/io/decode.ts';
import type { Git, GitProblem } from '../../scan/io/git.ts';
import { listTree } from '../../scan/io/listTree.ts';
import type { Listing, SourceOptions } from '../../scan/io/sources.ts';
import { readTextFile } from '../../scan/io/textFile.ts';
import type { Gate } from './gate.ts';

/** The commit with which a check compares the tree. */
export interface GitBase {
  /** The ref, as the user has written it or the CI pipeline has set it. */
  readonly ref: string;
  readonly commit: string;
}

/** Environment variables of CI pipelines for the target branch of a change or its commit, with prefixes to add. */
const targets: readonly (readonly [variable: string, prefix: string])[] = [
  ['GITHUB_BASE_REF', 'origin/'],
  ['CI_MERGE_REQUEST_DIFF_BASE_SHA', ''],
  ['BITBUCKET_PR_DESTINATION_BRANCH', 'origin/'],
  ['SYSTEM_PULLREQUEST_TARGETBRANCHNAME', 'origin/'],
  ['BUILDKITE_PULL_REQUEST_BASE_BRANCH', 'origin/'],
  ['CHANGE_TARGET', 'origin/'],
];

/** Returns the base of a check, or the reason if there is none. */
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
    return {
      problem: '--since needs a ref here, such as --since=origin/main; no CI pipeline provides a target branch.',
    };
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

/** Changes since the base. Paths are relative to the folder of the `Git` object, with forward slashes. */
export interface GitChanges {
  readonly files: readonly FileChange[];
  readonly raw: readonly RawChange[];
  /** Paths of submodules in which another commit is checked out. */
  readonly submodules: readonly string[];
  /** Paths of untracked files, which the base does not contain. */
  readonly untracked: readonly string[];
}

/** Returns the changes between a commit and the working tree or, if `staged` is true, the index. */
export async function changesSince(
  git: Git,
  commit: string,
  { staged }: { readonly staged: boolean } = { staged: false },
): Promise<GitChanges> {
  const how = [
    ...['--relative', '-M', '--src-prefix=a/', '--dst-prefix=b/'],
    ...['--inter-hunk-context=0', ...(staged ? ['--cached'] : [])],
  ];
  const [rawText, patch, untracked] = await Promise.all([
    git.diff(...how, '--raw', '-z', '--no-abbrev', commit),
    // Ignore white space, so that a line does not count as new if only its indentation has changed.
    git.diff(...how, '--unified=0', '--ignore-all-space', commit),
    untrackedIn(git),
  ]);
  const all = parseRaw(rawText);
  const raw = all.filter(({ isSubmodule }) => !isSubmodule);
  const hunks = parseHunks(patch);
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

/** Returns the paths of untracked files, without nested repositories and worktrees, which Git lists as folders. */
async function untrackedIn(git: Git): Promise<string[]> {
  const listed = await git.must('ls-files', '--others', '--exclude-standard', '-z');
  return listed.split('\0').filter((name) => name !== '' && !name.endsWith('/'));
}

function fileChange({ path: now, basePath }: RawChange, found: FileHunks | undefined): FileChange[] {
  if (now === undefined) return basePath === undefined ? [] : [removedFile(basePath)];
  if (basePath === undefined) return [{ ...addedFile(now), ...(found?.isBinary === false && { hunks: found.hunks }) }];
  // Git treats UTF-16 and some other texts as binary, so all of their lines count as changed.
  if (found?.isBinary) return [removedFile(basePath), addedFile(now)];
  return [{ path: now, basePath, hunks: found?.hunks ?? [] }];
}

/** A listing of files, and the texts that replace some of these files. */
export interface TreeInput {
  readonly listing: Listing;
  readonly texts: readonly Text[];
}

export async function baseTree(
  git: Git,
  listing: Listing,
  { raw, untracked }: GitChanges,
  place: TreePlace,
): Promise<TreeInput> {
  const texts = raw.map(({ basePath, baseObject }) => ({ path: basePath, object: baseObject }));
  return replaceFiles(git, listing, { texts, others: [...raw.map((change) => change.path), ...untracked] }, place);
}

export async function stagedTree(git: Git, listing: Listing, place: TreePlace): Promise<TreeInput> {
  const [unstaged, others] = await Promise.all([
    git.diff('--relative', '--no-renames', '--raw', '-z', '--no-abbrev'),
    untrackedIn(git),
  ]);
  // The old side of an unstaged change is the staged text.
  const texts = parseRaw(unstaged)
    .filter(({ isSubmodule }) => !isSubmodule)
    .map(({ basePath, baseObject }) => ({ path: basePath, object: baseObject }));
  return replaceFiles(git, listing, { texts, others }, place);
}

/** The scanned roots, and the options that decide if a file that is not on disk would be read. */
export interface TreePlace {
  /** Scanned folders and files, as the user has written them. */
  readonly roots: readonly string[];
  readonly sources: SourceOptions;
}

interface Replacement {
  readonly texts: readonly { readonly path: string | undefined; readonly object: string | undefined }[];
  /** Paths of other files to remove from the listing, such as files that were added. */
  readonly others: readonly (string | undefined)[];
}

async function replaceFiles(
  git: Git,
  listing: Listing,
  { texts, others }: Replacement,
  place: TreePlace,
): Promise<TreeInput> {
  const listed = new Set(listing.files.map((file) => file.path));
  const baseFiles = texts.flatMap(({ path: name, object }) =>
    name === undefined || object === undefined ? [] : [{ path: name, object }],
  );
  const missing = baseFiles.filter((file) => !listed.has(file.path)).map((file) => file.path);
  const admitted = await sourcesAmong(missing, listing.root, place);
  const read = baseFiles.filter((file) => listed.has(file.path) || admitted.has(file.path));
  const contents = await git.contents(read.map(({ object }) => object));
  const replaced = new Set<string | undefined>([...others, ...texts.map((file) => file.path)]);
  return {
    listing: {
      ...listing,
      files: listing.files.filter((file) => !replaced.has(file.path)),
      skipped: listing.skipped.filter((file) => !replaced.has(file.path)),
    },
    texts: read.flatMap(({ path: name }, i) => {
      const decoded = decodeText(contents[i]!, (size) => new Uint8Array(size));
      return 'bytes' in decoded ? [{ path: name, bytes: decoded.bytes }] : [];
    }),
  };
}

/** Returns the missing files that would be compared if they existed, according to the current rules. */
async function sourcesAmong(names: readonly string[], root: string, place: TreePlace): Promise<ReadonlySet<string>> {
  if (names.length === 0) return new Set();
  const roots = place.roots.map((name) => path.relative(root, path.resolve(name)).split(path.sep).join('/'));
  const folders = new Map<string, Map<string, 'file' | 'folder'>>([['', new Map()]]);
  const enter = (folder: string, name: string, kind: 'file' | 'folder'): void => {
    const entries = folders.get(folder) ?? new Map<string, 'file' | 'folder'>();
    entries.set(name, kind);
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
      enter(folder, part, depth < parts.length - 1 ? 'folder' : 'file');
    }
  }
  for (const folder of folders.keys()) {
    for (const name of ['.gitignore', '.ignore', '.gitattributes']) {
      if ('text' in readRules(root, folder + name)) enter(folder, name, 'file');
    }
  }
  const tree = {
    readFolder: (folder: string) =>
      Promise.resolve(
        Array.from(folders.get(folder) ?? [], ([name, kind]) => ({
          name,
          isFile: () => kind === 'file',
          isDirectory: () => kind === 'folder',
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

const maxRuleBytes = 2 ** 20;

function readRules(root: string, name: string): ReturnType<typeof readTextFile> {
  return readTextFile(path.join(root, name), maxRuleBytes);
}
