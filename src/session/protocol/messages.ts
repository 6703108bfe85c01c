/**
 * Messages of host and worker: the methods of each end (session/protocol/channel.ts), and their data. Each request of the host
 * has a generation, a number that increases with every request.
 *
 * A thread receives no messages while it is in a loop. Both sides therefore also share a number, the wanted generation.
 * The host increments it with each request, and to cancel. A scan polls it in its loops and stops if it has changed.
 * In a page that is not cross-origin isolated, threads cannot share memory. A message then sets the number, and takes
 * effect when the scan yields to the event loop, which it does every few milliseconds.
 */
import type { PassageExplanation } from '../../core/engine/explainPassages.ts';
import type { Dial, DialName, DialValues, PresetName } from '../../core/engine/dials.ts';
import type { OptionChanges } from '../../core/engine/optionChanges.ts';
import type { Options } from '../../core/engine/options.ts';
import type { CountedFile } from '../../core/engine/report/makeReport.ts';
import type { Group, Totals } from '../../core/engine/report/report.ts';
import type { Category } from '../../core/engine/rows/category.ts';
import type { ChangedRows } from '../../core/engine/rows/changedRows.ts';
import type { OrganisationAnswer } from '../../core/engine/similar/findSimilar.ts';
import type { ScanProgress } from '../../scan/indexer/scanInput.ts';
import type { NewConfiguration } from '../../scan/io/newConfiguration.ts';
import type { FileStamp, Hidden, Hiding, SourceOptions } from '../../scan/io/sources.ts';
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

/** Data that the host passes to the worker of a browser in its first message. */
export interface WebWorkerData extends WorkerData {
  readonly type: 'session';
  /** URL of the worker's script, with which it starts other threads. */
  readonly script: string;
  /** Digest of that script. */
  readonly digest: string;
}

/** Data that the host passes to the thread at startup. */
export interface WorkerData {
  /** One Int32: the currently wanted generation. If threads cannot share memory, the thread has a copy. */
  readonly wanted: ArrayBuffer | SharedArrayBuffer;
  /** Translations by the English strings; `undefined` for English. */
  readonly translations?: Readonly<Record<string, string>> | undefined;
}

/** Methods of the worker. Those without a result are notifications. */
export interface WorkerMethods {
  /** Sets the wanted generation, if threads cannot share memory. */
  want(generation: number): void;
  /** Runs a scan or an update. A newer request supersedes it, and includes its changes. */
  run(request: Request): Answer;
  /** Replaces the user's own ignored entries. The last report is judged again, by the baselines as they are now. */
  ignore(ignored: readonly BaselineEntry[]): void;
  /**
   * Requests the findings of other settings; `undefined` cancels the request. Replaces the previous such request, yields
   * to all other requests, and resumes after them. The host is told `tunable`, and `tried` for each stop: first for the
   * current dial values, then for the other stops of each dial.
   */
  tune(request: TuneRequest | undefined): void;
  /** Explains why two passages match. Answered at once, whatever else is in progress. */
  explain(params: ExplainParams): PassageExplanation;
  /** Returns the text of a new configuration file. `folder` is absolute; `undefined` if it is not on disk. */
  newConfiguration(folder: string | undefined): NewConfiguration | { readonly problem: string };
  /** Returns the text of a configuration file after its values are changed. */
  changeConfiguration(text: string, values: Partial<DialValues>): string;
  /** Finds near-duplicates of a text. Answered after earlier requests, from the index at that time. */
  find(params: FindParams): FindResult;
  /** Finds near-duplicates of a text among the lines that other worktrees have added. Paths are absolute. */
  findInWorktrees(params: FindParams): FindResult;
  /** Finds near-duplicates of a text in an index of many repositories. Independent of scans; can be cancelled. */
  findInOrganisation(params: FindInOrganisationParams): OrganisationAnswer;
  /** Checks the findings against a gate. Answered after earlier requests. */
  check(params: CheckParams): CheckAnswer;
  /** Lists the files that differ from a commit, relative to the folder. Answered at once. */
  changedFiles(params: ChangedFilesParams): ChangedFiles;
  /** Lists the paths of compared files on disk, joined with NUL. Answered at once. */
  listFiles(): string;
  /**
   * Counts all lines and duplicated lines of each compared file, in no order. Answered after earlier requests;
   * `undefined` if no completed scan has an index.
   */
  countFiles(): readonly CountedFile[] | undefined;
  /** Compares the disk with the last report. Any other request interrupts it. */
  pollDisk(): PolledChanges;
  /** Stores what is new in the index. The worker does nothing else from then on: the host is about to end it. */
  store(): undefined;
  /** Finds the rule that excludes a file without an entry in the report; `undefined` if there is none, or on an error. */
  findHiding(path: string): Hiding | undefined;
  /**
   * Returns the bytes of a compared file that only the host can read; `undefined` if there is no such file. They are
   * requested from the host only if the worker does not have them. Answered at once.
   */
  contentOf(path: string): Uint8Array | undefined;
}

