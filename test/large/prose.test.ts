/** A million lines of Markdown: the view fills, filters respond, and commands respond immediately or show progress. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { writeLargeProse } from '../manyFiles.ts';
import { suiteWorkbench } from '../interface/workbench.ts';

/** Pages of 500 lines. */
const pages = 2_000;

suite('a million lines of Markdown', () => {
  const workbench = suiteWorkbench({ fixture: 'shop', fill: (folder) => writeLargeProse(folder, pages) });
  /** Text of the view for all duplicates. */
  let all = '';

  test('fill the view', async () => {
    await workbench().activity('Kindred').click();
    // Before the end of the scan, the message is about the first rows.
    await message(/^\s*[\d,]+ duplicates, /).waitFor();
    all = (await message('duplicates').innerText()).trim();
    assert.match(all, /^\d,\d\d\d duplicates, \d+(\.\d)? % of source and text$/);
    await row('Text').waitFor();
    await row(/page\d+\.md/).waitFor();
    await workbench().screenshot('large prose');
  });

  test('are filtered by type and by folder, and the filter is cleared', async () => {
    await workbench().run('Kindred: Filter');
    await answer(
      'Filter: Exact Copies',
      () => workbench().choose('Exact Copies'),
      message(/Filter: Exact Copies \([\d,]+ of/),
    );
    await workbench().run('Kindred: Filter');
    await workbench().choose('Folder…');
    await answer(
      'Filter: Folder',
      () => workbench().choose('book/chapter3'),
      message(/in book\/chapter3.*\([\d,]+ of/),
    );
    await workbench().screenshot('large prose filtered');
    await answer('Clear Filter', () => workbench().run('Kindred: Clear Filter'), message(all));
  });

  test('are grouped by file and by duplicate again', async () => {
    await workbench().run('Kindred: Group By');
    await answer('Group By File', () => workbench().choose('File'), row(/^\s*page\d+\.md/));
    await workbench().run('Kindred: Group By');
    await answer('Group By Duplicate', () => workbench().choose('Duplicate'), row('Text'));
  });

  test('have rows that are expanded and compared', async () => {
    const first = row(/^\s*in .* copies/);
    await answer('expanding a row', () => first.click(), row(/^\s*page\d+\.md:\d+-\d+/));
    await first.hover();
    const compare = first.locator('.action-label[aria-label*="Compare Copies"]');
    const tab = workbench().page.locator('.tabs-container .tab.active', { hasText: '↔' }).first();
    await answer('Compare Copies', () => compare.click(), tab);
    await workbench().run('View: Close All Editors');
  });

  /**
   * Performs an action and waits for its result. If the result is not immediate, progress must be shown. Prints both
   * times.
   */
  async function answer(name: string, act: () => Promise<void>, shown: Locator): Promise<void> {
    await act();
    const acted = performance.now();
    const busy = workbench().page.locator('.monaco-progress-container.active, .codicon-modifier-spin');
    await Promise.race([shown.waitFor(), busy.first().waitFor()]);
    const toldMs = performance.now() - acted;
    await shown.waitFor();
    const figures = [toldMs, performance.now() - acted].map((ms) => ms.toFixed(0));
    console.log(`      ${name}: the first sign came after ${figures[0]} ms, the answer after ${figures[1]}`);
  }

  function row(text: string | RegExp): Locator {
    return workbench().treeRows(text).first();
  }

  function message(text: string | RegExp): Locator {
    return workbench().page.locator('.sidebar .message').filter({ hasText: text }).first();
  }
});
