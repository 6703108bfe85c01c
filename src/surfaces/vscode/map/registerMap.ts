/** Registers the duplication map, which is loaded on first use. */
import type * as vscode from 'vscode';
import type { EngineClient } from '../../../session/client/engineClient.ts';
import type { FindingsModel } from '../findings/findings.ts';
import { registerMapPanel, whenUsed } from '../loaded.ts';
import type { Scanner } from '../scanning/scanner.ts';
import type { TreeFilter } from '../tree/filter.ts';
import type { GroupTree } from '../tree/groupTree.ts';
import { revealIfThere } from '../tree/reveal.ts';
import type { Row } from '../tree/rows.ts';
import type { DuplicationMap, MapFilter } from './duplicationMap.ts';

export interface MapNeeds {
  readonly context: vscode.ExtensionContext;
  readonly client: EngineClient;
  readonly scanner: Scanner;
  readonly findings: FindingsModel;
}

/** The tree view and its filter. */
interface FilteredTree {
  readonly tree: GroupTree;
  readonly view: vscode.TreeView<Row>;
  readonly filter: TreeFilter;
}

export function registerMap(
  { context, client, scanner, findings }: MapNeeds,
  filtered: FilteredTree,
): () => Promise<DuplicationMap> {
  const map = whenUsed(async () => {
    const { DuplicationMap } = await import('./duplicationMap.ts');
    const loaded = new DuplicationMap(context.extensionUri, client, scanner, findings);
    context.subscriptions.push(
      loaded,
      loaded.onDidFilter((mapFilter) => void showFiltered(filtered, mapFilter)),
    );
    return loaded;
  });
  context.subscriptions.push(registerMapPanel(map));
  return map;
}

/** Replaces the tree's filter with the selection in the map. The focus stays in the map. */
async function showFiltered({ tree, view, filter }: FilteredTree, { path, other, scope }: MapFilter): Promise<void> {
  await filter.use([
    ...(path === '' ? [] : [{ type: 'folder', path, ...(other !== undefined && { other }) } as const]),
    ...(scope === 'source' ? [{ type: 'category', of: ['source'] } as const] : []),
  ]);
  const [first] = tree.rowsBelow() ?? [];
  if (first) await revealIfThere(view, first, { select: false, focus: false });
}
