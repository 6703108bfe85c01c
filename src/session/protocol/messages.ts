/**
 * Messages between host and worker: the methods of each end (session/protocol/channel.ts), and their data. Each request
 * of the host has a number, its generation, which increases with every request.
 *
 * A thread receives no messages while it runs a loop. So the two threads also share a number in memory: the current
 * generation. The host increments it with each request, and to cancel a request. A scan reads it in its loops, and
 * stops if it has changed. In a page that is not cross-origin isolated, threads cannot share memory, so the host sends
 * the number as a message. The worker receives it when the scan yields to the event loop, which happens every few
 * milliseconds.
 */
import type { PassageExplanation } from '../../core/engine/explainPassages.ts';
import type { Dial, DialName, DialValues, PresetName } from '../../core/engine/dials.ts';
import type { OptionChanges } from '../../core/engine/optionChanges.ts';
import type { Options } from '../../core/engine/options.ts';
import type { CountedFile } from '../../core/engine/report/makeReport.ts';
import type { RowTypes, Totals } from '../../core/engine/report/report.ts';
import type { Category } from '../../core/engine/rows/category.ts';
import type { ChangedRows } from '../../core/engine/rows/changedRows.ts';
import type { OrganisationAnswer } from '../../core/engine/similar/findSimilar.ts';
import type { ScanProgress } from '../../scan/indexer/scanInput.ts';
import type { NewConfiguration } from '../../scan/io/newConfiguration.ts';
import type { FileStamp, HiddenFiles, HidingRule, SourceOptions } from '../../scan/io/sources.ts';
import type { BaselineEntry } from '../../review/gate/baseline.ts';
import type {
  ChangedFiles,
  ChangedFilesParams,
  CheckAnswer,
  CheckParams,
  ExplainParams,
  FindInOrganisationParams,
  FindParams,
  FindResult,
  PolledChanges,
} from './calls.ts';
import type { Judgement } from './judgement.ts';
import type { PackedFindings } from './packedFindings.ts';

/** Data in the host's first message to a worker in a browser. */
export interface WebWorkerData extends WorkerData {
  readonly type: 'session';
  /** URL of the worker's script, which the worker uses to start other threads. */
  readonly script: string;
  /** Digest of the script. */
  readonly digest: string;
}

/** Data that the host passes to the worker when it starts. */
export interface WorkerData {
  /** One Int32 with the current generation. A copy if threads cannot share memory. */
  readonly wantedGeneration: ArrayBuffer | SharedArrayBuffer;
  /** Translations by English text. `undefined` for English. */
  readonly translations?: Readonly<Record<string, string>> | undefined;
}

/** Methods of the worker. Methods without a result are notifications. */
export interface WorkerMethods {
  /** Sets the current generation, if threads cannot share memory. */
  want(generation: number): void;
  /** Runs a scan or an update. If a newer request supersedes it, the newer one includes its changes. */
  run(request: Request): Answer;
  /** Replaces the user's own ignored entries. Reads the baselines again, and judges the last report again. */
  ignore(ignored: readonly BaselineEntry[]): void;
  /**
   * Requests trials of other settings, and replaces the previous such request; `undefined` cancels it. Any other
   * request interrupts the trials. The host receives the notification `tunable`, and then a notification `tried` for
   * each trial. The given dial values are tried first, then the other stops of each dial. Before that, `estimated`
   * notifications have approximate numbers.
   */
  tune(request: TuneRequest | undefined): void;
  /** Explains why two passages match. Answered immediately, even during other work. */
  explain(params: ExplainParams): PassageExplanation;
  /** Returns the text of a new configuration file. `folder` is an absolute path, if the folder is on disk. */
  newConfiguration(folder: string | undefined): NewConfiguration | { readonly problem: string };
  /** Returns the text of a configuration file after some values were changed. */
  changeConfiguration(text: string, values: Partial<DialValues>): string;
  /** Finds near-duplicates of a text. Answered after all earlier requests. */
  find(params: FindParams): FindResult;
  /** Finds near-duplicates of a text among lines that other worktrees have added. Returns absolute paths. */
  findInWorktrees(params: FindParams): FindResult;
  /** Finds near-duplicates of a text in an index of many repositories. Does not wait for scans. Can be canceled. */
  findInOrganisation(params: FindInOrganisationParams): OrganisationAnswer;
  /** Checks the findings against limits. Answered after all earlier requests. */
  check(params: CheckParams): CheckAnswer;
  /** Lists the files in a folder that differ from a commit. Paths are relative to the folder. Answered immediately. */
  changedFiles(params: ChangedFilesParams): ChangedFiles;
  /** Returns the paths of the compared files on disk, joined with NUL. Answered immediately. */
  listFiles(): string;
  /**
   * Returns all compared files in arbitrary order, with their numbers of lines and of duplicated lines. Answered after
   * all earlier requests. Returns `undefined` if there is no index.
   */
  countFiles(): readonly CountedFile[] | undefined;
  /** Compares the files on disk with the last report. Other requests interrupt it. */
  pollDisk(): PolledChanges;
  /** Stores changes of the index. Afterwards, the worker remains idle, because the host is about to end it. */
  store(): undefined;
  /**
   * Returns the rule that excludes a file which the report does not list as skipped. Returns `undefined` if no rule
   * does, or after an error.
   */
  findHiding(path: string): HidingRule | undefined;
  /**
   * Returns the bytes of a compared file that only the host can read. If the worker does not have them, it requests
   * them from the host. Returns `undefined` if there is no such file. Answered immediately.
   */
  contentOf(path: string): Uint8Array | undefined;
}

