/** What is read and what is left out: the types that listing and reading share. */
import type { Skipped } from '../engine/report.ts';

/** Which files count as sources. Globs are matched against the path relative to its root. */
export interface SourceOptions {
  /** Only these; empty means all. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Whether .gitignore (nested), .ignore and .git/info/exclude are honoured. */
  readonly gitignore: boolean;
  readonly maxFileSizeBytes: number;
  /** Whether generated and minified files are read as well. */
  readonly generated: boolean;
}

export const defaultSourceOptions: SourceOptions = {
  include: [],
  exclude: [],
  gitignore: true,
  maxFileSizeBytes: 1_048_576,
  generated: false,
};

/** A file to read. */
export interface SourceFile {
  /** Where it is on disk: absolute. */
  readonly file: string;
  /** Its name in the report: relative to the root, forward slashes; with several roots, as the caller wants it. */
  readonly path: string;
}

/** What a walk over folders found. Files are sorted by path (plain code-unit order). */
export interface Listing {
  readonly files: readonly SourceFile[];
  readonly skipped: readonly Skipped[];
}
