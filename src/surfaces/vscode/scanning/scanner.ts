/**
 * Runs the scans of the extension: collects the folders, settings, languages, and editor texts for a scan, and writes
 * the log. The follower (session/client/follower.ts) decides when to scan. Passes reports to the findings model.
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
import type { OwnIgnoreList } from '../ignored/ownIgnoreList.ts';
import { inBrowser } from '../inBrowser.ts';
import { EditorTexts, type TextEdit } from './editorTexts.ts';
import { type Folders, LooseDocuments, readFolders } from '../workspace/folders.ts';
import { readLanguages } from '../workspace/languages.ts';
import { changedSettings, type SettingEffect, type Settings, readSettings, readSources } from '../settings.ts';
import { fileCount, groupCounts } from '../wording.ts';
import { Subscriber } from '../subscriber.ts';

export interface FilePlace {
  readonly uri: vscode.Uri;
  /** Line number, counted from 1; `undefined` if the problem concerns the entire file. */
  readonly line: number | undefined;
}

type RejectedState = Extract<State, { type: 'rejected' }>;

/** Same as the follower's state, but a problem's place is given as a file and line. */
export type ScanState =
  | Exclude<State, RejectedState>
  | (Omit<RejectedState, 'place'> & {
      /** Place in the configuration file that causes the problem; `undefined` if the cause is a setting. */
      readonly place: FilePlace | undefined;
    });

/** Folders and languages at the beginning of the scan. */
interface Workspace {
  readonly folders: Folders;
  readonly languages: readonly ContributedLanguage[];
}

/** Folders of a report, and the notebook texts that the worker has received, by path. */
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
 * Delay in milliseconds before an update after the user has pasted or deleted a block of lines. It is short, because
 * the user is not in the middle of a word. But it is long enough to combine the several events in which VS Code may
 * report such an edit, and typing that follows immediately.
 */
const quietAfterBlockMs = 50;
/**
 * Minimum number of pasted or deleted lines for this delay. Passages may be shorter. But even a line break between
 * brackets adds two lines, and a snippet often adds three.
 */
const minBlockLines = 4;

export class Scanner extends Subscriber implements Owner<Surroundings> {
  readonly #client: EngineClient;
  readonly #findings: FindingsModel;
  readonly #log: vscode.LogOutputChannel;
  readonly #storage: vscode.Uri | undefined;
  readonly #own: OwnIgnoreList;
  readonly #follower: Follower<Surroundings>;
  readonly #stateChanged = new vscode.EventEmitter<void>();
  readonly onDidChangeState = this.#stateChanged.event;
  #state: ScanState = { type: 'idle', stopped: false };
  #settings = readSettings();
  readonly #loose = new LooseDocuments();
  readonly #texts = new EditorTexts(this.#loose);
  #workspace: Workspace | undefined;
  /** Number of files that the current scan must read because they have changed or are not in the index. */
  #filesRead = 0;
  /** Typical time in milliseconds between two saves. */
  readonly quietMs = 400;
  readonly afterFailure = 'wait';
  readonly texts: Texts = {
    all: () => this.#texts.all(this.#folders),
    changes: () => this.#texts.changes(this.#folders),
    hasChanges: () => this.#texts.hasChanges(this.#folders),
  };

  /** @param storage  folder for the extension's data about this workspace; `undefined` in a window without a folder */
  constructor(
    client: EngineClient,
    findings: FindingsModel,
    log: vscode.LogOutputChannel,
    storage: vscode.Uri | undefined,
    own: OwnIgnoreList,
  ) {
    super();
    this.#client = client;
    this.#findings = findings;
    this.#log = log;
    this.#storage = storage;
    this.#own = own;
    this.#follower = new Follower(client, this, log);
    this.own(
      client.onDidProgress(({ progress }) => {
        if (progress.phase === 'reading') this.#filesRead = progress.total;
      }),
      own.onDidChange(() => this.judgeAgain()),
      this.#texts,
      this.#texts.onDidChange((edit) => this.#follower.textsChanged(edit && this.#pauseAfter(edit))),
      this.#follower,
      this.#stateChanged,
    );
  }

  get state(): ScanState {
    return this.#state;
  }

  /** Settings when they were last read. All views use these. */
  get settings(): Settings {
    return this.#settings;
  }

  get run(): Settings['run'] {
    return this.#settings.run;
  }

  /** Languages known to VS Code when they were last read. */
  get languages(): readonly ContributedLanguage[] {
    return this.#readWorkspace().languages;
  }

