/**
 * Talks to the worker thread that owns the engine, starts it when it is needed, and starts it again when it dies.
 *
 * One request is under way at a time: a newer one makes the older unwanted, which is then answered with `superseded`.
 */
import { Worker } from 'node:worker_threads';
import type { DialName, DialValues } from '../engine/dials.ts';
import type { PassageExplanation } from '../engine/explainPassages.ts';
import type { OrganisationAnswer } from '../engine/similar/findSimilar.ts';
import type { BaselineEntry } from '../gate/baseline.ts';
import type { Hiding } from '../io/sources.ts';
import type {
  CallName,
  CallResponse,
  ChangedFiles,
  ChangedFilesParams,
  CheckAnswer,
  CheckParams,
  ExplainParams,
  FindInOrganisationParams,
  FindParams,
  FindResult,
  Params,
  PolledChanges,
  Result,
} from '../protocol/calls.ts';
import type {
  FileSystemAnswer,
  FileSystemQuestion,
  JudgedResponse,
  Message,
  Overlay,
  ProgressResponse,
  RecalledResponse,
  RejectedResponse,
  ReportResponse,
  Request,
  Response,
  ScanRequest,
  TuneResponse,
  UnchangedResponse,
  UpdateRequest,
  WorkerData,
} from '../protocol/messages.ts';
import { Listeners } from './listeners.ts';

/** How a request ended. `stopped`: the worker died too often and is not started again until somebody asks for it. */
export type Outcome =
  | ReportResponse
  | UnchangedResponse
  | RejectedResponse
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'stopped'; readonly message: string }
  /** Cancelled in a place where the worker could not stop at once. */
  | { readonly type: 'cancelled' }
  | { readonly type: 'superseded' };

/** A worker that dies more often than this within the time is not started again by itself. */
const maxRestarts = 3;
const restartWindowMs = 5 * 60_000;

/** A worker that does not stop within this time, when what it does is no longer wanted, is ended and started anew. */
const stopWithinMs = 1_000;

/**
 * What the worker may take for objects that are fresh, in MB. V8 would take 48, and so much more memory for as long as the
 * window is open.
 */
const youngMB = 12;

/** A person who cancels does not wait longer than this, whatever the worker is at: it stops by itself, or is ended. */
const answerWithinMs = 100;

/** Answers what the worker asks of file systems that it cannot read itself. Never throws. */
type ReadFileSystem = (question: FileSystemQuestion) => Promise<FileSystemAnswer>;

/** A call in progress. The answer is `undefined` if the worker ended without one. */
interface PendingCall {
  readonly id: number;
  readonly answer: Promise<CallResponse | undefined>;
}

interface Pending {
  readonly request: Request;
  readonly resolve: (outcome: Outcome) => void;
}

/** Where it says what a person who looks for a reason should find. */
export interface Log {
  error(message: string | Error): void;
  warn(message: string): void;
  info(message: string): void;
}

/** What it says to people, in their language. */
export interface Words {
  readonly stopped: string;
  readonly stoppedOften: (times: number) => string;
  /** What the worker says, by the English strings; undefined for English. */
  readonly translations?: Readonly<Record<string, string>> | undefined;
}

export class EngineClient {
  readonly #script: string;
  readonly #log: Log;
  readonly #readFileSystem: ReadFileSystem;
  readonly #words: Words;
  readonly #progress = new Listeners<ProgressResponse>();
  readonly onDidProgress = this.#progress.add;
  readonly #recalled = new Listeners<RecalledResponse>();
  /** Tells of the findings of the last time, before those that a scan is to find. */
  readonly onDidRecall = this.#recalled.add;
  readonly #judged = new Listeners<JudgedResponse>();
  /** Tells when something else is ignored of a report that was told. */
  readonly onDidJudge = this.#judged.add;
  readonly #renewed = new Listeners<void>();
  /** Tells when an update would bring other findings, though nothing has changed. */
  readonly onDidRenew = this.#renewed.add;
  readonly #tuned = new Listeners<TuneResponse>();
  /** Tells what other settings would find. */
  readonly onDidTune = this.#tuned.add;
  /** The generation that is wanted, for the worker to look at in its loops. */
  readonly #wanted = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  #generation = 0;
  /** Receivers of the answers to calls, by id. */
  readonly #calls = new Map<number, (answer: CallResponse | undefined) => void>();
  #lastId = 0;
  #worker: Worker | undefined;
  #pending: Pending | undefined;
  /** The generations that the worker has not answered yet, and the timer by which it must have stopped. */
  readonly #unanswered = new Set<number>();
  #stopTimer: NodeJS.Timeout | undefined;
  /** The last report that came too late. */
  #missed: ReportResponse | undefined;
  /** The last scan asked for, to be asked for again of a new worker; and whether the present one has heard of it. */
  #scan: ScanRequest | undefined;
  #workerKnowsScan = false;
  /** When the worker was started again by itself, in milliseconds. */
  #restarts: number[] = [];

