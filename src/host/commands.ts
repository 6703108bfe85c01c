/**
 * Every command, in the order of package.json. Any of them can be run from anywhere, whatever the menus show: what it is
 * given is read in one place (chosenBy), and each checks for itself what it needs, and says so in one sentence when it is
 * missing.
 */
import * as vscode from 'vscode';
import { comparedPair, comparePassages } from './editor/compare.ts';
import type { CopySteps } from './editor/copySteps.ts';
import { explainMatch } from './editor/explainMatch.ts';
import { type CopyPair, type FindingsModel, siblingsOf } from './findings/findings.ts';
import type { GroupTree } from './tree/groupTree.ts';
import { type Filter, isFilter, type TreeFilter } from './tree/filter.ts';
import type { Order } from './tree/order.ts';
import { isRow, type Row } from './tree/rows.ts';
import { asNotification } from './markdown.ts';
import { clipboardText, type SimilarSearch, selectedText, symbolText } from './similar/similarSearch.ts';
import { reachOf, showSimilar } from './similar/similarTree.ts';
import { scanWithProgress } from './status/scanProgress.ts';
import type { EngineClient } from './scanning/engineClient.ts';
import type { Scanner } from './scanning/scanner.ts';
import { troubleOf } from './scanning/trouble.ts';
import { createConfiguration } from './workspace/newConfiguration.ts';
import { exactPlace, nameBeside } from './wording.ts';

/** What the commands act on. */
export interface CommandTargets {
  readonly client: EngineClient;
  readonly similar: SimilarSearch;
  readonly scanner: Scanner;
  readonly findings: FindingsModel;
  readonly tree: GroupTree;
  readonly filter: TreeFilter;
  readonly view: vscode.TreeView<Row>;
  readonly steps: CopySteps;
  readonly log: vscode.LogOutputChannel;
}

/** What a command was chosen on. */
interface Chosen {
  /** The row that it was chosen on. */
  readonly row: Row | undefined;
  /** All that are selected, when it was chosen on one of several. */
  readonly rows: readonly Row[] | undefined;
  /** The document of the editor in whose title it was chosen. */
  readonly document: vscode.Uri | undefined;
}

/**
 * What VS Code passes depends on the menu. A row of the tree: that row, and those that are selected when there are several.
 * The title of the view: the row with the focus. The title of an editor: its document, and where that editor is. The palette
 * and keys: nothing.
 */
function chosenBy([first, second]: readonly unknown[]): Chosen {
  return {
    row: isRow(first) ? first : undefined,
    rows: Array.isArray(second) && second.every(isRow) ? second : undefined,
    document: first instanceof vscode.Uri ? first : undefined,
  };
}

