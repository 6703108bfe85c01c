/** Types of sources and skipped files, for listing and reading. */
import type { SkippedFile } from '../../core/engine/report/report.ts';
import type { CategoryGlobs } from './chosenCategories.ts';
import type { Override } from './overrideKeys.ts';

/**
 * Options that select and classify source files. Globs match the path of a file in the report, with forward slashes. A
 * glob without a slash matches at any depth; a glob with a slash matches from the root. If a glob matches a folder, it
 * applies to everything in the folder.
 */
export interface SourceOptions {
  /**
   * If not empty, only files that match one of these globs are included. Files that are skipped by default are included
   * if a glob names them (`**\/node_modules/left-pad`, `*.svg`).
   */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** True if the rules in .gitignore (also of subfolders), .ignore, and .git/info/exclude apply. */
  readonly gitignore: boolean;
  /** Maximum size in bytes of a file, or of a notebook's cells, to compare. At most `highestFileSizeBytes`. */
  readonly maxFileSizeBytes: number;
  /** True to include generated and minified files, lock files, source maps, and translations. */
  readonly generated: boolean;
  /** Categories that the user has assigned to files. They have no effect on which files are read or compared. */
  readonly categories: CategoryGlobs;
  /** Requirements for matches in some files, and categories of these. They do not affect which files are read. */
  readonly overrides: readonly Override[];
}

/** Greatest possible value of `maxFileSizeBytes` (1 GiB). */
export const highestFileSizeBytes = 2 ** 30;

/** Options that determine, after a file has been read, if it is compared. */
export type FileLimits = Pick<SourceOptions, 'maxFileSizeBytes' | 'generated'>;

/** Limits for all files, and for folders with their own. Those of the innermost folder around a file apply. */
export interface FolderLimits extends FileLimits {
  /** Folders with limits of their own, and the prefix of their files' paths in the report, if there are any. */
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

export interface ReadLimits extends FileLimits {
  /**
   * Returns the text of all cells in a notebook, or `undefined` if the bytes are not a notebook. If this function is
   * omitted, notebooks are treated like other files.
   */
  readonly textOfCells?: (bytes: Uint8Array) => Uint8Array | undefined;
}

export const defaultSourceOptions: SourceOptions = {
  include: [],
  exclude: [],
  gitignore: true,
  // In the measured trees, only 16 of 37,000 files are larger: generated tables, bundles, and one archive of tests.
  maxFileSizeBytes: 1_048_576,
  generated: false,
  categories: {},
  overrides: [],
};

export interface SourceFile {
  /** Absolute path of the file. */
  readonly file: string;
  /** Path in the report: relative to the root of the listing, with forward slashes. */
  readonly path: string;
}

/** A file of a remote or virtual file system. The client reads it before the scan needs it. */
export interface RemoteFile {
  readonly path: string;
  /** Stamp of the file, or `undefined` if its file system does not provide it. */
  readonly stamp: FileStamp | undefined;
  /**
   * Bytes of the file in shared memory, or the reason why it cannot be read. `undefined` if the bytes were not
   * requested, because the index contains the file.
   */
  readonly content: Uint8Array | Refusal | undefined;
}

export type ListedFile = SourceFile | RemoteFile;

/** Reason to skip a file, without the path of the file. */
export type Refusal = Omit<SkippedFile, 'path'>;

/** Properties of a file that are known without reading it. If stamps are equal, so is the content (`isSameStamp`). */
export interface FileStamp {
  readonly sizeBytes: number;
  /** Modification time in ms. NaN, which equals no other, if the file could change without a change of this time. */
  readonly mtimeMs: number;
  /**
   * Time in milliseconds of the last change of content, name, owner, or permissions. 0 if the file system does not
   * provide it. Unlike the modification time, programs cannot set it.
   */
  readonly ctimeMs: number;
  /** Inode number, or 0 if there is none. A file that replaces another file has a different inode. */
  readonly inode: number;
}

/**
 * Makes a stamp reliable. If the file could still change within the same tick of its file system's clock, the
 * modification time becomes NaN. A tick is 2 s on FAT, which stores only even seconds, and some milliseconds elsewhere.
 */
export function settled(stamp: FileStamp): FileStamp {
  const now = Date.now();
  const isPast = (time: number): boolean => now - time > (time % 1_000 === 0 ? 2_000 : 20);
  return isPast(stamp.mtimeMs) && isPast(stamp.ctimeMs) ? stamp : { ...stamp, mtimeMs: Number.NaN };
}

/** Returns true if both stamps belong to the same file with the same content. A missing stamp equals none. */
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

/** Result of listing folders. Files are sorted by path, in the order of code units. */
export interface Listing {
  /** Absolute path of the folder to which paths are relative: the only root, or the roots' common parent. */
  readonly root: string;
  readonly files: readonly SourceFile[];
  readonly skipped: readonly SkippedFile[];
  /** Number of files that each rule hides, in descending order. */
  readonly hidden: readonly HiddenFiles[];
  /** Warnings about files whose rules are ignored. Each warning begins with the name of the file. */
  readonly warnings: readonly string[];
}

export interface HidingRule {
  /**
   * Kind of the rule that hides files. `rules`: a rule in a file such as .gitignore. `include` and `exclude`: the
   * option with this name. `versionControl`: the built-in rule for the data of a repository.
   */
  readonly by: 'rules' | 'include' | 'exclude' | 'versionControl';
  /** Path of the file that contains the rule, relative to the root of the listing. Empty for other kinds of rules. */
  readonly source: string;
}

/** Number of files and folders that a rule hides. Files inside hidden folders are not counted. */
export interface HiddenFiles extends HidingRule {
  readonly by: Exclude<HidingRule['by'], 'versionControl'>;
  readonly files: number;
  readonly folders: number;
}

/** The files of a scan, on disk or elsewhere, and skipped files. Both lists are sorted by path. */
export interface ScanListing {
  readonly files: readonly ListedFile[];
  readonly skipped: readonly SkippedFile[];
  /** Counts of hidden files in folders on disk. `undefined` if no folder is on disk. */
  readonly hidden?: readonly HiddenFiles[] | undefined;
}
