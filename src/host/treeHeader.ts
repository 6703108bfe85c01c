/** What stands around the tree: its title line, its message, its badge, and which welcome text fits when it is empty. */
import * as vscode from 'vscode';
import type { FindingsModel } from './findings.ts';
import type { Row } from './groupTree.ts';
import type { Scanner } from './scanner.ts';
import type { Snapshot } from './snapshot.ts';
import { isSeen, scanText } from './statusBar.ts';
import { troubleOf, troubleOfView } from './trouble.ts';
import { groupCounts, percentage } from './wording.ts';

/** Values of the context key `kindred.view`; the `viewsWelcome` of package.json has a text for each but those with rows. */
type ViewContent =
  | 'noFolder'
  | 'notScanned'
  | 'nothingRead'
  | 'nothingFound'
  | 'stopped'
  | 'scanning'
  /** There are rows: those of the groups, and those that help. */
  | 'groups'
  | 'trouble';

export class TreeHeader implements vscode.Disposable {
  readonly #view: vscode.TreeView<Row>;
  readonly #scanner: Scanner;
  readonly #findings: FindingsModel;
  readonly #subscriptions: vscode.Disposable;
  /** Ends the bar that is shown; undefined when none is. */
  #hideBar: (() => void) | undefined;
  /** Context keys as they were last set: progress comes ten times a second and changes none. */
  readonly #contexts = new Map<string, unknown>();

  constructor(view: vscode.TreeView<Row>, scanner: Scanner, findings: FindingsModel) {
    this.#view = view;
    this.#scanner = scanner;
    this.#findings = findings;
    this.#subscriptions = vscode.Disposable.from(
      findings.onDidChange(() => this.render()),
      scanner.onDidChangeState(() => this.render()),
    );
  }

  render(): void {
    const { state } = this.#scanner;
    const { groups, fileGroups } = this.#findings;
    this.#setContext('kindred.view', this.#content());
    this.#setContext('kindred.scanning', state.type === 'scanning');
    if (state.type === 'scanning' && isSeen(state, this.#findings.snapshot)) {
      this.#view.description = scanText(state);
      this.#showBar();
    } else {
      this.#view.description = '';
      this.#hideBar?.();
    }
    const trouble = troubleOfView(state, this.#findings.snapshot);
    const hasRows = groups.length + fileGroups.length > 0;
    // Without rows there is none, since VS Code shows it in place of the welcome text.
    this.#view.message = trouble?.sentence ?? (hasRows ? this.#summary() : '');
    this.#view.badge = badge(this.#findings.newGroups);
  }

  dispose(): void {
    this.#hideBar?.();
    this.#subscriptions.dispose();
  }

  /** A bar that moves, below the title. */
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
    if (groups.length + fileGroups.length > 0) return 'groups';
    if (!hasFolders) return 'noFolder';
    if (troubleOf(state)) return 'trouble';
    // While files that changed are compared again, what was found before stays.
    if (snapshot === undefined && state.type === 'scanning') return 'scanning';
    if (troubleOfView(state, snapshot)) return 'trouble';
    if (state.type === 'idle' && state.stopped) return 'stopped';
    if (snapshot === undefined) return 'notScanned';
    return snapshot.findings.totals.files === 0 ? 'nothingRead' : 'nothingFound';
  }

  #summary(): string {
    const { snapshot } = this.#findings;
    return snapshot === undefined ? '' : summary(snapshot);
  }

  #setContext(key: string, value: unknown): void {
    if (this.#contexts.get(key) === value) return;
    this.#contexts.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  }
}

/** "12 groups and 3 of files, 3.4 % of all lines". Of a scan that was stopped, that there may be more. */
function summary({ findings: { complete, totals, groups: found }, fileGroups }: Snapshot): string {
  const groups = groupCounts(found.length, fileGroups.length);
  return complete
    ? vscode.l10n.t('{0}, {1} of all lines', groups, percentage(totals.duplicatedPercent))
    : vscode.l10n.t('{0} so far; the scan was stopped early', groups);
}

/** On the icon in the activity bar: what is new. Old duplicates are silent, else the number would only ever be noise. */
function badge(news: number): vscode.ViewBadge | undefined {
  if (news === 0) return undefined;
  const tooltip =
    news === 1
      ? vscode.l10n.t('1 group of near-duplicates is new or changed')
      : vscode.l10n.t('{0} groups of near-duplicates are new or changed', news);
  return { value: news, tooltip };
}
