/**
 * Message types of host and worker. Each request of the host has a generation, a number that increases with every
 * request. Each answer has the generation of its request, so that an older answer never overwrites a newer one.
 *
 * A thread receives no messages while it is in a loop. Both sides therefore also share a number, the wanted generation.
 * The host increments it with each request, and to cancel. A scan polls it in its loops and stops if it has changed.
 */
import type { Dial, DialName, DialValues, PresetName } from '../engine/dials.ts';
import type { OptionChanges } from '../engine/optionChanges.ts';
import type { Options } from '../engine/options.ts';
import type { Group, Totals } from '../engine/report/report.ts';
import type { Category } from '../engine/rows/category.ts';
import type { ChangedRows } from '../engine/rows/changedRows.ts';
import type { ScanProgress } from '../indexer/scanInput.ts';
import type { FileStamp, Hidden, SourceOptions } from '../io/sources.ts';
import type { BaselineEntry } from '../gate/baseline.ts';
import type { CallRequest, CallResponse, CancelCallRequest } from './calls.ts';
import type { Judgement } from './judgement.ts';
import type { PackedFindings } from './packedFindings.ts';

/** Data that the host passes to the thread at startup. */
export interface WorkerData {
  /** One Int32: the currently wanted generation. */
  readonly wanted: SharedArrayBuffer;
  /** Translations by the English strings; `undefined` for English. */
  readonly translations?: Readonly<Record<string, string>> | undefined;
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
  /** Absolute path of the folder that stores the index between sessions; `undefined` to store none. */
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

/** Replaces the user's own ignored entries. The last report is judged again, by the baselines as they are now. */
export interface IgnoreRequest {
  readonly type: 'ignore';
  readonly ignored: readonly BaselineEntry[];
}

/** A request of the worker to the host for data that only VS Code can read. */
export type FileSystemQuestion =
  | { readonly type: 'readFolder'; readonly id: number; readonly uri: string; readonly path: string }
  | {
      readonly type: 'readFile';
      readonly id: number;
      /** The root folder, and the file's path relative to it. */
      readonly uri: string;
      readonly path: string;
      /** The known stamp: an unchanged file is not read. */
      readonly known: FileStamp | undefined;
      /** Larger files are not read. */
      readonly maxSizeBytes: number;
    };

/** Kind of a folder entry. A link has its own kind, regardless of its target. */
export type EntryKind = 'file' | 'folder' | 'link' | 'other';

/** The answer: the content, or the reason why it cannot be read. */
export type FileSystemAnswer =
  | { readonly type: 'folder'; readonly id: number; readonly entries: readonly (readonly [string, EntryKind])[] }
  /** Without bytes if they are known, or too many. */
  | { readonly type: 'file'; readonly id: number; readonly stamp: FileStamp; readonly bytes: Uint8Array | undefined }
  | { readonly type: 'unreadable'; readonly id: number; readonly reason: string };

/**
 * Requests the findings of other settings. Replaces the previous such request, yields to all other requests, and
 * resumes after them. The answers are `tunable`, and `tried` for each stop: first for the current dial values, then for
 * the other stops of each dial.
 */
export interface TuneRequest {
  readonly type: 'tune';
  /** Greater than all previous ids. */
  readonly id: number;
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

/** Cancels the request. */
export interface UntuneRequest {
  readonly type: 'untune';
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

export interface ProgressResponse {
  readonly type: 'progress';
  readonly generation: number;
  readonly progress: ScanProgress;
}

/**
 * The stored findings of the last session, sent before any file is read. Files may have changed since; if not, the
 * following answer is `unchanged`.
 */
export interface RecalledResponse {
  readonly type: 'recalled';
  readonly generation: number;
  readonly findings: PackedFindings;
  readonly judgement: Judgement;
  readonly elapsedMs: number;
}

/** A log entry for troubleshooting. Does not belong to a request. */
export interface WarningResponse {
  readonly type: 'warning';
  readonly message: string;
}

/** An informational log entry that requires no action. Does not belong to a request. */
export interface NoteResponse {
  readonly type: 'note';
  readonly message: string;
}

/**
 * The last report's documents have been weighted again, and the findings differ. The answer to the next update contains
 * them, even if nothing has changed.
 */
export interface RenewedResponse {
  readonly type: 'renewed';
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

/** The ignored groups of the last report have changed. Sent before an answer, or on its own. */
export interface JudgedResponse {
  readonly type: 'judged';
  /** Generation of the report. */
  readonly generation: number;
  readonly judgement: Judgement;
}

/** The changes do not matter: no compared file was added, removed, or written. The last report is still valid. */
export interface UnchangedResponse {
  readonly type: 'unchanged';
  readonly generation: number;
  /** See `ReportResponse`. */
  readonly refused?: Refusal | undefined;
}

/** The options are invalid. */
export interface RejectedResponse extends Refusal {
  readonly type: 'rejected';
  readonly generation: number;
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
  readonly generation: number;
  readonly message: string;
  readonly stack: string;
}

/** Final answers. Each request gets one of these unless a newer request supersedes it. */
export type Answer = ReportResponse | UnchangedResponse | RejectedResponse | FailedResponse;

/** Any message of the host. */
export type Message =
  Request | CallRequest | CancelCallRequest | IgnoreRequest | TuneRequest | UntuneRequest | FileSystemAnswer;

/** Any message of the worker. */
export type Response =
  | Answer
  | ProgressResponse
  | RecalledResponse
  | JudgedResponse
  | WarningResponse
  | NoteResponse
  | RenewedResponse
  | CallResponse
  | TuneResponse
  | FileSystemQuestion;