export function registerCommands(targets: CommandTargets): vscode.Disposable {
  const { client, similar, scanner, findings, tree, filter, view, steps, log } = targets;

  const orderLabels: Readonly<Record<Order, string>> = {
    worth: vscode.l10n.t('Most Worth'),
    size: vscode.l10n.t('Most Duplicated Lines'),
    similarity: vscode.l10n.t('Most Similar'),
    copies: vscode.l10n.t('Most Copies'),
    path: vscode.l10n.t('Path'),
  };
  const commands: Readonly<Record<string, (chosen: Chosen, given: unknown) => unknown>> = {
    'kindred.scanWorkspace': async (): Promise<void> => {
      if (!scanner.hasFolders) return say(vscode.l10n.t('Open a folder to find near-duplicates.'));
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

    'kindred.compareCopies': async ({ row, document }): Promise<void> => {
      const pair = pairOf(row, document);
      if (pair === undefined) return say(noCopyHere());
      return comparePassages(findings, ...pair);
    },

    /** Of two copies that are selected, why these match. */
    'kindred.explainMatch': async ({ row, rows, document }): Promise<void> => {
      const pair = rows === undefined ? pairOf(row, document) : pairAmong(rows);
      if (pair === undefined) return say(rows === undefined ? noCopyHere() : selectTwo());
      return explainMatch(findings, ...pair);
    },

    'kindred.findSelection': async (_chosen, given): Promise<void> => {
      const searched = selectedText();
      if (searched === undefined) return say(vscode.l10n.t('Open a file and select what to search for.'));
      await showSimilar(similar, searched, reachOf(given));
    },

    'kindred.findClipboard': async (_chosen, given): Promise<void> => {
      const searched = await clipboardText();
      if (searched === undefined) {
        return say(vscode.l10n.t('Copy some text and open a file of its language to search for it.'));
      }
      await showSimilar(similar, searched, reachOf(given));
    },

    'kindred.findSymbol': async (_chosen, given): Promise<void> => {
      const searched = await symbolText();
      if (searched === undefined) return say(vscode.l10n.t('No function, class, or other symbol at the cursor.'));
      await showSimilar(similar, searched, reachOf(given));
    },

    'kindred.compareSelected': async ({ rows = view.selection }): Promise<void> => {
      const pair = pairAmong(rows);
      if (pair === undefined) return say(selectTwo());
      return comparePassages(findings, ...pair);
    },

    'kindred.openCopy': async ({ row }): Promise<void> => {
      const copy = row ?? view.selection[0];
      if (copy?.type !== 'copy') return say(vscode.l10n.t('Select a copy in the Duplicates view to open it.'));
      await steps.open(copy.group, copy.place);
    },

    'kindred.showInView': async ({ row }): Promise<void> => {
      const copy = row?.type === 'copy' ? row : steps.here();
      if (copy === undefined) return say(noCopyHere());
      const shown: Row = { ...copy, type: 'copy' };
      if (!filter.lets(copy.group)) await filter.use(undefined);
      tree.ensureShown(shown);
      await view.reveal(shown, { select: true, focus: true, expand: true });
    },

    'kindred.copyLocations': async ({ row, rows }): Promise<void> => {
      const selected = rows ?? (row ? [row] : view.selection);
      const passages = selected.flatMap((entry) => {
        if (entry.type === 'group') return entry.group.passages;
        return entry.type === 'copy' ? [entry.passage] : tree.groupsIn(entry).flatMap((group) => group.passages);
      });
      if (passages.length === 0) return say(vscode.l10n.t('Select groups or copies in the Duplicates view first.'));
      await vscode.env.clipboard.writeText(
        [...new Set(passages.map((passage) => exactPlace(findings.now(passage))))].join('\n'),
      );
    },

    /** Asks for the order unless it is given. */
    'kindred.sortGroups': async (_chosen, given): Promise<void> => {
      if (isOrder(given)) return tree.sortBy(given);
      const orders = (Object.keys(orderLabels) as Order[]).map((order) => ({
        ...{ order, label: orderLabels[order] },
        description: order === tree.order ? vscode.l10n.t('as it is now') : '',
      }));
      const placeHolder = vscode.l10n.t('Select the sort order of the Duplicates view');
      const chosen = await vscode.window.showQuickPick(orders, { placeHolder });
      if (chosen) tree.sortBy(chosen.order);
    },

    /** Asks for the filter unless it is given. */
    'kindred.filter': async (_chosen, given): Promise<void> => {
      const chosen = isFilter(given) ? given : await askForFilter(filter.active);
      if (chosen === undefined) return;
      if (chosen === 'all') await filter.use(undefined);
      else if (!(await filter.use(chosen))) {
        say(vscode.l10n.t('There is no Git repository to take the changed files from.'));
      }
    },

    'kindred.clearFilter': () => filter.use(undefined),

    'kindred.compareFiles': async ({ row }): Promise<void> => {
      const files = row ?? view.selection[0];
      if (files?.type !== 'files')
        return say(vscode.l10n.t('Select two files in the Duplicates view to compare them.'));
      const { folders } = findings.snapshot!;
      const [left, right] = files.files.paths;
      const title = `${nameBeside(left, right)} ↔ ${nameBeside(right, left)}`;
      await vscode.commands.executeCommand('vscode.diff', folders.uriOf(left), folders.uriOf(right), title);
    },

    /** Asks which of the folders. */
    'kindred.revealFolder': async ({ row }): Promise<void> => {
      const folders = row ?? view.selection[0];
      if (folders?.type !== 'folders')
        return say(vscode.l10n.t('Select folders in the Duplicates view to reveal one.'));
      const { paths } = folders.folders;
      const placeHolder = vscode.l10n.t('Select the folder to reveal');
      const path = await vscode.window.showQuickPick(paths, { placeHolder });
      if (path === undefined) return;
      // A workspace folder itself is known by what is in it.
      const folder = vscode.Uri.joinPath(findings.snapshot!.folders.uriOf(`${path}/x`), '..');
      await vscode.commands.executeCommand('revealInExplorer', folder);
    },

    'kindred.showMore': (_chosen, given) => {
      if (typeof given === 'string') tree.showMore(given);
    },

    'kindred.showTrouble': () => reportTrouble(scanner),

    'kindred.showLog': () => log.show(),

    'kindred.createConfiguration': () => createConfiguration((folder) => client.newConfiguration(folder)),

    'kindred.openSettings': () =>
      vscode.commands.executeCommand('workbench.action.openSettings', '@ext:kindred.kindred'),
  };

  return vscode.Disposable.from(
    ...Object.entries(commands).map(([id, run]) =>
      vscode.commands.registerCommand(id, (...given: readonly unknown[]) => run(chosenBy(given), given[0])),
    ),
  );

  function isOrder(given: unknown): given is Order {
    return typeof given === 'string' && Object.hasOwn(orderLabels, given);
  }

  /**
   * A group: its first two. A copy: with the first of its group. Without a row: the two that the editor of the document
   * compares, or the copy at the cursor with the closest.
   */
  function pairOf(row: Row | undefined, document: vscode.Uri | undefined): CopyPair | undefined {
    if (row?.type === 'group') return [row.group, 0, 1];
    if (row?.type === 'copy') return [row.group, 0, row.place === 0 ? 1 : row.place];
    const compared = comparedPair(findings, document);
    if (compared !== undefined) return compared;
    const here = steps.here();
    return here && [here.group, here.place, siblingsOf(here)[0]!.place];
  }
}

/** The two copies of one group that are all that is selected; undefined when something else is. */
function pairAmong(rows: readonly Row[]): CopyPair | undefined {
  const [left, right, ...others] = rows.filter((row) => row.type === 'copy');
  if (left === undefined || right === undefined || others.length > 0) return undefined;
  return left.group.id === right.group.id ? [left.group, left.place, right.place] : undefined;
}

/** One notice that a scan could not be done, with what can be done about it. Nothing when there is no trouble. */
export async function reportTrouble({ state }: Scanner): Promise<void> {
  const trouble = troubleOf(state);
  if (trouble === undefined) return;
  const { sentence, remedies } = trouble;
  const chosen = await vscode.window.showWarningMessage(
    asNotification(`Kindred: ${sentence}`),
    ...remedies.map(({ title }) => title),
  );
  const remedy = remedies.find(({ title }) => title === chosen);
  if (remedy) await vscode.commands.executeCommand(remedy.command, ...((remedy.arguments ?? []) as unknown[]));
}

/** Undefined when somebody turns away. */
async function askForFilter(active: Filter | undefined): Promise<Filter | 'all' | undefined> {
  const now = (type: Filter['type'] | undefined): string =>
    type === active?.type ? vscode.l10n.t('as it is now') : '';
  const choice = await vscode.window.showQuickPick(
    [
      { label: vscode.l10n.t('All Duplicates'), description: now(undefined), filter: 'all' as const },
      { label: vscode.l10n.t('Open Files'), description: now('open'), filter: { type: 'open' } as const },
      {
        label: vscode.l10n.t('Files Changed in Git'),
        description: now('changed'),
        filter: { type: 'changed' } as const,
      },
      { label: vscode.l10n.t('Path or Text Contains…'), description: now('contains'), filter: 'contains' as const },
    ],
    { placeHolder: vscode.l10n.t('Select which duplicates the view shows') },
  );
  if (choice?.filter !== 'contains') return choice?.filter;
  const text = await vscode.window.showInputBox({
    prompt: vscode.l10n.t('Show duplicates whose path or text contains this'),
    value: active?.type === 'contains' ? active.text : '',
  });
  if (text === undefined) return undefined;
  return text === '' ? 'all' : { type: 'contains', text };
}

function noCopyHere(): string {
  return vscode.l10n.t('No copy at the cursor.');
}

function selectTwo(): string {
  return vscode.l10n.t('Select two copies in the same group in the Duplicates view.');
}

function say(sentence: string): void {
  void vscode.window.showInformationMessage(sentence);
}
