/** Types shared by listing and reading: sources and skipped files. */
import * as l10n from '@vscode/l10n';
import type { Skipped } from '../../core/engine/report/report.ts';
import { type CategoryGlobs, problemsOfCategories } from './chosenCategories.ts';
import { type Override, problemsOfOverrides } from './overrides.ts';
import { formatFileSize } from './fileSize.ts';
import { problemOfGlobs, shortened } from './globs.ts';

/**
 * Selection and classification of source files. Globs match the file's name in the report, with forward slashes. A glob
 * without a slash matches at any depth; a glob with a slash matches from the root. If a glob matches a folder, it
 * applies to everything in the folder.
 */
export interface SourceOptions {
  /**
   * If not empty, only these files are included. A glob that names files skipped by default
   * (`**\/node_modules/left-pad`, `*.svg`) includes them.
   */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** True if the rules of .gitignore (also in subfolders), .ignore, and .git/info/exclude apply. */
  readonly gitignore: boolean;
  /**
   * Maximum size in bytes of a file to compare; of a notebook, only the text of its cells counts. At most
   * `highestFileSizeBytes`.
   */
  readonly maxFileSizeBytes: number;
  /** True to include generated and minified files, lock files, source maps, and translations. */
  readonly generated: boolean;
  /** Categories that the user has assigned to files. They do not affect which files are read or compared. */
  readonly categories: CategoryGlobs;
  /** Requirements for matches in some files, and categories of these files. They do not affect which files are read. */
  readonly overrides: readonly Override[];
}

/** Maximum of `maxFileSizeBytes` (1 GiB). */
export const highestFileSizeBytes = 2 ** 30;

/** Options that decide, after a file was read, if it is compared. */
export type FileLimits = Pick<SourceOptions, 'maxFileSizeBytes' | 'generated'>;

/**
 * Limits that apply to all files, and those of folders with limits of their own. The limits of the innermost folder
 * around a file apply.
 */
export interface FolderLimits extends FileLimits {
  /**
   * Limits of folders, with the prefix that the paths of their files have in the report. `undefined` if all files have
   * the same limits.
   */
  readonly inFolders?: readonly (FileLimits & { readonly prefix: string })[] | undefined;
}

export function limitsAt(path: string, { maxFileSizeBytes, generated, inFolders = [] }: FolderLimits): FileLimits {
  let innermost = -1;
  let limits: FileLimits = { maxFileSizeBytes, generated };
  for (const { prefix, ...own } of inFolders) {
    if (!path.startsWith(prefix) || prefix.length <= innermost) continue;
    innermost = prefix.length;
    limits = own;
  }
  return limits;
}

/** Options for reading. */
export interface ReadLimits extends FileLimits {
  /**
   * Returns the text of all cells of a notebook, or `undefined` if the file is not a notebook. Without this function,
   * notebooks are treated as other files.
   */
  readonly textOfCells?: (bytes: Uint8Array) => Uint8Array | undefined;
}

export const defaultSourceOptions: SourceOptions = {
  include: [],
  exclude: [],
  gitignore: true,
  // Only 16 of 37,000 files in the measured trees are larger: generated tables, bundles, and one archive of tests.
  maxFileSizeBytes: 1_048_576,
  generated: false,
  categories: {},
  overrides: [],
};

/**
 * Returns an error message for each invalid source option. Returns an empty list if all are valid.
 *
 * @param languageIds  see `problemsOfOverrides`
 */
export function checkSourceOptions(options: SourceOptions, languageIds: readonly string[] = []): string[] {
  const problems: string[] = [];
  for (const name of ['include', 'exclude'] as const) {
    const negated = options[name].find((glob) => glob.startsWith('!'));
    if (negated !== undefined) {
      const [given, meant] = [negated, negated.slice(1)].map(shortened);
      problems.push(
        l10n.t('{0}: "{1}" begins with "!"; use {2} with "{3}" instead.', name, given!, opposite[name], meant!),
      );
    }
    const problem = problemOfGlobs(options[name]);
    if (problem !== undefined) problems.push(`${name}: ${problem}`);
  }
  problems.push(...problemsOfCategories(options.categories), ...problemsOfOverrides(options.overrides, languageIds));
  const limit = options.maxFileSizeBytes;
  if (Number.isNaN(limit)) {
    const size = l10n.t('a number of bytes or a size such as {0} or {1}', '"500k"', '"2mb"');
    problems.push(l10n.t('"{0}" must be {1}.', 'maxFileSize', size));
  } else if (!Number.isInteger(limit) || limit < 1 || limit > highestFileSizeBytes) {
    problems.push(l10n.t('maxFileSize must be from 1 byte to 1 GB, not {0}.', formatFileSize(limit)));
  }
  return problems;
}

