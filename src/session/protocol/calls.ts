/** Parameters and results of calls that the worker answers apart from scans and updates. */
import type { CheckResult } from '../../review/check/checkRun.ts';
import type { Gate } from '../../review/check/gate.ts';
import type { Options } from '../../core/engine/options.ts';
import type { SimilarPassages } from '../../core/engine/similar/findSimilar.ts';
import type { ContributedLanguage } from './messages.ts';

/** A passage to explain: lines and columns of a text, as a report has them. */
export interface ExplainPassage {
  readonly path: string;
  readonly text: string;
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
  /** Language of the text in VS Code. */
  readonly languageId: string;
}

export interface ExplainParams {
  readonly a: ExplainPassage;
  readonly b: ExplainPassage;
  readonly options: Options;
  /** As for a scan. */
  readonly languages: readonly ContributedLanguage[];
}

export interface FindParams {
  /** If `undefined`, these lines of the text that is compared under `path`, or all of it. */
  readonly text?: string;
  /** Name of the text's file in the report, or of another file of its language; empty if there is none. */
  readonly path: string;
  /** Language of the text in VS Code; used if the path does not determine it. */
  readonly languageId: string;
  /** True if the user or an agent named the language: an unknown one is refused. */
  readonly isLanguageNamed?: boolean;
  /**
   * The place of the text in that file: a result there is the text itself. Lines from 1 and inclusive; columns from 1, the last
   * one exclusive. Without columns, whole lines.
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

/** Near-duplicates of a text, or why there is no answer. */
export type FindResult =
  | {
      readonly similar: SimilarPassages;
      /** Duration of the search, without the wait for earlier requests. */
      readonly elapsedMs: number;
    }
  | ({ readonly similar: undefined } & NoAnswer);

/** The reason why the index has no answer. */
export interface NoAnswer {
  /**
   * `noIndex`: no scan has completed, or not all files fit into memory. `refused`: the question has no answer, as for the text
   * of a file that is not compared, or an unknown ref.
   */
  readonly reason: 'noIndex' | 'refused';
  readonly problem: string;
}

export interface FindInOrganisationParams {
  /** Folder of the index, as the user wrote it. */
  readonly folder: string;
  /** Name of the setting with the folder, for messages. */
  readonly setting: string;
  readonly text: string;
  /** As in `FindParams`. */
  readonly path: string;
  readonly languageId: string;
  readonly isLanguageNamed?: boolean;
  /** Place that the text comes from, which is not reported as its copy: absolute path, and lines from 1, inclusive. */
  readonly origin?: { readonly file: string; readonly startLine: number; readonly endLine: number };
  readonly minSimilarity?: number;
  /** Maximum number of passages. */
  readonly most: number;
}

export interface CheckParams {
  /** Prefix of the root to check: its repository, its changes. */
  readonly prefix: string;
  /** Nothing counts as staged: files count as they are. The path of the baseline is absolute. */
  readonly gate: Gate;
}

/** Result of a check. All groups count as rows. They are many, so only their number is sent. */
export type Checked = Omit<CheckResult, 'rows'> & { readonly rows: number };

/** Result of a check, or why there is none. */
export type CheckAnswer =
  | {
      readonly check: Checked;
      /** Number of ignored groups. */
      readonly ignoredGroups: number;
      readonly elapsedMs: number;
    }
  | ({ readonly check: undefined } & NoAnswer);

export interface ChangedFilesParams {
  /** Absolute. */
  readonly folder: string;
  /** A ref. The files are compared with its merge base. */
  readonly since: string;
}

/** Files that were changed or added in the working tree, relative to the folder; or why there is no answer. */
export type ChangedFiles =
  { readonly paths: readonly string[] } | { readonly paths: undefined; readonly problem: string };

/** Changes on disk that no watcher has reported. */
export interface PolledChanges {
  /** Paths for the next update; empty if the poll was interrupted. */
  readonly paths: readonly string[];
  readonly elapsedMs: number;
}
