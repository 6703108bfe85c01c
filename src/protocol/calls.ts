/**
 * Calls that the worker answers apart from scans and updates: parameters and result by name. A call has an id, and its
 * answer has the same one. A call that throws in the worker is rejected at the caller.
 */
import type { CheckResult } from '../check/checkRun.ts';
import type { Gate } from '../check/gate.ts';
import type { DialValues } from '../engine/dials.ts';
import type { PassageExplanation } from '../engine/explainPassages.ts';
import type { Options } from '../engine/options.ts';
import type { CountedFile } from '../engine/report/makeReport.ts';
import type { OrganisationAnswer, SimilarPassages } from '../engine/similar/findSimilar.ts';
import type { NewConfiguration } from '../io/newConfiguration.ts';
import type { Hiding } from '../io/sources.ts';
import type { ContributedLanguage } from './messages.ts';

export interface Calls {
  /** Explains why two passages match. Answered at once, whatever else is in progress. */
  readonly explain: { readonly params: ExplainParams; readonly result: PassageExplanation };
  /** Returns the text of a new configuration file. `folder` is absolute; `undefined` if it is not on disk. */
  readonly newConfiguration: {
    readonly params: { readonly folder: string | undefined };
    readonly result: NewConfiguration | { readonly problem: string };
  };
  /** Returns the text of a configuration file after its values are changed. */
  readonly changeConfiguration: {
    readonly params: { readonly text: string; readonly values: Partial<DialValues> };
    readonly result: string;
  };
  /** Finds near-duplicates of a text. Answered after earlier requests, from the index at that time. */
  readonly find: { readonly params: FindParams; readonly result: FindResult };
  /** Finds near-duplicates of a text in an index of many repositories. Independent of scans; can be cancelled. */
  readonly findInOrganisation: { readonly params: FindInOrganisationParams; readonly result: OrganisationAnswer };
  /** Checks the findings against a gate. Answered after earlier requests. */
  readonly check: { readonly params: CheckParams; readonly result: CheckAnswer };
  /** Lists the files that differ from a commit, relative to the folder. Answered at once. */
  readonly changedFiles: { readonly params: ChangedFilesParams; readonly result: ChangedFiles };
  /** Lists the paths of compared files on disk, joined with NUL. Answered at once. */
  readonly listFiles: { readonly params: undefined; readonly result: string };
  /**
   * Counts all lines and duplicated lines of each compared file, in no order. Answered after earlier requests; `undefined` if
   * no completed scan has an index.
   */
  readonly countFiles: { readonly params: undefined; readonly result: readonly CountedFile[] | undefined };
  /** Compares the disk with the last report. Any other request interrupts it. */
  readonly pollDisk: { readonly params: undefined; readonly result: PolledChanges };
  /** Stores what is new in the index. The worker does nothing else from then on: the host is about to end it. */
  readonly store: { readonly params: undefined; readonly result: undefined };
  /** Finds the rule that excludes a file without an entry in the report; `undefined` if there is none, or on an error. */
  readonly findHiding: { readonly params: { readonly path: string }; readonly result: Hiding | undefined };
}

export type CallName = keyof Calls;
export type Params<Name extends CallName> = Calls[Name]['params'];
export type Result<Name extends CallName> = Calls[Name]['result'];

/** A call of the host, discriminated by its name. */
export type CallRequest = {
  readonly [Name in CallName]: {
    readonly type: 'call';
    readonly id: number;
    readonly name: Name;
    readonly params: Params<Name>;
  };
}[CallName];

/** Cancels a call. It is answered all the same. */
export interface CancelCallRequest {
  readonly type: 'cancelCall';
  readonly id: number;
}

/** The answer to a call. */
export type CallResponse =
  | { readonly type: 'returned'; readonly id: number; readonly result: Result<CallName> }
  | { readonly type: 'threw'; readonly id: number; readonly message: string };

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
  /** Addresses of the servers, separated by commas. They may contain passwords, and no answer contains them. */
  readonly addresses: string;
  /** Names of the settings that have the address and the password, for messages. */
  readonly setting: { readonly address: string; readonly password: string };
  readonly text: string;
  /** As in `FindParams`. */
  readonly path: string;
  readonly languageId: string;
  readonly isLanguageNamed?: boolean;
  /** Place of the text, which is no result: an absolute file, and lines from 1, inclusive. */
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