  /** @param script  the worker's bundle: a file, absolute */
  constructor(script: string, log: Log, readFileSystem: ReadFileSystem, words: Words) {
    this.#script = script;
    this.#log = log;
    this.#readFileSystem = readFileSystem;
    this.#words = words;
  }

  scan(request: Omit<ScanRequest, 'type' | 'generation'>): Promise<Outcome> {
    const generation = this.#raise();
    this.#scan = { type: 'scan', generation, ...request };
    return this.#send(this.#scan);
  }

  /** Brings the last scan up to date with what has changed; a scan must have been asked for before. */
  update(changes: Omit<UpdateRequest, 'type' | 'generation'>): Promise<Outcome> {
    if (this.#scan === undefined) return Promise.reject(new Error('There is no scan to update.'));
    const generation = this.#raise();
    // What a new worker would have to know.
    this.#scan = { ...this.#scan, generation, overlays: withChanges(this.#scan.overlays, changes) };
    return this.#send(this.#workerKnowsScan ? { type: 'update', generation, ...changes } : this.#scan);
  }

  /** Takes what a person ignores for themselves: it is judged by from now on. */
  ignore(ignored: readonly BaselineEntry[]): void {
    if (this.#scan) this.#scan = { ...this.#scan, ignored };
    if (this.#workerKnowsScan) this.#notify({ type: 'ignore', ignored });
  }

  /**
   * Explains why two passages match.
   *
   * @throws Error  if the worker has ended or has a bug, as do all calls but those that return `undefined` then
   */
  explain(params: ExplainParams): Promise<PassageExplanation> {
    return this.#call('explain', params);
  }

  /** @param folder  absolute; `undefined` if it is not on disk */
  async newConfiguration(folder: string | undefined): Promise<Result<'newConfiguration'>> {
    return (await this.#tryCall('newConfiguration', { folder })) ?? { problem: this.#words.stopped };
  }

  /** Finds near-duplicates of a text. */
  find(params: FindParams): Promise<FindResult> {
    return this.#call('find', params);
  }

  /**
   * Finds near-duplicates of a text in an index of many repositories.
   *
   * @param signal  cancels the search in the database
   */
  async findInOrganisation(params: FindInOrganisationParams, signal?: AbortSignal): Promise<OrganisationAnswer> {
    const call = this.#begin('findInOrganisation', params);
    const cancel = (): void => this.#notify({ type: 'cancelCall', id: call.id });
    if (signal?.aborted === true) cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    return this.#resultOf<'findInOrganisation'>(await call.answer);
  }

  /** Checks the findings against a gate. */
  check(params: CheckParams): Promise<CheckAnswer> {
    return this.#call('check', params);
  }

  /** Lists the files that differ from a commit. */
  changedFiles(params: ChangedFilesParams): Promise<ChangedFiles> {
    return this.#call('changedFiles', params);
  }

  /** Lists the compared files on disk, as a report names them; `undefined` if the worker has ended. */
  async listFiles(): Promise<string[] | undefined> {
    const paths = await this.#tryCall('listFiles', undefined);
    return paths?.split('\0').filter((path) => path !== '');
  }

  /** Counts the lines of all compared files; `undefined` if the worker has no index of the last scan. */
  async countFiles(): Promise<Result<'countFiles'>> {
    return this.#hasScan ? this.#tryCall('countFiles', undefined) : undefined;
  }

  /** Returns a configuration file with other values; `undefined` if the worker has ended. */
  changeConfiguration(text: string, values: Partial<DialValues>): Promise<string | undefined> {
    return this.#tryCall('changeConfiguration', { text, values });
  }

  /** Compares the disk with the last report; `undefined` if that is not possible now. */
  async pollDisk(): Promise<PolledChanges | undefined> {
    return this.#hasScan && this.#pending === undefined ? this.#tryCall('pollDisk', undefined) : undefined;
  }

  /** Finds the rule that excludes a file, by its path in the report; `undefined` if there is none, or it is unknown now. */
  async findHiding(path: string): Promise<Hiding | undefined> {
    return this.#hasScan ? this.#tryCall('findHiding', { path }) : undefined;
  }

  /**
   * Requests the findings of other settings, and replaces the previous such request; `onDidTune` reports them. A restarted
   * worker has to be asked again.
   *
   * @param values  positions of the dials; `undefined` for those in force
   * @param dial    the dial whose stops are tried first
   */
  tune(values: DialValues | undefined, dial: DialName | undefined): void {
    this.#notify({ type: 'tune', id: ++this.#lastId, values, dial });
  }

  /** Cancels `tune`. */
  untune(): void {
    this.#notify({ type: 'untune' });
  }

  get #hasScan(): boolean {
    return this.#worker !== undefined && this.#workerKnowsScan;
  }

  /** Sends a message that has no answer. Without a worker, does nothing. */
  #notify(message: Message): void {
    this.#worker?.postMessage(message);
  }

  async #call<Name extends CallName>(name: Name, params: Params<Name>): Promise<Result<Name>> {
    return this.#resultOf(await this.#begin(name, params).answer);
  }

  /** Returns `undefined` if the worker ends without an answer. */
  async #tryCall<Name extends CallName>(name: Name, params: Params<Name>): Promise<Result<Name> | undefined> {
    const answer = await this.#begin(name, params).answer;
    return answer && this.#resultOf(answer);
  }

