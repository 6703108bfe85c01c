/** Implements the commands for copies in editors. */
import * as vscode from 'vscode';
import type { Canonicals } from '../findings/canonicals.ts';
import type { FindingsModel } from '../findings/findings.ts';
import type { SavedText } from '../findings/savedText.ts';
import { announce } from '../announce.ts';
import { type Choices, type Handlers, noCopyHere } from '../choices.ts';
import { showNotification } from '../notifications.ts';
import { fileCount, placeBeside } from '../wording.ts';
import { comparedPlaces, showCompare } from './compare.ts';
import type { MultiDiffEditors } from './multiDiffEditors.ts';
import { editedBy } from './editHints.ts';
import type { EditedCopies } from './editedCopies.ts';
import { applyToCopies } from './applyToCopies.ts';
import { moreActions, offersExtract } from './copyActions.ts';
import { copyBriefs } from './refactoringBrief.ts';
import { openBoth } from './scrollTogether.ts';
import type { PassageNames } from '../tree/passageNames.ts';
import { showLocation, showPassage, shownLocation } from '../findings/showPassage.ts';

export interface EditorTargets {
  readonly findings: FindingsModel;
  readonly text: SavedText;
  readonly names: PassageNames;
  readonly canonicals: Canonicals;
  readonly edited: EditedCopies;
  readonly multiDiffs: MultiDiffEditors;
}

