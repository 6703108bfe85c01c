/** Copies in the editor: marks, hovers, compares, and edits, in each type of theme. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { contrastsOf, minContrast } from './contrast.ts';
import { shopWorkbench, themeNames } from './workbench.ts';

suite('copies in the editor', () => {
  const workbench = shopWorkbench();

  test('the lines of the copy at the cursor are shown', async () => {
    await workbench().showViews();
    await row('dates.ts, period.ts').waitFor();
    await workbench().open('src/reports/period.ts');
    await workbench().click('const date = new Date');
    await copyLines().first().waitFor();
    await workbench().screenshot('copy range');
    await workbench().click('type Period');
    await copyLines().first().waitFor({ state: 'detached' });
  });

  test('the hover adds one line with three links to the problem, and is readable in each type of theme', async () => {
    const { page } = workbench();
    const mark = workbench().editor().locator('.squiggly-info').first();
    const rows = page.locator('.monaco-hover:not(.hidden) .hover-row:not(.status-bar)');
    const own = rows.filter({ hasText: 'Ignore…' });
    for (const theme of themeNames) {
      await workbench().changeTheme(theme);
      // The text is over the mark. A hover appears only if the mouse comes from another place.
      const hover = async (): Promise<void> => {
        await page.mouse.move(1200, 500);
        await mark.hover({ force: true, timeout: 5_000 });
      };
      await workbench().clickUntil(hover, own);
      await workbench().screenshot(`hover ${theme}`);
      assert.equal((await own.innerText()).trim(), 'parseDay · Compare · Go to Copy · Ignore…');
      const [problem, ...others] = (await rows.allInnerTexts()).map((text) => text.trim().split('\n'));
      assert.equal(others.length, 1);
      assert.match(problem[0], /^Exact copy of src\/billing\/dates\.ts:2-18, 3 copies/);
      await canBeRead(own.locator('strong, a'));
      await page.keyboard.press('Escape');
    }
  });

  test('the light bulb offers three actions in the order of their use, and is readable in each type of theme', async () => {
    const { page } = workbench();
    await workbench().click('const date = new Date');
    const titles = page.locator('.action-widget .monaco-list-row.action .title');
    for (const theme of themeNames) {
      await workbench().changeTheme(theme);
      await workbench().lightBulbItem('More…');
      await workbench().screenshot(`copy actions ${theme}`);
      assert.deepEqual(await titles.allInnerTexts(), [
        'Compare with parseDay · dates.ts:2-18',
        'Go to copy parseDay · dates.ts:2-18',
        'Ignore all 3 copies…',
        'More…',
      ]);
      await canBeRead(titles);
      await page.keyboard.press('Escape');
    }
  });

  test('do not flicker while typing', async () => {
    await workbench().click('const date = new Date');
    await copyLines().first().waitFor();
    // Counts the frames in which the copy has no lines or no mark.
    await workbench().page.evaluate(`(() => {
      globalThis.kindredFrames = { all: 0, bare: 0 };
      const look = () => {
        const frames = globalThis.kindredFrames;
        if (frames.isOver) return;
        frames.all++;
        const editor = document.querySelector('.editor-group-container.active .monaco-editor');
        const hasMark = editor.querySelector('.squiggly-info') !== null;
        if (!hasMark || editor.querySelector('${copyLinesIn}') === null) frames.bare++;
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    })()`);
    await workbench().page.keyboard.press('End');
    await workbench().page.keyboard.type(' // a day, as it is', { delay: 120 });
    // 150 frames take 2.5 s, during which the edit is followed, and longer on a busy machine.
    await workbench().page.waitForFunction(
      'globalThis.kindredFrames.all >= (globalThis.kindredFrames.last ??= globalThis.kindredFrames.all + 150)',
    );
    const frames = await workbench().page.evaluate<{ all: number; bare: number }>(
      'globalThis.kindredFrames.isOver = true, globalThis.kindredFrames',
    );
    assert.equal(frames.bare, 0, `${frames.bare} of ${frames.all} frames without marks`);
  });

  test('the hint about other copies appears when typing has rested for a second, and stands at the end of its line', async () => {
    await workbench()
      .page.locator('.view-line', { hasText: /a.day,.as.it.is/ })
      .first()
      .waitFor();
    const { page } = workbench();
    // Looks at each frame. Each key removes the hint a moment later.
    await page.evaluate(`(() => {
      const seen = (globalThis.kindredHints = { key: 0, gone: true, soonest: Infinity, inside: 0, count: 0 });
      addEventListener('keydown', () => Object.assign(seen, { key: performance.now(), gone: false }), true);
      const look = () => {
        const lines = [...document.querySelectorAll('.editor-group-container.active .view-line')];
        const hints = lines.flatMap((line) => [...line.querySelectorAll('span')]).filter((part) =>
          getComputedStyle(part, '::after').content.includes('still have the old text'));
        seen.count = hints.length;
        if (hints.length === 0) seen.gone = true;
        if (hints.some((hint) => hint.nextSibling !== null)) seen.inside++;
        if (hints.length > 0 && seen.gone) {
          seen.soonest = Math.min(seen.soonest, performance.now() - seen.key);
          seen.gone = false;
        }
        if (!seen.isOver) requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    })()`);
    const isShown = 'globalThis.kindredHints.count === 1';
    await page.waitForFunction(isShown);
    for (const text of [', again', ' and again']) {
      await page.keyboard.type(text, { delay: 120 });
      await page.waitForFunction('globalThis.kindredHints.count === 0');
      await page.waitForFunction(isShown);
    }
    await workbench().screenshot('edited copy');
    const seen = await page.evaluate<{ soonest: number; inside: number }>(
      'globalThis.kindredHints.isOver = true, globalThis.kindredHints',
    );
    assert.equal(seen.inside, 0, `${seen.inside} frames with the hint inside the line`);
    assert.ok(seen.soonest >= 1000, `shown ${seen.soonest} ms after a key`);
  });

  test('all copies can be peeked', async () => {
    await workbench().open('src/reports/period.ts');
    await workbench().click('const date = new Date');
    await workbench().run('Kindred: Peek All Copies');
    await workbench().page.locator('.peekview-widget .ref-tree .monaco-list-row').first().waitFor();
    await workbench().screenshot('peek');
    await workbench().page.keyboard.press('Escape');
  });

  test('two copies open side by side from their compare', async () => {
    await compareInvoice();
    await workbench().clickUntil(title('Open Both Here'), workbench().page.locator('.editor-group-container').nth(1));
    await workbench().tab('invoice.ts').waitFor();
    await workbench().tab('statement.ts').waitFor();
    await workbench().screenshot('open both');
    await workbench().run('View: Close All Editors');
  });

  test('the eye icon hides all marks and shows them again', async () => {
    await workbench().open('src/reports/period.ts');
    await workbench().click('const date = new Date');
    await copyLines().first().waitFor();
    await workbench().editor().locator('.squiggly-info').first().waitFor();
    await workbench().clickUntil(() => workbench().clickTitle('Hide Marks in Editors'), copyLines().first(), 'hidden');
    await workbench().editor().locator('.squiggly-info').first().waitFor({ state: 'detached' });
    await workbench().screenshot('marks hidden');
    await workbench().clickTitle('Show Marks in Editors', copyLines().first());
    await workbench().editor().locator('.squiggly-info').first().waitFor();
  });

  test('the marks have lenses and icons if these are enabled', async () => {
    await workbench().changeSettings({ 'kindred.editor.show': { codeLens: true, gutterIcon: true } });
    await workbench().editor().getByText('Also in').first().waitFor();
    await copyLines().first().waitFor();
    await workbench().screenshot('marks');
    await workbench().run('View: Close All Editors');
  });

  async function canBeRead(texts: Locator): Promise<void> {
    // A hover is faint while it appears.
    await workbench().repeat(async () => {
      const contrasts = await contrastsOf(texts);
      assert.ok(contrasts.length > 0, 'There are no texts.');
      const faint = contrasts.filter(({ ratio }) => ratio < minContrast.text);
      assert.deepEqual(faint, [], 'These texts cannot be read.');
    });
  }

  const copyLinesIn = '.view-overlays .cdr[class*="ced-"]';

  function copyLines() {
    return workbench().editor().locator(copyLinesIn);
  }

  function title(name: string) {
    return workbench().page.locator(`.editor-actions .action-label[aria-label*="${name}"]`).first();
  }

  function row(label: string) {
    return workbench().treeRows(label).first();
  }

  async function compareInvoice(): Promise<void> {
    if (!(await row('renderInvoice').isVisible())) {
      if (!(await row('invoice.ts:1-29').isVisible())) {
        await workbench().clickUntil(row('billing ↔ reports'), row('invoice.ts ↔ statement.ts'));
        await workbench().clickUntil(row('invoice.ts ↔ statement.ts'), row('invoice.ts:1-29'));
      }
      // Below it is another row with that name.
      await workbench().clickUntil(row('1 more in the same text'), row('renderInvoice'));
    }
    const found = row('renderInvoice');
    await workbench().clickAction(found, 'Compare Copies', workbench().tab('invoice.ts:'));
    await workbench().page.locator('.monaco-diff-editor .line-insert').first().waitFor();
  }
});
