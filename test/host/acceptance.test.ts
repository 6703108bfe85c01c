/** Known defects of duplicate finders, checked in the editor. Those of the command line are in test/cli. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import type { Group } from '../../src/core/engine/report/report.ts';
import { toolName } from '../../src/surfaces/vscode/agentTools.ts';
import type { Api } from '../../src/surfaces/vscode/activate.ts';
import type { Row } from '../../src/surfaces/vscode/tree/rows.ts';
import { root } from '../../scripts/project.mjs';
import { addFixture, closeEditors, folder, groupsIn, pathsOf, remove, scan, until, uriOf, write } from './window.ts';

const dates = 'shop/src/billing/dates.ts';

suite('known defects of duplicate finders, in the editor', () => {
  let api: Api;

  setup(async () => {
    await addFixture('shop');
    api = await scan();
  });

  teardown(async () => {
    await vscode.workspace.saveAll();
    await closeEditors();
    await remove('shop');
    await scan();
  });

  test('a group has at least two copies in every view, whatever is deleted', async () => {
    const copies = ['shop/src/reports/period.ts', 'shop/tools/days.ts'];
    for (const [i, name] of copies.entries()) {
      await write(name, '// Nothing is left.\n');
      await until(`${name} is gone`, api.findings.onDidChange, () => groupsIn(api, name).length === 0);
      assert.deepEqual(
        groupsIn(api, dates).map(({ passages }) => passages.length),
        i === 0 ? [2] : [],
      );
      assertWhole(api);
    }
    await vscode.window.showTextDocument(uriOf(dates));
    assert.deepEqual(ours(uriOf(dates)), []);
  });

  test('tree, marks, status bar, agents, and the command line have the same groups in the same order', async () => {
    const commandLine = async (...commandArguments: readonly string[]): Promise<string> => {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [path.join(root, 'dist/cli.js'), 'scan', folder(), '--no-progress', ...commandArguments],
        { maxBuffer: 2 ** 26, env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '', NO_COLOR: '1' } },
      );
      return stdout;
    };
    const shown = api.findings.snapshot!.findings.groups.map(({ id }) => id);
    const below = rowsBelow(api, undefined).flatMap((row) => (row.type === 'group' ? [row.group.id] : []));
    assert.deepEqual(new Set(below), new Set([...shown, ...api.findings.fileGroups.map(({ id }) => id)]));
    const { groups } = JSON.parse(await commandLine('--format', 'json')) as { readonly groups: readonly Group[] };
    assert.deepEqual(
      groups.filter(({ kind }) => kind !== 'file').map(({ id }) => id),
      shown,
    );
    // Rows of the sections, from the top.
    const rows = ['source', 'text', 'tests', 'data', 'boilerplate'].flatMap((name) =>
      api.tree
        .getChildren({ type: 'section', name } as Row)
        .flatMap((row) => (row.type === 'group' ? [row.group] : [])),
    );
    assert.ok(rows.length > 2);
    const ids = rows.map(({ id }) => id);
    const written = [...(await commandLine('--all', '--top', '1000')).matchAll(/ · ([0-9a-f]{16})$/gm)].map(
      ([, id]) => id,
    );
    assert.deepEqual(written, ids);
    const { content } = await vscode.lm.invokeTool(toolName('list_duplicates'), {
      input: { limit: 100 },
      toolInvocationToken: undefined,
    });
    const [part] = content;
    assert.ok(part instanceof vscode.LanguageModelTextPart);
    const { duplicates } = JSON.parse(part.value) as { readonly duplicates: readonly { readonly id: string }[] };
    // Groups in rows of folders are included.
    const inFolders = rowsBelow(api, { type: 'section', name: 'folders' }).flatMap((row) =>
      row.type === 'group' && row.group.parent === undefined ? [row.group.id] : [],
    );
    assert.deepEqual(new Set(duplicates.map(({ id }) => id)), new Set([...ids, ...inFolders]));
    // There is one mark for each row with a copy in the file.
    await vscode.window.showTextDocument(uriOf(dates));
    const here = rows.filter(({ passages }) => passages.some((it) => it.path === dates));
    await until('the marks', vscode.languages.onDidChangeDiagnostics, () => ours(uriOf(dates)).length > 0);
    assert.equal(ours(uriOf(dates)).length, here.length);
  });

  test('a compare opens from the tree, the light bulb, and the hover', async () => {
    const uri = uriOf(dates);
    await vscode.window.showTextDocument(uri);
    const [group] = groupsIn(api, dates);
    const commands: vscode.Command[] = [
      { title: 'tree', command: 'kindred.compareCopies', arguments: [{ type: 'group', group } satisfies Row] },
    ];
    const line = group.passages.find((passage) => passage.path === dates)!.startLine - 1;
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      uri,
      new vscode.Range(line, 0, line, 0),
    );
    commands.push(
      ...actions.flatMap(({ command }) => (command?.command === 'kindred.compareSelected' ? [command] : [])),
    );
    const [hover] = await hoversAt(uri, line);
    assert.ok(hover, `no hover on line ${line + 1}`);
    // The diagnostic, which VS Code shows above it, has the rest.
    assert.match(hover, /^\*\*parseDay\*\* · \[Compare\]\(\S+\) · \[Go to Copy\]\(\S+\) · \[Ignore…\]\(\S+\)$/);
    const query = /command:kindred\.compareSelected\?([^)\s"]+)/.exec(hover)?.[1];
    assert.ok(query, hover);
    const linkArguments = JSON.parse(decodeURIComponent(query)) as unknown[];
    commands.push({ title: 'hover', command: 'kindred.compareSelected', arguments: linkArguments });
    assert.ok(commands.length >= 3);
    for (const { title, command, arguments: args = [] } of commands) {
      await closeEditors();
      await vscode.commands.executeCommand(command, ...(args as unknown[]));
      const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
      assert.ok(tab?.input instanceof vscode.TabInputTextDiff, `${title}: ${tab?.label}`);
      const text = await vscode.workspace.openTextDocument(tab.input.modified);
      assert.match(text.getText(), /parseDay/, title);
    }
  });

  // Last, because VS Code keeps the text of an edited file for a while.
  test('hover and diagnostic refer to the same lines while the file has unsaved changes', async () => {
    const uri = uriOf(dates);
    const editor = await vscode.window.showTextDocument(uri);
    const [mark] = await until('a mark', vscode.languages.onDidChangeDiagnostics, () => {
      const marks = ours(uri);
      return marks.length > 0 && marks;
    });
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '// One.\n// Two.\n// Three.\n'));
    assert.ok(editor.document.isDirty);
    const line = mark.range.start.line + 3;
    await until('the mark has moved', vscode.languages.onDidChangeDiagnostics, () =>
      ours(uri).some(({ range }) => range.start.line === line),
    );
    assert.equal((await hoversAt(uri, line)).length, 1);
    assert.equal((await hoversAt(uri, line - 3)).length, 0);
  });
});

/** Checks that each group of the model, the tree, and the diagnostics has at least two copies. */
function assertWhole(api: Api): void {
  const ofRows = rowsBelow(api, undefined).flatMap((row) => (row.type === 'group' ? [row.group] : []));
  for (const group of [...api.findings.groups, ...ofRows]) assert.ok(group.passages.length >= 2, pathsOf(group).join());
  for (const [, diagnostics] of vscode.languages.getDiagnostics()) {
    for (const { source, relatedInformation = [] } of diagnostics) {
      if (source === 'kindred') assert.ok(relatedInformation.length > 0);
    }
  }
}

/** Returns all rows of the tree except copies, from the top. */
function rowsBelow({ tree }: Api, row: Row | undefined): Row[] {
  return tree
    .getChildren(row)
    .flatMap((child) => (child.type === 'copy' ? [] : [child, ...rowsBelow({ tree } as Api, child)]));
}

function ours(uri: vscode.Uri): vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'kindred');
}

/** Returns Kindred's hovers at a line. */
async function hoversAt(uri: vscode.Uri, line: number): Promise<string[]> {
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
    'vscode.executeHoverProvider',
    uri,
    new vscode.Position(line, 3),
  );
  const texts = hovers.flatMap(({ contents }) => contents as vscode.MarkdownString[]).map(({ value }) => value);
  return texts.filter((text) => text.includes('command:kindred.'));
}
