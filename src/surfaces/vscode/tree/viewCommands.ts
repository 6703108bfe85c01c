/** Implements the commands that group, sort, and explain the *Duplicates* view. */
import * as vscode from 'vscode';
import type { Handlers } from '../choices.ts';
import { showNotification } from '../notifications.ts';
import { expandAll } from './expandAll.ts';
import type { GroupTree } from './groupTree.ts';
import { isOrder, type Order, orders } from './order.ts';
import type { Row } from './rows.ts';
import { type Grouping, groupings, isGrouping } from './shownRows.ts';
import { groupIcons, rowIcons } from './rowItems.ts';

export function viewCommands(tree: GroupTree, view: vscode.TreeView<Row>): Handlers {
  const orderLabels: Readonly<Record<Order, string>> = {
    worth: vscode.l10n.t('Most Worth'),
    size: vscode.l10n.t('Most Duplicated Lines'),
    similarity: vscode.l10n.t('Most Similar'),
    copies: vscode.l10n.t('Most Copies'),
    path: vscode.l10n.t('Path'),
  };
  const groupingLabels: Readonly<Record<Grouping, string>> = {
    duplicate: vscode.l10n.t('Duplicate'),
    file: vscode.l10n.t('File'),
    folder: vscode.l10n.t('Folder'),
    language: vscode.l10n.t('Language'),
  };
  return {
    /** Asks for the grouping, unless it is passed as the argument. */
    'kindred.groupBy': async (_chosen, argument): Promise<void> => {
      const placeHolder = vscode.l10n.t('Select what the Duplicates view is grouped by');
      const prompt = (): Promise<Grouping | undefined> =>
        promptForValue(groupings, groupingLabels, tree.grouping, placeHolder);
      const grouping = isGrouping(argument) ? argument : await prompt();
      if (grouping) tree.arrange({ grouping });
    },

    /** Asks for the order, unless it is passed as the argument. */
    'kindred.sortGroups': async (_chosen, argument): Promise<void> => {
      const placeHolder = vscode.l10n.t('Select the sort order of the Duplicates view');
      const prompt = (): Promise<Order | undefined> => promptForValue(orders, orderLabels, tree.order, placeHolder);
      const order = isOrder(argument) ? argument : await prompt();
      if (order) tree.arrange({ order });
    },

    'kindred.expandAll': async (): Promise<void> => {
      if (!(await expandAll(view, tree))) {
        showNotification(vscode.l10n.t('There are too many rows to expand all of them. Set a filter to expand fewer.'));
      }
    },

    'kindred.showLegend': () => showLegend(),

    'kindred.showCheckboxes': () => switchCheckboxes('on'),

    'kindred.hideCheckboxes': () => switchCheckboxes('off'),

    'kindred.followEditor': () => followEditor('on'),

    'kindred.unfollowEditor': () => followEditor('off'),

    'kindred.showMore': (_chosen, argument) => {
      if (typeof argument === 'string') tree.showMore(argument);
    },
  };

  async function switchCheckboxes(state: 'on' | 'off'): Promise<void> {
    const shown = state === 'on';
    tree.useCheckboxes(shown);
    await vscode.commands.executeCommand('setContext', 'kindred.checkboxes', shown);
  }
}

async function followEditor(state: 'on' | 'off'): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('kindred');
  await configuration.update('view.followEditor', state === 'on', vscode.ConfigurationTarget.Global);
}

/** Asks the user to select a value. Returns `undefined` if the user cancels. */
async function promptForValue<Value extends string>(
  values: readonly Value[],
  labels: Readonly<Record<Value, string>>,
  now: Value,
  placeHolder: string,
): Promise<Value | undefined> {
  const items = values.map((value) => ({
    value,
    label: labels[value],
    description: value === now ? vscode.l10n.t('current value') : '',
  }));
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.value;
}

/** Explains the parts of a row and the icons of the *Duplicates* view, in a list. */
async function showLegend(): Promise<void> {
  const { Separator } = vscode.QuickPickItemKind;
  const icons: readonly [icon: string, name: string, meaning: string][] = [
    [groupIcons.exact, vscode.l10n.t('Identical'), vscode.l10n.t('the copies are equal, token by token')],
    [groupIcons.renamed, vscode.l10n.t('Renamed'), vscode.l10n.t('only names or values differ')],
    [groupIcons.near, vscode.l10n.t('Edited'), vscode.l10n.t('lines were added, removed, or changed')],
    [groupIcons.prose, vscode.l10n.t('Text'), vscode.l10n.t('edited prose')],
    [groupIcons.files, vscode.l10n.t('Files'), vscode.l10n.t('whole files that repeat each other')],
    [rowIcons.files, vscode.l10n.t('Two Files'), vscode.l10n.t('several passages of one file are also in the other')],
    [rowIcons.peers, vscode.l10n.t('Same Role'), vscode.l10n.t('files such as drivers, which share passages')],
    [rowIcons.folders, vscode.l10n.t('Folders'), vscode.l10n.t('folders that repeat each other')],
    [rowIcons.inner, vscode.l10n.t('Inside'), vscode.l10n.t('more duplicates in the lines of a row')],
    [rowIcons.canonical, vscode.l10n.t('Canonical'), vscode.l10n.t('the copy that the others are compared with')],
  ];
  const items: vscode.QuickPickItem[] = [
    { label: vscode.l10n.t('Rows'), kind: Separator },
    {
      label: vscode.l10n.t('parseDay · 3 copies · 28 lines · 94%'),
      detail: vscode.l10n.t('Name, number of copies, lines of the longest one, similarity, then the files'),
    },
    { label: vscode.l10n.t('Icons'), kind: Separator },
    // An icon in the label would be read as its name by screen readers.
    ...icons.map(([icon, label, description]) => ({ label, description, iconPath: new vscode.ThemeIcon(icon) })),
  ];
  await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Rows and Icons of the Duplicates View'),
    placeHolder: vscode.l10n.t('Type to search, or press Escape to close'),
    matchOnDescription: true,
  });
}
