/** Language-specific settings and presets, and the findings of a real window. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Api } from '../../src/surfaces/vscode/activate.ts';
import { changedSettings, readSettings, readSources } from '../../src/surfaces/vscode/settings.ts';
import { harbour, parsing } from '../passages.ts';
import { closeEditors, folder, groupsIn, remove, scan, until, uriOf, withSettings, write } from './window.ts';

suite('settings by scope', () => {
  let api: Api;

  suiteSetup(async () => {
    for (const name of ['a', 'b']) {
      await write(`scopes/${name}.md`, `# ${name}\n\n${harbour.split(' ').slice(0, 45).join(' ')}.\n`);
      await write(`scopes/${name}.ts`, `export const ${name} = '${name}';\n${parsing}`);
    }
    api = await scan();
  });

  suiteTeardown(async () => {
    await remove('scopes');
    await scan();
  });

  const has = (name: string): boolean => groupsIn(api, name).length > 0;

  test('a minimum of one language applies to its files only', async () => {
    assert.ok(has('scopes/a.md') && has('scopes/a.ts'));
    const inMarkdown = vscode.workspace.getConfiguration('kindred', { languageId: 'markdown' });
    const set = (value: number | undefined): Thenable<void> =>
      inMarkdown.update('minTokens', value, vscode.ConfigurationTarget.Global, true);
    await set(300);
    try {
      const { overrides } = readSources(vscode.Uri.file(folder()));
      assert.deepEqual(overrides, [{ languages: ['markdown'], minTokens: 300 }]);
      await until('the pages to go', api.findings.onDidChange, () => !has('scopes/a.md'));
      assert.ok(has('scopes/a.ts'));
    } finally {
      await set(undefined);
    }
    await until('the pages', api.findings.onDidChange, () => has('scopes/a.md'));
  });

  test('the only folder of a workspace file has its own severities', async () => {
    const uri = uriOf('scopes/a.ts');
    const configuration = vscode.workspace.getConfiguration('kindred', uri);
    const set = async (value: object | undefined): Promise<void> =>
      configuration.update('diagnostics.severities', value, vscode.ConfigurationTarget.WorkspaceFolder);
    const isMarked = (severity: vscode.DiagnosticSeverity) => (): boolean =>
      vscode.languages.getDiagnostics(uri).some((it) => it.source === 'kindred' && it.severity === severity);
    await vscode.window.showTextDocument(uri);
    const { onDidChangeDiagnostics } = vscode.languages;
    await until('the usual mark', onDidChangeDiagnostics, isMarked(vscode.DiagnosticSeverity.Information));
    await set({ source: 'warning' });
    try {
      await until('the mark of the folder', onDidChangeDiagnostics, isMarked(vscode.DiagnosticSeverity.Warning));
    } finally {
      await set(undefined);
    }
    await until('the usual mark', onDidChangeDiagnostics, isMarked(vscode.DiagnosticSeverity.Information));
  });

  test('a folder of several has its own severities and rules', async () => {
    const added = await mkdtemp(path.join(tmpdir(), 'kindred-scopes-'));
    const theirs = vscode.Uri.file(path.join(added, 'c.ts'));
    try {
      await mkdir(path.join(added, '.vscode'));
      const own = { 'kindred.diagnostics.severities': { source: 'warning' }, 'kindred.generated': true };
      await writeFile(path.join(added, '.vscode/settings.json'), JSON.stringify(own));
      await writeFile(theirs.fsPath, `// @generated\n${parsing}`);
      await write('scopes/made.ts', `// @generated\n${parsing}`);
      const uris = [uriOf('scopes/a.ts'), theirs];
      // Only visible files have diagnostics.
      const viewColumn = vscode.ViewColumn.Beside;
      for (const uri of uris) await vscode.window.showTextDocument(uri, { preview: false, viewColumn });
      vscode.workspace.updateWorkspaceFolders(1, 0, { uri: vscode.Uri.file(added), name: 'added' });
      const severities = (): (vscode.DiagnosticSeverity | undefined)[] =>
        uris.map((uri) => vscode.languages.getDiagnostics(uri).find(({ source }) => source === 'kindred')?.severity);
      await until('marks in both', vscode.languages.onDidChangeDiagnostics, () => severities().every(Number.isInteger));
      assert.deepEqual(severities(), [vscode.DiagnosticSeverity.Information, vscode.DiagnosticSeverity.Warning]);
      const { skipped } = api.findings.snapshot!.findings;
      assert.deepEqual(
        skipped.filter(({ reason }) => reason === 'generated').map(({ path: name }) => path.posix.basename(name)),
        ['made.ts'],
      );
      const before = readSettings();
      await vscode.workspace
        .getConfiguration('kindred', vscode.Uri.file(added))
        .update('diagnostics.severities', { source: 'off' }, vscode.ConfigurationTarget.WorkspaceFolder);
      await until('no mark in one', vscode.languages.onDidChangeDiagnostics, () => severities()[1] === undefined);
      assert.equal(severities()[0], vscode.DiagnosticSeverity.Information);
      assert.deepEqual(
        [...changedSettings(before, readSettings())],
        [['kindred.diagnostics.severities.source', 'shown']],
      );
    } finally {
      vscode.workspace.updateWorkspaceFolders(1, 1);
      await closeEditors();
      await until('one folder', api.findings.onDidChange, () => has('scopes/a.ts'));
      await rm(added, { recursive: true });
    }
  });

  test('a preset determines unset settings only', async () => {
    assert.equal(readSettings().preset.dials.length, 7);
    // The preset requires more words than the pages have.
    await withSettings({ preset: 'strict' }, async () => {
      await until('the pages to go', api.findings.onDidChange, () => !has('scopes/a.md'));
      await withSettings({ 'prose.minWords': 40 }, async () => {
        assert.ok(!readSettings().preset.dials.includes('prose.minWords'));
        await until('the pages', api.findings.onDidChange, () => has('scopes/a.md'));
      });
    });
    await until('the pages', api.findings.onDidChange, () => has('scopes/a.md'));
  });
});
