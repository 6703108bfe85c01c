/**
 * Messages between host and worker: the methods of each end (session/protocol/channel.ts), and their data. Each request
 * of the host has a generation: a number that increases with every request.
 *
 * A thread receives no messages while it runs a loop. Therefore the two threads also share a number in memory, the
 * current generation. The host increments it with each request, and to cancel. A scan polls it in its loops, and stops
 * if it has changed. In a page that is not cross-origin isolated, threads cannot share memory. Then a message sets the
 * number. It takes effect when the scan yields to the event loop, which happens every few milliseconds.
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

/** Data that the host sends to a worker in a browser with the first message. */
export interface WebWorkerData extends WorkerData {
  readonly type: 'session';
  /** URL of the worker's script, which the worker uses to start other threads. */
  readonly script: string;
  /** Digest of the script. */
  readonly digest: string;
}

/** Data that the host passes to the worker at its start. */
export interface WorkerData {
  /** One Int32 with the current generation. If threads cannot share memory, it is a copy. */
  readonly wanted: ArrayBuffer | SharedArrayBuffer;
  /** Translations by English text; `undefined` for English. */
  readonly translations?: Readonly<Record<string, string>> | undefined;
}

/** Methods of the worker. Methods that return nothing are notifications. */
export interface WorkerMethods {
  /** Sets the current generation. Used if threads cannot share memory. */
  want(generation: number): void;
  /** Runs a scan or an update. If a newer request supersedes it, that one includes its changes. */
  run(request: Request): Answer;
  /** Replaces the user's own ignored entries, and judges the last report again. Baselines are read again, too. */
  ignore(ignored: readonly BaselineEntry[]): void;
  /**
   * Requests trials of other settings, and replaces the previous such request; `undefined` cancels it. All other
   * requests interrupt it. The host receives `tunable`, and then `tried` for each stop: first for the given dial
   * values, then for the other stops of each dial.
   */
  tune(request: TuneRequest | undefined): void;
  /** Explains why two passages match. Answered immediately, even while other work is in progress. */
  explain(params: ExplainParams): PassageExplanation;
  /**
   * Returns the text of a new configuration file. `folder` is an absolute path, or `undefined` if the folder is not on
   * disk.
   */
  newConfiguration(folder: string | undefined): NewConfiguration | { readonly problem: string };
  /** Returns the text of a configuration file with some values changed. */
  changeConfiguration(text: string, values: Partial<DialValues>): string;
  /** Finds near-duplicates of a text. Answered after all earlier requests, from the index as it is then. */
  find(params: FindParams): FindResult;
  /** Finds near-duplicates of a text among the lines that other worktrees have added. Paths are absolute. */
  findInWorktrees(params: FindParams): FindResult;
  /** Finds near-duplicates of a text in an index of many repositories. Does not wait for scans, and can be canceled. */
  findInOrganisation(params: FindInOrganisationParams): OrganisationAnswer;
  /** Checks the findings against a gate. Answered after all earlier requests. */
  check(params: CheckParams): CheckAnswer;
  /** Lists the files that differ from a commit. Paths are relative to the folder. Answered immediately. */
  changedFiles(params: ChangedFilesParams): ChangedFiles;
  /** Lists the paths of the compared files on disk, joined with NUL. Answered immediately. */
  listFiles(): string;
  /**
   * Returns all compared files, in any order, with their numbers of lines and of duplicated lines. Answered after all
   * earlier requests. Returns `undefined` if no completed scan has an index.
   */
  countFiles(): readonly CountedFile[] | undefined;
  /** Compares the files on disk with the last report. Any other request interrupts it. */
  pollDisk(): PolledChanges;
  /** Stores changes of the index. Afterwards, the worker does nothing else, because the host will end it. */
  store(): undefined;
  /**
   * Returns the rule that excludes a file without an entry in the report. Returns `undefined` if there is none, and
   * after an error.
   */
  findHiding(path: string): Hiding | undefined;
  /**
   * Returns the bytes of a compared file that only the host can read; `undefined` if there is no such file. They are
   * requested from the host only if the worker does not have them. Answered at once.
   */
  contentOf(path: string): Uint8Array | undefined;
}

/** Methods of the host. Methods that return nothing are notifications. */
export interface HostMethods extends FileSystem {
  progress(progress: ProgressNotice): void;
  /**
   * Shows the stored findings of the last session. They are sent before any file is read, so files may have changed
   * since. If none has, the next answer is `unchanged`.
   */
  recalled(recalled: RecalledNotice): void;
  /** Replaces the judgement of the last report. Sent before an answer, or at any other time. */
  judged(judged: JudgedNotice): void;
  /**
   * Reports that the documents of the last report were weighted again, and that the findings differ now. The answer to
   * the next update contains them, even if no file has changed.
   */
  renewed(): void;
  /** Shows a result of trials of other settings. */
  tuned(response: TuneResponse): void;
  /** Logs a warning for troubleshooting. */
  warning(message: string): void;
  /** Logs a message that requires no action. */
  note(message: string): void;
}

