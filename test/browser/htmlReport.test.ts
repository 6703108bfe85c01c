/** The HTML report in a browser, opened as a file: rows, filters, comparisons, layout, and print. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { openBrowser } from '../../scripts/browser.mjs';
import { awkwardFiles } from '../cli/formats/reports.ts';
import { kindred } from '../cli/kindred.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { drawing, harbour, parsing } from '../passages.ts';

const table = JSON.stringify(
  Array.from({ length: 60 }, (_, at) => ({ name: `entry ${at}`, value: at * 37, place: `row-${at % 7}` })),
  null,
  2,
);

suite('HTML report', () => {
  let folder: string;
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  const requests: string[] = [];
  const messages: string[] = [];

  suiteSetup(async () => {
    const edited = awkwardFiles['src/a.ts']
      .replace('line.trim()', 'line.trimEnd()')
      .replace("'there is no key in '", "'no key: '");
    folder = makeFolder({ ...awkwardFiles, 'src/a.ts': edited, 'src/<b>bold<b>.ts': awkwardFiles['src/d.ts'] });
    assert.equal((await kindred(['scan', '--format', 'html=report.html'], { cwd: folder })).code, 0);
    browser = await openBrowser({ width: 1200, height: 800 });
    browser.page.on('request', (request) => requests.push(request.url()));
    browser.page.on('pageerror', (error) => messages.push(String(error)));
    browser.page.on('console', (message) => messages.push(message.text()));
  });

  suiteTeardown(async () => {
    await browser.close();
    removeFolder(folder);
  });

  const open = async (): Promise<Page> => {
    await browser.page.goto(pathToFileURL(path.join(folder, 'report.html')).href);
    await browser.page.waitForSelector('summary');
    return browser.page;
  };
  const namesShown = (page: Page): Promise<string[]> =>
    page.locator('#results > .rows > details .names').allTextContents();

  test('shows rows by sections, filters and sorts them, and loads nothing else', async () => {
    const page = await open();
    const all = await namesShown(page);
    assert.ok(all.length >= 2, all.join());
    await page.keyboard.press('/');
    await page.keyboard.type('BOLD');
    const few = await namesShown(page);
    assert.ok(
      few.length > 0 && few.length < all.length && few.every((name) => name.includes('<b>bold<b>')),
      few.join(),
    );
    await page.keyboard.press('Escape');
    assert.deepEqual(await namesShown(page), all);
    await page.getByLabel('Sort by').selectOption('Path');
    assert.deepEqual([...(await namesShown(page))].sort(), [...all].sort());
    await page.getByRole('button', { name: /^Tests/ }).click();
    assert.ok((await namesShown(page)).every((name) => /test\.ts/.test(name)));
    assert.deepEqual(
      requests.filter((address) => !address.startsWith('file:')),
      [],
    );
    assert.deepEqual(messages, []);
  });

  test('opens a row by keyboard and compares its copies, with differing words marked', async () => {
    const page = await open();
    await page.getByLabel('Filter').fill('src/a.ts');
    await page.getByLabel('Filter').blur();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    const table = page.locator('table.compare').first();
    await table.waitFor();
    const marks = await table.locator('mark').allTextContents();
    assert.ok(marks.join(' ').includes('trimEnd') && marks.join(' ').includes('trim'), marks.join('|'));
    assert.ok((await table.locator('.hljs-keyword').count()) > 3);
    const link = await page.locator('.places a').first().getAttribute('href');
    assert.ok(link!.startsWith('vscode://file/') && /:\d+$/.test(link!), link!);
    assert.deepEqual(messages, []);
  });

  test('opens the group in the fragment of its address', async () => {
    const page = await open();
    const id = await page.locator('#results details').first().getAttribute('id');
    await page.goto('about:blank');
    await page.goto(`${pathToFileURL(path.join(folder, 'report.html')).href}#${id}`);
    await page.waitForSelector('details[open]');
    assert.equal(await page.locator('details[open]').first().getAttribute('id'), id);
  });

  suite('with many sections', () => {
    let place = '';
    suiteSetup(async () => {
      const twice = Object.fromEntries(
        ['one', 'two'].flatMap((name) => [
          [`${name}/a.ts`, `${parsing}// ${name}\n`],
          [`${name}/b.ts`, `${drawing}// ${name}\n`],
          [`${name}/guide.md`, `${parsing.replaceAll(/^/gm, '    ')}\n`],
        ]),
      );
      const paragraph = `${Array.from({ length: 12 }, (_, at) => `Sentence number ${at} says what harbour ${at * 7} is like in its ${at + 3} seasons.`).join(' ')}\n`;
      const prose = { 'manual/note.md': `${paragraph}One.\n`, 'manual/copy.md': `${paragraph}Two, and more.\n` };
      const foreign = {
        'vendor/e.js': `${drawing.replaceAll('Turtle', 'Crab')}e();\n`,
        'vendor/f.js': `${drawing.replaceAll('Turtle', 'Crab')}f(1);\n`,
      };
      const tests = { 'x/a.test.ts': harbour, 'y/b.test.ts': harbour, 'x/data.json': table, 'y/data.json': table };
      place = makeFolder({ ...twice, ...tests, ...prose, ...foreign, 'src/c.ts': `let c = 1;\n${parsing}` });
      assert.equal((await kindred(['scan', '--format', 'html=report.html'], { cwd: place })).code, 0);
    });
    suiteTeardown(() => removeFolder(place));

    const openThere = async (width: number): Promise<Page> => {
      await browser.page.setViewportSize({ width, height: 800 });
      await browser.page.goto(pathToFileURL(path.join(place, 'report.html')).href);
      await browser.page.waitForSelector('summary');
      return browser.page;
    };
    const pressed = (page: Page): Promise<string[]> => page.locator('.tabs [aria-pressed=true]').allTextContents();

    test('opens the source section, and shows matches of a filter in any section', async () => {
      const page = await openThere(1400);
      const tabs = await page.locator('.tabs button').allTextContents();
      assert.ok(tabs[0]?.startsWith('Folders') && tabs.length >= 4, tabs.join());
      assert.match((await pressed(page)).join(), /^Source[1-9]\d*$/);
      const all = await namesShown(page);
      await page.getByLabel('Filter').fill('b.test.ts');
      assert.deepEqual(await pressed(page), ['Tests1']);
      assert.equal((await namesShown(page)).length, 1);
      // A section that the user opens stays open, and refers to the sections with matches.
      await page.locator('.tabs button', { hasText: 'Source' }).click();
      assert.deepEqual(await pressed(page), ['Source0']);
      assert.match(
        (await page.locator('.empty').textContent()) ?? '',
        /^Nothing in Source matches.* There are matches in Tests1$/,
      );
      await page.locator('.empty button').click();
      assert.deepEqual(await pressed(page), ['Tests1']);
      await page.locator('.tabs button', { hasText: 'Source' }).click();
      await page.getByLabel('Filter').fill('');
      assert.deepEqual(await namesShown(page), all);
      await page.getByLabel('Filter').fill('no such thing');
      assert.equal(await page.locator('.empty').textContent(), 'Nothing in Source matches the filter.');
    });

    test('shows all tabs on the screen of a phone', async () => {
      const page = await openThere(420);
      assert.ok((await page.locator('.tabs button').count()) >= 5);
      for (const tab of await page.locator('.tabs button').all()) {
        const box = await tab.boundingBox();
        const text = await tab.textContent();
        assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 420, `${text}: ${JSON.stringify(box)}`);
      }
    });
  });

  const background = 'getComputedStyle(document.body).backgroundColor';

  test('fits a phone, a tablet, and a desktop, in light and dark themes, and paper', async () => {
    for (const width of [390, 820, 1360]) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await browser.page.setViewportSize({ width, height: 800 });
        await browser.page.emulateMedia({ colorScheme, media: 'screen' });
        const page = await open();
        await page.locator('summary').first().click();
        await page.locator('table.compare').first().waitFor();
        const wide = Number(await page.evaluate('document.documentElement.scrollWidth'));
        assert.ok(wide <= width, `${wide} of ${width}`);
        assert.equal((await page.evaluate(background)) === 'rgb(255, 255, 255)', colorScheme === 'light');
      }
    }
    await browser.page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    assert.equal(await browser.page.locator('.controls').isVisible(), false);
    assert.equal(await browser.page.evaluate(background), 'rgb(255, 255, 255)');
    await browser.page.emulateMedia({ media: 'screen' });
  });
});
