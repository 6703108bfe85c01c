/**
 * Workspace of a server. Plays the role that VS Code plays for the extension: determines what to scan, watches the
 * disk, and passes on the texts of the client's editors. All answers of the server are based on the last report.
 */
import { setImmediate } from 'node:timers/promises';
import { changedSince } from '../../session/client/changedSince.ts';
import { whyNotCompared } from '../../session/client/whyNotCompared.ts';
import { EngineClient, type Log, type Outcome } from '../../session/client/engineClient.ts';
import { nodeWorker } from '../../session/client/nodeWorker.ts';
import { Follower, type Owner, type ReportWith, type State, type Work } from '../../session/client/follower.ts';
import { Listeners } from '../../session/client/listeners.ts';
import { OpenTexts } from '../../session/client/openTexts.ts';
import { within } from '../../session/client/within.ts';
import type { Options } from '../../core/engine/options.ts';
import type { OrganisationAnswer } from '../../core/engine/similar/findSimilar.ts';
import { isConfiguration } from '../../scan/io/fileNames.ts';
import { decidesListing } from '../../scan/io/pathRules.ts';
import { remedyFor } from '../../scan/io/systemLimits.ts';
import type {
  CheckAnswer,
  CheckParams,
  FindInOrganisationParams,
  FindParams,
  FindResult,
} from '../../session/protocol/calls.ts';
import type { Folders } from './folders.ts';
import { FolderWatch, type ChangeKind } from './folderWatch.ts';

export interface WorkspaceSettings {
  readonly folders: Folders;
  /** Options of the server. A configuration file takes precedence over them. */
  readonly options: Options;
  /** Absolute path of the stored index; `undefined` to store none. */
  readonly storage: string | undefined;
  /** True if the client reports changes on disk, by way of `filesChanged`. */
  readonly clientReportsChanges: boolean;
}

interface Surroundings {
  readonly folders: Folders;
}

/** Maximum milliseconds for storing the index before the server exits. Clients kill servers that take longer. */
const maxStoreMs = 10_000;

const words = {
  stopped: 'The scanner stopped unexpectedly.',
  stoppedOften: (times: number, error: Error | undefined) =>
    remedyFor(error) ?? `The scanner stopped unexpectedly ${times} times.`,
};

export class Workspace implements Owner<Surroundings> {
  readonly #client: EngineClient;
  readonly #log: Log;
  readonly #follower: Follower<Surroundings>;
  readonly #changed = new Listeners<void>();
  readonly onDidChange = this.#changed.add;
  #settings: WorkspaceSettings;
  #watch: FolderWatch | undefined;
  /** Report paths of all compared files. */
  #listed: ReadonlySet<string> = new Set();
  /** True if files may have been added or removed since the last request. */
  #isListingDue = true;
  /** True if the request in progress compares files that may not be in `#listed`. */
  #isListedAnew = false;
  readonly texts = new OpenTexts();
  readonly run = 'onType';
  /** Time to wait for further changes, because tools often write several files in succession. */
  readonly quietMs = 200;
  /** Retry, because a server has no user who could restart the worker. */
  readonly afterFailure = 'retry';

  /** @param script  absolute path of the worker's bundle */
  constructor(script: string, settings: WorkspaceSettings, log: Log) {
    this.#settings = settings;
    this.#log = log;
    const unreadable = () => ({ reason: 'unreadable (it is not on disk)' });
    this.#client = new EngineClient(nodeWorker(script), log, { readFolder: unreadable, readFile: unreadable }, words);
    this.#follower = new Follower(this.#client, this, log);
  }

  get state(): State {
    return this.#follower.state;
  }

  get folders(): Folders {
    return this.#settings.folders;
  }

  /** The last report. During the first scan, it is the stored report; `undefined` if none was stored. */
  get report(): ReportWith<Surroundings> | undefined {
    return this.#follower.report;
  }

  start(): void {
    this.#follow();
    void this.#follower.scan();
  }

  /** Applies other folders or options, and scans again. Keeps the texts of open editors. */
  configure(settings: WorkspaceSettings): void {
    this.#settings = settings;
    this.start();
  }

  /**
   * Sets the text of an open editor, which replaces the file on disk.
   *
   * @param name  report path
   */
  setText(name: string, text: string): void {
    this.texts.set(name, text);
    this.#follower.textsChanged(this.quietMs);
  }

  /** Drops the text of an editor, so that the file on disk is used again. */
  dropText(name: string): void {
    this.texts.drop(name);
    this.#follower.textsChanged(this.quietMs);
  }

  textOf(name: string): string | undefined {
    return this.texts.of(name);
  }

  /** Returns true if the file with this report path is compared. */
  isListed(name: string): boolean {
    return this.#listed.has(name);
  }