/**
 * Reads file systems that only VS Code can read. The root folder is given by its URI. If reading fails, the reason is
 * returned.
 */
export interface FileSystem {
  /** Lists the members of a folder. `path` is relative to the root folder. */
  readFolder(uri: string, path: string): MaybeLater<FolderContent | Unreadable>;
  readFile(question: FileQuestion): MaybeLater<FileContent | Unreadable>;
  /**
   * Writes a file of the extension's storage, given the folder and the name. Returns the reason if that fails. Missing
   * if the worker stores files on disk itself.
   */
  writeFile?(uri: string, name: string, bytes: Uint8Array): MaybeLater<string | undefined>;
}

type MaybeLater<Value> = Value | Promise<Value>;

export interface FileQuestion {
  /** URI of the root folder, and path of the file relative to it. */
  readonly uri: string;
  readonly path: string;
  /** Stamp of the known content. A file with the same stamp is not read. */
  readonly known: FileStamp | undefined;
  /** Maximum size in bytes. A larger file is not read. */
  readonly maxSizeBytes: number;
}

export interface FolderContent {
  readonly entries: readonly (readonly [string, EntryKind])[];
}

export interface FileContent {
  readonly stamp: FileStamp;
  /** Bytes of the file; `undefined` if they are already known, or too many. */
  readonly bytes: Uint8Array | undefined;
}

export interface Unreadable {
  readonly reason: string;
}

/** A folder whose files are compared. */
export type Root = DiskRoot | VirtualRoot;

interface AnyRoot {
  /**
   * Prefix that the paths of its files have in the report: empty, or a name and a slash. Each root has a different one.
   */
  readonly prefix: string;
  /** Selection of files to read. `maxFileSizeBytes` and `generated` of the first root apply to all roots. */
  readonly sources: SourceOptions;
}

export interface DiskRoot extends AnyRoot {
  /** Absolute path of the folder. */
  readonly folder: string;
  /** True if symbolic links to files outside of the folder are not followed. Used in servers that answer agents. */
  readonly isConfined?: boolean;
}

/** A folder in a file system that only VS Code can read. The worker requests its content from the host. */
export interface VirtualRoot extends AnyRoot {
  readonly uri: string;
  /**
   * Paths of other roots inside this one, relative to it, with a slash at the end. Files in them belong to these roots.
   */
  readonly inner: readonly string[];
  /** Maximum number of files that are read, in the order of their paths; by default, all. */
  readonly maxFiles?: number;
}

/** A text that replaces or adds content: an editor with unsaved changes, or a document without a file. */
export interface Overlay {
  /** Report path. */
  readonly path: string;
  readonly text: string;
  /**
   * True if the text replaces a file of the roots. Then it counts only while this file is listed, so that an excluded
   * file stays excluded in an editor. Other texts (untitled, or in another file system) always count.
   */
  readonly overFile: boolean;
}

/** A language that an extension contributes (`contributes.languages`), or to which a setting assigns files. */
export interface ContributedLanguage {
  /** VS Code's identifier of the language. */
  readonly id: string;
  /** Extensions (`.ts`) and full names (`Makefile`) of its files. */
  readonly files: readonly string[];
  /** Absolute path of the language's `language-configuration.json`; `undefined` if there is none on disk. */
  readonly configuration: string | undefined;
}

/** Reads and compares all files of the roots. */
export interface ScanRequest {
  readonly type: 'scan';
  readonly generation: number;
  readonly roots: readonly Root[];
  readonly options: Options;
  /** A preset, and the dials to which it applies because the user has not set them. */
  readonly preset?: { readonly name: PresetName; readonly dials: readonly DialName[] };
  /** Languages of VS Code, for files in languages that have no built-in table. */
  readonly languages: readonly ContributedLanguage[];
  /** All texts that replace or add content. Texts of earlier requests are dropped. */
  readonly overlays: readonly Overlay[];
  /** Number of threads; 0 for one less than the number of cores. */
  readonly workers: number;
  /** Memory limit of a scan in MB; 0 if only the 4 GB of the kernel limit it. */
  readonly memoryMB: number;
  /**
   * Folder that stores the index between sessions: an absolute path, or a URI in a browser. `undefined` to store no
   * index.
   */
  readonly storage: string | undefined;
  /** True to first return the stored findings of the last session. */
  readonly recall: boolean;
  /** The user's own ignored entries. */
  readonly ignored: readonly BaselineEntry[];
}

/** Updates the last scan after changes of files or texts. */
export interface UpdateRequest {
  readonly type: 'update';
  readonly generation: number;
  /** Report paths of files that were written, created, or deleted. */
  readonly paths: readonly string[];
  /** Texts that replace the content of these paths from now on. */
  readonly overlays: readonly Overlay[];
  /** Report paths whose overlays are removed. If the file exists, it counts again. */
  readonly dropped: readonly string[];
  /**
   * Generation of the report that the host has, or 0. The answer may be relative to this report, and is `unchanged`
   * only if there is no newer report. If omitted, the answer contains the complete report.
   */
  readonly has?: number;
}

