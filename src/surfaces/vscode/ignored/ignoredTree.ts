/**
 * The *Ignored* view: ignored groups with reason, author, and date; and entries without effect, because their group has
 * changed.
 */
import * as vscode from 'vscode';
import { fieldOf } from '../../../core/collections/parsedValues.ts';
import type { Group, Passage } from '../../../core/engine/report/report.ts';
import type { IgnoringSource } from '../../../session/protocol/judgement.ts';
import { openCommand } from '../findings/showPassage.ts';
import type { FindingsModel } from '../findings/findings.ts';
import { asMarkdown } from '../markdown.ts';
import type { PassageNames } from '../tree/passageNames.ts';
import {
  copyCount,
  duplicateCount,
  lineRange,
  namesAmong,
  oneLine,
  passageCount,
  place,
  quantity,
} from '../wording.ts';
import { baselineName } from '../../../session/client/configurationFiles.ts';
import { Subscriber } from '../subscriber.ts';

export type IgnoredRow =
  | { readonly type: 'source'; readonly source: IgnoringSource }
  /** Entries and comments without effect. */
  | { readonly type: 'stale'; readonly sources: readonly IgnoringSource[] }
  | { readonly type: 'place'; readonly passage: Passage; readonly name: string };

export function isIgnoredRow(value: unknown): value is IgnoredRow {
  return /^(source|stale|place)$/.test(String(fieldOf(value, 'type')));
}

/** Returns true if an entry or comment has an effect. */
function applies(source: IgnoringSource): boolean {
  return source.groups.length > 0 || (source.by === 'comment' && source.passages > 0);
}

/** Returns true if an entry ignores a pair whose group has more copies, so that its row stays. */
function waits(source: IgnoringSource): boolean {
  return source.by !== 'comment' && source.entry.isPair === true && source.about !== undefined && !applies(source);
}

export class IgnoredTree extends Subscriber implements vscode.TreeDataProvider<IgnoredRow> {
  readonly #findings: FindingsModel;
  readonly #names: PassageNames;
  readonly #view: vscode.TreeView<IgnoredRow>;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  #hasAny: boolean | undefined;

  constructor(findings: FindingsModel, names: PassageNames) {
    super();
    this.#findings = findings;
    this.#names = names;
    this.#view = vscode.window.createTreeView('kindred.ignored', { treeDataProvider: this, canSelectMany: true });
    this.own(
      this.#view,
      findings.onDidChangeRows(() => {
        this.#changed.fire();
        this.#render();
      }),
      this.#changed,
    );
    this.#render();
  }

  get selection(): readonly IgnoredRow[] {
    return this.#view.selection;
  }

  getChildren(row?: IgnoredRow): IgnoredRow[] {
    if (row?.type === 'place') return [];
    if (row?.type === 'stale') return row.sources.map((source) => ({ type: 'source', source }));
    if (row?.type === 'source') return this.#placesOf(row.source);
    const sources = this.#sources();
    const isStale = (source: IgnoringSource): boolean => !applies(source) && !waits(source);
    const stale = sources.filter(isStale);
    return [
      ...sources.filter((source) => !isStale(source)).map((source): IgnoredRow => ({ type: 'source', source })),
      ...(stale.length > 0 ? [{ type: 'stale' as const, sources: stale }] : []),
    ];
  }

  async getTreeItem(row: IgnoredRow): Promise<vscode.TreeItem> {
    switch (row.type) {
      case 'source':
        return row.source.by === 'comment' ? this.#commentItem(row.source) : this.#entryItem(row.source);
      case 'stale': {
        const item = new vscode.TreeItem(vscode.l10n.t('No Longer Applies'), vscode.TreeItemCollapsibleState.Collapsed);
        item.id = 'stale';
        item.contextValue = 'stale';
        item.iconPath = new vscode.ThemeIcon('history');
        item.description = quantity(row.sources.length);
        item.tooltip = vscode.l10n.t('The copies or their number have changed.');
        return item;
      }
      case 'place':
        return this.#placeItem(row.passage, row.name);
    }
  }

