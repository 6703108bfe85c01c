/** The window in other languages: in German, and in a pseudo-language that reveals untranslated strings. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { getL10nPseudoLocalized } from '@vscode/l10n-dev';
import { root } from '../../scripts/project.mjs';
import { suiteWorkbench } from './workbench.ts';

/** VS Code's name of the pseudo-language. */
const pseudoLanguage = 'qps-ploc';

suite('a window in German', () => {
  const workbench = suiteWorkbench({ fixture: 'shop', language: 'de' });

  test('shows the duplicates in German', async () => {
    await workbench().showViews();
    await workbench().treeRows('dates.ts, period.ts').first().waitFor();
    const sidebar = workbench().page.locator('.sidebar');
    // The decimal separator is also localized.
    for (const text of ['Duplikate', 'Quellcode', '69,5 %', 'In dieser Datei']) {
      await sidebar.getByText(text, { exact: false }).first().waitFor();
    }
    await workbench().page.locator('.statusbar-item', { hasText: '4 Duplikate' }).waitFor();
    await workbench().screenshot('german');
  });

  test('has its commands in German', async () => {
    await workbench().run('Kindred: Gruppieren nach');
    await workbench().page.locator('.quick-input-list .monaco-list-row', { hasText: 'Sprache' }).waitFor();
    await workbench().screenshot('german choice');
    await workbench().page.keyboard.press('Escape');
  });
});

suite('a window in a pseudo-language', () => {
  const workbench = suiteWorkbench({ fixture: 'shop', language: pseudoLanguage, prepare: writePseudoTranslations });

  test('has no English in the views of Kindred', async () => {
    await workbench().showViews();
    const copies = workbench().treeRows('period.ts:');
    await workbench().clickUntil(workbench().treeRows('dates.ts, period.ts').first(), copies.first());
    await workbench().screenshot('pseudo-language');
    const shownTexts = await workbench().page.evaluate<string[]>(`[...document.querySelectorAll(
      '.sidebar .composite.title, .sidebar .pane-header, .sidebar .customview-tree .monaco-list-row, ' +
      '.sidebar .message, [id="kindred.kindred.kindred.status"], [id^="kindred.kindred"]',
    )].flatMap((each) => [each, ...each.querySelectorAll('[aria-label], [title]')]
      .flatMap((it) => [
        // The description of a row begins right behind its label.
        ...it.closest('.monaco-list-row')
          ? [...it.querySelectorAll('.label-name, .label-description')].map(({ innerText }) => innerText)
          : [it.innerText],
        it.getAttribute('aria-label'), it.getAttribute('title')])
      .filter((text) => typeof text === 'string' && text !== ''))`);
    assert.ok(shownTexts.length > 20, shownTexts.join('\n'));
    assert.deepEqual([...new Set(shownTexts.flatMap(englishIn))], []);
  });

  test('has no English in the texts about a copy', async () => {
    await workbench().clickUntil(workbench().treeRows('period.ts:').first(), workbench().tab('period.ts'));
    await workbench().editor().locator('.squiggly-info').first().waitFor();
    const hover = workbench().page.locator('.monaco-hover:not(.hidden) .hover-contents');
    await workbench().hoverUntil(
      workbench().editor().locator('.view-line', { hasText: 'function' }).first(),
      hover.first(),
    );
    await workbench().screenshot('pseudo-language hover');
    const shownTexts = await hover.allInnerTexts();
    // Entries of VS Code itself follow.
    const own = shownTexts.flatMap((text) => text.split('\n')).filter((text) => !/View Problem|Quick Fix/.test(text));
    assert.deepEqual([...new Set(own.flatMap(englishIn))], []);
  });

  test('has no English in its quick fixes', async () => {
    const { page } = workbench();
    await page.keyboard.press('Escape');
    await workbench().click('function');
    await workbench().lightBulbItem(pseudo('Compare'));
    const menu = page.locator('.action-widget');
    await workbench().screenshot('pseudo-language quick fixes');
    const all = await menu.locator('.monaco-list-row').allInnerTexts();
    // VS Code's own entries are among them, without any letter of the pseudo-language.
    const englishTexts = all.filter((text) => /[^ -~\s…]/.test(text));
    assert.ok(englishTexts.length > 3, englishTexts.join());
    assert.deepEqual(english(englishTexts), []);
    await page.keyboard.press('Escape');
  });

  test('has no English in the status bar texts about the file', async () => {
    const { page } = workbench();
    const hover = await workbench().languageStatus('');
    assert.deepEqual(english(await hover.allInnerTexts()), []);
    await page.keyboard.press('Escape');
  });

  for (const command of ['Filter…', 'Group By…', 'Sort Groups…', 'Explain Rows and Icons']) {
    test(`has no English in the prompt of ${command}`, async () => {
      const { page } = workbench();
      await workbench().run(pseudo(command));
      // The palette closes before the prompt opens.
      await page.waitForFunction(`(() => {
        const rows = [...document.querySelectorAll('.quick-input-list .monaco-list-row')];
        return rows.length > 1 && !rows.some(({ innerText }) => innerText.includes('Kindred'));
      })()`);
      await workbench().screenshot(`pseudo-language ${command.replace('…', '')}`);
      const shownTexts = await page.evaluate<string[]>(
        textsIn('.quick-input-title', '.quick-input-box input', '.quick-input-list .monaco-list-row'),
      );
      // The palette reuses its rows, and shows English titles beside the localized ones.
      assert.deepEqual(english(shownTexts.filter((text) => !/^Kindred: /.test(text))), []);
      await page.keyboard.press('Escape');
    });
  }

  for (const [command, ready] of [
    ['Tune Sensitivity', '#reset'],
    ['Show Duplication Map', '.summary'],
  ] as const) {
    test(`has no English in the page of ${command}`, async () => {
      await workbench().run(pseudo(command));
      const page = workbench().page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
      await page.locator(ready).first().waitFor();
      await page.locator(':text("4")').first().waitFor();
      await workbench().screenshot(`pseudo-language ${command}`);
      const shownTexts = await page.locator('body').evaluate(textsOf as (body: unknown) => string[]);
      assert.ok(shownTexts.length > 10, shownTexts.join());
      assert.deepEqual(english(shownTexts), []);
      await workbench().run('View: Close All Editors');
      await workbench().page.locator('iframe.webview.ready').waitFor({ state: 'detached' });
    });
  }

  test('has no English in errors of settings that the scanner finds', async () => {
    await workbench().changeSettings({ 'kindred.minTokens': 3 });
    const message = workbench().page.locator('.sidebar .message, .sidebar .welcome-view', { hasText: 'minTokens' });
    await message.first().waitFor();
    await workbench().screenshot('pseudo-language problem');
    const messages = (await message.allInnerTexts()).map((text) => text.replaceAll('minTokens', ''));
    assert.deepEqual(english(messages), []);
    await workbench().changeSettings({ 'kindred.minTokens': 50 });
    await message.first().waitFor({ state: 'detached' });
  });

  test('has no English in errors of a configuration file', async () => {
    const file = path.join(workbench().folder, '.kindredrc.jsonc');
    await writeFile(file, '{ "minTokens": "many" }');
    const message = workbench().page.locator('.sidebar .message, .sidebar .welcome-view', { hasText: 'minTokens' });
    await message.first().waitFor();
    await workbench().screenshot('pseudo-language configuration');
    const messages = (await message.allInnerTexts()).map((text) =>
      text.replaceAll(/minTokens|kindredrc|jsonc|many/g, ''),
    );
    assert.deepEqual(english(messages), []);
    await rm(file);
    await message.first().waitFor({ state: 'detached' });
  });
});

