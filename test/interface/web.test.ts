/**
 * Kindred as an extension of a browser: the workbench runs it in a worker of the page, as on vscode.dev, and not in the
 * extension host of the server. The page is not cross-origin isolated, so its threads cannot share memory.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FindSimilarData } from '../../src/surfaces/tools/findSimilar.ts';
import type { GetDuplicateData } from '../../src/surfaces/tools/getDuplicate.ts';
import type { ListDuplicatesData } from '../../src/surfaces/tools/listDuplicates.ts';
import { askTools, installProbe } from './toolsProbe.ts';
import { suiteWorkbench } from './workbench.ts';

suite('a folder in a browser', () => {
  const settings = {
    // On vscode.dev, the languages of VS Code are in the page, too.
    'remote.extensionKind': { 'kindred.kindred': ['web'], 'vscode.typescript': ['web'] },
    'files.autoSave': 'off',
    // Without these features, VS Code does not know the tools of extensions.
    'chat.disableAIFeatures': false,
  };
  const workbench = suiteWorkbench({
    fixture: 'shop',
    settings,
    prepare: (extension) => installProbe(path.dirname(extension)),
  });
  const dates = () =>
    workbench()
      .treeRows(/dates\.ts.* · 3 copies · 28 lines/)
      .first();
  const message = (text: string | RegExp) => workbench().page.locator('.sidebar .message', { hasText: text });

  test('is compared in the page, with the rows of the desktop', async () => {
    await workbench().showViews();
    await dates().waitFor();
    const rows = await workbench().treeRows().allInnerTexts();
    assert.match(rows.join('\n'), /^billing ↔ reports · \d+% · \d files/m);
    assert.match(rows.join('\n'), /^Source\s*3 · 73\.8% of source$/m);
    assert.equal(rows.length, 7, rows.join('\n'));
    await workbench().screenshot('web tree');
  });

  test('a row opens a compare, and marks and a hover are in the editor', async () => {
    await workbench().clickAction(dates(), 'Compare Copies', workbench().tab('↔ period.ts:1-25'));
    const compared = workbench().page.locator('.monaco-diff-editor .view-line', { hasText: 'parsePeriod' }).first();
    await compared.waitFor();
    // The grammar of excerpts colors keywords.
    await compared.locator('span:not(.mtk1)', { hasText: /^export$/ }).waitFor();
    await workbench().screenshot('web compare');
    await workbench().run('View: Close All Editors');
    await workbench().open('src/reports/period.ts');
    const mark = workbench().editor().locator('.squiggly-info').first();
    await mark.waitFor();
    const hover = workbench().page.locator('.monaco-hover', { hasText: 'days.ts' });
    // The text is over the mark.
    await workbench().clickUntil(async (timeout) => {
      await workbench().page.mouse.move(1200, 500);
      await mark.hover({ force: true, timeout });
    }, hover.first());
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

  test('a moved dial is previewed in the tree, and a reset restores the rows', async () => {
    const orders = workbench().treeRows('load_orders').first();
    await workbench().chooseInMenu(orders, 'Tune Sensitivity to Hide This…');
    await message(/Preview of other settings: 3 duplicates/).waitFor();
    await orders.waitFor({ state: 'detached' });
    const inner = workbench().page.frameLocator('iframe.webview.ready').frameLocator('iframe');
    await workbench().clickUntil(inner.locator('#reset'), orders);
    await workbench().run('View: Close All Editors');
  });

  test('commands that need Git are hidden, and state the remedy if they are run in another way', async () => {
    const items = workbench().page.locator('.quick-input-list .monaco-list-row');
    await workbench().run('Kindred: Filter');
    await items.filter({ hasText: 'Open Files' }).waitFor();
    await workbench().screenshot('web filter');
    // The list draws only the visible items.
    const input = workbench().page.locator('.quick-input-widget .quick-input-box input');
    await input.fill('s');
    await items.filter({ hasText: 'Path or Text Contains' }).waitFor();
    assert.deepEqual(
      (await items.allInnerTexts()).filter((text) => /Git|Since/.test(text)),
      [],
    );
    await workbench().page.keyboard.press('Escape');
    await input.waitFor({ state: 'hidden' });
    // VS Code drops a key that follows the end of a prompt.
    await workbench().clickUntil(() => workbench().page.keyboard.press('F1'), input);
    await input.fill('>Kindred: Show');
    await items.filter({ hasText: 'Kindred: Show Log' }).waitFor();
    assert.equal(await items.filter({ hasText: 'New Since' }).count(), 0);
    await workbench().page.keyboard.press('Escape');
    const sentence = 'Comparing with Git requires VS Code for the desktop.';
    for (const question of [
      { command: 'kindred.showNewSince' },
      { command: 'kindred.filter', argument: [{ type: 'changed' }] },
    ]) {
      const { answers } = await askTools(workbench(), [question]);
      assert.deepEqual(answers, [{ text: '' }]);
      await workbench().notifications(sentence).first().waitFor();
      await workbench().screenshot('web without git');
      await workbench().run('Notifications: Clear All Notifications');
    }
  });

  test('a language model uses the tools, and the check reports that it needs Git', async () => {
    const text = await readFile(path.join(workbench().folder, 'src/billing/dates.ts'), 'utf8');
    const listing = { name: 'kindred_list_duplicates', input: {} };
    const first = await askTools(workbench(), [
      { name: 'kindred_find_similar', input: { text, language: 'ts' } },
      listing,
      // It is hidden from models, but another extension may call it.
      { name: 'kindred_check_changes', input: {} },
    ]);
    assert.equal(first.isInBrowser, true);
    const names = ['check_changes', 'find_similar', 'get_duplicate', 'list_duplicates'];
    assert.deepEqual(
      first.tools,
      names.map((name) => `kindred_${name}`),
    );
    const [similar, listed, checked] = first.answers;
    assert.ok('text' in similar && 'text' in listed, JSON.stringify(first.answers));
    const { passages } = JSON.parse(similar.text) as FindSimilarData;
    assert.ok(
      passages.some(({ place }) => place.startsWith('src/reports/period.ts:')),
      similar.text,
    );
    const { duplicates } = JSON.parse(listed.text) as ListDuplicatesData;
    const days = duplicates.find(({ places }) => places.some((place) => place.startsWith('src/reports/period.ts')));
    assert.ok(days, listed.text);
    assert.ok(
      'problem' in checked && /in which there is no Git; open the folder in VS Code for the/.test(checked.problem),
    );
    const second = await askTools(workbench(), [
      { name: 'kindred_get_duplicate', input: { id: days.id } },
      { name: 'kindred_find_similar', input: { place: '../outside.ts' } },
    ]);
    const [shown, outside] = second.answers;
    assert.ok('text' in shown && 'problem' in outside, JSON.stringify(second.answers));
    const { copies } = JSON.parse(shown.text) as GetDuplicateData;
    assert.equal(copies.length, days.copies);
    assert.match(copies[0].text, /parseDay|parsePeriod|Date/);
    assert.match(outside.problem, /is outside the followed folders/);
  });

  test('a row is ignored for the project, in a file of the folder', async () => {
    await workbench().chooseInMenu(dates(), 'Ignore…', 'For the Project');
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