/** Methods of the host. Those without a result are notifications. */
export interface HostMethods extends FileSystem {
  progress(progress: ProgressNotice): void;
  /**
   * Shows the stored findings of the last session, sent before any file is read. Files may have changed since; if not,
   * the following answer is `unchanged`.
   */
  recalled(recalled: RecalledNotice): void;
  /** The ignored groups of the last report have changed. Sent before an answer, or on its own. */
  judged(judged: JudgedNotice): void;
  /**
   * The last report's documents have been weighted again, and the findings differ. The answer to the next update
   * contains them, even if nothing has changed.
   */
  renewed(): void;
  /** Findings of other settings. */
  tuned(response: TuneResponse): void;
  /** Logs a warning for troubleshooting. */
  warning(message: string): void;
  /** Logs a message that requires no action. */
  note(message: string): void;
}

/** Reads file systems that only VS Code can read, by the URI of a root folder. Failures are returned with the reason. */
export interface FileSystem {
  /** Lists the entries of a folder, by its path relative to the root folder. */
  readFolder(uri: string, path: string): MaybeLater<FolderContent | Unreadable>;
  readFile(question: FileQuestion): MaybeLater<FileContent | Unreadable>;
  /**
   * Writes a file of the storage, given its folder and its name. Returns the reason of a failure. Missing if the worker
   * stores files on disk.
   */
  writeFile?(uri: string, name: string, bytes: Uint8Array): MaybeLater<string | undefined>;
}

type MaybeLater<Value> = Value | Promise<Value>;

export interface FileQuestion {
  /** The root folder, and the file's path relative to it. */
  readonly uri: string;
  readonly path: string;
  /** The known stamp: an unchanged file is not read. */
  readonly known: FileStamp | undefined;
  /** Larger files are not read. */
  readonly maxSizeBytes: number;
}

export interface FolderContent {
  readonly entries: readonly (readonly [string, EntryKind])[];
}

export interface FileContent {
  readonly stamp: FileStamp;
  /** Undefined if they are known, or too many. */
  readonly bytes: Uint8Array | undefined;
}

export interface Unreadable {
  readonly reason: string;
}

/** A folder whose files are compared. */
export type Root = DiskRoot | VirtualRoot;

interface AnyRoot {
  /** Prefix of the paths of its files in the report: empty, or a name and a slash. Unique among roots. */
  readonly prefix: string;
  /** Files to read. The limits on reading (size, generated) of the first root apply to all. */
  readonly sources: SourceOptions;
}

export interface DiskRoot extends AnyRoot {
  /** Absolute path on disk. */
  readonly folder: string;
  /** True if symbolic links to files outside of the folder are not followed, as in a server that answers agents. */
  readonly isConfined?: boolean;
}

