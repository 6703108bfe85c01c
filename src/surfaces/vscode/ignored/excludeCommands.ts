/** Commands that exclude files and folders from scans. */
import * as vscode from 'vscode';
import type { Handlers } from '../choices.ts';
import type { FindingsModel } from '../findings/findings.ts';
import { offerUndo, showNotification } from '../notifications.ts';
import { isCopyRow, type Row } from '../tree/rows.ts';
import { baseName, oneLine } from '../wording.ts';
import { isOfType } from '../workspace/files.ts';
import { exclude } from './excludes.ts';

export function excludeCommands(findings: FindingsModel): Handlers {
  return {
    'kindred.ignoreFile': async ({ row, document }): Promise<void> => {
      const uri = uriOf(row) ?? document ?? vscode.window.activeTextEditor?.document.uri;
      if (uri === undefined)
        return showNotification(vscode.l10n.t('Open a file, or select one in the Duplicates view, to exclude it.'));
      await excludeAndNotify(uri);
    },

    /** Asks the user which of the parent folders to exclude. */
    'kindred.ignoreFolder': async ({ row, document }): Promise<void> => {
      const uri = uriOf(row) ?? document ?? vscode.window.activeTextEditor?.document.uri;
      const isFolder =
        row?.type === 'folder' ||
        (row === undefined && document !== undefined && (await isOfType(document, vscode.FileType.Directory)));
      const folders = uri ? foldersAround(uri, isFolder) : [];
      if (folders.length === 0) {
        return showNotification(
          vscode.l10n.t('Open a file in a folder, or select one in the Duplicates view, to exclude it.'),
        );
      }
      const placeHolder = vscode.l10n.t('Select the folder to exclude');
      const [only] = folders;
      const folder = folders.length === 1 ? only : await vscode.window.showQuickPick(folders, { placeHolder });
      if (folder) await excludeAndNotify(folder.uri);
    },
  };

  function uriOf(row: Row | undefined): vscode.Uri | undefined {
    if (isCopyRow(row)) return findings.uriOf(row.passage);
    return row?.type === 'file' || row?.type === 'folder' ? findings.snapshot!.folders.uriOf(row.path) : undefined;
  }
}

async function excludeAndNotify(uri: vscode.Uri): Promise<void> {
  const excluded = await exclude(uri);
  if (excluded === undefined) return;
  const sentence = vscode.l10n.t('{0} is now excluded by {1}.', oneLine(baseName(uri.path)), excluded.where);
  offerUndo(sentence, excluded.undo);
}

/** Returns the parent folders of a file up to its workspace folder, innermost first. */
function foldersAround(
  uri: vscode.Uri,
  isFolder: boolean,
): readonly (vscode.QuickPickItem & { readonly uri: vscode.Uri })[] {
  const root = vscode.workspace.getWorkspaceFolder(uri)?.uri.path.replace(/\/$/, '');
  if (root === undefined) return [];
  if (isFolder) return [{ label: uri.path.slice(root.length + 1), uri }];
  const names = uri.path
    .slice(root.length + 1)
    .split('/')
    .slice(0, -1);
  return names
    .map((_, depth) => names.slice(0, depth + 1).join('/'))
    .reverse()
    .map((label) => ({ label, uri: uri.with({ path: `${root}/${label}` }) }));
}
