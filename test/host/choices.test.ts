/** Targets of commands: rows, or the copy at the cursor. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Choices, chosenBy } from '../../src/surfaces/vscode/choices.ts';
import { CopySteps } from '../../src/surfaces/vscode/editor/copySteps.ts';
import type { Api } from '../../src/surfaces/vscode/activate.ts';
import type { FileView } from '../../src/surfaces/vscode/tree/fileView.ts';
import type { Row } from '../../src/surfaces/vscode/tree/rows.ts';
import { drawing, parsing } from '../passages.ts';
import { closeEditors, groupsIn, remove, scan, uriOf, write } from './window.ts';

suite('targets of Ignore…', () => {
  let api: Api;
  let steps: CopySteps;
  let selected: Row;

  suiteSetup(async () => {
    // With only the passage in them, the files would be duplicates as well, with all their lines.
    const others = (text: (at: number) => string): string => Array.from({ length: 40 }, (_, at) => text(at)).join('');
    await write('chosen/a.ts', parsing + others((at) => `export class Row${at} { size = '${at}'; }\n`));
    await write('chosen/b.ts', parsing + others((at) => `let line${at} = ${at * 7} + other${at}(${at});\n`));
    for (const name of ['c', 'd']) await write(`chosen/${name}.ts`, drawing);
    api = await scan();
    steps = new CopySteps(api.findings, () => []);
    selected = { type: 'group', group: groupsIn(api, 'chosen/c.ts')[0] };
  });
  suiteTeardown(async () => {
    steps.dispose();
    await closeEditors();
    await remove('chosen');
    await scan();
  });

  /** Paths of the groups that a command with these arguments is for, while the row of c.ts is selected in the view. */
  const check = (actionArguments: readonly unknown[], expected: readonly string[]): void => {
    const { findings, canonicals, tree } = api;
    const view = { selection: [selected] } as unknown as vscode.TreeView<Row>;
    const fileView = { selection: [] } as unknown as FileView;
    const choices = new Choices({ findings, canonicals, tree, view, fileView, steps });
    const groups = choices.groupsOrHere(choices.rowsBeforeCursor(chosenBy(actionArguments, findings)));
    assert.deepEqual(
      groups.map(({ passages: [first] }) => first.path),
      expected,
    );
  };

  test('are at the cursor if a text editor is active, and not the selected row', async () => {
    await closeEditors();
    check([], ['chosen/c.ts']);
    const editor = await vscode.window.showTextDocument(uriOf('chosen/b.ts'));
    const moveTo = (line: number): void => void (editor.selection = new vscode.Selection(line, 0, line, 0));
    moveTo(5);
    check([], ['chosen/a.ts']);
    check([editor.document.uri], ['chosen/a.ts']);
    moveTo(parsing.split('\n').length + 9);
    check([], []);
  });

  test('are the rows of a menu or a key, wherever the cursor is', async () => {
    await vscode.window.showTextDocument(uriOf('chosen/b.ts'), { selection: new vscode.Range(5, 0, 5, 0) });
    check([selected], ['chosen/c.ts']);
    check([selected, 'kindred.groups'], ['chosen/c.ts']);
    check(['kindred.groups'], ['chosen/c.ts']);
  });
});