/** A folder in a file system that only VS Code can read. The worker requests its content from the host. */
export interface VirtualRoot extends AnyRoot {
  readonly uri: string;
  /** Paths, relative to this folder and with a slash at the end, of other roots within it, which own their files. */
  readonly inner: readonly string[];
  /** Maximum number of files that are read, in the order of their paths; by default, all. */
  readonly maxFiles?: number;
}

/** A text that replaces the content of the disk: an editor with changes, or a document without a file. */
export interface Overlay {
  /** Path, named as in a report. */
  readonly path: string;
  readonly text: string;
  /**
   * True if it replaces a file of the roots. It then counts only while that file is listed, so that excluded files stay
   * excluded in an editor. All others (untitled, or in another file system) always count.
   */
  readonly overFile: boolean;
}

/** A language contributed by an extension (`contributes.languages`), or with files assigned by a setting. */
export interface ContributedLanguage {
  /** Its identifier in VS Code. */
  readonly id: string;
  /** Extensions (`.ts`) and full names (`Makefile`) of its files. */
  readonly files: readonly string[];
  /** Absolute path of its `language-configuration.json`; `undefined` if it has none on disk. */
  readonly configuration: string | undefined;
}

/** Reads and compares all files of the roots. */
export interface ScanRequest {
  readonly type: 'scan';
  readonly generation: number;
  readonly roots: readonly Root[];
  readonly options: Options;
  /** A preset, and the dials that it sets: those that the user has not set. */
  readonly preset?: { readonly name: PresetName; readonly dials: readonly DialName[] };
  /** Languages of VS Code, for files without a table in the engine. */
  readonly languages: readonly ContributedLanguage[];
  /** All texts that replace the content of the disk. Those of earlier requests are dropped. */
  readonly overlays: readonly Overlay[];
  /** Threads to use; 0 means one less than the machine has cores. */
  readonly workers: number;
  /** Memory limit of a scan in MB; 0 means no limit except for that of the index, 4 GB. */
  readonly memoryMB: number;
  /** Folder that stores the index between sessions: its absolute path, or its URI in a browser; `undefined` to store none. */
  readonly storage: string | undefined;
  /** True to return the stored findings of the last session immediately. */
  readonly recall: boolean;
  /** The user's own ignored entries. */
  readonly ignored: readonly BaselineEntry[];
}

/** Updates the last scan after changes of files or texts. */
export interface UpdateRequest {
  readonly type: 'update';
  readonly generation: number;
  /** Files that were written, created, or deleted, named as in a report. */
  readonly paths: readonly string[];
  /** Texts that from now on replace the content of the disk, or of an earlier request, for these paths. */
  readonly overlays: readonly Overlay[];
  /** Paths whose overlays are removed: the file counts again, if it exists. */
  readonly dropped: readonly string[];
  /**
   * Generation of the report that the host has; 0 for none. The answer may be relative to that report, and is
   * `unchanged` only if no other report was made since. If omitted, the complete report is returned.
   */
  readonly has?: number;
}

export type Request = ScanRequest | UpdateRequest;

/** Kind of a folder entry. A link has its own kind, regardless of its target. */
export type EntryKind = 'file' | 'folder' | 'link' | 'other';

export interface TuneRequest {
  /** Dial values; `undefined` for those in force. */
  readonly values: DialValues | undefined;
  /** The dial whose stops are tried first. */
  readonly dial: DialName | undefined;
  /** Id of a group to hide. It is answered by `rowHiding` before the other stops are tried. */
  readonly hide?: string | undefined;
}

/** A stop of a dial that hides a row. */
export interface RowHiding {
  readonly values: DialValues;
  readonly dial: DialName;
  /** Number of other rows that it hides as well. */
  readonly others: number;
}

/** A stop that hides no more other rows is proposed without a question. */
export const fewOthers = 10;

/** The smallest change of one dial that hides a group. */
export interface RowHidingResponse {
  readonly type: 'rowHiding';
  /** Id of the group in the request. */
  readonly hide: string;
  /** `impossible`: no single dial hides it. `gone`: the last report does not contain it. */
  readonly hiding: RowHiding | 'impossible' | 'gone';
}

