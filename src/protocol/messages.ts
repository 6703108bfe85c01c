/**
 * The whole conversation of host and worker, as types. The host asks with a generation, a number that grows with every
 * request; every answer carries the generation it belongs to, so that an older answer never overwrites a newer one.
 *
 * A thread in a loop receives no message. So both sides share one number as well, the wanted generation: the host raises
 * it with each request, and to cancel; a scan looks at it in its loops and stops when it is no longer wanted.
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

/** What the host gives the thread at its start. */
export interface WorkerData {
  /** One Int32: the generation that is wanted now. */
  readonly wanted: SharedArrayBuffer;
  /** Strings of the person's language by the English ones; undefined for English. */
  readonly translations?: Readonly<Record<string, string>> | undefined;
}

/** A folder whose files are compared. */
export type Root = DiskRoot | VirtualRoot;

interface AnyRoot {
  /** What the paths of its files begin with in the report: empty, or a name and a slash. No two roots have the same. */
  readonly prefix: string;
  /** What of it is read. Limits that concern the reading (size, generated) are those of the first root for all. */
  readonly sources: SourceOptions;
}

export interface DiskRoot extends AnyRoot {
  /** Where it is on disk: absolute. */
  readonly folder: string;
}

/** A folder of a file system that only VS Code can read: the worker asks the host for what is in it. */
export interface VirtualRoot extends AnyRoot {
  readonly uri: string;
  /** Paths, from this folder, of other roots that lie in it and own their files; with a slash at the end. */
  readonly inner: readonly string[];
}

/** A text that counts instead of what the disk has: that of an editor with changes, or of a document without a file. */
export interface Overlay {
  /** As a report would name it. */
  readonly path: string;
  readonly text: string;
  /**
   * Whether it stands over a file of the roots. Such a one counts only while that file is listed, so that what is
   * excluded stays so in an editor; all others (untitled, of another file system) count as they are.
   */
  readonly overFile: boolean;
}

/** A language that an extension has told VS Code about (`contributes.languages`), or a setting has files for. */
export interface ContributedLanguage {
  /** Its identifier in VS Code. */
  readonly id: string;
  /** Endings (`.ts`) and whole names (`Makefile`) of its files. */
  readonly files: readonly string[];
  /** Its `language-configuration.json`: absolute; undefined when it has none on disk. */
  readonly configuration: string | undefined;
}

/** Reads and compares all files of the roots. */
export interface ScanRequest {
  readonly type: 'scan';
  readonly generation: number;
  readonly roots: readonly Root[];
  readonly options: Options;
  /** A preset, and the dials that it turns: those that nobody has set. */
  readonly preset?: { readonly name: PresetName; readonly dials: readonly DialName[] };
  /** What VS Code knows of languages: for files that have no table of ours. */
  readonly languages: readonly ContributedLanguage[];
  /** All texts that count instead of the disk's; those of earlier requests are forgotten. */
  readonly overlays: readonly Overlay[];
  /** Threads to use; 0 means one less than the machine has cores. */
  readonly workers: number;
  /** What a scan may take of memory, in MB; 0 means no limit but that of the index, 4 GB. */
  readonly memoryMB: number;
  /** The folder in which the index is kept from one window to the next: absolute; undefined when it is not. */
  readonly storage: string | undefined;
  /** Whether the findings of the last time, if they are stored, are wanted at once. */
  readonly recall: boolean;
  /** What a person ignores for themselves. */
  readonly ignored: readonly BaselineEntry[];
}

/** Files or texts changed since the last scan, which is to be brought up to date. */
export interface UpdateRequest {
  readonly type: 'update';
  readonly generation: number;
  /** Files that were written, created or deleted, as a report would name them. */
  readonly paths: readonly string[];
  /** Texts that count from now on instead of what the disk, or an earlier request, has for these paths. */
  readonly overlays: readonly Overlay[];
  /** Paths whose text in an editor counts no longer: the file does again, if there is one. */
  readonly dropped: readonly string[];
  /**
   * The generation of the report that the host has; 0 for none. The answer may tell a report by that one, and is `unchanged`
   * only when there is no other report than that. Without it all of a report is wanted.
   */
  readonly has?: number;
}

export type Request = ScanRequest | UpdateRequest;

/** What a person ignores for themselves from now on. The report that was told last is judged again. */
export interface IgnoreRequest {
  readonly type: 'ignore';
  readonly ignored: readonly BaselineEntry[];
}

/** What the worker asks the host: it knows what is to be read, and only VS Code can read it. */
export type FileSystemQuestion =
  | { readonly type: 'readFolder'; readonly id: number; readonly uri: string; readonly path: string }
  | {
      readonly type: 'readFile';
      readonly id: number;
      /** The root folder, and the path of the file from there. */
      readonly uri: string;
      readonly path: string;
      /** What is known of it already: a file that is still the same is not read. */
      readonly known: FileStamp | undefined;
      /** A larger file is not read. */
      readonly maxSizeBytes: number;
    };

/** What a member of a folder is. A link is none of the others, whatever it leads to. */
export type EntryKind = 'file' | 'folder' | 'link' | 'other';

/** The answer to it: what there is, or why it cannot be read. */
export type FileSystemAnswer =
  | { readonly type: 'folder'; readonly id: number; readonly entries: readonly (readonly [string, EntryKind])[] }
  /** Without bytes when they are known, or too many. */
  | { readonly type: 'file'; readonly id: number; readonly stamp: FileStamp; readonly bytes: Uint8Array | undefined }
  | { readonly type: 'unreadable'; readonly id: number; readonly reason: string };

