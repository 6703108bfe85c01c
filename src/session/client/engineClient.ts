/**
 * Client of the worker thread that owns the engine. Starts the worker on demand, and restarts it after a crash.
 *
 * Only one request is in progress. A newer request supersedes it; the older one is then answered with `superseded`.
 */
import { canShare, sharedBytes } from '../../core/collections/threads.ts';
import type { BaselineEntry } from '../../review/gate/baseline.ts';
import type { PolledChanges } from '../protocol/calls.ts';
import { Channel, ChannelEnded, type Message, type Params, type Port, type Result } from '../protocol/channel.ts';
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

/** Outcome of a request. `stopped`: the worker crashed too often and is not restarted until the user requests it. */
export type Outcome =
  | Exclude<Answer, FailedResponse>
  | { readonly type: 'failed' | 'stopped'; readonly message: string }
  /** Cancelled at a point where the worker could not stop immediately. */
  | { readonly type: 'cancelled' };

/** Maximum number of automatic restarts within the time. */
const maxRestarts = 3;
const restartWindowMs = 5 * 60_000;

/** If the worker does not stop within this time after its work is superseded, it is terminated and restarted. */
const stopWithinMs = 1_000;

/** Maximum time until a cancellation takes effect for the user. The worker stops by itself, or is terminated. */
const answerWithinMs = 100;

/** The methods of Node's `Worker` that are used here. In a browser, an object with the same methods replaces it. */
export interface WorkerThread extends Port {
  on(event: 'message', listener: (message: Message) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'exit', listener: (code: number) => void): unknown;
  terminate(): Promise<unknown>;
}

/** A worker thread and the connection to it. */
interface Connection {
  readonly worker: WorkerThread;
  readonly channel: Channel<HostMethods, WorkerMethods>;
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
  debug(message: string): void;
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
  readonly #startWorker: (data: WorkerData) => WorkerThread;
  readonly #log: Log;
  readonly #files: FileSystem;
  readonly #words: Words;
  readonly #progress = new Listeners<ProgressNotice>();
  readonly onDidProgress = this.#progress.add;
  readonly #recalled = new Listeners<RecalledNotice>();
  /** Fires with the stored findings of the last session, before those of a scan. */
  readonly onDidRecall = this.#recalled.add;
  readonly #judged = new Listeners<JudgedNotice>();
  /** Fires if the ignored groups of a sent report change. */
  readonly onDidJudge = this.#judged.add;
  readonly #renewed = new Listeners<void>();
  /** Fires if an update would return other findings although nothing has changed. */
  readonly onDidRenew = this.#renewed.add;
  readonly #tuned = new Listeners<TuneResponse>();
  /** Fires with the findings of other settings. */
  readonly onDidTune = this.#tuned.add;
  /** The wanted generation, which the worker polls in its loops. */
  readonly #wanted = new Int32Array(sharedBytes(Int32Array.BYTES_PER_ELEMENT));
  #generation = 0;
  #connection: Connection | undefined;
  #lastError: Error | undefined;
  #pending: Pending | undefined;
  /** Generations still awaiting an answer. The timer terminates the worker if it does not stop. */
  readonly #unanswered = new Set<number>();
  #stopTimer: NodeJS.Timeout | undefined;
  /** The last report that arrived after its request was superseded. */
  #missed: ReportResponse | undefined;
  /** The last scan request, which is sent again to a new worker, and whether the current worker has received it. */
  #scan: ScanRequest | undefined;
  #workerKnowsScan = false;
  /** Times of automatic restarts, in milliseconds. */
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
    if (this.#workerKnowsScan) this.#connection?.channel.notify('ignore', ignored);
  }

  /**
   * Requests the findings of other settings, which `onDidTune` reports; `undefined` cancels the request. A restarted
   * worker has to be asked again.
   */
  tune(request: TuneRequest | undefined): void {
    this.#connection?.channel.notify('tune', request);
  }

  /**
   * Calls a method of the worker, which is started if necessary.
   *
   * @throws Error  if the worker ends, or has a bug
   */
  readonly call: Connection['channel']['call'] = (...call) => this.callUntil(undefined, ...call);

  /** @param signal  cancels the call */
  readonly callUntil: Connection['channel']['callUntil'] = (...call) => this.#connected().channel.callUntil(...call);

  /** Calls a method that refers to the last scan. Returns `undefined` if the worker has no scan, or ends. */
  async ask<Name extends keyof WorkerMethods>(
    name: Name,
    ...params: Params<WorkerMethods[Name]>
  ): Promise<Result<WorkerMethods[Name]> | undefined> {
    if (!this.#workerKnowsScan) return undefined;
    return this.call(name, ...params).catch((error: unknown) => {
      if (error instanceof ChannelEnded) return undefined;
      throw error;
    });
  }

  /** Compares the disk with the last report; `undefined` if that is not possible now. */
  async pollDisk(): Promise<PolledChanges | undefined> {
    return this.#pending === undefined ? this.ask('pollDisk') : undefined;
  }

  /** Stops what is running, and stores what is new in the index. Only `dispose` may follow. */
  async store(): Promise<void> {
    if (!this.#workerKnowsScan) return;
    this.cancel();
    await this.ask('store');
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
    await this.#dropWorker();
  }

  /** Terminates the worker immediately, as in a crash. It is restarted when there is work. */
  async terminateWorker(): Promise<void> {
    await this.#connection?.worker.terminate();
  }

  dispose(): void {
    this.#finish({ type: 'superseded' });
    void this.#dropWorker();
    for (const it of [this.#progress, this.#recalled, this.#judged, this.#renewed, this.#tuned]) it.clear();
  }

  /** Supersedes all earlier generations. */
  #raise(): number {
    this.#generation++;
    Atomics.store(this.#wanted, 0, this.#generation);
    if (!canShare) this.#connection?.channel.notify('want', this.#generation);
    if (this.#unanswered.size > 0) this.#stopTimer ??= setTimeout(() => this.#endWorker(), stopWithinMs);
    return this.#generation;
  }

  /** Terminates a worker that does not stop, and sends the pending request to a new one. */
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

  /** Resets the state that belongs to the last worker. */
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
      // If the worker ends, it is restarted, or the pending request has been answered.
      () => undefined,
    );
  }

  #connected(): Connection {
    return (this.#connection ??= this.#start());
  }

  #start(): Connection {
    const worker = this.#startWorker({ wanted: this.#wanted.buffer, translations: this.#words.translations });
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
      progress: (progress) => void (isPending(progress) && this.#progress.tell(progress)),
      recalled: (recalled) => void (isPending(recalled) && this.#recalled.tell(recalled)),
      judged: (judged) => this.#judged.tell(judged),
      renewed: () => this.#renewed.tell(),
      tuned: (response) => this.#tuned.tell(response),
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
      // No request waits for it, but later `unchanged` answers refer to it.
      if (answer.type === 'report' && answer.findings.complete) this.#missed = answer;
      return;
    }
    if (answer.type === 'failed') this.#log.error(answer.stack || answer.message);
    const missed = answer.type === 'unchanged' && this.#missed;
    if (answer.type === 'unchanged' || answer.type === 'report') this.#missed = undefined;
    this.#finish(missed ? { ...missed, refused: answer.refused } : answer);
  }

  #exited(worker: WorkerThread, code: number): void {
    // It was replaced on purpose.
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
