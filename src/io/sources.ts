/** What is read and what is left out: the types that listing and reading share. */
import * as l10n from '@vscode/l10n';
import type { Skipped } from '../engine/report/report.ts';
import { type CategoryGlobs, problemsOfCategories } from './chosenCategories.ts';
import { type Override, problemsOfOverrides } from './overrides.ts';
import { formatFileSize } from './fileSize.ts';
import { problemOfGlobs, shortened } from './globs.ts';

/**
 * Which files count as sources, and as what. Globs are matched against a file's name in the report, with forward slashes. One
 * without a slash matches at any depth, one with a slash from the root on; a folder means all that is in it.
 */
export interface SourceOptions {
  /**
   * Only these; empty means all. A glob that names what is left out by default (`**\/node_modules/left-pad`, `*.svg`)
   * lets it in.
   */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Whether .gitignore (nested), .ignore and .git/info/exclude are honoured. */
  readonly gitignore: boolean;
  /** Files above this are left out, notebooks with more text than this in their cells. At most 1 GB. */
  readonly maxFileSizeBytes: number;
  /** Whether generated and minified files, lock files, source maps and translations are read as well. */
  readonly generated: boolean;
  /** Files whose category somebody has chosen: it decides nothing of what is read or compared. */
  readonly categories: CategoryGlobs;
  /** What is asked of the copies of some files, and their category: it decides nothing of what is read. */
  readonly overrides: readonly Override[];
}

/** What decides of a file that is read whether it is compared. */
export type FileLimits = Pick<SourceOptions, 'maxFileSizeBytes' | 'generated'>;

/** The limits of all files, and of folders that have others: the innermost folder around a file counts. */
export interface FolderLimits extends FileLimits {
  /** By what the paths of their files begin with in the report; undefined when all have the same. */
  readonly inFolders?: readonly (FileLimits & { readonly prefix: string })[] | undefined;
}

/** The limits of a file, by its path in the report. */
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

/** The part of the options that reading needs. */
export interface ReadLimits extends FileLimits {
  /** The text of all cells of a notebook; undefined when it is none. Without this, notebooks are judged as other files. */
  readonly textOfCells?: (bytes: Uint8Array) => Uint8Array | undefined;
}

export const defaultSourceOptions: SourceOptions = {
  include: [],
  exclude: [],
  gitignore: true,
  // Of the 37,000 files in the trees we measured, 16 are larger: tables made by programs, bundles, one test archive.
  maxFileSizeBytes: 1_048_576,
  generated: false,
  categories: {},
  overrides: [],
};

/**
 * What is wrong with source options, in words for the person who set them; empty when they can be used.
 *
 * @param languageIds  as `problemsOfOverrides` takes them
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
  if (!Number.isInteger(limit) || limit < 1 || limit > 2 ** 30) {
    problems.push(l10n.t('maxFileSize must be from 1 byte to 1 GB, not {0}.', formatFileSize(limit)));
  }
  return problems;
}

const opposite = { include: 'exclude', exclude: 'include' } as const;

/** A file to read. */
export interface SourceFile {
  /** Where it is on disk: absolute. */
  readonly file: string;
  /** Its name in the report: relative to the listing's root, forward slashes. */
  readonly path: string;
}

/** A file of another file system than the disk: somebody else reads it, ahead of whoever wants its text. */
export interface RemoteFile {
  /** Its name in the report. */
  readonly path: string;
  /** Undefined when its file system does not tell. */
  readonly stamp: FileStamp | undefined;
  /**
   * Its bytes as they were read, in memory that threads share; why there are none; or undefined when they have not been
   * asked for, since an index is said to know the file.
   */
  readonly content: Uint8Array | Refusal | undefined;
}

export type ListedFile = SourceFile | RemoteFile;

/** Why a file is left out, without its name. */
export type Refusal = Omit<Skipped, 'path'>;

/** Properties of a file that are known without reading it. Equal stamps mean the same readable content (`isSameStamp`). */
export interface FileStamp {
  readonly sizeBytes: number;
  /** When it was written, in milliseconds; NaN, which equals nothing, when it may be written again at the same time. */
  readonly mtimeMs: number;
  /**
   * When its content, name, owner, or permissions last changed, in milliseconds; 0 where the file system does not tell.
   * Programs can set the other time, but not this one.
   */
  readonly ctimeMs: number;
  /** The number of the file on its disk; 0 where there is none. Another file in its place has another one. */
  readonly inode: number;
}

/** True if two stamps are those of the same file with the same content. A missing stamp equals nothing. */
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

/** What a walk over folders found. Lists of files are sorted by path (plain code-unit order). */
export interface Listing {
  /** The folder that paths are relative to: absolute. The one that was asked for, or the common parent of several. */
  readonly root: string;
  readonly files: readonly SourceFile[];
  readonly skipped: readonly Skipped[];
  /** What was left out in silence, the most first. */
  readonly hidden: readonly Hidden[];
  /** Sentences about files with rules that are not obeyed; each begins with the name of the file. */
  readonly warnings: readonly string[];
}

/** What leaves files out in silence. */
export interface Hiding {
  /** `rules`: a file with rules; `versionControl`: it belongs to a repository's own data; else the option that does. */
  readonly by: 'rules' | 'include' | 'exclude' | 'versionControl';
  /** The file with rules, relative to the root of the listing; else empty. */
  readonly source: string;
}

/** How much of what was met on the way something hides. What is in a hidden folder is not counted: nobody looks. */
export interface Hidden extends Hiding {
  readonly by: Exclude<Hiding['by'], 'versionControl'>;
  readonly files: number;
  readonly folders: number;
}

/** The files of a scan, wherever they are, and what was left out: both sorted by path, as in a listing. */
export interface ScanListing {
  readonly files: readonly ListedFile[];
  readonly skipped: readonly Skipped[];
  /** What was left out in silence of folders on disk; undefined when there are none. */
  readonly hidden?: readonly Hidden[] | undefined;
}
