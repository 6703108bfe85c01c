/** The tree while findings and settings change: the user's place in it, and the rows that a command applies to. */
import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { functionsOf } from '../passages.ts';
import { suiteWorkbench } from './workbench.ts';

/** Number of rows, which do not fit into the window. */
const pairs = 60;

suite('a long tree', () => {
  const workbench = suiteWorkbench({
    fixture: 'shop',
    fill: async (folder) => {
      for (let pair = 0; pair < pairs; pair++) {
        const text = functionsOf(`pair${pair}`, 4);
        for (const side of ['left', 'right'])
          await writeFile(path.join(folder, `${side}${String(pair).padStart(2, '0')}.ts`), text);
      }
    },
  });

  test('keeps expanded rows, the selection, and the scroll position when a setting changes and after a scan', async () => {
    const { page, folder } = workbench();
    await workbench().showViews();
    await scrollTo('left02.ts', -100);
    const count = Number(/\d+/.exec(await header('duplicates').innerText())?.[0]);
    await workbench().clickUntil(row('left02.ts'), row(/^\s*left02\.ts:/));
    await scrollTo('left42.ts', 100);
    const top = workbench().treeRows().nth(3);
    const target = (await top.innerText()).trim();
    const copy = row(/^\s*right40\.ts:/);
    await workbench().clickUntil(row('left40.ts'), copy);
    await workbench().clickUntil(copy, workbench().tab('right40.ts'));
    let place = await placeOf(target);
    await workbench().until(async () => {
      const before = place;
      await page.waitForTimeout(500);
      place = await placeOf(target);
      return place === before;
    });
    const isSame = async (): Promise<void> => {
      await page.locator('.sidebar .monaco-list-row.selected', { hasText: 'right40.ts:' }).waitFor();
      await workbench().until(async () => (await placeOf(target)) === place);
    };
    await isSame();
    // The last rows of the section disappear.
    await workbench().changeSettings({ 'kindred.exclude': ['left59.ts'] });
    await header(`${count - 1} duplicates`).waitFor();
    await isSame();
    await rm(path.join(folder, 'right58.ts'));
    await workbench().run('Kindred: Scan Workspace');
    await header(`${count - 2} duplicates`).waitFor();
    await isSame();
    await copy.waitFor();
    await workbench().screenshot('steady');
    // The row far above is still expanded.
    await scrollTo(/^\s*left02\.ts:/, -100);
    await workbench().run('View: Close All Editors');
  });

  test('applies a command of a context menu to a row outside the selection alone', async () => {
    const { page } = workbench();
    await scrollTo('left03.ts', -100);
    await workbench().select(row('left03.ts'), row('left04.ts'), row('left05.ts'));
    await workbench().chooseInMenu(row('left04.ts'), 'Copy Locations');
    await workbench().announced('6 places were copied to the clipboard.');
    await workbench().chooseInMenu(row('left06.ts'), 'Copy Locations');
    await workbench().announced('2 places were copied to the clipboard.');
    assert.equal(await page.locator('.sidebar .monaco-list-row.selected').count(), 3);
  });

  function row(text: string | RegExp) {
    return workbench().treeRows(text).first();
  }

  /**
   * Turns the mouse wheel over the tree until a row is visible. The mouse leaves the tree each time, because the
   * tooltip of a row that has moved away can be under the mouse, and would keep the wheel from the tree.
   */
  async function scrollTo(text: string | RegExp, pixels: number): Promise<void> {
    const { mouse } = workbench().page;
    await workbench().until(async () => {
      if (await row(text).isVisible()) return true;
      await mouse.move(900, 700);
      await mouse.move(200, 400);
      await mouse.wheel(0, pixels);
      return false;
    });
  }

  function header(text: string) {
    return workbench().page.locator('.sidebar .message', { hasText: text });
  }

  /** Returns the distance of a row from the top of the window, in pixels. */
  async function placeOf(text: string): Promise<number | undefined> {
    return (await row(text).boundingBox())?.y;
  }
});
