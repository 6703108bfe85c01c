/**
 * Scans of the extension: which folders, settings, languages, and texts of editors count, and what is logged. The
 * follower (session/client/follower.ts) decides when to scan, and its reports are passed to the model.
 */
import * as vscode from 'vscode';
import type { OptionChanges } from '../../../core/engine/optionChanges.ts';
import type { EngineClient, Outcome } from '../../../session/client/engineClient.ts';
import {
  Follower,
  type Owner,
  type ReportWith,
  type State,
  type Texts,
  type Work,
} from '../../../session/client/follower.ts';
import type { ContributedLanguage, ReportResponse } from '../../../session/protocol/messages.ts';
import { recalledGeneration } from '../../../session/protocol/judgement.ts';
import type { FindingsModel } from '../findings/findings.ts';
import type { NotebookText } from '../findings/notebookPlaces.ts';
import type { OwnIgnored } from '../findings/ownIgnored.ts';
import { inBrowser } from '../inBrowser.ts';
import { EditorTexts, type TextEdit } from './editorTexts.ts';
import { type Folders, LooseDocuments, readFolders } from '../workspace/folders.ts';
import { readLanguages } from '../workspace/languages.ts';
import { changedSettings, type SettingEffect, type Settings, readSettings, readSources } from '../settings.ts';
import { fileCount, groupCounts } from '../wording.ts';

export interface FilePlace {
  readonly uri: vscode.Uri;
  /** From 1; `undefined` for the whole file. */
  readonly line: number | undefined;
}

type Rejected = Extract<State, { type: 'rejected' }>;

/** State of the follower, with the place of a problem as a file. */
export type ScanState =
  | Exclude<State, Rejected>
  | (Omit<Rejected, 'place'> & {
      /** Location in the configuration file; `undefined` if the settings are invalid. */
      readonly place: FilePlace | undefined;
    });

/** Folders and languages at the beginning of a scan. */
interface Workspace {
  readonly folders: Folders;
  readonly languages: readonly ContributedLanguage[];
}

/** Folders of a report, and the notebooks that it was made of, by path. */
interface Surroundings {
  readonly folders: Folders;
  readonly notebooks: ReadonlyMap<string, NotebookText>;
}

const effectTexts: Readonly<Record<SettingEffect, string>> = {
  found: '',
  shown: 'Updated the display; no comparison needed.',
  later: 'The change applies to later scans.',
};

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