/** Methods of the host. Methods without a result are notifications. */
export interface HostMethods extends FileSystem {
  progress(progress: ProgressNotice): void;
  /**
   * Shows the stored findings of the last session. They are sent before any file is read, so files may have changed. If
   * no file has changed, the next answer is `unchanged`.
   */
  recalled(recalled: RecalledNotice): void;
  /**
   * Reports the first findings of a running scan: some of the exact copies, and possibly not all copies of each. They
   * are only for display, because they are incomplete.
   */
  foundFirst(first: RecalledNotice): void;
  /** Replaces the judgement of the last report. May be sent at any time. */
  judged(judged: JudgedNotice): void;
  /**
   * Reports that the findings have changed without a change of files, because the weights of tokens were measured
   * again. The answer to the next update contains the new findings.
   */
  renewed(): void;
  /** Shows a result of trials of other settings. */
  tuned(response: TuneResponse): void;
  /** Logs a warning for troubleshooting. */
  warning(message: string): void;
  /** Logs a message that requires no action. */
  note(message: string): void;
}

/** Reads file systems to which only VS Code has access, by their root's URI. Returns the reason of a failure. */
export interface FileSystem {
  /** Lists the members of a folder. `path` is relative to the root folder. */
  readFolder(uri: string, path: string): Awaitable<FolderContent | Unreadable>;
  readFile(question: FileQuestion): Awaitable<FileContent | Unreadable>;
  /**
   * Writes a file in the extension's storage, given the folder and the name. Returns the reason if this fails. Missing
   * if the worker can write to the disk.
   */
  writeFile?(uri: string, name: string, bytes: Uint8Array): Awaitable<string | undefined>;
}

type Awaitable<Value> = Value | Promise<Value>;

export interface FileQuestion {
  /** URI of the root folder, and path of the file relative to it. */
  readonly uri: string;
  readonly path: string;
  /** Stamp of the content that the worker has. If the file still has this stamp, it is not read. */
  readonly knownStamp: FileStamp | undefined;
  /** Maximum size in bytes. Larger files are not read. */
  readonly maxSizeBytes: number;
}

export interface FolderContent {
  readonly entries: readonly (readonly [string, EntryKind])[];
}

export interface FileContent {
  readonly stamp: FileStamp;
  /** Bytes of the file. `undefined` if the worker has them already, or if the file is too large. */
  readonly bytes: Uint8Array | undefined;
}

export interface Unreadable {
  readonly reason: string;
}

/** A folder whose files are compared. */
export type Root = DiskRoot | VirtualRoot;

interface AnyRoot {
  /** Prefix of its files' paths in the report: empty, or a name and a slash. Each root has a different prefix. */
  readonly prefix: string;
  /** Options that select the files. The first root's `maxFileSizeBytes` and `generated` apply to all roots. */
  readonly sources: SourceOptions;
}

export interface DiskRoot extends AnyRoot {
  /** Absolute path of the folder. */
  readonly folder: string;
  /** True if symbolic links to targets outside of the folder are not followed. Set by servers that answer agents. */
  readonly isConfined?: boolean;
}

