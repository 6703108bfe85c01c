import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { parse } from 'jsonc-parser';
import * as vscode from 'vscode';
import { parseFileSize } from '../../src/scan/io/fileSize.ts';
import { configurationNames, isConfiguration } from '../../src/session/client/configurationFiles.ts';
import { offerMoves } from '../../src/surfaces/vscode/moveSettings.ts';
import {
  bytesOf,
  changedSettings,
  readSettings,
  readSources,
  type Settings,
} from '../../src/surfaces/vscode/settings.ts';
import { folder, scan, until } from './window.ts';

suite('settings', () => {
  test('report changes by name and effect', () => {
    const before = readSettings();
    const after: Settings = {
      ...before,
      options: { ...before.options, maxDistance: 9, prose: { ...before.options.prose, minWords: 99 } },
      workers: 7,
      memoryMB: 1_000,
      run: 'manual',
      diagnostics: { ...before.diagnostics, severities: { ...before.diagnostics.severities, source: 'error' } },
      statusBar: false,
      showViewOnStartup: true,
    };
    assert.deepEqual(changedSettings(before, readSettings()), new Map());
    const changed = changedSettings(before, after);
    assert.deepEqual(
      [...changed].sort(),
      Object.entries({
        'kindred.diagnostics.severities.source': 'shown',
        'kindred.maxDistance': 'found',
        'kindred.memory': 'found',
        'kindred.prose.minWords': 'found',
        'kindred.run': 'later',
        'kindred.showViewOnStartup': 'later',
        'kindred.statusBar.enable': 'shown',
        'kindred.workers': 'later',
      }),
    );
    // Each of them is a setting in the manifest.
    for (const name of changed.keys()) {
      assert.notEqual(vscode.workspace.getConfiguration().inspect(name)?.defaultValue, undefined, name);
    }
  });
});

suite('settings with older names', () => {
  const older = {
    'kindred.diagnostics.severity.code': 'error',
    'kindred.editor.hover': false,
    'kindred.useGitignore': false,
    'kindred.maxFileSizeKB': 500,
  };
  let document: vscode.TextDocument;
  let textBefore: string;

  const replaceText = async (text: string): Promise<void> => {
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
    await vscode.workspace.applyEdit(edit);
    await document.save();
  };
  const settingsIn = (text: string): Record<string, unknown> =>
    (parse(text) as { settings?: Record<string, unknown> }).settings ?? {};
  const checkValues = (): void => {
    const { diagnostics, editor } = readSettings();
    assert.deepEqual([diagnostics.severities.source, diagnostics.severities.text], ['error', 'hint']);
    assert.deepEqual(editor.show, { copyRange: true, hover: false, gutterIcon: false, codeLens: false });
    const { gitignore, maxFileSizeBytes } = readSources(vscode.Uri.file(folder()));
    assert.deepEqual([gitignore, maxFileSizeBytes], [false, 500 * 1024]);
  };

  suiteSetup(async () => {
    await scan();
    document = await vscode.workspace.openTextDocument(vscode.workspace.workspaceFile!);
    textBefore = document.getText();
    const settings = { ...settingsIn(textBefore), ...older };
    await replaceText(JSON.stringify({ ...(parse(textBefore) as object), settings }, undefined, 2));
    await until('the settings', vscode.workspace.onDidChangeConfiguration, () => !readSettings().editor.show.hover);
  });

  suiteTeardown(async () => {
    await replaceText(textBefore);
    await until('the defaults', vscode.workspace.onDidChangeConfiguration, () => readSettings().editor.show.hover);
    await scan();
  });

  test('apply, and are moved in the same file after one offer', async () => {
    checkValues();
    const stores = { globalState: memento(), workspaceState: memento() };
    const questions: string[] = [];
    const answer = (isWanted: boolean) => (sentence: string) => {
      questions.push(sentence);
      return Promise.resolve(isWanted);
    };
    await offerMoves(stores, answer(false));
    assert.deepEqual(questions, [
      '4 Kindred settings were renamed, such as kindred.useGitignore → kindred.gitignore. The old names still work.',
    ]);
    checkValues();
    await offerMoves(stores, answer(true));
    assert.equal(questions.length, 1);
    await offerMoves({ globalState: memento(), workspaceState: memento() }, answer(true));
    const moved = settingsIn(await readFile(document.uri.fsPath, 'utf8'));
    assert.deepEqual(moved, {
      ...settingsIn(textBefore),
      'kindred.gitignore': false,
      'kindred.maxFileSize': '500kb',
      'kindred.editor.show': { hover: false },
      'kindred.diagnostics.severities': { source: 'error' },
    });
    checkValues();
  });
});

suite('sizes in settings', () => {
  test('are read like those of configuration files', () => {
    for (const size of ['0', '500k', '2mb', '1.5 GB', '1048576', ' 3 B ', '', 'many', '-1', '2 tb', '1,5mb']) {
      assert.deepEqual(bytesOf(size), parseFileSize(size) ?? Number.NaN, size);
    }
    assert.equal(bytesOf(1024), 1024);
  });
});

function memento(): vscode.Memento & { setKeysForSync: () => void } {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: (key: string, otherwise?: unknown) => values.get(key) ?? otherwise,
    update: (key: string, value: unknown) => Promise.resolve(void values.set(key, value)),
    setKeysForSync: () => undefined,
  } as vscode.Memento & { setKeysForSync: () => void };
}

suite('configuration files', () => {
  test('are recognized by name in every folder', () => {
    assert.ok(configurationNames.every((name) => isConfiguration(name) && isConfiguration(`app/${name}`)));
    assert.ok(['kindredrc.json', '.kindredrc.json.bak', 'a.kindredrc.json'].every((name) => !isConfiguration(name)));
  });
});
