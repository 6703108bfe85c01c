/** Explains the parts of a row and the icons of the *Duplicates* view, in a list. */
import * as vscode from 'vscode';
import { groupIcons, rowIcons } from './rowItems.ts';

export async function showLegend(): Promise<void> {
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