/** A folder in a file system to which only VS Code has access. The worker requests its content from the host. */
export interface VirtualRoot extends AnyRoot {
  readonly uri: string;
  /** Paths of other roots inside this one, relative to it, with a slash at the end. They own their files. */
  readonly inner: readonly string[];
  /** Maximum number of files to read, in the order of their paths. If omitted, all files are read. */
  readonly maxFiles?: number;
}

/** A text that replaces a file or is compared in addition: unsaved changes, or a document without a file. */
export interface Overlay {
  /** Path as in the report. */
  readonly path: string;
  readonly text: string;
  /**
   * True if the text replaces a file of the roots. It is then compared only while that file is listed, so that an
   * excluded file stays excluded while it is open. Other texts (untitled, or in another file system) are always
   * compared.
   */
  readonly overFile: boolean;
}

/** A language that an extension contributes (`contributes.languages`), or to which a setting assigns files. */
export interface ContributedLanguage {
  /** VS Code's identifier for the language. */
  readonly id: string;
  /** Extensions (`.ts`) and full names (`Makefile`) of its files. */
  readonly files: readonly string[];
  /** Absolute path of the language's `language-configuration.json`, or `undefined` if there is none on disk. */
  readonly configuration: string | undefined;
}

/** Request to read and compare all files of the roots. */
export interface ScanRequest {
  readonly type: 'scan';
  readonly generation: number;
  readonly roots: readonly Root[];
  readonly options: Options;
  /** A preset, and the dials that the user has not set, to which it applies. */
  readonly preset?: { readonly name: PresetName; readonly dials: readonly DialName[] };
  /** Languages of VS Code, for files in languages without a built-in lexicon. */
  readonly languages: readonly ContributedLanguage[];
  /** All texts that are compared in addition to files or instead of them. Texts of earlier requests are dropped. */
  readonly overlays: readonly Overlay[];
  /** Number of threads. 0 for one less than the number of cores. */
  readonly workers: number;
  /** Memory limit of a scan in MB. 0 if only the 4 GB of the kernel limit it. */
  readonly memoryMB: number;
  /** Folder in which the index is stored, if it is: an absolute path, or a URI in a browser. */
  readonly storage: string | undefined;
  /** True to send the stored findings of the last session before scanning. */
  readonly recall: boolean;
  /** True to send the first findings of a large tree, if there are no stored ones. */
  readonly wantsFirst?: boolean;
  /** The user's own ignored entries. */
  readonly ignored: readonly BaselineEntry[];
}

/** Request to update the findings after changes of files or texts. */
export interface UpdateRequest {
  readonly type: 'update';
  readonly generation: number;
  /** Paths, as in the report, of files that were written, created, or deleted. */
  readonly paths: readonly string[];
  /** Texts that replace the content at their paths from now on. */
  readonly overlays: readonly Overlay[];
  /** Paths, as in the report, at which the text in an editor no longer replaces the file. */
  readonly dropped: readonly string[];
  /**
   * Generation of the last report that the host has received, or 0. The answer may be relative to this report, and is
   * `unchanged` only if this is still the last report. If omitted, the answer contains a complete report.
   */
  readonly has?: number;
}

export type Request = ScanRequest | UpdateRequest;

/** Kind of a folder's member. A link is always `link`, whatever its target is. */
export type EntryKind = 'file' | 'folder' | 'link' | 'other';

export interface TuneRequest {
  /** Dial values to try. `undefined` for the current ones. */
  readonly values: DialValues | undefined;
  /** The dial whose stops are tried before those of other dials. */
  readonly dial: DialName | undefined;
  /** A row that the user wants to hide. A `rowHiding` response is sent before the other stops are tried. */
  readonly hide?: RowToHide | undefined;
}

export interface RowToHide {
  /** Id of its group. */
  readonly id: string;
  /** Categories of the other rows to count. */
  readonly counted: readonly Category[];
}

/** A dial setting that would hide a row. */
export interface HidingDial {
  readonly values: DialValues;
  readonly dial: DialName;
  /** Number of other rows in the counted categories that this setting would also hide. */
  readonly others: number;
}

/** Maximum number of other rows that a proposed setting may hide without a confirmation by the user. */
export const fewOthers = 10;

/** The smallest change of one dial that hides a group. */
export interface RowHidingResponse {
  readonly type: 'rowHiding';
  /** Id of the group in the request. */
  readonly hide: string;
  /** `impossible`: no dial alone can hide the group. `gone`: the last report does not contain the group. */
  readonly hiding: HidingDial | 'impossible' | 'gone';
}

