/** Parameters and results of calls that the worker answers, apart from scans and updates. */
import type { CheckResult } from '../../review/check/checkRun.ts';
import type { Gate } from '../../review/check/gate.ts';
import type { Options } from '../../core/engine/options.ts';
import type { SimilarPassages } from '../../core/engine/similar/findSimilar.ts';
import type { ContributedLanguage } from './messages.ts';

/** A passage to explain: a text, and lines and columns in it, which count as in a report. */
export interface ExplainPassage {
  readonly path: string;
  readonly text: string;
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
  /** VS Code's identifier of the text's language. */
  readonly languageId: string;
}

export interface ExplainParams {
  readonly a: ExplainPassage;
  readonly b: ExplainPassage;
  readonly options: Options;
  /** See `ScanRequest`. */
  readonly languages: readonly ContributedLanguage[];
}

export interface FindParams {
  /** Text to search for. If it is missing, the text of the compared file at `path`, restricted to `lines`. */
  readonly text?: string;
  /** Report path of the file that the text is from, or of any file in the same language; '' if there is none. */
  readonly path: string;
  /** VS Code's identifier of the text's language. Used if the path does not determine it. */
  readonly languageId: string;
  /** True if the user or an agent has named the language. An unknown language is then an error. */
  readonly isLanguageNamed?: boolean;
  /**
   * Position of the text in its file, so that the text itself is not a result. Lines and columns count from 1; the last
   * line is inclusive, the last column exclusive. Without columns, lines are complete.
   */
  readonly lines?: {
    readonly start: number;
    readonly end: number;
    readonly startColumn?: number;
    readonly endColumn?: number;
  };
  readonly maxDistance?: number;
  readonly minSimilarity?: number;
  /** See `SimilarQuery`. */
  readonly explains?: boolean;
  /** Maximum number of passages. */
  readonly most: number;
}

/** Near-duplicates of a text, or the reason why there is no answer. */
export type FindResult =
  | {
      readonly similar: SimilarPassages;
      /** Duration of the search in milliseconds, without the time for earlier requests. */
      readonly elapsedMs: number;
    }
  | ({ readonly similar: undefined } & NoAnswer);

/** Reason why a question to the index has no answer. */
export interface NoAnswer {
  /**
   * `noIndex`: no scan was completed, or not all files fit in memory. `refused`: the question cannot be answered, for
   * example because the text is from a file that is not compared, or a ref is unknown.
   */
  readonly reason: 'noIndex' | 'refused';
  readonly problem: string;
}

export interface FindInOrganisationParams {
  /** Path of the index's folder, as the user has written it. */
  readonly folder: string;
  /** Name of the setting that contains the folder, for messages. */
  readonly setting: string;
  readonly text: string;
  /** See `FindParams`. */
  readonly path: string;
  readonly languageId: string;
  readonly isLanguageNamed?: boolean;
  /**
   * Place that the text was taken from, which is not reported as a copy: absolute path, and lines from 1, inclusive.
   */
  readonly origin?: { readonly file: string; readonly startLine: number; readonly endLine: number };
  readonly minSimilarity?: number;
  /** Maximum number of passages. */
  readonly most: number;
}

export interface CheckParams {
  /** Prefix of the root to check. Its repository determines the changes. */
  readonly prefix: string;
  /** Options of the check. `staged` is ignored: files on disk are checked. The path of the baseline is absolute. */
  readonly gate: Gate;
}

/** Result of a check. All rows count, and there are many of them, so only their number is sent. */
export type Checked = Omit<CheckResult, 'rows'> & { readonly rows: number };

/** Result of a check, or the reason why there is none. */
export type CheckAnswer =
  | {
      readonly check: Checked;
      /** Number of ignored groups. */
      readonly ignoredGroups: number;
      readonly elapsedMs: number;
    }
  | ({ readonly check: undefined } & NoAnswer);

export interface ChangedFilesParams {
  /** Absolute path of the folder. */
  readonly folder: string;
  /** A git ref. Files are compared with the merge base of it and HEAD. */
  readonly since: string;
}

/**
 * Paths of files that were changed or added in the working tree, relative to the folder; or the reason why there is no
 * answer.
 */
export type ChangedFiles =
  { readonly paths: readonly string[] } | { readonly paths: undefined; readonly problem: string };

/** Changes on disk that a poll has found. */
export interface PolledChanges {
  /** Report paths for the next update; empty if the poll was interrupted. */
  readonly paths: readonly string[];
  readonly elapsedMs: number;
}
