/** Copies in the editor: marks, compares, canonical copies, and edits. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { editOfOthers } from '../../src/surfaces/vscode/editor/applyToCopies.ts';
import { copyCodeActions } from '../../src/surfaces/vscode/editor/codeActions.ts';
import { moreActions } from '../../src/surfaces/vscode/editor/copyActions.ts';
import { SavedText } from '../../src/surfaces/vscode/findings/savedText.ts';
import { PassageNames } from '../../src/surfaces/vscode/tree/passageNames.ts';
import { lineOpposite } from '../../src/surfaces/vscode/editor/scrollTogether.ts';
import type { Api } from '../../src/surfaces/vscode/activate.ts';
import type { Row } from '../../src/surfaces/vscode/tree/rows.ts';
import { drawing, harbour, merging, parsing } from '../passages.ts';
import { closeEditors, eventually, groupsIn, remove, scan, until, uriOf, withSettings, write } from './window.ts';

const loading = (name: string, list: string): string => `export async function load${name}s(count: number) {
  const ${list} = [];
  for (let page = 0; page < count; page++) {
    const answer = await fetch('/orders?page=' + page);
    if (!answer.ok) throw new Error('No answer for page ' + page);
    const rows = await answer.json();
    for (const row of rows) {
      ${list}.push({ ...row, page, loaded: Date.now() });
    }
    if (rows.length === 0) break;
    await pause(count * 10 + page);
  }
  ${list}.sort((one, other) => one.loaded - other.loaded);
  return ${list}.filter((each) => each.page < count);
}
`;

/** Each test uses other files, because VS Code keeps the texts of shown files for a while. */
let names: readonly [string, string, string] = ['', '', ''];
let tests = 0;

