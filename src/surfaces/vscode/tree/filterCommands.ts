/** Implements the commands that filter the *Duplicates* view. */
import * as vscode from 'vscode';
import { announce } from '../announce.ts';
import type { Handlers } from '../choices.ts';
import type { FindingsModel } from '../findings/findings.ts';
import { showNotification } from '../notifications.ts';
import { gitApi } from '../workspace/gitExtension.ts';
import { type Filter, isFilter, type TreeFilter } from './filter.ts';
import { chooseFilters } from './filterChoice.ts';
import { filterOutcome } from './filterWords.ts';
import type { GroupTree } from './groupTree.ts';
import { promptForRef } from './refChoice.ts';
import type { Row } from './rows.ts';

export interface FilterTargets {
  readonly findings: FindingsModel;
  readonly tree: GroupTree;
  readonly filter: TreeFilter;
  readonly view: vscode.TreeView<Row>;
}

export function filterCommands({ findings, tree, filter, view }: FilterTargets): Handlers {
  return {
    /** Prompts for conditions, unless they are passed as the argument. */
    'kindred.filter': async (_chosen, argument): Promise<void> => {
      const all: readonly unknown[] = Array.isArray(argument) ? argument : [argument];
      if (all.every(isFilter)) return useFilters(all);
      await chooseFilters({
        active: () => filter.active,
        snapshot: () => findings.snapshot,
        promptForRef: chooseRef,
        use: useFilters,
      });
    },

    /** Asks for the Git ref, unless it is passed as the argument. */
    'kindred.showNewSince': async (_chosen, argument): Promise<void> => {
      const ref = typeof argument === 'string' && argument !== '' ? argument : await chooseRef();
      if (ref === undefined) return;
      await useFilters([...filter.active.filter(({ type }) => type !== 'since'), { type: 'since', ref }]);
    },

    'kindred.clearFilter': () => useFilters([]),

    'kindred.showOnly': async ({ row, document }): Promise<void> => {
      const path = document && findings.snapshot?.folders.pathOf(document);
      const only: Filter | undefined = path === undefined ? onlyOf(row ?? view.selection[0]) : { type: 'folder', path };
      if (only === undefined)
        return showNotification(vscode.l10n.t('Select a section, folder, or file in the Duplicates view first.'));
      await useFilters([...filter.active.filter(({ type }) => type !== only.type), only]);
      if (path !== undefined) await vscode.commands.executeCommand('kindred.groups.focus');
    },
  };

  async function useFilters(filters: readonly Filter[]): Promise<void> {
    const problem = await filter.use(filters);
    if (problem !== undefined) return showNotification(problem);
    announce(filterOutcome(filters, tree.counts(), findings.snapshot));
  }
}

/** Asks for a Git ref. If none can be offered, shows the reason. */
async function chooseRef(): Promise<string | undefined> {
  const refOrProblem = await promptForRef(await gitApi());
  if (typeof refOrProblem !== 'object') return refOrProblem;
  showNotification(refOrProblem.problem);
  return undefined;
}

/** Returns the condition that matches only what a row contains; `undefined` if there is none. */
function onlyOf(row: Row | undefined): Filter | undefined {
  if (row?.type === 'folder' || row?.type === 'file') return { type: 'folder', path: row.path };
  return row?.type === 'section' && row.name !== 'folders' ? { type: 'category', of: [row.name] } : undefined;
}
