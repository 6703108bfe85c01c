/** Notebooks in VS Code: findings are in their cells, include unsaved text, and move with it. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Group } from '../../src/core/engine/report/report.ts';
import type { Api } from '../../src/surfaces/vscode/activate.ts';
import { isCell } from '../../src/surfaces/vscode/workspace/notebooks.ts';
import { lineRange, place } from '../../src/surfaces/vscode/wording.ts';
import {
  closeEditors,
  eventually,
  groupsIn,
  remove,
  rowsShown,
  scan,
  until,
  uriOf,
  withSettings,
  write,
} from './window.ts';

const copied = `def moor(barges, berths):
    moored = []
    for barge in sorted(barges, key=lambda it: it["arrival"]):
        fitting = [berth for berth in berths if berth["length"] >= barge["length"] and berth["free"]]
        if not fitting:
            moored.append({"barge": barge["name"], "berth": None, "note": "has to wait\\tat \\"the\\" lock"})
            continue
        berth = min(fitting, key=lambda it: it["length"] - barge["length"])
        berth["free"] = False
        moored.append({"barge": barge["name"], "berth": berth["name"], "note": "größte 😀"})
    return sorted(moored, key=lambda it: it["barge"])`;

const before = 'import json\nquays = json.load(open("quays.json"))';

/** Returns a notebook as Jupyter writes it, with a line of JSON for each line of a cell, and an output. */
function notebook(...cells: readonly (readonly [type: string, text: string])[]): string {
  return `${JSON.stringify(
    {
      cells: cells.map(([type, text]) => ({
        cell_type: type,
        ...(type === 'code' && {
          execution_count: 1,
          outputs: [{ output_type: 'stream', name: 'stdout', text: ['def moor(barges, berths):\n'] }],
        }),
        metadata: {},
        source: text.split(/(?<=\n)/),
      })),
      metadata: { kernelspec: { name: 'python3', language: 'python', display_name: 'Python 3' } },
      nbformat: 4,
      nbformat_minor: 4,
    },
    null,
    1,
  )}\n`;
}

