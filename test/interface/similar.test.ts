/**
 * Near-duplicates of a selection and of the clipboard in the references view: compared with the searched text, at any
 * k.
 */
import assert from 'node:assert/strict';
import { shopWorkbench } from './workbench.ts';

suite('near-duplicates of a text', () => {
  const workbench = shopWorkbench();

  test('of a selection are rows, each of which can be compared with it', async () => {
    await workbench().showViews();
    await workbench().treeRows('dates.ts, period.ts').first().waitFor();
    await workbench().open('src/reports/period.ts');
    await workbench().click('export function parseDay');
    await workbench().page.keyboard.press('Control+a');
    await workbench().run('Kindred: Find Near-Duplicates', 'Selection');
    await found('dates.ts:').waitFor();
    await found('days.ts:').waitFor();
    await workbench().screenshot('similar');
    await workbench().clickAction(
      found('dates.ts:'),
      'Compare With the Searched Text',
      workbench().tab('the selection ↔ dates.ts:2-18 (100%'),
    );
    for (const side of ['.original', '.modified']) {
      const line = workbench().page.locator(`.monaco-diff-editor .editor${side} .view-line`, { hasText: 'function' });
      await line.first().waitFor();
    }
    await workbench().screenshot('similar compared');
    // These lines are also a pair of a group.
    await workbench().run('Kindred: Explain Match');
    await workbench().tab('period.ts:4-20 ↔ dates.ts:2-18').waitFor();
  });

  test('are searched again with another k', async () => {
    const { page } = workbench();
    const before = await rows().count();
    await workbench().clickUntil(
      page.locator('.sidebar .action-label[aria-label^="Search Again With Another k"]').first(),
      page.locator('.quick-input-list .monaco-list-row', { hasText: 'As in the Settings' }),
    );
    await workbench().screenshot('similar k');
    await page.locator('.quick-input-box input').fill('Less Strictly');
    await page.keyboard.press('Enter');
    await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    await found('dates.ts:').waitFor();
    assert.ok((await rows().count()) >= before);
    // The new rows take the focus, which closes the list.
    const searchAgain = page.locator('.sidebar .action-label[aria-label^="Search Again With Another k"]').first();
    const present = page.locator('.quick-input-list .monaco-list-row', { hasText: 'current value' });
    await workbench().clickUntil(() => searchAgain.click({ timeout: 5_000 }), present);
    await page.keyboard.press('Escape');
  });

  test('of the clipboard are compared with the text itself', async () => {
    const { page } = workbench();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await workbench().run('View: Close All Editors');
    await workbench().open('src/reports/period.ts');
    await workbench().click('export function parseDay');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+c');
    await workbench().open('src/billing/money.ts');
    await workbench().run('Kindred: Find Near-Duplicates', 'Clipboard');
    await found('period.ts:').waitFor();
    await workbench().clickAction(
      found('period.ts:'),
      'Compare With the Searched Text',
      workbench().tab('the clipboard ↔ period.ts:1-'),
    );
    await workbench().screenshot('similar clipboard');
    // It is not a pair of a group, so there is nothing to explain.
    await workbench().run('Kindred: Explain Match');
    await workbench().notifications('No copy at the cursor.').waitFor();
  });

  function rows() {
    return workbench().page.locator('.sidebar .customview-tree .monaco-list-row', { hasText: /:\d+-\d+/ });
  }

  function found(place: string) {
    return workbench().treeRows(place).first();
  }
});
