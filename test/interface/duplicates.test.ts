/** What a person sees of the duplicates in a folder: the tree, the marks in the editor, the compare; in every theme. */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { suiteWorkbench } from './workbench.ts';

const themes = [
  { name: 'dark', theme: 'Default Dark Modern', cssClass: '.vs-dark' },
  { name: 'light', theme: 'Default Light Modern', cssClass: '.vs' },
  { name: 'highContrast', theme: 'Default High Contrast', cssClass: '.hc-black' },
];

suite('a folder with duplicates', () => {
  const workbench = suiteWorkbench({ fixture: 'shop' });

  test('the tree lists the groups without being asked', async () => {
    await workbench().activity('Kindred').click();
    await group('function parseDay').waitFor();
    const rows = await workbench().treeRows().allInnerTexts();
    assert.equal(rows.length, 4, rows.join('\n'));
    await workbench().screenshot('tree');
  });

  test('a tooltip shows where the copies are and how they begin', async () => {
    await group('function parseDay').hover();
    const tooltip = workbench().page.locator('.workbench-hover-container', { hasText: 'exact copies' });
    await tooltip.getByText('const iso').first().waitFor();
    assert.match(await tooltip.innerText(), /src\/billing\/dates\.ts:\d+-\d+/);
    await workbench().screenshot('tooltip');
    await workbench().page.mouse.move(700, 450);
  });

  test('a group opens to its copies, and a copy opens its file with its lines selected', async () => {
    await group('function parseDay').click();
    const copy = workbench().treeRows('period.ts');
    await copy.waitFor();
    await workbench().screenshot('copies');
    await copy.click();
    await editorTab('period.ts').waitFor();
    await workbench().page.locator('.monaco-editor .selected-text').first().waitFor();
    await workbench().screenshot('copy');
  });

  test('the Problems view names the other copies', async () => {
    await workbench().run('Problems: Focus on Problems View');
    const problem = workbench().page.locator('.markers-panel .monaco-list-row', { hasText: 'Exact copy of' });
    await problem.first().waitFor();
    await problem.first().click();
    await workbench().page.keyboard.press('ArrowRight');
    await workbench()
      .page.locator('.markers-panel .monaco-list-row', { hasText: 'copy, 100 % alike' })
      .first()
      .waitFor();
    await workbench().screenshot('problems');
    await workbench().run('View: Hide Panel');
  });

  test('the light bulb offers to compare', async () => {
    // The mark lies below the text, which takes the click.
    await workbench().page.locator('.monaco-editor .squiggly-info').first().click({ force: true });
    await workbench().page.locator('.monaco-editor .codicon-light-bulb').click();
    const menu = workbench().page.locator('.action-widget');
    await menu.locator('.monaco-list-row', { hasText: 'Compare with' }).first().waitFor();
    await workbench().screenshot('lightBulb');
    await workbench().page.keyboard.press('Escape');
  });

  test('a near-duplicate is compared in the diff editor with one click', async () => {
    const row = group('interface InvoiceLine');
    await row.hover();
    await row.locator('.action-label[aria-label*="Compare Copies"]').click();
    await editorTab('invoice.ts:').waitFor();
    await workbench().page.locator('.monaco-diff-editor .line-insert').first().waitFor();
    await workbench().screenshot('compare');
  });

  for (const { name, theme, cssClass } of themes) {
    test(`it can be read in the ${name} theme`, async () => {
      await workbench().page.mouse.move(700, 450);
      await changeSettings({ 'workbench.colorTheme': theme });
      await workbench().page.locator(`.monaco-workbench${cssClass}`).waitFor();
      await workbench().screenshot(`compare ${name}`);
    });
  }

  function group(label: string) {
    return workbench().treeRows(label).first();
  }

  function editorTab(name: string) {
    return workbench().page.locator('.tabs-container .tab.active', { hasText: name });
  }

  async function changeSettings(settings: Readonly<Record<string, unknown>>): Promise<void> {
    const folder = path.join(workbench().folder, '.vscode');
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, 'settings.json'), JSON.stringify(settings));
  }
});
