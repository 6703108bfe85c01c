/** Parameters and results of the worker's methods other than scans and updates. */
import type { CheckResult } from '../../review/check/checkRun.ts';
import type { Gate } from '../../review/check/gate.ts';
import type { ChangedFile } from '../../review/gate/changes.ts';
import type { Options } from '../../core/engine/options.ts';
import type { SimilarPassages } from '../../core/engine/similar/findSimilar.ts';
import type { ContributedLanguage } from './messages.ts';

/** A text, and the range in it that should be explained. Lines and columns count as in a report. */
export interface ExplainPassage {
  readonly path: string;
  readonly text: string;
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
  /** VS Code's identifier for the language of the text. */
  readonly languageId: string;
}

export interface ExplainParams {
  readonly a: ExplainPassage;
  readonly b: ExplainPassage;
  readonly options: Options;
  /** Languages of VS Code; see `ScanRequest`. */
  readonly languages: readonly ContributedLanguage[];
}

export interface FindParams {
  /** Text to search for. If omitted, the text of the compared file at `path`, within `lines`. */
  readonly text?: string;
  /** Path, as in the report, of the text's file, or of any file in the same language; '' if there is none. */
  readonly path: string;
  /** VS Code's identifier for the language of the text. Used if the path does not determine the language. */
  readonly languageId: string;
  /** True if an unknown or missing language is an error. Otherwise, the text is lexed without keywords. */
  readonly requiresLanguage?: boolean;
  /**
   * Position of the text in its file. If given, the text itself is excluded from the results. Lines and columns count
   * from 1; the last line is inclusive, the last column exclusive. Without columns, lines are complete.
   */
  readonly lines?:
    | {
        readonly start: number;
        readonly end: number;
        readonly startColumn?: number;
        readonly endColumn?: number;
      }
    | undefined;
  readonly maxDistance?: number | undefined;
  readonly minSimilarity?: number | undefined;
  /** True to return the nearest passage if there is no result; see `SimilarQuery`. */
  readonly explains?: boolean | undefined;
  readonly limit: number;
}

/** Near-duplicates of a text, or the reason why there is no answer. */
export type FindResult =
  | {
      readonly similar: SimilarPassages;
      /** Duration of the search in milliseconds, without waiting for earlier requests. */
      readonly elapsedMs: number;
    }
  | ({ readonly similar: undefined } & AnswerFailure);

/** Reason why a question to the index cannot be answered. */
export interface AnswerFailure {
  /**
   * `noIndex`: no scan has been completed, or not all files fit in memory. `refused`: the request is invalid. For
   * example, its text is from a file that is not compared, or its Git ref is unknown.
   */
  readonly reason: 'noIndex' | 'refused';
  readonly problem: string;
}

export interface FindInOrganisationParams {
  /** Path of the folder that contains the index, as the user has written it. */
  readonly folder: string;
  /** Name of the setting that contains the folder, for messages. */
  readonly setting: string;
  readonly text: string;
  /** Path of the text's file; see `FindParams`. */
  readonly path: string;
  readonly languageId: string;
  readonly requiresLanguage?: boolean;
  /** Place of the text, which is excluded from the results: absolute path, and lines from 1, inclusive. */
  readonly origin?: { readonly file: string; readonly startLine: number; readonly endLine: number } | undefined;
  readonly minSimilarity?: number | undefined;
  readonly limit: number;
}

export interface CheckParams {
  /** Prefix of the root to check. Git determines the changes in its repository. */
  readonly prefix: string;
  /** Options of the check. The baseline's path is absolute. `staged` is ignored, as files on disk are checked. */
  readonly gate: Gate;
}

/** Result of a check. There may be many rows, so only their number is sent. */
export type CheckSummary = Omit<CheckResult, 'rows'> & { readonly rows: number };

/** Result of a check, or the reason why there is none. */
export type CheckAnswer =
  | {
      readonly check: CheckSummary;
      readonly ignoredGroups: number;
      readonly elapsedMs: number;
    }
  | ({ readonly check: undefined } & AnswerFailure);

export interface ChangedFilesParams {
  /** Absolute path of the folder. */
  readonly folder: string;
  /** A git ref. Files are compared with the merge base of the ref and HEAD. */
  readonly since: string;
}

/** Files that were changed or added in the working tree, relative to the folder, or why they cannot be listed. */
export type ChangedFiles =
  { readonly files: readonly ChangedFile[] } | { readonly files: undefined; readonly problem: string };

/** Changes on disk that were not reported, but found by a poll. */
export interface PolledChanges {
  /** Paths, as in the report, to pass to the next update. Empty if the poll was interrupted. */
  readonly paths: readonly string[];
  readonly elapsedMs: number;
}
