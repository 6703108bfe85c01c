/** What a person does to ignore a duplicate on purpose, with a reason, and to take that back. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { suiteWorkbench, themeNames } from './workbench.ts';

const reason = 'Kept apart: the tools have no build.';

suite('ignoring duplicates', () => {
  const workbench = suiteWorkbench({ fixture: 'shop' });

  test('a row is ignored with a reason for the project, and is gone from the tree and the editor', async () => {
    await workbench().activity('Kindred').click();
    await dates().waitFor();
    await open('src/reports/period.ts');
    await marks().first().waitFor();
    await choose(dates(), 'Ignore…');
    await pick('For the Project');
    await workbench().page.locator('.quick-input-widget', { hasText: 'Why is it meant to be repeated?' }).waitFor();
    await workbench().screenshot('ignore reason');
    // Without a reason nothing is ignored for everybody.
    await workbench().page.keyboard.press('Enter');
    await workbench().page.locator('.quick-input-message', { hasText: 'Enter a reason.' }).waitFor();
    await answer(reason);
    await dates().waitFor({ state: 'detached' });
    await marks().first().waitFor({ state: 'detached' });
    await workbench().page.locator('.sidebar .message', { hasText: '1 ignored' }).waitFor();
    const text = readFileSync(path.join(workbench().folder, '.kindred-baseline.jsonc'), 'utf8');
    assert.match(text, /\{ "contents": \{ "[0-9a-f]{16}": .*, "reason": "Kept apart: the tools have no build\."/);
    assert.doesNotMatch(text, /period\.ts/);
  });

  test('the view Ignored has its reason and its places; taken back, it is there again', async () => {
    await pane('Ignored').click();
    const entry = workbench().treeRows(reason).first();
    await entry.waitFor();
    await entry.locator('.monaco-tl-twistie').click();
    await workbench().treeRows('days.ts:1-').first().waitFor();
    await workbench().screenshot('ignored');
    await entry.hover();
    await entry.locator('.action-label[aria-label*="Stop Ignoring"]').click();
    await dates().waitFor();
    await marks().first().waitFor();
    await pane('Ignored').waitFor({ state: 'detached' });
  });

  test('with Delete it is the row with the focus, whatever is selected', async () => {
    const { page } = workbench();
    await workbench().treeRows('load_orders').first().click();
    await page.keyboard.press('Home');
    const focused = page.locator('.sidebar .monaco-list-row.focused', { hasText: '3×28 dates.ts' });
    for (let step = 0; step < 20 && !(await focused.isVisible()); step++) await page.keyboard.press('ArrowDown');
    await focused.waitFor();
    await page.keyboard.press('Delete');
    await page.locator('.quick-input-title', { hasText: 'Ignore This Duplicate' }).waitFor();
    await pick('For Me');
    await page.locator('.quick-input-widget', { hasText: 'This can be left empty.' }).waitFor();
    await page.keyboard.press('Enter');
    await dates().waitFor({ state: 'detached' });
    await workbench().treeRows('load_orders').first().waitFor();
    const entry = workbench().treeRows('for me').first();
    await entry.hover();
    await entry.locator('.action-label[aria-label*="Stop Ignoring"]').click();
    await dates().waitFor();
  });

  test('from the light bulb for oneself, without a reason', async () => {
    await click('const date = new Date');
    await lightBulb('Ignore all 3 copies…');
    await pick('For Me');
    await workbench().page.locator('.quick-input-widget', { hasText: 'This can be left empty.' }).waitFor();
    await workbench().page.keyboard.press('Enter');
    await dates().waitFor({ state: 'detached' });
    await workbench().treeRows('for me').first().waitFor();
    const entry = workbench().treeRows('for me').first();
    await entry.hover();
    await entry.locator('.action-label[aria-label*="Stop Ignoring"]').click();
    await dates().waitFor();
  });

  test('one copy by comments in its own language, which the others do not feel', async () => {
    await click('const date = new Date');
    await lightBulb('Ignore this copy by comments…');
    await answer('as in the report');
    await editor()
      .locator('.view-line', { hasText: /\/\/.kindred-ignore-start:.as.in.the.report/ })
      .first()
      .waitFor();
    await marks().first().waitFor({ state: 'detached' });
    await workbench().treeRows('as in the report').first().waitFor();
    await workbench().screenshot('ignored by comments');
  });

  for (const theme of themeNames) {
    test(`what is ignored looks like the rest (${theme})`, async () => {
      await workbench().changeTheme(theme);
      await workbench().treeRows('as in the report').first().waitFor();
      await workbench().screenshot(`ignored ${theme}`);
    });
  }

  function dates() {
    return workbench().treeRows('3×28 dates.ts').first();
  }

  function marks() {
    return editor().locator('.squiggly-info');
  }

  function editor() {
    return workbench().page.locator('.editor-group-container.active .monaco-editor').first();
  }

  function pane(name: string) {
    return workbench().page.locator('.sidebar .pane-header', { hasText: name }).first();
  }

  async function click(text: string): Promise<void> {
    await editor().locator('.view-line', { hasText: text }).first().click();
  }

  async function choose(row: ReturnType<typeof dates>, command: string): Promise<void> {
    await row.click({ button: 'right' });
    const item = workbench().page.locator('.context-view .monaco-menu .action-label', { hasText: command }).first();
    await item.hover();
    // A menu takes no click while it opens: it could be the end of the one that has opened it.
    await workbench().page.waitForTimeout(500);
    await item.click();
  }

  async function pick(label: string): Promise<void> {
    await workbench().page.locator('.quick-input-list .monaco-list-row', { hasText: label }).first().click();
  }

  async function answer(text: string): Promise<void> {
    const input = workbench().page.locator('.quick-input-widget .quick-input-box input');
    await input.waitFor();
    await input.fill(text);
    await workbench().page.keyboard.press('Enter');
  }

  async function lightBulb(action: string): Promise<void> {
    await workbench().page.keyboard.press('Control+.');
    await workbench().page.locator('.action-widget .monaco-list-row', { hasText: action }).click();
  }

  async function open(file: string): Promise<void> {
    const { page } = workbench();
    await page.keyboard.press('Control+p');
    const input = page.locator('.quick-input-widget .quick-input-box input');
    await input.waitFor();
    await input.fill(file);
    const [name] = file.split('/').slice(-1);
    await page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first().click();
    await page.locator('.tabs-container .tab.active', { hasText: name }).first().waitFor();
  }
});
