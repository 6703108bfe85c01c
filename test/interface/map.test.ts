/**
 * The duplication map: it shows the numbers of the tree, links to it, and can be used with the keyboard alone, in each
 * type of theme.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { statementsOf } from '../manyFiles.ts';
import { contrastsOf, minContrast } from './contrast.ts';
import { shopWorkbench, themeNames } from './workbench.ts';

/** Minimal interface of an element, because the tests have no DOM types. */
interface PageElement {
  readonly innerText: string;
  readonly querySelector: (selector: string) => PageElement;
  readonly querySelectorAll: (selector: string) => Iterable<PageElement>;
  readonly getBoundingClientRect: () => { readonly left: number; readonly right: number; readonly bottom: number };
}
declare const getComputedStyle: (element: PageElement) => { readonly backgroundSize: string };

/** Classes by which VS Code tells a page the theme. */
const pageClasses = {
  dark: 'vscode-dark',
  light: 'vscode-light',
  highContrast: 'vscode-high-contrast:not(.vscode-high-contrast-light)',
  highContrastLight: 'vscode-high-contrast-light',
} as const;

/** Runs in the page. */
function rightOfTable(body: PageElement): number {
  return body.querySelector('.places').getBoundingClientRect().right;
}

/** Runs in the page. Returns the names of cells that their bar covers. */
function coveredNames(body: PageElement): string[] {
  return [...body.querySelectorAll('.cell.named:not(.open)')].flatMap((cell) => {
    const name = cell.querySelector('.name').getBoundingClientRect();
    const { left, bottom } = cell.getBoundingClientRect();
    const [width, height] = getComputedStyle(cell).backgroundSize.split(', ')[0].split(' ');
    const isBeside = left + 1 + parseFloat(width) <= name.left && width.endsWith('px');
    return isBeside || name.bottom <= bottom - 1 - parseFloat(height) ? [] : [cell.innerText];
  });
}

