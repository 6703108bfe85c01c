/**
 * Client of the worker thread that owns the engine. Starts the worker on demand, and restarts it after a crash.
 *
 * Only one request is in progress. A newer request supersedes it; the older one is then answered with `superseded`.
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

/** Outcome of a request. `stopped`: the worker crashed too often and is not restarted until the user requests it. */
export type Outcome =
  | ReportResponse
  | UnchangedResponse
  | RejectedResponse
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'stopped'; readonly message: string }
  /** Cancelled at a point where the worker could not stop immediately. */
  | { readonly type: 'cancelled' }
  | { readonly type: 'superseded' };

/** Maximum number of automatic restarts within the time. */
const maxRestarts = 3;
const restartWindowMs = 5 * 60_000;

/** If the worker does not stop within this time after its work is superseded, it is terminated and restarted. */
const stopWithinMs = 1_000;

/**
 * Size of the worker's young generation in MB. The default of V8 is 48, which would increase memory use while the
 * window is open.
 */
const youngMB = 12;

/** Maximum time until a cancellation takes effect for the user. The worker stops by itself, or is terminated. */
const answerWithinMs = 100;

/** Answers the worker's requests to file systems that it cannot read itself. Never throws. */
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

/** Log with information for troubleshooting. */
export interface Log {
  error(message: string | Error): void;
  warn(message: string): void;
  info(message: string): void;
}

/** Messages to the user, localized. */
export interface Words {
  readonly stopped: string;
  /** Receives the last error of the worker, if any. */
  readonly stoppedOften: (times: number, error: Error | undefined) => string;
  /** Translations of the worker's messages by the English strings; `undefined` for English. */
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
  /** Fires with the stored findings of the last session, before those of a scan. */
  readonly onDidRecall = this.#recalled.add;
  readonly #judged = new Listeners<JudgedResponse>();
  /** Fires if the ignored groups of a sent report change. */
  readonly onDidJudge = this.#judged.add;
  readonly #renewed = new Listeners<void>();
  /** Fires if an update would return other findings although nothing has changed. */
  readonly onDidRenew = this.#renewed.add;
  readonly #tuned = new Listeners<TuneResponse>();
  /** Fires with the findings of other settings. */
  readonly onDidTune = this.#tuned.add;
  /** The wanted generation, which the worker polls in its loops. */
  readonly #wanted = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  #generation = 0;
  /** Receivers of the answers to calls, by id. */
  readonly #calls = new Map<number, (answer: CallResponse | undefined) => void>();
  #lastId = 0;
  #worker: Worker | undefined;
  #lastError: Error | undefined;
  #pending: Pending | undefined;
  /** Unanswered generations, and the timer that terminates the worker if it does not stop. */
  readonly #unanswered = new Set<number>();
  #stopTimer: NodeJS.Timeout | undefined;
  /** The last report that arrived after its request was superseded. */
  #missed: ReportResponse | undefined;
  /** The last scan request, which is sent again to a new worker, and whether the current worker has received it. */
  #scan: ScanRequest | undefined;
  #workerKnowsScan = false;
  /** Times of automatic restarts, in milliseconds. */
  #restarts: number[] = [];

  /** @param script  absolute path of the worker's bundle */
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

  /** Updates the last scan after changes. A scan must have been requested before. */
  update(changes: Omit<UpdateRequest, 'type' | 'generation'>): Promise<Outcome> {
    if (this.#scan === undefined) return Promise.reject(new Error('There is no scan to update.'));
    const generation = this.#raise();
    // State that a new worker would need.
    this.#scan = { ...this.#scan, generation, overlays: withChanges(this.#scan.overlays, changes) };
    return this.#send(this.#workerKnowsScan ? { type: 'update', generation, ...changes } : this.#scan);
  }

  /** Replaces the user's own ignored entries, which apply from now on. */
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
   * @param hide    id of a group for which a stop that hides it is searched
   */
  tune(values: DialValues | undefined, dial: DialName | undefined, hide?: string): void {
    this.#notify({ type: 'tune', id: ++this.#lastId, values, dial, hide });
  }

  /** Cancels `tune`. */
  untune(): void {
    this.#notify({ type: 'untune' });
  }

  /** Stops what is running, and stores what is new in the index. Only `dispose` may follow. */
  async store(): Promise<void> {
    if (!this.#hasScan) return;
    this.cancel();
    await this.#tryCall('store', undefined);
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

  /** Stops the current work. Its request is answered with the partial findings, if they are available soon. */
  cancel(): void {
    const pending = this.#pending;
    if (pending === undefined) return;
    this.#raise();
    setTimeout(() => {
      if (this.#pending === pending) this.#finish({ type: 'cancelled' });
    }, answerWithinMs);
  }

  /** Allows restarts again after the worker was stopped for crashing too often. */
  forgive(): void {
    this.#restarts = [];
  }

  /**
   * Abandons the current work and terminates the worker; the next request starts a new one. Resolves after termination.
   */
  async endWorker(): Promise<void> {
    this.#finish({ type: 'superseded' });
    const worker = this.#worker;
    this.#dropWorker();
    await worker?.terminate();
  }

  /** Terminates the worker immediately, as in a crash. It is restarted when there is work. */
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

  /** Supersedes all earlier generations. */
  #raise(): number {
    this.#generation++;
    Atomics.store(this.#wanted, 0, this.#generation);
    if (this.#unanswered.size > 0) this.#stopTimer ??= setTimeout(() => this.#endWorker(), stopWithinMs);
    return this.#generation;
  }

  /** Terminates a worker that does not stop, and sends the pending request to a new one. */
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

  /** Resets the state that belongs to the last worker. */
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
      // Posting to a thread that has meanwhile ended is harmless.
      void this.#readFileSystem(response).then((answer) => worker.postMessage(answer));
    });
    worker.on('error', (error) => {
      this.#lastError = error;
      this.#log.error(error);
    });
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
      // No request waits for it, but later `unchanged` answers refer to it.
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

  /** Handles responses that do not belong to a request. */
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
      case 'rowHiding':
        this.#tuned.tell(response);
        return;
      case 'returned':
      case 'threw':
        this.#calls.get(response.id)?.(response);
        this.#calls.delete(response.id);
    }
  }

  /** Earlier requests will not be answered: the worker answers only the newest one. */
  #answered(generation: number): void {
    for (const earlier of this.#unanswered) if (earlier <= generation) this.#unanswered.delete(earlier);
    clearTimeout(this.#stopTimer);
    this.#stopTimer = undefined;
  }

  #exited(worker: Worker, code: number): void {
    // It was replaced on purpose.
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
      const message = this.#words.stoppedOften(maxRestarts + 1, this.#lastError);
      this.#log.error(`The worker thread exited with code ${code}. ${message}`);
      this.#finish({ type: 'stopped', message });
      return;
    }
    this.#restarts.push(now);
    this.#log.warn(`The worker thread exited with code ${code} during a scan. Restarting it.`);
    // A new worker has no state, so every request is replaced by the complete scan.
    if (this.#scan) this.#post({ ...this.#scan, generation: this.#pending.request.generation });
  }

  #finish(outcome: Outcome): void {
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.resolve(outcome);
  }
}

/** Returns the overlays after an update. */
function withChanges(
  before: readonly Overlay[],
  { overlays, dropped }: Pick<UpdateRequest, 'overlays' | 'dropped'>,
): Overlay[] {
  const gone = new Set([...dropped, ...overlays.map(({ path }) => path)]);
  return [...before.filter(({ path }) => !gone.has(path)), ...overlays];
}