export class Scanner implements vscode.Disposable, Owner<Surroundings> {
  readonly #client: EngineClient;
  readonly #findings: FindingsModel;
  readonly #log: vscode.LogOutputChannel;
  readonly #storage: vscode.Uri | undefined;
  readonly #own: OwnIgnored;
  readonly #follower: Follower<Surroundings>;
  readonly #subscriptions: vscode.Disposable;
  readonly #stateChanged = new vscode.EventEmitter<void>();
  readonly onDidChangeState = this.#stateChanged.event;
  #state: ScanState = { type: 'idle', stopped: false };
  #settings = readSettings();
  readonly #loose = new LooseDocuments();
  readonly #texts = new EditorTexts(this.#loose);
  #workspace: Workspace | undefined;
  /** Files that the current scan has to read because they are not stored or have changed. */
  #filesRead = 0;
  /** A typical pause between two saves. */
  readonly quietMs = 400;
  readonly afterFailure = 'wait';
  readonly texts: Texts = {
    all: () => this.#texts.all(this.#folders),
    changes: () => this.#texts.changes(this.#folders),
    hasChanges: () => this.#texts.hasChanges(this.#folders),
  };

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
    this.#follower = new Follower(client, this, log);
    this.#subscriptions = vscode.Disposable.from(
      client.onDidProgress(({ progress }) => {
        if (progress.phase === 'reading') this.#filesRead = progress.total;
      }),
      own.onDidChange(() => this.judgeAgain()),
      this.#texts,
      this.#texts.onDidChange((edit) => this.#follower.textsChanged(edit && this.#pauseAfter(edit))),
      this.#follower,
    );
  }

  get state(): ScanState {
    return this.#state;
  }

  /** The settings as last read, for all views. */
  get settings(): Settings {
    return this.#settings;
  }

  get run(): Settings['run'] {
    return this.#settings.run;
  }

  /** VS Code's languages as last read. */
  get languages(): readonly ContributedLanguage[] {
    return this.#known.languages;
  }

  /** True if there is a folder to scan. */
  get hasFolders(): boolean {
    return !this.#folders.isEmpty;
  }

  /** True if automatic updates are pending. */
  get isBehind(): boolean {
    return this.#follower.isBehind;
  }

  /** Scans all folders. Supersedes a scan in progress. Does nothing without a folder. */
  scan(): Promise<Outcome> {
    return this.#follower.scan();
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
    this.#client.forgive();
    await this.together(async () => {
      await this.#client.endWorker();
      await this.#removeIndex();
    });
    this.#log.info('Rebuilding the index.');
    return this.scan();
  }

  /** Judges the last report again immediately, without waiting for the file watcher. */
  judgeAgain(): void {
    this.#client.ignore(this.#own.entries);
  }

  /** Runs an action that changes several settings and files, and follows all of its changes together when it has ended. */
  together<Value>(change: () => Promise<Value>): Promise<Value> {
    return this.#follower.together(change);
  }

  /** Handles files that were written, created or deleted. */
  filesChanged(files: readonly vscode.Uri[]): void {
    this.#follower.filesChanged(files.map((file) => this.#folders.pathOf(file)).filter((path) => path !== undefined));
  }

  /** Polls the disk soon, because changes may have been missed. */
  pollSoon(): void {
    this.#follower.pollSoon();
  }

  /** Polls for missed changes on disk. */
  async poll(): Promise<void> {
    await this.#follower.poll();
  }

  /** Applies pending changes immediately, and waits for them up to a limit. */
  upToDate(waitMs: number): Promise<void> {
    return this.#follower.upToDate(waitMs);
  }

  /** Reads settings, folders and languages again if they may have changed. Returns true if any has. */
  settingsChanged(): boolean {
    const [settings, folders] = [readSettings(), readFolders(readSources, this.#loose)];
    const before = [this.#settings, this.#folders.roots()];
    this.#logChanges(changedSettings(this.#settings, settings));
    const detectionBefore = this.#detection();
    this.#settings = settings;
    this.#workspace = { folders, languages: readLanguages() };
    if (this.#detection() !== detectionBefore) this.#follower.settingsChanged();
    else if (this.isBehind) this.#follower.follow();
    return JSON.stringify(before) !== JSON.stringify([settings, folders.roots()]);
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#stateChanged.dispose();
  }

  scanned(): ReturnType<Owner<Surroundings>['scanned']> {
    if (this.#folders.isEmpty) return undefined;
    const { options, preset, workers, memoryMB, maxVirtualFiles } = this.#settings;
    const storage = inBrowser ? this.#storage?.toString() : this.#storage?.fsPath;
    const { languages } = this;
    const [roots, ignored] = [this.#folders.roots(maxVirtualFiles), this.#own.entries];
    return { roots, options, preset, languages, workers, memoryMB, storage, ignored };
  }

  surroundings(): Surroundings {
    return { folders: this.#folders, notebooks: this.#texts.notebooks };
  }

  asked(): void {
    this.#findings.reportAsked();
    this.#filesRead = 0;
  }

  willScanAgain(): void {
    this.#log.info('Folders or detection settings have changed; scanning again.');
    this.#findings.forgetNews();
  }

  stateChanged(): void {
    const { state } = this.#follower;
    if (state.type === 'rejected') {
      const { problems, place } = state;
      this.#log.error(`Cannot scan. ${problems.join(' ')}`);
      this.#state = { ...state, place: place && { uri: this.#folders.uriOf(place.path), line: place.line } };
    } else this.#state = state;
    this.#stateChanged.fire();
  }

  show(report: ReportWith<Surroundings>): void {
    if (!this.#findings.replace(report, report.notebooks) || report.generation !== recalledGeneration) return;
    // Changes since then are not new in this window. A scan without changes may have completed meanwhile.
    if (this.#state.type === 'scanning') this.#findings.forgetNews();
    const { findings, fileGroups } = report;
    const counts = groupCounts(findings.groups.length, fileGroups.length);
    this.#log.info(
      `Showing the findings of the last session until the scan is complete: ${counts} in ${fileCount(findings.totals.files)}.`,
    );
  }

  judged(report: ReportWith<Surroundings>): void {
    this.#findings.judge(report);
  }

  answered(outcome: Outcome, report: ReportWith<Surroundings> | undefined, work: Work): void {
    if (outcome.type === 'report' && report) this.#logReport(report, outcome, work);
    this.#findings.reportAnswered();
    if (outcome.type === 'unchanged') this.#findings.stay();
  }

  get #folders(): Folders {
    return this.#known.folders;
  }

  /** Read on first use, because it would take most of the time of the activation. */
  get #known(): Workspace {
    return (this.#workspace ??= { folders: readFolders(readSources, this.#loose), languages: readLanguages() });
  }

  /** Returns the pause after an edit, which is shorter if it may have added or removed a complete passage. */
  #pauseAfter({ lines }: TextEdit): number {
    return lines >= Math.max(minBlockLines, this.#settings.options.minLines ?? 0) ? quietAfterBlockMs : this.quietMs;
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

  /** Returns everything that affects the findings as text for comparison. */
  #detection(): string {
    const { options, preset, memoryMB, maxVirtualFiles } = this.#settings;
    return JSON.stringify([options, preset, memoryMB, this.#folders.roots(maxVirtualFiles), this.languages]);
  }

  /** Logs the effect of settings. A new comparison has its own log message. */
  #logChanges(changed: ReadonlyMap<string, SettingEffect>): void {
    for (const effect of ['found', 'shown', 'later'] as const) {
      const names = [...changed].filter(([, it]) => it === effect).map(([name]) => name);
      if (names.length > 0) this.#log.info(`Changed: ${names.join(', ')}. ${effectTexts[effect]}`.trimEnd());
    }
  }

  #logReport(
    { findings: { complete, totals, groups, skipped }, fileGroups, elapsedMs }: ReportWith<Surroundings>,
    { leftOut, turned }: ReportResponse,
    work: Work,
  ): void {
    if (this.#log.logLevel <= vscode.LogLevel.Debug && this.#log.logLevel !== vscode.LogLevel.Off) {
      for (const { path, reason } of skipped) this.#log.debug(`Excluded ${path}: ${reason}`);
    }
    const { crowdedWindows } = totals;
    if (crowdedWindows !== undefined)
      this.#log.debug(`Windows compared only with the nearest others: ${crowdedWindows}.`);
    const how = complete ? 'Compared' : 'Stopped after comparing';
    const reasons = leftOut.map(([reason, files]) => `${files.toLocaleString()} ${reason}`).join(', ');
    const without = totals.skipped === 0 ? '' : `, ${fileCount(totals.skipped)} excluded (${reasons})`;
    const counts = groupCounts(groups.length, fileGroups.length);
    const summary = `${how} ${fileCount(totals.files)} in ${elapsedMs.toLocaleString()} ms: ${counts}${without}.`;
    // Updates are logged at debug level, because they occur at every pause in typing.
    if (work !== 'scan') return this.#log.debug(summary);
    const rest = this.#filesRead < totals.files ? ', the rest was known' : '';
    this.#log.info(
      turned ? `${describeTurn(turned)} ${summary}` : `${summary} Read: ${fileCount(this.#filesRead)}${rest}.`,
    );
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
