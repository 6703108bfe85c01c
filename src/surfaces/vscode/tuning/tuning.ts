/**
 * *Tune Sensitivity*: a panel with the dials (sensitivity options). For each possible value of a dial, the worker
 * computes what a scan would find. All views show a preview for the current values. Settings are written only when the
 * user applies the values. The preview ends when the panel is closed, or when the next report arrives.
 */
import * as vscode from 'vscode';
import type { DialName, DialValues } from '../../../core/engine/dials.ts';
import type { Group, Passage } from '../../../core/engine/report/report.ts';
import {
  fewOthers,
  type Counts,
  type EstimatedResponse,
  type HidingDial,
  type RowHidingResponse,
  type RowToHide,
  type TriedPreview,
  type TriedResponse,
  type TunableResponse,
  type TuneResponse,
} from '../../../session/protocol/messages.ts';
import type {
  CountedKinds,
  Example,
  Examples,
  MessageFromTuner,
  MessageToTuner,
} from '../../../presentation/pages/tunerMessages.ts';
import { comparePassages } from '../editor/compare.ts';
import type { FindingsModel } from '../findings/findings.ts';
import { headlineOf } from '../../../presentation/wording/headline.ts';
import { makeSnapshot, type Snapshot } from '../findings/snapshot.ts';
import type { EngineClient } from '../../../session/client/engineClient.ts';
import type { Scanner } from '../scanning/scanner.ts';
import type { TreeFilter } from '../tree/filter.ts';
import type { PassageNames } from '../tree/passageNames.ts';
import { copyCount, groupTitle, lineCount, placeBeside, quantity } from '../wording.ts';
import { showNotification, withSearchProgress } from '../notifications.ts';
import { applyDials, namesThatDiffer } from './applyDials.ts';
import { categoriesIn, countedBy, countsShown, filtersFor } from './counted.ts';
import { dialTexts, tunerPage } from './tunerPage.ts';
import { Subscriber } from '../subscriber.ts';

const maxExamples = 8;

/** Parts of the views that the panel needs: findings, names of rows, and the filter for the groups to count. */
export interface TunedViews {
  readonly findings: FindingsModel;
  readonly names: PassageNames;
  readonly filter: TreeFilter;
}

/** Result of a search for the dial value that hides a row. */
type SearchResult = RowHidingResponse['hiding'] | 'untunable' | 'cancelled';

export class Tuning extends Subscriber {
  readonly #client: EngineClient;
  readonly #scanner: Scanner;
  readonly #findings: FindingsModel;
  readonly #names: PassageNames;
  readonly #filter: TreeFilter;
  readonly #extension: vscode.Uri;
  #panel: vscode.WebviewPanel | undefined;
  #tunable: TunableResponse | undefined;
  /** Values of the dials; `undefined` while they are equal to the settings. */
  #values: DialValues | undefined;
  /** Dial that the user changed last. */
  #dial: DialName | undefined;
  /** The search in progress for the dial value that hides a row. */
  #search: { readonly group: Group; readonly end: (result: SearchResult) => void } | undefined;
  /** Selection of groups that was last sent to the page, as JSON. */
  #counted = '';
  #report: Snapshot | undefined;
  /** Number of previews so far. It is used to give each preview's snapshot a unique generation. */
  #previews = 0;

