/**
 * Every command, in the order of package.json. Any of them can be run from anywhere, whatever the menus show: each checks
 * for itself what it needs, and says so in one sentence when it is missing.
 */
import * as vscode from 'vscode';
import type { Group } from '../engine/report.ts';
import { comparedPair, comparePassages } from './compare.ts';
import type { CopySteps } from './copySteps.ts';
import { explainMatch } from './explainMatch.ts';
import { type FindingsModel, siblingsOf } from './findings.ts';
import type { GroupTree, Level, Order, Row } from './groupTree.ts';
import { scanWithProgress } from './scanProgress.ts';
import type { Scanner } from './scanner.ts';
import { place } from './wording.ts';

/** What the commands act on. */
export interface CommandTargets {
  readonly scanner: Scanner;
  readonly findings: FindingsModel;
  readonly tree: GroupTree;
  readonly view: vscode.TreeView<Row>;
  readonly steps: CopySteps;
  readonly log: vscode.LogOutputChannel;
}

export function registerCommands(targets: CommandTargets): vscode.Disposable {
  const { scanner, findings, tree, view, steps, log } = targets;

  const orderLabels: Readonly<Record<Order, string>> = {
    size: vscode.l10n.t('Most Repeated Lines'),
    similarity: vscode.l10n.t('Most Alike'),
    copies: vscode.l10n.t('Most Copies'),
    path: vscode.l10n.t('Path'),
  };
  const commands: Readonly<Record<string, (...args: never[]) => unknown>> = {
    'kindred.scanWorkspace': async (): Promise<void> => {
      if (!scanner.hasFolders) return say(vscode.l10n.t('Open a folder to look for near-duplicates.'));
      await scanWithProgress(scanner, () => scanner.scan());
    },

    'kindred.cancelScan': () => scanner.cancel(),

    'kindred.restart': async (): Promise<void> => {
      await scanWithProgress(scanner, () => scanner.restart());
    },

    'kindred.nextCopy': async (): Promise<void> => {
      if (!(await steps.go(1))) say(noCopyHere());
    },

    'kindred.previousCopy': async (): Promise<void> => {
      if (!(await steps.go(-1))) say(noCopyHere());
    },

    'kindred.compareCopies': async (row?: Row): Promise<void> => {
      const pair = pairOf(row);
      if (pair === undefined) return say(noCopyHere());
      return comparePassages(findings, ...pair);
    },

    /** Of two copies that are selected, why these match. */
    'kindred.explainMatch': async (row?: Row, rows?: readonly Row[]): Promise<void> => {
      const [left, right] = (rows ?? []).filter((selected) => selected.type === 'copy');
      if (left && right && left.group.id === right.group.id) {
        return explainMatch(findings, left.group, left.place, right.place);
      }
      const pair = pairOf(row);
      if (pair === undefined) return say(noCopyHere());
      return explainMatch(findings, ...pair);
    },

    'kindred.compareSelected': async (row?: Row, rows?: readonly Row[]): Promise<void> => {
      const [left, right, ...others] = (rows ?? view.selection).filter((selected) => selected.type === 'copy');
      if (left === undefined || right === undefined || others.length > 0 || left.group.id !== right.group.id) {
        return say(vscode.l10n.t('Select two copies of one group in the Duplicates view to compare them.'));
      }
      return comparePassages(findings, left.group, left.place, right.place);
    },

    'kindred.openCopy': async (row?: Row): Promise<void> => {
      const copy = row ?? view.selection[0];
      if (copy?.type !== 'copy') return say(vscode.l10n.t('Select a copy in the Duplicates view to open it.'));
      await steps.open(copy.group, copy.place);
    },

    'kindred.showInView': async (row?: Row): Promise<void> => {
      const copy = row?.type === 'copy' ? row : steps.here();
      if (copy === undefined) return say(noCopyHere());
      tree.ensureShown(copy.group);
      await view.reveal({ ...copy, type: 'copy' }, { select: true, focus: true, expand: true });
    },

    'kindred.copyLocations': async (row?: Row, rows?: readonly Row[]): Promise<void> => {
      const selected = rows ?? (row ? [row] : view.selection);
      const passages = selected.flatMap((entry) =>
        entry.type === 'group' ? entry.group.passages : entry.type === 'copy' ? [entry.passage] : [],
      );
      if (passages.length === 0) return say(vscode.l10n.t('Select groups or copies in the Duplicates view first.'));
      await vscode.env.clipboard.writeText(
        [...new Set(passages.map((passage) => place(findings.now(passage))))].join('\n'),
      );
    },

    /** Asks for the order unless it is given. */
    'kindred.sortGroups': async (given?: Order): Promise<void> => {
      if (given !== undefined && Object.hasOwn(orderLabels, given)) return tree.sortBy(given);
      const orders = (Object.keys(orderLabels) as Order[]).map((order) => ({
        ...{ order, label: orderLabels[order] },
        description: order === tree.order ? vscode.l10n.t('as it is now') : '',
      }));
      const placeHolder = vscode.l10n.t('What comes first in the Duplicates view?');
      const chosen = await vscode.window.showQuickPick(orders, { placeHolder });
      if (chosen) tree.sortBy(chosen.order);
    },

    'kindred.showMore': (level: Level = 'passages') => tree.showMore(level),

    'kindred.showTrouble': () => reportTrouble(scanner),

    'kindred.showLog': () => log.show(),

    'kindred.openSettings': () =>
      vscode.commands.executeCommand('workbench.action.openSettings', '@ext:kindred.kindred'),
  };

  return vscode.Disposable.from(
    ...Object.entries(commands).map(([id, run]) => vscode.commands.registerCommand(id, run)),
  );

  /**
   * A group: its first two. A copy: with the first of its group. Without a row: the two that are compared, or the copy at
   * the cursor with the closest.
   */
  function pairOf(row: Row | undefined): readonly [group: Group, left: number, right: number] | undefined {
    if (row?.type === 'group') return [row.group, 0, 1];
    if (row?.type === 'copy') return [row.group, 0, row.place === 0 ? 1 : row.place];
    const compared = comparedPair(findings);
    if (compared !== undefined) return compared;
    const here = steps.here();
    return here && [here.group, here.place, siblingsOf(here)[0]!.place];
  }
}

/** One notice that a scan could not be done, with what can be done about it. Nothing when there is no trouble. */
export async function reportTrouble({ state }: Scanner): Promise<void> {
  if (state.type === 'rejected') {
    await notice(state.problems.join(' '), { [vscode.l10n.t('Open Settings')]: 'kindred.openSettings' });
  } else if (state.type === 'failed') {
    await notice(state.message, {
      [vscode.l10n.t('Restart')]: 'kindred.restart',
      [vscode.l10n.t('Show Log')]: 'kindred.showLog',
    });
  }
}

async function notice(sentence: string, commands: Readonly<Record<string, string>>): Promise<void> {
  const chosen = await vscode.window.showWarningMessage(`Kindred: ${sentence}`, ...Object.keys(commands));
  const command = chosen === undefined ? undefined : commands[chosen];
  if (command !== undefined) await vscode.commands.executeCommand(command);
}

function noCopyHere(): string {
  return vscode.l10n.t('There is no copy at the cursor.');
}

function say(sentence: string): void {
  void vscode.window.showInformationMessage(sentence);
}
