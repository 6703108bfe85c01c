/**
 * Follows folders and open texts, for the extension and the servers. It decides when to scan and when to update, sends
 * the requests to the worker, and holds the last report. Its owner provides the folders to scan, and reports changes.
 */
import type { ScanProgress } from '../../scan/indexer/scanInput.ts';
import type { Judgement } from '../protocol/judgement.ts';
import { recalledGeneration } from '../protocol/judgement.ts';
import type { Overlay, RecalledNotice, Refusal, ScanRequest } from '../protocol/messages.ts';
import { isConfiguration } from '../../scan/io/fileNames.ts';
import { type Clock, systemClock } from './clock.ts';
import type { EngineClient, Log, Outcome } from './engineClient.ts';
import type { Subscription } from './listeners.ts';
import { DiskPolling } from './diskPolling.ts';
import { judgedReport, type PackedReport, readReport, type Report } from './report.ts';
import { within } from './within.ts';

export type State =
  /** No request is in progress. `stopped`: the last scan was stopped before its end. */
  | { readonly type: 'idle'; readonly stopped: boolean }
  | { readonly type: 'scanning'; readonly progress: ScanProgress | undefined }
  /** The settings are invalid or, if there is a `place`, that configuration file. */
  | { readonly type: 'rejected'; readonly problems: readonly string[]; readonly place: Refusal['place'] }
  | { readonly type: 'failed'; readonly message: string };

/** A report, and the state of the follower's owner at the time of the request. */
export type ReportWith<Surroundings> = Report & Surroundings;

/** Kind of request. `beside` is an update that leaves the state: the configuration stays reported as invalid. */
export type Work = 'scan' | 'update' | 'beside';

/** Texts in editors. They replace the content of files. */
export interface Texts {
  /** Returns all current texts. Afterwards, they are treated as sent to the worker. */
  all(): readonly Overlay[];
  /** Returns the changes since the last call. Afterwards, they are treated as sent to the worker. */
  changes(): { readonly overlays: readonly Overlay[]; readonly dropped: readonly string[] };
  /** Returns true if `changes` would return at least one change. */
  hasChanges(): boolean;
}

/** The user of a follower, which is the extension or a server. */
export interface Owner<Surroundings> {
  /** Kind of changes that lead to an update automatically: none, changes of files, or changes of files and texts. */
  readonly run: 'manual' | 'onSave' | 'onType';
  /** Quiet period in milliseconds. An update begins when no change has arrived for this long. */
  readonly quietMs: number;
  /**
   * Behavior after a failure. `wait`: wait until the user asks for a scan, because each change would probably cause the
   * failure again. `retry`: try again after the next change.
   */
  readonly afterFailure: 'wait' | 'retry';
  readonly texts: Texts;
  /** Returns the folders and settings to scan. Returns `undefined` if there is no folder. */
  scanned(): Omit<ScanRequest, 'type' | 'generation' | 'overlays' | 'recall' | 'wantsFirst'> | undefined;
  /** Returns the state of the owner that is stored with a report. Called when the report is requested. */
  surroundings(): Surroundings;
  stateChanged(): void;
  /** Called before a request is sent. */
  willRequest(work: Work): void;
  /** Called after a poll has found changed files. */
  polled?(): void;
  /** Called before a scan that is needed because the result of `scanned` has changed. */
  willScanAgain?(): void;
  /** Called with each new report, and with the stored report of the last session. */
  show(report: ReportWith<Surroundings>): void;
  /** Called with the first findings of a scan while there is no report. If omitted, they are not computed. */
  showFirst?(report: ReportWith<Surroundings>): void;
  /** Called with the last report when its ignored groups have changed. */
  judged(report: ReportWith<Surroundings>): void;
  /** Called after an answer, before the state changes. Not called if a newer request has been sent meanwhile. */
  answered(outcome: Outcome, report: ReportWith<Surroundings> | undefined, work: Work): Promise<void> | void;
}

/** Parameters for an update without changes. */
const noChanges: Omit<Parameters<EngineClient['update']>[0], 'has'> = { paths: [], overlays: [], dropped: [] };

