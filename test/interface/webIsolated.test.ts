/**
 * Kindred in a page that is cross-origin isolated, as vscode.dev is with `?vscode-coi`. Its threads share memory, so
 * several compare.
 */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../../scripts/project.mjs';
import { openWorkbench, suiteWorkbench, type Workbench, type WorkbenchOptions } from './workbench.ts';

/** Number of files for which a scan starts three threads. */
const manyFiles = 700;

const manyInShop: WorkbenchOptions = {
  fixture: 'shop',
  fill: async (folder) => {
    await mkdir(path.join(folder, 'alone'));
    for (let i = 0; i < manyFiles; i++) {
      await writeFile(path.join(folder, 'alone', `${i}.ts`), `export const alone${i} = ${i};\n`);
    }
    // A window of a server ignores user settings that depend on the machine.
    await mkdir(path.join(folder, '.vscode'));
    await writeFile(path.join(folder, '.vscode', 'settings.json'), '{ "kindred.workers": 3 }\n');
  },
  settings: { 'files.autoSave': 'off' },
};

suite('a folder in an isolated page', () => {
  const isolatePages = pathToFileURL(path.join(root, 'scripts', 'isolatePages.mjs')).href;
  const workbench = suiteWorkbench({
    ...manyInShop,
    settings: { ...manyInShop.settings, 'remote.extensionKind': { 'kindred.kindred': ['web'] } },
    environment: { NODE_OPTIONS: `--import=${isolatePages}` },
  });
  const orders = (window: Workbench) => window.treeRows('load_orders').first();

  /** Shows the rows of a window, and returns their texts. */
  async function rowsOf(window: Workbench): Promise<readonly string[]> {
    await window.showViews();
    await orders(window).waitFor();
    return window.treeRows().allInnerTexts();
  }

  test('is compared on several threads, with the rows of the desktop', async () => {
    const { page } = workbench();
    const rows = await rowsOf(workbench());
    assert.equal(await page.evaluate('crossOriginIsolated'), true);
    for (const worker of page.workers()) assert.equal(await worker.evaluate('crossOriginIsolated'), true);
    // The two threads that the worker starts have the same script. VS Code wraps that of the worker itself.
    const started: string[] = [];
    page.on('worker', (worker) => started.push(worker.url()));
    await workbench().run('Kindred: Rebuild Index');
    await workbench().until(() => Promise.resolve(new Set(started).size < started.length));
    await workbench().screenshot('web isolated');
    const desktop = await openWorkbench(manyInShop);
    try {
      assert.deepEqual(rows, await rowsOf(desktop));
    } finally {
      await desktop.close();
    }
  });

  test('an edit changes the rows before it is saved', async () => {
    await workbench().open('tools/load_refunds.py');
    await workbench().click('def load_refunds');
    await workbench().page.keyboard.press('Control+a');
    await workbench().page.keyboard.type('print(1)');
    await orders(workbench()).waitFor({ state: 'detached' });
    await workbench().run('File: Revert File');
    await orders(workbench()).waitFor();
    await workbench().run('View: Close All Editors');
  });

  test('a row is compared, tuned away, and ignored for the project', async () => {
    await workbench().clickAction(
      orders(workbench()),
      'Compare Copies',
      workbench().page.locator('.monaco-diff-editor .view-line', { hasText: 'load_refunds' }).first(),
    );
    await workbench().run('View: Close All Editors');
    const message = (text: string | RegExp) => workbench().page.locator('.sidebar .message', { hasText: text }).first();
    await workbench().chooseInMenu(orders(workbench()), 'Tune Sensitivity to Hide This…');
    await message(/Preview of other settings: 3 duplicates/).waitFor();
    await orders(workbench()).waitFor({ state: 'detached' });
    await workbench().clickUntil(
      workbench().page.frameLocator('iframe.webview.ready').frameLocator('iframe').locator('#reset'),
      orders(workbench()),
    );
    await workbench().run('View: Close All Editors');
    const dates = workbench()
      .treeRows(/dates\.ts.* · 3 copies · 28 lines/)
      .first();
    await workbench().chooseInMenu(dates, 'Ignore…', 'For the Project');
    await workbench().answer('Kept apart.');
    await dates.waitFor({ state: 'detached' });
    await message('1 ignored').waitFor();
  });

  test('a reload shows the findings of the index that is stored in the browser', async () => {
    const { page } = workbench();
    await page.reload();
    await orders(workbench()).waitFor();
    await page.locator('.sidebar .message', { hasText: '1 ignored' }).waitFor();
    await workbench().run('Kindred: Show Log');
    await page.locator('.panel .view-line', { hasText: 'Showing the findings of the last session' }).first().waitFor();
  });
});