suite('copies in the editor', () => {
  let api: Api;

  setup(async () => {
    const folder = `copies/${++tests}`;
    names = [`${folder}/a.ts`, `${folder}/b.ts`, `${folder}/c.ts`];
    await write(names[0], `// a\n${loading('Order', 'orders')}`);
    await write(names[1], `// b\n\n${loading('Order', 'orders')}`);
    await write(names[2], `// c\n\n\n${loading('Item', 'items')}`);
    api = await scan();
  });

  const passageNames = (): PassageNames => new PassageNames(api.findings, new SavedText(api.findings));

  teardown(async () => {
    await vscode.workspace.saveAll();
    await closeEditors();
    await remove('copies');
    await scan();
  });

  test('the lines of the copy at the cursor are shown, and remain while it is edited', async () => {
    const editor = await vscode.window.showTextDocument(uriOf(names[0]));
    moveTo(editor, 0);
    await shownLines(undefined);
    moveTo(editor, 5);
    await shownLines([1, 15]);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '// one more\n'));
    await shownLines([2, 16]);
    moveTo(editor, 0);
    await shownLines(undefined);
  });

  test('marks are hidden and shown by one command', async () => {
    const editor = await vscode.window.showTextDocument(uriOf(names[0]));
    moveTo(editor, 5);
    await shownLines([1, 15]);
    const mark = (): number => vscode.languages.getDiagnostics(uriOf(names[0])).length;
    await until('the mark', vscode.languages.onDidChangeDiagnostics, () => mark() === 1);
    await vscode.commands.executeCommand('kindred.hideMarks');
    await until('no mark', vscode.languages.onDidChangeDiagnostics, () => mark() === 0);
    await shownLines(undefined);
    assert.deepEqual(await hoversAt(1), []);
    await vscode.commands.executeCommand('kindred.showMarks');
    await until('the mark', vscode.languages.onDidChangeDiagnostics, () => mark() === 1);
    await shownLines([1, 15]);
    const configuration = vscode.workspace.getConfiguration('kindred.editor');
    await configuration.update('marks', undefined, vscode.ConfigurationTarget.Global);
    // A setting that the folder defines is changed in the folder.
    await configuration.update('marks', true, vscode.ConfigurationTarget.Workspace);
    await vscode.commands.executeCommand('kindred.hideMarks');
    const { globalValue, workspaceValue } = vscode.workspace.getConfiguration('kindred.editor').inspect('marks')!;
    assert.deepEqual([globalValue, workspaceValue], [undefined, false]);
    await configuration.update('marks', undefined, vscode.ConfigurationTarget.Workspace);
  });

  test('the hover on the first line has the name and three links, and no other line has one', async () => {
    await vscode.window.showTextDocument(uriOf(names[0]));
    const linked = (text: string): string => text.replaceAll(/\[([^\]]*)\]\(command:[^)]*\)/g, '[$1]');
    const links = '[Compare] · [Go to Copy] · [Ignore…]';
    // VS Code shows the diagnostic above it.
    const hasMark = (): boolean => vscode.languages.getDiagnostics(uriOf(names[0])).length > 0;
    await until('the mark', vscode.languages.onDidChangeDiagnostics, hasMark);
    const [hover] = await hoversAt(1);
    assert.equal(linked(hover), `**loadOrders** · ${links}`);
    assert.deepEqual(await hoversAt(5), []);
    await withSettings({ 'diagnostics.max': 0 }, async () => {
      await until('no mark', vscode.languages.onDidChangeDiagnostics, () => !hasMark());
      const [unmarked] = await hoversAt(1);
      assert.match(linked(unmarked), /^\*\*loadOrders · 3 renamed copies.*15 lines\*\*\n\n/);
      assert.ok(linked(unmarked).endsWith(`\n\n${links}`));
    });
    const [, linkArguments] = /\[Go to Copy\]\(command:kindred\.openCopy\?([^ )]*)/.exec(hover)!;
    await vscode.commands.executeCommand(
      'kindred.openCopy',
      ...(JSON.parse(decodeURIComponent(linkArguments)) as unknown[]),
    );
    assert.equal(vscode.window.activeTextEditor!.document.uri.toString(), uriOf(names[1]).toString());
    await withSettings({ 'editor.show': { hover: false } }, async () => {
      await vscode.window.showTextDocument(uriOf(names[0]));
      assert.deepEqual(await hoversAt(1), []);
    });
  });

  test('a CodeLens shows the places of the others, if enabled', async () => {
    await vscode.window.showTextDocument(uriOf(names[0]));
    const lenses = async (): Promise<string[]> => {
      const all = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        'vscode.executeCodeLensProvider',
        uriOf(names[0]),
        10,
      );
      return all.flatMap(({ command }) => command?.title ?? []).filter((title) => title.startsWith('Also in'));
    };
    assert.deepEqual(await lenses(), []);
    await withSettings({ 'editor.show': { codeLens: true } }, async () => {
      assert.deepEqual(await lenses(), ['Also in b.ts:3-17 and 1 more']);
    });
  });

  test('the light bulb offers what people use most on any line of a copy, on request', async () => {
    await vscode.window.showTextDocument(uriOf(names[0]));
    const first = ['Compare with loadOrders · b.ts:3-17', 'Go to copy loadOrders · b.ts:3-17'];
    const last = ['Ignore all 3 copies…', 'More…'];
    const offered = async (): Promise<readonly string[]> =>
      (await bulbAt(names[0], 7)).filter((title) => !title.startsWith('Extract this'));
    assert.deepEqual(await offered(), [...first, ...last]);
    assert.deepEqual(await bulbAt(names[0], 0), []);
    const [group] = groupsIn(api, names[0]);
    const more = await moreActions(
      { group, place: 0, passage: group.passages[0] },
      { findings: api.findings, canonicals: api.canonicals, names: passageNames() },
      true,
    );
    assert.deepEqual(
      more.map(({ title }) => title),
      [
        'Compare all 3 copies',
        'Extract this copy…',
        'Peek all copies',
        'Open beside loadOrders · b.ts:3-17',
        'Explain match with loadOrders · b.ts:3-17',
        'Show in Duplicates view',
        'Ignore this copy by comments…',
        'Tune sensitivity to hide duplicates like this…',
      ],
    );
  });

  test('the light bulb offers to extract a copy on request, if the language has a refactoring for it', async () => {
    const { document } = await vscode.window.showTextDocument(uriOf(names[1]));
    const hasExtract = async (): Promise<boolean> =>
      (await bulbAt(names[1], 7)).some((title) => title === 'Extract this copy…');
    assert.equal(await hasExtract(), false);
    const kind = vscode.CodeActionKind.RefactorExtract.append('function');
    let requests = 0;
    const language = vscode.languages.registerCodeActionsProvider('typescript', {
      provideCodeActions: (_document, _range, { only }) => {
        if (only?.contains(kind) !== true) return [];
        requests++;
        return [new vscode.CodeAction('Extract to a function of this test', kind)];
      },
    });
    try {
      assert.equal(await hasExtract(), true);
      assert.equal(requests, 1);
      // VS Code requests the actions of a light bulb each time the cursor moves to the mark.
      const [group] = groupsIn(api, names[1]);
      const copy = { group, place: 1, passage: group.passages[1] };
      const mark = new vscode.Diagnostic(new vscode.Range(2, 0, 2, 1), 'a mark');
      mark.source = 'kindred';
      const needs = { findings: api.findings, canonicals: api.canonicals, names: passageNames() };
      const provider = copyCodeActions({ copyOf: () => copy }, needs, () => {
        throw new Error('The mark is known.');
      });
      const offered = await provider.provideCodeActions(
        document,
        mark.range,
        { diagnostics: [mark], only: undefined, triggerKind: vscode.CodeActionTriggerKind.Automatic },
        new vscode.CancellationTokenSource().token,
      );
      assert.deepEqual(
        offered?.map(({ title }) => title.replace(/ .*/, '')),
        ['Compare', 'Go', 'Ignore', 'More…'],
      );
      assert.equal(requests, 1);
    } finally {
      language.dispose();
    }
  });

  test('extracting a copy runs the refactoring of the language for these lines', async () => {
    const kind = vscode.CodeActionKind.RefactorExtract.append('function');
    const language = vscode.languages.registerCodeActionsProvider('typescript', {
      provideCodeActions: ({ uri }, range, { only }) => {
        if (only?.contains(kind) !== true) return [];
        const extract = new vscode.CodeAction('Extract to a function of this test', kind);
        extract.edit = new vscode.WorkspaceEdit();
        extract.edit.replace(uri, range, 'extracted();');
        return [extract];
      },
    });
    const editor = await vscode.window.showTextDocument(uriOf(names[1]));
    const { document } = editor;
    moveTo(editor, 7);
    let isOver = false;
    const extracted = until('the extracted copy', vscode.workspace.onDidChangeTextDocument, () =>
      document.getText().includes('extracted();'),
    ).finally(() => (isOver = true));
    // Choose the first action of the menu as soon as it is open. Open it again after one second, two, four, and so on,
    // because VS Code closes it when the window loses the focus.
    for (let tries = 0, opened = 0; !isOver; tries++) {
      if (tries === 20 * (2 ** opened - 1)) {
        opened++;
        await vscode.commands.executeCommand('kindred.extractCopy');
      }
      await vscode.commands.executeCommand('acceptSelectedCodeAction');
      await Promise.race([extracted, new Promise((resolve) => setTimeout(resolve, 50))]);
    }
    await extracted;
    assert.equal(document.getText(), '// b\n\nextracted();\n');
    language.dispose();
  });

  test('consistently renamed names are aligned in a compare, and shown as written again on request', async () => {
    const [group] = groupsIn(api, names[0]);
    const rows = [0, 2].map((place): Row => ({ type: 'copy', group, place, passage: group.passages[place] }));
    await vscode.commands.executeCommand('kindred.compareSelected', rows[0], rows);
    const written = await compared();
    assert.match(written.text, /items\.sort/);
    await vscode.commands.executeCommand('kindred.alignNames');
    const aligned = await compared();
    assert.match(
      aligned.label,
      /^loadOrders ↔ loadItems · a\.ts:2-16 ↔ c\.ts:4-18 \(.*\), names aligned: loadItems → loadOrders, items → orders$/,
    );
    assert.equal(aligned.text, loading('Order', 'orders').trimEnd());
    // Commands for a compare also work with aligned names.
    await vscode.commands.executeCommand('kindred.nextCopy');
    assert.equal(vscode.window.activeTextEditor!.document.uri.scheme, 'file');
    await closeEditors();
    await vscode.commands.executeCommand('kindred.compareSelected', rows[0], rows);
    await vscode.commands.executeCommand('kindred.alignNames');
    await vscode.commands.executeCommand('kindred.showAsWritten');
    assert.deepEqual(await compared(), written);
    assert.equal(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length, 1);
  });

  test('without an editor and a selected row, as in the walkthrough, the first row is compared', async () => {
    await closeEditors();
    await vscode.commands.executeCommand('kindred.compareCopies');
    const first = api.tree.getChildren().flatMap((row) => api.tree.groupsIn(row))[0];
    const { label } = await compared();
    const shown = first.passages.filter(({ path }) => label.includes(path.split('/').at(-1)!));
    assert.ok(shown.length > 1, label);
  });

  test('others are compared with the canonical copy, also after it was edited', async () => {
    const [group] = groupsIn(api, names[0]);
    const row: Row = { type: 'copy', group, place: 1, passage: group.passages[1] };
    await vscode.commands.executeCommand('kindred.useAsCanonical', row);
    assert.equal(api.canonicals.of(group), 1);
    const item = await api.tree.getTreeItem(row);
    assert.deepEqual(
      [item.iconPath, item.description, item.contextValue],
      [new vscode.ThemeIcon('star-full'), 'canonical', 'copy.base.canonical'],
    );
    assert.match(item.accessibilityInformation!.label, /canonical$/);
    assert.equal((await api.tree.getTreeItem({ ...row, place: 0 })).contextValue, 'copy');
    await vscode.commands.executeCommand('kindred.compareCopies', { ...row, place: 2, passage: group.passages[2] });
    assert.match((await compared()).label, /^loadOrders ↔ loadItems · b\.ts:3-17 ↔ c\.ts:4-18/);
    await vscode.window.showTextDocument(uriOf(names[2]));
    assert.ok((await bulbAt(names[2], 7)).includes('Compare with loadOrders · b.ts:3-17'));
    await write(names[1], `// b\n\n// more\n${loading('Order', 'orders').replace('* 10', '* 20')}`);
    await scan();
    const [later] = groupsIn(api, names[1]);
    assert.equal(later.passages[api.canonicals.of(later)].path, names[1]);
    const place = api.canonicals.chosenIn(later)!;
    await vscode.commands.executeCommand('kindred.stopUsingAsCanonical', {
      ...row,
      group: later,
      place,
      passage: later.passages[place],
    });
    assert.equal(api.canonicals.chosenIn(later), undefined);
  });

  test('all copies of a group are compared with their base', async () => {
    const [group] = groupsIn(api, names[0]);
    await vscode.commands.executeCommand('kindred.compareAll', { type: 'group', group } satisfies Row);
    const label = (): string => vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '';
    await until('the multi-diff editor', vscode.window.tabGroups.onDidChangeTabs, () => label().includes('↔ 2 copies'));
    assert.match(label(), /^loadOrders · [ab]\.ts:[23]-1[67] ↔ 2 copies · 3 renamed copies, .* similar/);
  });

  test('two copies are opened in their own files, side by side', async () => {
    const many = Array.from({ length: 200 }, (_, line) => `const before${line} = ${line};\n`).join('');
    await write(names[1], many + loading('Order', 'orders') + many.replaceAll('before', 'after'));
    await write(names[0], loading('Order', 'orders') + many.replaceAll('before', 'behind'));
    await scan();
    const group = groupsIn(api, names[0]).find(({ passages }) => passages.length === 3)!;
    const rows = [0, 1].map((place): Row => ({ type: 'copy', group, place, passage: group.passages[place] }));
    await vscode.commands.executeCommand('kindred.openBoth', rows[0], rows);
    const [left, right] = [0, 1].map((at) => {
      const found = vscode.window.visibleTextEditors.find(
        ({ document }) => document.uri.toString() === uriOf(names[at]).toString(),
      );
      assert.ok(found, `${names[at]} is not shown`);
      return found;
    });
    assert.equal(vscode.window.activeTextEditor, left);
    await eventually(() => assertTop(right, (line) => Math.abs(line - 200) <= 5));
    // They scroll together, in either direction, until one of them is closed.
    await scrolled(left, 100, right, (line) => Math.abs(line - 300) <= 8);
    await scrolled(right, 250, left, (line) => Math.abs(line - 50) <= 8);
    await vscode.window.showTextDocument(right.document, right.viewColumn);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await scrolled(left, 120, left, (line) => Math.abs(line - 120) <= 8);
  });

  test('a line corresponds to the opposite one before, in, and after the copies', () => {
    const opposite = (line: number) => lineOpposite(line, { first: 10, last: 20 }, { first: 110, last: 130 });
    assert.deepEqual([0, 10, 15, 20, 25].map(opposite), [100, 110, 120, 130, 135]);
  });

  suite('an edited copy', () => {
    const check = "    if (!answer.ok) throw new Error('No answer for page ' + page);\n";
    const better = "    if (!answer.ok) {\n      throw new Error(orders.length + ' orders, then nothing');\n    }\n";

    test('names the others that have the old text, and its edit can be applied to them with their own names', async () => {
      const copy = await editFirst();
      assert.deepEqual(
        copy.outdated.map(({ passage }) => passage.path),
        [names[1], names[2]],
      );
      const titles = await bulbAt(names[0], 6);
      assert.ok(titles.includes('Apply this edit to 2 other copies…'), titles.join(', '));
      const [hint] = vscode.languages
        .getDiagnostics(uriOf(names[0]))
        .filter(({ code }) => code === 'inconsistent-copy');
      assert.equal(hint.message, '2 other copies still have the old text');
      assert.equal(hint.severity, vscode.DiagnosticSeverity.Hint);
      // As if everything was checked in the preview.
      const ticked = new vscode.WorkspaceEdit();
      for (const [uri, changes] of (await editOfOthers(copy)).entries()) ticked.set(uri, changes);
      assert.ok(await vscode.workspace.applyEdit(ticked));
      const [b, c] = await Promise.all(
        [names[1], names[2]].map((name) => vscode.workspace.openTextDocument(uriOf(name))),
      );
      const after = loading('Order', 'orders').replace(check, better);
      assert.equal(b.getText(), `// b\n\n${after}`);
      assert.equal(
        c.getText(),
        `// c\n\n\n${loading('Item', 'items').replace(check, better.replace('orders.length', 'items.length'))}`,
      );
      await until('no hint', api.edited.onDidChange, () => api.edited.all().length === 0);
      await vscode.workspace.saveAll();
    });

    test('the hint ends its line, is removed with the next edit, and returns after a comparison', async () => {
      const copy = await editFirst();
      const editor = vscode.window.activeTextEditor!;
      const { document } = editor;
      const sentences = (): readonly vscode.DecorationOptions[] => api.hints.sentencesIn(document);
      const checkPlace = (line: number): void => {
        const [{ range }] = sentences();
        assert.equal(range.end.line, line);
        // The hint ends at a column that text typed meanwhile does not reach.
        assert.ok(range.end.character > document.lineAt(line).text.length + 1000);
      };
      assert.equal(sentences().length, 1);
      checkPlace(copy.firstLine);
      const removed = once(api.edited.onDidChange);
      await editor.edit((edit) => edit.insert(document.lineAt(copy.firstLine).range.end, ' // or is it?'));
      await removed;
      assert.deepEqual(sentences(), []);
      assert.equal(api.edited.all()[0]?.outdated.length, 2, 'the light bulb still has its actions');
      await until('the hint', api.edited.onDidChange, () => sentences().length === 1);
      checkPlace(copy.firstLine);
      // Lines inserted above move its line.
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '// one more\n'));
      assert.deepEqual(sentences(), []);
      const [hint] = vscode.languages.getDiagnostics(document.uri).filter(({ code }) => code === 'inconsistent-copy');
      assert.equal(hint.range.start.line, copy.firstLine);
      await until('the hint', api.edited.onDidChange, () => sentences().length === 1);
      checkPlace(copy.firstLine);
      // An edit of another document does not remove it.
      const other = await vscode.workspace.openTextDocument(uriOf(names[1]));
      const elsewhere = new vscode.WorkspaceEdit();
      elsewhere.insert(other.uri, new vscode.Position(0, 0), '// one more\n');
      await vscode.workspace.applyEdit(elsewhere);
      assert.equal(sentences().length, 1);
      await vscode.workspace.saveAll();
    });

    test('can be compared with one of the others', async () => {
      const copy = await editFirst();
      assert.deepEqual(
        copy.outdated.map(({ passage }) => passage.path),
        [names[1], names[2]],
      );
      await vscode.commands.executeCommand('kindred.compareEdited', { edited: copy.id, other: 1 });
      const { label, text } = await compared();
      assert.match(label, /^c\.ts:4-18 ↔ a\.ts:2-18 \(c\.ts:4-18 has the old text\)$/);
      assert.ok(text.includes(better));
    });

    test('no hint remains if the others get the same edit, or it is undone', async () => {
      await editFirst();
      for (const name of names.slice(1)) {
        const document = await vscode.workspace.openTextDocument(uriOf(name));
        const edit = new vscode.WorkspaceEdit();
        const at = document.getText().indexOf(check);
        const list = name === names[2] ? 'items' : 'orders';
        edit.replace(
          document.uri,
          new vscode.Range(document.positionAt(at), document.positionAt(at + check.length)),
          better.replace('orders.length', `${list}.length`),
        );
        await vscode.workspace.applyEdit(edit);
      }
      await until('no hint', api.edited.onDidChange, () => api.edited.all().length === 0);
      await vscode.workspace.saveAll();
      await scan();
      const editor = await vscode.window.showTextDocument(uriOf(names[0]));
      await editor.edit((edit) => edit.insert(new vscode.Position(9, 0), '      count();\n'));
      await until('the hint', api.edited.onDidChange, () => api.edited.all().length === 1);
      await vscode.commands.executeCommand('undo');
      await until('no hint', api.edited.onDidChange, () => api.edited.all().length === 0);
    });

    test('a reverted, closed, and reopened file has its hint again', async () => {
      await editFirst();
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      await until('no hint', api.edited.onDidChange, () => api.edited.all().length === 0);
      const copy = await editFirst();
      assert.equal(copy.outdated.length, 2);
    });

    test('a saved and closed file has its hint until its lines change on disk', async () => {
      await editFirst();
      await vscode.workspace.saveAll();
      await closeEditors();
      const [{ outdated }] = api.edited.all();
      // The copies are compared again after each report, without an event if the hint stays.
      await scan();
      await eventually(() => assert.notEqual(api.edited.all()[0]?.outdated, outdated));
      const [copy] = api.edited.all();
      assert.equal(copy?.outdated.length, 2, 'it is remembered');
      await vscode.window.showTextDocument(uriOf(names[0]));
      assert.equal(api.edited.at(uriOf(names[0]), copy.firstLine)?.id, copy.id);
      await closeEditors();
      await write(names[0], `// one more line\n${await readFile(uriOf(names[0]).fsPath, 'utf8')}`);
      await until('no hint', api.edited.onDidChange, () => api.edited.all().length === 0);
    });

    test('copies that are too long for alignment while typing have no hint', async () => {
      const long = Array.from(
        { length: 1600 },
        (_, line) => `  const value${line} = compute(${line}, other[${line}]);\n`,
      );
      const files = [1, 2].map((file) => `copies/${tests}/long${file}.ts`);
      for (const file of files) await write(file, long.join(''));
      await scan();
      assert.ok(groupsIn(api, files[0]).some(({ lines }) => lines >= 1600));
      const editor = await vscode.window.showTextDocument(uriOf(files[0]));
      await editor.edit((edit) => edit.insert(new vscode.Position(9, 0), '  count();\n'));
      // The first edit is offered first.
      await editFirst();
      assert.deepEqual(
        api.edited.all().map(({ passage }) => passage.path),
        [names[0]],
      );
    });

    test('the hint is removed when the others are changed on disk', async () => {
      await editFirst();
      for (const name of [names[1], names[2]]) await write(name, 'export const other = 1;\n');
      await until('no hint', api.edited.onDidChange, () => api.edited.all().length === 0);
    });

    test('the hint names the copies of each group that contains the edited line', async () => {
      const lines = (name: string): string[] =>
        Array.from({ length: 12 }, (_, i) => `${name}.move${i}(${i * i}, '${name} ${i}', [side${3 * i}]);\n`);
      const [crane, truck] = [lines('crane'), lines('truck')];
      const order = 'checkOrder(first, last);\n';
      const folder = `copies/${tests}/groups`;
      // The first file shares a group with two files that lack the line, and another one with a file that has it.
      await write(`${folder}/crane.ts`, [...crane, order, ...truck, parsing].join(''));
      await write(`${folder}/truck.ts`, [...crane.slice(10), order, ...truck, drawing].join(''));
      await write(`${folder}/harbour.ts`, [...crane, truck[0], harbour].join(''));
      await write(`${folder}/merging.ts`, [...crane, truck[0], merging].join(''));
      await scan();
      const uri = uriOf(`${folder}/crane.ts`);
      assert.deepEqual(
        api.findings.copiesAt(uri, 12).map(({ group }) => group.passages.length),
        [3, 2],
      );
      const editor = await vscode.window.showTextDocument(uri);
      await editor.edit((edit) => edit.insert(new vscode.Position(12, order.length - 3), ', all'));
      const copy = await until('the hint', api.edited.onDidChange, () => api.edited.at(uri, 12));
      assert.deepEqual(
        copy.outdated.map(({ passage }) => passage.path),
        [`${folder}/truck.ts`],
      );
      await vscode.commands.executeCommand('kindred.dismissEdit', { edited: copy.id });
      assert.deepEqual(api.edited.all(), []);
    });

    test('the hint can be dismissed', async () => {
      const copy = await editFirst();
      await vscode.commands.executeCommand('kindred.dismissEdit', { edited: copy.id });
      assert.deepEqual(api.edited.all(), []);
    });

    test('the hints can be disabled', async () => {
      await editFirst();
      await withSettings({ 'editor.inconsistentEdits': 'off' }, async () => {
        await until('no hint', api.edited.onDidChange, () => api.edited.all().length === 0);
      });
    });

    function once(event: vscode.Event<unknown>): Promise<void> {
      return new Promise((resolve) => {
        const subscription = event(() => {
          subscription.dispose();
          resolve();
        });
      });
    }

    async function editFirst() {
      const editor = await vscode.window.showTextDocument(uriOf(names[0]));
      const at = editor.document.getText().indexOf(check);
      const range = new vscode.Range(editor.document.positionAt(at), editor.document.positionAt(at + check.length));
      await editor.edit((edit) => edit.replace(range, better));
      return until('the hint', api.edited.onDidChange, () =>
        api.edited.all().find(({ passage }) => passage.path === names[0]),
      );
    }
  });

  function moveTo(editor: vscode.TextEditor, line: number): void {
    editor.selection = new vscode.Selection(line, 0, line, 0);
  }

  async function shownLines(expected: readonly [number, number] | undefined): Promise<void> {
    const lines = (): unknown =>
      api.decorations.shown && [api.decorations.shown.start.line, api.decorations.shown.end.line];
    await eventually(() => assert.deepEqual(lines(), expected));
  }

  async function hoversAt(line: number): Promise<string[]> {
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      uriOf(names[0]),
      new vscode.Position(line, 3),
    );
    const texts = hovers.flatMap(({ contents }) => contents as vscode.MarkdownString[]).map(({ value }) => value);
    return texts.filter((text) => text.includes('command:kindred.'));
  }

  async function bulbAt(name: string, line: number): Promise<string[]> {
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      uriOf(name),
      new vscode.Range(line, 0, line, 0),
    );
    return actions.filter(({ command }) => command?.command.startsWith('kindred.')).map(({ title }) => title);
  }
});