suite('the duplication map', () => {
  const workbench = shopWorkbench();

  test('opens by command, and shows the number and kind of duplicated lines', async () => {
    await workbench().showViews();
    await workbench().treeRows('load_orders · 2 copies · 21 lines').first().waitFor();
    await workbench().run('Kindred: Show Duplication Map');
    await cell('src').waitFor();
    assert.equal(await summary().innerText(), '147 of 199 lines are duplicated (73.8%).');
    // The tree shows the same for source.
    await workbench()
      .treeRows(/Source\s*3 · 73\.8% of source/)
      .waitFor();
    await press('All Files');
    await cell('docs').waitFor();
    await workbench().screenshot('map');
  });

  test('has a table with the numbers of the tree, sorted by any column', async () => {
    await workbench().run('Kindred: Group By', 'Folder');
    const rows = await tableRows();
    assert.deepEqual(
      rows.map(([name]) => name),
      ['src/', 'tools/', 'docs/'],
    );
    for (const [name, , , , duplicates] of rows) {
      await workbench()
        .treeRows(new RegExp(`^\\s*${name.replace('/', '')}\\s*${duplicates}$`))
        .waitFor();
    }
    await map().getByRole('button', { name: 'Lines', exact: true }).click();
    const lines = (await tableRows()).map((row) => Number(row[1]));
    assert.deepEqual(
      lines,
      [...lines].sort((x, y) => y - x),
    );
    assert.equal(await map().locator('th[aria-sort=descending]').innerText(), 'Lines ↓'.replace(' ↓', ''));
    await workbench().run('Kindred: Group By', 'Duplicate');
  });

  test('shows in the tree the content of a clicked cell', async () => {
    await cell('tools').click({ position: { x: 20, y: 8 } });
    await message('Filter: in tools (2 of 4 duplicates)').waitFor();
    await press('Source');
    await cell('docs').waitFor({ state: 'detached' });
    await cell('reports').click({ position: { x: 20, y: 8 } });
    await message('Filter: in src/reports, Source (2 of 4 duplicates)').waitFor();
    await workbench().screenshot('map filters');
  });

  test('shows the common duplicates of two folders', async () => {
    await workbench().clickUntil(
      map().getByRole('button', { name: 'lines of tools/ have a copy in src/' }),
      message('Filter: in tools and src, Source (1 of 4 duplicates)'),
    );
  });

  test('can be used with keys: to the next cell, into a folder and back, and to the tree', async () => {
    const { keyboard } = workbench().page;
    await cell('src').focus();
    await keyboard.press('ArrowRight');
    assert.equal(await focused(), 'tools');
    await keyboard.press('ArrowLeft');
    await keyboard.press('Space');
    await map().locator('.crumbs [aria-current=page]', { hasText: 'src' }).waitFor();
    await cell('src/billing').waitFor();
    assert.equal(await summary().innerText(), '88 of 123 lines are duplicated (71.5%).');
    // All copies of what is in `billing` are in other folders.
    await cell('src/billing').focus();
    await keyboard.press('Space');
    await map().getByText('The copies of these lines are elsewhere.').waitFor();
    assert.match(await summary().innerText(), /lines are duplicated \(69\.8%\)/);
    await keyboard.press('Backspace');
    await cell('src/billing').waitFor();
    await keyboard.press('ArrowRight');
    await keyboard.press('Enter');
    await message(`Filter: in ${await focused()}, Source`).waitFor();
    await workbench().screenshot('map opened');
    await keyboard.press('Backspace');
    await cell('tools').waitFor();
    assert.equal(await focused(), 'src');
    // The focus is still in the map, whatever the tree received.
    await keyboard.press('ArrowRight');
    assert.equal(await focused(), 'tools');
  });

  test('is unchanged when it is shown again', async () => {
    await cell('src').focus();
    await workbench().page.keyboard.press('Space');
    await cell('src/billing').waitFor();
    await workbench().open('money.ts');
    await workbench().run('Kindred: Show Duplication Map');
    await map().locator('.crumbs [aria-current=page]', { hasText: 'src' }).waitFor();
    await workbench().clickUntil(map().getByRole('button', { name: 'All Folders' }), cell('tools'));
  });

  test('follows the findings', async () => {
    const text = Array.from({ length: 14 }, (_, n) => `  quay.moor(${n}, berths[${n * 3}], 'slip ${n * 7}', depth);`);
    for (const name of ['one', 'two']) {
      const whole = `export function moorAll${name}(quay, berths, depth) {\n${text.join('\n')}\n}\n`;
      await writeFile(path.join(workbench().folder, `${name}.ts`), whole);
    }
    await cell('one.ts').waitFor();
    assert.match(await summary().innerText(), /^17\d of 231 lines/);
  });

  test('is readable in each type of theme, wide and narrow', async () => {
    await press('All Files');
    for (const theme of themeNames) {
      await workbench().changeTheme(theme);
      await map().locator(`body.${pageClasses[theme]}`).waitFor();
      const texts = map().locator(
        '.cell .name, .cell .share, .swatch, .summary, table button, td, th, .quiet, header button',
      );
      const low = (await contrastsOf(texts)).filter(({ ratio }) => ratio < minContrast.text);
      assert.deepEqual(low, [], theme);
      await workbench().screenshot(`map ${theme}`);
    }
    // Among many small files, there are cells without room for a bar below the name.
    await workbench().changeTheme('highContrast');
    await workbench().page.setViewportSize({ width: 760, height: 640 });
    for (let file = 0; file < 80; file++) {
      await writeFile(path.join(workbench().folder, `small${file}.ts`), `${statementsOf(1 + 1000 * file, 10)}\n`);
    }
    await map().locator('.cell.low .name').first().waitFor();
    const covered = await map()
      .locator('body')
      .evaluate<string[], undefined>(coveredNames as never, undefined);
    assert.deepEqual(covered, []);
    await workbench().screenshot('map highContrast low');
    await workbench().changeTheme('dark');
    await workbench().page.setViewportSize({ width: 760, height: 900 });
    await workbench().screenshot('map narrow');
    // In one step in the page, because the table is rebuilt while the page gets narrow.
    const right = await map().locator('body').evaluate(rightOfTable);
    assert.ok(right > 0 && right <= 760, String(right));
    await workbench().run('Kindred: Group By', 'Duplicate');
    if (await message('Filter: ').isVisible()) await workbench().run('Kindred: Clear Filter');
  });

  function map(): FrameLocator {
    return workbench().page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
  }

  function summary(): Locator {
    return map().locator('.summary');
  }

  /** Returns a cell by its path or by the end of its path. */
  function cell(name: string): Locator {
    return map().locator(`.cell[data-path$="${name}"]`).first();
  }

  /** Returns the path of the focused cell. */
  async function focused(): Promise<string | null> {
    return map().locator('.cell:focus').getAttribute('data-path');
  }

  async function press(name: string): Promise<void> {
    await map().getByRole('button', { name, exact: true }).click();
  }

  async function tableRows(): Promise<string[][]> {
    const rows = await map().locator('.places tbody tr').all();
    return Promise.all(rows.map(async (row) => (await row.locator('th, td').allInnerTexts()).map((it) => it.trim())));
  }

  function message(text: string): Locator {
    return workbench().page.locator('.sidebar .message').filter({ hasText: text });
  }
});