/**
 * What would other settings find? It takes the place of what was asked so before, gives way to everything else, and goes on
 * after it. It is answered by `tunable`, and by `tried` for each stop: first for where the dials stand, then for the other
 * stops of each dial.
 */
export interface TuneRequest {
  readonly type: 'tune';
  /** Greater than those before. */
  readonly id: number;
  /** Where the dials stand; undefined: as they are in force. */
  readonly values: DialValues | undefined;
  /** The dial whose stops are wanted first. */
  readonly dial: DialName | undefined;
}

/** Nobody wants to know any more. */
export interface UntuneRequest {
  readonly type: 'untune';
}

/** How many rows there are of each type. */
export type RowTypes = Readonly<Record<Group['type'], number>>;

/** How much is found. */
export interface Counts {
  readonly totals: Totals;
  /** Rows by what they are about; what there is none of is absent. */
  readonly rows: Readonly<Partial<Record<Category, RowTypes>>>;
}

/** What decides dials before the settings of the editor do. */
export interface Decided {
  /** The configuration file, as a report would name it. */
  readonly path: string;
  readonly names: readonly DialName[];
}

/** What can be tuned, and where it stands. What was `tried` before is void. */
export interface TunableResponse {
  readonly type: 'tunable';
  readonly dials: readonly Dial[];
  readonly presets: Readonly<Record<string, DialValues>>;
  readonly inForce: DialValues;
  readonly decided: Decided | undefined;
  /** What is found now. */
  readonly counts: Counts;
}

/** What a scan with the dials at some values would find. */
export interface TriedResponse {
  readonly type: 'tried';
  readonly values: DialValues;
  /** Undefined when it cannot be said; then there is a problem. */
  readonly counts: Counts | undefined;
  readonly problem?: string;
  /** What it took; 0 when it was known. */
  readonly elapsedMs: number;
  /** Where the dials stand, all that would be found, and what of it is another. */
  readonly preview?: TriedPreview;
}

export interface TriedPreview {
  readonly findings: PackedFindings;
  readonly judgement: Judgement;
  readonly changed: ChangedRows;
}

/** Where the dials stand is being tried: its answer takes longer than a moment. */
export interface TryingResponse {
  readonly type: 'trying';
  readonly values: DialValues;
}

/** There is no index to try anything on: no scan has been completed, or not all files fit into memory. */
export interface UntunableResponse {
  readonly type: 'untunable';
}

/** What belongs to the dials. */
export type TuneResponse = TunableResponse | UntunableResponse | TryingResponse | TriedResponse;

export interface ProgressResponse {
  readonly type: 'progress';
  readonly generation: number;
  readonly progress: ScanProgress;
}

/**
 * The findings of the last time, from the store, before anything is read: what is on disk may have changed since. When it
 * has not, the answer that follows is `unchanged`.
 */
export interface RecalledResponse {
  readonly type: 'recalled';
  readonly generation: number;
  readonly findings: PackedFindings;
  readonly judgement: Judgement;
  readonly elapsedMs: number;
}

/** Something that a person who looks for a reason should find in the log. It belongs to no request. */
export interface WarningResponse {
  readonly type: 'warning';
  readonly message: string;
}

/** Something worth a line in the log that nobody has to do anything about. It belongs to no request. */
export interface NoteResponse {
  readonly type: 'note';
  readonly message: string;
}

/**
 * What the last report was made of is weighed better now, and something else is found: the answer to the next update has
 * it, whether anything has changed or not.
 */
export interface RenewedResponse {
  readonly type: 'renewed';
}

/** The findings. They are incomplete (`findings.complete`) when the scan was cancelled. */
export interface ReportResponse {
  readonly type: 'report';
  readonly generation: number;
  readonly findings: PackedFindings;
  readonly judgement: Judgement;
  readonly elapsedMs: number;
  /** Why how many files were left out: the most frequent reason first. */
  readonly leftOut: readonly (readonly [reason: string, files: number])[];
  /** When no file is left to compare: what hides files, the most first. */
  readonly hidden: readonly Hidden[];
  /** The options that are others since the last report, when no more was done again than they ask for. */
  readonly turned?: OptionChanges;
  /** Newer options cannot be used, so those of the last report hold. */
  readonly refused?: Refusal | undefined;
}

/** Something else is ignored of the last report. It comes ahead of an answer, or by itself. */
export interface JudgedResponse {
  readonly type: 'judged';
  /** Of the report. */
  readonly generation: number;
  readonly judgement: Judgement;
}

/** What changed is of no consequence: no file that is compared came, went or was written. The last report holds. */
export interface UnchangedResponse {
  readonly type: 'unchanged';
  readonly generation: number;
  /** As a report has it. */
  readonly refused?: Refusal | undefined;
}

/** The options cannot be used. */
export interface RejectedResponse extends Refusal {
  readonly type: 'rejected';
  readonly generation: number;
}

/** Why options cannot be used. */
export interface Refusal {
  /** One sentence each, for the person who set them. */
  readonly problems: readonly string[];
  /** The configuration file that they are in, as a report would name it, and the line of the first, from 1, if it has one. */
  readonly place?: { readonly path: string; readonly line: number | undefined };
}

/** A bug: the request threw. */
export interface FailedResponse {
  readonly type: 'failed';
  readonly generation: number;
  readonly message: string;
  readonly stack: string;
}

/** What ends a request: each gets one of these, unless a newer one has overtaken it. */
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