  get hasFolders(): boolean {
    return !this.#folders.isEmpty;
  }

  /** True if changes are pending that will be applied automatically. */
  get isBehind(): boolean {
    return this.#follower.isBehind;
  }

  /** Scans all folders, which cancels a scan in progress. Does nothing if there is no folder. */
  scan(): Promise<Outcome> {
    return this.#follower.scan();
  }

  cancel(): void {
    this.#client.cancel();
  }

  /** Restarts the worker if it has stopped, then scans. */
  restart(): Promise<Outcome> {
    this.#client.forgive();
    return this.scan();
  }

  /** Deletes the index in memory and on disk, and scans. */
  async rebuild(): Promise<Outcome> {
    this.#client.forgive();
    await this.together(async () => {
      await this.#client.endWorker();
      await this.#removeIndex();
    });
    this.#log.info('Rebuilding the index.');
    return this.scan();
  }

  /** Applies the user's ignored entries to the last report immediately, without waiting for the file watcher. */
  judgeAgain(): void {
    this.#client.ignore(this.#own.entries);
  }

  /** Runs an action that changes several settings and files. The scanner reacts only once, after the action. */
  together<Value>(change: () => Promise<Value>): Promise<Value> {
    return this.#follower.together(change);
  }

  /** Processes a notification that files were written, created, or deleted. */
  filesChanged(files: readonly vscode.Uri[]): void {
    this.#follower.filesChanged(files.map((file) => this.#folders.pathOf(file)).filter((path) => path !== undefined));
  }

  /** Schedules a check for changes on disk, because notifications may have been missed. */
  pollSoon(): void {
    this.#follower.pollSoon();
  }

  /** Checks for changes on disk that were not reported. */
  async poll(): Promise<void> {
    await this.#follower.poll();
  }

  /** Applies pending changes immediately. Resolves when they are applied, or after `waitMs`. */
  upToDate(waitMs: number): Promise<void> {
    return this.#follower.upToDate(waitMs);
  }

  /** Reads the settings, folders, and languages again. Returns true if any of them has changed. */
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

  willRequest(): void {
    this.#findings.reportRequested();
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
    // This report was stored by an earlier window. Copies that the scan in progress adds are not new in this window. If
    // that scan has already finished, it found no changes.
    if (this.#state.type === 'scanning') this.#findings.forgetNews();
    const { findings, fileGroups } = report;
    const counts = groupCounts(findings.groups.length, fileGroups.length);
    this.#log.info(
      `Showing the findings of the last session until the scan is complete: ${counts} in ${fileCount(findings.totals.files)}.`,
    );
  }

  showFirst(report: ReportWith<Surroundings>): void {
    if (!this.#findings.showFirst(report, report.notebooks)) return;
    const { findings, fileGroups, elapsedMs } = report;
    const counts = groupCounts(findings.groups.length, fileGroups.length);
    this.#log.info(`Showing the first rows after ${elapsedMs.toLocaleString()} ms: ${counts}.`);
  }

  judged(report: ReportWith<Surroundings>): void {
    this.#findings.judge(report);
  }

  answered(outcome: Outcome, report: ReportWith<Surroundings> | undefined, work: Work): void {
    if (outcome.type === 'report' && report) this.#logReport(report, outcome, work);
    this.#findings.requestEnded();
    if (outcome.type === 'unchanged') this.#findings.stay();
  }

  get #folders(): Folders {
    return this.#readWorkspace().folders;
  }

  /** Read on first use, because reading takes most of the activation time. */
  #readWorkspace(): Workspace {
    return (this.#workspace ??= { folders: readFolders(readSources, this.#loose), languages: readLanguages() });
  }

  /**
   * Returns the delay before an update after an edit. It is shorter if the edit may have added or removed a complete
   * passage.
   */
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

  /** Returns everything that affects the findings as JSON, to detect changes. */
  #detection(): string {
    const { options, preset, memoryMB, maxVirtualFiles } = this.#settings;
    return JSON.stringify([options, preset, memoryMB, this.#folders.roots(maxVirtualFiles), this.languages]);
  }

  /** Logs the changed settings and their effect. If the change leads to a new comparison, that is logged elsewhere. */
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
    // Log updates at the level "debug", because there is one after every pause in typing.
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

/**
 * Returns a sentence about the work that was necessary because of changed settings, such as "maxDistance changed:
 * matched again."
 */
function describeTurn({ names, work }: OptionChanges): string {
  return `${names.join(', ')} changed: ${workNames[work]}.`;
}
