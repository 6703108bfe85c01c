/** Shared files of a project: known duplicates, and the configuration. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { shopWorkbench } from './workbench.ts';

suite('files of a project', () => {
  const workbench = shopWorkbench();

  test('the filter Not in the Baseline hides a recorded baseline, until a copy is added', async () => {
    const { page, folder } = workbench();
    await workbench().showViews();
    await message('4 duplicates').waitFor();
    await workbench().run('Kindred: Record Baseline');
    const record = page.locator('.quick-input-list .monaco-list-row', { hasText: 'Show Only New Ones From Now On' });
    await record.waitFor();
    await workbench().screenshot('record baseline');
    await workbench().choose('Record All Duplicates, and Show Only New Ones From Now On');
    await workbench().notifications('Recorded as known').waitFor();
    const entries = readFileSync(path.join(folder, '.kindred-baseline.jsonc'), 'utf8');
    assert.equal(entries.match(/"contents"/g)?.length, 6);
    // A reviewer can tell which passage an entry is about.
    assert.match(entries, /"at": "tools\/load_orders\.py:6-26", "name": "load_orders", "text": "[^"]+"/);
    await workbench().page.locator('.sidebar', { hasText: 'No duplicates match the filter.' }).waitFor();
    await workbench().page.locator('.pane-header .description', { hasText: 'not in the baseline' }).waitFor();
    await workbench().screenshot('not in baseline none');
    // A third copy of a recorded pair.
    const copy = readFileSync(path.join(folder, 'tools', 'load_orders.py'), 'utf8');
    await writeFile(path.join(folder, 'tools', 'load_returns.py'), copy);
    await workbench().treeRows('load_orders · 3 copies · 21 lines').first().waitFor();
    await workbench().screenshot('not in baseline');
    assert.equal(await workbench().treeRows('dates.ts').count(), 0);
    await workbench().clickTitle(
      'Clear Filter',
      workbench()
        .treeRows(/dates\.ts.* · 3 copies · 28 lines/)
        .first(),
    );
  });

  test('a configuration is created, completed, validated in the editor, and followed', async () => {
    const { page } = workbench();
    await workbench().run('Kindred: Create Configuration File');
    await workbench().tab('.kindredrc.jsonc').waitFor();
    await workbench()
      .editor()
      .locator('.view-line', { hasText: /minTokens/ })
      .first()
      .waitFor();
    await workbench().screenshot('configuration');
    await workbench().click(/\{/);
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('"minS');
    await page.keyboard.press('Control+Space');
    const suggestion = page.locator('.suggest-widget .monaco-list-row', { hasText: 'minSimilarity' }).first();
    await suggestion.waitFor();
    await workbench().screenshot('configuration completion');
    // The default is proposed, to be overwritten.
    await workbench().clickUntil(suggestion, line(/"minSimilarity":.0\.55/));
    await page.keyboard.type('7,');
    // It is out of range. The schema reports it on its line, and so does Kindred after saving.
    await workbench().editor().locator('.squiggly-warning, .squiggly-error').first().waitFor();
    await page.keyboard.press('Control+s');
    const told = '.kindredrc.jsonc, line 2: minSimilarity must be a number from 0.3 to 1, not 7.';
    await workbench().notifications(told).waitFor();
    await message(told).waitFor();
    await workbench().run('Problems: Focus on Problems View');
    await page.locator('.markers-panel .monaco-list-row', { hasText: 'above the maximum of 1' }).waitFor();
    await workbench().screenshot('configuration problem');
    // Previous findings remain.
    await workbench().treeRows('load_orders · 3 copies · 21 lines').first().waitFor();
    await workbench().run('View: Hide Panel');
    await workbench().click(/minSimilarity.*7/);
    await page.keyboard.press('End');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('1,');
    await page.keyboard.press('Control+s');
    await message(told).waitFor({ state: 'detached' });
    await workbench().treeRows('load_orders · 3 copies · 21 lines').first().waitFor({ state: 'detached' });
    await workbench().screenshot('configuration followed');
  });

  test('a configuration is converted from that of jscpd, with a report of unsupported settings', async () => {
    const { page, folder } = workbench();
    await workbench().run('View: Close All Editors');
    await rm(path.join(folder, '.kindredrc.jsonc'));
    await workbench()
      .treeRows(/dates\.ts.* · 3 copies · 28 lines/)
      .first()
      .waitFor();
    const jscpd = { minTokens: 70, ignore: ['tools/**', '!tools/days.ts'], threshold: 3 };
    await writeFile(path.join(folder, '.jscpd.json'), JSON.stringify(jscpd));
    await workbench().run('Kindred: Create Configuration File');
    const told =
      'Settings were imported from .jscpd.json. Not imported: ignore "!tools/days.ts", threshold (use kindred check';
    await workbench().notifications(told).waitFor();
    await workbench().tab('.kindredrc.jsonc').waitFor();
    await line(/^\s*"tools\/\*\*"/).waitFor();
    await workbench().screenshot('configuration imported');
    await workbench()
      .treeRows(/dates\.ts.* · 3 copies · 28 lines/)
      .first()
      .waitFor({ state: 'detached' });
    // An existing one is unchanged.
    await workbench().run('Kindred: Create Configuration File');
    await workbench()
      .notifications('.kindredrc.jsonc already exists. Nothing was imported from .jscpd.json.')
      .waitFor();
    await page.keyboard.press('Escape');
  });

  test('a window that opens with a broken configuration shows the findings of the last one, and the error', async () => {
    const { page, folder } = workbench();
    await workbench().run('View: Close All Editors');
    // The last configuration excludes it, and the settings alone would find it.
    assert.equal(await workbench().treeRows('load_orders').count(), 0);
    const before = await workbench().treeRows().allInnerTexts();
    assert.ok(before.length > 0);
    await writeFile(path.join(folder, '.kindredrc.jsonc'), '{ "exclude": ["tools/**" }');
    const told = /\.kindredrc\.jsonc, line 1: a .* is missing/;
    await message(told).waitFor();
    await page.reload();
    await message(told).waitFor();
    await workbench().treeRows().nth(before.length).waitFor();
    // The remedy is the first row.
    assert.deepEqual(await workbench().treeRows().allInnerTexts(), ['Open .kindredrc.jsonc', ...before]);
    await workbench().screenshot('configuration broken at the start');
  });

  function line(text: RegExp) {
    return workbench().editor().locator('.view-line', { hasText: text }).first();
  }

  function message(text: string | RegExp) {
    return workbench().page.locator('.sidebar .message').filter({ hasText: text }).first();
  }
});
