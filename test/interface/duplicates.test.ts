/** Duplicates in a folder: the tree, the marks in the editor, and the compare, in each type of theme. */
import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { contrastsOf, minContrast } from './contrast.ts';
import { suiteWorkbench, themeNames } from './workbench.ts';

suite('a folder with duplicates', () => {
  const workbench = suiteWorkbench({ fixture: 'shop' });

  test('the tree lists the groups in sections automatically', async () => {
    await workbench().showViews();
    await group('dates.ts, period.ts').waitFor();
    const rows = await workbench().treeRows().allInnerTexts();
    const expected = [
      /^Folders\s*1$/,
      /^billing ↔ reports · \d+% · \d files\s*src/,
      /^Source\s*3 · [\d.]+% of source$/,
    ];
    for (const [i, pattern] of expected.entries()) assert.match(rows[i] ?? '', pattern);
    assert.equal(rows.length, 7, rows.join('\n'));
    await workbench().screenshot('tree');
  });

  test('the Status Bar and the tree show the same percentage', async () => {
    const item = workbench().page.locator('.statusbar-item[id^="kindred"] [aria-label]').first();
    const label = await item.getAttribute('aria-label');
    const [, headline] = /Kindred: (\d+ duplicates, [\d.]+% of source and text)/.exec(label ?? '') ?? [];
    assert.ok(headline, `${label}`);
    await workbench().page.locator('.sidebar', { hasText: headline }).waitFor();
  });

  test('a filter is shown and can be cleared', async () => {
    // Its icons are shown under the mouse.
    const header = workbench().page.locator('.sidebar .pane-header', { hasText: 'Duplicates' });
    await workbench().clickAction(header, 'Filter');
    const choices = workbench().page.locator('.quick-input-list .monaco-list-row');
    await choices.filter({ hasText: 'Path or Text Contains' }).click();
    // The list of choices used the same input, so select it by its prompt.
    const asking = workbench().page.locator('.quick-input-widget', { hasText: 'whose path or text contains this' });
    await asking.locator('.quick-input-box input').fill('LOAD_orders');
    await workbench().page.keyboard.press('Enter');
    const message = workbench().page.locator('.sidebar .message');
    await message.filter({ hasText: 'Filter: contains "LOAD_orders" (1 of 4 duplicates)' }).waitFor();
    await group('dates.ts, period.ts').waitFor({ state: 'detached' });
    await workbench().screenshot('filtered');
    await workbench().run('Kindred: Filter');
    await workbench().clickUntil(
      choices.filter({ hasText: 'Open Files' }),
      workbench().page.locator('.sidebar', { hasText: 'No duplicates match the filter.' }),
    );
    await workbench().screenshot('filtered out');
    await workbench().clickAction(
      header,
      'Clear Filter',
      message.filter({ hasText: /^\s*4 duplicates, [\d.]+% of source and text\s*$/ }),
    );
    await group('dates.ts, period.ts').waitFor();
  });

  test('folders expand to their common rows, and a group to its copies and other groups in the same text', async () => {
    const more = workbench().treeRows('1 more in the same text');
    await workbench().clickUntil(group('dates.ts, period.ts'), more);
    await workbench().clickUntil(more, group('parseDay'));
    await workbench().clickUntil(group('billing ↔ reports'), group('invoice.ts ↔ statement.ts'));
    // The second one is below it, and is expanded.
    await workbench().clickUntil(group('invoice.ts ↔ statement.ts'), more.nth(1));
    await workbench().clickUntil(more.first(), group('renderInvoice'));
    await workbench().screenshot('nested');
  });

  test('a tooltip shows the places and the first lines of the copies', async () => {
    const tooltip = tooltipOf('exact copies');
    await workbench().hoverUntil(group('parseDay'), tooltip.getByText('const iso').first());
    assert.match(await tooltip.innerText(), /src\/billing\/dates\.ts:\d+-\d+/);
    await workbench().screenshot('tooltip');
    await workbench().page.mouse.move(700, 450);
  });

  test('a group expands to its copies, and a copy opens its file at its first line', async () => {
    const copy = workbench().treeRows(/^\s*period\.ts:4-20/);
    await workbench().clickUntil(group('parseDay'), copy);
    await workbench().screenshot('copies');
    await workbench().clickUntil(copy, editorTab('period.ts'));
    const position = workbench().page.locator('#status\\.editor\\.selection');
    await position.filter({ hasText: /^Ln 4, Col 1$/ }).waitFor();
    await workbench().screenshot('copy');
  });

  test('the Problems view names the other copies', async () => {
    await workbench().run('Problems: Focus on Problems View');
    const problem = workbench().page.locator('.markers-panel .monaco-list-row', { hasText: 'Exact copy of' });
    await problem.first().waitFor();
    await problem.first().click();
    await workbench().page.keyboard.press('ArrowRight');
    await workbench()
      .page.locator('.markers-panel .monaco-list-row', {
        hasText: /(dates|days|period)\.ts.*lines.\d+.to.\d+, identical/,
      })
      .first()
      .waitFor();
    await workbench().screenshot('problems');
    await workbench().run('View: Hide Panel');
  });

  test('the light bulb offers to compare', async () => {
    // The mark is below the text, which receives the click, and is drawn again when the findings change.
    const mark = workbench().editor().locator('.squiggly-info').first();
    const lightBulb = workbench().page.locator('.monaco-editor .codicon-light-bulb').first();
    await workbench().clickUntil(() => mark.click({ force: true, timeout: 5_000 }), lightBulb);
    await lightBulb.click();
    const menu = workbench().page.locator('.action-widget');
    await menu.locator('.monaco-list-row', { hasText: 'Compare with' }).first().waitFor();
    await workbench().screenshot('lightBulb');
    await workbench().page.keyboard.press('Escape');
  });

  test('a near-duplicate is compared in the diff editor with one click', async () => {
    await compareInvoice();
    // An excerpt is highlighted in its language, so it has more colors than plain text.
    const lines = workbench().page.locator('.monaco-diff-editor .modified .view-lines').first();
    // The editor redraws its lines when it has their colors.
    await workbench().until(async () => new Set((await lines.innerHTML()).match(/mtk\d+/g)).size > 2);
    await workbench().screenshot('compare');
  });

  test('languages of excerpts have no user-visible name', async () => {
    assert.doesNotMatch(await workbench().page.locator('.statusbar').innerText(), /kindred-/i);
    await workbench().run('Change Language Mode');
    await workbench().page.locator('.quick-input-widget', { hasText: 'Auto Detect' }).waitFor();
    await workbench().page.locator('.quick-input-widget .quick-input-box input').fill('typescript');
    const rows = workbench().page.locator('.quick-input-list .monaco-list-row', { hasText: /typescript/i });
    await rows.first().waitFor();
    const names = await rows.allInnerTexts();
    await workbench().screenshot('languages');
    await workbench().page.keyboard.press('Escape');
    assert.deepEqual(
      names.filter((name) => /^kindred|\(kindred/i.test(name)),
      [],
    );
  });

  test('the icon in the title of a compare explains the match', async () => {
    const icon = workbench().page.locator('.editor-actions .action-label[aria-label*="Explain Match"]');
    const preview = workbench().page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
    await workbench().clickUntil(icon, preview.getByText('Why these match'));
    await workbench().screenshot('explain');
    // The compare is still shown, with both sides: VS Code shows one that is narrower than 900 pixels inline.
    await workbench().page.locator('.monaco-diff-editor.side-by-side').waitFor();
    await workbench().run('View: Close All Editors');
  });

  test('the status bar has the number of duplicates', async () => {
    await workbench()
      .page.locator('.statusbar-item', { hasText: /^\s*4 duplicates$/ })
      .waitFor();
  });

  test('a broken configuration file is reported above the rows, and that row opens it', async () => {
    const file = path.join(workbench().folder, '.kindredrc.jsonc');
    await writeFile(file, '{\n  "minLines": 5\n  "minTokens": 50\n}\n');
    const message = workbench().page.locator('.sidebar .message', { hasText: 'line 3: a comma is missing' });
    await message.waitFor();
    await workbench().screenshot('broken configuration');
    await workbench().clickUntil(workbench().treeRows('Open .kindredrc.jsonc'), editorTab('.kindredrc.jsonc'));
    await rm(file);
    await message.waitFor({ state: 'detached' });
    await group('parseDay').waitFor();
  });

  for (const theme of themeNames) {
    test(`everything is readable in the ${theme} theme`, async () => {
      await workbench().changeTheme(theme);
      await workbench().screenshot(`compare ${theme}`);
      await workbench().clickUntil(workbench().treeRows(/^\s*days\.ts:4-20/), editorTab('days.ts'));
      await workbench().run('Problems: Focus on Problems View');
      await workbench().page.locator('.markers-panel .monaco-list-row', { hasText: 'Exact copy of' }).first().waitFor();
      const tooltip = tooltipOf('exact copies').getByText('const iso').first();
      await workbench().hoverUntil(group('parseDay'), tooltip);
      await workbench().screenshot(`all ${theme}`);
      await canBeRead();
      await workbench().run('View: Hide Panel');
      await compareInvoice();
    });
  }

  /** Checks that our texts and icons contrast with their background; the theme determines the colors. */
  async function canBeRead(): Promise<void> {
    const { page } = workbench();
    const rows = workbench().treeRows();
    const parts = {
      'the title of the view': [page.locator('.sidebar .composite.title h2'), minContrast.text],
      'the labels of rows': [rows.locator('.label-name'), minContrast.text],
      'the descriptions of rows': [rows.locator('.label-description'), minContrast.text],
      'the icons of rows': [rows.locator('.custom-view-tree-node-item-icon'), minContrast.icon],
      'the item in the status bar': [
        page.locator('.statusbar-item', { hasText: /duplicates/ }).locator('.statusbar-item-label'),
        minContrast.text,
      ],
      'the tooltip of a row': [tooltipOf('exact copies').locator('p, code span'), minContrast.text],
    } as const;
    for (const [part, [elements, minimum]] of Object.entries(parts)) {
      const contrasts = await contrastsOf(elements);
      assert.ok(contrasts.length > 0, `${part} are not there`);
      const faint = contrasts.filter(({ ratio }) => ratio < minimum);
      assert.deepEqual(faint, [], `${part} cannot be read`);
    }
  }

  async function compareInvoice(): Promise<void> {
    const row = group('renderInvoice');
    await workbench().clickAction(row, 'Compare Copies', editorTab('invoice.ts:'));
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