/** Texts of an element and its descendants, including those for screen readers. */
interface Part {
  readonly innerText: string;
  getAttribute(name: string): string | null;
  querySelectorAll(selector: string): Iterable<Part>;
}

/** Runs in the page, so it must not use anything from this file. */
function textsOf(part: Part): string[] {
  const parts = [part, ...part.querySelectorAll('[aria-label], [title], [aria-valuetext], [placeholder]')];
  const named = ['aria-label', 'title', 'aria-valuetext', 'placeholder'];
  return parts
    .flatMap((it) => [...(it === part ? it.innerText.split('\n') : []), ...named.map((name) => it.getAttribute(name))])
    .filter((text) => typeof text === 'string')
    .filter((text) => text !== '');
}

/** Returns an expression that calls `textsOf` on all visible elements with one of these selectors. */
function textsIn(...selectors: string[]): string {
  return `[...document.querySelectorAll(${JSON.stringify(selectors.join())})]
    .filter((each) => each.checkVisibility() && each.getClientRects().length > 0)
    .flatMap(${String(textsOf)})`;
}

/** Returns a string of the extension in the pseudo-language. */
function pseudo(text: string): string {
  return getL10nPseudoLocalized({ text })['text'] as string;
}

/** Returns the English words of texts without duplicates. */
function english(texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap(englishIn))];
}

/** Returns the English words of a text that are in no file and no path of the fixture. */
function englishIn(text: string): string[] {
  return (text.match(/[A-Za-z]{3,}/g) ?? []).filter((word) => !ownWords.has(word));
}

/**
 * Texts that are not translated: names and contents of files, the product, and diagnostic codes. VS Code's own texts
 * are included, because only English is installed.
 */
const ownWords = new Set([
  ...'Kindred kindred exact near duplicate'.split(' '),
  ...'Section actions More Actions Views Collapse All Ctrl Shift Alt Control UpArrow DownArrow'.split(' '),
  ...wordsOfFixture(path.join(root, 'test/fixtures/shop')),
]);

function wordsOfFixture(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    const file = path.join(folder, name);
    const text = path.extname(name) === '' ? '' : readFileSync(file, 'utf8');
    return `${name} ${text}`.match(/[A-Za-z]{3,}/g) ?? [];
  });
}

async function writePseudoTranslations(extension: string): Promise<void> {
  const read = (file: string): Record<string, string> =>
    JSON.parse(readFileSync(path.join(extension, file), 'utf8')) as Record<string, string>;
  // Each translation has every string of the code, which test/l10n.test.ts checks.
  const english = Object.keys(read('l10n/bundle.l10n.de.json')).map((message) => [message, message]);
  for (const [file, strings] of [
    [`l10n/bundle.l10n.${pseudoLanguage}.json`, Object.fromEntries(english) as Record<string, string>],
    [`package.nls.${pseudoLanguage}.json`, read('package.nls.json')],
  ] as const) {
    await writeFile(path.join(extension, file), JSON.stringify(getL10nPseudoLocalized(strings)));
  }
}
