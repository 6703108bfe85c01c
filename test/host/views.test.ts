/** What the views make of the findings: rows, diagnostics, code actions, documents to compare. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Api } from '../../src/host/extension.ts';
import type { Row } from '../../src/host/groupTree.ts';
import { addFixture, closeEditors, groupsIn, remove, scan, until, uriOf, withSettings, write } from './window.ts';

suite('the views', () => {
  let api: Api;

  suiteSetup(async () => {
    await addFixture('shop');
    api = await scan();
  });

  teardown(closeEditors);

  suiteTeardown(async () => {
    await remove('shop');
    await scan();
  });

  test('the tree has a row for each group, and below it one for each copy', async () => {
    const rows = api.tree.getChildren().filter(({ type }) => type === 'group');
    assert.equal(rows.length, api.findings.groups.length);
    const row = rowOf('shop/src/billing/dates.ts');
    const item = await api.tree.getTreeItem(row);
    assert.equal(
      item.label,
      '3 × 17 · function parseDay(text: string): Date | undefined · 100 % · ' +
        'shop/src/billing/dates.ts, shop/src/reports/period.ts, shop/tools/days.ts',
    );
    assert.match(
      item.accessibilityInformation!.label,
      /^3 exact copies, 17 lines, first in shop\/src\/billing\/dates.ts/,
    );
    const copies = await Promise.all(api.tree.getChildren(row).map((copy) => api.tree.getTreeItem(copy)));
    assert.deepEqual(
      copies.map(({ label }) => label),
      [
        'dates.ts:2-18 · shop/src/billing/dates.ts',
        'period.ts:4-20 · shop/src/reports/period.ts',
        'days.ts:4-20 · shop/tools/days.ts',
      ],
    );
    assert.deepEqual(
      copies.map(({ resourceUri }) => resourceUri?.toString()),
      ['src/billing/dates.ts', 'src/reports/period.ts', 'tools/days.ts'].map((name) =>
        uriOf(`shop/${name}`).toString(),
      ),
    );
  });

  test('a match is explained in a document that can be read only', async () => {
    await vscode.commands.executeCommand('kindred.explainMatch', rowOf('shop/src/billing/dates.ts'));
    const { document } = vscode.window.activeTextEditor!;
    assert.equal(document.uri.scheme, 'kindred-explain');
    const text = document.getText();
    assert.match(text, /^# Why these match\n\n1\. `shop\/src\/billing\/dates\.ts:2-18` \(184 tokens\)\n2\. `shop\//);
    assert.match(text, /\n\n100 % similar: the share of tokens that correspond, in the same order\.\n/);
    assert.match(text, /Same tokens +100 % {2}of the tokens/);
    assert.match(text, /Distance +0 {2}of 64 bits differ: [0-9a-f]{16} and [0-9a-f]{16}/);
    assert.match(text, /\n +\d+\.\d\d +\d+\.\d\d {3}\S/);
    await vscode.commands.executeCommand('type', { text: 'x' });
    assert.equal(document.getText(), text);
  });

  test('files that nearly repeat each other have a row of their own, and can be compared', async () => {
    assert.ok(api.findings.fileGroups.length > 0);
    const [files] = api.tree.getChildren();
    assert.equal(files.type, 'files');
    const item = await api.tree.getTreeItem(files);
    assert.equal(item.label, 'Near-duplicate files');
    assert.match(String(item.description), /^\d+ groups?$/);
    const rows = api.tree.getChildren(files);
    assert.equal(rows.length, api.findings.fileGroups.length);
    assert.deepEqual(api.tree.getParent(rows[0]), files);
    const first = await api.tree.getTreeItem(rows[0]);
    assert.match(first.label as string, /^3 × \d+ · [\w.]+, [\w.]+, [\w.]+ · (\d+ to )?\d+ % · shop\//);
    await vscode.commands.executeCommand('kindred.compareCopies', rows[0]);
    const input = await until('the diff', vscode.window.tabGroups.onDidChangeTabs, () => {
      const shown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return shown instanceof vscode.TabInputTextDiff ? shown : undefined;
    });
    const [left] = api.findings.fileGroups[0].passages;
    const document = await vscode.workspace.openTextDocument(input.original);
    assert.ok(document.lineCount >= left.endLine - 1, `${document.lineCount} lines`);
    // An open file that is alike as a whole is a copy at any of its lines that are none of themselves.
    await vscode.window.showTextDocument(api.findings.uriOf(left));
    await vscode.commands.executeCommand('cursorTop');
    await vscode.commands.executeCommand('kindred.compareCopies');
    await until('the diff', vscode.window.tabGroups.onDidChangeTabs, () => activeLabel().includes('↔'));
  });

  test('rows keep their ids from scan to scan', async () => {
    const idsOf = async (): Promise<(string | undefined)[]> => {
      const rows = api.tree.getChildren().flatMap((row) => [row, ...api.tree.getChildren(row)]);
      return (await Promise.all(rows.map((row) => api.tree.getTreeItem(row)))).map(({ id }) => id);
    };
    const before = await idsOf();
    assert.equal(new Set(before).size, before.length);
    await scan();
    assert.deepEqual(await idsOf(), before);
  });

  test('a tooltip has the places and the first lines, in the language of the file', async () => {
    const row = rowOf('shop/src/billing/dates.ts');
    const item = await api.tree.resolveTreeItem(await api.tree.getTreeItem(row), row);
    const { value } = item.tooltip as vscode.MarkdownString;
    assert.match(value, /^\*\*3 exact copies\\, 17 lines\*\*/);
    assert.match(value, /\n- shop\\\/tools\\\/days\\\.ts\\:4\\-20\n/);
    assert.match(value, /```typescript\nexport function parseDay/);
  });

  test('the parent of a copy is its group', () => {
    const row = rowOf('shop/src/billing/dates.ts');
    assert.deepEqual(api.tree.getParent(api.tree.getChildren(row)[1]), row);
  });

  test('opening a copy selects its lines', async () => {
    await vscode.commands.executeCommand(
      'kindred.openCopy',
      api.tree.getChildren(rowOf('shop/src/billing/dates.ts'))[2],
    );
    const editor = vscode.window.activeTextEditor!;
    assert.equal(editor.document.uri.toString(), uriOf('shop/tools/days.ts').toString());
    assert.deepEqual([editor.selection.start.line, editor.selection.end.line], [3, 19]);
  });

  test('stepping goes around the copies of a group', async () => {
    await vscode.commands.executeCommand(
      'kindred.openCopy',
      api.tree.getChildren(rowOf('shop/src/billing/dates.ts'))[1],
    );
    const visited: string[] = [];
    for (const command of ['kindred.nextCopy', 'kindred.nextCopy', 'kindred.previousCopy']) {
      await vscode.commands.executeCommand(command);
      visited.push(vscode.workspace.asRelativePath(vscode.window.activeTextEditor!.document.uri));
    }
    assert.deepEqual(visited, ['shop/tools/days.ts', 'shop/src/billing/dates.ts', 'shop/tools/days.ts']);
  });

  test('an open file has a diagnostic for each copy, with the others as related places', async () => {
    const diagnostics = await openAndWait('shop/src/reports/statement.ts');
    assert.equal(diagnostics.length, 1);
    const [diagnostic] = diagnostics;
    assert.match(diagnostic.message, /^Near-duplicate of shop\/src\/billing\/invoice\.ts:\d+-\d+ \(9\d %\), 2 copies$/);
    assert.equal(diagnostic.source, 'kindred');
    assert.equal(diagnostic.code, 'near-duplicate');
    assert.equal(diagnostic.severity, vscode.DiagnosticSeverity.Information);
    assert.equal(diagnostic.range.isSingleLine, true);
    assert.deepEqual(
      diagnostic.relatedInformation?.map(({ location }) => vscode.workspace.asRelativePath(location.uri)),
      ['shop/src/billing/invoice.ts'],
    );
    assert.equal(ours(uriOf('shop/src/billing/invoice.ts')).length, 0, 'a file that is not open has none');
  });

  test('diagnostics go when the tab is closed', async () => {
    await openAndWait('shop/src/reports/statement.ts');
    await closeEditors();
    await diagnosticsOf('shop/src/reports/statement.ts', (diagnostics) => diagnostics.length === 0);
  });

  test('settings of the diagnostics are obeyed at once, without a scan', async () => {
    const { generation } = api.findings.snapshot!;
    const name = 'shop/docs/install.md';
    const [hint] = await openAndWait(name);
    assert.equal(hint.severity, vscode.DiagnosticSeverity.Hint);
    await withSettings({ 'diagnostics.severity.prose': 'warning', 'diagnostics.range': 'full' }, async () => {
      const [warning] = await diagnosticsOf(
        name,
        ([first]) => first?.range.isSingleLine === false && first.severity === vscode.DiagnosticSeverity.Warning,
      );
      assert.equal(warning.range.end.line, 7);
    });
    await withSettings({ 'diagnostics.severity.prose': 'off' }, async () => {
      await diagnosticsOf(name, (diagnostics) => diagnostics.length === 0);
    });
    await withSettings({ 'diagnostics.files': 'all' }, async () => {
      await diagnosticsOf('shop/tools/days.ts', (diagnostics) => diagnostics.length === 1);
    });
    await withSettings({ 'diagnostics.files': 'all', 'diagnostics.max': 2 }, async () => {
      await until('the limit', vscode.languages.onDidChangeDiagnostics, () => allOurs() === 2);
    });
    assert.equal(api.findings.snapshot!.generation, generation);
  });

  test('the light bulb offers to compare, to go there, and to show the group', async () => {
    const [diagnostic] = await openAndWait('shop/src/reports/statement.ts');
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      uriOf('shop/src/reports/statement.ts'),
      diagnostic.range,
    );
    const titles = actions.map(({ title }) => title.replace(/\d+-\d+$/, 'lines'));
    for (const title of [
      'Compare with invoice.ts:lines',
      'Explain match with invoice.ts:lines',
      'Go to copy invoice.ts:lines',
      'Show in Duplicates view',
    ]) {
      assert.ok(titles.includes(title), `${title} is not among ${titles.join(', ')}`);
    }
  });

  test('comparing a group opens its first two copies in the diff editor', async () => {
    await vscode.commands.executeCommand('kindred.compareCopies', rowOf('shop/src/billing/invoice.ts'));
    const { input, label } = vscode.window.tabGroups.activeTabGroup.activeTab!;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    assert.match(label, /^invoice\.ts:\d+-\d+ ↔ statement\.ts:\d+-\d+ \(9\d % similar\)$/);
    const [left, right] = await Promise.all(
      [input.original, input.modified].map((uri) => vscode.workspace.openTextDocument(uri)),
    );
    assert.equal(left.uri.scheme, 'kindred');
    assert.equal(left.languageId, 'kindred-typescript');
    const group = groupsIn(api, 'shop/src/billing/invoice.ts')[0];
    for (const [document, passage] of [
      [left, group.passages[0]],
      [right, group.passages[1]],
    ] as const) {
      const file = await vscode.workspace.openTextDocument(uriOf(passage.path));
      const lines = file
        .getText()
        .split('\n')
        .slice(passage.startLine - 1, passage.endLine);
      assert.equal(document.getText(), lines.join('\n'));
    }
  });

  test('two selected copies are compared with each other, a single one with the first of its group', async () => {
    const [first, second, third] = api.tree.getChildren(rowOf('shop/src/billing/dates.ts'));
    await vscode.commands.executeCommand('kindred.compareSelected', second, [second, third]);
    assert.match(activeLabel(), /^period\.ts:4-20 ↔ days\.ts:4-20/);
    await vscode.commands.executeCommand('kindred.compareCopies', third);
    assert.match(activeLabel(), /^dates\.ts:2-18 ↔ days\.ts:4-20/);
    await vscode.commands.executeCommand('kindred.compareCopies', first);
    assert.match(activeLabel(), /^dates\.ts:2-18 ↔ period\.ts:4-20/);
  });

  test('a compare knows what it shows: its two copies are explained, and stepping goes on from there', async () => {
    const [, second, third] = api.tree.getChildren(rowOf('shop/src/billing/dates.ts'));
    await vscode.commands.executeCommand('kindred.compareSelected', second, [second, third]);
    await vscode.commands.executeCommand('kindred.explainMatch');
    assert.equal(activeLabel(), 'period.ts:4-20 ↔ days.ts:4-20.md');
    await vscode.commands.executeCommand('kindred.compareSelected', second, [second, third]);
    await until(
      'the compare is active',
      vscode.window.onDidChangeActiveTextEditor,
      () => vscode.window.activeTextEditor?.document.uri.scheme === 'kindred',
    );
    await vscode.commands.executeCommand('kindred.nextCopy');
    assert.equal(activeLabel(), 'dates.ts');
  });

  test('a compare of files and its explanation have the measure of their row, though passages have the same lines', async () => {
    const whole = 'tally(berths, depths, (quay) => quay.free > 3);\n'.repeat(2);
    const lines = Array.from(
      { length: 24 },
      (_, n) => `  plan.push({ id: ${n}, at: quays[${n * 7}], free: depth + ${n}.5 });`,
    );
    const text = (own: string): string => `function ${own}(plan, quays, depth) {\n${lines.join('\n')}\n}\n`;
    await write('measures/a.ts', text('first') + whole);
    await write('measures/b.ts', text('second').replace('quays[70]', 'none()') + whole);
    await scan();
    const ofFiles = api.findings.fileGroups.find((group) => group.passages[0].path === 'measures/a.ts');
    assert.ok(ofFiles);
    for (const group of [ofFiles, groupsIn(api, 'measures/a.ts')[0]]) {
      const alike = `${Math.floor(group.similarity * 100 + 1e-9)} %`;
      assert.ok(((await api.tree.getTreeItem({ type: 'group', group })).label as string).includes(` · ${alike} · `));
      await vscode.commands.executeCommand('kindred.compareCopies', { type: 'group', group });
      assert.ok(activeLabel().endsWith(`(${alike} similar)`), activeLabel());
      const { input } = vscode.window.tabGroups.activeTabGroup.activeTab!;
      assert.ok(input instanceof vscode.TabInputTextDiff);
      await vscode.commands.executeCommand('kindred.explainMatch', input.modified, { groupId: 0 });
      const explained = vscode.window.activeTextEditor!.document.getText();
      assert.match(explained, new RegExp(`\\n${alike} similar: `));
      await closeEditors();
    }
    await remove('measures');
  });

  test('locations are copied one a line', async () => {
    await vscode.commands.executeCommand('kindred.copyLocations', rowOf('shop/src/billing/dates.ts'));
    assert.equal(
      await vscode.env.clipboard.readText(),
      'shop/src/billing/dates.ts:2-18\nshop/src/reports/period.ts:4-20\nshop/tools/days.ts:4-20',
    );
  });

  test('every command can be run without a row or a copy at hand', async () => {
    const commands = (await vscode.commands.getCommands(true)).filter((id) => /^kindred\.[a-z]+$/i.test(id));
    assert.ok(commands.length > 10, commands.join());
    for (const command of commands) {
      // This one would ask, and wait.
      const given = command === 'kindred.sortGroups' ? ['size'] : [];
      await vscode.commands.executeCommand(command, ...given);
    }
  });

  test('groups are sorted as it is asked for, and are pages of that order', async () => {
    const firstOf = (): string[] =>
      api.tree.getChildren().flatMap((row) => (row.type === 'group' ? [row.group.passages[0].path] : []));
    const bySize = firstOf();
    await vscode.commands.executeCommand('kindred.sortGroups', 'path');
    assert.deepEqual(firstOf(), [...bySize].sort());
    await vscode.commands.executeCommand('kindred.sortGroups', 'copies');
    const copies = api.tree.getChildren().flatMap((row) => (row.type === 'group' ? [row.group.passages.length] : []));
    assert.deepEqual(
      copies,
      [...copies].sort((left, right) => right - left),
    );
    assert.ok(copies.at(-1)! < copies[0]);
    await vscode.commands.executeCommand('kindred.sortGroups', 'size');
    assert.deepEqual(firstOf(), bySize);
  });

  function rowOf(name: string): Row {
    const [group] = groupsIn(api, name);
    assert.ok(group, `no group has ${name}`);
    return { type: 'group', group };
  }
});

function activeLabel(): string {
  return vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '';
}

function ours(uri: vscode.Uri): vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'kindred');
}

function allOurs(): number {
  return vscode.languages.getDiagnostics().reduce((count, [uri]) => count + ours(uri).length, 0);
}

async function openAndWait(name: string): Promise<vscode.Diagnostic[]> {
  await vscode.window.showTextDocument(uriOf(name));
  return diagnosticsOf(name, (diagnostics) => diagnostics.length > 0);
}

function diagnosticsOf(
  name: string,
  hold: (diagnostics: vscode.Diagnostic[]) => boolean,
): Promise<vscode.Diagnostic[]> {
  return until(`diagnostics of ${name}`, vscode.languages.onDidChangeDiagnostics, () => {
    const diagnostics = ours(uriOf(name));
    return hold(diagnostics) && diagnostics;
  });
}
