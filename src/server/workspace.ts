/**
 * Workspace of a server: the counterpart of VS Code in the editor. Requests scans from the worker, follows changes on
 * disk and in clients' editors, and keeps the last report. All responses of a server are based on it.
 */
import { setImmediate } from 'node:timers/promises';
import { EngineClient, type Log, type Outcome } from '../client/engineClient.ts';
import { Listeners } from '../client/listeners.ts';
import { Lookout } from '../client/lookout.ts';
import { judgedReport, readReport, type Report } from '../client/report.ts';
import { within } from '../client/within.ts';
import type { Options } from '../engine/options.ts';
import type { OrganisationAnswer } from '../engine/similar/findSimilar.ts';
import type { ScanProgress } from '../indexer/scanInput.ts';
import { isConfiguration } from '../io/configuration.ts';
import { decidesListing } from '../io/pathRules.ts';
import { remedyFor } from '../io/systemLimits.ts';
import type { CheckAnswer, CheckParams, FindInOrganisationParams, FindParams, FindResult } from '../protocol/calls.ts';
import type { Overlay, RecalledNotice } from '../protocol/messages.ts';
import type { Folders } from './folders.ts';
import { FolderWatch, type Heard } from './folderWatch.ts';

export type WorkspaceState =
  | { readonly type: 'indexing'; readonly progress: ScanProgress | undefined }
  | { readonly type: 'ready' }
  /** Invalid settings: an error message each, and the location. */
  | { readonly type: 'rejected'; readonly problems: readonly string[]; readonly place: Place | undefined }
  | { readonly type: 'failed'; readonly message: string };

interface Place {
  readonly path: string;
  readonly line: number | undefined;
}

export interface WorkspaceSettings {
  readonly folders: Folders;
  /** Default values below the configuration files. */
  readonly options: Options;
  /** Absolute path of the index; `undefined` if it is not stored. */
  readonly storage: string | undefined;
  /** True if changes on disk are reported by `filesChanged`. */
  readonly isToldOfChanges: boolean;
}

/** Changes within this time are processed together: tools write several files. */
const quietMs = 200;

/** Maximum time to store the index before a server exits. Clients kill servers that do not exit. */
const maxStoreMs = 10_000;

const words = {
  stopped: 'The scanner stopped unexpectedly.',
  stoppedOften: (times: number, error: Error | undefined) =>
    remedyFor(error) ?? `The scanner stopped unexpectedly ${times} times.`,
};

export class Workspace {
  readonly #client: EngineClient;
  readonly #log: Log;
  readonly #changed = new Listeners<void>();
  /** Fires if the report or the state changes. */
  readonly onDidChange = this.#changed.add;
  readonly #lookout: Lookout;
  #settings: WorkspaceSettings;
  #watch: FolderWatch | undefined;
  #state: WorkspaceState = { type: 'indexing', progress: undefined };
  #report: Report | undefined;
  /** Compared files, which a report may mention. */
  #listed: ReadonlySet<string> = new Set();
  /** Texts that replace files, by path, and those not sent to the worker yet. */
  readonly #texts = new Map<string, string>();
  readonly #textsChanged = new Set<string>();
  readonly #filesChanged = new Set<string>();
  /** True if files may have been added or removed since `#listed`. */
  #isListedAnew = true;
  #isScanWanted = true;
  #isRenewed = false;
  #isRunning = false;
  #isDisposed = false;
  #timer: NodeJS.Timeout | undefined;
  /** Earliest time of the next automatic update, in milliseconds. */
  #restUntil = 0;
  #waiting: (() => void)[] = [];
  #waitingForStored: (() => void)[] = [];

