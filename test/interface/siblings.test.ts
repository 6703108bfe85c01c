/** An edit of one copy, applied to the others: the user interface, up to the preview with check boxes. */
import assert from 'node:assert/strict';
import { shopWorkbench } from './workbench.ts';

suite('an edit of one copy', () => {
  const workbench = shopWorkbench();

  test('is applied to the checked others in the preview', async () => {
    const { page } = workbench();
    await workbench().showViews();
    await workbench().treeRows('dates.ts, period.ts').first().waitFor();
    await workbench().open('src/reports/period.ts');
    // The extension must know the editor before the edit, because it keeps the text from before.
    await workbench().editor().locator('.squiggly-info').first().waitFor();
    await workbench().click('const date = new Date');
    await page.keyboard.press('End');
    await page.keyboard.type(' // checked');
    // Typing may have opened suggestions.
    await page.keyboard.press('Escape');
    const offer = await workbench().lightBulbItem('Apply this edit to 2 other copies');
    await workbench().screenshot('apply edit offer');
    await offer.click();
    const panel = page.locator('.part.panel');
    const fileRow = (name: string) => panel.locator('.monaco-list-row', { hasText: name }).first();
    await fileRow('dates.ts').waitFor();
    await fileRow('days.ts').waitFor();
    await workbench().screenshot('apply edit preview');
    // Initially, nothing is checked.
    assert.equal(await panel.locator('.monaco-list-row input:checked, .monaco-list-row .checked').count(), 0);
    await panel.getByText('Apply', { exact: true }).click();
    await workbench().announced('No copy was changed. Select the copies to change in the Refactor Preview.').waitFor();
    await (await workbench().lightBulbItem('Apply this edit to 2 other copies')).click();
    await fileRow('dates.ts').locator('.edit-checkbox, .monaco-checkbox, input').first().click();
    await panel.getByText('Apply', { exact: true }).click();
    await workbench().announced('The edit was applied in 1 file.').waitFor();
    await workbench().open('src/billing/dates.ts');
    await line(edited).waitFor();
    await workbench().open('tools/days.ts');
    await line(/const.date.=.new.Date/).waitFor();
    assert.equal(await line(edited).count(), 0);
  });

  const edited = /new.Date.*\/\/.checked/;

  function line(text: RegExp) {
    return workbench().page.locator('.editor-group-container.active .view-line', { hasText: text });
  }
});
