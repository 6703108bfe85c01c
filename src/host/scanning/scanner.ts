/**
 * Decides when to scan: at the start, on command, when files or settings change. It asks the worker, gives each report
 * to the model, and says what is going on.
 */
import * as vscode from 'vscode';
import type { OptionChanges } from '../../engine/optionChanges.ts';
import type { ScanProgress } from '../../indexer/scanInput.ts';
import type { EngineClient, Outcome } from '../../client/engineClient.ts';
import type { ContributedLanguage, RecalledResponse, Refusal, ReportResponse } from '../../protocol/messages.ts';
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

/** A line of a file. */
export interface FilePlace {
  readonly uri: vscode.Uri;
  /** From 1; undefined when it is about the whole file. */
  readonly line: number | undefined;
}

export type ScanState =
  /** Nothing is going on: before the first scan, or between two. `stopped`: the last one was, before its end. */
  | { readonly type: 'idle'; readonly stopped: boolean }
  | { readonly type: 'scanning'; readonly progress: ScanProgress | undefined }
  /** The settings, or a configuration file, cannot be used. */
  | {
      readonly type: 'rejected';
      readonly problems: readonly string[];
      /** The configuration file that they are in; undefined when they are in the settings. */
      readonly place: FilePlace | undefined;
    }
  | { readonly type: 'failed'; readonly message: string };

/** What is known of folders and languages when a scan begins. */
interface Workspace {
  readonly folders: Folders;
  readonly languages: readonly ContributedLanguage[];
}

const effectTexts: Readonly<Record<SettingEffect, string>> = {
  found: '',
  shown: 'Updated the display; no comparison needed.',
  later: 'The change applies to later scans.',
};

/** What an update tells when nothing has changed. */
const noChanges: Omit<Parameters<EngineClient['update']>[0], 'has'> = { paths: [], overlays: [], dropped: [] };

/** Changes that follow each other within this time are one. As long as a person pauses between two saves. */
const quietMs = 400;
/**
 * After a paste, a deletion, or the undoing of one, nobody is in the middle of a word. So much for what VS Code tells of it piece by
 * piece, and for whoever goes on typing at once.
 */
