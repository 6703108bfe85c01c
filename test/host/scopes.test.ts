/** Settings of a language, and presets, as the findings of a real window follow them. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Api } from '../../src/host/extension.ts';
import { readSettings, readSources } from '../../src/host/settings.ts';
import { harbour, parsing } from '../passages.ts';
import { folder, groupsIn, remove, settled, until, withSettings, write } from './window.ts';

suite('settings by scope', function () {
  this.timeout(60_000);
  let api: Api;

  suiteSetup(async () => {
    for (const name of ['a', 'b']) {
      await write(`scopes/${name}.md`, `# ${name}\n\n${harbour.split(' ').slice(0, 45).join(' ')}.\n`);
      await write(`scopes/${name}.ts`, `export const ${name} = '${name}';\n${parsing}`);
    }
    api = await settled();
  });

  suiteTeardown(async () => {
    await remove('scopes');
    await settled();
  });

  const has = (name: string): boolean => groupsIn(api, name).length > 0;

  test('a minimum of one language holds in its files alone', async () => {
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

  test('a preset decides what nobody has set, and nothing else', async () => {
    assert.equal(readSettings().preset.dials.length, 7);
    // It asks for more words than the pages have.
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
