/** Copies in a notebook: the row shows and opens the cell, and the cell is marked. */
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../../scripts/project.mjs';
import { shopWorkbench } from './workbench.ts';

suite('a notebook', () => {
  const workbench = shopWorkbench();

  test('opens at the cell of a row, with the mark in it', async () => {
    await cp(path.join(root, 'test/fixtures/notebooks'), workbench().folder, { recursive: true });
    await workbench().changeSettings({ 'kindred.editor.show': { codeLens: true } });
    await workbench().showViews();
    const copy = workbench().treeRows('berths.ipynb, cell 3:1-11').first();
    await workbench().clickUntil(workbench().treeRows('berths.ipynb').first(), copy);
    const cell = workbench().page.locator('.notebook-editor .code-cell-row.focused');
    await workbench().clickUntil(copy, cell);
    await cell.locator('.squiggly-info').first().waitFor();
    await cell.locator('.codelens-decoration', { hasText: 'Also in mooring.py:4-14' }).waitFor();
    await workbench().screenshot('notebook');
  });
});
