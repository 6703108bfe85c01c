/** What a person sees of the duplicates in a folder: the tree, the marks in the editor, the compare; in each kind of theme. */
import assert from 'node:assert/strict';
import { suiteWorkbench, themeNames } from './workbench.ts';

suite('a folder with duplicates', () => {
  const workbench = suiteWorkbench({ fixture: 'shop' });

  test('the tree lists the groups without being asked', async () => {
    await workbench().activity('Kindred').click();
    await group('function parseDay').waitFor();
    const [files = '', ...rows] = await workbench().treeRows().allInnerTexts();
    assert.match(files, /^Near-duplicate files/);
    assert.equal(rows.length, 4, rows.join('\n'));
    await workbench().screenshot('tree');
  });

  test('a tooltip shows where the copies are and how they begin', async () => {
    await group('function parseDay').hover();
    const tooltip = tooltipOf('exact copies');
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
    await compareInvoice();
    await workbench().screenshot('compare');
  });

  for (const theme of themeNames) {
    test(`all of it can be read in the ${theme} theme`, async () => {
      await workbench().changeTheme(theme);
      await workbench().screenshot(`compare ${theme}`);
      await workbench().treeRows('days.ts').click();
      await editorTab('days.ts').waitFor();
      await workbench().run('Problems: Focus on Problems View');
      await workbench().page.locator('.markers-panel .monaco-list-row', { hasText: 'Exact copy of' }).first().waitFor();
      await group('function parseDay').hover();
      await tooltipOf('exact copies').getByText('const iso').first().waitFor();
      await workbench().screenshot(`all ${theme}`);
      await workbench().run('View: Hide Panel');
      await compareInvoice();
    });
  }

  async function compareInvoice(): Promise<void> {
    const row = group('interface InvoiceLine');
    await row.hover();
    await row.locator('.action-label[aria-label*="Compare Copies"]').click();
    await editorTab('invoice.ts:').waitFor();
    await workbench().page.locator('.monaco-diff-editor .line-insert').first().waitFor();
  }

  function tooltipOf(text: string) {
    return workbench().page.locator('.workbench-hover-container', { hasText: text });
  }

  function group(label: string) {
    return workbench().treeRows(label).first();
  }

  function editorTab(name: string) {
    return workbench().page.locator('.tabs-container .tab.active', { hasText: name });
  }
});