  /**
   * Processes a notification that files were written, created, or deleted.
   *
   * @param files  absolute paths
   */
  filesChanged(files: readonly string[]): void {
    for (const file of files) this.#fileChanged(file, 'presence');
  }

  /**
   * Processes pending changes immediately, and waits for the findings for at most `waitMs`. Restarts the worker if it
   * was stopped.
   *
   * @param until  `stored`: return as soon as stored findings are available
   */
  async upToDate(waitMs: number, until: 'ready' | 'stored' = 'ready'): Promise<void> {
    // Changes on disk that precede this call are reported in the next turn of the event loop, so wait for it.
    await setImmediate();
    await setImmediate();
    await this.#follower.upToDate(waitMs, until);
  }

  /** Checks all files on disk for changes that the watchers missed, and processes them. */
  async poll(): Promise<void> {
    await this.#follower.poll();
  }

  /** @throws Error if the worker was terminated */
  find(params: FindParams): Promise<FindResult> {
    return this.#client.call('find', params);
  }

  /** @throws Error if the worker was terminated */
  findInWorktrees(params: FindParams): Promise<FindResult> {
    return this.#client.call('findInWorktrees', params);
  }

  /** @throws Error if the worker was terminated */
  findInOrganisation(request: FindInOrganisationParams): Promise<OrganisationAnswer> {
    return this.#client.call('findInOrganisation', request);
  }

  /** @throws Error if the worker was terminated */
  check(params: CheckParams): Promise<CheckAnswer> {
    return this.#client.call('check', params);
  }

  /** @throws Error if the worker was terminated */
  changedSince(since: string): ReturnType<typeof changedSince> {
    return changedSince(this.#client, this.folders.roots, since);
  }

  /** @throws Error if the worker was terminated */
  whyNotCompared(path: string): ReturnType<typeof whyNotCompared> {
    return whyNotCompared(this.#client, path, this.report?.findings.skipped ?? []);
  }

  /** Terminates the worker immediately, as a crash would. It restarts at the next request. */
  terminateWorker(): Promise<void> {
    return this.#client.terminateWorker();
  }

  /** Stores the index if it is complete, within a time limit. After this, the caller may only call `dispose`. */
  async store(): Promise<void> {
    const { report, isStored } = this.#follower;
    this.#follower.dispose();
    if (report && !isStored) await within(this.#client.store(), maxStoreMs, () => undefined);
  }

  dispose(): void {
    this.#follower.dispose();
    this.#watch?.dispose();
    this.#changed.clear();
    this.#client.dispose();
  }

  scanned(): ReturnType<Owner<Surroundings>['scanned']> {
    const { folders, options, storage } = this.#settings;
    const { roots } = folders;
    return { roots, options, storage, languages: [], ignored: [], workers: 0, memoryMB: 0 };
  }

  surroundings(): Surroundings {
    return { folders: this.folders };
  }

  willRequest(work: Work): void {
    if (work === 'scan' || this.#isListingDue) this.#isListedAnew = true;
    this.#isListingDue = false;
  }

  polled(): void {
    this.#isListingDue = true;
  }

  stateChanged(): void {
    this.#changed.fire();
  }

  show(): void {
    this.#changed.fire();
  }

  judged(): void {
    this.#changed.fire();
  }

  async answered(outcome: Outcome): Promise<void> {
    if (!this.#isListedAnew || (outcome.type !== 'report' && outcome.type !== 'unchanged')) return;
    this.#isListedAnew = false;
    const joined = await this.#client.callIfScanned('listFiles');
    if (joined === undefined) return;
    const listed = joined.split('\0').filter((path) => path !== '');
    this.#listed = new Set(listed);
    this.#watch?.follow(listed.flatMap((name) => this.folders.fileOf(name) ?? []));
  }

  #follow(): void {
    this.#watch?.dispose();
    this.#watch = undefined;
    if (this.#settings.clientReportsChanges) return;
    const folders = this.folders.roots.map(({ folder }) => folder);
    this.#watch = new FolderWatch(
      folders,
      (file, what) => this.#fileChanged(file, what),
      (message) => this.#log.warn(message),
    );
  }

  #fileChanged(file: string, what: ChangeKind): void {
    const name = this.folders.nameOf(file);
    if (name === undefined) return;
    if (/(^|\/)\.git\/(?!info\/)/.test(name)) return;
    const decides = decidesListing(name) || isConfiguration(name);
    // Ignore the change if the file is not compared and does not affect which files are compared. Until the list is
    // complete, every file may be compared.
    const mayBeListed = this.#isListingDue || this.#isListedAnew || this.#listed.has(name);
    if (what === 'content' && !decides && !mayBeListed) return;
    if (what === 'presence' || decides) this.#isListingDue = true;
    this.#follower.filesChanged([name]);
  }
}