/** Number of rows of each type. */
export type RowTypes = Readonly<Record<Group['type'], number>>;

/** Amount of findings. */
export interface Counts {
  readonly totals: Totals;
  /** Rows by category; empty categories are absent. */
  readonly rows: Readonly<Partial<Record<Category, RowTypes>>>;
}

/** A configuration that takes precedence over the settings of the editor. */
export interface Decided {
  /** Path of the configuration file, named as in a report. */
  readonly path: string;
  readonly names: readonly DialName[];
}

/** The available dials and their current values. Earlier `tried` answers are void. */
export interface TunableResponse {
  readonly type: 'tunable';
  readonly dials: readonly Dial[];
  readonly presets: Readonly<Record<string, DialValues>>;
  readonly inForce: DialValues;
  readonly decided: Decided | undefined;
  /** Current findings. */
  readonly counts: Counts;
}

/** Findings of a scan with other dial values. */
export interface TriedResponse {
  readonly type: 'tried';
  readonly values: DialValues;
  /** Undefined if unavailable; there is then a problem. */
  readonly counts: Counts | undefined;
  readonly problem?: string;
  /** Duration; 0 if the result was cached. */
  readonly elapsedMs: number;
  /** For the current dial values: all findings, and the differences. */
  readonly preview?: TriedPreview;
}

export interface TriedPreview {
  readonly findings: PackedFindings;
  readonly judgement: Judgement;
  readonly changed: ChangedRows;
}

/** The current dial values are being tried, and the answer takes a noticeable time. */
export interface TryingResponse {
  readonly type: 'trying';
  readonly values: DialValues;
}

/** There is no index for trials: no scan has been completed, or not all files fit into memory. */
export interface UntunableResponse {
  readonly type: 'untunable';
}

/** Responses about the dials. */
export type TuneResponse = TunableResponse | UntunableResponse | TryingResponse | TriedResponse | RowHidingResponse;

export interface ProgressNotice {
  readonly generation: number;
  readonly progress: ScanProgress;
}

export interface RecalledNotice {
  readonly generation: number;
  readonly findings: PackedFindings;
  readonly judgement: Judgement;
  readonly elapsedMs: number;
}

/** The findings. Incomplete (`findings.complete`) if the scan was cancelled. */
export interface ReportResponse {
  readonly type: 'report';
  readonly generation: number;
  readonly findings: PackedFindings;
  readonly judgement: Judgement;
  readonly elapsedMs: number;
  /** Reasons for skipped files with their numbers, most frequent first. */
  readonly leftOut: readonly (readonly [reason: string, files: number])[];
  /** If no files are left to compare: the reasons, most files first. */
  readonly hidden: readonly Hidden[];
  /** The options that have changed since the last report, if only the affected work was repeated. */
  readonly turned?: OptionChanges;
  /** Newer options are invalid, so those of the last report still apply. */
  readonly refused?: Refusal | undefined;
}

export interface JudgedNotice {
  /** Generation of the report. */
  readonly generation: number;
  readonly judgement: Judgement;
}

/** The changes do not matter: no compared file was added, removed, or written. The last report is still valid. */
export interface UnchangedResponse {
  readonly type: 'unchanged';
  /** See `ReportResponse`. */
  readonly refused?: Refusal | undefined;
}

/** The options are invalid. */
export interface RejectedResponse extends Refusal {
  readonly type: 'rejected';
}

/** The reason why options are invalid. */
export interface Refusal {
  /** One sentence each, for the user. */
  readonly problems: readonly string[];
  /**
   * The configuration file that contains them, named as in a report, and the line of the first problem, from 1, if
   * known.
   */
  readonly place?: { readonly path: string; readonly line: number | undefined };
}

/** The request threw because of a bug. */
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
  /** A newer request was run instead. */
  | { readonly type: 'superseded' };
