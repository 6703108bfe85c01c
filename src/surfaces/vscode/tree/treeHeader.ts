/** Title, message, badge, and context keys of the tree. */
import * as vscode from 'vscode';
import type { FindingsModel } from '../findings/findings.ts';
import { headlineOf } from '../findings/headline.ts';
import { readLimitOf } from '../findings/readLimit.ts';
import type { TreeFilter } from './filter.ts';
import { filtersText } from './filterWords.ts';
import type { GroupTree } from './groupTree.ts';
import type { Row } from './rows.ts';
import type { Scanner } from '../scanning/scanner.ts';
import type { Snapshot } from '../findings/snapshot.ts';
import { isSeen, scanText } from '../status/statusBar.ts';
import { troubleOf, troubleOfView } from '../scanning/trouble.ts';
import { duplicateCount, headlineText, ignoredCount, oneLine, quantity } from '../wording.ts';

/**
 * Values of the context key `kindred.view`. The `viewsWelcome` of package.json has a text for each one without rows.
 */
type ViewContent =
  | 'noFolder'
  | 'notScanned'
  | 'nothingRead'
  | 'nothingFound'
  | 'stopped'
  | 'scanning'
  /** There are rows, but the filter hides all of them. */
  | 'filteredOut'
  /** All findings are ignored. */
  | 'allIgnored'
  /** There are rows: groups or remedies. */
  | 'groups'
  | 'trouble';

export class TreeHeader implements vscode.Disposable {
  readonly #view: vscode.TreeView<Row>;
  readonly #scanner: Scanner;
  readonly #findings: FindingsModel;
  readonly #tree: GroupTree;
  readonly #filter: TreeFilter;
  readonly #subscriptions: vscode.Disposable;
  /** Hides the progress bar; `undefined` if it is not shown. */
  #hideBar: (() => void) | undefined;
  /** Last values of context keys. They rarely change, but progress is reported ten times a second. */
  readonly #contexts = new Map<string, unknown>();

  constructor(
    view: vscode.TreeView<Row>,
    scanner: Scanner,
    findings: FindingsModel,
    tree: GroupTree,
    filter: TreeFilter,
  ) {
    this.#view = view;
    this.#scanner = scanner;
    this.#findings = findings;
    this.#tree = tree;
    this.#filter = filter;
    this.#subscriptions = vscode.Disposable.from(
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
    // Without rows there is no message, because VS Code would show it instead of the welcome text.
    const isSummed = content === 'groups' || this.#findings.isPreview;
    this.#view.message = trouble?.sentence ?? (isSummed ? this.#summary() : this.#limitText());
    this.#view.badge = badge(this.#findings.newRows);
  }

  dispose(): void {
    this.#hideBar?.();
    this.#subscriptions.dispose();
  }

  /** Shows the progress bar below the title. */
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
    // While changed files are compared, the previous findings remain.
    if (snapshot === undefined && state.type === 'scanning') return 'scanning';
    if (troubleOfView(state, snapshot)) return 'trouble';
    if (state.type === 'idle' && state.stopped) return 'stopped';
    if (snapshot === undefined) return 'notScanned';
    if (snapshot.findings.totals.files === 0) return 'nothingRead';
    return snapshot.ignored.length > 0 ? 'allIgnored' : 'nothingFound';
  }

  /** Returns details that the welcome text of an empty view lacks. */
  #description(content: ViewContent): string {
    if (content === 'filteredOut') return filtersText(this.#filter.active);
    return this.#findings.isPreview ? vscode.l10n.t('Preview') : '';
  }

  #summary(): string {
    const text = this.#summaryOfShown();
    return this.#findings.isPreview ? vscode.l10n.t('Preview of other settings: {0}', text) : text;
  }

  /** Returns the sentence about files that were not read; empty if all were. */
  #limitText(): string {
    return readLimitOf(this.#findings.snapshot)?.sentence ?? '';
  }

  #summaryOfShown(): string {
    const { snapshot } = this.#findings;
    const { active } = this.#filter;
    if (active.length === 0) return snapshot === undefined ? '' : summary(snapshot);
    const { shown, all } = this.#tree.counts();
    // Without a filter, the count is for source and text only. Tests and data may have more.
    const isMore = snapshot !== undefined && headlineOf(snapshot.findings.totals).rows !== all;
    const count = isMore
      ? vscode.l10n.t('{0} of {1} in all sections', quantity(shown), duplicateCount(all))
      : vscode.l10n.t('{0} of {1}', quantity(shown), duplicateCount(all));
    const text = vscode.l10n.t('Filter: {0} ({1})', filtersText(active), count);
    const trouble = this.#filter.trouble();
    return trouble === undefined ? text : `${text} · ${oneLine(trouble)}`;
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

/** "3,878 duplicates, 12.3 % of source and text". After a stopped scan, mentions that there may be more. */
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

/** Badge on the activity bar icon: new duplicates only, since counting old ones would be noise. */
function badge(news: number): vscode.ViewBadge | undefined {
  if (news === 0) return undefined;
  const tooltip =
    news === 1
      ? vscode.l10n.t('1 duplicate is new or changed')
      : vscode.l10n.t('{0} duplicates are new or changed', quantity(news));
  return { value: news, tooltip };
}
