/** Half a million lines: each command responds, and shows progress until then. Prints both times. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { writeLargeTree } from '../manyFiles.ts';
import { suiteWorkbench } from '../interface/workbench.ts';

/** Files of 256 lines. */
const files = 2_000;

/** Without a filter, the text of the view is about source and text, and there are also tests. */
async function fill(folder: string): Promise<void> {
  await writeLargeTree(folder, files);
  const steps = Array.from({ length: 14 }, (_, n) => `  quay.moor(${n}, berths[${n * 3}], 'slip ${n * 7}', depth);`);
  for (const name of ['one', 'two']) {
    const text = `export function moorAll${name}(quay, berths, depth) {\n${steps.join('\n')}\n}\n`;
    await writeFile(path.join(folder, 'src', `${name}.test.ts`), text);
  }
}

suite('a tree of half a million lines', () => {
  const workbench = suiteWorkbench({ fixture: 'shop', fill, settings: { 'kindred.scanOnStartup': 'never' } });
  /** Text of the view for all duplicates. */
  let all = '';
  /** Beginning of the first row of a function: name and number of copies. */
  let first = '';

  test('is scanned while the status bar shows the progress', async () => {
    await workbench().activity('Kindred').click();
    await workbench().page.locator('.welcome-view-content .monaco-button', { hasText: 'Scan Workspace' }).click();
    await workbench()
      .page.locator('.statusbar-item[id^="kindred"]', { hasText: /%|files/ })
      .first()
      .waitFor();
    // Before the end of the scan, the message is about the first rows.
    await message(/^\s*[\d,]+ duplicates, /).waitFor();
    all = (await message('duplicates').innerText()).trim();
    assert.match(all, /^1,9\d\d duplicates, 14(\.\d)? % of source and text$/);
    first = (
      await row(/^\s*work\d+at\d+ · \d+ copies/)
        .locator('.label-name')
        .innerText()
    )
      .slice(0, 16)
      .trim();
  });

  for (const [grouping, top] of [
    ['File', /\.ts/],
    ['Folder', 'packages'],
    ['Language', 'TypeScript'],
    ['Duplicate', 'Source'],
  ] as const) {
    test(`is grouped by ${grouping.toLowerCase()}`, async () => {
      await workbench().run('Kindred: Group By');
      await answer(`Group By ${grouping}`, () => workbench().choose(grouping), row(top));
    });
  }

  test('is filtered by kind, and the filter is cleared', async () => {
    await workbench().run('Kindred: Filter');
    await answer(
      'Filter',
      () => workbench().choose('Renamed Copies'),
      message(/Filter: Renamed Copies \([\d,]+ of [\d,]+ duplicates/),
    );
    await answer('Clear Filter', () => workbench().run('Kindred: Clear Filter'), message(beginning()));
  });

  test('shows the copies of a row, and compares two of them', async () => {
    await answer('expanding a row', () => row(first).click(), row(/^\s*module\d+\.ts:\d+-\d+/));
    await row(first).hover();
    const compare = row(first).locator('.action-label[aria-label*="Compare Copies"]');
    await answer('Compare Copies', () => compare.click(), workbench().tab('↔'));
    await workbench().run('View: Close All Editors');
  });

  test('ignores a row with a reason, and undoes that in the view Ignored', async () => {
    await workbench().chooseInMenu(row(first), 'Ignore…', 'For Me');
    const input = workbench().page.locator('.quick-input-widget .quick-input-box input');
    await workbench().page.locator('.quick-input-widget', { hasText: 'Why is the repetition intended?' }).waitFor();
    await input.fill('Generated from one source');
    const enter = (): Promise<void> => workbench().page.keyboard.press('Enter');
    await answer('Ignore', enter, message('1 ignored'));
    await row(first).waitFor({ state: 'detached' });
    await workbench().page.locator('.sidebar .pane-header', { hasText: 'Ignored' }).first().click();
    const entry = row('Generated from one source');
    await entry.waitFor();
    await entry.hover();
    const undo = entry.locator('.action-label[aria-label*="Stop Ignoring"]');
    await answer('Stop Ignoring', () => undo.click(), row(first));
    await message(all).waitFor();
    await message('1 ignored').waitFor({ state: 'detached' });
  });

  test('finds near-duplicates of the selection', async () => {
    await open('packages/part3/src/module300.ts');
    await workbench().page.keyboard.press('Control+A');
    const found = workbench().page.locator('.sidebar .monaco-list-row', { hasText: 'module166.ts:161-176' });
    await answer('Find Near-Duplicates', () => workbench().run('Kindred: Find Near-Duplicates', 'Selection'), found);
    await workbench().screenshot('large tree similar');
    await workbench().activity('Kindred').click();
    await workbench().run('View: Close All Editors');
  });

  test('is shown as a map', async () => {
    const show = (): Promise<void> => workbench().run('Kindred: Show Duplication Map');
    await answer('Show Duplication Map', show, page().locator('.cell[data-path*="part3"]').first());
    assert.match(await page().locator('.summary').innerText(), /of 512,\d\d\d lines are duplicated/);
    await workbench().screenshot('large tree map');
    await workbench().run('View: Close All Editors');
  });

  test('is tuned with a preview', async () => {
    const tune = (): Promise<void> => workbench().run('Kindred: Tune Sensitivity');
    await answer('Tune Sensitivity', tune, page().locator('dd', { hasText: beginning() }).first());
    await page().locator('#dial-minTokens').focus();
    const turn = (): Promise<void> => workbench().page.keyboard.press('ArrowRight');
    await answer('turning a dial', turn, message(/Preview of other settings: [\d,]+ duplicates/));
    await workbench().screenshot('large tree tuning');
    await workbench().run('View: Close All Editors');
    await message(beginning()).waitFor();
  });

  /** Returns a pattern for the beginning of `all`: the number of duplicates. */
  function beginning(): RegExp {
    return new RegExp(`^\\s*${all.split(', ', 1)[0]}`);
  }

  /**
   * Performs an action and waits for its result. If the result is not immediate, progress must be shown. Prints both
   * times.
   */
  async function answer(name: string, act: () => Promise<void>, shown: Locator): Promise<void> {
    const begun = performance.now();
    await act();
    const acted = performance.now();
    const busy = workbench().page.locator(
      '.monaco-progress-container.active, .statusbar-item[id="status.progress"], .statusbar-item[id^="kindred"] .codicon-modifier-spin, .notification-list-item',
    );
    const inPage = page().locator('.progress:not(:empty), .nothing');
    // Locators of a page inside the window cannot be combined with others.
    await Promise.race([shown.waitFor(), busy.first().waitFor(), inPage.first().waitFor()]);
    const told = performance.now();
    await shown.waitFor();
    const ms = [acted - begun, told - acted, performance.now() - acted].map((time) => time.toFixed(0));
    console.log(
      `      ${name}: the act took ${ms[0]} ms, the first sign came after ${ms[1]}, the answer after ${ms[2]}`,
    );
  }

  function page(): FrameLocator {
    return workbench().page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
  }

  function row(text: string | RegExp): Locator {
    return workbench().treeRows(text).first();
  }

  function message(text: string | RegExp): Locator {
    return workbench().page.locator('.sidebar .message').filter({ hasText: text }).first();
  }

  async function open(file: string): Promise<void> {
    await workbench().open(file);
    await workbench().editor().locator('.view-line').first().click();
  }
});
