/** Ignoring a duplicate with a reason, and undoing that. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { shopWorkbench } from './workbench.ts';

const reason = 'Kept apart: the tools have no build.';

suite('ignoring duplicates', () => {
  const workbench = shopWorkbench();

  test('a row is ignored with a reason for the project, and disappears from the tree and the editor', async () => {
    await workbench().showViews();
    await dates().waitFor();
    await workbench().open('src/reports/period.ts');
    await marks().first().waitFor();
    await workbench().chooseInMenu(dates(), 'Ignore…', 'For the Project');
    await workbench().page.locator('.quick-input-widget', { hasText: 'Why is the repetition intended?' }).waitFor();
    await workbench().screenshot('ignore reason');
    // Without a reason, nothing is ignored for everyone.
    await workbench().page.keyboard.press('Enter');
    await workbench().page.locator('.quick-input-message', { hasText: 'Enter a reason.' }).waitFor();
    await workbench().answer(reason);
    await dates().waitFor({ state: 'detached' });
    await marks().first().waitFor({ state: 'detached' });
    await workbench().page.locator('.sidebar .message', { hasText: '1 ignored' }).waitFor();
    const text = readFileSync(path.join(workbench().folder, '.kindred-baseline.jsonc'), 'utf8');
    assert.match(text, /\{ "contents": \{ "[0-9a-f]{16}": .*, "reason": "Kept apart: the tools have no build\."/);
    // Whole files have no lines, and no other copy is named.
    assert.match(text, /"at": "src\/billing\/dates\.ts"/);
    assert.doesNotMatch(text, /period\.ts/);
  });

  test('the view Ignored shows the reason and the places, and undoing restores the row', async () => {
    const entry = workbench().treeRows(reason).first();
    await workbench().clickUntil(workbench().pane('Ignored'), entry);
    await workbench().clickUntil(entry.locator('.monaco-tl-twistie'), workbench().treeRows('days.ts:1-').first());
    await workbench().screenshot('ignored');
    await stopIgnoring(reason);
    await dates().waitFor();
    await marks().first().waitFor();
    await workbench().pane('Ignored').waitFor({ state: 'detached' });
    assert.equal(existsSync(path.join(workbench().folder, '.kindred-baseline.jsonc')), false);
  });

  test('Delete applies to the focused row, whatever is selected', async () => {
    const { page } = workbench();
    // A run before this one may have ignored another row.
    if ((await workbench().treeRows('for me').count()) > 0) await stopIgnoring('for me');
    await workbench().treeRows('load_orders').first().click();
    const focused = page.locator('.sidebar .monaco-list:focus .monaco-list-row.focused');
    await page.keyboard.press('Home');
    await focused.filter({ hasText: 'Folders' }).waitFor();
    while (!(await dates().and(focused).isVisible())) {
      // The extension runs the command of the key. A key that is pressed before it has run goes one row too far.
      const before = await focused.getAttribute('id');
      await page.keyboard.press('ArrowDown');
      await workbench().until(async () => (await focused.getAttribute('id')) !== before);
    }
    await page.keyboard.press('Delete');
    await page.locator('.quick-input-title', { hasText: 'Ignore This Duplicate' }).waitFor();
    await workbench().choose('For Me');
    await page.locator('.quick-input-widget', { hasText: '(optional)' }).waitFor();
    await page.keyboard.press('Enter');
    await dates().waitFor({ state: 'detached' });
    await workbench().treeRows('load_orders').first().waitFor();
    // The keys go on from the row that is there now.
    const next = page.locator('.sidebar .monaco-list:focus .monaco-list-row.focused[aria-level="2"]');
    await next.waitFor();
    await stopIgnoring('for me');
    await dates().waitFor();
  });

  test('a pair of three copies is ignored for the user, and the row stays', async () => {
    const copy = (name: string) =>
      workbench()
        .treeRows(new RegExp(`^\\s*${name.replace('.', '\\.')}:`))
        .first();
    await workbench().clickUntil(dates(), copy('days.ts'));
    await workbench().select(copy('days.ts'), copy('period.ts'));
    await workbench().chooseInMenu(copy('period.ts'), 'Ignore This Pair…', 'For Me');
    await workbench().page.locator('.quick-input-widget', { hasText: '(optional)' }).waitFor();
    await workbench().page.keyboard.press('Enter');
    await workbench().notifications('It stays in the view because its other copies still match.').waitFor();
    const tooltip = workbench().page.locator('.workbench-hover', { hasText: 'a pair of copies' });
    await workbench().hoverUntil(workbench().treeRows('for me').first(), tooltip);
    assert.equal(await workbench().treeRows('No Longer Applies').count(), 0);
    await dates().waitFor();
    await stopIgnoring('for me');
  });

  test('a file is excluded, and the notification undoes it', async () => {
    const notice = workbench().notifications('period.ts is now excluded by kindred.exclude.');
    // The arrow keys of the previous test may have previewed another file.
    await workbench().open('src/reports/period.ts');
    await workbench().run('Kindred: Exclude This File');
    await workbench().keepToast(notice);
    await workbench()
      .treeRows(/dates\.ts.* · 3 copies · 28 lines/)
      .waitFor({ state: 'detached' });
    await workbench().screenshot('exclude');
    await workbench().clickUntil(
      notice.locator('.monaco-button', { hasText: 'Undo' }),
      workbench().treeRows(/dates\.ts.* · 3 copies · 28 lines/),
    );
    await marks().first().waitFor();
    const settings = readFileSync(path.join(workbench().folder, '.vscode/settings.json'), 'utf8');
    assert.doesNotMatch(settings, /kindred\.exclude/);
  });

  test('from the light bulb for the user only, without a reason', async () => {
    await workbench().click('const date = new Date');
    await workbench().chooseInLightBulb('Ignore all 3 copies…');
    // By keyboard: a click right after the list has opened can hit a neighbor.
    await workbench().answer('For Me');
    await workbench().page.locator('.quick-input-widget', { hasText: '(optional)' }).waitFor();
    await workbench().page.keyboard.press('Enter');
    await dates().waitFor({ state: 'detached' });
    await workbench().treeRows('for me').first().waitFor();
    await stopIgnoring('for me');
    await dates().waitFor();
  });

  test('ignores one copy by comments in its language without affecting the others', async () => {
    await workbench().click('const date = new Date');
    await workbench().chooseInLightBulb('More…');
    await workbench().choose('Ignore this copy by comments…');
    await workbench().answer('as in the report');
    await workbench()
      .editor()
      .locator('.view-line', { hasText: /\/\/.kindred-ignore-start:.as.in.the.report/ })
      .first()
      .waitFor();
    await marks().first().waitFor({ state: 'detached' });
    await workbench().treeRows('as in the report').first().waitFor();
    await workbench().screenshot('ignored by comments');
  });

  test('the announced number of a folder row equals the decrease of the total in the Status Bar', async () => {
    const { page } = workbench();
    const total = async (): Promise<number> => {
      const text = await page
        .locator('.statusbar-item', { hasText: /^\s*\d+ duplicates?$/ })
        .first()
        .innerText();
      return Number.parseInt(text, 10);
    };
    const before = await total();
    const folders = workbench().treeRows('billing ↔ reports').first();
    await workbench().chooseInMenu(folders, 'Ignore…', 'For Me');
    await page.locator('.quick-input-widget', { hasText: '(optional)' }).waitFor();
    await page.keyboard.press('Enter');
    const toast = workbench().notifications('Ignored for you: ');
    await workbench().keepToast(toast);
    const sentence = await toast.locator('.notification-list-item-message').innerText();
    await folders.waitFor({ state: 'detached' });
    const count = Number(/^Ignored for you: (\d+) duplicates?$/.exec(sentence.trim())?.[1]);
    assert.ok(count > 0, sentence);
    await workbench().until(async () => (await total()) === before - count);
    await workbench().screenshot('ignored with undo');
    await workbench().clickUntil(toast.locator('.monaco-button', { hasText: 'Undo' }), folders);
    await workbench().until(async () => (await total()) === before);
    await workbench().treeRows('for me').first().waitFor({ state: 'detached' });
  });

  function dates() {
    return workbench()
      .treeRows(/dates\.ts.* · 3 copies · 28 lines/)
      .first();
  }

  function marks() {
    return workbench().editor().locator('.squiggly-info');
  }

  async function stopIgnoring(text: string): Promise<void> {
    const entry = workbench().treeRows(text).first();
    const click = async (): Promise<void> => {
      await entry.hover({ timeout: 5_000 });
      await entry.locator('.action-label[aria-label*="Stop Ignoring"]').click({ timeout: 5_000 });
    };
    await workbench().clickUntil(click, entry, 'hidden');
  }
});
