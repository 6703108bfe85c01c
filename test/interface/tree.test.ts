/** Navigation in the tree: labels of rows, grouping, filters, the view of one file, and bulk actions. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { suiteWorkbench, themeNames } from './workbench.ts';

/** Width of a narrow but readable side bar, in CSS pixels. */
const narrow = 200;

suite('tree', () => {
  const workbench = suiteWorkbench({ fixture: 'shop' });

  test('shows the name and the place of each row', async () => {
    await workbench().showViews();
    await row(/^load_orders · 2 copies · 21 lines · .* · load_orders\.py ↔ load_refunds\.py\s*tools/).waitFor();
    await row(/^in Installing the shop · 2 copies · 4 lines · .* · install\.md ↔ upgrade\.md\s*docs/).waitFor();
    await workbench().screenshot('rows');
  });

  test('compares its selected row if no copy is at a cursor', async () => {
    const orders = row('load_orders · 2 copies · 21 lines');
    const copy = row(/^\s*load_refunds\.py:6-26/);
    await workbench().clickUntil(orders, copy);
    await workbench().run('Kindred: Compare Copies');
    await workbench().tab('↔').waitFor();
    await workbench().run('View: Close All Editors');
    await workbench().clickUntil((timeout) => orders.click({ timeout }), copy, 'hidden');
  });

  for (const [grouping, first, inIt] of [
    ['File', 'dates.ts · src/billing', 'parseDay · period.ts, days.ts'],
    ['Folder', 'src', 'billing'],
    ['Language', 'TypeScript', 'invoice.ts ↔ statement.ts'],
    ['Duplicate', 'Source', 'load_orders · 2 copies · 21 lines'],
  ] as const) {
    test(`is grouped by ${grouping.toLowerCase()}`, async () => {
      await workbench().clickTitle('Group By');
      await workbench().choose(grouping);
      await row(first).waitFor();
      if (grouping === 'Duplicate') await row(inIt).waitFor();
      else await workbench().clickUntil(row(first), row(inIt));
      await workbench().screenshot(`grouped by ${grouping}`);
    });
  }

  test('expands and collapses all of its rows', async () => {
    await openMenu('Expand All', row(/^\s*days\.ts:4-20/));
    await row(/^\s*load_refunds\.py:6-26/).waitFor();
    await workbench().screenshot('expanded');
    await workbench().clickUntil(() => workbench().clickTitle('Collapse All'), row(/^\s*days\.ts:4-20/), 'hidden');
    await workbench().clickUntil(row(/^\s*Source/), row('load_orders · 2 copies · 21 lines'));
  });

  test('explains its rows and icons in a list', async () => {
    const { page } = workbench();
    const entries = page.locator('.quick-input-list .monaco-list-row');
    await openMenu('Explain Rows and Icons', entries.filter({ hasText: '3 copies · 28 lines' }));
    await workbench().screenshot('legend');
    for (const [text, icon, meaning] of [
      ['load_orders · 2 copies', 'replace', 'Renamed'],
      ['dates.ts, period.ts, days.ts', 'files', 'whole files'],
    ] as const) {
      await row(text).locator(`.codicon-${icon}`).waitFor();
      await entries.filter({ hasText: meaning }).locator(`.codicon-${icon}`).first().waitFor();
    }
    await page.keyboard.press('Escape');
  });

  test('is filtered by combined conditions, which are shown, and cleared with one click', async () => {
    await workbench().clickTitle('Filter');
    await workbench().choose('Renamed Copies');
    await message('Filter: Renamed Copies (1 of 4 duplicates)').waitFor();
    await workbench().run('Kindred: Filter');
    await workbench().screenshot('filters');
    await workbench().choose('Folder…');
    await workbench().choose('docs');
    await workbench().page.locator('.sidebar', { hasText: 'No duplicates match the filter.' }).waitFor();
    await workbench().clickTitle('Clear Filter', message(/^\s*4 duplicates/));
    await workbench().run('Kindred: Filter', 'Text');
    await message('Filter: Text (1 of 4 duplicates)').waitFor();
    // The list stays and shows the active filters.
    const on = workbench().page.locator('.quick-input-list .monaco-list-row', { hasText: /^\s*Text\s*on/ });
    await on.waitFor();
    await workbench().screenshot('filters on');
    await workbench().choose('Source');
    await message('Filter: Text + Source (4 of 4 duplicates)').waitFor();
    await workbench().choose('Source');
    await message('Filter: Text (1 of 4 duplicates)').waitFor();
    // The filter persists in the next window.
    await workbench().page.reload();
    await message('Filter: Text (1 of 4 duplicates)').waitFor();
    await workbench().clickTitle('Clear Filter', message(/^\s*4 duplicates/));
  });

  test('follows the editor, as does the view of its file', async () => {
    await workbench().clickUntil(
      workbench().pane('In This File'),
      workbench().page.locator('.sidebar', { hasText: 'Open a file to see its duplicates.' }),
    );
    const copy = row(/^\s*load_refunds\.py:6-26/);
    await workbench().clickUntil(row('load_orders · 2 copies · 21 lines'), copy);
    await workbench().clickUntil(copy, workbench().tab('load_refunds.py'));
    await workbench().pane('load_refunds.py · 1').waitFor();
    await workbench()
      .page.locator('.sidebar .monaco-list-row', { hasText: /^\s*load_refunds · load_orders\.py/ })
      .waitFor();
    await workbench().screenshot('in this file');
    // Going to a copy in the editor selects its row and reveals it again.
    await workbench().clickUntil(
      () => workbench().clickTitle('Collapse All'),
      row('load_orders · 2 copies · 21 lines'),
      'hidden',
    );
    await workbench().run('View: Close All Editors');
    await workbench().open('load_orders.py:10');
    await row('load_orders · 2 copies · 21 lines').waitFor();
    await workbench().screenshot('followed');
    // Only the user selects rows.
    assert.equal(await selected('load_orders · 2 copies · 21 lines').count(), 0);
  });

  test('previews clicked and browsed copies, and passes no key except Enter to them', async () => {
    const { page } = workbench();
    const line = (text: RegExp) => workbench().editor().locator('.view-line', { hasText: text }).first();
    const [first, second] = [row(/^\s*load_orders\.py:\d/), row(/^\s*load_refunds\.py:6-26/)];
    await workbench().clickUntil(row('load_orders · 2 copies · 21 lines'), first);
    await workbench().clickUntil(first, workbench().tab('load_orders.py'));
    await isFocused('.sidebar');
    await page.keyboard.press('ArrowDown');
    await workbench().tab('load_refunds.py').waitFor();
    await selected('load_refunds.py:6-26').waitFor();
    await isFocused('.sidebar');
    // Moving to a row without a copy changes nothing.
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await workbench().tab('load_orders.py').waitFor();
    await isFocused('.sidebar');
    await workbench().clickUntil(second, workbench().tab('load_refunds.py'));
    await page.keyboard.press('Space');
    await isFocused('.sidebar');
    await page.keyboard.press('Delete');
    // It ignores, after a prompt.
    await page.locator('.quick-input-widget .quick-input-box input').waitFor();
    await page.keyboard.press('Escape');
    await isFocused('.sidebar');
    await workbench().screenshot('preview');
    // VS Code drops a key that follows the end of a prompt within some milliseconds, as after Escape in its palette.
    const inEditor = page.locator('.editor-instance .monaco-editor.focused');
    await workbench().clickUntil(() => page.keyboard.press('Enter'), inEditor);
    await isFocused('.editor-instance');
    await page.keyboard.press('Delete');
    await line(/^ef.load_refunds/).waitFor();
    await page.keyboard.press('Control+z');
    await line(/^def.load_refunds/).waitFor();
    await line(/sqlite3\.connect/).waitFor();
    await workbench().clickUntil((timeout) => first.dblclick({ timeout }), workbench().tab('load_orders.py'));
    await isFocused('.editor-instance');
    assert.equal(await workbench().editor().locator('.selected-text').count(), 0);
  });

  test('has check boxes, and opens all checked rows', async () => {
    await workbench().run('View: Close All Editors');
    const box = row('load_orders · 2 copies · 21 lines').locator('.custom-view-tree-node-item-checkbox');
    await openMenu('Select with Checkboxes', box);
    await check(box);
    await check(row(/dates\.ts.* · 3 copies · 28 lines/).locator('.custom-view-tree-node-item-checkbox'));
    await workbench().screenshot('checkboxes');
    const tab = (name: string) => workbench().page.locator('.tabs-container .tab', { hasText: name });
    await openMenu('Open All Copies', tab('load_orders.py'));
    for (const name of ['load_refunds.py', 'dates.ts', 'period.ts', 'days.ts']) await tab(name).waitFor();
    await openMenu('Hide Checkboxes', box, 'hidden');
    await workbench().run('View: Close All Editors');
  });

  test('has a badge for new rows, and a filter that shows only those', async () => {
    const lines = Array.from({ length: 14 }, (_, n) => `  quay.moor(${n}, berths[${n * 3}], 'slip ${n * 7}', depth);`);
    for (const name of ['one', 'two']) {
      const text = `export function moorAll${name}(quay, berths, depth) {\n${lines.join('\n')}\n}\n`;
      await writeFile(path.join(workbench().folder, `${name}.ts`), text);
    }
    const item = workbench().page.locator('.activitybar .action-item', {
      has: workbench().page.locator('.action-label[aria-label^="Kindred"]'),
    });
    await item.locator('.badge-content').filter({ hasText: '1' }).waitFor();
    await workbench().run('Kindred: Filter', 'New or Changed');
    await message('Filter: new or changed (1 of 5 duplicates)').waitFor();
    await row('one.ts ↔ two.ts').waitFor();
    await workbench().screenshot('new');
    await workbench().clickTitle('Clear Filter', row('load_orders · 2 copies · 21 lines'));
  });

  test('is filtered by new rows since a Git ref, shows that, and filters again in a new window', async () => {
    const { folder, page } = workbench();
    const git = (...gitArguments: readonly string[]): unknown =>
      execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...gitArguments], {
        cwd: folder,
      });
    // The test may run again after a failure.
    await rm(path.join(folder, 'tools/load_returns.py'), { force: true });
    git('init', '-q', '-b', 'main');
    git('add', '.');
    git('commit', '-q', '--allow-empty', '-m', 'The shop');
    await cp(path.join(folder, 'tools/load_orders.py'), path.join(folder, 'tools/load_returns.py'));
    await row('load_orders · 3 copies · 21 lines').waitFor();
    await workbench().run('Kindred: Show Only What Is New Since');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'uncommitted changes' }).waitFor();
    await workbench().screenshot('refs');
    await workbench().choose('HEAD');
    await message(/Filter: new since HEAD \(2 of \d+ duplicates/).waitFor();
    await workbench().clickUntil(
      row('load_orders · 3 copies · 21 lines'),
      workbench()
        .treeRows(/load_returns\.py.*new/)
        .first(),
    );
    await workbench().screenshot('new since');
    await page.reload();
    await message(/Filter: new since HEAD \(2 of \d+ duplicates/).waitFor();
    await workbench().clickTitle('Clear Filter', message(/^\s*\d+ duplicates/));
    await rm(path.join(folder, 'tools/load_returns.py'));
    await row('load_orders · 2 copies · 21 lines').waitFor();
  });

  test(`shows the subject of a row in ${narrow} pixels, in each type of theme`, async () => {
    const sash = await workbench().page.locator('.sidebar').boundingBox();
    assert.ok(sash);
    const { mouse } = workbench().page;
    await mouse.move(sash.x + sash.width, 500);
    await mouse.down();
    await mouse.move(sash.x + narrow, 500, { steps: 5 });
    await mouse.up();
    const width = (await workbench().page.locator('.sidebar').boundingBox())?.width ?? 0;
    assert.ok(width < narrow + 20, `${width} pixels`);
    for (const theme of themeNames) {
      await workbench().changeTheme(theme);
      // The name is visible if its characters end before the label is clipped.
      for (const name of ['load_orders · 2', 'dates.ts, period']) {
        const ends = await row(name).evaluate<readonly [number, number], string>(endsOf as never, name);
        assert.ok(ends[0] <= ends[1], `${theme}: ${name} ends at ${ends[0]}, what is seen at ${ends[1]}`);
      }
      await workbench().screenshot(`narrow ${theme}`);
    }
  });

  function row(text: string | RegExp) {
    return workbench().treeRows(text).first();
  }

  function selected(text: string) {
    return workbench().page.locator('.sidebar .monaco-list-row.selected', { hasText: text });
  }

  /** Checks the box of a row. Repeats a lost click. */
  async function check(box: Locator): Promise<void> {
    const checked = box.and(workbench().page.locator('[aria-checked="true"]'));
    await workbench().repeat(async (timeout) => {
      if (!(await checked.isVisible())) await box.click({ timeout });
      await checked.waitFor({ timeout });
    });
  }

  /** Waits until a part of the window has the focus. */
  async function isFocused(part: string): Promise<void> {
    await workbench().page.waitForFunction(`document.activeElement.closest('${part}') !== null`);
  }

  function message(text: string | RegExp) {
    return workbench().page.locator('.sidebar .message').filter({ hasText: text });
  }

  /**
   * Chooses a command in the menu of the view's title, until its effect is visible. The menu may close without running
   * the command, as when the focus moves late.
   */
  async function openMenu(label: string, effect: Locator, state?: 'hidden'): Promise<void> {
    const item = workbench().page.locator('.monaco-menu .action-item', { hasText: label }).first();
    const choose = async (timeout: number): Promise<void> => {
      await workbench().clickTitle('More Actions');
      await item.click({ timeout }).catch(async (error: unknown) => {
        await workbench().page.keyboard.press('Escape');
        throw error;
      });
    };
    await workbench().clickUntil(choose, effect, state);
  }
});

interface Box {
  readonly right: number;
}

/** Used members of page elements. */
interface Element {
  readonly textContent: string;
  readonly firstChild: Element | null;
  readonly ownerDocument: {
    createRange(): {
      setStart(node: unknown, at: number): void;
      setEnd(node: unknown, at: number): void;
      getBoundingClientRect(): Box;
    };
  };
  querySelector(selector: string): Element;
  getBoundingClientRect(): Box;
}

/** Returns the end of a name in a row's label, and the position where the label is clipped, in pixels. */
function endsOf(row: Element, name: string): [end: number, clip: number] {
  const label = row.querySelector('.label-name');
  let text = label;
  while (text.firstChild) text = text.firstChild;
  const range = label.ownerDocument.createRange();
  range.setStart(text, 0);
  range.setEnd(text, name.length);
  return [range.getBoundingClientRect().right, row.querySelector('.monaco-icon-label').getBoundingClientRect().right];
}
