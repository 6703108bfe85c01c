/** A tree of rows of a report made by hand. */
import * as vscode from 'vscode';
import { Canonicals } from '../../src/surfaces/vscode/findings/canonicals.ts';
import type { FindingsModel } from '../../src/surfaces/vscode/findings/findings.ts';
import { SavedText } from '../../src/surfaces/vscode/findings/savedText.ts';
import { GroupTree } from '../../src/surfaces/vscode/tree/groupTree.ts';
import { PassageNames } from '../../src/surfaces/vscode/tree/passageNames.ts';
import { emptyStore, filterOf } from './filters.ts';

/** Creates a tree of a model whose scanner is idle. */
export function treeOf(model: FindingsModel): GroupTree {
  const onDidChangeState = new vscode.EventEmitter<void>().event;
  const text = new SavedText(model);
  const scanner = { state: { type: 'idle', stopped: false }, onDidChangeState } as const;
  return new GroupTree({
    findings: model,
    text,
    scanner,
    names: new PassageNames(model, text),
    filter: filterOf(model),
    canonicals: new Canonicals(model, emptyStore),
  });
}
