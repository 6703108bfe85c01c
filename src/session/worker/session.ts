/**
 * The worker's side of the protocol. Owns the scan, runs one request at a time, and answers each with one response. If
 * several requests wait, only the newest is run; it includes the changes of the others.
 */
import { fileLexicons } from '../../core/engine/languages/allLexicons.ts';
import { configuredPaths } from '../../scan/indexer/configuredPaths.ts';
import { minMemoryMB } from '../../scan/indexer/memoryBudget.ts';
import type { LiveScan } from '../../scan/indexer/liveScan.ts';
import { scanToFollow } from '../../scan/indexer/scan.ts';
import type { ScanInput, ScanMonitor, DocumentSearch } from '../../scan/indexer/scanInput.ts';
import { baselineFileName, isConfiguration } from '../../scan/io/fileNames.ts';
import type { HidingRule } from '../../scan/io/sources.ts';
import type { PolledChanges } from '../protocol/calls.ts';
import type {
  Answer,
  HostMethods,
  ReportResponse,
  Request,
  ScanRequest,
  TuneRequest,
  UpdateRequest,
  WorkerMethods,
} from '../protocol/messages.ts';
import type { Findings } from '../../core/engine/report/report.ts';
import type { IndexStore } from '../../scan/indexer/indexStore.ts';
import type { BaselineEntry } from '../../review/gate/baseline.ts';
import type { Channel } from '../protocol/channel.ts';
import { configurationName, configure, type ConfiguredScan, type Folders } from './configure.ts';
import { HostReports, type ReportJudge } from './hostReports.ts';
import { Judge } from './judge.ts';
import { IndexQuestions, type ReportInputs } from './indexQuestions.ts';
import { addsMany, differs, Inputs } from './inputs.ts';
import { describeKnownToEditor, Languages } from './languages.ts';
import { configureOrKeepLast } from './lastConfigured.ts';
import {
  changesFor,
  configuredRoots,
  failureOf,
  limitsOf,
  overtake,
  touchedBy,
  type WaitingRequest,
} from './requests.ts';
import { type KeptReport, type Outcome, type ReportSources, reportOf, type LastScan } from './scanned.ts';
import { StoreKeeper } from './storeKeeper.ts';
import type { System } from './system.ts';
import { throttled } from './throttled.ts';
import { DialTrials } from './dialTrials.ts';
import { VirtualFiles } from './virtualFiles.ts';

/** Idle milliseconds before measuring the idf table and collecting garbage, which would delay an update. */
const idleMs = 5_000;