  #sources(): readonly IgnoringSource[] {
    return this.#findings.settled?.judgement.sources ?? [];
  }

  /** Returns rows for the copies of the group that an entry is about. */
  #placesOf(source: IgnoringSource): IgnoredRow[] {
    const id = source.by === 'comment' ? undefined : (source.groups[0] ?? source.about);
    const passages = (id === undefined ? undefined : this.#findings.foundGroup(id)?.passages) ?? [];
    const names = namesAmong(passages.map(({ path }) => path));
    return passages.map((passage) => ({ type: 'place', passage, name: names.get(passage.path)! }));
  }

  async #entryItem(source: Exclude<IgnoringSource, { by: 'comment' }>): Promise<vscode.TreeItem> {
    const { entry, by } = source;
    const id = source.groups[0] ?? source.about;
    const group = id === undefined ? undefined : this.#findings.foundGroup(id);
    const copies = [...entry.contents.values()].reduce((sum, count) => sum + count, 0);
    const label = (group ? await this.#labelOf(group) : (entry.name ?? entry.text ?? entry.at)) ?? copyCount(copies);
    const { Collapsed, None } = vscode.TreeItemCollapsibleState;
    const item = new vscode.TreeItem(oneLine(label), group ? Collapsed : None);
    item.id = `${by} ${JSON.stringify([[...entry.contents], entry.isPair, source.file])}`;
    item.contextValue = 'entry';
    item.iconPath = new vscode.ThemeIcon(by === 'own' ? 'account' : 'circle-slash');
    const who = by === 'own' ? vscode.l10n.t('for me') : entry.by;
    item.description = [entry.reason, who, entry.on].filter((part) => part !== undefined).join(' · ');
    const where = by === 'own' ? vscode.l10n.t('Ignored for you, in this workspace') : `${source.file ?? baselineName}`;
    const what = entry.isPair ? vscode.l10n.t('a pair of copies') : copyCount(copies);
    const state = this.#stateOf(source, group);
    const place = group ? undefined : entry.at;
    const about = [where, what, entry.by, entry.on].filter((part) => part).join(' · ');
    const parts = [entry.reason, place, about, state].filter((part) => part !== undefined);
    item.tooltip = new vscode.MarkdownString([`**${asMarkdown(label)}**`, ...parts.map(asMarkdown)].join('\n\n'));
    item.accessibilityInformation = { label: [label, item.description, state].join(', ') };
    return item;
  }

  #stateOf(source: IgnoringSource, group: Group | undefined): string {
    if (applies(source)) return vscode.l10n.t('Returns when a copy or the number of copies changes.');
    if (group === undefined) return vscode.l10n.t('These copies no longer exist.');
    return waits(source)
      ? vscode.l10n.t('It stays in the view because its other copies still match.')
      : vscode.l10n.t('Shown again because a copy or the number of copies has changed.');
  }

  /** Returns the label of a group. If the group has no name (for example, whole files), uses the file names. */
  async #labelOf(group: Group): Promise<string> {
    const named = await this.#names.of(group, group.passages[0]!);
    return named?.name ?? [...new Set(namesAmong(group.passages.map(({ path }) => path)).values())].join(', ');
  }

  #commentItem(source: Extract<IgnoringSource, { by: 'comment' }>): vscode.TreeItem {
    const { path, region, passages } = source;
    const names = namesAmong(this.#sources().flatMap((it) => (it.by === 'comment' ? [it.path] : [])));
    const label = `${names.get(path)!}:${region.line}`;
    const item = new vscode.TreeItem(label);
    item.id = `comment ${path}:${region.line}`;
    item.contextValue = 'comment';
    item.iconPath = new vscode.ThemeIcon('comment');
    item.resourceUri = this.#findings.snapshot!.folders.uriOf(path);
    const what = source.groups.length > 0 ? duplicateCount(source.groups.length) : passageCount(passages);
    item.description = [...(region.reason === undefined ? [] : [region.reason]), what].join(' · ');
    item.tooltip = `${path}:${region.line}\n${region.marker}`;
    item.accessibilityInformation = { label: [label, item.description].join(', ') };
    item.command = this.#open(path, region.line);
    return item;
  }

  #placeItem(ofReport: Passage, name: string): vscode.TreeItem {
    const passage = this.#findings.now(ofReport);
    const item = new vscode.TreeItem(`${name}:${lineRange(passage)}`);
    item.contextValue = 'place';
    item.resourceUri = this.#findings.uriOf(passage);
    item.iconPath = vscode.ThemeIcon.File;
    item.tooltip = place(passage);
    item.command = this.#open(passage.path, passage.startLine);
    return item;
  }

  #open(path: string, line: number): vscode.Command {
    const uri = this.#findings.snapshot!.folders.uriOf(path);
    return openCommand(new vscode.Location(uri, new vscode.Position(line - 1, 0)));
  }

  #render(): void {
    const sources = this.#sources();
    const count = sources.filter(applies).length;
    this.#view.description = count > 0 ? quantity(count) : '';
    const hasAny = sources.length > 0;
    if (hasAny === this.#hasAny) return;
    this.#hasAny = hasAny;
    void vscode.commands.executeCommand('setContext', 'kindred.hasIgnored', hasAny);
  }
}