  /** @param script  absolute path of the worker's bundle */
  constructor(script: string, settings: WorkspaceSettings, log: Log) {
    this.#settings = settings;
    this.#log = log;
    const unreadable = () => ({ reason: 'unreadable (it is not on disk)' });
    this.#client = new EngineClient(script, log, { readFolder: unreadable, readFile: unreadable }, words);
    this.#client.onDidProgress(({ progress }) => this.#set({ type: 'indexing', progress }));
    this.#client.onDidRecall((response) => void this.#recall(response));
    this.#client.onDidJudge(({ generation, judgement }) => {
      if (this.#report?.generation !== generation) return;
      this.#report = judgedReport(this.#report, judgement);
      this.#changed.tell();
    });
    this.#client.onDidRenew(() => {
      this.#isRenewed = true;
      this.#soon();
    });
    this.#lookout = new Lookout(() => this.#look());
  }

  get state(): WorkspaceState {
    return this.#state;
  }

  get folders(): Folders {
    return this.#settings.folders;
  }

  /** The last report; during indexing, the stored one, if any. */
  get report(): Report | undefined {
    return this.#report;
  }

  start(): void {
    this.#follow();
    void this.#run();
  }

  /** Applies other folders or options, and scans with the known texts. */
  configure(settings: WorkspaceSettings): void {
    this.#settings = settings;
    this.#isScanWanted = true;
    this.#follow();
    void this.#run();
  }

  /**
   * Replaces the content of a file.
   *
   * @param name  as in a report
   */
  setText(name: string, text: string): void {
    this.#texts.set(name, text);
    this.#textsChanged.add(name);
    this.#soon();
  }

  /** Restores the content of the file. */
  dropText(name: string): void {
    if (!this.#texts.delete(name)) return;
    this.#textsChanged.add(name);
    this.#soon();
  }

  textOf(name: string): string | undefined {
    return this.#texts.get(name);
  }

  /** True if the path is that of a compared file. */
  isListed(name: string): boolean {
    return this.#listed.has(name);
  }

  /**
   * Handles files that were written, created or deleted.
   *
   * @param files  absolute paths
   */
  filesChanged(files: readonly string[]): void {
    for (const file of files) this.#heard(file, 'presence');
  }

  /**
   * Applies pending changes immediately, and waits for them up to a limit. Restarts a worker that was stopped.
   *
   * @param until  `stored`: stored findings are sufficient
   */
  async upToDate(waitMs: number, until: 'ready' | 'stored' = 'ready'): Promise<void> {
    // Changes on disk before this call are reported in the next turn of the event loop, which begins after this one.
    await setImmediate();
    await setImmediate();
    if (this.#state.type === 'failed') {
      this.#client.forgive();
      this.#isScanWanted = true;
    }
    if (!this.#isRunning && !this.#hasWork()) return;
    void this.#run();
    if (until === 'stored' && this.#isRecalled) return;
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([
      new Promise<void>((resolve) => this.#waiting.push(resolve)),
      ...(until === 'stored' ? [new Promise<void>((resolve) => this.#waitingForStored.push(resolve))] : []),
      new Promise<void>((resolve) => (timer = setTimeout(resolve, waitMs))),
    ]);
    clearTimeout(timer);
  }

  /** Polls all files, and applies missed changes. */
  async lookNow(): Promise<void> {
    await this.#look();
  }

  /** @throws Error  if the worker has ended */
  find(params: FindParams): Promise<FindResult> {
    return this.#client.call('find', params);
  }

  /** @throws Error  if the worker has ended */
  findInOrganisation(request: FindInOrganisationParams): Promise<OrganisationAnswer> {
    return this.#client.call('findInOrganisation', request);
  }

  /** @throws Error  if the worker has ended */
  check(params: CheckParams): Promise<CheckAnswer> {
    return this.#client.call('check', params);
  }

  /**
   * Returns the paths in the report of files that differ from a commit, or an error message.
   *
   * @throws Error if the worker has ended
   */
  async changedSince(since: string): Promise<ReadonlySet<string> | { readonly problem: string }> {
    const names = new Set<string>();
    for (const { folder, prefix } of this.folders.roots) {
      const { paths, ...rest } = await this.#client.call('changedFiles', { folder, since });
      if (paths === undefined) return { problem: 'problem' in rest ? rest.problem : words.stopped };
      for (const name of paths) names.add(prefix + name);
    }
    return names;
  }

  /** Terminates the worker immediately, as in a crash. It is restarted when there is work. */
  terminateWorker(): Promise<void> {
    return this.#client.terminateWorker();
  }

  /** Stores the index if it is complete, within a limit. Only `dispose` may follow. */
  async store(): Promise<void> {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
    if (this.#report === undefined || this.#report.generation === recalledGeneration) return;
    await within(this.#client.store(), maxStoreMs, () => undefined);
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
    this.#lookout.dispose();
    this.#watch?.dispose();
    this.#changed.clear();
    this.#client.dispose();
    this.#release();
  }

  #follow(): void {
    this.#watch?.dispose();
    this.#watch = undefined;
    if (this.#settings.isToldOfChanges) return;
    const folders = this.folders.roots.map(({ folder }) => folder);
    this.#watch = new FolderWatch(
      folders,
      (file, what) => this.#heard(file, what),
      (message) => this.#log.warn(message),
    );
  }

  #heard(file: string, what: Heard): void {
    const name = this.folders.nameOf(file);
    if (name === undefined) return;
    if (/(^|\/)\.git\/(?!info\/)/.test(name)) return;
    const decides = decidesListing(name) || isConfiguration(name);
    // Changes in files that are not compared are ignored, unless they affect which files are.
    if (what === 'content' && !decides && !this.#listed.has(name)) return;
    if (what === 'presence' || decides) this.#isListedAnew = true;
    this.#filesChanged.add(name);
    this.#lookout.heard();
    this.#soon();
  }

  /** Schedules an update after a quiet period, and after a rest as long as the last update. */
  #soon(): void {
    if (this.#isDisposed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#run(), Math.max(quietMs, this.#restUntil - Date.now()));
  }

  #hasWork(): boolean {
    return this.#isScanWanted || this.#isRenewed || this.#filesChanged.size > 0 || this.#textsChanged.size > 0;
  }

  /** Applies all pending changes. */
  async #run(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#isRunning || this.#isDisposed) return;
    this.#isRunning = true;
    const started = Date.now();
    try {
      // If a caller waits, new changes are applied immediately; otherwise after a rest.
      do await this.#takeIn();
      while (this.#waiting.length > 0 && this.#hasWork() && !this.#isDisposed);
    } catch (error) {
      this.#log.error(error instanceof Error ? error : String(error));
      this.#set({ type: 'failed', message: String(error) });
    }
    this.#isRunning = false;
    this.#restUntil = 2 * Date.now() - started;
    this.#release();
    if (this.#hasWork()) this.#soon();
  }

  #release(): void {
    for (const resolve of [...this.#waiting.splice(0), ...this.#waitingForStored.splice(0)]) resolve();
  }

  async #takeIn(): Promise<void> {
    const outcome = await this.#ask();
    if (this.#isDisposed) return;
    if (outcome.type === 'report') {
      const report = await readReport(outcome, this.#report);
      // The response refers to a report that was not received, so the complete one is requested.
      if (report === undefined) return this.#end(await this.#client.update({ ...nothing, has: 0 }));
      this.#report = report;
    }
    await this.#end(outcome);
  }

  #ask(): Promise<Outcome> {
    const { folders, options, storage } = this.#settings;
    const overlays = (names: Iterable<string>): Overlay[] =>
      [...names].flatMap((path): Overlay[] => {
        const text = this.#texts.get(path);
        return text === undefined ? [] : [{ path, text, overFile: true }];
      });
    const texts = [...this.#textsChanged];
    const paths = [...this.#filesChanged];
    this.#textsChanged.clear();
    this.#filesChanged.clear();
    this.#isRenewed = false;
    if (this.#isScanWanted) {
      this.#isScanWanted = false;
      this.#isListedAnew = true;
      this.#set({ type: 'indexing', progress: undefined });
      const recall = this.#report === undefined;
      const { roots } = folders;
      return this.#client.scan({
        ...{ roots, options, storage, recall },
        ...{ languages: [], ignored: [], workers: 0, memoryMB: 0, overlays: overlays(this.#texts.keys()) },
      });
    }
    const dropped = texts.filter((name) => !this.#texts.has(name));
    return this.#client.update({ paths, overlays: overlays(texts), dropped, has: this.#report?.generation ?? 0 });
  }

  async #end(outcome: Outcome): Promise<void> {
    if (this.#isListedAnew && (outcome.type === 'report' || outcome.type === 'unchanged')) {
      this.#isListedAnew = false;
      const listed = (await this.#client.ask('listFiles'))?.split('\0').filter((path) => path !== '');
      if (listed) {
        this.#listed = new Set(listed);
        this.#watch?.follow(listed.flatMap((name) => this.folders.fileOf(name) ?? []));
      }
    }
    switch (outcome.type) {
      case 'report':
      case 'unchanged': {
        const { refused } = outcome;
        return this.#set(
          refused ? { type: 'rejected', problems: refused.problems, place: refused.place } : { type: 'ready' },
        );
      }
      case 'rejected': {
        const { problems, place } = outcome;
        return this.#set({ type: 'rejected', problems, place });
      }
      case 'failed':
      case 'stopped':
        return this.#set({ type: 'failed', message: outcome.message });
      case 'cancelled':
      case 'superseded':
        // Nothing is cancelled here, so the worker did not stop in time and must start again.
        this.#isScanWanted = !this.#isDisposed;
    }
  }

  /** Shows stored findings, which are older than any others. */
  async #recall({ findings, judgement, elapsedMs }: RecalledNotice): Promise<void> {
    const recalled = { findings, judgement, elapsedMs, generation: recalledGeneration, hidden: [] };
    const report = await readReport(recalled, undefined);
    if (report === undefined || this.#report !== undefined) return;
    this.#report = report;
    this.#changed.tell();
    for (const resolve of this.#waitingForStored.splice(0)) resolve();
  }

  /** True if the findings are stored ones that are being checked. */
  get #isRecalled(): boolean {
    return this.#state.type === 'indexing' && this.#report?.generation === recalledGeneration;
  }

  async #look(): Promise<number> {
    if (this.#isRunning || this.#isDisposed) return 0;
    const looked = await this.#client.pollDisk();
    if (looked === undefined) return 0;
    for (const name of looked.paths) {
      this.#filesChanged.add(name);
      this.#isListedAnew = true;
    }
    if (looked.paths.length > 0) this.#soon();
    return looked.elapsedMs;
  }

  #set(state: WorkspaceState): void {
    this.#state = state;
    this.#changed.tell();
  }
}

const nothing = { paths: [], overlays: [], dropped: [] } as const;

/** Before the first generation of a scan, which is 1. */
const recalledGeneration = 0;
