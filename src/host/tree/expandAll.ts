/** Opens the rows of the tree: VS Code can only be asked to do so for one row, and three levels of it. */
import type * as vscode from 'vscode';
import type { GroupTree } from './groupTree.ts';
import { revealIfThere } from './reveal.ts';
import type { Row } from './rows.ts';

/** Levels that VS Code opens at once. */
const levels = 3;
/** Rows that are opened at most: each asks for those in it, and the window waits for them. */
const maxRows = 1000;

/** Opens all rows on the pages that are shown, as far as there is room. False when some stay closed. */
export async function expandAll(view: vscode.TreeView<Row>, tree: GroupTree): Promise<boolean> {
  let room = maxRows;
  const top = tree.getChildren().filter(opens);
  let next: readonly Row[] = top;
  while (next.length > 0) {
    const below: Row[] = [];
    for (const row of next) {
      const { count, deepest } = below3(tree, row);
      room -= count;
      if (room < 0) return false;
      await revealIfThere(view, row, { select: false, focus: false, expand: levels });
      below.push(...deepest);
    }
    next = below;
  }
  // Each was scrolled to.
  if (top[0]) await revealIfThere(view, top[0], { select: false, focus: false });
  return true;
}

/** How many rows are opened with one, and those that are left to be opened. */
function below3(tree: GroupTree, row: Row): { readonly count: number; readonly deepest: readonly Row[] } {
  let level: readonly Row[] = [row];
  let count = 0;
  for (let depth = 0; depth < levels; depth++) {
    count += level.length;
    level = level.flatMap((it) => tree.getChildren(it)).filter(opens);
  }
  return { count, deepest: level };
}

function opens({ type }: Row): boolean {
  return type !== 'copy' && type !== 'more' && type !== 'remedy';
}