  #resultOf<Name extends CallName>(answer: CallResponse | undefined): Result<Name> {
    if (answer === undefined) throw new Error(this.#words.stopped);
    if (answer.type === 'threw') throw new Error(answer.message);
    return answer.result;
  }

  #begin<Name extends CallName>(name: Name, params: Params<Name>): PendingCall {
    const id = ++this.#lastId;
    const answer = new Promise<CallResponse | undefined>((resolve) => this.#calls.set(id, resolve));
    this.#worker ??= this.#start();
    this.#worker.postMessage({ type: 'call', id, name, params });
    return { id, answer };
  }

  /** Stops what is running. Its request is answered with what was found so far, if that is there soon. */
  cancel(): void {
    const pending = this.#pending;
    if (pending === undefined) return;
    this.#raise();
    setTimeout(() => {
      if (this.#pending === pending) this.#finish({ type: 'cancelled' });
    }, answerWithinMs);
  }

  /** Lets the worker be started again after it was given up. */
  forgive(): void {
    this.#restarts = [];
  }

  /** Gives up what is running, and ends the worker's thread; the next request has a new one. Resolves when it is gone. */
  async endWorker(): Promise<void> {
    this.#finish({ type: 'superseded' });
    const worker = this.#worker;
    this.#dropWorker();
    await worker?.terminate();
  }

  /** Ends the worker's thread at once, as a crash would. It is started again when there is something to do. */
  async terminateWorker(): Promise<void> {
    await this.#worker?.terminate();
  }

  dispose(): void {
    this.#finish({ type: 'superseded' });
    this.#dropWorker();
    this.#progress.clear();
    this.#recalled.clear();
    this.#judged.clear();
    this.#renewed.clear();
    this.#tuned.clear();
  }

  /** Makes everything before unwanted. */
  #raise(): number {
    this.#generation++;
    Atomics.store(this.#wanted, 0, this.#generation);
    if (this.#unanswered.size > 0) this.#stopTimer ??= setTimeout(() => this.#endWorker(), stopWithinMs);
    return this.#generation;
  }

  /** Ends a worker that does not stop, and lets a new one do what is wanted. */
  #endWorker(): void {
    this.#log.warn(`A superseded scan did not stop within ${stopWithinMs} ms; terminating its thread.`);
    this.#dropWorker();
    if (this.#pending?.request.generation !== this.#generation) this.#finish({ type: 'cancelled' });
    else if (this.#scan) this.#post(this.#scan);
  }

  #dropWorker(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#forgetWorker();
    void worker?.terminate();
  }

  /** What held for the last worker does not hold for the next. */
  #forgetWorker(): void {
    for (const receive of this.#calls.values()) receive(undefined);
    this.#calls.clear();
    this.#workerKnowsScan = false;
    this.#missed = undefined;
    this.#unanswered.clear();
    clearTimeout(this.#stopTimer);
    this.#stopTimer = undefined;
  }

  #send(request: Request): Promise<Outcome> {
    this.#finish({ type: 'superseded' });
    return new Promise((resolve) => {
      this.#pending = { request, resolve };
      this.#post(request);
    });
  }

  #post(request: Request): void {
    this.#worker ??= this.#start();
    this.#workerKnowsScan = true;
    this.#unanswered.add(request.generation);
    this.#worker.postMessage(request);
  }

  #start(): Worker {
    const worker = new Worker(this.#script, {
      workerData: { wanted: this.#wanted.buffer, translations: this.#words.translations } satisfies WorkerData,
      resourceLimits: { maxYoungGenerationSizeMb: youngMB },
    });
    worker.on('message', (response: Response) => {
      if (response.type !== 'readFolder' && response.type !== 'readFile') return this.#receive(response);
      // An answer to a thread that has ended meanwhile is lost without harm.
      void this.#readFileSystem(response).then((answer) => worker.postMessage(answer));
    });
    worker.on('error', (error) => this.#log.error(error));
    worker.on('exit', (code) => this.#exited(worker, code));
    return worker;
  }

  #receive(response: Exclude<Response, FileSystemQuestion>): void {
    if (!('generation' in response)) return this.#receiveBeside(response);
    if (response.type === 'judged') {
      this.#judged.tell(response);
      return;
    }
    if (response.type !== 'progress' && response.type !== 'recalled') this.#answered(response.generation);
    if (response.generation !== this.#pending?.request.generation) {
      // Nobody waits for it any more, but what is unchanged after it, is so from it on.
      if (response.type === 'report' && response.findings.complete) this.#missed = response;
      return;
    }
    switch (response.type) {
      case 'progress':
        this.#progress.tell(response);
        return;
      case 'recalled':
        this.#recalled.tell(response);
        return;
      case 'failed':
        this.#log.error(response.stack || response.message);
        this.#finish({ type: 'failed', message: response.message });
        return;
      case 'unchanged':
        this.#finish(this.#missed ? { ...this.#missed, refused: response.refused } : response);
        this.#missed = undefined;
        return;
      case 'report':
        this.#missed = undefined;
        this.#finish(response);
        return;
      case 'rejected':
        this.#finish(response);
    }
  }

  /** Takes what belongs to no request. */
  #receiveBeside(response: Exclude<Response, FileSystemQuestion | { readonly generation: number }>): void {
    switch (response.type) {
      case 'warning':
        this.#log.warn(response.message);
        return;
      case 'note':
        this.#log.info(response.message);
        return;
      case 'renewed':
        this.#renewed.tell();
        return;
      case 'tunable':
      case 'untunable':
      case 'trying':
      case 'tried':
        this.#tuned.tell(response);
        return;
      case 'returned':
      case 'threw':
        this.#calls.get(response.id)?.(response);
        this.#calls.delete(response.id);
    }
  }

