/**
 * Decides when to scan: at the start, on command, and after changes of files or settings. Sends requests to the worker,
 * passes reports to the model, and publishes its state.
 */
import * as vscode from 'vscode';
import type { OptionChanges } from '../../engine/optionChanges.ts';
import type { ScanProgress } from '../../indexer/scanInput.ts';
import type { EngineClient, Outcome } from '../../client/engineClient.ts';
import type { ContributedLanguage, RecalledNotice, Refusal, ReportResponse } from '../../protocol/messages.ts';
import { type Judgement, recalledGeneration } from '../../protocol/judgement.ts';
import type { FindingsModel } from '../findings/findings.ts';
import type { NotebookText } from '../findings/notebookPlaces.ts';
import type { OwnIgnored } from '../findings/ownIgnored.ts';
import { EditorTexts, type TextEdit } from './editorTexts.ts';
import { isConfiguration } from '../workspace/configurationFiles.ts';
import { type Folders, LooseDocuments, readFolders } from '../workspace/folders.ts';
import { readLanguages } from '../workspace/languages.ts';
import { changedSettings, type SettingEffect, type Settings, readSettings, readSources } from '../settings.ts';
import { makeSnapshot, type Snapshot } from '../findings/snapshot.ts';
import { fileCount, groupCounts } from '../wording.ts';

export interface FilePlace {
  readonly uri: vscode.Uri;
  /** From 1; `undefined` for the whole file. */
  readonly line: number | undefined;
}

export type ScanState =
  /** No scan is in progress. `stopped`: the last one was stopped early. */
  | { readonly type: 'idle'; readonly stopped: boolean }
  | { readonly type: 'scanning'; readonly progress: ScanProgress | undefined }
  /** The settings or a configuration file are invalid. */
  | {
      readonly type: 'rejected';
      readonly problems: readonly string[];
      /** Location in the configuration file; `undefined` if the settings are invalid. */
      readonly place: FilePlace | undefined;
    }
  | { readonly type: 'failed'; readonly message: string };

/** Folders and languages at the beginning of a scan. */
interface Workspace {
  readonly folders: Folders;
  readonly languages: readonly ContributedLanguage[];
}

const effectTexts: Readonly<Record<SettingEffect, string>> = {
  found: '',
  shown: 'Updated the display; no comparison needed.',
  later: 'The change applies to later scans.',
};

/** Arguments of an update without changes. */
const noChanges: Omit<Parameters<EngineClient['update']>[0], 'has'> = { paths: [], overlays: [], dropped: [] };

/** Changes within this time are processed together: a typical pause between two saves. */
const quietMs = 400;
/**
 * Shorter pause after pasting or deleting a block, or undoing that: the user is not typing a word. It covers the pieces
 * in which VS Code reports it, and immediate further typing.
 */
const quietAfterBlockMs = 50;
/**
 * Minimum number of lines of a block, even if passages may be shorter. A line break between brackets adds two lines, a
 * snippet often three.
 */
const minBlockLines = 4;

export class Scanner implements vscode.Disposable {
  readonly #client: EngineClient;
  readonly #findings: FindingsModel;
  readonly #log: vscode.LogOutputChannel;
  readonly #storage: vscode.Uri | undefined;
  readonly #own: OwnIgnored;
  readonly #subscriptions: vscode.Disposable;
  readonly #stateChanged = new vscode.EventEmitter<void>();
  readonly onDidChangeState = this.#stateChanged.event;
  #state: ScanState = { type: 'idle', stopped: false };
  #settings = readSettings();
  readonly #loose = new LooseDocuments();
  readonly #texts = new EditorTexts(this.#loose);
  #workspace: Workspace | undefined;
  /** Number of started scans. */
  #runs = 0;
  /** Files that the current scan has to read because they are not stored or have changed. */
  #filesRead = 0;
  /** True after the first scan request. Before that, changes start no scan. */
  #started = false;
  /** Report paths of files changed since the last scan. */
  readonly #changedFiles = new Set<string>();
  #detectionChanged = false;
  #timer: NodeJS.Timeout | undefined;
  /** Number of actions in progress whose changes are followed when they have ended. */
  #held = 0;
  /** Pause before an update, depending on the last edit. */
  #pauseMs = quietMs;
  /** Last judgement that arrived separately from a report. */
  #judgedLater: { readonly generation: number; readonly judgement: Judgement } | undefined;
  /** Earliest time of the next update, in milliseconds. */
  #restUntil = 0;

