/** The files of the workspace that are not compared, by why; from there to the file, or to the setting that would let it in. */
import * as vscode from 'vscode';
import type { Skipped } from '../../engine/report/report.ts';
import type { FindingsModel } from '../findings/findings.ts';
import { openSetting } from '../scanning/trouble.ts';
import { fileCount, quantity } from '../wording.ts';
import { reasonText, reasonTitle, settingNames } from './leftOut.ts';

interface FileItem extends vscode.QuickPickItem {
  /** Undefined for a separator. */
  readonly file?: Skipped;
}

/** Lets a person choose one of the excluded files. Returns false when there are none. */
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
    const [chosen] = pick.selectedItems;
    pick.hide();
    const path = chosen?.file?.path;
    if (path === undefined) return;
    const uri = snapshot.folders.uriOf(path.replace(/\/$/, ''));
    // A folder has no text to show.
    void vscode.commands.executeCommand(path.endsWith('/') ? 'revealInExplorer' : 'vscode.open', uri);
  });
  pick.onDidHide(() => pick.dispose());
  pick.show();
  return true;
}

/** Sections by reason, the one with the most files first. */
function itemsOf(skipped: readonly Skipped[]): FileItem[] {
  const sections = new Map<string, Skipped[]>();
  for (const file of skipped) {
    const title = reasonTitle(file.reason);
    const section = sections.get(title);
    if (section) section.push(file);
    else sections.set(title, [file]);
  }
  return [...sections]
    .sort(([a, as], [b, bs]) => bs.length - as.length || (a < b ? -1 : 1))
    .flatMap(([title, files]): FileItem[] => [
      { label: `${title} (${quantity(files.length)})`, kind: vscode.QuickPickItemKind.Separator },
      ...files.map((file) => ({
        label: file.path,
        // What all files of the section have in common is in its title.
        description: reasonText(file.reason) === title ? '' : reasonText(file.reason),
        file,
        buttons: file.setting === undefined ? [] : [settingButton()],
      })),
    ]);
}

function settingButton(): vscode.QuickInputButton {
  return { iconPath: new vscode.ThemeIcon('gear'), tooltip: vscode.l10n.t('Open the setting that excludes this file') };
}

function run({ command, arguments: given = [] }: vscode.Command): Thenable<unknown> {
  return vscode.commands.executeCommand(command, ...(given as unknown[]));
}
