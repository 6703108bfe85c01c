/** Views of the findings: rows, diagnostics, code actions, and compares. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Group } from '../../src/core/engine/report/report.ts';
import type { Api } from '../../src/surfaces/vscode/activate.ts';
import type { GroupTree } from '../../src/surfaces/vscode/tree/groupTree.ts';
import type { Row } from '../../src/surfaces/vscode/tree/rows.ts';
import {
  addFixture,
  closeEditors,
  dismissed,
  explained,
  groupsIn,
  remove,
  scan,
  until,
  uriOf,
  withSettings,
  write,
} from './window.ts';

suite('views', () => {
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

  test('the tree has sections with a row for each group, which has a row for each copy', async () => {
    const rows = rowsIn(api.tree, undefined).filter(({ type }) => type === 'group');
    assert.equal(rows.length, api.findings.groups.length + api.findings.fileGroups.length);
    const row = rowOf('shop/src/billing/dates.ts');
    const item = await api.tree.getTreeItem(row);
    assert.equal(item.label, 'parseDay · 3 copies · 17 lines · 100% · dates.ts, period.ts, days.ts');
    assert.equal(item.description, 'shop');
    assert.match(
      item.accessibilityInformation!.label,
      /^3 exact copies, 17 lines, first in shop\/src\/billing\/dates.ts/,
    );
    const copies = await Promise.all(api.tree.getChildren(row).map((copy) => api.tree.getTreeItem(copy)));
    assert.deepEqual(
      copies.map(({ label }) => label),
      ['dates.ts:2-18 · shop/src/billing', 'period.ts:4-20 · shop/src/reports', 'days.ts:4-20 · shop/tools'],
    );
    assert.deepEqual(
      copies.map(({ resourceUri }) => resourceUri?.toString()),
      ['src/billing/dates.ts', 'src/reports/period.ts', 'tools/days.ts'].map((name) =>
        uriOf(`shop/${name}`).toString(),
      ),
    );
  });

  test('a match is explained in sentences, with folded numbers', async () => {
    await vscode.commands.executeCommand('kindred.explainMatch', rowOf('shop/src/billing/dates.ts'));
    const text = await explained();
    assert.match(text, /^# Why these match\n\n1\. `shop\/src\/billing\/dates\.ts:2-18` \(184 tokens\)\n2\. `shop\//);
    const [sentences, numbers] = text.split('<details>');
    assert.match(sentences, /\n\nThe two are identical, token by token\.\n/);
    assert.match(sentences, /\n\nBoth contain `\w+`, .*, \d+ more\.\n/);
    assert.doesNotMatch(sentences, /[\da-f]{16}|Only the/);
    assert.match(numbers, /\| Same tokens \| 100% \| of the tokens/);
    assert.match(numbers, /\| Distance \| 0 \| of 64 bits of the fingerprints differ \|/);
    assert.match(numbers, /\n\| \d+\.\d\d \| \d+\.\d\d \| `\S/);
    await closeEditors();
  });

  test('files that nearly repeat each other have a row in their section, and can be compared', async () => {
    const [group] = api.findings.fileGroups;
    const row: Row = { type: 'group', group };
    const item = await api.tree.getTreeItem(row);
    assert.match(item.label as string, /^[\w.]+, [\w.]+, [\w.]+ · 3 copies · \d+ lines · (\d+ to )?\d+%$/);
    assert.match(String(item.description), /^shop/);
    assert.deepEqual(api.tree.getParent(row), { type: 'section', name: group.category });
    await vscode.commands.executeCommand('kindred.compareCopies', row);
    const input = await until('the diff', vscode.window.tabGroups.onDidChangeTabs, () => {
      const shown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return shown instanceof vscode.TabInputTextDiff ? shown : undefined;
    });
    const left = group.passages[api.canonicals.of(group)];
    const document = await vscode.workspace.openTextDocument(input.original);
    assert.ok(document.lineCount >= left.endLine - 1, `${document.lineCount} lines`);
    // An open file with a similar one is a copy at any line that belongs to no passage.
    await vscode.window.showTextDocument(api.findings.uriOf(left));
    await vscode.commands.executeCommand('cursorTop');
    await vscode.commands.executeCommand('kindred.compareCopies');
    await until('the diff', vscode.window.tabGroups.onDidChangeTabs, () => activeLabel().includes('↔'));
  });

  test('a bulk command applies to the checked rows, unless it is chosen on another row', async () => {
    const [first, second] = ['shop/src/billing/dates.ts', 'shop/tools/load_orders.py'].map(rowOf);
    const copied = async (...actionArguments: readonly unknown[]): Promise<string> => {
      await vscode.commands.executeCommand('kindred.copyLocations', ...actionArguments);
      return vscode.env.clipboard.readText();
    };
    await vscode.commands.executeCommand('kindred.showCheckboxes');
    api.tree.check([[first, vscode.TreeItemCheckboxState.Checked]]);
    for (const actionArguments of [[], [first]]) assert.match(await copied(...actionArguments), /dates\.ts/);
    const ofMenu = await copied(second);
    assert.ok(ofMenu.includes('load_orders.py') && !ofMenu.includes('dates.ts'), ofMenu);
    await vscode.commands.executeCommand('kindred.hideCheckboxes');
  });

  test('rows keep their ids from scan to scan', async () => {
    const idsOf = async (): Promise<(string | undefined)[]> => {
      const rows = rowsIn(api.tree, undefined);
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

  test('opening a copy moves the cursor to its beginning, and selects nothing', async () => {
    await vscode.commands.executeCommand(
      'kindred.openCopy',
      api.tree.getChildren(rowOf('shop/src/billing/dates.ts'))[2],
    );
    const editor = vscode.window.activeTextEditor!;
    assert.equal(editor.document.uri.toString(), uriOf('shop/tools/days.ts').toString());
    assert.deepEqual(editor.selection, new vscode.Selection(3, 0, 3, 0));
  });

  test('stepping cycles through the copies of a group', async () => {
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

  test('stepping ends in another editor', async () => {
    await vscode.commands.executeCommand(
      'kindred.openCopy',
      api.tree.getChildren(rowOf('shop/src/billing/dates.ts'))[1],
    );
    const elsewhere = await vscode.workspace.openTextDocument({ content: 'nothing that is anywhere else\n' });
    await vscode.window.showTextDocument(elsewhere);
    await until(
      'the other editor is active',
      vscode.window.onDidChangeActiveTextEditor,
      () => vscode.window.activeTextEditor?.document === elsewhere,
    );
    // If stepping continued, it would go to the next copy.
    await vscode.commands.executeCommand('kindred.nextCopy');
    assert.equal(vscode.window.activeTextEditor?.document, elsewhere);
  });

  test('stepping ends when it is stopped', async () => {
    const copy = api.tree.getChildren(rowOf('shop/src/billing/dates.ts'))[1];
    for (const isStopped of [false, true]) {
      await vscode.commands.executeCommand('kindred.openCopy', copy);
      if (isStopped) await vscode.commands.executeCommand('kindred.stopStepping');
      await closeEditors();
      await vscode.commands.executeCommand('kindred.nextCopy');
      assert.equal(vscode.window.activeTextEditor === undefined, isStopped);
    }
  });

  test('an open file has a diagnostic for each copy, with the others as related places', async () => {
    const diagnostics = await openAndWait('shop/src/reports/statement.ts');
    assert.equal(diagnostics.length, 1);
    const [diagnostic] = diagnostics;
    assert.match(diagnostic.message, /^Near-duplicate of shop\/src\/billing\/invoice\.ts:\d+-\d+ \(9\d%\), 2 copies$/);
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

  test('diagnostics are removed when the tab is closed', async () => {
    await openAndWait('shop/src/reports/statement.ts');
    await closeEditors();
    await diagnosticsOf('shop/src/reports/statement.ts', (diagnostics) => diagnostics.length === 0);
  });

  test("have no diagnostic for nested groups, which the row's diagnostic mentions", async () => {
    await write('rows/a.ts', `export const quay = 7;\n${weighing}${loading}`);
    await write('rows/b.ts', weighing + loading);
    await write('rows/c.ts', `const other = connect('north', 12);\n${weighing}other.send(list, 'noon');\n`);
    await scan();
    try {
      const [row, ...others] = groupsIn(api, 'rows/a.ts');
      const [nested] = others;
      // The complete files are similar, so the row is below theirs.
      assert.equal(api.findings.groupOf(row.parent!)?.kind, 'file');
      assert.deepEqual([others.length, nested.parent, nested.passages.length], [1, row.id, 3]);
      await withSettings({ 'diagnostics.files': 'all' }, async () => {
        const [mark, ...more] = await diagnosticsOf('rows/a.ts', (diagnostics) => diagnostics.length > 0);
        assert.equal(more.length, 0);
        assert.equal(mark.message, 'Exact copy of rows/b.ts:1-30, 2 copies; 1 more duplicate inside it');
        const related = mark.relatedInformation!.map(({ message, location }) => [message, location.range.start.line]);
        assert.deepEqual(related, [
          ['lines 1 to 30, identical', 0],
          ['Inside it, 2-13: 3 exact copies', 1],
        ]);
        const rowsIn = (uri: vscode.Uri): number =>
          api.findings.copiesIn(uri).filter(({ group }) => api.findings.isRow(group)).length;
        for (const name of api.findings.snapshot!.copies.keys()) {
          // Nested groups are marked where their row has no copy. Files are marked one after the other.
          const expected = name === 'rows/c.ts' ? 1 : rowsIn(uriOf(name));
          await diagnosticsOf(name, (diagnostics) => diagnostics.length === expected);
        }
        const [elsewhere] = await diagnosticsOf('rows/c.ts', (diagnostics) => diagnostics.length > 0);
        assert.equal(elsewhere.message, 'Exact copy of rows/a.ts:2-13, 3 copies');
      });
      // The group at the cursor is that of its mark. Where there is no row, it is the existing group.
      for (const [name, count] of [
        ['rows/a.ts', 2],
        ['rows/c.ts', 3],
      ] as const) {
        const editor = await vscode.window.showTextDocument(uriOf(name));
        editor.selection = new vscode.Selection(5, 0, 5, 0);
        await vscode.commands.executeCommand('kindred.nextCopy');
        const group = count === 2 ? row : nested;
        const place = group.passages.findIndex(({ path }) => path === name);
        const next = group.passages[(place + 1) % count];
        const { document, selection } = vscode.window.activeTextEditor!;
        assert.deepEqual(
          [document.uri.path, selection.start.line, selection.isEmpty],
          [uriOf(next.path).path, next.startLine - 1, true],
        );
        await closeEditors();
      }
    } finally {
      await remove('rows');
      await scan();
    }
  });

  test('each category has a severity: data has hints, boilerplate has none', async () => {
    const ports = Array.from({ length: 30 }, (_, n) => `  { "id": ${n * 7}, "port": "harbour ${n}" }`).join(',\n');
    const licence = Array.from({ length: 20 }, (_, n) => `Clause ${n} of the terms binds the bearer of part ${n * 3}.`);
    for (const name of ['a', 'b']) {
      await write(`categories/${name}/ports.json`, `[\n${ports}\n]\n`);
      await write(`categories/${name}/LICENSE`, `${licence.join('\n')}\n`);
    }
    await scan();
    try {
      const severitiesOf = (name: string): (vscode.DiagnosticSeverity | undefined)[] =>
        ours(uriOf(`categories/a/${name}`)).map(({ severity }) => severity);
      const categoryOf = (name: string): string => groupsIn(api, `categories/a/${name}`)[0].category;
      assert.deepEqual([categoryOf('ports.json'), categoryOf('LICENSE')], ['data', 'boilerplate']);
      await withSettings({ 'diagnostics.files': 'all' }, async () => {
        await diagnosticsOf('categories/a/ports.json', (diagnostics) => diagnostics.length > 0);
        assert.deepEqual(severitiesOf('ports.json'), [vscode.DiagnosticSeverity.Hint]);
        assert.deepEqual(severitiesOf('LICENSE'), []);
        await withSettings({ categories: { tests: ['categories/**'] } }, async () => {
          await diagnosticsOf('categories/a/LICENSE', (diagnostics) => diagnostics.length > 0);
          assert.deepEqual([categoryOf('ports.json'), categoryOf('LICENSE')], ['tests', 'tests']);
          assert.deepEqual(severitiesOf('LICENSE'), [vscode.DiagnosticSeverity.Hint]);
        });
        await diagnosticsOf('categories/a/LICENSE', (diagnostics) => diagnostics.length === 0);
        await withSettings({ 'diagnostics.severities': { data: 'off', boilerplate: 'warning' } }, async () => {
          await diagnosticsOf('categories/a/LICENSE', (diagnostics) => diagnostics.length > 0);
          await diagnosticsOf('categories/a/ports.json', (diagnostics) => diagnostics.length === 0);
          assert.deepEqual(severitiesOf('LICENSE'), [vscode.DiagnosticSeverity.Warning]);
        });
      });
    } finally {
      await remove('categories');
      await scan();
    }
  });

  test('settings of the diagnostics take effect immediately, without a scan', async () => {
    const { generation } = api.findings.snapshot!;
    const name = 'shop/docs/install.md';
    // Otherwise, the next opened file replaces it.
    await vscode.window.showTextDocument(uriOf(name), { preview: false });
    const [hint] = await openAndWait(name);
    assert.equal(hint.severity, vscode.DiagnosticSeverity.Hint);
    await withSettings({ 'diagnostics.severities': { text: 'warning' }, 'diagnostics.range': 'full' }, async () => {
      const [warning] = await diagnosticsOf(
        name,
        ([first]) => first?.range.isSingleLine === false && first.severity === vscode.DiagnosticSeverity.Warning,
      );
      assert.equal(warning.range.end.line, 7);
    });
    await withSettings({ 'diagnostics.severities': { text: 'off' } }, async () => {
      await diagnosticsOf(name, (diagnostics) => diagnostics.length === 0);
    });
    await withSettings({ 'diagnostics.files': 'all' }, async () => {
      await diagnosticsOf('shop/tools/days.ts', (diagnostics) => diagnostics.length === 1);
    });
    const other = 'shop/src/reports/statement.ts';
    await openAndWait(other);
    await diagnosticsOf(name, (diagnostics) => diagnostics.length === 0);
    await withSettings({ 'diagnostics.files': 'open' }, async () => {
      await diagnosticsOf(name, (diagnostics) => diagnostics.length === 1);
    });
    await withSettings({ 'diagnostics.files': 'all', 'diagnostics.max': 2 }, async () => {
      await until('the limit', vscode.languages.onDidChangeDiagnostics, () => allOurs() === 2);
    });
    assert.equal(api.findings.snapshot!.generation, generation);
  });

  test('the light bulb offers to compare, to go to the copy, to ignore it, and more', async () => {
    const [diagnostic] = await openAndWait('shop/src/reports/statement.ts');
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      uriOf('shop/src/reports/statement.ts'),
      diagnostic.range,
    );
    const titles = actions.map(({ title }) => title.replace(/\d+-\d+$/, 'lines'));
    for (const title of [
      'Compare with renderInvoice · invoice.ts:lines',
      'Go to copy renderInvoice · invoice.ts:lines',
      'Ignore this duplicate…',
      'More…',
    ]) {
      assert.ok(titles.includes(title), `${title} is not among ${titles.join(', ')}`);
    }
  });

  test('comparing a group opens its first two copies in the diff editor', async () => {
    await vscode.commands.executeCommand('kindred.compareCopies', rowOf('shop/src/billing/invoice.ts'));
    const { input, label } = vscode.window.tabGroups.activeTabGroup.activeTab!;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    assert.match(
      label,
      /^renderInvoice ↔ renderStatement · invoice\.ts:\d+-\d+ ↔ statement\.ts:\d+-\d+ \(edited, 9\d% similar\)$/,
    );
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

  test('two selected copies are compared with each other, and a single one with the first of its group', async () => {
    const [first, second, third] = api.tree.getChildren(rowOf('shop/src/billing/dates.ts'));
    await vscode.commands.executeCommand('kindred.compareSelected', second, [second, third]);
    assert.match(activeLabel(), /^parseDay · period\.ts:4-20 ↔ days\.ts:4-20/);
    await vscode.commands.executeCommand('kindred.compareCopies', third);
    assert.match(activeLabel(), /^parseDay · dates\.ts:2-18 ↔ days\.ts:4-20/);
    await vscode.commands.executeCommand('kindred.compareCopies', first);
    assert.match(activeLabel(), /^parseDay · dates\.ts:2-18 ↔ period\.ts:4-20/);
  });

  test('the two copies of a compare can be explained, and stepping continues from there', async () => {
    const [, second, third] = api.tree.getChildren(rowOf('shop/src/billing/dates.ts'));
    await vscode.commands.executeCommand('kindred.compareSelected', second, [second, third]);
    await vscode.commands.executeCommand('kindred.explainMatch');
    assert.match(await explained(), /`shop\/src\/reports\/period\.ts:4-20`[^]*`shop\/tools\/days\.ts:4-20`/);
    // It is beside the compare, not in its place.
    const { all } = vscode.window.tabGroups;
    assert.ok(all.some(({ activeTab }) => activeTab?.input instanceof vscode.TabInputTextDiff));
    await closeEditors();
    await vscode.commands.executeCommand('kindred.compareSelected', second, [second, third]);
    await until(
      'the compare is active',
      vscode.window.onDidChangeActiveTextEditor,
      () => vscode.window.activeTextEditor?.document.uri.scheme === 'kindred',
    );
    await vscode.commands.executeCommand('kindred.nextCopy');
    assert.equal(activeLabel(), 'dates.ts');
  });

  test('a compare of files and its explanation have the measure of their row, even if passages have the same lines', async () => {
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
      const alike = `${Math.floor(group.similarity * 100 + 1e-9)}%`;
      const { label } = await api.tree.getTreeItem({ type: 'group', group });
      assert.ok(`${label as string} · `.includes(` · ${alike} · `), label as string);
      await vscode.commands.executeCommand('kindred.compareCopies', { type: 'group', group });
      assert.ok(activeLabel().endsWith(`(edited, ${alike} similar)`), activeLabel());
      const { input } = vscode.window.tabGroups.activeTabGroup.activeTab!;
      assert.ok(input instanceof vscode.TabInputTextDiff);
      await vscode.commands.executeCommand('kindred.explainMatch', input.modified, { groupId: 0 });
      assert.match(await explained(), new RegExp(`\\nEdited, ${alike} similar: `));
      await closeEditors();
    }
    await remove('measures');
  });

  test('locations are copied one per line', async () => {
    await vscode.commands.executeCommand('kindred.copyLocations', rowOf('shop/src/billing/dates.ts'));
    assert.equal(
      await vscode.env.clipboard.readText(),
      'shop/src/billing/dates.ts:2-18\nshop/src/reports/period.ts:4-20\nshop/tools/days.ts:4-20',
    );
  });

  test('a brief has the places, a proposal to merge them, the text once, and the differences', async () => {
    await vscode.commands.executeCommand('kindred.copyBrief', rowOf('shop/src/billing/invoice.ts'));
    const brief = await vscode.env.clipboard.readText();
    const [heading, task, places, ...texts] = brief.split('\n\n');
    assert.match(heading, /^## 2 near-duplicates, \d\d% similar$/);
    assert.match(task, /^One function cannot replace these copies as they are\./);
    assert.match(
      brief,
      /\n\nObstacles to merging them:\n\n- statements differ \(line \d+\)\n- different local variables/,
    );
    assert.match(
      places,
      /^- `shop\/src\/billing\/invoice\.ts:\d+-\d+`\n- `shop\/src\/reports\/statement\.ts:\d+-\d+`$/,
    );
    assert.equal(texts.join('\n\n').match(/```ts\n/g)?.length, 1);
    assert.match(
      brief,
      /What differs in `shop\/src\/reports\/statement\.ts:\d+-\d+`, apart from names \(`StatementLine → InvoiceLine`, .*\):\n\n```diff\n@@ [^]+\n-[^]+\n\+[^]+```\n$/,
    );
    await vscode.commands.executeCommand('kindred.copyBrief', rowOf('shop/tools/load_orders.py'));
    const renamed = await vscode.env.clipboard.readText();
    assert.match(renamed, /^Keep this code in one place, with a parameter for each difference/m);
    assert.match(
      renamed,
      /^Proposed function, which saves about 19 lines:\n\n```py\ndef load_orders_or_refunds\(path, database, .*\)\n```$/m,
    );
    assert.match(
      renamed,
      /^\| Parameter \| Copy 1 \| Copy 2 \|\n\| --- \| --- \| --- \|\n\| `id` \| `"order_id"` \| `"refund_id"` \|$/m,
    );
    assert.match(renamed, /\n\nCommon text:\n\n```py\n[^]*row\[⟨id⟩\][^]*```\n$/);
    assert.ok(!renamed.includes('```diff'));
    await vscode.commands.executeCommand('kindred.copyBrief', rowOf('shop/src/billing/dates.ts'));
    const exact = await vscode.env.clipboard.readText();
    assert.equal(exact.match(/\(the same text as the first\)/g)?.length, 2, exact);
    assert.ok(!exact.includes('```diff'));
  });

  test('a key on a row that is being refreshed ignores nothing, whatever is selected', async () => {
    await vscode.window.showTextDocument(uriOf('shop/tools/load_orders.py'), {
      selection: new vscode.Range(9, 0, 9, 0),
    });
    // It would wait for an answer.
    await vscode.commands.executeCommand('kindred.ignoreGroup', undefined, 'kindred.groups');
    await closeEditors();
  });

  test('every command can run without a row or a copy', async () => {
    const commands = (await vscode.commands.getCommands(true)).filter((id) => /^kindred\.[a-z]+$/i.test(id));
    assert.ok(commands.length > 10, commands.join());
    const asking = new Set(
      [
        'find',
        'ignoreGroup',
        'ignorePair',
        'ignoreHere',
        'moreActions',
        'recordBaseline',
        'searchAgain',
        'showLegend',
      ].map((name) => `kindred.${name}`),
    );
    for (const command of commands) {
      // These would show a prompt and wait.
      const actionArguments: readonly unknown[] =
        {
          'kindred.ignoreFile': [vscode.Uri.file('/nowhere/a.ts')],
          'kindred.ignoreFolder': [vscode.Uri.file('/nowhere/a.ts')],
          'kindred.sortGroups': ['worth'],
          'kindred.groupBy': ['duplicate'],
          'kindred.filter': [{ type: 'open' }],
        }[command] ?? [];
      const running = vscode.commands.executeCommand(command, ...actionArguments);
      if (asking.has(command)) await dismissed(running);
      await running;
    }
    await vscode.commands.executeCommand('kindred.clearFilter');
    await vscode.workspace.getConfiguration('kindred').update('view.followEditor', undefined, true);
  });

  test('rows are sorted as requested within their section', async () => {
    const groupsOf = () =>
      api.tree
        .getChildren({ type: 'section', name: 'source' })
        .flatMap((row) => (row.type === 'group' ? [row.group] : []));
    const byWorth = groupsOf();
    assert.ok(byWorth.length > 1);
    const isSorted = (key: (group: Group) => number): void => {
      const keys = groupsOf().map(key);
      assert.deepEqual(
        keys,
        [...keys].sort((left, right) => right - left),
      );
    };
    isSorted(({ worth }) => worth);
    for (const [order, key] of Object.entries({
      copies: ({ passages }: Group) => passages.length,
      size: ({ passages, lines }: Group) => passages.length * lines,
      similarity: ({ similarity }: Group) => similarity,
    })) {
      await vscode.commands.executeCommand('kindred.sortGroups', order);
      isSorted(key);
    }
    await vscode.commands.executeCommand('kindred.sortGroups', 'path');
    const paths = groupsOf().map(({ passages }) => passages[0].path);
    assert.deepEqual(paths, [...paths].sort());
    await vscode.commands.executeCommand('kindred.sortGroups', 'worth');
    assert.deepEqual(groupsOf(), byWorth);
  });

  test('a filter keeps the rows with a copy in an open file, and follows the open files', async () => {
    await closeEditors();
    await vscode.commands.executeCommand('kindred.filter', { type: 'open' });
    assert.deepEqual(rowsIn(api.tree, undefined), []);
    await vscode.window.showTextDocument(uriOf('shop/src/reports/statement.ts'));
    await until('the rows of the file', api.tree.onDidChangeTreeData, () => groupsShown().length > 0);
    assert.ok(groupsShown().every((group) => hasPath(group, 'shop/src/reports/statement.ts')));
    assert.ok(groupsShown().length < api.findings.groups.length);
    // Hidden rows are shown when the user opens their place.
    await vscode.window.showTextDocument(uriOf('shop/tools/days.ts'), { selection: new vscode.Range(5, 0, 5, 0) });
    await closeEditors();
    await until('no rows', api.tree.onDidChangeTreeData, () => groupsShown().length === 0);
    const [group] = groupsIn(api, 'shop/tools/days.ts');
    await vscode.commands.executeCommand('kindred.showInView', api.tree.getChildren({ type: 'group', group })[0]);
    assert.equal(groupsShown().length, api.findings.snapshot!.all.length);
  });

  test('a text filter searches the copies and their paths, ignoring case, and includes new copies', async () => {
    const filter = async (text: string) => vscode.commands.executeCommand('kindred.filter', { type: 'contains', text });
    await filter('PARSEDAY');
    assert.deepEqual(
      groupsShown().filter(({ kind }) => kind !== 'file'),
      [groupsIn(api, 'shop/tools/days.ts')[0]],
    );
    // The percentage counts all rows.
    assert.deepEqual(await sectionsShown(), ['1']);
    await filter('Reports/State');
    assert.ok(groupsShown().length > 0);
    assert.ok(groupsShown().every((group) => hasPath(group, 'shop/src/reports/statement.ts')));
    await filter('nowhere to be found');
    assert.deepEqual(api.tree.getChildren(), []);
    const lines = Array.from(
      { length: 12 },
      (_, n) => `  quay.moor(${n}, berths[${n * 3}], 'nowhere to be found');\n`,
    ).join('');
    for (const name of ['one', 'two'])
      await write(`filtered/${name}.ts`, `function ${name}(quay, berths) {\n${lines}}\n`);
    await scan();
    await until('the new copies', api.tree.onDidChangeTreeData, () => groupsShown().length > 0);
    await vscode.commands.executeCommand('kindred.clearFilter');
    assert.equal(groupsShown().length, api.findings.snapshot!.all.length);
    assert.match((await sectionsShown()).join(), / · \S+% of source/);
    await remove('filtered');
    await scan();
  });

  test('a filter by Git changes reports a missing repository, and changes nothing', async () => {
    assert.equal(await vscode.commands.executeCommand('kindred.filter', { type: 'changed' }), undefined);
    assert.equal(groupsShown().length, api.findings.snapshot!.all.length);
  });

  /** Returns the descriptions of the sections except that of folders. */
  async function sectionsShown(): Promise<string[]> {
    const sections = api.tree.getChildren().filter((row) => row.type === 'section' && row.name !== 'folders');
    const items = await Promise.all(sections.map((row) => api.tree.getTreeItem(row)));
    return items.map(({ description }) => String(description));
  }

  function groupsShown(): Group[] {
    return rowsIn(api.tree, undefined).flatMap((row) => (row.type === 'group' ? [row.group] : []));
  }

  function rowOf(name: string): Row {
    const [group] = groupsIn(api, name);
    assert.ok(group, `no group has ${name}`);
    return { type: 'group', group };
  }
});

