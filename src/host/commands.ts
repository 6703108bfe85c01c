/**
 * Command handlers. Any command can be run from anywhere, whatever the menus show. Arguments are parsed in one place
 * (chosenBy). Each handler checks its preconditions and reports a missing one in a sentence.
 */
import * as vscode from 'vscode';
import type { Group, Passage } from '../engine/report/report.ts';
import { comparedPair, comparePairs, comparePassages, comparesPassages } from './editor/compare.ts';
import { referredRow } from './editor/copyReference.ts';
import type { CopySteps } from './editor/copySteps.ts';
import { editorCommands, type EditorTargets } from './editor/editorCommands.ts';
import { explainMatch } from './editor/explainMatch.ts';
import { showPassage } from './findings/showPassage.ts';
import type { CopyPair, FindingsModel } from './findings/findings.ts';
import type { Copy } from '../session/report.ts';
import type { GroupTree } from './tree/groupTree.ts';
import { expandAll } from './tree/expandAll.ts';
import type { DuplicationMap } from './map/duplicationMap.ts';
import { type FileView, fileViewId } from './tree/fileView.ts';
import { type Filter, isFilter, type TreeFilter } from './tree/filter.ts';
import { chooseFilters } from './tree/filterChoice.ts';
import { filterOutcome } from './tree/filterWords.ts';
import { isOrder, type Order, orders } from './tree/order.ts';
import { askForRef } from './tree/refChoice.ts';
import { revealIfThere } from './tree/reveal.ts';
import { idOf, isCopyRow, isRow, type Row } from './tree/rows.ts';
import { type Grouping, groupings, isGrouping } from './tree/shownRows.ts';
import { organisationCommands } from './similar/organisationCommands.ts';
import type { OrganisationDatabase } from './similar/organisationDatabase.ts';
import type { OrganisationSearch } from './similar/organisationSearch.ts';
import { ignoreCommands, type IgnoreTargets } from './ignored/ignoreCommands.ts';
import { announce } from './announce.ts';
import { copyBriefs } from './refactoringBrief.ts';
import { say } from './say.ts';
import { similarCommands } from './similar/similarCommands.ts';
import type { SimilarSearch } from './similar/similarSearch.ts';
import { showExcluded } from './status/excludedFiles.ts';
import { scanWithProgress } from './status/scanProgress.ts';
import type { EngineClient } from '../session/engineClient.ts';
import type { Scanner } from './scanning/scanner.ts';
import { reportTrouble } from './scanning/trouble.ts';
import type { Tuning } from './tuning/tuning.ts';
import { gitApi } from './workspace/gitExtension.ts';
import { createConfiguration } from './workspace/newConfiguration.ts';
import { exactPlace, nameBeside, quantity } from './wording.ts';

export interface CommandTargets extends EditorTargets, IgnoreTargets {
  readonly client: EngineClient;
  readonly similar: SimilarSearch;
  readonly map: () => Promise<DuplicationMap>;
  readonly scanner: Scanner;
  readonly tree: GroupTree;
  readonly filter: TreeFilter;
  readonly view: vscode.TreeView<Row>;
  readonly fileView: FileView;
  readonly steps: CopySteps;
  readonly log: vscode.LogOutputChannel;
  readonly tuning: () => Promise<Tuning>;
  readonly organisation: OrganisationSearch;
  readonly database: OrganisationDatabase;
}

type Run = (...given: readonly unknown[]) => unknown;

/** Target of a command. */
interface Chosen {
  /** The row that the command was invoked on. */
  readonly row: Row | undefined;
  /** All selected rows if it was invoked on one of several. */
  readonly rows: readonly Row[] | undefined;
  /** The document of the editor whose title was used, or the file or folder in the Explorer. */
  readonly document: vscode.Uri | undefined;
}

/**
 * The arguments depend on the menu. Tree row: that row, and the selected ones if there are several. View title: the
 * focused row. Editor title: its document and location. Explorer: a file or folder. Command palette and keys: none.
 * Link or light bulb: references to copies.
 */