export function editorCommands(
  { findings, text, names, canonicals, edited, multiDiffs }: EditorTargets,
  choices: Choices,
): Handlers {
  return {
    'kindred.compareAll': async ({ row, document }): Promise<void> => {
      const group =
        row?.type === 'group'
          ? row.group
          : (choices.copyOf(row)?.group ?? choices.pairOf({ row, rows: undefined, document })?.[0]);
      if (group === undefined) return showNotification(noCopyHere());
      await multiDiffs.compareAll(group, canonicals.of(group));
    },

    'kindred.openBoth': async (choice): Promise<void> => {
      const shown = choice.row === undefined ? comparedPlaces() : undefined;
      const pair = shown === undefined ? choices.pairOf(choice) : undefined;
      if (shown) return openBoth(...shown);
      if (pair === undefined) return showNotification(noCopyHere());
      const [group, ...places] = pair;
      const [left, right] = await Promise.all(places.map((place) => shownLocation(findings, group.passages[place]!)));
      await openBoth(left!, right!);
    },

    'kindred.useAsCanonical': async ({ row }): Promise<void> => {
      const copy = choices.copyOf(row);
      if (copy === undefined) return showNotification(noCopyHere());
      await canonicals.choose(copy);
      announce(vscode.l10n.t('The other copies are compared with this one.'));
    },

    'kindred.stopUsingAsCanonical': async ({ row }): Promise<void> => {
      const copy = choices.copyOf(row);
      if (copy === undefined) return showNotification(noCopyHere());
      const was = await canonicals.forget(copy.group);
      if (was) announce(vscode.l10n.t('This duplicate no longer has a canonical copy.'));
      else showNotification(vscode.l10n.t('This duplicate has no canonical copy.'));
    },

    'kindred.alignNames': async (): Promise<void> => {
      const problem = await multiDiffs.showNames('aligned');
      if (problem !== undefined) showNotification(problem);
    },

    'kindred.showAsWritten': async (): Promise<void> => {
      const problem = await multiDiffs.showNames('written');
      if (problem !== undefined) showNotification(problem);
    },

    'kindred.peekCopies': async ({ row }): Promise<void> => {
      const copy = choices.copyOf(row);
      if (copy === undefined) return showNotification(noCopyHere());
      const { uri, range } = await shownLocation(findings, copy.passage);
      const active = vscode.window.activeTextEditor;
      // Open the file first, because the peek view opens in the active editor, at the copy.
      const isHere = active?.document.uri.toString() === uri.toString() && range.contains(active.selection.active);
      if (!isHere) await showPassage(findings, copy.passage, { preview: true });
      const at = vscode.window.activeTextEditor?.selection.active ?? range.start;
      const others = await Promise.all(
        copy.group.passages
          .filter((_, place) => place !== copy.place)
          .map((passage) => shownLocation(findings, passage)),
      );
      await vscode.commands.executeCommand('editor.action.peekLocations', uri, at, others, 'peek');
    },

    'kindred.moreActions': async ({ row }): Promise<void> => {
      const copy = choices.copyOf(row);
      if (copy === undefined) return showNotification(noCopyHere());
      const { uri } = await shownLocation(findings, copy.passage);
      const isExtractable = await offersExtract(uri, copy, findings);
      const actions = await moreActions(copy, { findings, names, canonicals }, isExtractable);
      const items = actions.map((action) => ({ ...action, label: action.title }));
      const chosenAction = await vscode.window.showQuickPick(items, {
        title: vscode.l10n.t('More Actions for This Copy'),
      });
      if (chosenAction) await vscode.commands.executeCommand(chosenAction.command, ...chosenAction.arguments);
    },

    /** Copies a brief about the selected groups or, if there are none, about the group of the copy at the cursor. */
    'kindred.copyBrief': async (choice): Promise<void> => {
      const groups = choices.groupsOf(choice);
      if (groups.length === 0) return showNotification(noCopyHere());
      await copyBriefs(groups, findings, text, canonicals);
    },

    /** Runs the Extract refactoring of the language's extension, which knows the dependencies of the code. */
    'kindred.extractCopy': async ({ row }): Promise<void> => {
      const copy = choices.copyOf(row);
      if (copy === undefined) return showNotification(noCopyHere());
      const location = await shownLocation(findings, copy.passage);
      await showLocation(location, { selection: location.range });
      await vscode.commands.executeCommand('editor.action.codeAction', { kind: 'refactor.extract', apply: 'never' });
    },

    'kindred.hideMarks': () => switchMarks('off'),

    'kindred.showMarks': () => switchMarks('on'),

    'kindred.applyToCopies': async (_choice, argument): Promise<void> => {
      const found = editedBy(argument, edited);
      if (found === undefined) return showNotification(noEditHere());
      const files = await applyToCopies(found.copy);
      announce(
        files === 0
          ? vscode.l10n.t('No copy was changed. Select the copies to change in the Refactor Preview.')
          : vscode.l10n.t('The edit was applied in {0}.', fileCount(files)),
      );
    },

    'kindred.compareEdited': async (_choice, argument): Promise<void> => {
      const found = editedBy(argument, edited);
      if (found === undefined) return showNotification(noEditHere());
      const { copy, other } = found;
      const { passage } = copy.outdated[other]!;
      const note = vscode.l10n.t('{0} has the old text', placeBeside(passage, copy.passage));
      await showCompare(findings, [passage, copy.passage], { id: copy.groupId, note });
    },

    'kindred.dismissEdit': (_choice, argument) => {
      const found = editedBy(argument, edited);
      if (found === undefined) return showNotification(noEditHere());
      edited.dismiss(found.copy.id);
    },
  };
}

/**
 * Switches marks in the editor on or off. If the workspace setting exists, changes it, because a team may share it.
 * Otherwise, changes the user setting.
 */
async function switchMarks(state: 'on' | 'off'): Promise<void> {
  const isOn = state === 'on';
  const configuration = vscode.workspace.getConfiguration('kindred.editor');
  const { Global, Workspace } = vscode.ConfigurationTarget;
  const isShared = configuration.inspect('marks')?.workspaceValue !== undefined;
  await configuration.update('marks', isOn, isShared ? Workspace : Global);
  announce(isOn ? vscode.l10n.t('Copies are marked in editors.') : vscode.l10n.t('Copies are not marked in editors.'));
}

function noEditHere(): string {
  return vscode.l10n.t('No edited copy at the cursor whose other copies still have the old text.');
}
