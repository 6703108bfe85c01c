/** The window as it opens, before anything is asked of Kindred. */
import assert from 'node:assert/strict';
import { suiteWorkbench } from './workbench.ts';

suite('a window with a folder', () => {
  const workbench = suiteWorkbench({ fixture: 'workspace' });

  test('the explorer shows the files of the folder', async () => {
    const rows = workbench().page.locator('.explorer-folders-view .monaco-list-row');
    await rows.first().waitFor();
    assert.deepEqual(await rows.allInnerTexts(), ['cart.ts', 'order.ts', 'readme.md']);
    await workbench().screenshot('start');
  });
});
