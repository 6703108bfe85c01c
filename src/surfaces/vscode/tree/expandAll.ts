/** Expands all rows of the tree. VS Code's API can only expand a single row, and up to three levels below it. */
import type * as vscode from 'vscode';
import type { GroupTree } from './groupTree.ts';
import { revealIfThere } from './reveal.ts';
import type { Row } from './rows.ts';

/** Number of levels that a single call can expand. */
const levels = 3;
/** Maximum number of rows to expand. Each row requests its children, which blocks the window. */
const maxRows = 1000;

/** Expands the rows on loaded pages, up to the maximum. Returns false if some rows stay collapsed. */
export async function expandAll(view: vscode.TreeView<Row>, tree: GroupTree): Promise<boolean> {
  let room = maxRows;
  const top = tree.rowsBelow().filter(opens);
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
  // Expanding a row scrolls to it, so scroll back to the top.
  if (top[0]) await revealIfThere(view, top[0], { select: false, focus: false });
  return true;
}

/** Returns the number of rows that one call would expand. `deepest`: rows below them, which need another call. */
function below3(tree: GroupTree, row: Row): { readonly count: number; readonly deepest: readonly Row[] } {
  let level: readonly Row[] = [row];
  let count = 0;
  for (let depth = 0; depth < levels; depth++) {
    count += level.length;
    level = level.flatMap((it) => tree.rowsBelow(it)).filter(opens);
  }
  return { count, deepest: level };
}

function opens({ type }: Row): boolean {
  return type !== 'copy' && type !== 'more' && type !== 'remedy';
}
