/** Pasting code that exists elsewhere. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { shopWorkbench } from './workbench.ts';

suite('a paste', () => {
  const workbench = shopWorkbench();

  test('of existing code offers the existing copy, and opens it side by side', async () => {
    const { page, folder } = workbench();
    // Use a separate file in a language that VS Code does not know.
    await writeFile(path.join(folder, 'pasted.unknown'), '');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await workbench().showViews();
    await workbench().treeRows('dates.ts, period.ts').first().waitFor();
    await workbench().open('tools/days.ts');
    await workbench().click(/\S/);
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+c');
    await workbench().open('pasted.unknown');
    await workbench().editor().click();
    const widget = page.locator('.post-edit-widget');
    // The paste does not wait for a busy index or a busy machine.
    await workbench().repeat(async (timeout) => {
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Delete');
      await page.keyboard.press('Control+v');
      await widget.waitFor({ timeout });
    });
    await workbench().screenshot('paste widget');
    assert.ok(await line(/const.european/).isVisible());
    const choice = page.locator('.action-widget .monaco-list-row', { hasText: 'Go to Existing Copy in days.ts' });
    await workbench().clickUntil(widget.locator('.monaco-button'), choice.first());
    await workbench().clickUntil(choice.first(), workbench().tab('days.ts'));
    assert.equal(await page.locator('.editor-group-container').count(), 2);
    await workbench().screenshot('paste copy');
    await workbench().run('View: Close All Editors');
  });

  test('of the brief of a row contains the places of the copies, a function for them, and what each passes', async () => {
    const { page } = workbench();
    await workbench().chooseInMenu(workbench().treeRows('load_orders').first(), 'Copy Refactoring Brief');
    await workbench().announced('is in the clipboard');
    const brief = await page.evaluate<string>('navigator.clipboard.readText()');
    assert.match(brief, /load_orders\.py:6-26[^]*load_refunds\.py:6-26/);
    assert.equal(brief.match(/^ {4}connection = sqlite3\.connect/gm)?.length, 1);
    // Names that both copies declare are no parameters.
    assert.match(brief, /^def load_orders_or_refunds\(path, database, id, [^)]*\)$/m);
    assert.match(brief, /^\| `id` \| `"order_id"` \| `"refund_id"` \|$/m);
    assert.ok(!/^\|.*(?:position|number)/m.test(brief), brief);
  });

  function line(text: RegExp) {
    return workbench().editor().locator('.view-line', { hasText: text }).first();
  }
});