  constructor(client: EngineClient, scanner: Scanner, { findings, names, filter }: TunedViews, extension: vscode.Uri) {
    super();
    this.#client = client;
    this.#scanner = scanner;
    this.#findings = findings;
    this.#names = names;
    this.#filter = filter;
    this.#extension = extension;
    this.own(
      { dispose: () => void this.#panel?.dispose() },
      client.onDidTune((response) => void this.#receive(response)),
      findings.onDidChange(() => this.#followReport()),
      filter.onDidChange(() => this.#followFilter()),
      scanner.onDidChangeState(() => this.#showWhyNotTunable()),
    );
  }

  /**
   * Searches for the dial value that hides a row, and opens the panel with this value. If there is none, or if it would
   * hide many other rows, offers to ignore the row instead.
   */
  async hide(group: Group): Promise<void> {
    const cancel = (): void => {
      if (this.#search?.group === group) this.#search.end('cancelled');
    };
    const title = vscode.l10n.t('Searching for a sensitivity that hides this duplicate…');
    const result = await withSearchProgress(title, this.#searchFor(group), cancel);
    if (result === 'untunable') return this.open();
    if (typeof result === 'object' && result.others <= fewOthers) {
      this.#tuneTo(result);
      return showNotification(priceOf(result));
    }
    // If the panel is not open, the worker need not compute the other values.
    if (this.#panel === undefined) this.#closed();
    if (result === 'gone') return showNotification(vscode.l10n.t('This duplicate is no longer found.'));
    if (result !== 'cancelled') void this.#offerToIgnore(group, result);
  }

  /** Opens the panel, or reveals it if it is open. */
  open(): void {
    if (this.#panel) return this.#panel.reveal();
    const panel = vscode.window.createWebviewPanel(
      'kindredTuning',
      vscode.l10n.t('Tune Sensitivity'),
      vscode.ViewColumn.Active,
      { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(this.#extension, 'dist')] },
    );
    panel.onDidDispose(() => this.#closed());
    panel.webview.onDidReceiveMessage((message: MessageFromTuner) => void this.#handle(message));
    panel.webview.html = tunerPage(panel.webview, this.#extension);
    this.#panel = panel;
    if (this.#findings.report === undefined && this.#scanner.state.type === 'idle') void this.#scanner.scan();
  }

  /**
   * Changes the values of the dials, and shows a preview as soon as the worker has computed it.
   *
   * @param dial  dial that the user is changing
   */
  setDials(values: DialValues, dial: DialName | undefined): void {
    this.#values = values;
    this.#dial = dial;
    this.#requestTrial();
  }

  /** Counts only groups of the selected types and categories, and filters the tree by them. */
  async count(counted: CountedKinds): Promise<void> {
    if (this.#tunable === undefined) return;
    await this.#filter.use(filtersFor(this.#filter.active, counted, this.#tunable.counts.totals));
  }

  /** Writes the values of the dials to the settings or to the configuration file. */
  async apply(): Promise<void> {
    const values = this.#values;
    if (this.#tunable === undefined || values === undefined) return;
    const { inForce, decided } = this.#tunable;
    const file = decided && this.#findings.report?.folders.uriOf(decided.path);
    const decidedByFile = file && { file, names: decided.names };
    // VS Code writes settings one at a time. Without `together`, each of them would start a scan, which would delay the
    // next one.
    const isWritten = await this.#scanner.together(() =>
      applyDials(inForce, values, decidedByFile, (text, changes) =>
        this.#client.call('changeConfiguration', text, changes).catch(() => undefined),
      ),
    );
    // The changed settings start a scan, unless updates are manual.
    if (isWritten && this.#scanner.settings.run === 'manual') await this.#scanner.scan();
  }

  #requestTrial(): void {
    this.#client.tune({ values: this.#values, dial: this.#dial, hide: this.#rowToHide() });
  }

  /** Returns the row to hide. Also counts other rows in its category, and in the categories of the view's headline. */
  #rowToHide(): RowToHide | undefined {
    const { report } = this.#findings;
    if (this.#search === undefined || report === undefined) return undefined;
    const { id, category } = this.#search.group;
    return { id, counted: [category, ...headlineOf(report.findings.totals).categories] };
  }

  #searchFor(group: Group): Promise<SearchResult> {
    this.#search?.end('cancelled');
    return new Promise((resolve) => {
      const end = (result: SearchResult): void => {
        if (this.#search?.group === group) this.#search = undefined;
        resolve(result);
      };
      this.#search = { group, end };
      this.#requestTrial();
    });
  }

  #tuneTo({ values, dial }: HidingDial): void {
    this.setDials(values, dial);
    // The page does not know these values yet. The worker sends its results after this.
    if (this.#panel && this.#tunable) this.#begin(this.#tunable);
    this.open();
  }

  async #offerToIgnore(group: Group, hiding: HidingDial | 'impossible'): Promise<void> {
    const [ignore, tune] = [vscode.l10n.t('Ignore…'), vscode.l10n.t('Tune Anyway')];
    const button =
      hiding === 'impossible'
        ? await vscode.window.showInformationMessage(vscode.l10n.t('No single slider hides this duplicate.'), ignore)
        : await vscode.window.showInformationMessage(priceOf(hiding), ignore, tune);
    if (button === tune && hiding !== 'impossible') this.#tuneTo(hiding);
    if (button === ignore) await vscode.commands.executeCommand('kindred.ignoreGroup', { type: 'group', group });
  }

  #closed(): void {
    this.#panel = undefined;
    this.#tunable = undefined;
    this.#values = undefined;
    this.#dial = undefined;
    this.#client.tune(undefined);
    this.#findings.preview(undefined);
  }

  async #handle(message: MessageFromTuner): Promise<void> {
    switch (message.type) {
      case 'ready':
        // A page that was hidden is created again, so send it all known results.
        this.#report = this.#findings.report;
        if (this.#tunable) this.#begin(this.#tunable);
        else this.#showWhyNotTunable();
        this.#requestTrial();
        return;
      case 'setDials':
        this.setDials(message.values, message.dial);
        return;
      case 'count':
        await this.count(message.counted);
        return;
      case 'apply':
        await this.apply();
        return;
      case 'open':
        await this.#compare(message.side, message.id);
    }
  }

  /** Starts over for a new report. */
  #followReport(): void {
    const { report } = this.#findings;
    if (report === this.#report) return;
    this.#report = report;
    if (this.#panel || this.#search) this.#requestTrial();
  }

  /** Starts over with another selection of groups. The worker sends its cached results again. */
  #followFilter(): void {
    const tunable = this.#tunable;
    if (this.#panel === undefined || tunable === undefined) return;
    if (JSON.stringify(this.#countedIn(tunable.counts)) === this.#counted) return;
    this.#begin(tunable);
    this.#requestTrial();
  }

  #countedIn({ totals }: Counts): CountedKinds {
    return countedBy(this.#filter.active, totals);
  }

  async #receive(response: TuneResponse): Promise<void> {
    switch (response.type) {
      case 'tunable':
        this.#begin(response);
        return;
      case 'rowHiding':
        if (response.hide === this.#search?.group.id) this.#search.end(response.hiding);
        return;
      case 'untunable':
        this.#search?.end('untunable');
        this.#tunable = undefined;
        this.#showWhyNotTunable();
        return;
      case 'trying':
        this.#post(response);
        return;
      case 'estimated':
        this.#estimated(response);
        return;
      case 'tried':
        if (this.#panel) await this.#tried(response);
    }
  }

  #begin(tunable: TunableResponse): void {
    this.#tunable = tunable;
    const { dials, presets, inForce, decided, counts } = tunable;
    const counted = this.#countedIn(counts);
    this.#counted = JSON.stringify(counted);
    if (this.#values && namesThatDiffer(inForce, this.#values).length === 0) this.#values = undefined;
    this.#post({
      type: 'begin',
      dials,
      presets,
      inForce,
      values: this.#values ?? inForce,
      counts: countsShown(counts, counted),
      isTextFirst: isMostlyText(counts),
      counted,
      categories: categoriesIn(counts.totals),
      decided: decided && { file: decided.path, names: decided.names },
    });
  }

  /** Sends an estimate to the page. The lines are not estimated. */
  #estimated({ values, rows }: EstimatedResponse): void {
    if (this.#tunable === undefined) return;
    const { counts } = this.#tunable;
    const shown = countsShown({ totals: counts.totals, rows }, this.#countedIn(counts));
    this.#post({ type: 'estimated', values, counts: { ...shown, lines: undefined } });
  }

  async #tried({ values, counts, problem, preview }: TriedResponse): Promise<void> {
    this.#post({ type: 'tried', values, counts: counts && countsShown(counts, this.#countedIn(counts)), problem });
    if (this.#isHere(values) && preview) await this.#preview(values, preview);
    // If the findings for these values could not be computed, there is no preview.
    else if (this.#isHere(values) && problem !== undefined) this.#findings.preview(undefined);
  }

  /** Returns true if the given values are the current ones. */
  #isHere(values: DialValues): boolean {
    const here = this.#values ?? this.#tunable?.inForce;
    return here !== undefined && namesThatDiffer(here, values).length === 0;
  }

  async #preview(values: DialValues, { findings, judgement, changed }: TriedPreview): Promise<void> {
    const { report } = this.#findings;
    if (report === undefined) return;
    const isInForce = this.#values === undefined || namesThatDiffer(this.#tunable!.inForce, values).length === 0;
    const generation = -++this.#previews;
    const { folders, hidden } = report;
    const snapshot = isInForce
      ? report
      : await makeSnapshot({ generation, findings, judgement, hidden, elapsedMs: 0 }, folders, undefined);
    const isVoid = (): boolean =>
      this.#panel === undefined || report !== this.#findings.report || !this.#isHere(values);
    if (snapshot === undefined || isVoid()) return;
    this.#findings.preview(isInForce ? undefined : snapshot);
    const added = await this.#examples(snapshot, changed.added);
    const removed = await this.#examples(report, changed.removed);
    if (!isVoid()) this.#post({ type: 'preview', values, added, removed });
  }

  /** Returns examples of rows that appear or disappear: only counted ones, so that examples and counts agree. */
  async #examples({ all, findings }: Snapshot, ids: readonly string[]): Promise<Examples> {
    const { types, categories } = countedBy(this.#filter.active, findings.totals);
    const wantedIds = new Set(ids);
    const groups = all.filter(
      ({ id, category, type }) => wantedIds.has(id) && categories.includes(category) && types.includes(type),
    );
    const shown = await Promise.all(groups.slice(0, maxExamples).map((group) => this.#example(group)));
    return { total: groups.length, shown };
  }

  async #example(group: Group): Promise<Example> {
    const [first, second] = group.passages as readonly [Passage, Passage];
    const name = await this.#names.of(group, first);
    const places = [placeBeside(first, second), placeBeside(second, first)].join(' ↔ ');
    return {
      id: group.id,
      label: name?.name ?? groupTitle(group),
      description: `${lineCount(group.lines)}, ${copyCount(group.passages.length)} · ${places}`,
    };
  }

  async #compare(side: 'added' | 'removed', id: string): Promise<void> {
    const from = side === 'added' ? this.#findings.snapshot : this.#findings.report;
    const group = from?.all.find((each) => each.id === id);
    if (group) await comparePassages(this.#findings, this.#names, group, 0, 1);
  }

  #showWhyNotTunable(): void {
    if (this.#panel === undefined || this.#tunable !== undefined) return;
    const { state, hasFolders } = this.#scanner;
    const why = !hasFolders
      ? vscode.l10n.t('Open a folder to find near-duplicates.')
      : state.type === 'scanning'
        ? vscode.l10n.t('Scanning… The sliders are ready when the scan is complete.')
        : this.#findings.report === undefined
          ? vscode.l10n.t('Scan the workspace to tune the sensitivity.')
          : vscode.l10n.t('Getting the index ready…');
    this.#post({ type: 'wait', why });
  }

  #post(message: MessageToTuner): void {
    void this.#panel?.webview.postMessage(message);
  }
}

/** Returns true if most findings are in text. The dials for text then come first. */
function isMostlyText({ totals: { categories } }: Counts): boolean {
  return (categories.text?.rows ?? 0) > (categories.source?.rows ?? 0);
}

/** Describes the dial value that hides a row: "Minimum similarity: 95% hides this duplicate and 3 others." */
function priceOf({ values, dial, others }: HidingDial): string {
  const { label, unit } = dialTexts()[dial];
  const value = values[dial];
  const shown = quantity(/Similarity$/.test(dial) ? Math.round(100 * value) : value);
  const setting = `${label}: ${unit.replace('{0}', shown)}`;
  if (others === 0) return vscode.l10n.t('{0} hides this duplicate and no other.', setting);
  if (others === 1) return vscode.l10n.t('{0} hides this duplicate and 1 other.', setting);
  return vscode.l10n.t('{0} hides this duplicate and {1} others.', setting, quantity(others));
}
