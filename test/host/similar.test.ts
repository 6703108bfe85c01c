/** Find near-duplicates of a selection, the clipboard, a symbol, and pasted text. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Api } from '../../src/surfaces/vscode/activate.ts';
import { type ExistingCopyEdit, pasteEdits } from '../../src/surfaces/vscode/similar/pasteEdits.ts';
import {
  clipboardText,
  type MissingText,
  selectedText,
  symbolText,
} from '../../src/surfaces/vscode/similar/searchedText.ts';
import type { SearchedText } from '../../src/surfaces/vscode/similar/similarSearch.ts';
import { parsing, parsingRenamed } from '../passages.ts';
import { addFixture, closeEditors, eventually, remove, scan, uriOf, waitMs, write } from './window.ts';

suite('find near-duplicates', () => {
  let api: Api;

  suiteSetup(async () => {
    await addFixture('shop');
    await write('similar/a.ts', parsing);
    await write('similar/b.ts', `export const seven = 7;\n\n${parsing}`);
    await write('similar/c.ts', `export const eight = 8;\n\n${parsingRenamed}`);
    api = await scan();
  });

  teardown(closeEditors);

  suiteTeardown(async () => {
    await remove('shop');
    await remove('similar');
    await scan();
  });

  /** Opens a file and selects lines, one-based. */
  async function select(name: string, start: number, end: number): Promise<vscode.TextEditor> {
    const selection = new vscode.Range(start - 1, 0, end, 0);
    return vscode.window.showTextDocument(uriOf(name), { selection });
  }

  /** Returns the results for the active editor: "b.ts:3-17". */
  async function found(searched: SearchedText | MissingText): Promise<string[]> {
    assert.ok(!('missing' in searched), 'there is nothing to search for');
    const similar = await api.similar.find(searched);
    assert.ok(similar, 'there is no index');
    return similar.places.map(({ passage }) => `${passage.path}:${passage.startLine}-${passage.endLine}`);
  }

  async function pasted(document: vscode.TextDocument, text: string): Promise<ExistingCopyEdit | undefined> {
    const transfer = new vscode.DataTransfer();
    transfer.set('text/plain', new vscode.DataTransferItem(text));
    const none = new vscode.CancellationTokenSource().token;
    const context = { only: undefined, triggerKind: vscode.DocumentPasteTriggerKind.Automatic };
    // A busy machine may take longer than a paste may.
    const provider = pasteEdits(api.similar, () => true, waitMs);
    const offered = await provider.provideDocumentPasteEdits?.(
      document,
      [new vscode.Range(0, 0, 0, 0)],
      transfer,
      context,
      none,
    );
    return offered?.[0];
  }

  const lines = parsing.trimEnd().split('\n').length;

  test('a selection excludes itself and finds all of its copies, the exact one first', async () => {
    await select('similar/a.ts', 1, lines);
    assert.deepEqual(await found(selectedText()), [`similar/b.ts:3-${lines + 2}`, `similar/c.ts:3-${lines + 2}`]);
  });

  test('the clipboard is searched in the language of the editor, and finds every place', async () => {
    await select('similar/c.ts', 1, 1);
    await vscode.env.clipboard.writeText(parsing);
    const places = await found(await clipboardText());
    assert.deepEqual(places.slice(0, 2), [`similar/a.ts:1-${lines}`, `similar/b.ts:3-${lines + 2}`]);
    assert.equal(places.length, 3);
  });

  test('the symbol at the cursor is searched', async () => {
    const editor = await select('similar/b.ts', 5, 5);
    editor.selection = new vscode.Selection(5, 0, 5, 0);
    // As a language server reports them: the function, a constant inside it, and a sibling.
    const symbol = (name: string, from: number, to: number): vscode.DocumentSymbol => {
      const range = new vscode.Range(from, 0, to, 1);
      return new vscode.DocumentSymbol(name, '', vscode.SymbolKind.Function, range, range);
    };
    const [seven, parse, fields] = [symbol('seven', 0, 0), symbol('parseHeader', 2, 1 + lines), symbol('fields', 5, 5)];
    parse.children.push(fields);
    const provider = vscode.languages.registerDocumentSymbolProvider(
      { pattern: '**/similar/b.ts' },
      { provideDocumentSymbols: () => [seven, parse] },
    );
    const searched = await symbolText();
    provider.dispose();
    assert.equal('name' in searched && searched.name, 'parseHeader');
    assert.equal((await found(searched))[0], `similar/a.ts:1-${lines}`);
  });

  test('a text without copies finds nothing', async () => {
    const content = Array.from({ length: 12 }, (_, n) => `mapping.set(first${n}, await second${n}(third[${n}]));`);
    await vscode.window.showTextDocument(
      await vscode.workspace.openTextDocument({ language: 'typescript', content: content.join('\n') }),
    );
    assert.deepEqual(await found(selectedText()), []);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  test('shows results in the references view with a history', async () => {
    await select('similar/a.ts', 1, lines);
    await vscode.commands.executeCommand('kindred.findSelection');
    // Run the command of F4.
    await eventually(async () => {
      await vscode.commands.executeCommand('references-view.next');
      const path = vscode.window.activeTextEditor?.document.uri.path ?? '';
      assert.ok(path.startsWith(uriOf('similar').path) && !path.endsWith('a.ts'), path);
    });
  });

  test('answers during the ingestion of an edit include that edit', async () => {
    const editor = await select('similar/b.ts', 1, 1);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '// one\n// two\n'));
    await eventually(() => assert.ok(api.scanner.state.type === 'scanning' || !api.scanner.isBehind));
    await eventually(() => assert.ok(api.scanner.state.type === 'idle' && !api.scanner.isBehind));
    await select('similar/a.ts', 1, lines);
    assert.equal((await found(selectedText()))[0], `similar/b.ts:5-${lines + 4}`);
    await vscode.window.showTextDocument(uriOf('similar/b.ts'));
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  test('a paste offers the existing copy, and a short paste offers nothing', async () => {
    const document = await vscode.workspace.openTextDocument({ language: 'typescript', content: '' });
    await vscode.window.showTextDocument(document);
    const offered = await pasted(document, parsing);
    assert.equal(offered?.place.uri.path, uriOf('similar/a.ts').path);
    assert.equal(offered.insertText, parsing);
    assert.equal(await pasted(document, parsing.split('\n').slice(0, 5).join('\n')), undefined);
    const own = Array.from({ length: 12 }, (_, n) => `mapping.set(first${n}, await second${n}(third[${n}]));`);
    assert.equal(await pasted(document, own.join('\n')), undefined);
  });

  test('a paste into a file of an unknown language is offered the existing copy', async () => {
    await write('similar/notes.unknown', '');
    const document = await vscode.workspace.openTextDocument(uriOf('similar/notes.unknown'));
    assert.equal(document.languageId, 'plaintext');
    assert.equal((await pasted(document, parsing))?.place.uri.path, uriOf('similar/a.ts').path);
  });

  test('a paste into a cell is offered the existing copy, and one into generated text is not', async () => {
    const cell = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, '', 'typescript');
    const notebook = await vscode.workspace.openNotebookDocument('jupyter-notebook', new vscode.NotebookData([cell]));
    const offered = await pasted(notebook.cellAt(0).document, parsing);
    assert.equal(offered?.place.uri.path, uriOf('similar/a.ts').path);
    const made = vscode.workspace.registerTextDocumentContentProvider('made', {
      provideTextDocumentContent: () => 'by a program',
    });
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse('made:/a.ts'));
    assert.equal(await pasted(document, parsing), undefined);
    made.dispose();
  });
});