  /** Requests before the answered one are not coming any more: the worker answers the newest only. */
  #answered(generation: number): void {
    for (const earlier of this.#unanswered) if (earlier <= generation) this.#unanswered.delete(earlier);
    clearTimeout(this.#stopTimer);
    this.#stopTimer = undefined;
  }

  #exited(worker: Worker, code: number): void {
    // One that was put aside on purpose is not missed.
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#forgetWorker();
    const now = Date.now();
    this.#restarts = this.#restarts.filter((time) => now - time < restartWindowMs);
    if (this.#pending === undefined) {
      this.#log.warn(`The worker thread exited with code ${code}. It will restart with the next scan.`);
      return;
    }
    if (this.#restarts.length >= maxRestarts) {
      const message = this.#words.stoppedOften(maxRestarts + 1);
      this.#log.error(`The worker thread exited with code ${code}. ${message}`);
      this.#finish({ type: 'stopped', message });
      return;
    }
    this.#restarts.push(now);
    this.#log.warn(`The worker thread exited with code ${code} during a scan. Restarting it.`);
    // A new worker knows nothing: whatever was asked, it begins with the whole scan.
    if (this.#scan) this.#post({ ...this.#scan, generation: this.#pending.request.generation });
  }

  #finish(outcome: Outcome): void {
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.resolve(outcome);
  }
}

/** The texts that count after an update. */
function withChanges(
  before: readonly Overlay[],
  { overlays, dropped }: Pick<UpdateRequest, 'overlays' | 'dropped'>,
): Overlay[] {
  const gone = new Set([...dropped, ...overlays.map(({ path }) => path)]);
  return [...before.filter(({ path }) => !gone.has(path)), ...overlays];
}
