/**
 * Client of the worker thread that owns the engine. Starts the worker on demand, and restarts it after a crash.
 *
 * Only one request is in progress at a time. A newer request supersedes it, and the older one is answered with
 * `superseded`.
 */
import { canShare, sharedBytes } from '../../core/collections/threads.ts';
import type { BaselineEntry } from '../../review/gate/baseline.ts';
import type { PolledChanges } from '../protocol/calls.ts';
import { Channel, ChannelEndedError, type Message, type Params, type Port, type Result } from '../protocol/channel.ts';
import type {
  Answer,
  FailedResponse,
  FileSystem,
  HostMethods,
  JudgedNotice,
  Overlay,
  ProgressNotice,
  RecalledNotice,
  ReportResponse,
  Request,
  ScanRequest,
  TuneRequest,
  TuneResponse,
  UpdateRequest,
  WorkerData,
  WorkerMethods,
} from '../protocol/messages.ts';
import { Listeners } from './listeners.ts';

/** Outcome of a request. `stopped`: the worker has crashed too often, and is restarted only on request. */
export type Outcome =
  | Exclude<Answer, FailedResponse>
  | { readonly type: 'failed' | 'stopped'; readonly message: string }
  /** The request was canceled, and the worker could not stop quickly enough to return partial findings. */
  | { readonly type: 'cancelled' };

/** Maximum number of automatic restarts within `restartWindowMs`. */
const maxRestarts = 3;
const restartWindowMs = 5 * 60_000;

/** Milliseconds that the worker has to stop superseded work. After that, it is terminated and restarted. */
const stopWithinMs = 1_000;

/** Milliseconds until a canceled request ends for the user. The worker may still send partial findings. */
const answerWithinMs = 100;

/** Methods that search the index of the last scan. */
const usesIndex: ReadonlySet<keyof WorkerMethods> = new Set(['find', 'findInWorktrees', 'check']);

/** The methods of Node's `Worker` that are used here. Browsers need another implementation. */
export interface WorkerThread extends Port {
  on(event: 'message', listener: (message: Message) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'exit', listener: (code: number) => void): unknown;
  terminate(): Promise<unknown>;
}

/** A worker thread, and the channel for messages to it. */
interface Connection {
  readonly worker: WorkerThread;
  readonly channel: Channel<HostMethods, WorkerMethods>;
}

interface PendingRequest {
  readonly request: Request;
  readonly resolve: (outcome: Outcome) => void;
}

/** Log with information for troubleshooting. */
export interface Log {
  error(message: string | Error): void;
  warn(message: string): void;
  info(message: string): void;
  debug(message: string): void;
}

/** Localized messages for the user. */
export interface Words {
  readonly stopped: string;
  /** Returns the message for a worker that has crashed too often. `error` is its last error, if known. */
  readonly stoppedOften: (times: number, error: Error | undefined) => string;
  /** Translations of the worker's messages, by English text. `undefined` for English. */
  readonly translations?: Readonly<Record<string, string>> | undefined;
}

export class EngineClient {
  readonly #startWorker: (data: WorkerData) => WorkerThread;
  readonly #log: Log;
  readonly #files: FileSystem;
  readonly #words: Words;
  readonly #progress = new Listeners<ProgressNotice>();
  readonly onDidProgress = this.#progress.add;
  readonly #recalled = new Listeners<RecalledNotice>();
  /** Fires with the stored findings of the last session, before the findings of the first scan. */
  readonly onDidRecall = this.#recalled.add;
  readonly #first = new Listeners<RecalledNotice>();
  /** Called with the first findings of the current scan. */
  readonly onDidFindFirst = this.#first.add;
  readonly #judged = new Listeners<JudgedNotice>();
  /** Fires when the ignored groups of the last report change. */
  readonly onDidJudge = this.#judged.add;
  readonly #renewed = new Listeners<void>();
  /** Fires when the findings change although no file has changed, because the weights of tokens were measured again. */
  readonly onDidRenew = this.#renewed.add;
  readonly #tuned = new Listeners<TuneResponse>();
  /** Fires with results of trials of other settings. */
  readonly onDidTune = this.#tuned.add;
  /** The generation that the worker should process, in shared memory, where it can be read during long loops. */
  readonly #wantedGeneration = new Int32Array(sharedBytes(Int32Array.BYTES_PER_ELEMENT));
  #generation = 0;
  #connection: Connection | undefined;
  #lastError: Error | undefined;
  #pending: PendingRequest | undefined;
  /** Generations that have not been answered yet. The timer terminates a worker that does not stop. */
  readonly #unanswered = new Set<number>();
  #stopTimer: NodeJS.Timeout | undefined;
  /** The last report whose request was already superseded when the report arrived. */
  #missed: ReportResponse | undefined;
  /** `#scan`: the last scan request, for a new worker. The second field is true if the current one has received it. */
  #scan: ScanRequest | undefined;
  #workerKnowsScan = false;
  /** Times of the recent automatic restarts, in milliseconds. */
  #restarts: number[] = [];