function chosenBy([first, second]: readonly unknown[], findings: FindingsModel): Chosen {
  const rowOf = (value: unknown): Row | undefined => (isRow(value) ? value : referredRow(value, findings));
  const rows = Array.isArray(second) ? second.map(rowOf) : [undefined];
  return {
    row: rowOf(first),
    rows: rows.every((row) => row !== undefined) ? rows : undefined,
    document: first instanceof vscode.Uri ? first : undefined,
  };
}

/** Returns the command handlers by command id. They receive VS Code's arguments. */
export function makeCommands(targets: CommandTargets): ReadonlyMap<string, Run> {
  const { client, similar, map, scanner, findings, tree, filter, view, fileView, steps, log, canonicals, tuning } =
    targets;

  const orderLabels: Readonly<Record<Order, string>> = {
    worth: vscode.l10n.t('Most Worth'),
    size: vscode.l10n.t('Most Duplicated Lines'),
    similarity: vscode.l10n.t('Most Similar'),
    copies: vscode.l10n.t('Most Copies'),
    path: vscode.l10n.t('Path'),
  };
  const groupingLabels: Readonly<Record<Grouping, string>> = {
    duplicate: vscode.l10n.t('Duplicate'),
    file: vscode.l10n.t('File'),
    folder: vscode.l10n.t('Folder'),
    language: vscode.l10n.t('Language'),
  };
  const choices = {
    pairOf: ({ row, rows, document }: Chosen) => (rows && pairAmong(rows)) ?? pairOf(row, document),
    copyOf: (row: Row | undefined): Copy | undefined => copyOfRow(row) ?? steps.here(),
    ...{ say, noCopyHere },
  };
  const commands: Readonly<Record<string, (chosen: Chosen, given: unknown, all: readonly unknown[]) => unknown>> = {
    'kindred.scanWorkspace': async (): Promise<void> => {
      if (!scanner.hasFolders) return say(vscode.l10n.t('Open a folder to find near-duplicates.'));
      await scanWithProgress(scanner, () => scanner.scan());
    },

    'kindred.cancelScan': () => scanner.cancel(),

    'kindred.restart': async (): Promise<void> => {
      await scanWithProgress(scanner, () => scanner.restart());
    },

    'kindred.rebuildIndex': async (): Promise<void> => {
      if (!scanner.hasFolders) return say(vscode.l10n.t('Open a folder to find near-duplicates.'));
      await scanWithProgress(scanner, () => scanner.rebuild());
    },

    'kindred.nextCopy': async (): Promise<void> => {
      if (!(await steps.go(1))) say(noCopyHere());
    },

    'kindred.previousCopy': async (): Promise<void> => {
      if (!(await steps.go(-1))) say(noCopyHere());
    },

    'kindred.stopStepping': () => steps.stop(),

    /** For several groups, compares the first two copies of each in one editor. */
    'kindred.compareCopies': async ({ row, rows, document }): Promise<void> => {
      const checked = tree.checked() ?? [];
      const isChecked = row && checked.some((it) => idOf(it) === idOf(row));
      const groups = groupsAmong(rows ?? (isChecked ? checked : []));
      if (groups.length > 1) {
        return comparePairs(
          findings,
          groups.map((group) => pairOfGroup(group)),
        );
      }
      const pair = pairOf(row, document);
      if (pair !== undefined) return comparePassages(findings, ...pair);
      // The walkthrough has no cursor.
      if (vscode.window.activeTextEditor !== undefined || comparesPassages()) return say(noCopyHere());
      const first = firstGroup();
      if (first === undefined) return say(vscode.l10n.t('There is no duplicate to compare.'));
      await comparePassages(findings, ...pairOfGroup(first));
      await revealIfThere(view, { type: 'group', group: first }, { select: true, focus: false });
    },

    /** Also works on two selected copies. */
    'kindred.explainMatch': async ({ row, rows, document }): Promise<void> => {
      const pair = rows === undefined ? pairOf(row, document) : pairAmong(rows);
      if (pair === undefined) return say(rows === undefined ? noCopyHere() : selectTwo());
      return explainMatch(findings, ...pair);
    },

    'kindred.compareSelected': async ({ rows = view.selection }): Promise<void> => {
      const pair = pairAmong(rows);
      if (pair === undefined) return say(selectTwo());
      return comparePassages(findings, ...pair);
    },

    'kindred.openCopy': async ({ row }): Promise<void> => {
      const copy = row ?? view.selection[0];
      if (!isCopyRow(copy)) return say(vscode.l10n.t('Select a copy in the Duplicates view to open it.'));
      await steps.open(copy.group, copy.place);
    },

    /**
     * Previews the copy of a row without moving the focus. Does nothing without a row, or if another one has the focus
     * meanwhile: a key that moves the focus runs it for each row on the way.
     */
    'kindred.previewCopy': async ({ row }, _given, [, viewId]): Promise<void> => {
      if (!isCopyRow(row)) return;
      const isInFile = viewId === fileViewId;
      await (isInFile ? fileView.select(row) : revealIfThere(view, row, { select: true, focus: false }));
      await steps.open(row.group, row.place, { preserveFocus: true });
    },

    'kindred.showInView': async ({ row }): Promise<void> => {
      const copy = isCopyRow(row) ? row : steps.here();
      if (copy === undefined) return say(noCopyHere());
      if (!filter.lets(copy.group)) await filter.use([]);
      // In the file grouping, nested groups have no rows.
      if (tree.rowOfCopy(copy) === undefined) tree.arrange({ grouping: 'duplicate' });
      const shown = tree.rowOfCopy(copy);
      // A newer report may not contain it.
      if (shown === undefined) return say(noCopyHere());
      tree.ensureShown(shown);
      await revealIfThere(view, shown, { select: true, focus: true, expand: true });
    },

    'kindred.copyLocations': async (chosen): Promise<void> => {
      const passages = passagesOf(chosenRows(chosen));
      if (passages.length === 0) return say(selectSome());
      await vscode.env.clipboard.writeText(
        [...new Set(passages.map((passage) => exactPlace(findings.now(passage))))].join('\n'),
      );
    },

    /** For all chosen groups, or else the one at the cursor. */
    'kindred.copyBrief': async (chosen): Promise<void> => {
      const groups = groupsOf(chosen);
      if (groups.length === 0) return say(noCopyHere());
      await copyBriefs(groups, targets);
    },

    /** Opens each file once, at its first chosen copy. Asks for confirmation if there are many. */
    'kindred.openAll': async (chosen): Promise<void> => {
      const passages = passagesOf(chosenRows(chosen));
      if (passages.length === 0) return say(selectSome());
      const files = new Map(passages.map((passage) => [passage.path, passage] as const).reverse());
      if (files.size > unaskedEditors && !(await confirmEditors(files.size))) return;
      for (const passage of [...files.values()].reverse()) {
        await showPassage(findings, passage, { preview: false });
      }
    },

    /** Asks for the grouping unless given. */
    'kindred.groupBy': async (_chosen, given): Promise<void> => {
      const placeHolder = vscode.l10n.t('Select what the Duplicates view is grouped by');
      const ask = (): Promise<Grouping | undefined> => askFor(groupings, groupingLabels, tree.grouping, placeHolder);
      const grouping = isGrouping(given) ? given : await ask();
      if (grouping) tree.arrange({ grouping });
    },

    /** Asks for the order unless given. */
    'kindred.sortGroups': async (_chosen, given): Promise<void> => {
      const placeHolder = vscode.l10n.t('Select the sort order of the Duplicates view');
      const ask = (): Promise<Order | undefined> => askFor(orders, orderLabels, tree.order, placeHolder);
      const order = isOrder(given) ? given : await ask();
      if (order) tree.arrange({ order });
    },

    /** Asks for the filter unless one or a list is given. */
    'kindred.filter': async (_chosen, given): Promise<void> => {
      const all: readonly unknown[] = Array.isArray(given) ? given : [given];
      if (all.every(isFilter)) return useFilters(all);
      await chooseFilters({
        active: () => filter.active,
        snapshot: () => findings.snapshot,
        askForRef: chooseRef,
        use: useFilters,
      });
    },

    /** Asks for the Git ref unless given. */
    'kindred.showNewSince': async (_chosen, given): Promise<void> => {
      const ref = typeof given === 'string' && given !== '' ? given : await chooseRef();
      if (ref === undefined) return;
      await useFilters([...filter.active.filter(({ type }) => type !== 'since'), { type: 'since', ref }]);
    },

    'kindred.clearFilter': () => useFilters([]),

    'kindred.showOnly': async ({ row, document }): Promise<void> => {
      const path = document && findings.snapshot?.folders.pathOf(document);
      const only: Filter | undefined = path === undefined ? onlyOf(row ?? view.selection[0]) : { type: 'folder', path };
      if (only === undefined)
        return say(vscode.l10n.t('Select a section, folder, or file in the Duplicates view first.'));
      await useFilters([...filter.active.filter(({ type }) => type !== only.type), only]);
      if (path !== undefined) await vscode.commands.executeCommand('kindred.groups.focus');
    },

    'kindred.expandAll': async (): Promise<void> => {
      if (!(await expandAll(view, tree))) {
        say(vscode.l10n.t('There are too many rows to expand all of them. Set a filter to expand fewer.'));
      }
    },

    'kindred.showCheckboxes': () => useCheckboxes(true),

    'kindred.hideCheckboxes': () => useCheckboxes(false),

    'kindred.followEditor': () => follow(true),

    'kindred.unfollowEditor': () => follow(false),

    'kindred.compareFiles': async ({ row }): Promise<void> => {
      const files = row ?? view.selection[0];
      if (files?.type !== 'files')
        return say(vscode.l10n.t('Select two files in the Duplicates view to compare them.'));
      const { folders } = findings.snapshot!;
      const [left, right] = files.files.paths;
      const title = `${nameBeside(left, right)} ↔ ${nameBeside(right, left)}`;
      await vscode.commands.executeCommand('vscode.diff', folders.uriOf(left), folders.uriOf(right), title);
    },

    /** Asks which folder. */
    'kindred.revealFolder': async ({ row }): Promise<void> => {
      const folders = row ?? view.selection[0];
      if (folders?.type !== 'folders')
        return say(vscode.l10n.t('Select folders in the Duplicates view to reveal one.'));
      const { paths } = folders.folders;
      const placeHolder = vscode.l10n.t('Select the folder to reveal');
      const path = await vscode.window.showQuickPick(paths, { placeHolder });
      if (path === undefined) return;
      // A workspace folder is identified by a path inside it.
      const folder = vscode.Uri.joinPath(findings.snapshot!.folders.uriOf(`${path}/x`), '..');
      await vscode.commands.executeCommand('revealInExplorer', folder);
    },

    'kindred.showMore': (_chosen, given) => {
      if (typeof given === 'string') tree.showMore(given);
    },

    ...similarCommands(similar, findings),
    ...organisationCommands(targets.organisation, targets.database),
    ...editorCommands(targets, choices),
    ...ignoreCommands(targets, { ...choices, groupsOf }),

    'kindred.showTrouble': () => reportTrouble(scanner),

    'kindred.showLog': () => log.show(),

    'kindred.showExcluded': () => {
      if (!showExcluded(findings)) say(vscode.l10n.t('No file is excluded.'));
    },

    'kindred.showMap': async () => (await map()).open(),

    'kindred.createConfiguration': () => createConfiguration((folder) => client.call('newConfiguration', folder)),

    'kindred.tune': async () => {
      if (!scanner.hasFolders) return say(vscode.l10n.t('Open a folder to find near-duplicates.'));
      (await tuning()).open();
    },

    'kindred.tuneToHide': async ({ row }): Promise<void> => {
      const copy = choices.copyOf(row ?? selectedRow());
      if (copy === undefined) return say(noCopyHere());
      await (await tuning()).hide(copy.group);
    },

    'kindred.openSettings': () =>
      vscode.commands.executeCommand('workbench.action.openSettings', '@ext:kindred.kindred'),
  };

  return new Map(
    Object.entries(commands).map(([id, run]): [string, Run] => [
      id,
      (...given) => run(chosenBy(given, findings), given[0], given),
    ]),
  );

  /**
   * Returns the rows of a command for many: the selected rows including the one it was invoked on. Otherwise all
   * checked rows, if it was invoked on one of them or on none. Otherwise that row, or the selection. The view title
   * passes the focused row, which a click on a check box does not change; the selection distinguishes it from a context
   * menu.
   */
  function chosenRows({ row, rows }: Pick<Chosen, 'row' | 'rows'>): readonly Row[] {
    const checked = tree.checked() ?? [];
    if (rows !== undefined) return rows;
    const isIn = (list: readonly Row[]): boolean => row !== undefined && list.some((it) => idOf(it) === idOf(row));
    const isOfMenu = row !== undefined && !isIn(checked) && !isIn(view.selection);
    if (checked.length > 0 && !isOfMenu) return checked;
    if (row !== undefined) return [row];
    return view.selection.length > 0 ? view.selection : fileView.selection;
  }

  function passagesOf(rows: readonly Row[]): readonly Passage[] {
    return rows.flatMap((row) => {
      if (row.type === 'group') return row.group.passages;
      if (isCopyRow(row)) return [row.passage];
      return tree.groupsIn(row).flatMap(({ passages }) => passages);
    });
  }

  /** Returns the groups of a command for many; without rows, the one at the cursor. */
  function groupsOf(chosen: Chosen): readonly Group[] {
    const rows = chosenRows(chosen);
    const here = rows.length === 0 ? steps.here()?.group : undefined;
    return here ? [here] : groupsOfRows(rows);
  }

  /** Returns the distinct groups of rows. */
  function groupsOfRows(rows: readonly Row[]): Group[] {
    return [
      ...new Set(
        rows.flatMap((row): readonly Group[] =>
          row.type === 'group' || isCopyRow(row) ? [row.group] : tree.groupsIn(row),
        ),
      ),
    ];
  }

  async function useFilters(filters: readonly Filter[]): Promise<void> {
    const problem = await filter.use(filters);
    if (problem === undefined) announce(filterOutcome(filters, tree.counts()));
    else say(problem);
  }

  /** Reports if there is no ref to choose from. */
  async function chooseRef(): Promise<string | undefined> {
    const chosen = await askForRef(await gitApi());
    if (typeof chosen !== 'object') return chosen;
    say(chosen.problem);
    return undefined;
  }

  async function useCheckboxes(shown: boolean): Promise<void> {
    tree.useCheckboxes(shown);
    await vscode.commands.executeCommand('setContext', 'kindred.checkboxes', shown);
  }

  async function follow(wanted: boolean): Promise<void> {
    const configuration = vscode.workspace.getConfiguration('kindred');
    await configuration.update('view.followEditor', wanted, vscode.ConfigurationTarget.Global);
  }

  /**
   * Returns the pair of a command. Without a row: the pair compared in the document's editor, or the copy at the cursor
   * with its counterpart. If there is none, the pair of the selected row, for buttons of the walkthrough and the
   * command palette.
   */
  function pairOf(row: Row | undefined, document: vscode.Uri | undefined): CopyPair | undefined {
    const pair = pairOfRow(row) ?? comparedPair(findings, document);
    if (pair !== undefined) return pair;
    // If an editor compares other passages, the copy at the cursor in one of them is not meant.
    if (row === undefined && comparesPassages()) return undefined;
    const here = steps.here();
    return here ? [here.group, here.place, canonicals.counterpartOf(here)] : pairOfRow(selectedRow());
  }

  /** For a group: the reference copy and the closest one. For a copy: the reference copy and this one. */
  function pairOfRow(row: Row | undefined): CopyPair | undefined {
    if (row?.type === 'occurrence') return [row.group, row.place, canonicals.counterpartOf(row)];
    if (row?.type === 'copy' && row.from !== undefined) return [row.group, row.from, row.place];
    if (row?.type === 'group') return pairOfGroup(row.group);
    if (row?.type === 'copy') {
      const { group, place } = row;
      const canonical = canonicals.of(group);
      return place === canonical ? pairOfGroup(group) : [group, canonical, place];
    }
    return undefined;
  }

  function pairOfGroup(group: Group): CopyPair {
    const canonical = canonicals.of(group);
    return [group, canonical, canonicals.counterpartOf({ group, place: canonical })];
  }

  function copyOfRow(row: Row | undefined): Copy | undefined {
    if (isCopyRow(row)) return row;
    return row?.type === 'group' ? firstOf(row.group) : undefined;
  }

  /** Returns the group that is shown first in the *Duplicates* view. */
  function firstGroup(): Group | undefined {
    for (const row of tree.getChildren()) {
      const [first] = tree.groupsIn(row);
      if (first) return first;
    }
    return undefined;
  }

  /** Returns the row of the *Duplicates* view if exactly one is selected. */
  function selectedRow(): Row | undefined {
    return view.selection.length === 1 ? view.selection[0] : undefined;
  }

  function firstOf(group: Group): Copy {
    const place = canonicals.of(group);
    return { group, place, passage: group.passages[place]! };
  }
}