type Failure = Extract<Outcome, { type: 'failed' | 'stopped' }>;

interface Waiter {
  readonly resolve: () => void;
  /** True if stored findings are enough for the caller. */
  readonly isForStored: boolean;
}

/** The methods of the engine client that a follower calls. */
export type Client = Pick<
  EngineClient,
  | 'scan'
  | 'update'
  | 'pollDisk'
  | 'cancel'
  | 'forgive'
  | 'onDidProgress'
  | 'onDidRecall'
  | 'onDidFindFirst'
  | 'onDidRenew'
  | 'onDidJudge'
>;

export class Follower<Surroundings extends object> {
  readonly #client: Client;
  readonly #owner: Owner<Surroundings>;
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #polling: DiskPolling;
  readonly #subscriptions: readonly Subscription[];
  #state: State = { type: 'idle', stopped: false };
  #report: ReportWith<Surroundings> | undefined;
  /** True if the report is the stored one, and the first scan, which will replace it, has not ended yet. */
  #isUnchecked = false;
  /** Resolves when the stored findings that have arrived are unpacked. */
  #recalled: Promise<unknown> = Promise.resolve();
  /** Number of all requests so far (`#runs`), and number of requests in progress. */
  #runs = 0;
  #running = 0;
  /** True after the first scan request. Before that, changes are ignored. */
  #started = false;
  #isDisposed = false;
  /** Paths, as in the report, of the files that have changed since the last request. */
  readonly #changedFiles = new Set<string>();
  #isScanDue = false;
  #cancelTimer: () => void = () => undefined;
  /** Number of `together` actions in progress. Changes lead to an update when the last one has ended. */
  #held = 0;
  /** Pause in milliseconds before the next update. It depends on the kind of the last change. */
  #pauseMs: number;
  /** The last judgement that was sent separately from its report. */
  #judgedLater: { readonly generation: number; readonly judgement: Judgement } | undefined;
  /** Earliest time of the next update, in milliseconds. */
  #restUntil = 0;
  #waiting: Waiter[] = [];

