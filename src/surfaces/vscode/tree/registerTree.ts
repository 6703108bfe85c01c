/** Registers the *Duplicates* view and the view *In This File*. */
import * as vscode from 'vscode';
import type { EngineClient } from '../../../session/client/engineClient.ts';
import { Canonicals } from '../findings/canonicals.ts';
import type { FindingsModel } from '../findings/findings.ts';
import type { SavedText } from '../findings/savedText.ts';
import type { Scanner } from '../scanning/scanner.ts';
import { gitApi } from '../workspace/gitExtension.ts';
import { EditorFollower } from './editorFollower.ts';
import type { EditorPlace } from './editorPlace.ts';
import { FileView } from './fileView.ts';
import { TreeFilter } from './filter.ts';
import { GroupTree } from './groupTree.ts';
import { NewCopiesFinder } from './newCopiesFinder.ts';
import { PassageNames } from './passageNames.ts';
import type { Row } from './rows.ts';
import { TreeHeader } from './treeHeader.ts';

/** Key in the workspace state; the value is the grouping and the order. */
const arrangementKey = 'arrangement';

export interface TreeNeeds {
  readonly context: vscode.ExtensionContext;
  readonly client: EngineClient;
  readonly scanner: Scanner;
  readonly findings: FindingsModel;
  readonly text: SavedText;
}

export interface TreeParts {
  readonly tree: GroupTree;
  readonly view: vscode.TreeView<Row>;
  readonly fileView: FileView;
  readonly filter: TreeFilter;
  readonly names: PassageNames;
  readonly canonicals: Canonicals;
  readonly header: TreeHeader;
}

export function registerTree(
  { context: { subscriptions, workspaceState }, client, scanner, findings, text }: TreeNeeds,
  editor: EditorPlace,
): TreeParts {
  const newSince = new NewCopiesFinder(client, findings, gitApi);
  const filter = new TreeFilter(findings, text, newSince, workspaceState, editor.file);
  const names = new PassageNames(findings, text);
  const canonicals = new Canonicals(findings, workspaceState);
  const tree = new GroupTree({ findings, text, names, scanner, filter, canonicals });
  tree.arrange(workspaceState.get(arrangementKey));
  const view = vscode.window.createTreeView('kindred.groups', {
    treeDataProvider: tree,
    showCollapseAll: true,
    canSelectMany: true,
    // Otherwise, checking a group would also check its copies.
    manageCheckboxStateManually: true,
  });
  const fileView = new FileView(findings, tree, editor);
  const follower = new EditorFollower(view, tree, findings, editor, () => scanner.settings.followEditor);
  const header = new TreeHeader(view, scanner, findings, tree, filter);
  subscriptions.push(
    newSince,
    filter,
    tree,
    view,
    view.onDidChangeCheckboxState(({ items }) => tree.check(items)),
    tree.onDidArrange((arrangement) => void workspaceState.update(arrangementKey, arrangement)),
    fileView,
    follower,
    header,
    canonicals,
  );
  return { tree, view, fileView, filter, names, canonicals, header };
}
