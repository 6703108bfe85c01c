/** Ignored groups disappear from all views immediately, and return when that is undone. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { printBaseline } from '../../src/review/gate/baseline.ts';
import { contentsOf } from '../../src/review/gate/contents.ts';
import type { Api } from '../../src/surfaces/vscode/activate.ts';
import { insertComments } from '../../src/surfaces/vscode/ignored/comments.ts';
import { exclude, globOf } from '../../src/surfaces/vscode/ignored/excludes.ts';
import type { IgnoredRow } from '../../src/surfaces/vscode/ignored/ignoredTree.ts';
import { baselineName } from '../../src/session/client/configurationFiles.ts';
import { compileGlobs } from '../../src/scan/io/globs.ts';
import { drawing, parsing } from '../passages.ts';
import {
  accepted,
  closeEditors,
  folder,
  groupsIn,
  pathsOf,
  remove,
  scan,
  until,
  uriOf,
  withSettings,
  write,
} from './window.ts';

const lines = Array.from({ length: 40 }, (_, at) => `let line${at} = ${at * 7} + other${at}(${at});\n`).join('');
const files = {
  'ignored/a.ts': `let a;\n${parsing}`,
  'ignored/b.ts': lines + parsing,
  'ignored/c.ts': `let c;\n${drawing}`,
  'ignored/d.ts': lines.replaceAll('line', 'row') + drawing,
};

suite('ignored groups', () => {
  let api: Api;
  setup(async () => {
    for (const [name, text] of Object.entries(files)) await write(name, text);
    api = await scan();
    assert.ok(groupsIn(api, 'ignored/a.ts').length > 0);
  });
  teardown(async () => {
    await api.own.remove(api.own.entries);
    await closeEditors();
    await Promise.all(['ignored', baselineName, '.kindredrc.jsonc'].map(remove));
    await vscode.workspace
      .getConfiguration('kindred')
      .update('exclude', undefined, vscode.ConfigurationTarget.Workspace);
    await scan();
  });

  const isShown = (name: string): boolean =>
    api.findings.snapshot!.all.some(({ passages }) => passages.some((it) => it.path === name));
  const untilIgnored = (name: string) => until(`${name} is ignored`, api.findings.onDidChange, () => !isShown(name));
  const back = (name: string) => until(`${name} is back`, api.findings.onDidChange, () => isShown(name));
  const sources = (): IgnoredRow[] => api.ignored.getChildren().filter(({ type }) => type === 'source');
  const groupsOf = (name: string) =>
    api.findings.snapshot!.found.all.filter(({ passages }) => passages.some((it) => it.path === name));

  test('by the user are removed from tree, model, and diagnostics, and counted', async () => {
    await vscode.window.showTextDocument(uriOf('ignored/a.ts'));
    const marks = () =>
      vscode.languages.getDiagnostics(uriOf('ignored/a.ts')).filter(({ source }) => source === 'kindred');
    await until('a mark', vscode.languages.onDidChangeDiagnostics, () => marks().length > 0);
    const before = api.findings.snapshot!.findings.totals;
    await api.own.add(
      groupsOf('ignored/a.ts').map((group) => ({ contents: contentsOf(group), reason: 'mine', on: '2026-01-31' })),
    );
    await untilIgnored('ignored/a.ts');
    assert.equal(marks().length, 0);
    assert.equal(groupsIn(api, 'ignored/a.ts').length, 0);
    assert.ok(groupsIn(api, 'ignored/c.ts').length > 0);
    assert.deepEqual(api.findings.copiesIn(uriOf('ignored/b.ts')), []);
    const { totals } = api.findings.snapshot!.findings;
    assert.ok(totals.duplicatedLines < before.duplicatedLines);
    assert.equal(api.findings.snapshot!.ignored.length, 1);
    const item = await api.ignored.getTreeItem(sources()[0]);
    assert.match(String(item.description), /^mine · for me · 2026-01-31$/);
    await vscode.commands.executeCommand('kindred.unignore', sources()[0], sources());
    await back('ignored/a.ts');
    assert.equal(api.own.entries.length, 0);
    assert.deepEqual(api.findings.snapshot!.findings.totals, before);
  });

  test('are not redrawn for a report with the same rows', async () => {
    let refreshes = 0;
    const counting = vscode.Disposable.from(
      api.tree.onDidChangeTreeData(() => refreshes++),
      api.ignored.onDidChangeTreeData(() => refreshes++),
    );
    try {
      const { files: before } = api.findings.snapshot!.findings.totals;
      const isRead = (): boolean => api.findings.snapshot!.findings.totals.files > before;
      const read = until('the file is read', api.findings.onDidChange, isRead);
      // It changes the share of no section.
      await write('ignored/alone.json', '{ "alone": 1 }\n');
      await read;
      assert.equal(refreshes, 0);
      await write('ignored/e.ts', `let e;\n${drawing}`);
      await until('the copy is found', api.tree.onDidChangeTreeData, () => groupsIn(api, 'ignored/e.ts').length > 0);
      assert.ok(refreshes > 0);
    } finally {
      counting.dispose();
    }
  });

  test('stay ignored through edits elsewhere, and return with another copy', async () => {
    await api.own.add(groupsOf('ignored/a.ts').map((group) => ({ contents: contentsOf(group), reason: undefined })));
    await untilIgnored('ignored/a.ts');
    await write('ignored/e.ts', 'let nothing = 1;\n');
    await write('ignored/c.ts', `let c;\n\n\n${drawing}`);
    await until('the edit', api.findings.onDidChange, () =>
      groupsIn(api, 'ignored/c.ts').some(({ passages }) => passages[0].startLine === 4),
    );
    assert.equal(groupsIn(api, 'ignored/a.ts').length, 0);
    await write('ignored/e.ts', `let e;\n\n${parsing}`);
    await back('ignored/a.ts');
    const stale = api.ignored.getChildren().find(({ type }) => type === 'stale');
    assert.ok(stale?.type === 'stale' && stale.sources.length > 0);
  });

  test('by the project file: a removed entry is removed from the file, the others stay', async () => {
    const entry = (name: string) =>
      groupsOf(name).map((group) => ({
        contents: contentsOf(group),
        reason: `why ${name}`,
        by: 'Ann',
        on: '2026-01-31',
      }));
    await write(baselineName, printBaseline([...entry('ignored/a.ts'), ...entry('ignored/c.ts')]));
    await untilIgnored('ignored/a.ts');
    await untilIgnored('ignored/c.ts');
    const rows = sources().filter(
      (row) => row.type === 'source' && row.source.by === 'baseline' && row.source.entry.reason === 'why ignored/a.ts',
    );
    assert.match(
      String((await api.ignored.getTreeItem(rows[0])).description),
      /^why ignored\/a\.ts · Ann · 2026-01-31$/,
    );
    // It takes effect immediately, although in this mode changed files only count with the next scan.
    await withSettings({ run: 'manual' }, async () => {
      await vscode.commands.executeCommand('kindred.unignore', rows[0], rows);
      await back('ignored/a.ts');
    });
    assert.equal(isShown('ignored/c.ts'), false);
    const text = await readFile(path.join(folder(), baselineName), 'utf8');
    assert.doesNotMatch(text, /ignored\/a\.ts/);
    assert.match(text, /ignored\/c\.ts/);
    const others = sources();
    await vscode.commands.executeCommand('kindred.unignore', others[0], others);
    await back('ignored/c.ts');
    await assert.rejects(readFile(path.join(folder(), baselineName)), /ENOENT/, 'no empty file is left');
  });

  test('by comments, which are removed on undo', async () => {
    await write('ignored/a.ts', `let a;\n// kindred-ignore-start: as there\n${parsing}// kindred-ignore-end\n`);
    await untilIgnored('ignored/a.ts');
    const [row] = sources();
    assert.equal((await api.ignored.getTreeItem(row)).label, 'a.ts:2');
    await vscode.commands.executeCommand('kindred.unignore', row, [row]);
    const document = await vscode.workspace.openTextDocument(uriOf('ignored/a.ts'));
    assert.equal(document.getText(), files['ignored/a.ts']);
    await back('ignored/a.ts');
  });

  test('by the command for one copy, which keeps the other copies', async () => {
    await write('ignored/e.ts', `let e;\n${parsing}`);
    const paths = (): string => groupsIn(api, 'ignored/b.ts').map(pathsOf).join(';');
    await until('the third copy', api.findings.onDidChange, () => paths().includes('ignored/e.ts'));
    const editor = await vscode.window.showTextDocument(uriOf('ignored/a.ts'));
    editor.selection = new vscode.Selection(3, 0, 3, 0);
    await accepted(vscode.commands.executeCommand('kindred.ignoreHere'));
    await until('one copy fewer', api.findings.onDidChange, () => paths() === 'ignored/b.ts,ignored/e.ts');
    const commented = `let a;\n// kindred-ignore-start\n${parsing}// kindred-ignore-end\n`;
    assert.equal(editor.document.getText(), commented);
    assert.deepEqual(
      sources().map(({ type }) => type),
      ['source'],
    );
  });

  test('by the command for a pair, which keeps its third copy', async () => {
    await write('ignored/e.ts', `let e;\n${parsing}`);
    const hasThird = (): boolean => groupsOf('ignored/b.ts').some(({ passages }) => passages.length === 3);
    await until('the third copy', api.findings.onDidChange, hasThird);
    const editor = await vscode.window.showTextDocument(uriOf('ignored/a.ts'));
    editor.selection = new vscode.Selection(3, 0, 3, 0);
    const { window } = vscode;
    const { showQuickPick } = window;
    const forMe = async (items: readonly vscode.QuickPickItem[]): Promise<vscode.QuickPickItem | undefined> =>
      Promise.resolve(items.find(({ label }) => label === 'For Me'));
    window.showQuickPick = forMe as never;
    try {
      await accepted(vscode.commands.executeCommand('kindred.ignorePair'));
    } finally {
      window.showQuickPick = showQuickPick;
    }
    const [entry, ...others] = api.own.entries;
    assert.deepEqual(others, []);
    assert.equal(entry.isPair, true);
    assert.ok(isShown('ignored/a.ts'), 'its other copies still match');
    // Without the third copy, nothing but the pair is left.
    await remove('ignored/e.ts');
    await untilIgnored('ignored/a.ts');
  });

  test('by a comment beside other text, which remains effective', async () => {
    const text = `let a; // kindred-ignore-start: as there\n${parsing}// kindred-ignore-end\n`;
    await write('ignored/a.ts', text);
    await untilIgnored('ignored/a.ts');
    const [row] = sources();
    await vscode.commands.executeCommand('kindred.unignore', row, [row]);
    const { document, selection } = vscode.window.activeTextEditor!;
    // VS Code may still show the text of the file before.
    await until('the text of the file', vscode.workspace.onDidChangeTextDocument, () => document.getText() === text);
    assert.equal(selection.active.line, 0);
    assert.ok(!document.isDirty);
  });

  test('not by comments in a read-only editor', async () => {
    const readonly = vscode.workspace.getConfiguration('files');
    await write('ignored/locked.ts', parsing);
    await readonly.update('readonlyInclude', { '**/locked.ts': true }, vscode.ConfigurationTarget.Workspace);
    try {
      const lines = new vscode.Range(1, 0, 10, 0);
      assert.equal(await insertComments(uriOf('ignored/locked.ts'), lines, 'no'), 'readOnly');
      assert.equal(vscode.window.activeTextEditor!.document.getText(), parsing);
    } finally {
      await readonly.update('readonlyInclude', undefined, vscode.ConfigurationTarget.Workspace);
    }
    await write('ignored/notes.unknown', 'one\ntwo\nthree\n');
    assert.equal(await insertComments(uriOf('ignored/notes.unknown'), new vscode.Range(0, 0, 1, 0), ''), 'language');
    const { document } = vscode.window.activeTextEditor!;
    assert.equal(document.getText(), 'one\ntwo\nthree\n');
    assert.ok(!document.isDirty);
  });

  test('remain known after a baseline is recorded, which excludes later ones', async () => {
    const unknown = (): string[] => api.findings.groups.filter((group) => api.filter.accepts(group)).flatMap(pathsOf);
    await vscode.commands.executeCommand('kindred.filter', { type: 'unknown' });
    assert.ok(unknown().includes('ignored/a.ts'), 'without a baseline, nothing is known');
    // Choose the only option.
    await accepted(vscode.commands.executeCommand('kindred.recordBaseline'));
    await until('all to be known', api.findings.onDidChange, () => unknown().length === 0);
    assert.ok(isShown('ignored/a.ts'), 'it is known, and not ignored');
    const recorded = await readFile(path.join(folder(), baselineName), 'utf8');
    assert.doesNotMatch(recorded, /"reason"/);
    // A third copy of a recorded pair is new, and the existing copies are shown beside it.
    await write('ignored/e.ts', `let e;\n${parsing}`);
    await until('the third copy', api.findings.onDidChange, () => unknown().includes('ignored/e.ts'));
    assert.ok(!unknown().includes('ignored/d.ts'));
    await vscode.commands.executeCommand('kindred.clearFilter');
  });

  test('are restored by undoing an exclusion, which keeps other globs', async () => {
    const excluded = () => vscode.workspace.getConfiguration('kindred').inspect('exclude')?.workspaceValue;
    const first = await exclude(uriOf('ignored/a.ts'));
    const second = await exclude(uriOf('ignored/c.ts'));
    assert.deepEqual(excluded(), ['/ignored/a.ts', '/ignored/c.ts']);
    await untilIgnored('ignored/c.ts');
    await first!.undo();
    assert.deepEqual(excluded(), ['/ignored/c.ts']);
    await second!.undo();
    assert.equal(excluded(), undefined);
    await back('ignored/c.ts');
    // A list that the user has written must not be removed.
    await vscode.workspace
      .getConfiguration('kindred')
      .update('exclude', ['/nothing'], vscode.ConfigurationTarget.Workspace);
    const third = await exclude(uriOf('ignored/c.ts'));
    assert.deepEqual(excluded(), ['/nothing', '/ignored/c.ts']);
    await third!.undo();
    assert.deepEqual(excluded(), ['/nothing']);
    await vscode.workspace
      .getConfiguration('kindred')
      .update('exclude', undefined, vscode.ConfigurationTarget.Workspace);
    await write('.kindredrc.jsonc', '{\n  "minTokens": 50\n}\n');
    await (await exclude(uriOf('ignored/c.ts')))!.undo();
    const without = await readFile(path.join(folder(), '.kindredrc.jsonc'), 'utf8');
    assert.equal(without, '{\n  "minTokens": 50\n}\n');
    // Some shells write it like this, with a byte order mark.
    const utf16 = Buffer.from('\uFEFF{ "minTokens": 50 }\n', 'utf16le');
    await vscode.workspace.fs.writeFile(uriOf('.kindredrc.jsonc'), utf16);
    assert.ok(await exclude(uriOf('ignored/c.ts')));
    const kept = (await readFile(path.join(folder(), '.kindredrc.jsonc'))).toString('utf16le');
    assert.match(kept, /^\uFEFF\{\s*"minTokens": 50,\s*"exclude"/);
    await remove('.kindredrc.jsonc');
    await write('.kindredrc.jsonc', '{\n  "exclude": [\n    // Kept.\n    "/x"\n  ]\n}\n');
    const inFile = await exclude(uriOf('ignored/a.ts'));
    assert.equal(inFile!.where, '.kindredrc.jsonc');
    await untilIgnored('ignored/a.ts');
    await inFile!.undo();
    const text = await readFile(path.join(folder(), '.kindredrc.jsonc'), 'utf8');
    assert.equal(text, '{\n  "exclude": [\n    // Kept.\n    "/x"\n  ]\n}\n');
    await back('ignored/a.ts');
  });

  test('a file is excluded in the settings, or in an existing project file', async () => {
    await vscode.commands.executeCommand('kindred.ignoreFile', uriOf('ignored/a.ts'));
    await untilIgnored('ignored/a.ts');
    assert.deepEqual(vscode.workspace.getConfiguration('kindred').get('exclude'), ['/ignored/a.ts']);
    await write('.kindredrc.jsonc', '{\n  // Kept.\n  "minTokens": 40\n}\n');
    await back('ignored/c.ts');
    // A list in the file would replace that of the settings.
    await vscode.commands.executeCommand('kindred.ignoreFile', uriOf('ignored/b.ts'));
    await untilIgnored('ignored/b.ts');
    assert.ok(!isShown('ignored/a.ts'));
    await vscode.workspace
      .getConfiguration('kindred')
      .update('exclude', undefined, vscode.ConfigurationTarget.Workspace);
    await back('ignored/a.ts');
    await vscode.commands.executeCommand('kindred.ignoreFile', uriOf('ignored/d.ts'));
    await untilIgnored('ignored/d.ts');
    const text = await readFile(path.join(folder(), '.kindredrc.jsonc'), 'utf8');
    assert.equal(text, '{\n  // Kept.\n  "minTokens": 40,\n  "exclude": [\n    "/ignored/d.ts"\n  ]\n}\n');
  });
});

suite('names and globs', () => {
  test('excludes exactly one file', () => {
    for (const name of ['src/a.ts', 'src/[id]/a*b?.ts', 'src/{x}/!.ts', 'a b.ts']) {
      const matches = compileGlobs([globOf(name)]);
      assert.ok(matches(name), name);
      assert.ok(!matches(`other/${name}`) && !matches('src/[i]/axb.ts'), name);
    }
  });
});