export interface Counts {
  readonly totals: Totals;
  /** Number of rows by category and type. Categories without rows are missing. */
  readonly rows: Readonly<Partial<Record<Category, RowTypes>>>;
}

/** Dials that a configuration file sets. The editor's settings do not affect them. */
export interface DecidedDials {
  /** Path of the configuration file, as in the report. */
  readonly path: string;
  readonly names: readonly DialName[];
}

/** The available dials and their current values. Makes all earlier `tried` responses invalid. */
export interface TunableResponse {
  readonly type: 'tunable';
  readonly dials: readonly Dial[];
  readonly presets: Readonly<Record<string, DialValues>>;
  readonly inForce: DialValues;
  readonly decided: DecidedDials | undefined;
  /** Totals and numbers of rows in the current findings. */
  readonly counts: Counts;
}

/** Result of a trial: findings of a scan with other dial values. */
export interface TriedResponse {
  readonly type: 'tried';
  readonly values: DialValues;
  /** Totals and numbers of rows. `undefined` if the trial has failed. */
  readonly counts: Counts | undefined;
  readonly problem?: string | undefined;
  /** Duration of the trial in milliseconds. 0 if the result was cached. */
  readonly elapsedMs: number;
  /** Only for the requested dial values: all findings, and the differences from the current ones. */
  readonly preview?: TriedPreview | undefined;
}

export interface TriedPreview {
  readonly findings: PackedFindings;
  readonly judgement: Judgement;
  readonly changed: ChangedRows;
}

/** Estimated numbers of rows for a setting that was not tried yet. A `tried` response replaces them. */
export interface EstimatedResponse {
  readonly type: 'estimated';
  readonly values: DialValues;
  readonly rows: Counts['rows'];
}

/** Reports that a trial of the requested dial values has begun, because it takes a noticeable time. */
export interface TryingResponse {
  readonly type: 'trying';
  readonly values: DialValues;
}

/** Reports that there is no index for trials: no scan has been completed, or not all files fit in memory. */
export interface UntunableResponse {
  readonly type: 'untunable';
}

export type TuneResponse =
  TunableResponse | UntunableResponse | TryingResponse | EstimatedResponse | TriedResponse | RowHidingResponse;

export interface ProgressNotice {
  readonly generation: number;
  readonly progress: ScanProgress;
}

/** Findings that are sent before the answer. */
export interface RecalledNotice {
  readonly generation: number;
  readonly findings: PackedFindings;
  readonly judgement: Judgement;
  readonly elapsedMs: number;
}

/** The findings of a scan or update. They are incomplete (`findings.complete`) if it was canceled. */
export interface ReportResponse {
  readonly type: 'report';
  readonly generation: number;
  readonly findings: PackedFindings;
  readonly judgement: Judgement;
  readonly elapsedMs: number;
  /** Reasons for which files were skipped, each with the number of files, most frequent first. */
  readonly leftOut: readonly (readonly [reason: string, files: number])[];
  /** Reasons why no files are left to compare, most frequent first. Empty if there are files. */
  readonly hidden: readonly HiddenFiles[];
  /** The options that have changed since the last report. Present only if the change did not require a new scan. */
  readonly turned?: OptionChanges | undefined;
  /** Set if newer options are invalid. The report was then made with the previous options. */
  readonly refused?: Refusal | undefined;
}

export interface JudgedNotice {
  readonly generation: number;
  readonly judgement: Judgement;
}

/** Reports that the last report is still valid, because no compared file was added, removed, or changed. */
export interface UnchangedResponse {
  readonly type: 'unchanged';
  /** Set if newer options are invalid; see `ReportResponse`. */
  readonly refused?: Refusal | undefined;
}

/** Reports that the options are invalid. */
export interface RejectedResponse extends Refusal {
  readonly type: 'rejected';
}

/** Reasons why options are invalid. */
export interface Refusal {
  /** Messages for the user. Each one is a sentence. */
  readonly problems: readonly string[];
  /** Path of the configuration file, as in the report, and the line of the first problem, from 1, if known. */
  readonly place?: { readonly path: string; readonly line: number | undefined };
}

/** Reports that a request has thrown an error. This is a bug. */
export interface FailedResponse {
  readonly type: 'failed';
  readonly message: string;
  readonly stack: string;
}

export type Answer =
  | ReportResponse
  | UnchangedResponse
  | RejectedResponse
  | FailedResponse
  /** The request was not run, because a newer one includes it. */
  | { readonly type: 'superseded' };
