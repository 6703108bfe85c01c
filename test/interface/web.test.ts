/**
 * Kindred as an extension of a browser: the workbench runs it in a worker of the page, as on vscode.dev, and not in the
 * extension host of the server. The page is not cross-origin isolated, so its threads cannot share memory.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { suiteWorkbench } from './workbench.ts';

suite('a folder in a browser', () => {
  const settings = { 'remote.extensionKind': { 'kindred.kindred': ['web'] }, 'files.autoSave': 'off' };
  const workbench = suiteWorkbench({ fixture: 'shop', settings });
  const dates = () =>
    workbench()
      .treeRows(/dates\.ts.* · 3 copies · 28 lines/)
      .first();
  const message = (text: string | RegExp) => workbench().page.locator('.sidebar .message', { hasText: text });

  test('is compared in the page, with the rows of the desktop', async () => {
    await workbench().showViews();
    await dates().waitFor();
    const rows = await workbench().treeRows().allInnerTexts();
    assert.match(rows.join('\n'), /^billing ↔ reports · \d+ % · \d files/m);
    assert.match(rows.join('\n'), /^Source\s*3 · 73\.9 % of source$/m);
    assert.equal(rows.length, 7, rows.join('\n'));
    await workbench().screenshot('web tree');
  });

  test('a row opens a compare, and marks and a hover are in the editor', async () => {
    await workbench().clickAction(dates(), 'Compare Copies');
    await workbench().tab('↔ period.ts:1-25').waitFor();
    await workbench().page.locator('.monaco-diff-editor .view-line', { hasText: 'parsePeriod' }).first().waitFor();
    await workbench().screenshot('web compare');
    await workbench().run('View: Close All Editors');
    await workbench().open('src/reports/period.ts');
    const mark = workbench().editor().locator('.squiggly-info').first();
    await mark.waitFor();
    // The text is over the mark.
    await mark.hover({ force: true });
    await workbench().page.locator('.monaco-hover', { hasText: 'days.ts' }).first().waitFor();
    await workbench().screenshot('web hover');
    await workbench().run('View: Close All Editors');
  });

  test('an edit changes the rows before it is saved, and a file on disk after that', async () => {
    const orders = workbench().treeRows('load_orders').first();
    await orders.waitFor();
    await workbench().open('tools/load_refunds.py');
    await workbench().click('def load_refunds');
    await workbench().page.keyboard.press('Control+a');
    await workbench().page.keyboard.type('print(1)');
    await orders.waitFor({ state: 'detached' });
    await workbench().run('File: Revert File');
    await orders.waitFor();
    await workbench().run('View: Close All Editors');
    const file = path.join(workbench().folder, 'tools/load_refunds.py');
    const text = await readFile(file, 'utf8');
    await writeFile(file, 'print(1)\n');
    await orders.waitFor({ state: 'detached' });
    await writeFile(file, text);
    await orders.waitFor();
  });

  test('the map and the dials of Tune Sensitivity open', async () => {
    await workbench().run('Kindred: Show Duplication Map');
    const inner = workbench().page.frameLocator('iframe.webview.ready').frameLocator('iframe');
    await inner.locator('text=147 of 199 lines are duplicated').waitFor();
    await workbench().screenshot('web map');
    await workbench().run('View: Close All Editors');
    await workbench().run('Kindred: Tune Sensitivity');
    await inner.locator('dd', { hasText: '4 duplicates' }).first().waitFor();
    await workbench().screenshot('web tuning');
    await workbench().run('View: Close All Editors');
  });

  test('commands that need Git say so, and are not in the palette', async () => {
    await workbench().run('Kindred: Filter', 'Files Changed in Git');
    const sentence = 'In a browser, Kindred cannot compare with Git. Open the folder in VS Code for the desktop.';
    await workbench().notifications(sentence).first().waitFor();
    await workbench().screenshot('web without git');
    await workbench().page.keyboard.press('Escape');
    await workbench().run('Notifications: Clear All Notifications');
    await workbench().page.keyboard.press('F1');
    const input = workbench().page.locator('.quick-input-widget .quick-input-box input');
    await input.fill('>Kindred: Show');
    const commands = workbench().page.locator('.quick-input-list .monaco-list-row');
    await commands.filter({ hasText: 'Kindred: Show Log' }).waitFor();
    assert.equal(await commands.filter({ hasText: 'New Since' }).count(), 0);
    await workbench().page.keyboard.press('Escape');
  });

  test('a row is ignored for the project, in a file of the folder', async () => {
    await workbench().chooseInMenu(dates(), 'Ignore…');
    await workbench().choose('For the Project');
    await workbench().page.locator('.quick-input-widget', { hasText: 'Why is the repetition intended?' }).waitFor();
    await workbench().answer('Kept apart.');
    await dates().waitFor({ state: 'detached' });
    await message('1 ignored').waitFor();
    const baseline = path.join(workbench().folder, '.kindred-baseline.jsonc');
    assert.ok(existsSync(baseline));
    assert.match(readFileSync(baseline, 'utf8'), /"reason": "Kept apart\."/);
  });

  test('a reload shows the findings of the index that is stored in the browser', async () => {
    const { page } = workbench();
    await page.reload();
    await workbench().treeRows('load_orders').first().waitFor();
    await message('1 ignored').waitFor();
    await workbench().run('Kindred: Show Log');
    await page.locator('.panel .view-line', { hasText: 'Showing the findings of the last session' }).first().waitFor();
    await workbench().screenshot('web reload');
  });
});
