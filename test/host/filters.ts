/** A filter of rows of a report made by hand. */
import type * as vscode from 'vscode';
import type { FindingsModel } from '../../src/surfaces/vscode/findings/findings.ts';
import { TreeFilter } from '../../src/surfaces/vscode/tree/filter.ts';
import { NewCopiesFinder } from '../../src/surfaces/vscode/tree/newCopiesFinder.ts';
import { SavedText } from '../../src/surfaces/vscode/findings/savedText.ts';

/** Workspace state that stores nothing. */
export const emptyStore: vscode.Memento = {
  keys: () => [],
  get: <T>(_key: string, otherwise?: T) => otherwise as T,
  update: () => Promise.resolve(),
};

/** Creates a filter without Git and without stored state. */
export function filterOf(model: FindingsModel, activeFile: () => vscode.Uri | undefined = () => undefined): TreeFilter {
  const nobody = { call: () => Promise.reject(new Error('There is no worker in this test.')) };
  const newSince = new NewCopiesFinder(nobody, model, () => Promise.resolve(undefined));
  return new TreeFilter(model, new SavedText(model), newSince, emptyStore, activeFile);
}
