/** Sets the title, message, and badge of the tree view, and the context keys for its menus and welcome texts. */
import * as vscode from 'vscode';
import type { FindingsModel } from '../findings/findings.ts';
import { headlineOf } from '../../../presentation/wording/headline.ts';
import { readLimitOf } from '../findings/readLimit.ts';
import type { TreeFilter } from './filter.ts';
import { filterOutcome, filtersText } from './filterWords.ts';
import type { GroupTree } from './groupTree.ts';
import type { Row } from './rows.ts';
import type { Scanner } from '../scanning/scanner.ts';
import type { Snapshot } from '../findings/snapshot.ts';
import { isSeen, scanText } from '../status/statusBar.ts';
import { troubleOf, troubleOfView } from '../scanning/trouble.ts';
import { duplicateCount, headlineText, ignoredCount, oneLine, quantity } from '../wording.ts';
import { Subscriber } from '../subscriber.ts';

/** Values of the context key `kindred.view`. For each one without rows, package.json has a text in `viewsWelcome`. */
type ViewContent =
  | 'noFolder'
  | 'notScanned'
  | 'nothingRead'
  | 'nothingFound'
  | 'stopped'
  | 'scanning'
  /** The filter hides all duplicates. */
  | 'filteredOut'
  /** All duplicates are ignored. */
  | 'allIgnored'
  /** There are rows: duplicates (`groups`), or remedies for a failed scan (`trouble`). */
  | 'groups'
  | 'trouble';

export class TreeHeader extends Subscriber {
  readonly #view: vscode.TreeView<Row>;
  readonly #scanner: Scanner;
  readonly #findings: FindingsModel;
  readonly #tree: GroupTree;
  readonly #filter: TreeFilter;
  /** Hides the progress bar; `undefined` if it is not shown. */
  #hideBar: (() => void) | undefined;
  /** Last values of the context keys. Only changes are sent, as the scanner reports progress ten times a second. */
  readonly #contexts = new Map<string, unknown>();

  constructor(
    view: vscode.TreeView<Row>,
    scanner: Scanner,
    findings: FindingsModel,
    tree: GroupTree,
    filter: TreeFilter,
  ) {
    super();
    this.#view = view;
    this.#scanner = scanner;
    this.#findings = findings;
    this.#tree = tree;
    this.#filter = filter;
    this.own(
      { dispose: () => this.#hideBar?.() },
      findings.onDidChange(() => this.render()),
      scanner.onDidChangeState(() => this.render()),
      filter.onDidChange(() => this.render()),
    );
  }

  render(): void {
    const { state } = this.#scanner;
    const content = this.#content();
    this.#setContext('kindred.view', content);
    this.#setContext('kindred.filtered', this.#filter.active.length > 0);
    this.#setContext('kindred.scanning', state.type === 'scanning');
    if (state.type === 'scanning' && isSeen(state, this.#findings.snapshot)) {
      this.#view.description = scanText(state);
      this.#showBar();
    } else {
      this.#view.description = this.#description(content);
      this.#hideBar?.();
    }
    const trouble = troubleOfView(state, this.#findings.snapshot);
    // If the view has no rows, do not set a message, because VS Code would show it instead of the welcome text.
    const isSummed = content === 'groups' || this.#findings.isPreview;
    this.#view.message = trouble?.sentence ?? (isSummed ? this.#summary() : this.#limitText());
    this.#view.badge = badge(this.#findings.newRows);
  }

  /** Shows the progress bar below the view's title. */
  #showBar(): void {
    if (this.#hideBar !== undefined) return;
    const hidden = new Promise<void>((resolve) => {
      this.#hideBar = () => {
        this.#hideBar = undefined;
        resolve();
      };
    });
    void vscode.window.withProgress({ location: { viewId: 'kindred.groups' } }, () => hidden);
  }

  #content(): ViewContent {
    const { state, hasFolders } = this.#scanner;
    const { snapshot } = this.#findings;
    const { groups, fileGroups } = this.#findings;
    if (groups.length + fileGroups.length > 0) return this.#isFilteredOut() ? 'filteredOut' : 'groups';
    if (!hasFolders) return 'noFolder';
    if (troubleOf(state)) return 'trouble';
    // While changed files are compared, the view keeps showing the previous findings.
    if (snapshot === undefined && state.type === 'scanning') return 'scanning';
    if (troubleOfView(state, snapshot)) return 'trouble';
    if (state.type === 'idle' && state.stopped) return 'stopped';
    if (snapshot === undefined) return 'notScanned';
    if (snapshot.findings.totals.files === 0) return 'nothingRead';
    return snapshot.ignored.length > 0 ? 'allIgnored' : 'nothingFound';
  }

  /** Returns details about an empty view that its welcome text does not contain. */
  #description(content: ViewContent): string {
    if (content === 'filteredOut') return filtersText(this.#filter.active);
    return this.#findings.isPreview ? vscode.l10n.t('Preview') : '';
  }

  #summary(): string {
    const text = this.#summaryOfShown();
    return this.#findings.isPreview ? vscode.l10n.t('Preview of other settings: {0}', text) : text;
  }

  /** Returns the sentence about files that were not read; '' if all were read. */
  #limitText(): string {
    return readLimitOf(this.#findings.snapshot)?.sentence ?? '';
  }

  #summaryOfShown(): string {
    const { snapshot } = this.#findings;
    const { active } = this.#filter;
    if (active.length === 0) return snapshot === undefined ? '' : this.#summaryOf(snapshot);
    const text = filterOutcome(active, this.#tree.counts(), snapshot);
    const trouble = this.#filter.trouble();
    return trouble === undefined ? text : `${text} · ${oneLine(trouble)}`;
  }

  #summaryOf(snapshot: Snapshot): string {
    const isGoingOn = this.#findings.areFirst && this.#scanner.state.type === 'scanning';
    return isGoingOn ? summaryOfFirst(snapshot) : summary(snapshot);
  }

  #isFilteredOut(): boolean {
    return this.#filter.active.length > 0 && this.#tree.counts().shown === 0;
  }

  #setContext(key: string, value: unknown): void {
    if (this.#contexts.get(key) === value) return;
    this.#contexts.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  }
}

/** Returns a summary such as "3,878 duplicates, 12.3% of source and text", and if the scan was stopped. */
function summary(snapshot: Snapshot): string {
  const { findings, ignored } = snapshot;
  const { complete, totals } = findings;
  const headline = headlineOf(totals);
  const limit = readLimitOf(snapshot)?.sentence ?? [];
  const beside = [ignored.length > 0 ? ignoredCount(ignored.length) : [], limit].flat();
  return complete
    ? [headlineText(headline), ...beside].join(' · ')
    : vscode.l10n.t('{0} so far; the scan was stopped early', duplicateCount(headline.rows));
}

/** Returns a summary such as "84 duplicates so far, long copies first; comparing the rest". */
function summaryOfFirst({ findings }: Snapshot): string {
  const count = duplicateCount(headlineOf(findings.totals).rows);
  return vscode.l10n.t('{0} so far, long copies first; comparing the rest', count);
}

/** Returns the badge in the activity bar. It counts new duplicates, because the total calls for no action. */
function badge(news: number): vscode.ViewBadge | undefined {
  if (news === 0) return undefined;
  const tooltip =
    news === 1
      ? vscode.l10n.t('1 duplicate is new or changed')
      : vscode.l10n.t('{0} duplicates are new or changed', quantity(news));
  return { value: news, tooltip };
}