export class Session {
  readonly #system: System;
  readonly #wantedGeneration: Int32Array;
  readonly #host: Channel<WorkerMethods, HostMethods>;
  #next: WaitingRequest | undefined;
  /** Functions that resolve the calls waiting for `#next`, including calls whose requests were superseded by it. */
  #waiters: ((answer: Answer) => void)[] = [];
  /** Questions to the index, which are answered one after another. */
  readonly #questions = new IndexQuestions(() => {
    if (!this.#running) void this.#run();
  });
  readonly #trials = new DialTrials((response) => this.#host.notify('tuned', response));
  #running = false;
  /** Called when the current work has ended and the index may be stored. Set if the host is about to end the worker. */
  #storing: (() => void) | undefined;
  #scanned: LastScan = { type: 'nothing' };
  /** Paths named by interrupted updates. Their changes are in no report yet. */
  readonly #touched = new Set<string>();
  /** Reason why the options of the last request are invalid. Empty if they are valid. */
  #refusal: Pick<ReportResponse, 'refused'> = {};
  #idleTimer: NodeJS.Timeout | undefined;
  readonly #languages: Languages;
  #loggedLanguages: string | undefined;
  readonly #virtual = new VirtualFiles({
    readFolder: (uri, path) => this.#host.call('readFolder', uri, path),
    readFile: (question) => this.#host.call('readFile', question),
  });
  readonly #inputs: Inputs;
  readonly #judge: Judge;
  readonly #reports: HostReports;
  readonly #keeper: StoreKeeper;

  /** @param wantedGeneration  one Int32: the current generation */
  constructor(system: System, wantedGeneration: Int32Array, host: Channel<WorkerMethods, HostMethods>) {
    this.#system = system;
    this.#wantedGeneration = wantedGeneration;
    this.#host = host;
    const warn = (message: string): void => host.notify('warning', message);
    this.#languages = new Languages(system.disk);
    this.#inputs = new Inputs(system.disk, this.#virtual, warn);
    this.#judge = new Judge(system.disk, this.#virtual);
    this.#reports = new HostReports(
      host,
      (...report) => this.#judgeReport(...report),
      (generation) => this.#isStale(generation),
    );
    this.#keeper = new StoreKeeper(system.storage, warn);
  }

  /** Runs a request after the previous one has ended. Never rejects. */
  run(request: Request): Promise<Answer> {
    this.#next = this.#next === undefined ? request : overtake(this.#next, request);
    const answer = new Promise<Answer>((resolve) => this.#waiters.push(resolve));
    if (!this.#running) void this.#run();
    return answer;
  }

  /** Adds a question to the queue. It is answered when the index is up to date. */
  addQuestion: IndexQuestions['add'] = (answer) => this.#questions.add(answer);

  /** Like `addQuestion`, for questions that only need a search. They are answered while the index is being built. */
  addSearch: IndexQuestions['addSearch'] = (searcher) => this.#questions.addSearch(searcher);

  /** Tries other settings while there are no other requests. Never throws. */
  tune(request: TuneRequest | undefined): void {
    this.#trials.setRequest(request);
    if (!this.#running) void this.#run();
  }

  /** Returns the paths of the compared files on disk, joined with NUL. */
  listFiles(): string {
    const files = this.#scanned.type === 'kept' ? this.#scanned.last.input.listing.files : [];
    return files.flatMap((file) => ('file' in file ? [file.path] : [])).join('\0');
  }

  /** Replaces the user's own ignored entries. Reads the baselines again, and judges the last report again. */
  async ignore(ignored: readonly BaselineEntry[]): Promise<void> {
    this.#judge.own = ignored;
    this.#judge.touched([baselineFileName]);
    try {
      await this.#reports.judgeAgain();
    } catch (error) {
      this.#host.notify('warning', `Cannot determine which groups are ignored: ${String(error)}`);
    }
  }

  /** Compares the files on disk with the last report. Changes nothing. Other requests interrupt it. Never rejects. */
  async pollDisk(): Promise<PolledChanges> {
    const started = performance.now();
    let paths: readonly string[] = [];
    try {
      if (!this.#running) paths = await this.#changedUnheard();
    } catch (error) {
      this.#host.notify('warning', `Cannot poll the disk for changes: ${String(error)}`);
    }
    const elapsedMs = Math.round(performance.now() - started);
    return { paths: this.#running ? [] : paths, elapsedMs };
  }

  /** Stores changes of the index after the current work has ended. Afterwards, does no more work. Never rejects. */
  store(): Promise<undefined> {
    return new Promise((resolve) => {
      this.#storing = () => void this.#keeper.saveNow().then(() => resolve(undefined));
      if (!this.#running) this.#storing();
    });
  }

  /** Returns the rule that excludes a file. Never rejects. */
  async findHiding(path: string): Promise<HidingRule | undefined> {
    try {
      const roots = this.#scanned.type === 'kept' ? this.#scanned.last.request.roots : [];
      const onDisk = roots.filter((root) => 'folder' in root);
      return await this.#system.disk?.whatHidesIn(onDisk, path);
    } catch (error) {
      this.#host.notify('warning', `Cannot find the rule that excludes ${path}: ${String(error)}`);
      return undefined;
    }
  }

  /** Returns the bytes of a compared file that is not on disk. Never rejects. */
  contentOf(path: string): Promise<Uint8Array | undefined> {
    return this.#virtual.read(path);
  }

  async #changedUnheard(): Promise<readonly string[]> {
    const scanned = this.#scanned;
    if (scanned.type === 'nothing') return [];
    const { request } = scanned;
    const { last, live } = scanned.type === 'kept' ? scanned : {};
    const isBusy = (): boolean => this.#running;
    // Only poll folders on disk. Elsewhere, polling would take a request per folder, and the file system provider
    // reports changes itself.
    const isOnDisk = request.roots.every((root) => 'folder' in root);
    const configured = isOnDisk ? await configure(request, this.#folders) : undefined;
    const wasRefused = last === undefined || this.#refusal.refused !== undefined;
    if (configured && 'problems' in configured !== wasRefused) return [configurationName];
    if (last === undefined) return [];
    const decides = ({ options, roots }: ScanRequest): string => JSON.stringify([options, roots]);
    const isOther = configured && !('problems' in configured) && decides(configured) !== decides(last.request);
    if (isOther) return [configurationName];
    const { listing, paths } = await this.#inputs.listChanges(last.request, last.input, isBusy);
    const rewritten = (await live?.rewritten({ listing, texts: last.input.texts }, isBusy)) ?? [];
    return [...new Set([...paths, ...rewritten])].filter((path) => !wasRefused || !isConfiguration(path));
  }

  async #run(): Promise<void> {
    this.#running = true;
    clearTimeout(this.#idleTimer);
    while (this.#storing === undefined && (this.#isWanted || this.#trials.hasWork)) {
      if (this.#next === undefined) {
        await (this.#questions.size > 0 ? this.#answerQuestions() : this.#tryNext());
        continue;
      }
      const [request, askers] = [this.#next, this.#waiters];
      [this.#next, this.#waiters] = [undefined, []];
      await this.#keeper.stopWriting();
      await this.#answer(request, askers);
      this.#trials.retry();
      if (this.#next === undefined) await this.#getReady();
    }
    this.#rest();
  }

  /** Answers queued questions until a scan is requested. First builds the index, if there is none. */
  async #answerQuestions(): Promise<void> {
    await this.#keeper.stopWriting();
    await this.#getReady();
    const { live, last } = this.#scanned.type === 'kept' ? this.#scanned : {};
    while (this.#next === undefined && this.#questions.size > 0 && this.#storing === undefined) {
      await this.#questions.answerNext(live, last && this.#inputsOf(last));
    }
  }

  #inputsOf({ request, input }: ReportSources): ReportInputs {
    const lexicons = this.#languages.lexiconsFor(request.languages);
    return { request, input, lexicons, scan: this.#scanRequest(request, input) };
  }

  /** True if a request or a question is waiting, or if the index must be stored. */
  get #isWanted(): boolean {
    return this.#next !== undefined || this.#questions.size > 0 || this.#storing !== undefined;
  }

  /** Tries the next setting, unless a request arrives. */
  async #tryNext(): Promise<void> {
    await this.#keeper.stopWriting();
    await this.#getReady();
    if (this.#isWanted) return;
    const { live, last: { request } = {} } = this.#scanned.type === 'kept' ? this.#scanned : {};
    const tunable = request &&
      live && {
        live,
        decided: request.decided,
        judged: this.#reports.judged,
        judge: (findings: Findings) => this.#judgeReport(findings, request),
      };
    await this.#trials.step(tunable, () => this.#isWanted);
  }

  /** Schedules work for idle time. */
  #rest(): void {
    this.#running = false;
    if (this.#storing !== undefined) return this.#storing();
    this.#keeper.saveSoon();
    const isStale = this.#scanned.type === 'kept' && this.#scanned.live?.isStale() === true;
    this.#idleTimer = setTimeout(() => (isStale ? void this.#renew() : this.#system.collectGarbage()), idleMs);
  }

  /** Starts a new epoch (scan/indexer/epoch.ts). If a request interrupts this, it is started again later. */
  async #renew(): Promise<void> {
    const kept = this.#scanned;
    if (kept.type !== 'kept' || kept.live === undefined) return;
    const { last, live } = kept;
    this.#running = true;
    try {
      await this.#keeper.stopWriting();
      const started = performance.now();
      const before = live.findings;
      const findings = await live.renew(() => this.#isWanted || this.#trials.hasWork);
      if (findings !== undefined) {
        const isSame = JSON.stringify(findings) === JSON.stringify(before);
        if (!isSame) {
          this.#reports.keep(reportOf(last, findings, started));
          this.#host.notify('renewed');
        }
        this.#storeOf(last.request)?.follow(() => live.state());
        const what = isSame ? 'the findings are unchanged' : 'the findings changed';
        const elapsedMs = Math.round(performance.now() - started);
        this.#host.notify('note', `Recomputed token weights because the code changed; ${what} (${elapsedMs} ms).`);
      }
    } catch (error) {
      kept.live = undefined;
      this.#host.notify('warning', `Cannot update the index: ${String(error)}`);
    }
    if (!this.#isWanted && !this.#trials.hasWork) this.#rest();
    else await this.#run();
  }

  get #folders(): Folders {
    return { disk: this.#system.disk, elsewhere: this.#virtual };
  }

  #judgeReport(...[findings, request, files]: Parameters<ReportJudge>): ReturnType<ReportJudge> {
    const lexicons = fileLexicons(this.#languages.lexiconsFor(request.languages));
    const { chosenCategory } = configuredPaths(configuredRoots(request), lexicons);
    return this.#judge.judge(findings, {
      roots: request.roots,
      chosenCategory,
      commentless: this.#storeOf(request)?.commentless(),
      textOf: (path) => this.#inputs.textOf(path),
      isUnchecked: files === 'unchecked',
    });
  }

  /** Runs a request. Sends the answer before any other work begins. */
  async #answer(request: WaitingRequest, askers: readonly ((answer: Answer) => void)[]): Promise<void> {
    const outcome = this.#reports.catchUp(await this.#outcomeOf(request), request);
    if (outcome.type === 'unchanged') await this.#reports.judgeAgain();
    const answer =
      outcome.type === 'report' ? await this.#reports.pack({ ...outcome, ...this.#refusal }, request) : outcome;
    for (const resolve of askers.slice(0, -1)) resolve({ type: 'superseded' });
    askers.at(-1)!(answer.type === 'unchanged' ? { ...answer, ...this.#refusal } : answer);
  }

  async #outcomeOf(request: WaitingRequest): Promise<Outcome> {
    try {
      return await (request.type === 'scan' ? this.#scan(request) : this.#update(request));
    } catch (error) {
      return failureOf(error);
    }
  }

  async #scan({ touched = [], ...request }: ScanRequest & WaitingRequest): Promise<Outcome> {
    for (const path of touched) this.#touched.add(path);
    this.#virtual.forgetTexts(touched);
    this.#inputs.setTexts(request.overlays);
    this.#judge.own = request.ignored;
    this.#reports.beginScan(request);
    return this.#scanAll(request);
  }

  async #scanAll(request: ScanRequest): Promise<Outcome> {
    const before = this.#scanned;
    this.#scanned = { type: 'requested', request };
    await this.#system.storage.load(request.storage, request.roots);
    const { configured, refused } = await configureOrKeepLast(
      request,
      this.#folders,
      this.#system.storage,
      before.type === 'kept',
    );
    this.#refusal = refused ? { refused } : {};
    if (configured === undefined) {
      // Until the options are valid again, the last valid ones stay in effect.
      if (before.type === 'kept') this.#scanned = { ...before, request };
      for (const path of [...this.#touched].filter(isConfiguration)) this.#touched.delete(path);
      return { type: 'rejected', ...refused };
    }
    this.#judge.touchedAll(configured.roots);
    const turned = before.type === 'kept' ? await this.#applyChanges(before, request, configured) : undefined;
    if (turned) return turned;
    const recalled = request.recall ? await this.#recall(configured) : undefined;
    const input = await this.#list(configured);
    this.#logLanguages(configured, input);
    return this.#compare(configured, input, recalled, request.wantsFirst === true && recalled === undefined);
  }

  /**
   * Applies other options to the index of the last report, or adds and removes files after a change of settings or
   * folders. Returns `undefined` if a new scan is necessary.
   */
  async #applyChanges(
    before: KeptReport,
    scanRequest: ScanRequest,
    request: ConfiguredScan,
  ): Promise<Outcome | undefined> {
    const { last, live } = before;
    const difference = live && changesFor(last.request, live, request);
    if (live === undefined || difference === undefined) return undefined;
    const { changes, isListedAlike } = difference;
    const started = performance.now();
    const input = await this.#list(request);
    if (!isListedAlike && addsMany(last.input, input)) return undefined;
    // Treat every text of an editor as changed: its editor may have changed it or may have been closed.
    for (const { path } of [...last.input.texts, ...input.texts]) this.#touched.add(path);
    const touched = new Set(this.#touched);
    const monitor = this.#monitor(request.generation);
    const isTurned = changes.work !== 'nothing';
    const findings = await (isTurned
      ? live.applySettings({ options: request.options, configured: configuredRoots(request) }, input, touched, monitor)
      : live.catchUp(input, touched, monitor));
    if (findings === undefined && isTurned) return undefined;
    const isWhole = findings?.complete !== false;
    const isCutShort = !isWhole && !isListedAlike;
    const reported = isWhole ? { request, input } : isCutShort ? last : { request, input: last.input };
    this.#scanned = { type: 'kept', request: scanRequest, last: reported, live, isCutShort, isFollowable: true };
    if (isWhole) {
      this.#touched.clear();
      this.#storeOf(request)?.follow(() => live.state());
    }
    if (findings === undefined) return { type: 'unchanged' };
    return { ...reportOf({ request, input }, findings, started), turned: isTurned ? changes : undefined };
  }

  /** Sends the stored findings to the host before the scan. Returns `undefined` if there are none. */
  async #recall(request: ScanRequest): Promise<Findings | undefined> {
    const started = performance.now();
    const stored = this.#storeOf(request)?.findings();
    // If no files are compared, do not use the stored report, because only a new one states the reason.
    if (stored === undefined || stored.findings.totals.files === 0) return undefined;
    await this.#reports.recall(request, stored, started);
    return stored.findings;
  }

  /** Logs which files are lexed differently on the command line, if this has changed. */
  #logLanguages({ languages }: ScanRequest, { listing }: ScanInput): void {
    const message = describeKnownToEditor(listing.files, this.#languages.lexiconsFor(languages));
    if (message !== undefined && message !== this.#loggedLanguages) this.#host.notify('note', message);
    this.#loggedLanguages = message;
  }

  #storeOf(request: ScanRequest): IndexStore | undefined {
    const { storage, options, roots, languages, memoryMB } = request;
    const identity = {
      options,
      sources: limitsOf(request),
      lexicons: this.#languages.lexiconsFor(languages),
      files: JSON.stringify([roots, memoryMB]),
      ...this.#system.storage.digests(),
    };
    return this.#keeper.open(storage, identity);
  }

  /** Applies changes to the index of the last report. Without an index, scans again for relevant files. */
  async #update(update: UpdateRequest): Promise<Outcome> {
    const { generation } = update;
    const scanned = this.#scanned;
    if (scanned.type === 'nothing') throw new Error('An update arrived before the first scan.');
    this.#inputs.changeTexts(update);
    const touched = touchedBy(update);
    for (const path of touched) this.#touched.add(path);
    this.#virtual.forgetTexts(touched);
    this.#judge.touched(this.#touched);
    if (scanned.type === 'requested' || scanned.isCutShort || [...this.#touched].some(isConfiguration)) {
      return this.#scanAll({ ...scanned.request, generation });
    }
    const { last, live } = scanned;
    const request = { ...last.request, generation };
    const input = await this.#inputs.listAgain(request, last.input, this.#touched, () => this.#isStale(generation));
    this.#judge.touched(this.#touched);
    if (live !== undefined) return this.#follow(scanned, live, request, input);
    if (!differs(last.input, input, this.#touched)) return { type: 'unchanged' };
    return this.#compare(request, input);
  }

  async #follow(kept: KeptReport, live: LiveScan, request: ConfiguredScan, input: ScanInput): Promise<Outcome> {
    const started = performance.now();
    // Forget the index while it is updated. If the update fails, the index may be inconsistent and must not be used.
    kept.live = undefined;
    const findings = await live.update(input, new Set(this.#touched), this.#monitor(request.generation));
    kept.live = live;
    if (findings?.complete !== false) {
      kept.last = { request, input };
      this.#touched.clear();
    }
    if (findings === undefined) return { type: 'unchanged' };
    if (findings.complete) this.#storeOf(request)?.follow(() => live.state());
    return reportOf({ request, input }, findings, started);
  }

  /** Prepares for an update while idle. If the last report was a stored one, creates its index. */
  async #getReady(): Promise<void> {
    const kept = this.#scanned;
    if (kept.type !== 'kept' || this.#storing !== undefined) return;
    const isWanted = (): boolean => this.#next !== undefined || this.#storing !== undefined;
    const { request, input } = kept.last;
    try {
      if (kept.live === undefined && kept.isFollowable) {
        const onPause = (search: DocumentSearch) => this.#questions.answerSearches(search, this.#inputsOf(kept.last));
        const monitor = { onProgress: () => undefined, cancelled: isWanted, onPause };
        const started = performance.now();
        const store = this.#storeOf(request);
        const reported = store?.findings()?.contents;
        const { findings, live } = await scanToFollow(this.#scanRequest(request, input), monitor, 'index');
        if (!findings.complete) return;
        // The index contains files that were written after the report was made. The next update would find these files
        // unchanged, so keep the new report.
        if (reported !== undefined && store?.findings()?.contents !== reported) {
          this.#reports.keep(reportOf({ request, input }, findings, started));
        }
        kept.live = live;
        kept.isFollowable = live !== undefined;
      }
      await kept.live?.prepare(isWanted);
    } catch (error) {
      // The next update will scan again and report the problem.
      kept.live = undefined;
      this.#host.notify('warning', `Cannot update the index: ${String(error)}`);
    }
  }

  async #list(request: ScanRequest): Promise<ScanInput> {
    const { onProgress, cancelled } = this.#monitor(request.generation);
    const documents = request.roots.some((root) => 'uri' in root) ? this.#storeOf(request)?.openDocuments() : undefined;
    try {
      return await this.#inputs.list(
        request,
        { stored: (path) => documents?.stampOf(path)?.stamp, touched: this.#touched },
        (done, total) => onProgress({ phase: 'reading', done, total }),
        cancelled,
      );
    } finally {
      documents?.close();
    }
  }

  /** @param shown  findings that the host already shows */
  async #compare(request: ConfiguredScan, input: ScanInput, shown?: Findings, isFirstWanted = false): Promise<Outcome> {
    const started = performance.now();
    const onFirst = (findings: Findings): Promise<void> => this.#reports.sendFirst(request, findings, started);
    const monitor = { ...this.#monitor(request.generation), onFirst: isFirstWanted ? onFirst : undefined };
    const { findings, live } = await scanToFollow(this.#scanRequest(request, input), monitor, 'findings');
    const scanned = this.#scanned;
    if (findings.complete && scanned.type !== 'nothing') {
      const isFollowable = scanned.type === 'requested' || scanned.isFollowable;
      const last = { request, input };
      this.#scanned = { type: 'kept', request: scanned.request, last, live, isCutShort: false, isFollowable };
      this.#touched.clear();
      const paths = new Set(input.listing.files.map(({ path }) => path));
      this.#storeOf(request)?.commentless().keepAmong(paths);
    }
    if (findings === shown) return { type: 'unchanged' };
    return reportOf({ request, input }, findings, started);
  }

  #scanRequest(request: ScanRequest, input: ScanInput): Parameters<typeof scanToFollow>[0] {
    return {
      ...input,
      options: request.options,
      sources: limitsOf(request),
      configured: configuredRoots(request),
      lexicons: this.#languages.lexiconsFor(request.languages),
      scope: 'all',
      system: this.#system.scan,
      store: this.#storeOf(request),
      weighing: 'kept',
      whenCancelled: 'stop',
      memoryMB: request.memoryMB > 0 ? Math.max(minMemoryMB, request.memoryMB) : 0,
      workers: request.workers > 0 ? request.workers : Math.max(1, this.#system.processors - 1),
    };
  }

  #monitor(generation: number): ScanMonitor {
    return {
      onProgress: throttled((progress) => this.#host.notify('progress', { generation, progress })),
      cancelled: () => this.#isStale(generation),
    };
  }

  #isStale(generation: number): boolean {
    return Atomics.load(this.#wantedGeneration, 0) !== generation;
  }
}
