/** The window in another language: in German, and in one that no person speaks, which shows what is not translated. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { getL10nJson, getL10nPseudoLocalized } from '@vscode/l10n-dev';
import { root } from '../../scripts/project.mjs';
import { suiteWorkbench } from './workbench.ts';

/** VS Code's own name of a language that is made up. */
const pseudoLanguage = 'qps-ploc';

suite('a window in German', () => {
  const workbench = suiteWorkbench({ fixture: 'shop', language: 'de' });

  test('shows the duplicates in German', async () => {
    await workbench().activity('Kindred').click();
    await workbench().treeRows('dates.ts, period.ts').first().waitFor();
    const sidebar = workbench().page.locator('.sidebar');
    // The decimal sign is that of the language, too.
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
    await workbench().activity('Kindred').click();
    await workbench().treeRows('dates.ts, period.ts').first().waitFor();
    await workbench().treeRows('dates.ts, period.ts').first().click();
    await workbench().page.keyboard.press('ArrowRight');
    await workbench().treeRows('period.ts:').first().waitFor();
    await workbench().screenshot('pseudo-language');
    const said = await workbench().page.evaluate<string[]>(`[...document.querySelectorAll(
      '.sidebar .composite.title, .sidebar .pane-header, .sidebar .customview-tree .monaco-list-row, ' +
      '.sidebar .message, [id="kindred.kindred.kindred.status"], [id^="kindred.kindred"]',
    )].flatMap((each) => [each, ...each.querySelectorAll('[aria-label], [title]')]
      .flatMap((it) => [it.innerText, it.getAttribute('aria-label'), it.getAttribute('title')])
      .filter((text) => typeof text === 'string' && text !== ''))`);
    assert.ok(said.length > 20, said.join('\n'));
    assert.deepEqual([...new Set(said.flatMap(englishIn))], []);
  });

  test('has no English in what it says of a copy', async () => {
    await workbench().treeRows('period.ts:').first().click();
    const line = workbench().page.locator('.editor-group-container.active .view-line', { hasText: 'const' }).first();
    await line.waitFor();
    await workbench().page.locator('.editor-group-container.active .squiggly-info').first().waitFor();
    await workbench()
      .page.locator('.editor-group-container.active .view-line', { hasText: 'function' })
      .first()
      .hover();
    const hover = workbench().page.locator('.monaco-hover:not(.hidden) .hover-contents');
    await hover.first().waitFor();
    await workbench().screenshot('pseudo-language hover');
    const said = await hover.allInnerTexts();
    // Below it are the entries of VS Code itself.
    const own = said.flatMap((text) => text.split('\n')).filter((text) => !/View Problem|Quick Fix/.test(text));
    assert.deepEqual([...new Set(own.flatMap(englishIn))], []);
  });
});

/** English words of a text that are in no file of the fixture, and in no path. */
function englishIn(text: string): string[] {
  return (text.match(/[A-Za-z]{3,}/g) ?? []).filter((word) => !ownWords.has(word));
}

/**
 * What is shown as it is: names of files and what they say, the product, codes of diagnostics; and what VS Code says, of
 * which only English is installed.
 */
const ownWords = new Set([
  ...'Kindred kindred exact near duplicate'.split(' '),
  ...'Section actions More Actions Views Collapse All Ctrl Shift Alt'.split(' '),
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
  const names = readdirSync(path.join(root, 'src/host'), { recursive: true, encoding: 'utf8' });
  const scripts = names
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({ extension: '.ts', contents: readFileSync(path.join(root, 'src/host', name), 'utf8') }));
  const manifest = JSON.parse(readFileSync(path.join(extension, 'package.nls.json'), 'utf8')) as Record<string, string>;
  for (const [file, strings] of [
    [`l10n/bundle.l10n.${pseudoLanguage}.json`, await getL10nJson(scripts)],
    [`package.nls.${pseudoLanguage}.json`, manifest],
  ] as const) {
    await writeFile(path.join(extension, file), JSON.stringify(getL10nPseudoLocalized(strings)));
  }
}