  constructor(client: Client, owner: Owner<Surroundings>, log: Log, clock: Clock = systemClock) {
    this.#client = client;
    this.#owner = owner;
    this.#pauseMs = owner.quietMs;
    this.#log = log;
    this.#clock = clock;
    this.#polling = new DiskPolling(() => this.poll(), clock);
    this.#subscriptions = [
      client.onDidProgress(({ progress }) => this.#set({ type: 'scanning', progress })),
      client.onDidRecall((recalled) => void this.#recall(recalled)),
      client.onDidFindFirst((first) => void this.#showFirst(first)),
      client.onDidRenew(() => void this.#renew()),
      client.onDidJudge((judged) => this.#judge(judged)),
    ];
  }

  get state(): State {
    return this.#state;
  }

  /** The last report. During the first scan, this is the stored report of the last session, if there is one. */
  get report(): ReportWith<Surroundings> | undefined {
    return this.#report;
  }

  /** True if the current report is the stored one of the last session. */
  get isStored(): boolean {
    return this.#report?.generation === recalledGeneration;
  }

  /** True if there are changes for which an automatic update should run. */
  get isBehind(): boolean {
    const { run, texts } = this.#owner;
    if (run === 'manual') return false;
    return this.#isScanDue || this.#changedFiles.size > 0 || (run === 'onType' && texts.hasChanges());
  }

  /** Scans all folders. Supersedes a scan in progress. Does nothing if there is no folder. */
  async scan(): Promise<Outcome> {
    this.#cancelTimer();
    const request = this.#owner.scanned();
    if (request === undefined || this.#isDisposed) return { type: 'superseded' };
    this.#started = true;
    this.#changedFiles.clear();
    this.#isScanDue = false;
    const overlays = this.#owner.texts.all();
    const recall = this.#report === undefined;
    const first = recall && this.#owner.showFirst !== undefined ? { wantsFirst: true } : {};
    return this.#run('scan', () => this.#client.scan({ ...request, overlays, recall, ...first }));
  }

  /** Schedules a scan because the result of `scanned` has changed. */
  settingsChanged(): void {
    if (!this.#started) return;
    this.#isScanDue = true;
    this.#scheduleOrLeave();
  }

  /**
   * Schedules an update because files were written, created, or deleted.
   *
   * @param paths  paths as in the report
   */
  filesChanged(paths: readonly string[]): void {
    this.#polling.changeReported();
    if (!this.#started) return;
    for (const path of paths) this.#changedFiles.add(path);
    if (this.#changedFiles.size === 0) return;
    // Wait for the quiet period, because a change of branch is reported file by file.
    this.#pauseMs = this.#owner.quietMs;
    this.follow();
  }

  /**
   * Schedules an update because texts in editors were changed or closed.
   *
   * @param pauseMs  pause in milliseconds before the update; `undefined` to keep the pause of the last change. A pause
   *   shorter than `quietMs` means that the user expects the result immediately
   */
  textsChanged(pauseMs: number | undefined): void {
    if (!this.#started || this.#owner.run !== 'onType') return;
    this.#pauseMs = pauseMs ?? this.#pauseMs;
    if (this.#owner.texts.hasChanges()) this.follow();
  }

  /** Schedules an update if there are changes, except in manual mode. */
  follow(): void {
    if (!this.#started) return;
    const { type } = this.#state;
    // If a configuration file is invalid, try again as soon as any configuration file changes.
    const isMended = type === 'rejected' && [...this.#changedFiles].some(isConfiguration);
    const isRetried = type === 'failed' && this.#owner.afterFailure === 'retry';
    if (type === 'idle' || isMended || isRetried) this.#scheduleOrLeave();
    // Until the configuration is valid again, update with the last valid settings.
    else if (type === 'rejected' && this.#owner.run !== 'manual') this.#schedule();
  }

  /** Runs an action that changes several settings and files. The update for them runs after the action. */
  async together<Value>(change: () => Promise<Value>): Promise<Value> {
    this.#held++;
    this.#cancelTimer();
    try {
      return await change();
    } finally {
      this.#held--;
      if (this.#isScanDue) this.#scheduleOrLeave();
      else if (this.isBehind) this.follow();
    }
  }

  /**
   * Sends pending changes immediately. Waits until the findings are up to date, but at most for `waitMs`.
   *
   * @param until  `stored` to return as soon as stored findings are available
   */
  async upToDate(waitMs: number, until: 'ready' | 'stored' = 'ready'): Promise<void> {
    if (this.#state.type === 'failed') {
      if (this.#owner.afterFailure === 'wait') return;
      this.#client.forgive();
      this.#isScanDue = true;
    }
    if (this.#running === 0) {
      if (!this.isBehind) return;
      void this.#catchUp();
    }
    const isForStored = until === 'stored';
    if (isForStored && this.#isUnchecked && this.#report) return;
    const answered = new Promise<void>((resolve) => this.#waiting.push({ resolve, isForStored }));
    await within(answered, waitMs, () => undefined);
  }

  /** Schedules a poll of the disk, because changes may have been missed. */
  pollSoon(): void {
    this.#polling.changeReported();
  }

  /**
   * Polls the disk for changes that were not reported. Returns the duration in milliseconds. Does nothing and returns 0
   * while other work is in progress, after a stopped scan, or in manual mode.
   */
  async poll(): Promise<number> {
    const state = this.#state;
    const isQuiet = state.type === 'rejected' || (state.type === 'idle' && !state.stopped);
    if (!this.#started || this.#isDisposed || this.#owner.run === 'manual' || !isQuiet) return 0;
    const polled = await this.#client.pollDisk();
    if (polled === undefined) return 0;
    const { paths, elapsedMs } = polled;
    if (paths.length > 0) {
      this.#log.debug(`Changed unheard: ${paths.length}, ${paths[0]!} first.`);
      for (const path of paths) this.#changedFiles.add(path);
      this.#owner.polled?.();
      this.follow();
    }
    return elapsedMs;
  }

  /** Ends all activity of the follower. The worker continues to run. */
  dispose(): void {
    this.#isDisposed = true;
    this.#cancelTimer();
    this.#polling.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#release(() => true);
  }

  /** Schedules an update. In manual mode, only clears the reported problem. */
  #scheduleOrLeave(): void {
    if (this.#owner.run !== 'manual') this.#schedule();
    else if (this.#state.type === 'rejected') this.#set({ type: 'idle', stopped: false });
  }

  /**
   * Schedules an update after the quiet period. Changed settings interrupt a running scan. Changed files do not,
   * because files that change all the time would prevent every scan. Between updates, there is a pause of at least the
   * duration of the last update, so that updates take at most half of the time while the user types.
   */
  #schedule(): void {
    this.#cancelTimer();
    if (this.#held > 0 || this.#isDisposed) return;
    if (this.#state.type === 'scanning' && !this.#isScanDue) return;
    const { quietMs } = this.#owner;
    // A pause shorter than the quiet period means that a block was pasted or deleted. This is rare, so do not wait
    // because of the last update's duration.
    const restMs = this.#pauseMs < quietMs ? 0 : this.#restUntil - this.#clock.now();
    const waitMs = this.#isScanDue ? quietMs : Math.max(this.#pauseMs, restMs);
    this.#cancelTimer = this.#clock.after(waitMs, () => void this.#catchUp());
  }

  async #catchUp(): Promise<void> {
    this.#cancelTimer();
    if (this.#isScanDue) {
      this.#owner.willScanAgain?.();
      await this.scan();
    } else if (this.isBehind) {
      const paths = [...this.#changedFiles];
      this.#changedFiles.clear();
      this.#pauseMs = this.#owner.quietMs;
      await this.#update({ paths, ...this.#owner.texts.changes() });
    }
  }

  /** Requests the findings with new token weights, unless a request is in progress, which will use them. */
  async #renew(): Promise<void> {
    if (this.#state.type === 'idle') await this.#update(noChanges);
  }

  /** @param has  generation of the last report. The answer may contain only the differences from it */
  async #update(changes: typeof noChanges, has = this.#report?.generation ?? 0): Promise<Outcome> {
    const isBeside = this.#state.type === 'rejected' && !changes.paths.some(isConfiguration);
    return this.#run(isBeside ? 'beside' : 'update', () => this.#client.update({ ...changes, has }));
  }

  async #run(work: Work, request: () => Promise<Outcome>): Promise<Outcome> {
    const started = this.#clock.now();
    const run = ++this.#runs;
    const before = this.#report;
    const surroundings = this.#owner.surroundings();
    this.#owner.willRequest(work);
    if (work !== 'beside') this.#set({ type: 'scanning', progress: undefined });
    this.#running++;
    const outcome = await request().catch((error: unknown) => this.#failed(error));
    // The answer refers to stored findings, which may have arrived just before it.
    if (outcome.type === 'unchanged') await this.#recalled;
    this.#running--;
    if (this.#isDisposed) return outcome;
    if (outcome.type !== 'superseded') this.#isUnchecked = false;
    let report: ReportWith<Surroundings> | undefined;
    if (outcome.type === 'report') {
      report = await this.#read(outcome, surroundings, before);
      if (this.#isDisposed) return outcome;
      // The answer is relative to a report that was not received, so request a complete one.
      if (report === undefined && run === this.#runs) return this.#update(noChanges, 0);
    }
    // If there is a newer request, leave the state to it.
    if (outcome.type === 'superseded' || run !== this.#runs) return outcome;
    const problem = await this.#notifyOwner(outcome, report, work);
    if (run !== this.#runs || this.#isDisposed) return outcome;
    this.#end(problem ?? outcome);
    // After a complete scan, the index exists. From then on, updates take milliseconds, so do not let the scan's
    // duration delay them.
    this.#restUntil = work === 'scan' ? 0 : 2 * this.#clock.now() - started;
    this.#goOn();
    return outcome;
  }

  /** Calls the owner with the outcome of a request. If the owner throws, returns a failure. */
  async #notifyOwner(
    outcome: Outcome,
    report: ReportWith<Surroundings> | undefined,
    work: Work,
  ): Promise<Failure | undefined> {
    try {
      await this.#owner.answered(outcome, report, work);
      return undefined;
    } catch (error) {
      return this.#failed(error);
    }
  }

  #failed(error: unknown): Failure {
    this.#log.error(error instanceof Error ? error : String(error));
    return { type: 'failed', message: String(error) };
  }

  /** Schedules an update for changes during a request. If a caller waits for their result, updates immediately. */
  #goOn(): void {
    const isBehind = this.isBehind;
    if (isBehind && this.#waiting.length > 0 && this.#held === 0 && this.#state.type !== 'failed') void this.#catchUp();
    else {
      this.#release(() => true);
      if (this.#isScanDue && isBehind) this.#schedule();
      else if (isBehind) this.follow();
    }
  }

  #release(isDone: (waiting: Waiter) => boolean): void {
    const done = this.#waiting.filter(isDone);
    this.#waiting = this.#waiting.filter((waiting) => !isDone(waiting));
    for (const { resolve } of done) resolve();
  }

  /** Unpacks a report. Keeps and shows it, unless the current report is better. */
  async #read(
    packed: PackedReport,
    surroundings: Surroundings,
    before: ReportWith<Surroundings> | undefined,
  ): Promise<ReportWith<Surroundings> | undefined> {
    const read = await readReport(packed, before);
    if (read === undefined || this.#isDisposed) return undefined;
    const { generation, judgement } = this.#judgedLater ?? {};
    const isJudged = judgement !== undefined && generation === read.generation;
    const report = { ...(isJudged ? judgedReport(read, judgement) : read), ...surroundings };
    const now = this.#report;
    // An incomplete report is better than no report, but worse than an older complete one.
    const isBetter = now === undefined || (report.findings.complete && report.generation > now.generation);
    if (!isBetter) return report;
    this.#report = report;
    this.#owner.show(report);
    return report;
  }

  /** Applies a judgement to the report of the same generation. If that has not arrived yet, waits for it. */
  #judge(judged: { readonly generation: number; readonly judgement: Judgement }): void {
    this.#judgedLater = judged;
    const { generation, judgement } = judged;
    if (this.#report?.generation !== generation || this.#report.judgement === judgement) return;
    this.#report = { ...this.#report, ...judgedReport(this.#report, judgement) };
    this.#owner.judged(this.#report);
  }

  /** Shows stored findings until the first scan has ended. */
  async #recall({ findings, judgement, elapsedMs }: RecalledNotice): Promise<void> {
    if (this.#report !== undefined) return;
    const recalled = { findings, judgement, elapsedMs, generation: recalledGeneration, hidden: [] };
    this.#isUnchecked = true;
    this.#recalled = this.#read(recalled, this.#owner.surroundings(), undefined);
    await this.#recalled;
    this.#release(({ isForStored }) => isForStored);
  }

  /** Shows the first findings of a scan. They do not become the report, because they are incomplete. */
  async #showFirst({ findings, judgement, elapsedMs }: RecalledNotice): Promise<void> {
    const first = { findings, judgement, elapsedMs, generation: recalledGeneration, hidden: [] };
    const surroundings = this.#owner.surroundings();
    const read = await readReport(first, undefined);
    if (read === undefined || this.#report !== undefined || this.#isDisposed) return;
    this.#owner.showFirst?.({ ...read, ...surroundings });
  }

  #end(outcome: Exclude<Outcome, { type: 'superseded' }>): void {
    switch (outcome.type) {
      case 'report':
      case 'unchanged': {
        const stopped = outcome.type === 'report' && !outcome.findings.complete;
        return outcome.refused ? this.#refuse(outcome.refused) : this.#set({ type: 'idle', stopped });
      }
      case 'cancelled':
        return this.#set({ type: 'idle', stopped: true });
      case 'rejected':
        return this.#refuse(outcome);
      case 'failed':
      case 'stopped':
        return this.#set({ type: 'failed', message: outcome.message });
    }
  }

  /** Changes the state to `rejected`, unless the same problems are already reported. */
  #refuse({ problems, place }: Refusal): void {
    if (this.#state.type === 'rejected' && this.#state.problems.join() === problems.join()) return;
    this.#set({ type: 'rejected', problems, place });
  }

  #set(state: State): void {
    this.#state = state;
    this.#owner.stateChanged();
  }
}