const weighing = `export function weighCrates(crates: readonly Crate[], scale: Scale): number {
  let total = 0;
  for (const crate of crates) {
    const gross = scale.read(crate.position, { settle: 40 });
    if (gross === undefined) continue;
    const net = gross - crate.tare;
    total += crate.fragile ? Math.ceil(net * 1.02) : net;
    if (total > scale.limit) throw new RangeError('too heavy by ' + (total - scale.limit));
  }
  scale.log('crates', crates.length, total);
  return Math.round(total * 10) / 10;
}
`;
const loading = `
export async function loadWagons(train: Train, depot: Depot): Promise<Manifest> {
  const manifest: Manifest = { train: train.name, entries: [] };
  const open = depot.doors.filter((door) => !door.blocked && door.gauge === train.gauge);
  while (train.hasRoom() && open.length > 0) {
    const door = open.shift()!;
    const wagon = await train.couple(door, depot.signalBox);
    const pallets = depot.nextPallets(door.number, wagon.capacity - wagon.reserved);
    for (const [slot, pallet] of pallets.entries()) {
      wagon.place(slot, pallet.rotated ? pallet.turned() : pallet);
      manifest.entries.push({ wagon: wagon.id, slot, label: pallet.label.toUpperCase() });
    }
    if (wagon.isFull) await wagon.seal(depot.inspector, new Date(depot.clock()));
    else open.push(door);
  }
  manifest.entries.sort((left, right) => left.label.localeCompare(right.label));
  return manifest;
}
`;

/** Returns all rows in a row, at any depth. */
function rowsIn(tree: GroupTree, row: Row | undefined): Row[] {
  return tree.getChildren(row).flatMap((child) => [child, ...rowsIn(tree, child)]);
}

function hasPath({ passages }: Group, path: string): boolean {
  return passages.some((passage) => passage.path === path);
}

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