const opposite = { include: 'exclude', exclude: 'include' } as const;

export interface SourceFile {
  /** Absolute path of the file. */
  readonly file: string;
  /** Path in the report: relative to the root of the listing, with forward slashes. */
  readonly path: string;
}

/** File of a remote or virtual file system. The client reads it in advance. */
export interface RemoteFile {
  readonly path: string;
  /** `undefined` if its file system does not provide it. */
  readonly stamp: FileStamp | undefined;
  /**
   * Bytes of the file, in shared memory; or the reason why it cannot be read. `undefined` if the bytes were not
   * requested, because the index contains the file.
   */
  readonly content: Uint8Array | Refusal | undefined;
}

export type ListedFile = SourceFile | RemoteFile;

/** Reason to skip a file, without its path. */
export type Refusal = Omit<Skipped, 'path'>;

/** Properties of a file that are known without reading it. Equal stamps mean the same content (`isSameStamp`). */
export interface FileStamp {
  readonly sizeBytes: number;
  /**
   * Modification time in milliseconds. NaN, which equals nothing, if the file could be changed again without another
   * time.
   */
  readonly mtimeMs: number;
  /**
   * Time of the last change of content, name, owner, or permissions, in milliseconds; 0 if the file system does not
   * provide it. Programs can set the modification time, but not this one.
   */
  readonly ctimeMs: number;
  /** Inode number; 0 if there is none. A file that replaces another has a different one. */
  readonly inode: number;
}

/**
 * Returns a stamp that can be trusted later. If the file could change again within the same tick of its file system's
 * clock, the modification time becomes NaN. A tick is 2 s on FAT, which stores only even seconds, and some milliseconds
 * elsewhere.
 */
export function settled(stamp: FileStamp): FileStamp {
  const now = Date.now();
  const isPast = (time: number): boolean => now - time > (time % 1_000 === 0 ? 2_000 : 20);
  return isPast(stamp.mtimeMs) && isPast(stamp.ctimeMs) ? stamp : { ...stamp, mtimeMs: Number.NaN };
}

/** True if both stamps belong to the same file with the same content. A missing stamp equals nothing. */
export function isSameStamp(left: FileStamp | undefined, right: FileStamp | undefined): boolean {
  return (
    left !== undefined &&
    right !== undefined &&
    left.sizeBytes === right.sizeBytes &&
    left.mtimeMs === right.mtimeMs &&
    left.ctimeMs === right.ctimeMs &&
    left.inode === right.inode
  );
}

/** Result of a walk over folders. Files are sorted by path, in the order of code units. */
export interface Listing {
  /**
   * Absolute path of the folder to which paths are relative: the only root, or the common parent folder of several
   * roots.
   */
  readonly root: string;
  readonly files: readonly SourceFile[];
  readonly skipped: readonly Skipped[];
  /** Number of hidden files for each rule, in descending order. */
  readonly hidden: readonly Hidden[];
  /** Warnings about files whose rules are ignored, each of which begins with the name of the file. */
  readonly warnings: readonly string[];
}

/** A rule that hides files. */
export interface Hiding {
  /**
   * Kind of rule. `rules`: a file with rules. `versionControl`: the file is data of a repository. Otherwise, the name
   * of the option.
   */
  readonly by: 'rules' | 'include' | 'exclude' | 'versionControl';
  /** Path of the file with rules, relative to the root of the listing; empty for other kinds. */
  readonly source: string;
}

/** Number of files and folders that a rule hides. The contents of hidden folders are not counted. */
export interface Hidden extends Hiding {
  readonly by: Exclude<Hiding['by'], 'versionControl'>;
  readonly files: number;
  readonly folders: number;
}

/** Files of a scan, on disk or elsewhere, and skipped files. Both lists are sorted by path, as in a listing. */
export interface ScanListing {
  readonly files: readonly ListedFile[];
  readonly skipped: readonly Skipped[];
  /** Hidden files of folders on disk; `undefined` if there are no such folders. */
  readonly hidden?: readonly Hidden[] | undefined;
}
