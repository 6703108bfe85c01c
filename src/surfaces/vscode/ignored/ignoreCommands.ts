/** Implements the commands that ignore copies and stop ignoring them. */
import * as vscode from 'vscode';
import { contentsOf } from '../../../review/gate/contents.ts';
import { outermost } from '../../../session/client/outermost.ts';
import { referenceTo } from '../editor/copyReference.ts';
import type { FindingsModel } from '../findings/findings.ts';
import type { OwnIgnoreList } from './ownIgnoreList.ts';
import type { SavedText } from '../findings/savedText.ts';
import { shownLocation } from '../findings/showPassage.ts';
import type { Scanner } from '../scanning/scanner.ts';
import type { Copy } from '../../../session/client/report.ts';
import { isCopyRow, type Row } from '../tree/rows.ts';
import type { TreeFilter } from '../tree/filter.ts';
import type { GroupTree } from '../tree/groupTree.ts';
import { focusNextRow } from '../tree/reveal.ts';
import { baseName, duplicateCount, oneLine } from '../wording.ts';
import { baselineName } from '../../../session/client/configurationFiles.ts';
import { type Choices, type Handlers, noCopyHere } from '../choices.ts';
import { showNotification } from '../notifications.ts';
import { insertComments } from './comments.ts';
import { EntryNotes } from './entryNotes.ts';
import { isOfType } from '../workspace/files.ts';
import { promptForReason, ignore, type CommandItem, stopIgnoring } from './ignore.ts';
import { type IgnoredTree, isIgnoredRow } from './ignoredTree.ts';
import { recordBaseline } from './recordBaseline.ts';

export interface IgnoreTargets {
  readonly findings: FindingsModel;
  readonly own: OwnIgnoreList;
  readonly text: SavedText;
  readonly filter: Pick<TreeFilter, 'active' | 'use'>;
  readonly ignoredTree: IgnoredTree;
  readonly tree: GroupTree;
  readonly view: vscode.TreeView<Row>;
  readonly scanner: Pick<Scanner, 'judgeAgain'>;
}

export function ignoreCommands(
  { findings, own, text, filter, ignoredTree, tree, view, scanner }: IgnoreTargets,
  choices: Choices,
): Handlers {
  const notes = new EntryNotes(findings, text);
  /**
   * Returns the copy that a command applies to: the copy of the only row or, without rows, the copy at the cursor.
   * Returns `undefined` if the command does not apply to a single copy.
   */
  const copyAmong = ([row]: readonly Row[]): Copy | undefined =>
    row === undefined || isCopyRow(row) ? choices.copyOf(row) : undefined;
  const parts = { findings, own, scanner, notes };
  return {
    'kindred.ignoreGroup': async (choice): Promise<void> => {
      if (choice.isLost) return showNotification(vscode.l10n.t('The rows have just changed. Try again.'));
      const rows = choices.rowsBeforeCursor(choice);
      const groups = choices.groupsOrHere(rows);
      if (groups.length === 0) {
        return showNotification(
          vscode.l10n.t('There is no copy at the cursor: place it in a copy, or ignore a row of the Duplicates view.'),
        );
      }
      const count = outermost(groups).length;
      const title =
        count === 1 ? vscode.l10n.t('Ignore This Duplicate') : vscode.l10n.t('Ignore {0}', duplicateCount(count));
      // Displayed groups omit copies that comments ignore, so look up the complete groups.
      const whole = groups.map(({ id }) => findings.foundGroup(id)).filter((group) => group !== undefined);
      const focus = focusNextRow(tree, view, rows);
      const isDone = await ignore(
        parts,
        title,
        whole.map((group) => ({ contents: contentsOf(group), group, first: group.passages[0]! })),
        count === 1 ? insteadOf(copyAmong(rows)) : [],
      );
      if (!isDone) focus.dispose();
    },

    'kindred.ignorePair': async (choice): Promise<void> => {
      const pair = choices.pairOf(choice);
      if (pair === undefined) return showNotification(noCopyHere());
      const [group, ...places] = pair;
      const passages = places.map((place) => group.passages[place]!);
      const isDone = await ignore(parts, vscode.l10n.t('Ignore This Pair'), [
        { contents: contentsOf({ passages }), group, first: passages[0]!, isPair: true },
      ]);
      if (isDone && group.passages.length > 2) {
        showNotification(vscode.l10n.t('It stays in the view because its other copies still match.'));
      }
    },

    'kindred.ignoreHere': async ({ row }): Promise<void> => {
      const copy = choices.copyOf(row);
      if (copy === undefined || copy.group.kind === 'file') return showNotification(noCopyHere());
      const reason = await promptForReason(vscode.l10n.t('Ignore This Copy by Comments'));
      if (reason === undefined) return;
      const { uri, range } = await shownLocation(findings, copy.passage);
      const without = await insertComments(uri, range, reason);
      const name = baseName(uri.path);
      if (without === 'language') {
        showNotification(vscode.l10n.t('{0} is in a language without comments. Ignore the duplicate instead.', name));
      } else if (without === 'readOnly') {
        showNotification(vscode.l10n.t('{0} is read-only. Ignore the duplicate instead.', name));
      }
    },

    'kindred.unignore': async (_choice, argument, all): Promise<void> => {
      const many: readonly unknown[] = Array.isArray(all[1]) ? all[1] : [argument];
      const selectedRows = many.filter(isIgnoredRow);
      const rows = selectedRows.length > 0 ? selectedRows : ignoredTree.selection;
      if (rows.length === 0)
        return showNotification(vscode.l10n.t('Select what to stop ignoring in the Ignored view.'));
      await stopIgnoring(parts, rows);
    },

    'kindred.recordBaseline': () => recordBaseline(findings, filter, notes),

    /** Opens the baseline of the first workspace folder that has one. */
    'kindred.openBaseline': async (): Promise<void> => {
      for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
        const file = vscode.Uri.joinPath(uri, baselineName);
        if (await isOfType(file, vscode.FileType.File)) return void (await vscode.window.showTextDocument(file));
      }
      showNotification(vscode.l10n.t('There is no {0} yet.', baselineName));
    },
  };
}

/** Returns the alternatives to ignoring a copy: adding comments, or excluding its file or folder. */
function insteadOf(copy: Copy | undefined): readonly CommandItem[] {
  if (copy === undefined) return [];
  const here = {
    label: vscode.l10n.t('Only This Copy'),
    description: vscode.l10n.t('by comments'),
    command: 'kindred.ignoreHere',
  };
  const others = [
    {
      label: vscode.l10n.t('Exclude the File'),
      description: oneLine(baseName(copy.passage.path)),
      command: 'kindred.ignoreFile',
    },
    { label: vscode.l10n.t('Exclude a Folder…'), description: '', command: 'kindred.ignoreFolder' },
  ];
  const all = copy.group.kind === 'file' ? others : [here, ...others];
  return all.map(({ command, ...item }) => ({
    ...item,
    run: () => vscode.commands.executeCommand(command, referenceTo(copy)),
  }));
}
