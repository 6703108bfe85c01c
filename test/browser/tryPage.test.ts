/**
 * The page *Try Kindred* in a browser, opened as a file: two texts, settings, keyboard, languages, themes, and widths.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { openBrowser } from '../../scripts/browser.mjs';
import { root } from '../../scripts/project.mjs';
import { explainPassages } from '../../src/core/engine/explainPassages.ts';
import { defaultOptions } from '../../src/core/engine/options.ts';
import { parsing, parsingRenamed } from '../passages.ts';
import { englishTexts } from './englishTexts.ts';

const file = path.join(root, 'dist/try/index.html');
const maxBytes = 400_000;
suite('page to try Kindred', () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  const requests: string[] = [];
  const messages: string[] = [];

  suiteSetup(async () => {
    browser = await openBrowser({ width: 1400, height: 900 });
    browser.page.on('request', (request) => requests.push(request.url()));
    browser.page.on('pageerror', (error) => messages.push(String(error)));
    browser.page.on('console', (message) => messages.push(message.text()));
  });
  suiteTeardown(() => browser.close());

  const open = async (width = 1400): Promise<Page> => {
    await browser.page.setViewportSize({ width, height: 900 });
    await browser.page.goto(pathToFileURL(file).href);
    await browser.page.waitForSelector('.step');
    return browser.page;
  };
  const card = (page: Page, name: string): Promise<string> =>
    page
      .locator('.cards li', { has: page.getByText(name, { exact: true }) })
      .locator('.share')
      .innerText();
  const fingerprints = (page: Page): Promise<string[]> => page.locator('.hex code').allTextContents();

  test(`has at most ${maxBytes} compressed bytes`, () => {
    const bytes = gzipSync(readFileSync(file), { level: 9 }).length;
    assert.ok(bytes <= maxBytes, `${bytes} bytes`);
  });

  test('draws the fingerprints, the votes, and the distance of two texts, and requests nothing', async () => {
    const page = await open();
    await page.getByLabel('Text A').fill(parsing);
    await page.getByLabel('Text B').fill(parsingRenamed);
    const [a, b] = [parsing, parsingRenamed].map((text) => ({ path: 'a.ts', text: new TextEncoder().encode(text) }));
    const expected = explainPassages(a, b, defaultOptions, {
      limit: 0,
      decode: (utf8) => new TextDecoder().decode(utf8),
    });
    await page.locator('.hex', { hasText: expected.fingerprints[1] }).waitFor();
    assert.deepEqual(await fingerprints(page), expected.fingerprints);
    const bits = expected.fingerprints.map((hex) => BigInt(`0x${hex}`).toString(2).padStart(64, '0'));
    for (const side of [0, 1]) {
      const drawn = await page.locator('.bit span').allTextContents();
      assert.equal(drawn.filter((_, at) => at % 2 === side).join(''), bits[side]);
      const votes = await page.evaluate<string[]>(
        `[...document.querySelectorAll('.bit .vote')].map(({ className }) => className)`,
      );
      const ofSide = votes.filter((_, at) => at % 2 === side);
      assert.equal(ofSide.map((name) => (name.endsWith('up') ? '1' : '0')).join(''), bits[side]);
    }
    assert.equal(await page.locator('.bit.differs').count(), expected.distance);
    assert.equal(await card(page, 'Distance'), String(expected.distance));
    assert.equal(await card(page, 'Same tokens'), `${Math.floor(expected.sameTokens * 100)}%`);
    assert.match(await page.locator('figcaption').innerText(), /^renamed, /);
    assert.ok((await page.locator('table.compare mark').count()) > 0);
    assert.deepEqual(
      requests.filter((address) => !/^(?:file|blob):/.test(address)),
      [],
    );
    assert.deepEqual(messages, []);
  });

  test('follows the sliders by keyboard', async () => {
    const page = await open();
    const distance = Number(await card(page, 'Distance'));
    assert.match(await page.locator('.cards').innerText(), /more than k/);
    await page.getByLabel('Distance k').focus();
    for (let k = 3; k < 16; k++) await page.keyboard.press('ArrowRight');
    assert.ok(distance <= 16);
    await page.locator('.cards', { hasText: 'within k' }).waitFor();
    const [before = ''] = await fingerprints(page);
    await page.getByLabel('Names').focus();
    await page.keyboard.press('Home');
    await page.locator('.hex', { hasNotText: before }).waitFor();
    await page.getByLabel('Tokens in a shingle').focus();
    await page.keyboard.press('Home');
    await page.getByText('Each run of 1 tokens').waitFor();
  });

  test('shows the votes on the bit that arrow keys select', async () => {
    const page = await open();
    await page.locator('.bit').first().focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    assert.match(await page.locator('.voters').innerText(), /^Bit 3 /);
    await page.keyboard.press('End');
    assert.match(await page.locator('.voters').innerText(), /^Bit 64 /);
    // One stop for all bits.
    assert.equal(await page.locator('.bit[tabindex="0"]').count(), 1);
  });

  test('reports a text that is empty, and one that is too long', async () => {
    const page = await open();
    await page.getByLabel('Text A').fill('');
    await page.getByText('A text is empty').waitFor();
    await page.getByLabel('Text B').fill('word '.repeat(50_000));
    await page.getByText('Text B is too long: the limit is 200,000 characters.').waitFor();
    await page.getByRole('button', { name: 'Edited text' }).click();
    await page.getByText('A scan finds 1 duplicate.').waitFor();
    assert.equal(await page.getByLabel('Language').inputValue(), '.md');
    assert.ok(await page.getByLabel('Words').isVisible());
  });

  test('is completely in German, and keeps the texts when the language changes', async () => {
    const page = await open();
    await page.getByLabel('Text A').fill(parsing);
    await page.getByRole('button', { name: 'Deutsch' }).press('Enter');
    await page.getByText('Stimmen und Bits').waitFor();
    assert.equal(await page.getByLabel('Text A').inputValue(), parsing);
    assert.equal(await page.locator('html').getAttribute('lang'), 'de');
    assert.ok(await page.getByLabel('Schlüsselwörter').isVisible());
    assert.deepEqual(await englishTexts(page), []);
  });

  test('gives every control a name', async () => {
    const page = await open();
    const nameless = await page.evaluate<string[]>(`[...document.querySelectorAll('button, input, select, textarea')]
      .filter((it) => !it.ariaLabel && !it.textContent.trim() && !it.labels?.length).map((it) => it.outerHTML)`);
    assert.deepEqual(nameless, []);
  });

  test('fits a phone and a desktop, in light and dark themes', async () => {
    for (const width of [400, 1400]) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await browser.page.emulateMedia({ colorScheme });
        const page = await open(width);
        await page.locator('table.compare').waitFor();
        const wide = Number(await page.evaluate('document.documentElement.scrollWidth'));
        assert.ok(wide <= width, `${wide} of ${width}`);
        const background = await page.evaluate('getComputedStyle(document.body).backgroundColor');
        assert.equal(background === 'rgb(255, 255, 255)', colorScheme === 'light');
      }
    }
  });
});