suite('notebooks', () => {
  let api: Api;
  let tests = 0;
  // VS Code keeps an open notebook with its unsaved changes for a while after its tab is closed.
  let name: string;

  setup(async () => {
    name = `notebooks/${++tests}.ipynb`;
    await write(name, notebook(['markdown', '# Quays'], ['code', before], ['code', copied]));
    await write('notebooks/b.py', `${copied}\n`);
    api = await scan();
  });

  teardown(async () => {
    await closeEditors();
    await remove('notebooks');
  });

  function found(): Group {
    const groups = groupsIn(api, name).filter(({ kind }) => kind !== 'file');
    assert.equal(groups.length, 1, JSON.stringify(groups));
    return groups[0];
  }

  function inNotebook() {
    const at = found().passages.findIndex(({ path }) => path === name);
    return { group: found(), place: at, passage: found().passages[at] };
  }

  async function open(): Promise<vscode.NotebookDocument> {
    const document = await vscode.workspace.openNotebookDocument(uriOf(name));
    await vscode.window.showNotebookDocument(document, { preview: false });
    await inCells();
    return document;
  }

  /** Waits until the passage is in cells of the open notebook. The watcher may report earlier files late. */
  async function inCells(): Promise<void> {
    const changed: vscode.Event<unknown> = (listener) =>
      vscode.Disposable.from(api.findings.onDidMove(listener), api.findings.onDidChange(listener));
    await until('the passage to be in a cell', changed, () => {
      const isThere = groupsIn(api, name).some(({ kind }) => kind !== 'file');
      return isThere && isCell(api.findings.locationOf(inNotebook().passage).uri);
    });
  }

  function marksOf(cell: vscode.NotebookCell): vscode.Diagnostic[] {
    return vscode.languages.getDiagnostics(cell.document.uri).filter(({ source }) => source === 'kindred');
  }

  async function marked(cell: () => vscode.NotebookCell, holds: (mark: vscode.Diagnostic) => boolean = () => true) {
    return until('a mark in the cell', vscode.languages.onDidChangeDiagnostics, () => marksOf(cell()).find(holds));
  }

  test('the mark is in the cell with the copy, and ends with it', async () => {
    await withSettings({ 'diagnostics.range': 'full' }, async () => {
      const document = await open();
      const mark = await marked(() => document.cellAt(2));
      assert.equal(document.cellAt(2).document.getText(mark.range), copied);
      assert.deepEqual(
        [0, 1].flatMap((cell) => marksOf(document.cellAt(cell))),
        [],
      );
    });
  });

  test('a copy in two cells has a mark in each', async () => {
    await write('notebooks/b.py', `${before}\n\n\n${copied}\n`);
    api = await scan();
    await withSettings({ 'diagnostics.range': 'full' }, async () => {
      const document = await open();
      await marked(() => document.cellAt(2));
      const [first] = marksOf(document.cellAt(1));
      assert.ok(first, 'the cell above has the rest of the copy');
      const text = document.cellAt(1).document.getText(first.range);
      assert.ok(text !== '' && before.endsWith(text), text);
      assert.equal(place(api.findings.now(inNotebook().passage)), `${name}, cells 2 to 3`);
    });
  });

  test('views name the cell, and open it at the passage', async () => {
    const { group, place: at, passage } = inNotebook();
    await api.findings.notebooks.read(passage.path);
    assert.equal(place(api.findings.now(passage)), `${name}, cell 3:1-11`);
    await vscode.commands.executeCommand('kindred.openCopy', { group: group.id, copy: at });
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor && isCell(editor.document.uri), String(editor?.document.uri));
    assert.deepEqual(editor.selection, new vscode.Selection(0, 0, 0, 0));
    await eventually(() => assert.equal(vscode.window.activeNotebookEditor?.selection.start, 2));
    const [copy] = api.findings.copiesAt(editor.document.uri, 4);
    assert.equal(copy?.group.id, group.id);
    // They are drawn when the cursor rests.
    await eventually(() => assert.equal(api.decorations.shown?.start.line, 0));
  });

  test('unsaved text is compared, and marks move with it', async () => {
    await withSettings({ run: 'onType' }, async () => {
      const document = await open();
      const cell = document.cellAt(2);
      await marked(() => cell);
      const edit = new vscode.WorkspaceEdit();
      edit.insert(cell.document.uri, new vscode.Position(0, 0), '# Boats wait here.\n\n');
      const { generation } = api.findings.report!;
      await vscode.workspace.applyEdit(edit);
      const { passage } = inNotebook();
      const start = api.findings.rangeIn(cell.document.uri, passage).start;
      assert.equal(start.line, 2, 'at once');
      await until('a report of the text', api.findings.onDidChange, () => api.findings.report!.generation > generation);
      await marked(
        () => cell,
        ({ range }) => range.start.line === 2,
      );
      const within = api.findings.rangeIn(cell.document.uri, inNotebook().passage);
      assert.ok(cell.document.getText(within).startsWith('def moor'), cell.document.getText(within));
      // Inserted cells move the others down.
      const cells = new vscode.WorkspaceEdit();
      const added = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, 'x = 1', 'python');
      cells.set(document.uri, [vscode.NotebookEdit.insertCells(0, [added, added])]);
      await vscode.workspace.applyEdit(cells);
      await until('the cells to be counted anew', api.findings.onDidChange, () =>
        lineRange(api.findings.now(inNotebook().passage)).includes('5'),
      );
      await marked(() => document.cellAt(4));
      await document.save();
      assert.equal(document.isDirty, false);
      await marked(
        () => document.cellAt(4),
        ({ range }) => range.start.line === 2,
      );
      // Without it, there is no copy.
      const removed = new vscode.WorkspaceEdit();
      removed.set(document.uri, [vscode.NotebookEdit.deleteCells(new vscode.NotebookRange(4, 5))]);
      await vscode.workspace.applyEdit(removed);
      await until('the copy to go', api.findings.onDidChange, () => groupsIn(api, name).length === 0);
      await until(
        'the marks to go',
        vscode.languages.onDidChangeDiagnostics,
        () => document.getCells().flatMap(marksOf).length === 0,
      );
    });
  });

  test('the file is compared again after the notebook is closed without saving', async () => {
    await withSettings({ run: 'onType' }, async () => {
      const document = await open();
      const edit = new vscode.WorkspaceEdit();
      edit.set(document.uri, [vscode.NotebookEdit.deleteCells(new vscode.NotebookRange(2, 3))]);
      await vscode.workspace.applyEdit(edit);
      await until('the copy to go', api.findings.onDidChange, () => groupsIn(api, name).length === 0);
      // In a test, VS Code chooses not to save.
      await closeEditors();
      await until('the copy to come back', api.findings.onDidChange, () => groupsIn(api, name).length > 0);
    });
  });

  test('hover, light bulb, and lenses work in the cell', async () => {
    await withSettings({ 'editor.show': { codeLens: true } }, async () => {
      const document = await open();
      const { uri } = document.cellAt(2).document;
      const { range } = await marked(() => document.cellAt(2));
      const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
        'vscode.executeHoverProvider',
        uri,
        range.start,
      );
      const texts = hovers.flatMap(({ contents }) => contents.map((it) => (it as vscode.MarkdownString).value));
      assert.ok(
        texts.some((text) => text.startsWith('**moor** · ') && text.includes('kindred.openCopy')),
        texts.join('\n'),
      );
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        uri,
        range,
      );
      assert.ok(actions.some(({ command }) => command?.command === 'kindred.compareSelected'));
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri, 9);
      assert.ok(lenses.some(({ command }) => command?.title.includes('b.py')));
    });
  });

  test('a compare shows the text of the cells', async () => {
    const { group } = inNotebook();
    const references = [0, 1].map((copy) => ({ group: group.id, copy }));
    await vscode.commands.executeCommand('kindred.compareSelected', references[0], references);
    const input = await until('the compare', vscode.window.tabGroups.onDidChangeTabs, () => {
      const it = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return it instanceof vscode.TabInputTextDiff ? it : undefined;
    });
    const sides = [input.original, input.modified].map((uri) => vscode.workspace.openTextDocument(uri));
    const texts = (await Promise.all(sides)).map((document) => document.getText());
    assert.deepEqual(texts, [copied, copied]);
    assert.match(input.modified.path + input.original.path, /kindred-python.*kindred-python/);
  });

  test('near-duplicates of a selection in a cell are found, except the selection itself', async () => {
    const document = await open();
    const { document: text } = document.cellAt(2);
    const range = new vscode.Range(0, 0, text.lineCount - 1, text.lineAt(text.lineCount - 1).text.length);
    const answer = await api.similar.find({ text: text.getText(range), document: text, range, name: 'it' });
    assert.deepEqual(
      answer?.places.map(({ passage }) => passage.path),
      ['notebooks/b.py'],
    );
  });

  test('a cell is found in another cell of a notebook on one line', async () => {
    await remove(name);
    name = 'notebooks/line.ipynb';
    const written = notebook(['code', before], ['code', copied], ['code', `${copied}\n`]);
    await write(name, JSON.stringify(JSON.parse(written)));
    await remove('notebooks/b.py');
    api = await scan();
    const document = await vscode.workspace.openNotebookDocument(uriOf(name));
    await vscode.window.showNotebookDocument(document, { preview: false });
    const { document: text } = document.cellAt(1);
    const range = new vscode.Range(0, 0, text.lineCount - 1, text.lineAt(text.lineCount - 1).text.length);
    await api.findings.notebooks.read(name);
    const answer = await api.similar.find({ text: text.getText(range), document: text, range, name: 'it' });
    assert.deepEqual(
      answer?.places.map(({ uri }) => uri.toString()),
      [document.cellAt(2).document.uri.toString()],
    );
  });

  test('a found text is shown in its cell', async () => {
    const notebookDocument = await open();
    const document = await vscode.workspace.openTextDocument(uriOf('notebooks/b.py'));
    const answer = await api.similar.find({ text: copied, document, range: undefined, name: 'it' });
    const there = answer?.places.find(({ passage }) => passage.path.endsWith('.ipynb'));
    assert.equal(there?.uri.toString(), notebookDocument.cellAt(2).document.uri.toString());
    assert.equal(lineRange(there.passage), 'cell 3:1-11');
  });

  test('a found text in a closed notebook opens it at the cell', async () => {
    await vscode.window.showTextDocument(uriOf('notebooks/b.py'));
    await vscode.env.clipboard.writeText(copied);
    const rows = await rowsShown(() => vscode.commands.executeCommand('kindred.findClipboard'));
    const found = rows.find(({ item }) => item.resourceUri?.path === uriOf(name).path);
    const row = found?.item;
    assert.ok(row?.command, 'there is a row that opens something');
    await vscode.commands.executeCommand('kindred.compareFound', found?.place);
    const sides = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === 'kindred');
    const texts = sides.map((document) => document.getText().trim());
    assert.deepEqual(texts, [copied.trim(), copied.trim()]);
    await closeEditors();
    await vscode.window.showTextDocument(uriOf('notebooks/b.py'));
    assert.equal(row.resourceUri?.scheme, 'file', 'the notebook is open');
    await vscode.commands.executeCommand(row.command.command, ...(row.command.arguments as unknown[]));
    const shown = await until('the notebook', vscode.window.onDidChangeActiveNotebookEditor, () => {
      return vscode.window.activeNotebookEditor;
    });
    assert.equal(shown.notebook.uri.path, uriOf(name).path);
    assert.equal(shown.selection.start, 2);
    const cell = shown.notebook.cellAt(2).document;
    const editor = vscode.window.visibleTextEditors.find(({ document }) => document === cell);
    assert.deepEqual(editor?.selection, new vscode.Selection(0, 0, 0, 0));
  });

  test('In This File and the language status follow the notebook', async () => {
    await open();
    assert.equal((await api.fileStatus.status())?.text, '1 duplicate');
  });
});