const quietAfterBlockMs = 50;
/** Lines that are a block at least, however short passages may be: a line break between brackets makes two, a snippet often three. */
const leastBlockLines = 4;

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
  /** How many scans were begun. */
  #runs = 0;
  /** Files that the running one has to read: those that are not stored as they are. */
  #filesRead = 0;
  /** Whether a scan was ever asked for: before that, changes start none. */
  #started = false;
  /** Files that changed since the last scan, as a report names them. */
  readonly #changedFiles = new Set<string>();
  #detectionChanged = false;
  #timer: NodeJS.Timeout | undefined;
  /** For how long no more may come before it is quiet: by the last edit. */
  #pauseMs = quietMs;
  /** What was said last of a report beside it. */
  #judgedLater: { readonly generation: number; readonly judgement: Judgement } | undefined;
  /** No update begins before this time, in milliseconds. */
  #restUntil = 0;

  /** @param storage  the extension's folder for this workspace; undefined when it has none */
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

  /** The settings as last read. Views take theirs from here. */
  get settings(): Settings {
    return this.#settings;
  }

  /** What VS Code knows of languages, as last read. */
  get languages(): readonly ContributedLanguage[] {
    return this.#known.languages;
  }

  /** Whether there is anything to scan. */
  get hasFolders(): boolean {
    return !this.#folders.isEmpty;
  }

  /** Scans all folders. A scan under way is given up for it. Does nothing when there is no folder. */
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

  /** Read when it is first asked for: activating would wait for it longer than for all else of the scanner. */
  get #known(): Workspace {
    return (this.#workspace ??= { folders: readFolders(readSources, this.#loose), languages: readLanguages() });
  }

  /** Judges the last report again, since a baseline was written: at once, without waiting for the file watcher. */
  judgeAgain(): void {
    this.#client.ignore(this.#own.entries);
  }

  cancel(): void {
    this.#client.cancel();
  }

  /** Starts a worker that was given up, and scans. */
  restart(): Promise<Outcome> {
    this.#client.forgive();
    return this.scan();
  }

  /** Scans with an index that is made anew: what is kept of it, here and on disk, is gone before. */
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

  /** Files on disk were written, created or deleted. */
  filesChanged(files: readonly vscode.Uri[]): void {
    if (!this.#started) return;
    for (const path of files.map((file) => this.#folders.pathOf(file))) {
      if (path !== undefined) this.#changedFiles.add(path);
    }
    if (this.#changedFiles.size === 0) return;
    // A branch that is switched is told file by file.
    this.#pauseMs = quietMs;
    this.#follow();
  }

  /**
   * Follows what has changed on disk unheard. Returns how long it took to see that, in milliseconds; 0 when it was not seen
   * to, since something else is under way, was stopped, or is left to a person.
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

  /** Texts in editors have changed, or count no longer. */
  #textsChanged(edit: TextEdit | undefined): void {
    if (!this.#started || this.#settings.run !== 'onType') return;
    // Also of a text that does not count yet: VS Code may say that it is dirty only after the edit.
    if (edit) this.#pauseMs = this.#isBlock(edit) ? quietAfterBlockMs : quietMs;
    if (this.#texts.hasChanges(this.#folders)) this.#follow();
  }

  /** Whether a passage can have come or gone as a whole. */
  #isBlock({ lines }: TextEdit): boolean {
    return lines >= Math.max(leastBlockLines, this.#settings.options.minLines ?? 0);
  }

  /** Brings the findings up to date soon, unless that is left to a person. */
  #follow(): void {
    const { type } = this.#state;
    // What failed would most likely fail again, at every save: a person starts it again. What was refused is another thing
    // as soon as the file that was wrong is.
    const isMended = type === 'rejected' && [...this.#changedFiles].some(isConfiguration);
    if (type === 'idle' || isMended) this.#scheduleOrLeave();
    // Meanwhile the last settings stay in force.
    else if (type === 'rejected' && this.#settings.run !== 'manual') this.#schedule();
  }

  /** Where it is left to a person, what was wrong holds no longer all the same. */
  #scheduleOrLeave(): void {
    if (this.#settings.run !== 'manual') this.#schedule();
    else if (this.#state.type === 'rejected') this.#set({ type: 'idle', stopped: false });
  }

  /** Whether something has changed that the findings shall follow by themselves. */
  get isBehind(): boolean {
    const { run } = this.#settings;
    if (run === 'manual') return false;
    return this.#changedFiles.size > 0 || (run === 'onType' && this.#texts.hasChanges(this.#folders));
  }

  /** Settings, folders or languages may have changed: reads them once. Returns whether anything has. */
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

  /** All that decides what is found, as a text to compare. */
  #detection(): string {
    const { options, preset, memoryMB } = this.#settings;
    return JSON.stringify([options, preset, memoryMB, this.#folders.roots, this.languages]);
  }

  /** Says what follows from settings; what is compared again says so itself. */
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
   * Waits until it is quiet. New settings end a scan with the old ones. Files that change during a scan wait for its end,
   * else files that never rest would starve it. After an update it rests for as long as that took, so that updates take
   * half of the time at most while somebody types.
   */
  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#state.type === 'scanning' && !this.#detectionChanged) return;
    // Who has put in a block looks for its mark; and nobody does that as often as a key is pressed.
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

  /** Takes findings that are weighed better. What is under way brings them anyway. */
  async #renew(): Promise<void> {
    if (this.#state.type === 'idle') await this.#update(noChanges);
  }

  /** @param has  the generation of the report by which the next one may be told */
  async #update(changes: typeof noChanges, has = this.#findings.report?.generation ?? 0): Promise<Outcome> {
    // What is refused stays told while edits are followed.
    const isBeside = this.#state.type === 'rejected' && !changes.paths.some(isConfiguration);
    // One with every pause in typing: for those who look for something only.
    return this.#run(
      isBeside ? 'beside' : 'update',
      this.#folders,
      () => this.#client.update({ ...changes, has }),
      (summary) => this.#log.debug(summary),
    );
  }

  /**
   * @param work  an update `beside` leaves the state as it is
   * @param tell  takes a sentence about a report that has come
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
      // It is told by a report that is not here: all of it is wanted.
      else if (run === this.#runs) return this.#update(noChanges, 0);
    }
    // A newer run may have taken over, which speaks for itself.
    if (outcome.type === 'superseded' || run !== this.#runs) return outcome;
    this.#findings.reportAnswered();
    this.#end(outcome, folders);
    // After a scan of everything the index is there, and to follow an edit takes milliseconds.
    this.#restUntil = work === 'scan' ? 0 : 2 * Date.now() - started;
    if (this.#detectionChanged && this.#settings.run !== 'manual') this.#schedule();
    else if (this.isBehind) this.#follow();
    return outcome;
  }

  /** Takes what is ignored of a report from now on; of one that is on its way, when that is here. */
  #judge(generation: number, judgement: Judgement): void {
    this.#judgedLater = { generation, judgement };
    this.#findings.judge(generation, judgement);
  }

  /** Shows the findings of the last time until those of this one are there. They are older than any. */
  async #recall(response: RecalledResponse): Promise<void> {
    const snapshot = await makeSnapshot(
      { ...response, generation: recalledGeneration, hidden: [] },
      this.#folders,
      undefined,
    );
    if (snapshot === undefined || !this.#findings.replace(snapshot)) return;
    // What has changed since then is not news of this window. A scan that has found no change may have ended meanwhile.
    if (this.#state.type === 'scanning') this.#findings.forgetNews();
    const { findings, fileGroups } = snapshot;
    const counts = groupCounts(findings.groups.length, fileGroups.length);
    this.#log.info(
      `Showing the findings of the last session until the scan is complete: ${counts} in ${fileCount(findings.totals.files)}.`,
    );
  }

  /** Gives a report to the model, and returns what there is to say of it. */
  #show(snapshot: Snapshot, { leftOut }: ReportResponse, notebooks: ReadonlyMap<string, NotebookText>): string {
    const { complete, totals, groups, skipped } = snapshot.findings;
    const how = complete ? 'Compared' : 'Stopped after comparing';
    if (this.#log.logLevel <= vscode.LogLevel.Debug && this.#log.logLevel !== vscode.LogLevel.Off) {
      for (const { path, reason } of skipped) this.#log.debug(`Excluded ${path}: ${reason}`);
    }
    // What a cancelled scan has is better than nothing, and worse than an older, whole report.
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

  /** Tells it once. */
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

/** What other settings have cost: "maxDistance changed: matched again." */
function describeTurn({ names, work }: OptionChanges): string {
  return `${names.join(', ')} changed: ${workNames[work]}.`;
}