/** Returns the compare in the active tab, with the text on its right. */
async function compared(): Promise<{ label: string; text: string }> {
  const { tabGroups } = vscode.window;
  const tab = tabGroups.activeTabGroup.activeTab;
  assert.ok(tab?.input instanceof vscode.TabInputTextDiff, `${tab?.label} is no compare`);
  const document = await vscode.workspace.openTextDocument(tab.input.modified);
  return { label: tab.label, text: document.getText() };
}

/**
 * Scrolls one editor near a line until another one has followed. Scrolls shortly after those of the other editor are
 * ignored, so that they are repeated, each to another line.
 */
async function scrolled(
  editor: vscode.TextEditor,
  line: number,
  follower: vscode.TextEditor,
  isThere: (line: number) => boolean,
): Promise<void> {
  let offset = 0;
  await eventually(() => {
    editor.revealRange(new vscode.Range(line + offset, 0, line + offset, 0), vscode.TextEditorRevealType.AtTop);
    offset = 1 - offset;
    assertTop(follower, isThere);
  });
}

function assertTop(editor: vscode.TextEditor, isThere: (line: number) => boolean): void {
  const line = editor.visibleRanges[0].start.line;
  assert.ok(isThere(line), `line ${line} is at the top of ${editor.document.fileName}`);
}
