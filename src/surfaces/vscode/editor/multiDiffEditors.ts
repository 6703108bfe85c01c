/** Compares several pairs of passages in one multi-diff editor. */
import * as vscode from 'vscode';
import type { Group, Passage } from '../../../core/engine/report/report.ts';
import { siblingsOf } from '../../../presentation/wording/siblings.ts';
import type { CopyPair, FindingsModel } from '../findings/findings.ts';
import type { SavedText } from '../findings/savedText.ts';
import type { PassageNames } from '../tree/passageNames.ts';
import { copyCount, groupTitle, lineRange, named, namesAmong, oneLine } from '../wording.ts';
import { alignedTo, alignPair, closeReplaced, documentOf, isExcerpt, isProse } from './compare.ts';
import { Subscriber } from '../subscriber.ts';

/** A pair in the format of VS Code's command: URI of the entry, left document, right document. */
type Sides = readonly [entry: vscode.Uri, left: vscode.Uri, right: vscode.Uri];

/** Content of an open multi-diff editor. */
interface ShownContent {
  /** Title without replaced names. */
  readonly title: string;
  /** Pairs without replaced names. */
  readonly pairs: readonly Sides[];
  readonly isAligned: boolean;
}

/** Maximum number of editors whose content is remembered. */
const maxRemembered = 20;

/** Opens multi-diff editors, and remembers their content, which VS Code does not report to extensions. */
export class MultiDiffEditors extends Subscriber {
  readonly #findings: FindingsModel;
  readonly #names: PassageNames;
  readonly #text: SavedText;
  /** Content of each editor, by tab label. */
  readonly #shown = new Map<string, ShownContent>();

  constructor(findings: FindingsModel, names: PassageNames, text: SavedText) {
    super();
    this.#findings = findings;
    this.#names = names;
    this.#text = text;
    const { onDidChangeTabs, onDidChangeTabGroups } = vscode.window.tabGroups;
    const update = (): void => {
      const shown = this.#inFront();
      const isCode = shown?.pairs.some(([, left]) => !isProse(left));
      const state = isCode ? (shown!.isAligned ? 'aligned' : 'written') : undefined;
      void vscode.commands.executeCommand('setContext', 'kindred.comparedTogether', state);
    };
    this.own(onDidChangeTabs(update), onDidChangeTabGroups(update));
  }

  /** Compares each other copy of a group with the canonical copy, in one editor. */
  async compareAll(group: Group, canonical: number): Promise<void> {
    const first = group.passages[canonical]!;
    const now = this.#findings.now(first);
    const place = `${namesAmong(group.passages.map(({ path }) => path)).get(now.path)!}:${lineRange(now)}`;
    const others = siblingsOf({ group, place: canonical });
    // The left side comes first, because a narrow tab does not show the end.
    const title = `${place} ↔ ${copyCount(others.length)} · ${groupTitle(group)}`;
    await this.#show({
      // The title begins with the name of the group's first passage, like the row of the group.
      title: named(await this.#names.inTitle(group, group.passages[0]!), title),
      pairs: await Promise.all(others.map(({ passage }) => this.#sidesOf(group, first, passage))),
      isAligned: false,
    });
  }

  /** Compares pairs of copies in one editor. They may belong to different groups. */
  async comparePairs(title: string, copyPairs: readonly CopyPair[]): Promise<void> {
    await this.#show({
      title,
      pairs: await Promise.all(
        copyPairs.map(([group, left, right]) => this.#sidesOf(group, group.passages[left]!, group.passages[right]!)),
      ),
      isAligned: false,
    });
  }

  /**
   * Opens the active comparison again, with names aligned (the left side's names on both sides) or as written.
   * Returns a message if there is no such editor, or if no pair can be aligned.
   */
  async showNames(form: 'aligned' | 'written'): Promise<string | undefined> {
    const isAligned = form === 'aligned';
    const { activeTab: tab } = vscode.window.tabGroups.activeTabGroup;
    const { input } = tab ?? {};
    if (tab && input instanceof vscode.TabInputTextDiff && isExcerpt(input.original) && isExcerpt(input.modified))
      return alignPair(this.#text, tab, input, isAligned);
    const shown = this.#inFront();
    if (tab === undefined || shown === undefined) return vscode.l10n.t('Compare two copies to align their names.');
    if (shown.isAligned === isAligned) return undefined;
    const problem = isAligned ? await this.#align(shown) : await this.#show({ ...shown, isAligned });
    if (problem === undefined) await closeReplaced(tab);
    return problem;
  }

  /** Aligns the names of all pairs for which that is possible. Returns a message if it is possible for none. */
  async #align({ title, pairs }: ShownContent): Promise<string | undefined> {
    const found = await Promise.all(pairs.map(([, left, right]) => alignedTo(this.#text, left, right, title)));
    const problems = found.filter((it) => typeof it === 'string');
    if (problems.length === pairs.length) return problems[0];
    const sides = pairs.map(([entry, left, right], place): Sides => {
      const aligned = found[place]!;
      return [entry, left, typeof aligned === 'string' ? right : aligned.uri];
    });
    return this.#show({ title, pairs, isAligned: true }, vscode.l10n.t('{0}, names aligned', title), sides);
  }

  async #sidesOf(group: Group, left: Passage, right: Passage): Promise<Sides> {
    const [a, b] = await Promise.all(
      [left, right].map((passage) => documentOf(this.#findings, group, this.#findings.now(passage))),
    );
    // If the two sides of an entry had different paths, VS Code would display the entry as a renamed file.
    return [this.#findings.uriOf(right), a!.with({ path: b!.path }), b!];
  }

  async #show(shown: ShownContent, title = shown.title, pairs = shown.pairs): Promise<undefined> {
    const label = oneLine(title);
    this.#shown.delete(label);
    this.#shown.set(label, shown);
    if (this.#shown.size > maxRemembered) this.#shown.delete(this.#shown.keys().next().value!);
    await vscode.commands.executeCommand('vscode.changes', label, pairs);
  }

  #inFront(): ShownContent | undefined {
    const { label } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
    // VS Code appends the number of files to the tab's label.
    return label === undefined ? undefined : this.#shown.get(label.replace(/ \([^()]*\)$/, ''));
  }
}
