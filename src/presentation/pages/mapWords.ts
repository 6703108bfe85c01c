/** Texts of the duplication map's page. The page replaces the placeholders {0}, {1}, …. */
import * as l10n from '@vscode/l10n';

export type MapWords = Readonly<ReturnType<typeof mapWords>>;

export function mapWords() {
  return {
    title: l10n.t('Duplication Map'),
    allFolders: l10n.t('All Folders'),
    folders: l10n.t('Folders'),
    scope: l10n.t('Which files are counted'),
    sourceOnly: l10n.t('Source'),
    allFiles: l10n.t('All Files'),
    summary: l10n.t('{0} of {1} lines are duplicated ({2}).'),
    treemap: l10n.t('Folders and files by lines and duplicated share'),
    treemapHelp: l10n.t(
      'Click or Enter: show duplicates. Double-click or Space: open folder. Backspace: parent folder. Arrow keys: next cell.',
    ),
    cell: l10n.t('{0}: {1} of {2} lines duplicated, {3}'),
    others: l10n.t('{0} more files'),
    legend: l10n.t('Duplicated:'),
    table: l10n.t('Folders and Files'),
    name: l10n.t('Name'),
    lines: l10n.t('Lines'),
    duplicatedLines: l10n.t('Duplicated'),
    share: l10n.t('Share'),
    duplicates: l10n.t('Duplicates'),
    openFolder: l10n.t('Open {0}'),
    showDuplicates: l10n.t('Show the duplicates of {0}: {1}'),
    leftOut: l10n.t('{0} more with fewer duplicated lines are not listed.'),
    shared: l10n.t('Shared Lines'),
    sharedHelp: l10n.t('Lines of each row that have a copy in the column. Click a number to show these duplicates.'),
    sharedCell: l10n.t('{0} lines of {1} have a copy in {2}'),
    sharedWithin: l10n.t('{0} lines of {1} have a copy in the same place'),
    nothingShared: l10n.t('No duplicated lines here.'),
    sharedElsewhere: l10n.t('The copies of these lines are elsewhere.'),
    scan: l10n.t('Scan Workspace'),
  };
}
