/** Folders of a virtual file system, which are listed, read, and followed through VS Code. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Api } from '../../src/surfaces/vscode/activate.ts';
import { readLimitOf } from '../../src/surfaces/vscode/findings/readLimit.ts';
import { drawing, parsing } from '../passages.ts';
import { MemoryFileSystem } from './memoryFileSystem.ts';
import { closeEditors, groupsIn, pathsOf, remove, scan, until, withSettings, write } from './window.ts';

suite('a folder of a virtual file system', () => {
  let api: Api;
  let system: MemoryFileSystem;
  let registration: vscode.Disposable;
  let first: string;

  const uriOf = (name: string): vscode.Uri => vscode.Uri.parse(`kindred-memory://host/shelf/${name}`);

  suiteSetup(async () => {
    // A visible view reads the files of its rows.
    await vscode.commands.executeCommand('workbench.view.explorer');
    system = new MemoryFileSystem();
    registration = vscode.workspace.registerFileSystemProvider('kindred-memory', system, { isCaseSensitive: true });
    // Equal times would make files look unchanged.
    const longAgo = 1_700_000_000_000;
    system.put('/shelf/a.ts', parsing, longAgo + 1);
    system.put('/shelf/sub/b.ts', `// another\n${parsing}`, longAgo);
    system.put('/shelf/sub/shut.ts', parsing, longAgo);
    system.shut.add('/shelf/sub/shut.ts');
    system.put('/shelf/.gitignore', 'hidden\n', longAgo);
    system.put('/shelf/hidden/c.ts', parsing, longAgo);
    system.put('/shelf/node_modules/d/index.ts', parsing, longAgo);
    api = await scan();
    first = vscode.workspace.workspaceFolders![0].name;
    const name = 'shelf';
    assert.ok(
      vscode.workspace.updateWorkspaceFolders(1, 0, { uri: vscode.Uri.parse('kindred-memory://host/shelf'), name }),
    );
    await found(['shelf/a.ts', 'shelf/sub/b.ts']);
  });

  suiteTeardown(async () => {
    await closeEditors();
    await remove('virtual');
    vscode.workspace.updateWorkspaceFolders(1, 1);
    await until('the folder to go', api.findings.onDidChange, () => groupsIn(api, 'shelf/a.ts').length === 0);
    registration.dispose();
  });

  test('applies the rules of the folder, and reports unreadable files with a reason', () => {
    const { skipped } = api.findings.snapshot!.findings;
    const reasons = new Map(skipped.map(({ path, reason }) => [path, reason]));
    assert.equal(reasons.get('shelf/sub/shut.ts'), 'unreadable (permission denied)');
    assert.equal(reasons.get('shelf/node_modules/'), 'dependencies');
    assert.equal(system.read.includes('/shelf/hidden/c.ts'), false);
  });

  test('has its URIs in rows, compares, and open files', async () => {
    const [group] = groupsIn(api, 'shelf/a.ts');
    assert.equal(api.findings.uriOf(group.passages[1]).toString(), uriOf('sub/b.ts').toString());
    await vscode.commands.executeCommand('kindred.openCopy', {
      type: 'copy',
      group,
      place: 1,
      passage: group.passages[1],
    });
    const editor = vscode.window.activeTextEditor!;
    assert.equal(editor.document.uri.toString(), uriOf('sub/b.ts').toString());
    assert.equal(editor.selection.start.line, 1);
    await vscode.commands.executeCommand('kindred.compareCopies', { type: 'group', group });
    const tab = await until('the compare', vscode.window.tabGroups.onDidChangeTabs, () => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return input instanceof vscode.TabInputTextDiff && input;
    });
    const [left, right] = await Promise.all(
      [tab.original, tab.modified].map((uri) => vscode.workspace.openTextDocument(uri)),
    );
    assert.equal(left.getText().trim(), parsing.trim());
    assert.equal(right.getText().trim(), parsing.trim());
  });

  test('a compare opens for paths of Windows and macOS, from the tree, the light bulb, and the hover', async () => {
    // A drive, decomposed letters, and characters with a meaning in addresses.
    const root = vscode.Uri.from({ scheme: 'kindred-memory', authority: 'host', path: '/c:/Work/100% [x] #1' });
    const names = ['Gro\u0308\u00dfe & Co.ts', 'a b+c;d.ts'];
    for (const name of names) system.put(`${root.path}/${name}`, drawing, 1_700_000_000_003);
    assert.ok(vscode.workspace.updateWorkspaceFolders(2, 0, { uri: root, name: 'drive' }));
    try {
      const paths = names.map((name) => `drive/${name}`);
      const group = await until('the copies', api.findings.onDidChange, () => groupsIn(api, paths[1])[0]);
      assert.deepEqual(pathsOf(group), [...paths].sort());
      const uri = api.findings.uriOf(group.passages[0]);
      assert.equal(uri.path, `${root.path}/${group.passages[0].path.slice('drive/'.length)}`);
      await vscode.window.showTextDocument(uri, { preview: false });
      const at = new vscode.Position(0, 3);
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        uri,
        new vscode.Range(at, at),
      );
      const hovers = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', uri, at);
      const hover = hovers.flatMap(({ contents }) => contents as vscode.MarkdownString[]).map(({ value }) => value);
      const link = /command:kindred\.compareSelected\?([^)\s"]+)/.exec(hover.join('\n'));
      assert.ok(link, hover.join('\n'));
      const commands: readonly Pick<vscode.Command, 'command' | 'arguments'>[] = [
        { command: 'kindred.compareCopies', arguments: [{ type: 'group', group }] },
        ...actions.flatMap(({ command }) => (command?.command === 'kindred.compareSelected' ? [command] : [])),
        { command: 'kindred.compareSelected', arguments: JSON.parse(decodeURIComponent(link[1])) as unknown[] },
      ];
      assert.ok(commands.length >= 3);
      for (const { command, arguments: actionArguments = [] } of commands) {
        await closeEditors();
        await vscode.commands.executeCommand(command, ...(actionArguments as unknown[]));
        const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
        assert.ok(input instanceof vscode.TabInputTextDiff, command);
        for (const side of [input.original, input.modified]) {
          const document = await vscode.workspace.openTextDocument(side);
          assert.equal(document.getText().trim(), drawing.trim(), command);
        }
      }
    } finally {
      await closeEditors();
      vscode.workspace.updateWorkspaceFolders(2, 1);
      await until('the folder to go', api.findings.onDidChange, () => groupsIn(api, `drive/${names[1]}`).length === 0);
    }
  });

  test('an open file has its mark and the light bulb', async () => {
    const uri = uriOf('a.ts');
    await vscode.window.showTextDocument(uri, { preview: false });
    const marks = (): vscode.Diagnostic[] =>
      vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'kindred');
    const [mark] = await until(
      'the mark',
      vscode.languages.onDidChangeDiagnostics,
      () => marks().length > 0 && marks(),
    );
    assert.match(mark.message, /sub\/b\.ts/);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      uri,
      mark.range,
    );
    assert.ok(actions.some(({ command }) => command?.command === 'kindred.compareSelected'));
  });

  test('an edited copy keeps its hint if text was typed while the file was saved', async () => {
    const editor = await vscode.window.showTextDocument(uriOf('a.ts'), { preview: false });
    const { document } = editor;
    const type = (text: string) => editor.edit((edit) => edit.insert(document.lineAt(1).range.end, text));
    let write = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      system.beforeWrite = () => {
        resolve();
        return new Promise((go) => (write = go));
      };
    });
    try {
      await type(' //');
      const saved = document.save();
      await begun;
      await type(' checked');
      write();
      await saved;
      await until('the hint', api.edited.onDidChange, () => api.edited.all().some(({ isStale }) => !isStale));
      system.beforeWrite = () => Promise.resolve();
      // The findings change, so the copies are compared again.
      await document.save();
      await scan();
      const last = (): string | undefined => api.edited.all()[0]?.outdated[0]?.transported.replacements[0]?.text;
      // There is no event, because the hint stays the same.
      while (!last()?.includes('checked')) await new Promise((resolve) => setTimeout(resolve, 50));
    } finally {
      system.beforeWrite = () => Promise.resolve();
      await closeEditors();
      await vscode.workspace.fs.writeFile(uriOf('a.ts'), new TextEncoder().encode(parsing));
    }
    await until('no hint', api.edited.onDidChange, () => api.edited.all().length === 0);
    await found(['shelf/a.ts', 'shelf/sub/b.ts']);
  });

  test('reads only changed files again', async () => {
    // The light bulb of an editor reads a copy for its name.
    await closeEditors();
    system.read.length = 0;
    // The view, if it is visible, reads the first copy of a row for its label.
    const filesRead = (): string[] => [
      ...new Set(system.read.filter((path) => path.endsWith('.ts') && path !== '/shelf/a.ts')),
    ];
    await scan();
    assert.deepEqual(filesRead(), []);
    await vscode.workspace.fs.writeFile(uriOf('c.ts'), new TextEncoder().encode(parsing));
    try {
      await found(['shelf/a.ts', 'shelf/c.ts', 'shelf/sub/b.ts']);
      assert.deepEqual(filesRead(), ['/shelf/c.ts']);
    } finally {
      await vscode.workspace.fs.delete(uriOf('c.ts'));
    }
    await found(['shelf/a.ts', 'shelf/sub/b.ts']);
  });

  test('is read up to a limit, which the view names and raises', async () => {
    const commands = (): string[] =>
      api.tree.getChildren().flatMap((row) => (row.type === 'remedy' ? [row.command.command] : []));
    await withSettings({ maxVirtualFiles: 1 }, async () => {
      await until('the group to go', api.findings.onDidChange, () => groupsIn(api, 'shelf/a.ts').length === 0);
      assert.equal(readLimitOf(api.findings.snapshot)?.sentence, '3 files not read (limit 1)');
      assert.deepEqual(commands(), ['kindred.readAllFiles']);
      await vscode.commands.executeCommand('kindred.readAllFiles');
      await found(['shelf/a.ts', 'shelf/sub/b.ts']);
      assert.equal(vscode.workspace.getConfiguration('kindred').get('maxVirtualFiles'), 4);
      assert.deepEqual(commands(), []);
    });
  });

  test('is compared with folders on disk', async () => {
    await write('virtual/e.ts', parsing);
    await found([`${first}/virtual/e.ts`, 'shelf/a.ts', 'shelf/sub/b.ts'].sort());
    await remove('virtual');
    await found(['shelf/a.ts', 'shelf/sub/b.ts']);
  });

  test('includes text in an editor, except files that the settings exclude', async () => {
    const document = await vscode.workspace.openTextDocument(uriOf('sub/b.ts'));
    await vscode.window.showTextDocument(document, { preview: false });
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), '// lines\n// above\n');
    await vscode.workspace.applyEdit(edit);
    await until('the lines to move', api.findings.onDidChange, () => {
      const [group] = groupsIn(api, 'shelf/a.ts');
      return group?.passages.at(-1)?.startLine === 4;
    });
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await withSettings({ exclude: ['sub'] }, async () => {
      await until('the group to go', api.findings.onDidChange, () => groupsIn(api, 'shelf/a.ts').length === 0);
    });
    await found(['shelf/a.ts', 'shelf/sub/b.ts']);
  });

  test('follows an edit and a deletion', async () => {
    await vscode.workspace.fs.writeFile(uriOf('a.ts'), new TextEncoder().encode('export const alone = 1;\n'));
    await until('the group to go', api.findings.onDidChange, () => groupsIn(api, 'shelf/sub/b.ts').length === 0);
    await vscode.workspace.fs.writeFile(uriOf('a.ts'), new TextEncoder().encode(parsing));
    await found(['shelf/a.ts', 'shelf/sub/b.ts']);
    await vscode.workspace.fs.rename(uriOf('a.ts'), uriOf('moved.ts'));
    await found(['shelf/moved.ts', 'shelf/sub/b.ts']);
    await vscode.workspace.fs.delete(uriOf('sub'), { recursive: true });
    await until('the group to go', api.findings.onDidChange, () => groupsIn(api, 'shelf/moved.ts').length === 0);
    await vscode.workspace.fs.rename(uriOf('moved.ts'), uriOf('a.ts'));
    await vscode.workspace.fs.writeFile(uriOf('sub/b.ts'), new TextEncoder().encode(`// another\n${parsing}`));
    await found(['shelf/a.ts', 'shelf/sub/b.ts']);
  });

  /** Waits until the copies are found in exactly these files. */
  async function found(paths: readonly string[]): Promise<void> {
    await until(`copies in ${paths.join(', ')}`, api.findings.onDidChange, () => {
      const groups = groupsIn(api, paths.at(-1)!);
      return groups.length === 1 && pathsOf(groups[0]).join() === paths.join();
    });
  }
});
