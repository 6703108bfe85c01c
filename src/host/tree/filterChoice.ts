/** Asks a person for a filter. Each choice adds a condition to those in force, or takes it away again. */
import * as vscode from 'vscode';
import type { Snapshot } from '../findings/snapshot.ts';
import { categories, type Filter, likenesses } from './filter.ts';
import { categoryTitle, likenessTitle } from './filterWords.ts';
import { oneLine, quantity } from '../wording.ts';

interface Choice extends vscode.QuickPickItem {
  /** What is in force when it is taken; undefined of what stands between others. */
  readonly take?: () => Promise<readonly Filter[] | undefined>;
}

/**
 * The conditions that are to be in force; undefined when somebody turns away.
 *
 * @param askForRef  asks for a Git ref
 */
export async function askForFilters(
  active: readonly Filter[],
  snapshot: Snapshot | undefined,
  askForRef: () => Promise<string | undefined>,
): Promise<readonly Filter[] | undefined> {
  const others = (type: Filter['type']): readonly Filter[] => active.filter((filter) => filter.type !== type);
  const find = <Type extends Filter['type']>(type: Type) =>
    active.find((filter): filter is Extract<Filter, { type: Type }> => filter.type === type);
  const choice = (label: string, isActive: boolean, take: Choice['take']): Choice => ({
    label,
    description: isActive ? vscode.l10n.t('on') : '',
    iconPath: new vscode.ThemeIcon(isActive ? 'check' : 'blank'),
    ...(take && { take }),
  });
  const heading = (label: string): Choice => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const simple = (type: 'open' | 'active' | 'changed' | 'new' | 'unknown', label: string): Choice => {
    const isActive = find(type) !== undefined;
    return choice(label, isActive, () => Promise.resolve(isActive ? others(type) : [...others(type), { type }]));
  };
  const [since, category, likeness, folder, contains] = [
    find('since'),
    find('category'),
    find('likeness'),
    find('folder'),
    find('contains'),
  ] as const;

  const choices: Choice[] = [
    choice(vscode.l10n.t('All Duplicates'), active.length === 0, () => Promise.resolve([])),
    heading(vscode.l10n.t('where')),
    simple('active', vscode.l10n.t('Active File')),
    simple('open', vscode.l10n.t('Open Files')),
    simple('changed', vscode.l10n.t('Files Changed in Git')),
    choice(vscode.l10n.t('Folder…'), folder !== undefined, async () => {
      const path = await askForFolder(snapshot);
      return path === undefined ? undefined : [...others('folder'), { type: 'folder', path }];
    }),
    choice(vscode.l10n.t('Path or Text Contains…'), contains !== undefined, async () => {
      const text = await vscode.window.showInputBox({
        prompt: vscode.l10n.t('Show duplicates whose path or text contains this'),
        value: contains?.text ?? '',
      });
      if (text === undefined) return undefined;
      return text === '' ? others('contains') : [...others('contains'), { type: 'contains', text }];
    }),
    heading(vscode.l10n.t('what')),
    simple('new', vscode.l10n.t('New or Changed')),
    choice(
      since ? vscode.l10n.t('New Since {0}', oneLine(since.ref)) : vscode.l10n.t('New Since…'),
      since !== undefined,
      async () => {
        if (since) return others('since');
        const ref = await askForRef();
        return ref === undefined ? undefined : [...others('since'), { type: 'since', ref }];
      },
    ),
    simple('unknown', vscode.l10n.t('Not in the Baseline')),
    ...likenesses.map((type) => {
      const of = toggled(likeness?.of ?? [], type);
      return choice(likenessTitle(type), likeness?.of.includes(type) === true, () =>
        Promise.resolve(of.length === 0 ? others('likeness') : [...others('likeness'), { type: 'likeness', of }]),
      );
    }),
    ...categories.map((name) => {
      const of = toggled(category?.of ?? [], name);
      return choice(categoryTitle(name), category?.of.includes(name) === true, () =>
        Promise.resolve(of.length === 0 ? others('category') : [...others('category'), { type: 'category', of }]),
      );
    }),
  ];
  const chosen = await vscode.window.showQuickPick(choices, {
    placeHolder: vscode.l10n.t('Select which duplicates the view shows'),
  });
  return chosen?.take?.();
}

/** A folder that has files with copies, by its path. */
async function askForFolder(snapshot: Snapshot | undefined): Promise<string | undefined> {
  const counts = new Map<string, number>();
  for (const path of new Set([...(snapshot?.copies.keys() ?? []), ...(snapshot?.wholes.keys() ?? [])])) {
    for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
      const folder = path.slice(0, end);
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
  }
  const folders = Array.from(counts, ([label, files]) => ({
    label,
    description: vscode.l10n.t('{0} files with duplicates', quantity(files)),
  })).sort((x, y) => (x.label < y.label ? -1 : 1));
  const placeHolder = vscode.l10n.t('Select the folder whose duplicates the view shows');
  return (await vscode.window.showQuickPick(folders, { placeHolder }))?.label;
}

function toggled<Value>(values: readonly Value[], value: Value): readonly Value[] {
  return values.includes(value) ? values.filter((it) => it !== value) : [...values, value];
}
