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
    const panel = page.locator('.part.panel');
    const fileRow = (name: string) => panel.locator('.monaco-list-row', { hasText: name }).first();
    await workbench().clickUntil(offer, fileRow('dates.ts'));
    await fileRow('days.ts').waitFor();
    await workbench().screenshot('apply edit preview');
    // Initially, nothing is checked.
    const checked = panel.locator('.monaco-list-row input:checked, .monaco-list-row .checked');
    assert.equal(await checked.count(), 0);
    await workbench().clickUntil(panel.getByText('Apply', { exact: true }), fileRow('dates.ts'), 'hidden');
    await workbench().announced('No copy was changed. Select the copies to change in the Refactor Preview.');
    await workbench().clickUntil(
      await workbench().lightBulbItem('Apply this edit to 2 other copies'),
      fileRow('dates.ts'),
    );
    await workbench().repeat(async (timeout) => {
      if ((await checked.count()) === 0)
        await fileRow('dates.ts').locator('.edit-checkbox, .monaco-checkbox, input').first().click({ timeout });
      await checked.first().waitFor({ state: 'attached', timeout });
    });
    await workbench().clickUntil(panel.getByText('Apply', { exact: true }), fileRow('dates.ts'), 'hidden');
    await workbench().announced('The edit was applied in 1 file.');
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
