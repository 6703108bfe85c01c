/**
 * Workspace of a server: the counterpart of VS Code in the editor. Says what to scan, watches the disk, and passes on
 * the texts of clients' editors. All responses of a server are based on the last report.
 */
import { setImmediate } from 'node:timers/promises';
import { changedSince } from '../../session/client/changedSince.ts';
import { EngineClient, type Log, type Outcome } from '../../session/client/engineClient.ts';
import { nodeWorker } from '../../session/client/nodeWorker.ts';
import { Follower, type Owner, type ReportWith, type State, type Work } from '../../session/client/follower.ts';
import { Listeners } from '../../session/client/listeners.ts';
import { OpenTexts } from '../../session/client/openTexts.ts';
import { within } from '../../session/client/within.ts';
import type { Options } from '../../core/engine/options.ts';
import type { OrganisationAnswer } from '../../core/engine/similar/findSimilar.ts';
import { isConfiguration } from '../../scan/io/configuration.ts';
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
import { FolderWatch, type Heard } from './folderWatch.ts';

export interface WorkspaceSettings {
  readonly folders: Folders;
  /** Default values below the configuration files. */
  readonly options: Options;
  /** Absolute path of the index; `undefined` if it is not stored. */
  readonly storage: string | undefined;
  /** True if changes on disk are reported by `filesChanged`. */
  readonly isToldOfChanges: boolean;
}

interface Surroundings {
  readonly folders: Folders;
}

/** Maximum time to store the index before a server exits. Clients kill servers that do not exit. */
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
  /** Fires if the report or the state changes. */
  readonly onDidChange = this.#changed.add;
  #settings: WorkspaceSettings;
  #watch: FolderWatch | undefined;
  /** Compared files, which a report may mention. */
  #listed: ReadonlySet<string> = new Set();
  /** True if files may have been added or removed since `#listed`. */
  #isListedAnew = true;
  readonly texts = new OpenTexts();
  readonly run = 'onType';
  /** Tools write several files. */
  readonly quietMs = 200;
  /** Nobody else restarts the worker. */
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

  /** The last report; during a scan, the stored one, if any. */
  get report(): ReportWith<Surroundings> | undefined {
    return this.#follower.report;
  }

  start(): void {
    this.#follow();
    void this.#follower.scan();
  }

  /** Applies other folders or options, and scans with the known texts. */
  configure(settings: WorkspaceSettings): void {
    this.#settings = settings;
    this.start();
  }

  /**
   * Replaces the content of a file.
   *
   * @param name  as in a report
   */
  setText(name: string, text: string): void {
    this.texts.set(name, text);
    this.#follower.textsChanged(this.quietMs);
  }

  /** Restores the content of the file. */
  dropText(name: string): void {
    this.texts.drop(name);
    this.#follower.textsChanged(this.quietMs);
  }

  textOf(name: string): string | undefined {
    return this.texts.of(name);
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
    await this.#follower.upToDate(waitMs, until);
  }

  /** Polls all files, and applies missed changes. */
  async lookNow(): Promise<void> {
    await this.#follower.poll();
  }

  /** @throws Error  if the worker has ended */
  find(params: FindParams): Promise<FindResult> {
    return this.#client.call('find', params);
  }

  /** @throws Error  if the worker has ended */
  findInWorktrees(params: FindParams): Promise<FindResult> {
    return this.#client.call('findInWorktrees', params);
  }

  /** @throws Error  if the worker has ended */
  findInOrganisation(request: FindInOrganisationParams): Promise<OrganisationAnswer> {
    return this.#client.call('findInOrganisation', request);
  }

  /** @throws Error  if the worker has ended */
  check(params: CheckParams): Promise<CheckAnswer> {
    return this.#client.call('check', params);
  }

  /** @throws Error  if the worker has ended */
  changedSince(since: string): ReturnType<typeof changedSince> {
    return changedSince(this.#client, this.folders.roots, since);
  }

  /** Terminates the worker immediately, as in a crash. It is restarted when there is work. */
  terminateWorker(): Promise<void> {
    return this.#client.terminateWorker();
  }

  /** Stores the index if it is complete, within a limit. Only `dispose` may follow. */
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

  asked(work: Work): void {
    if (work === 'scan') this.#isListedAnew = true;
  }

  polled(): void {
    this.#isListedAnew = true;
  }

  stateChanged(): void {
    this.#changed.tell();
  }

  show(): void {
    this.#changed.tell();
  }

  judged(): void {
    this.#changed.tell();
  }

  async answered(outcome: Outcome): Promise<void> {
    if (!this.#isListedAnew || (outcome.type !== 'report' && outcome.type !== 'unchanged')) return;
    this.#isListedAnew = false;
    const joined = await this.#client.ask('listFiles');
    if (joined === undefined) return;
    const listed = joined.split('\0').filter((path) => path !== '');
    this.#listed = new Set(listed);
    this.#watch?.follow(listed.flatMap((name) => this.folders.fileOf(name) ?? []));
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
    this.#follower.filesChanged([name]);
  }
}
