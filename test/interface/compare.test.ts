/** Compares: all copies of a group at once, with one copy, and with aligned names. */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { drawing, parsing } from '../passages.ts';
import { shopWorkbench } from './workbench.ts';

suite('comparing copies', () => {
  const workbench = shopWorkbench();

  test('all copies of a group are compared with one of them, in one editor', async () => {
    const { page } = workbench();
    await workbench().showViews();
    await workbench().clickAction(dates(), 'Compare All Copies', workbench().tab('days.ts:1-24 ↔ 2 copies'));
    const entries = page.locator('.multiDiffEntry');
    await entries.nth(1).waitFor();
    await workbench().screenshot('compare all');
    assert.equal(await entries.count(), 2);
    // Headings have the name, the lines, and the folder. No side counts as renamed.
    for (const heading of [/period\.ts:1-25\s*src\/reports/, /dates\.ts:1-28\s*src\/billing/])
      await entries.filter({ hasText: heading }).waitFor();
    assert.equal(await page.locator('.multiDiffEntry .status.renamed').count(), 0);
    await workbench().run('View: Close All Editors');
  });

  test('the canonical copy has a star, and is the base of compares until that is undone', async () => {
    await workbench().clickUntil(dates(), copy('days.ts'));
    await workbench().chooseInMenu(copy('days.ts'), 'Use as Canonical Copy');
    await copy('days.ts').locator('.codicon-star-full').waitFor();
    await copy('days.ts').getByText('canonical').waitFor();
    await workbench().announced('compared with this one');
    await workbench().screenshot('canonical');
    await compare('period.ts');
    await workbench().tab('days.ts:1-24 ↔ period.ts').waitFor();
    await workbench().run('View: Close All Editors');
    await workbench().chooseInMenu(copy('days.ts'), 'Stop Using as Canonical Copy');
    await copy('days.ts').locator('.codicon-star-full').waitFor({ state: 'detached' });
    await copy('days.ts').hover();
    await workbench().screenshot('not canonical');
  });

  test('F4 steps through the copies, and Escape ends stepping', async () => {
    const { page } = workbench();
    await workbench().open('src/reports/period.ts');
    await workbench().click('const date = new Date');
    await workbench().run('Kindred: Go to Next Copy');
    await workbench().announced('Copy 3 of 3');
    await workbench().tab('days.ts').waitFor();
    // The extension reports the key bindings a moment later.
    await workbench().clickUntil(() => page.keyboard.press('F4'), workbench().tab('dates.ts'));
    await workbench().announced('Copy 1 of 3');
    // After Escape, F4 changes nothing, so the previous copy is the last one. VS Code learns a moment later that
    // stepping has ended. Until then, F4 steps to the second copy, and the previous copy is the first one.
    let pauseMs = 0;
    do {
      await page.keyboard.press('Escape');
      await page.waitForTimeout(pauseMs);
      pauseMs += 50;
      await page.keyboard.press('F4');
      await workbench().run('Kindred: Go to Previous Copy');
    } while ((await workbench().announced('Copy 3 of 3', 'Copy 1 of 3')) !== 'Copy 3 of 3');
    await workbench().run('View: Close All Editors');
  });

  test('with aligned names, only real differences are highlighted', async () => {
    const { page } = workbench();
    const differences = page.locator('.editor.modified .char-insert');
    await workbench().clickAction(
      workbench()
        .treeRows(/load_orders · 2 copies/)
        .first(),
      'Compare Copies',
      differences.first(),
    );
    const written = await differences.count();
    await workbench().screenshot('compare as written');
    await workbench().clickUntil(title('Names Aligned'), title('as Written'));
    await workbench().until(async () => (await differences.count()) < written);
    await workbench().screenshot('compare names aligned');
    await workbench().clickUntil(title('as Written'), title('Names Aligned'));
    await workbench().until(async () => (await differences.count()) === written);
  });

  test('long sentences of prose are wrapped on both sides, and no word is cut off', async () => {
    const { page } = workbench();
    await workbench().clickAction(
      workbench()
        .treeRows(/in Installing the shop · 2 copies/)
        .first(),
      'Compare Copies',
    );
    const side = (name: string) => page.locator(`.monaco-diff-editor.side-by-side .editor.${name}`);
    for (const name of ['original', 'modified']) {
      await side(name)
        .locator('.view-line', { hasText: /first.start.takes/ })
        .first()
        .waitFor();
    }
    // Lines wrap at other words in other widths. VS Code shows other compares inline below 1,250 pixels, and does not
    // wrap their left side again in a wider window.
    const widths = Array.from({ length: 12 }, (_, step) => 1400 - step * 45);
    for (const width of [...widths, 1400]) {
      await page.setViewportSize({ width, height: 900 });
      for (const name of ['original', 'modified']) {
        // The space at the end of a wrapped line may hang over.
        await workbench().until(
          async () => (await side(name).evaluate<number, undefined>(overflowOf as never, undefined)) < 8,
        );
      }
    }
    await workbench().screenshot('compare prose');
    await workbench().run('View: Close All Editors');
  });

  test('two files of one row are compared by the passages that they share, in the order of the first file', async () => {
    const { page } = workbench();
    const apart = (name: string): string =>
      Array.from(
        { length: 40 },
        (_, i) => `${name}.${name}${(i * i) % 41}(${name}${(i * 7) % 11}, '${name}${i}');\n`,
      ).join('');
    const write = (name: string, text: string) => writeFile(path.join(workbench().folder, 'src', name), text);
    await write('ferry.ts', `${parsing}${apart('ferry')}${drawing}`);
    await write('lorry.ts', `${drawing}${apart('lorry').replaceAll(', ', ' + ')}${parsing}`);
    await workbench().clickAction(
      workbench()
        .treeRows(/ferry\.ts ↔ lorry\.ts · .*2 passages/)
        .first(),
      'Compare Files',
      workbench().tab('ferry.ts ↔ lorry.ts (2 files)'),
    );
    const headings = page.locator('.multiDiffEntry .header');
    await headings.nth(1).waitFor();
    await workbench().screenshot('compare files');
    assert.deepEqual(
      (await headings.allInnerTexts()).map((text) => /lorry\.ts:\d+-\d+/.exec(text)?.[0]),
      ['lorry.ts:56-70', 'lorry.ts:1-15'],
    );
    await workbench().run('View: Close All Editors');
  });

  test('22 copies are compared in one editor, each under its own heading', async () => {
    const { page } = workbench();
    // The test before has written two more.
    const names = Array.from({ length: 20 }, (_, i) => `part${String(i).padStart(2, '0')}.ts`);
    for (const [i, name] of names.entries()) {
      const folder = path.join(workbench().folder, 'src', `unit${i % 4}`);
      await mkdir(folder, { recursive: true });
      await writeFile(
        path.join(folder, name),
        `${parsing.replaceAll('limit', `limit${i}`)}export const own${i} = ${i};\n`,
      );
    }
    // So many equal copies count as boilerplate, whose section is collapsed.
    const row = workbench()
      .treeRows(/22 copies/)
      .first();
    const section = workbench().treeRows(/^\s*Boilerplate/);
    await workbench().clickUntil(section.first(), row);
    await workbench().clickAction(row, 'Compare All Copies', workbench().tab('↔ 21 copies'));
    // VS Code keeps only the entries that are visible in the document.
    const headings = page.locator('.multiDiffEntry .header');
    await headings.first().waitFor();
    await workbench().screenshot('compare all 22');
    const seen = new Set<string>();
    await workbench().until(async () => {
      for (const text of await headings.allInnerTexts()) {
        const [name] = /\w+\.ts:\d+-\d+/.exec(text) ?? [];
        if (name !== undefined) seen.add(name);
      }
      await page.mouse.move(900, 500);
      await page.mouse.wheel(0, 500);
      return seen.size === 21;
    });
    assert.equal(await page.locator('.multiDiffEntry .status.renamed').count(), 0);
    await workbench().screenshot('compare all 22 end');
    await workbench().clickUntil(title('Names Aligned'), workbench().tab('names aligned'));
    await workbench().screenshot('compare all 22 aligned');
    assert.equal(await workbench().notifications('').count(), 0);
    await workbench().run('View: Close All Editors');
  });

  test('names are aligned in several compares at once', async () => {
    await workbench().select(
      dates(),
      workbench()
        .treeRows(/load_orders · 2 copies/)
        .first(),
    );
    await workbench().chooseInMenu(dates(), 'Compare Copies');
    await workbench().tab('2 groups').waitFor();
    await workbench().clickUntil(title('Names Aligned'), workbench().tab('names aligned'));
    await workbench().screenshot('compare several names aligned');
    await workbench().clickUntil(title('as Written'), title('Names Aligned'));
    assert.equal(await workbench().tab('names aligned').count(), 0);
    assert.equal(await workbench().notifications('').count(), 0);
    await workbench().run('View: Close All Editors');
  });

  /** Returns an icon in the title of the editor. */
  function title(label: string) {
    return workbench().page.locator(`.editor-actions .action-label[aria-label*="${label}"]`).first();
  }

  function dates() {
    return workbench()
      .treeRows(/dates\.ts.* · 3 copies · 28 lines/)
      .first();
  }

  /** Returns the row of a copy. */
  function copy(name: string) {
    return workbench()
      .treeRows(new RegExp(`^\\s*${name.replace('.', '\\.')}:`))
      .first();
  }

  async function compare(name: string): Promise<void> {
    await workbench().clickAction(copy(name), 'Compare Copies');
  }
});

/** Used members of page elements. */
interface Element {
  readonly parentElement: Element;
  querySelector(selector: string): Element;
  querySelectorAll(selector: string): Iterable<Element>;
  getBoundingClientRect(): { readonly right: number };
}

/** Runs in the page. Returns the number of pixels by which the longest visible line is wider than its editor. */
function overflowOf(editor: Element): number {
  const ends = [...editor.querySelectorAll('.view-line > span')].map((line) => line.getBoundingClientRect().right);
  return Math.max(...ends) - editor.querySelector('.lines-content').parentElement.getBoundingClientRect().right;
}