  constructor(startWorker: (data: WorkerData) => WorkerThread, log: Log, files: FileSystem, words: Words) {
    this.#startWorker = startWorker;
    this.#log = log;
    this.#files = files;
    this.#words = words;
  }

  scan(request: Omit<ScanRequest, 'type' | 'generation'>): Promise<Outcome> {
    const generation = this.#raise();
    this.#scan = { type: 'scan', generation, ...request };
    return this.#send(this.#scan);
  }

  /** Sends the changes since the last scan. Precondition: a scan was requested before. */
  update(changes: Omit<UpdateRequest, 'type' | 'generation'>): Promise<Outcome> {
    if (this.#scan === undefined) return Promise.reject(new Error('There is no scan to update.'));
    const generation = this.#raise();
    // Add the changes to the scan request, in case a new worker needs it.
    this.#scan = { ...this.#scan, generation, overlays: withChanges(this.#scan.overlays, changes) };
    return this.#send(this.#workerKnowsScan ? { type: 'update', generation, ...changes } : this.#scan);
  }

  /** Replaces the user's own ignored entries. */
  ignore(ignored: readonly BaselineEntry[]): void {
    if (this.#scan) this.#scan = { ...this.#scan, ignored };
    if (this.#workerKnowsScan) this.#connection?.channel.notify('ignore', ignored);
  }

  /**
   * Requests trials of other settings; `onDidTune` fires with the results. `undefined` cancels the previous request. If
   * the worker is restarted, the caller must send the request again.
   */
  tune(request: TuneRequest | undefined): void {
    this.#connection?.channel.notify('tune', request);
  }

  /**
   * Calls a method of the worker. Starts the worker if necessary.
   *
   * @throws Error if the worker ends, or if the method throws
   */
  readonly call: Connection['channel']['call'] = (...call) => this.callUntil(undefined, ...call);

  /** @param signal  cancels the call */
  readonly callUntil: Connection['channel']['callUntil'] = (...call) => {
    // If the worker has ended while idle, the new one has no index yet. It answers after this scan.
    if (usesIndex.has(call[1]) && !this.#workerKnowsScan && this.#scan !== undefined) {
      this.#scan = { ...this.#scan, generation: this.#raise(), recall: false };
      this.#post(this.#scan);
    }
    return this.#connected().channel.callUntil(...call);
  };

  /** Calls a method of the worker that uses its last scan; `undefined` if it has none, or ends before it answers. */
  async callIfScanned<Name extends keyof WorkerMethods>(
    name: Name,
    ...params: Params<WorkerMethods[Name]>
  ): Promise<Result<WorkerMethods[Name]> | undefined> {
    if (!this.#workerKnowsScan) return undefined;
    return this.call(name, ...params).catch((error: unknown) => {
      if (error instanceof ChannelEndedError) return undefined;
      throw error;
    });
  }

  /** Compares the files on disk with the last report. Returns `undefined` during a request or without a scan. */
  async pollDisk(): Promise<PolledChanges | undefined> {
    return this.#pending === undefined ? this.callIfScanned('pollDisk') : undefined;
  }

  /** Stops the current work, and lets the worker store changes of the index. Then, only `dispose` may be called. */
  async store(): Promise<void> {
    if (!this.#workerKnowsScan) return;
    this.cancel();
    await this.callIfScanned('store');
  }

  /** Cancels the current request. If partial findings are available within a short time, they are its answer. */
  cancel(): void {
    const pending = this.#pending;
    if (pending === undefined) return;
    this.#raise();
    setTimeout(() => {
      if (this.#pending === pending) this.#finish({ type: 'cancelled' });
    }, answerWithinMs);
  }

  /** Allows automatic restarts again, after the worker has crashed too often. */
  forgive(): void {
    this.#restarts = [];
  }

  /** Abandons the current work, and resolves when the worker has ended. The next request starts a new one. */
  async endWorker(): Promise<void> {
    this.#finish({ type: 'superseded' });
    await this.#dropWorker();
  }

  /** Terminates the worker immediately, as if it had crashed. It is restarted when there is work. */
  async terminateWorker(): Promise<void> {
    await this.#connection?.worker.terminate();
  }

  dispose(): void {
    this.#finish({ type: 'superseded' });
    void this.#dropWorker();
    for (const it of [this.#progress, this.#recalled, this.#first, this.#judged, this.#renewed, this.#tuned])
      it.clear();
  }

  /** Increments the generation, which supersedes all earlier requests. */
  #raise(): number {
    this.#generation++;
    Atomics.store(this.#wantedGeneration, 0, this.#generation);
    if (!canShare) this.#connection?.channel.notify('want', this.#generation);
    if (this.#unanswered.size > 0) this.#stopTimer ??= setTimeout(() => this.#endWorker(), stopWithinMs);
    return this.#generation;
  }

  /** Terminates a worker that does not stop. A new worker then receives the pending request. */
  #endWorker(): void {
    this.#log.warn(`A superseded scan did not stop within ${stopWithinMs} ms; terminating its thread.`);
    void this.#dropWorker();
    if (this.#pending?.request.generation !== this.#generation) this.#finish({ type: 'cancelled' });
    else if (this.#scan) this.#post(this.#scan);
  }

  async #dropWorker(): Promise<void> {
    const worker = this.#connection?.worker;
    this.#forgetWorker();
    await worker?.terminate();
  }

  /** Resets all state that refers to the current worker. */
  #forgetWorker(): void {
    this.#connection?.channel.end(this.#words.stopped);
    this.#connection = undefined;
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
    const { channel } = this.#connected();
    this.#workerKnowsScan = true;
    this.#unanswered.add(request.generation);
    channel.call('run', request).then(
      (answer) => this.#answered(request.generation, answer),
      // Ignore the rejection. Either the worker has ended and is restarted, or the request has been answered already.
      () => undefined,
    );
  }

  #connected(): Connection {
    return (this.#connection ??= this.#start());
  }

  #start(): Connection {
    const worker = this.#startWorker({
      wantedGeneration: this.#wantedGeneration.buffer,
      translations: this.#words.translations,
    });
    worker.on('error', (error) => {
      this.#lastError = error;
      this.#log.error(error);
    });
    worker.on('exit', (code) => this.#exited(worker, code));
    const isPending = ({ generation }: { readonly generation: number }): boolean =>
      generation === this.#pending?.request.generation;
    const channel = new Channel<HostMethods, WorkerMethods>(worker);
    channel.serve({
      readFolder: (uri, path) => this.#files.readFolder(uri, path),
      readFile: (question) => this.#files.readFile(question),
      writeFile: (uri, name, bytes) => this.#files.writeFile?.(uri, name, bytes),
      progress: (progress) => void (isPending(progress) && this.#progress.fire(progress)),
      recalled: (recalled) => void (isPending(recalled) && this.#recalled.fire(recalled)),
      foundFirst: (first) => void (isPending(first) && this.#first.fire(first)),
      judged: (judged) => this.#judged.fire(judged),
      renewed: () => this.#renewed.fire(),
      tuned: (response) => this.#tuned.fire(response),
      warning: (message) => this.#log.warn(message),
      note: (message) => this.#log.info(message),
    });
    return { worker, channel };
  }

  #answered(generation: number, answer: Answer): void {
    this.#unanswered.delete(generation);
    clearTimeout(this.#stopTimer);
    this.#stopTimer = undefined;
    if (generation !== this.#pending?.request.generation) {
      // Keep this report although no request waits for it, because a later `unchanged` answer may refer to it.
      if (answer.type === 'report' && answer.findings.complete) this.#missed = answer;
      return;
    }
    if (answer.type === 'failed') this.#log.error(answer.stack || answer.message);
    const missed = answer.type === 'unchanged' && this.#missed;
    if (answer.type === 'unchanged' || answer.type === 'report') this.#missed = undefined;
    this.#finish(missed ? { ...missed, refused: answer.refused } : answer);
  }

  #exited(worker: WorkerThread, code: number): void {
    // Ignore the exit of a worker that was replaced on purpose.
    if (this.#connection?.worker !== worker) return;
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
    // A new worker has no state, so first send it the complete scan, regardless of the pending request.
    if (this.#scan) this.#post({ ...this.#scan, generation: this.#pending.request.generation });
  }

  #finish(outcome: Outcome): void {
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.resolve(outcome);
  }
}

/** Applies the changes of an update to a list of overlays. */
function withChanges(
  before: readonly Overlay[],
  { overlays, dropped }: Pick<UpdateRequest, 'overlays' | 'dropped'>,
): Overlay[] {
  const replacedPaths = new Set([...dropped, ...overlays.map(({ path }) => path)]);
  return [...before.filter(({ path }) => !replacedPaths.has(path)), ...overlays];
}
