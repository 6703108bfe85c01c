/** Lists the workspace's excluded files by reason. Selecting one opens it, or the setting that would include it. */
import * as vscode from 'vscode';
import { groupBy } from '../../../core/collections/lists.ts';
import type { SkippedFile } from '../../../core/engine/report/report.ts';
import type { FindingsModel } from '../findings/findings.ts';
import { openSetting } from '../scanning/trouble.ts';
import { fileCount, quantity } from '../wording.ts';
import { reasonText, reasonTitle, settingNames } from './leftOut.ts';

interface FileItem extends vscode.QuickPickItem {
  /** Excluded file; `undefined` for a separator between sections. */
  readonly file?: SkippedFile;
}

/** Shows the list of excluded files. Returns false if there are none. */
export function showExcluded(findings: FindingsModel): boolean {
  const { snapshot } = findings;
  const skipped = snapshot?.findings.skipped ?? [];
  if (snapshot === undefined || skipped.length === 0) return false;
  const pick = vscode.window.createQuickPick<FileItem>();
  pick.title = vscode.l10n.t('Excluded Files ({0})', fileCount(skipped.length));
  pick.placeholder = vscode.l10n.t(
    'Select a file to open it. Files excluded by .gitignore or by globs are not listed.',
  );
  pick.matchOnDescription = true;
  pick.items = itemsOf(skipped);
  pick.onDidTriggerItemButton(({ item: { file } }) => {
    if (file?.setting !== undefined) void run(openSetting(settingNames[file.setting]));
  });
  pick.onDidAccept(() => {
    const [selectedItem] = pick.selectedItems;
    pick.hide();
    const path = selectedItem?.file?.path;
    if (path === undefined) return;
    const uri = snapshot.folders.uriOf(path.replace(/\/$/, ''));
    // A folder cannot be opened as text.
    void vscode.commands.executeCommand(path.endsWith('/') ? 'revealInExplorer' : 'vscode.open', uri);
  });
  pick.onDidHide(() => pick.dispose());
  pick.show();
  return true;
}

/** Returns the items, in one section per reason. Sections with the most files come first. */
function itemsOf(skipped: readonly SkippedFile[]): FileItem[] {
  const sections = groupBy(skipped, ({ reason }) => reasonTitle(reason));
  return [...sections]
    .sort(([a, as], [b, bs]) => bs.length - as.length || (a < b ? -1 : 1))
    .flatMap(([title, files]): FileItem[] => [
      { label: `${title} (${quantity(files.length)})`, kind: vscode.QuickPickItemKind.Separator },
      ...files.map((file) => ({
        label: file.path,
        // Omit the reason if it equals the title of the section.
        description: reasonText(file.reason) === title ? '' : reasonText(file.reason),
        file,
        buttons: file.setting === undefined ? [] : [settingButton()],
      })),
    ]);
}

function settingButton(): vscode.QuickInputButton {
  return { iconPath: new vscode.ThemeIcon('gear'), tooltip: vscode.l10n.t('Open the setting that excludes this file') };
}

function run({ command, arguments: commandArguments = [] }: vscode.Command): Thenable<unknown> {
  return vscode.commands.executeCommand(command, ...(commandArguments as unknown[]));
}
