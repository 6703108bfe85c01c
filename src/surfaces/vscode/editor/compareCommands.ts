/** Commands that step through copies and compare them. */
import * as vscode from 'vscode';
import { type Choices, type Handlers, noCopyHere, pairAmong, selectTwo } from '../choices.ts';
import type { Group } from '../../../core/engine/report/report.ts';
import type { CopyPair, FindingsModel } from '../findings/findings.ts';
import { showNotification } from '../notifications.ts';
import type { GroupTree } from '../tree/groupTree.ts';
import type { PassageNames } from '../tree/passageNames.ts';
import { revealIfThere } from '../tree/reveal.ts';
import { idOf, type Row } from '../tree/rows.ts';
import { nameBeside, quantity } from '../wording.ts';
import { comparePassages, comparesPassages } from './compare.ts';
import type { MultiDiffEditors } from './multiDiffEditors.ts';
import type { CopySteps } from './copySteps.ts';
import { explainMatch } from './explainMatch.ts';

export interface CompareTargets {
  readonly findings: FindingsModel;
  readonly names: PassageNames;
  readonly tree: GroupTree;
  readonly view: vscode.TreeView<Row>;
  readonly steps: CopySteps;
  readonly multiDiffs: MultiDiffEditors;
}

export function compareCommands(
  { findings, names, tree, view, steps, multiDiffs }: CompareTargets,
  choices: Choices,
): Handlers {
  return {
    'kindred.nextCopy': async (): Promise<void> => {
      if (!(await steps.openNeighbor(1))) showNotification(noCopyHere());
    },

    'kindred.previousCopy': async (): Promise<void> => {
      if (!(await steps.openNeighbor(-1))) showNotification(noCopyHere());
    },

    'kindred.stopStepping': () => steps.stop(),

    /** If several groups are selected, compares the first two copies of each group in one multi-diff editor. */
    'kindred.compareCopies': async ({ row, rows, document }): Promise<void> => {
      const checked = tree.checked() ?? [];
      const isChecked = row && checked.some((it) => idOf(it) === idOf(row));
      const groups = groupsAmong(rows ?? (isChecked ? checked : []));
      if (groups.length > 1) {
        const title = vscode.l10n.t('Two copies of each of {0} groups', quantity(groups.length));
        return multiDiffs.comparePairs(
          title,
          groups.map((group) => choices.pairOfGroup(group)),
        );
      }
      const pair = choices.pairAt(row, document);
      if (pair !== undefined) return comparePassages(findings, names, ...pair);
      // Compare the first group if there is no text editor, as in the walkthrough.
      if (vscode.window.activeTextEditor !== undefined || comparesPassages()) return showNotification(noCopyHere());
      const first = choices.firstGroup();
      if (first === undefined) return showNotification(vscode.l10n.t('There is no duplicate to compare.'));
      await comparePassages(findings, names, ...choices.pairOfGroup(first));
      await revealIfThere(view, { type: 'group', group: first }, { select: true, focus: false });
    },

    /** Compares the passages that two files share, in their order in the first file. */
    'kindred.compareFiles': async ({ row }): Promise<void> => {
      const files = row ?? view.selection[0];
      if (files?.type !== 'files')
        return showNotification(vscode.l10n.t('Select two files in the Duplicates view to compare them.'));
      const [left, right] = files.files.paths;
      const groups = files.files.groups.flatMap((id) => findings.groupOf(id) ?? []);
      const pairs = groups.flatMap((group) => pairsBetween(group, left, right));
      const lineOf = ([group, at]: CopyPair): number => group.passages[at]!.startLine;
      await multiDiffs.comparePairs(
        `${nameBeside(left, right)} ↔ ${nameBeside(right, left)}`,
        pairs.sort((a, b) => lineOf(a) - lineOf(b)),
      );
    },

    /** If two copies are selected, explains their match. */
    'kindred.explainMatch': async ({ row, rows, document }): Promise<void> => {
      const pair = rows === undefined ? choices.pairAt(row, document) : pairAmong(rows);
      if (pair === undefined) return showNotification(rows === undefined ? noCopyHere() : selectTwo());
      return explainMatch(findings, ...pair);
    },

    'kindred.compareSelected': async ({ rows = view.selection }): Promise<void> => {
      const pair = pairAmong(rows);
      if (pair === undefined) return showNotification(selectTwo());
      return comparePassages(findings, names, ...pair);
    },
  };
}

/**
 * Pairs the copies of a group in two files. If one file has more copies than the other, its last copies are all paired
 * with the last copy of the other file.
 */
function pairsBetween(group: Group, left: string, right: string): CopyPair[] {
  const placesIn = (file: string): number[] =>
    group.passages.flatMap(({ path }, place) => (path === file ? [place] : []));
  const [lefts, rights] = [placesIn(left), placesIn(right)];
  if (lefts.length === 0 || rights.length === 0) return [];
  return Array.from({ length: Math.max(lefts.length, rights.length) }, (_, index): CopyPair => [
    group,
    lefts[Math.min(index, lefts.length - 1)]!,
    rights[Math.min(index, rights.length - 1)]!,
  ]);
}

/** Returns the distinct groups if every selected row is a group or copy; otherwise none. */
function groupsAmong(rows: readonly Row[]): readonly Group[] {
  const groups = rows.flatMap((row) => (row.type === 'group' || row.type === 'occurrence' ? [row.group] : []));
  return groups.length === rows.length ? [...new Set(groups)] : [];
}
