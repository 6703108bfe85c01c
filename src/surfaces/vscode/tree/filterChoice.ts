/** Quick pick for the filter. Each item adds or removes a condition. */
import * as vscode from 'vscode';
import type { Snapshot } from '../findings/snapshot.ts';
import { inBrowser } from '../inBrowser.ts';
import { categories, type Filter, likenesses } from './filter.ts';
import { categoryTitle, likenessTitle } from './filterWords.ts';
import { oneLine, quantity } from '../wording.ts';

interface Choice extends vscode.QuickPickItem {
  /** Returns the new list of conditions; `undefined` if the user cancels. Separators have no such function. */
  readonly changedFilters?: () => Promise<readonly Filter[] | undefined>;
  /** True if the item opens another input for details, which replaces the quick pick. */
  readonly opensInput?: boolean;
}

/** The tree to which the conditions apply. */
export interface FilterTarget {
  readonly active: () => readonly Filter[];
  readonly snapshot: () => Snapshot | undefined;
  readonly promptForRef: () => Promise<string | undefined>;
  /** Applies conditions and shows the result. */
  readonly use: (filters: readonly Filter[]) => Promise<void>;
}

/** Shows the quick pick until the user closes it. Each selected item is applied immediately. */
export async function chooseFilters(target: FilterTarget): Promise<void> {
  const pick = vscode.window.createQuickPick<Choice>();
  pick.placeholder = vscode.l10n.t('Select which duplicates the view shows');
  pick.keepScrollPosition = true;
  const list = (): void => {
    const at = pick.items.findIndex(({ label }) => label === pick.activeItems[0]?.label);
    pick.items = choicesOf(target);
    pick.activeItems = pick.items.slice(at, at + 1);
  };
  list();
  const applyChoice = async ({ changedFilters, opensInput }: Choice): Promise<void> => {
    if (opensInput) pick.hide();
    pick.busy = true;
    try {
      const filters = await changedFilters?.();
      if (filters) await target.use(filters);
      if (!opensInput) list();
    } finally {
      pick.busy = false;
    }
  };
  let applying: Promise<void> = Promise.resolve();
  pick.onDidAccept(() => {
    const [choice] = pick.selectedItems;
    // Ignore the item while another item is being applied. It is based on the old conditions, so it would undo the
    // effect of the other item.
    if (choice && !pick.busy) applying = applyChoice(choice);
  });
  await new Promise<void>((resolve) => {
    pick.onDidHide(() => resolve());
    pick.show();
  });
  // An item's own input may still be open.
  await applying.finally(() => pick.dispose());
}

type State = 'on' | 'off';

function stateOf(isActive: boolean | undefined): State {
  return isActive ? 'on' : 'off';
}

function choicesOf({ active: filters, snapshot, promptForRef }: FilterTarget): Choice[] {
  const active = filters();
  const others = (type: Filter['type']): readonly Filter[] => active.filter((filter) => filter.type !== type);
  const find = <Type extends Filter['type']>(type: Type) =>
    active.find((filter): filter is Extract<Filter, { type: Type }> => filter.type === type);
  const choice = (label: string, state: State, changedFilters: NonNullable<Choice['changedFilters']>): Choice => ({
    label,
    description: state === 'on' ? vscode.l10n.t('on') : '',
    iconPath: new vscode.ThemeIcon(state === 'on' ? 'check' : 'blank'),
    changedFilters,
  });
  const choiceWithInput = (
    label: string,
    changedFilters: NonNullable<Choice['changedFilters']>,
    state: State = 'off',
  ): Choice => ({
    ...choice(label, state, changedFilters),
    opensInput: true,
  });
  const heading = (label: string): Choice => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const simple = (type: 'open' | 'active' | 'changed' | 'new' | 'unknown', label: string): Choice => {
    const state = stateOf(find(type) !== undefined);
    return choice(label, state, () => Promise.resolve(state === 'on' ? others(type) : [...others(type), { type }]));
  };
  const [since, category, likeness, folder, contains] = [
    find('since'),
    find('category'),
    find('likeness'),
    find('folder'),
    find('contains'),
  ] as const;

  const byRef = since
    ? choice(vscode.l10n.t('New Since {0}', oneLine(since.ref)), 'on', () => Promise.resolve(others('since')))
    : choiceWithInput(vscode.l10n.t('New Since…'), async () => {
        const ref = await promptForRef();
        return ref === undefined ? undefined : [...others('since'), { type: 'since', ref }];
      });

  return [
    choice(vscode.l10n.t('All Duplicates'), stateOf(active.length === 0), () => Promise.resolve([])),
    heading(vscode.l10n.t('where')),
    simple('active', vscode.l10n.t('Active File')),
    simple('open', vscode.l10n.t('Open Files')),
    ...(inBrowser ? [] : [simple('changed', vscode.l10n.t('Files Changed in Git'))]),
    ...(folder
      ? [
          choice(
            folder.isInside
              ? vscode.l10n.t('Inside Folder {0}', oneLine(folder.path))
              : vscode.l10n.t('Folder {0}', oneLine(folder.path)),
            'on',
            () => Promise.resolve(others('folder')),
          ),
        ]
      : [
          choiceWithInput(vscode.l10n.t('Folder…'), async () => {
            const path = await promptForFolder(snapshot());
            return path === undefined ? undefined : [...active, { type: 'folder', path }];
          }),
          choiceWithInput(vscode.l10n.t('Inside a Folder…'), async () => {
            const path = await promptForFolder(snapshot());
            return path === undefined ? undefined : [...active, { type: 'folder', path, isInside: true }];
          }),
        ]),
    choiceWithInput(
      vscode.l10n.t('Path or Text Contains…'),
      async () => {
        const text = await vscode.window.showInputBox({
          prompt: vscode.l10n.t('Show duplicates whose path or text contains this'),
          value: contains?.text ?? '',
        });
        if (text === undefined) return undefined;
        return text === '' ? others('contains') : [...others('contains'), { type: 'contains', text }];
      },
      stateOf(contains !== undefined),
    ),
    heading(vscode.l10n.t('what')),
    simple('new', vscode.l10n.t('New or Changed')),
    ...(inBrowser ? [] : [byRef]),
    simple('unknown', vscode.l10n.t('Not in the Baseline')),
    ...likenesses.map((type) => {
      const of = toggled(likeness?.of ?? [], type);
      return choice(likenessTitle(type), stateOf(likeness?.of.includes(type)), () =>
        Promise.resolve(of.length === 0 ? others('likeness') : [...others('likeness'), { type: 'likeness', of }]),
      );
    }),
    ...categories.map((name) => {
      const of = toggled(category?.of ?? [], name);
      return choice(categoryTitle(name), stateOf(category?.of.includes(name)), () =>
        Promise.resolve(of.length === 0 ? others('category') : [...others('category'), { type: 'category', of }]),
      );
    }),
  ];
}

/** Asks for a folder. Offers the folders that contain files with copies. */
async function promptForFolder(snapshot: Snapshot | undefined): Promise<string | undefined> {
  const counts = new Map<string, number>();
  for (const path of new Set([...(snapshot?.copies.keys() ?? []), ...(snapshot?.fileCopies.keys() ?? [])])) {
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