/** Returns two copies of one group if exactly these are selected; otherwise `undefined`. */
function pairAmong(rows: readonly Row[]): CopyPair | undefined {
  const [left, right, ...others] = rows.filter(isCopyRow);
  if (left === undefined || right === undefined || others.length > 0) return undefined;
  return left.group.id === right.group.id ? [left.group, left.place, right.place] : undefined;
}

/** Maximum number of editors opened without confirmation. */
const unaskedEditors = 10;

async function confirmEditors(count: number): Promise<boolean> {
  const open = vscode.l10n.t('Open {0} Files', quantity(count));
  const question = vscode.l10n.t('Open {0} files in editors?', quantity(count));
  return (await vscode.window.showWarningMessage(question, { modal: true }, open)) === open;
}

/** Asks the user for one of some values; returns `undefined` if the user cancels. */
async function askFor<Value extends string>(
  values: readonly Value[],
  labels: Readonly<Record<Value, string>>,
  now: Value,
  placeHolder: string,
): Promise<Value | undefined> {
  const items = values.map((value) => ({
    ...{ value, label: labels[value] },
    description: value === now ? vscode.l10n.t('as it is now') : '',
  }));
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.value;
}

/** Returns the distinct groups if only groups are selected; otherwise none. */
function groupsAmong(rows: readonly Row[]): readonly Group[] {
  const groups = rows.flatMap((row) => (row.type === 'group' || row.type === 'occurrence' ? [row.group] : []));
  return groups.length === rows.length ? [...new Set(groups)] : [];
}

/** Returns the filter that shows only the contents of a row. */
function onlyOf(row: Row | undefined): Filter | undefined {
  if (row?.type === 'folder' || row?.type === 'file') return { type: 'folder', path: row.path };
  return row?.type === 'section' && row.name !== 'folders' ? { type: 'category', of: [row.name] } : undefined;
}

function noCopyHere(): string {
  return vscode.l10n.t('No copy at the cursor.');
}

function selectSome(): string {
  return vscode.l10n.t('Select groups or copies in the Duplicates view first.');
}

function selectTwo(): string {
  return vscode.l10n.t('Select two copies in the same group in the Duplicates view.');
}