  /** @param storage  the extension's folder for this workspace; `undefined` if there is none */
  constructor(
    client: EngineClient,
    findings: FindingsModel,
    log: vscode.LogOutputChannel,
    storage: vscode.Uri | undefined,
    own: OwnIgnored,
  ) {
    this.#client = client;
    this.#findings = findings;
    this.#log = log;
    this.#storage = storage;
    this.#own = own;
    this.#subscriptions = vscode.Disposable.from(
      client.onDidProgress(({ progress }) => {
        if (progress.phase === 'reading') this.#filesRead = progress.total;
        this.#set({ type: 'scanning', progress });
      }),
      client.onDidRecall((response) => void this.#recall(response)),
      client.onDidRenew(() => void this.#renew()),
      client.onDidJudge(({ generation, judgement }) => this.#judge(generation, judgement)),
      own.onDidChange(() => client.ignore(own.entries)),
      this.#texts,
      this.#texts.onDidChange((edit) => this.#textsChanged(edit)),
    );
  }

  get state(): ScanState {
    return this.#state;
  }

  /** The settings as last read, for all views. */
  get settings(): Settings {
    return this.#settings;
  }

  /** VS Code's languages as last read. */
  get languages(): readonly ContributedLanguage[] {
    return this.#known.languages;
  }

  /** True if there is a folder to scan. */
  get hasFolders(): boolean {
    return !this.#folders.isEmpty;
  }

  /** Scans all folders. Supersedes a scan in progress. Does nothing without a folder. */
  async scan(): Promise<Outcome> {
    clearTimeout(this.#timer);
    if (this.#folders.isEmpty) return { type: 'superseded' };
    this.#started = true;
    this.#changedFiles.clear();
    this.#detectionChanged = false;
    const folders = this.#folders;
    const { options, preset, workers, memoryMB } = this.#settings;
    const storage = this.#storage?.scheme === 'file' ? this.#storage.fsPath : undefined;
    const recall = this.#findings.report === undefined;
    const overlays = this.#texts.all(folders);
    const { languages } = this;
    const ignored = this.#own.entries;
    const request = {
      ...{ roots: folders.roots, options, preset, languages, workers, memoryMB, overlays, storage, recall, ignored },
    };
    return this.#run(
      'scan',
      folders,
      () => this.#client.scan(request),
      (summary, { turned, findings }) => {
        const rest = this.#filesRead < findings.totals.files ? ', the rest was known' : '';
        this.#log.info(
          turned ? `${describeTurn(turned)} ${summary}` : `${summary} Read: ${fileCount(this.#filesRead)}${rest}.`,
        );
      },
    );
  }

  get #folders(): Folders {
    return this.#known.folders;
  }

  /** Read on first use, because it would take most of the time of the activation. */
  get #known(): Workspace {
    return (this.#workspace ??= { folders: readFolders(readSources, this.#loose), languages: readLanguages() });
  }

  /** Judges the last report again immediately after writing a baseline, without waiting for the file watcher. */
  judgeAgain(): void {
    this.#client.ignore(this.#own.entries);
  }

  /** Runs an action that changes several settings and files, and follows all of its changes together when it has ended. */
  async together<Value>(change: () => Promise<Value>): Promise<Value> {
    this.#held++;
    try {
      return await change();
    } finally {
      this.#held--;
      if (this.#detectionChanged) this.#scheduleOrLeave();
      else if (this.isBehind) this.#follow();
    }
  }

  cancel(): void {
    this.#client.cancel();
  }

  /** Restarts a stopped worker, and scans. */
  restart(): Promise<Outcome> {
    this.#client.forgive();
    return this.scan();
  }

  /** Scans with a new index, after deleting the existing one in memory and on disk. */
  async rebuild(): Promise<Outcome> {
    clearTimeout(this.#timer);
    this.#client.forgive();
    await this.#client.endWorker();
    await this.#removeIndex();
    this.#log.info('Rebuilding the index.');
    return this.scan();
  }

  async #removeIndex(): Promise<void> {
    const storage = this.#storage;
    const found = storage && (await vscode.workspace.fs.readDirectory(storage).then(undefined, () => []));
    for (const [name] of found ?? []) {
      if (!name.startsWith('index.')) continue;
      try {
        await vscode.workspace.fs.delete(vscode.Uri.joinPath(storage!, name));
      } catch (error) {
        this.#log.warn(`Cannot remove ${name} of the stored index: ${String(error)}`);
      }
    }
  }

  /** Handles files that were written, created or deleted. */
  filesChanged(files: readonly vscode.Uri[]): void {
    if (!this.#started) return;
    for (const path of files.map((file) => this.#folders.pathOf(file))) {
      if (path !== undefined) this.#changedFiles.add(path);
    }
    if (this.#changedFiles.size === 0) return;
    // Switching a branch is reported file by file.
    this.#pauseMs = quietMs;
    this.#follow();
  }

  /**
   * Polls for missed changes on disk. Returns the duration in milliseconds; 0 if polling was skipped because of other
   * work, a stopped scanner, or manual mode.
   */
  async look(): Promise<number> {
    const state = this.#state;
    const isQuiet = state.type === 'rejected' || (state.type === 'idle' && !state.stopped);
    if (!this.#started || this.#settings.run === 'manual' || !isQuiet) return 0;
    const folders = this.#folders;
    const looked = await this.#client.pollDisk();
    if (looked === undefined) return 0;
    const { paths, elapsedMs } = looked;
    if (paths.length > 0 && folders === this.#folders) {
      this.#log.debug(`Changed unheard: ${fileCount(paths.length)}, ${paths[0]!} first.`);
      for (const path of paths) this.#changedFiles.add(path);
      this.#follow();
    }
    return elapsedMs;
  }

  /** Handles changed or dropped texts in editors. */
  #textsChanged(edit: TextEdit | undefined): void {
    if (!this.#started || this.#settings.run !== 'onType') return;
    // Also for texts that do not replace a file yet: VS Code may mark them dirty after the edit.
    if (edit) this.#pauseMs = this.#isBlock(edit) ? quietAfterBlockMs : quietMs;
    if (this.#texts.hasChanges(this.#folders)) this.#follow();
  }

  /** True if the edit may have added or removed a complete passage. */
  #isBlock({ lines }: TextEdit): boolean {
    return lines >= Math.max(minBlockLines, this.#settings.options.minLines ?? 0);
  }

  /** Schedules an update, except in manual mode. */
  #follow(): void {
    const { type } = this.#state;
    // After a failure only the user restarts the scanner, because it would probably fail again with each save. A
    // rejected configuration is tried again as soon as its file changes.
    const isMended = type === 'rejected' && [...this.#changedFiles].some(isConfiguration);
    if (type === 'idle' || isMended) this.#scheduleOrLeave();
    // Meanwhile the last settings remain in force.
    else if (type === 'rejected' && this.#settings.run !== 'manual') this.#schedule();
  }

  /** In manual mode, at least the reported problem is cleared. */
  #scheduleOrLeave(): void {
    if (this.#settings.run !== 'manual') this.#schedule();
    else if (this.#state.type === 'rejected') this.#set({ type: 'idle', stopped: false });
  }

  /** True if automatic updates are pending. */
  get isBehind(): boolean {
    const { run } = this.#settings;
    if (run === 'manual') return false;
    return this.#changedFiles.size > 0 || (run === 'onType' && this.#texts.hasChanges(this.#folders));
  }

  /** Reads settings, folders and languages again if they may have changed. Returns true if any has. */
  settingsChanged(): boolean {
    const [settings, folders] = [readSettings(), readFolders(readSources, this.#loose)];
    const before = [this.#settings, this.#folders.roots];
    this.#logChanges(changedSettings(this.#settings, settings));
    const detectionBefore = this.#detection();
    this.#settings = settings;
    this.#workspace = { folders, languages: readLanguages() };
    if (this.#detection() !== detectionBefore && this.#started) {
      this.#detectionChanged = true;
      this.#scheduleOrLeave();
    } else if (this.#started && this.isBehind) this.#follow();
    return JSON.stringify(before) !== JSON.stringify([settings, folders.roots]);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#subscriptions.dispose();
    this.#stateChanged.dispose();
  }

  /** Returns everything that affects the findings as text for comparison. */
  #detection(): string {
    const { options, preset, memoryMB } = this.#settings;
    return JSON.stringify([options, preset, memoryMB, this.#folders.roots, this.languages]);
  }

  /** Logs the effect of settings. A new comparison has its own log message. */
  #logChanges(changed: ReadonlyMap<string, SettingEffect>): void {
    for (const effect of ['found', 'shown', 'later'] as const) {
      const names = [...changed].filter(([, it]) => it === effect).map(([name]) => name);
      if (names.length > 0) this.#log.info(`Changed: ${names.join(', ')}. ${effectTexts[effect]}`.trimEnd());
    }
  }

  #set(state: ScanState): void {
    this.#state = state;
    this.#stateChanged.fire();
  }

  /**
   * Schedules an update after a quiet period. New settings interrupt a scan. Changed files wait for its end; otherwise
   * files that change permanently would prevent all scans. After an update it rests for the same time, so that updates
   * take at most half of the time while the user types.
   */
  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#held > 0) return;
    if (this.#state.type === 'scanning' && !this.#detectionChanged) return;
    // After inserting a block, the user expects marks immediately, and this is rare.
    const restMs = this.#pauseMs === quietAfterBlockMs ? 0 : this.#restUntil - Date.now();
    const waitMs = this.#detectionChanged ? quietMs : Math.max(this.#pauseMs, restMs);
    this.#timer = setTimeout(() => void this.#catchUp(), waitMs);
  }

  async #catchUp(): Promise<void> {
    if (this.#detectionChanged) {
      this.#log.info('Folders or detection settings have changed; scanning again.');
      this.#findings.forgetNews();
      await this.scan();
    } else if (this.isBehind) {
      const paths = [...this.#changedFiles];
      this.#changedFiles.clear();
      this.#pauseMs = quietMs;
      await this.#update({ paths, ...this.#texts.changes(this.#folders) });
    }
  }

  /** Requests findings with new token weights, unless a scan in progress provides them anyway. */
  async #renew(): Promise<void> {
    if (this.#state.type === 'idle') await this.#update(noChanges);
  }

  /** @param has  generation of the report that the response may refer to as unchanged */
  async #update(changes: typeof noChanges, has = this.#findings.report?.generation ?? 0): Promise<Outcome> {
    // A rejected configuration remains reported while edits are processed.
    const isBeside = this.#state.type === 'rejected' && !changes.paths.some(isConfiguration);
    // Logged at debug level, because it occurs at every pause in typing.
    return this.#run(
      isBeside ? 'beside' : 'update',
      this.#folders,
      () => this.#client.update({ ...changes, has }),
      (summary) => this.#log.debug(summary),
    );
  }

  /**
   * @param work  an update `beside` does not change the state
   * @param tell  receives a message about the report
   */
  async #run(
    work: 'scan' | 'update' | 'beside',
    folders: Folders,
    ask: () => Promise<Outcome>,
    tell: (summary: string, response: ReportResponse) => void,
  ): Promise<Outcome> {
    const started = Date.now();
    const run = ++this.#runs;
    const before = this.#findings.report;
    const notebooks = this.#texts.notebooks;
    this.#findings.reportAsked();
    this.#filesRead = 0;
    if (work !== 'beside') this.#set({ type: 'scanning', progress: undefined });
    const outcome = await ask().catch((error: unknown): Outcome => {
      this.#log.error(error instanceof Error ? error : String(error));
      return { type: 'failed', message: String(error) };
    });
    if (outcome.type === 'report') {
      const snapshot = await makeSnapshot(outcome, folders, before);
      if (snapshot) tell(this.#show(snapshot, outcome, notebooks), outcome);
      // The response refers to a report that was not received, so the complete one is requested.
      else if (run === this.#runs) return this.#update(noChanges, 0);
    }
    // A newer run may have taken over, and publishes its own state.
    if (outcome.type === 'superseded' || run !== this.#runs) return outcome;
    this.#findings.reportAnswered();
    this.#end(outcome, folders);
    // After a complete scan the index exists, and updates take milliseconds.
    this.#restUntil = work === 'scan' ? 0 : 2 * Date.now() - started;
    if (this.#detectionChanged && this.#settings.run !== 'manual') this.#schedule();
    else if (this.isBehind) this.#follow();
    return outcome;
  }

  /** Applies a judgement, or keeps it until its report arrives. */
  #judge(generation: number, judgement: Judgement): void {
    this.#judgedLater = { generation, judgement };
    this.#findings.judge(generation, judgement);
  }

  /** Shows stored findings, which are older than any others, until the scan completes. */
  async #recall(response: RecalledNotice): Promise<void> {
    const snapshot = await makeSnapshot(
      { ...response, generation: recalledGeneration, hidden: [] },
      this.#folders,
      undefined,
    );
    if (snapshot === undefined || !this.#findings.replace(snapshot)) return;
    // Changes since then are not new in this window. A scan without changes may have completed meanwhile.
    if (this.#state.type === 'scanning') this.#findings.forgetNews();
    const { findings, fileGroups } = snapshot;
    const counts = groupCounts(findings.groups.length, fileGroups.length);
    this.#log.info(
      `Showing the findings of the last session until the scan is complete: ${counts} in ${fileCount(findings.totals.files)}.`,
    );
  }

  /** Passes a report to the model, and returns a message about it. */
  #show(snapshot: Snapshot, { leftOut }: ReportResponse, notebooks: ReadonlyMap<string, NotebookText>): string {
    const { complete, totals, groups, skipped } = snapshot.findings;
    const how = complete ? 'Compared' : 'Stopped after comparing';
    if (this.#log.logLevel <= vscode.LogLevel.Debug && this.#log.logLevel !== vscode.LogLevel.Off) {
      for (const { path, reason } of skipped) this.#log.debug(`Excluded ${path}: ${reason}`);
    }
    // Partial findings are better than none, but worse than an older complete report.
    if (complete || this.#findings.report === undefined) this.#findings.replace(snapshot, notebooks);
    if (this.#judgedLater) this.#findings.judge(this.#judgedLater.generation, this.#judgedLater.judgement);
    const elapsed = snapshot.elapsedMs.toLocaleString();
    const reasons = leftOut.map(([reason, files]) => `${files.toLocaleString()} ${reason}`).join(', ');
    const without = totals.skipped === 0 ? '' : `, ${fileCount(totals.skipped)} excluded (${reasons})`;
    const { crowdedWindows } = totals;
    if (crowdedWindows !== undefined)
      this.#log.debug(`Windows compared only with the nearest others: ${crowdedWindows}.`);
    return `${how} ${fileCount(totals.files)} in ${elapsed} ms: ${groupCounts(groups.length, snapshot.fileGroups.length)}${without}.`;
  }

  #end(outcome: Exclude<Outcome, { type: 'superseded' }>, folders: Folders): void {
    switch (outcome.type) {
      case 'report':
        if (outcome.refused) this.#refuse(outcome.refused, folders);
        else this.#set({ type: 'idle', stopped: !outcome.findings.complete });
        return;
      case 'unchanged':
        this.#findings.stay();
        if (outcome.refused) this.#refuse(outcome.refused, folders);
        else this.#set({ type: 'idle', stopped: false });
        return;
      case 'cancelled':
        this.#set({ type: 'idle', stopped: true });
        return;
      case 'rejected':
        this.#refuse(outcome, folders);
        return;
      case 'failed':
      case 'stopped':
        this.#set({ type: 'failed', message: outcome.message });
    }
  }

  /** Reports it once. */
  #refuse({ problems, place }: Refusal, folders: Folders): void {
    if (this.#state.type === 'rejected' && this.#state.problems.join() === problems.join()) return;
    this.#log.error(`Cannot scan. ${problems.join(' ')}`);
    this.#set({ type: 'rejected', problems, place: place && { uri: folders.uriOf(place.path), line: place.line } });
  }
}

const workNames: Readonly<Record<OptionChanges['work'], string>> = {
  nothing: 'no work needed',
  files: 'compared whole files again',
  groups: 'made groups again',
  matches: 'matched again',
  fingerprints: 'recomputed fingerprints and matched again',
  tokens: 'read all files again',
};

/** Describes the work for other settings: "maxDistance changed: matched again." */
function describeTurn({ names, work }: OptionChanges): string {
  return `${names.join(', ')} changed: ${workNames[work]}.`;
}
