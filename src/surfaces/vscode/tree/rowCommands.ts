/** Implements commands on rows of the *Duplicates* view. */
import * as vscode from 'vscode';
import { announce } from '../announce.ts';
import { type Choices, type Handlers, noCopyHere, selectSome } from '../choices.ts';
import type { CopySteps } from '../editor/copySteps.ts';
import type { FindingsModel } from '../findings/findings.ts';
import { showPassage } from '../findings/showPassage.ts';
import { showNotification } from '../notifications.ts';
import { exactPlace, quantity } from '../wording.ts';
import { type FileView, fileViewId } from './fileView.ts';
import type { TreeFilter } from './filter.ts';
import type { GroupTree } from './groupTree.ts';
import { revealIfThere } from './reveal.ts';
import { isCopyRow, type Row } from './rows.ts';

export interface RowTargets {
  readonly findings: FindingsModel;
  readonly tree: GroupTree;
  readonly filter: TreeFilter;
  readonly view: vscode.TreeView<Row>;
  readonly fileView: FileView;
  readonly steps: CopySteps;
}

export function rowCommands({ findings, tree, filter, view, fileView, steps }: RowTargets, choices: Choices): Handlers {
  return {
    'kindred.openCopy': async ({ row }): Promise<void> => {
      const copy = row ?? view.selection[0];
      if (!isCopyRow(copy)) return showNotification(vscode.l10n.t('Select a copy in the Duplicates view to open it.'));
      await steps.open(copy.group, copy.place);
    },

    /**
     * Shows a copy in a preview editor without moving the focus. A key that moves the focus runs this command for each
     * row that the focus passes. So the command does nothing if another row has the focus by then.
     */
    'kindred.previewCopy': async ({ row }, _given, [, viewId]): Promise<void> => {
      if (!isCopyRow(row)) return;
      const isInFile = viewId === fileViewId;
      await (isInFile ? fileView.select(row) : revealIfThere(view, row, { select: true, focus: false }));
      await steps.open(row.group, row.place, { preserveFocus: true });
    },

    'kindred.showInView': async ({ row }): Promise<void> => {
      const copy = isCopyRow(row) ? row : steps.here();
      if (copy === undefined) return showNotification(noCopyHere());
      if (!filter.accepts(copy.group)) await filter.use([]);
      // When grouped by file, the tree has no rows for nested groups.
      if (tree.rowOfCopy(copy) === undefined) tree.arrange({ grouping: 'duplicate' });
      const shown = tree.rowOfCopy(copy);
      // A newer report may no longer contain the copy.
      if (shown === undefined) return showNotification(noCopyHere());
      tree.ensureShown(shown);
      await revealIfThere(view, shown, { select: true, focus: true, expand: true });
    },

    'kindred.copyLocations': async (choice): Promise<void> => {
      const passages = choices.passagesOf(choice);
      if (passages.length === 0) return showNotification(selectSome());
      const places = [...new Set(passages.map((passage) => exactPlace(findings.now(passage))))];
      await vscode.env.clipboard.writeText(places.join('\n'));
      announce(
        places.length === 1
          ? vscode.l10n.t('1 place was copied to the clipboard.')
          : vscode.l10n.t('{0} places were copied to the clipboard.', quantity(places.length)),
      );
    },

    /** Opens each file of the selected copies once, at its first copy. If there are many files, asks first. */
    'kindred.openAll': async (choice): Promise<void> => {
      const passages = choices.passagesOf(choice);
      if (passages.length === 0) return showNotification(selectSome());
      const files = new Map(passages.map((passage) => [passage.path, passage] as const).reverse());
      if (files.size > unaskedEditors && !(await confirmEditors(files.size))) return;
      for (const passage of [...files.values()].reverse()) {
        await showPassage(findings, passage, { preview: false });
      }
    },

    /** Asks which of the similar folders to reveal. */
    'kindred.revealFolder': async ({ row }): Promise<void> => {
      const folders = row ?? view.selection[0];
      if (folders?.type !== 'folders')
        return showNotification(vscode.l10n.t('Select folders in the Duplicates view to reveal one.'));
      const { paths } = folders.folders;
      const placeHolder = vscode.l10n.t('Select the folder to reveal');
      const path = await vscode.window.showQuickPick(paths, { placeHolder });
      if (path === undefined) return;
      // `uriOf` accepts only paths inside a folder. So pass the path of a fictitious file in the folder, and use its
      // parent.
      const folder = vscode.Uri.joinPath(findings.snapshot!.folders.uriOf(`${path}/x`), '..');
      await vscode.commands.executeCommand('revealInExplorer', folder);
    },
  };
}

/** Maximum number of editors to open without asking. */
const unaskedEditors = 10;

async function confirmEditors(count: number): Promise<boolean> {
  const open = vscode.l10n.t('Open {0} Files', quantity(count));
  const question = vscode.l10n.t('Open {0} files in editors?', quantity(count));
  return (await vscode.window.showWarningMessage(question, { modal: true }, open)) === open;
}
