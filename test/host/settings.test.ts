import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { configurationNames, isConfiguration } from '../../src/session/client/configurationFiles.ts';
import { changedSettings, readSettings, type Settings } from '../../src/surfaces/vscode/settings.ts';

suite('settings', () => {
  test('report changes by name and effect', () => {
    const before = readSettings();
    const after: Settings = {
      ...before,
      options: { ...before.options, maxDistance: 9, prose: { ...before.options.prose, minWords: 99 } },
      workers: 7,
      memoryMB: 1_000,
      run: 'manual',
      diagnostics: { ...before.diagnostics, severity: { ...before.diagnostics.severity, code: 'error' } },
      statusBar: false,
      showViewOnStartup: true,
    };
    assert.deepEqual(changedSettings(before, readSettings()), new Map());
    const changed = changedSettings(before, after);
    assert.deepEqual(
      [...changed].sort(),
      Object.entries({
        'kindred.diagnostics.severity.code': 'shown',
        'kindred.maxDistance': 'found',
        'kindred.performance.memory': 'found',
        'kindred.performance.workers': 'later',
        'kindred.prose.minWords': 'found',
        'kindred.run': 'later',
        'kindred.showViewOnStartup': 'later',
        'kindred.statusBar.enable': 'shown',
      }),
    );
    // Each of them is a setting in the manifest.
    for (const name of changed.keys()) {
      assert.notEqual(vscode.workspace.getConfiguration().inspect(name)?.defaultValue, undefined, name);
    }
  });
});

suite('configuration files', () => {
  test('are recognized by name in every folder', () => {
    assert.ok(configurationNames.every((name) => isConfiguration(name) && isConfiguration(`app/${name}`)));
    assert.ok(['kindredrc.json', '.kindredrc.json.bak', 'a.kindredrc.json'].every((name) => !isConfiguration(name)));
  });
});