export type Request = ScanRequest | UpdateRequest;

/** Kind of a member of a folder. A link is always `link`, regardless of its target. */
export type EntryKind = 'file' | 'folder' | 'link' | 'other';

export interface TuneRequest {
  /** Dial values to try; `undefined` for the current ones. */
  readonly values: DialValues | undefined;
  /** The dial whose stops are tried first. */
  readonly dial: DialName | undefined;
  /** Id of a group to hide. `rowHiding` answers it before the other stops are tried. */
  readonly hide?: string | undefined;
}

/** A dial setting that hides a row. */
export interface RowHiding {
  readonly values: DialValues;
  readonly dial: DialName;
  /** Number of other rows that it also hides. */
  readonly others: number;
}

/** If a setting hides at most this many other rows, it is proposed without a confirmation. */
export const fewOthers = 10;

/** The smallest change of one dial that hides a group. */
export interface RowHidingResponse {
  readonly type: 'rowHiding';
  /** Id of the group in the request. */
  readonly hide: string;
  /** `impossible`: no single dial hides the group. `gone`: the last report does not contain the group. */
  readonly hiding: RowHiding | 'impossible' | 'gone';
}

/** Number of rows for each type. */
export type RowTypes = Readonly<Record<Group['type'], number>>;

/** Numbers of findings. */
export interface Counts {
  readonly totals: Totals;
  /** Number of rows by category and type. Categories without rows are absent. */
  readonly rows: Readonly<Partial<Record<Category, RowTypes>>>;
}

/** Dials that a configuration file sets. They take precedence over the settings of the editor. */
export interface Decided {
  /** Report path of the configuration file. */
  readonly path: string;
  readonly names: readonly DialName[];
}

/** The available dials and their current values. All earlier `tried` responses become void. */
export interface TunableResponse {
  readonly type: 'tunable';
  readonly dials: readonly Dial[];
  readonly presets: Readonly<Record<string, DialValues>>;
  readonly inForce: DialValues;
  readonly decided: Decided | undefined;
  /** Numbers of the current findings. */
  readonly counts: Counts;
}

/** Findings of a scan with other dial values. */
export interface TriedResponse {
  readonly type: 'tried';
  readonly values: DialValues;
  /** Numbers of findings; `undefined` if they are not available because of a problem. */
  readonly counts: Counts | undefined;
  readonly problem?: string;
  /** Duration in milliseconds; 0 if the result was cached. */
  readonly elapsedMs: number;
  /** For the given dial values only: all findings, and the differences from the current ones. */
  readonly preview?: TriedPreview;
}

export interface TriedPreview {
  readonly findings: PackedFindings;
  readonly judgement: Judgement;
  readonly changed: ChangedRows;
}

/** Reports that the given dial values are being tried, and that this takes a noticeable time. */
export interface TryingResponse {
  readonly type: 'trying';
  readonly values: DialValues;
}

/** Reports that there is no index for trials, because no scan was completed or not all files fit in memory. */
export interface UntunableResponse {
  readonly type: 'untunable';
}

/** Responses to a request for trials. */
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

/** The findings. They are incomplete (`findings.complete`) if the scan was canceled. */
export interface ReportResponse {
  readonly type: 'report';
  readonly generation: number;
  readonly findings: PackedFindings;
  readonly judgement: Judgement;
  readonly elapsedMs: number;
  /** Reasons for which files were skipped, with the number of files, most frequent first. */
  readonly leftOut: readonly (readonly [reason: string, files: number])[];
  /** If no files are left to compare, the reasons, most frequent first. */
  readonly hidden: readonly Hidden[];
  /** The options that have changed since the last report. Present only if just the affected work was repeated. */
  readonly turned?: OptionChanges;
  /** Set if newer options are invalid. The report then uses the previous options. */
  readonly refused?: Refusal | undefined;
}

export interface JudgedNotice {
  /** Generation of the report. */
  readonly generation: number;
  readonly judgement: Judgement;
}

/** Reports that the last report is still valid: no compared file was added, removed, or changed. */
export interface UnchangedResponse {
  readonly type: 'unchanged';
  /** See `ReportResponse`. */
  readonly refused?: Refusal | undefined;
}

/** Reports that the options are invalid. */
export interface RejectedResponse extends Refusal {
  readonly type: 'rejected';
}

/** Reason why options are invalid. */
export interface Refusal {
  /** Messages for the user, each of which is a sentence. */
  readonly problems: readonly string[];
  /**
   * Report path of the configuration file that contains the options, and line of the first problem, counted from 1, if
   * it is known.
   */
  readonly place?: { readonly path: string; readonly line: number | undefined };
}

/** Reports that a request has thrown an error because of a bug. */
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
