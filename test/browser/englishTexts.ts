/** Looks for English in a page that is in German. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { root } from '../../scripts/project.mjs';

/** Returns the texts and labels of a page that are translated to German but shown in English. Code is left out. */
export async function englishTexts(page: Page): Promise<string[]> {
  const file = path.join(root, 'l10n/bundle.l10n.de.json');
  const translations = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, string>>;
  const english = Object.keys(translations).filter((text) => translations[text] !== text);
  const patterns = english.map((text) => new RegExp(`^${escaped(text)}$`));
  const texts = await page.evaluate<string[]>(allTexts);
  return texts.filter((text) => patterns.some((pattern) => pattern.test(text)));
}

/** Returns a pattern for a string with values in its placeholders; a value has a digit or a dot, and no space. */
function escaped(text: string): string {
  return text.replaceAll(/[.*+?^$()|[\]\\/]/g, '\\$&').replaceAll(/\{\d\}/g, '\\S*[\\d.]\\S*');
}

/** Program that returns all texts of the page, and the labels that are read aloud. */
const allTexts = `(() => {
  const texts = [];
  const walker = document.createTreeWalker(document.getElementById('app'), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode;
    if (!parentElement.closest('code')) texts.push(data.trim());
  }
  for (const it of document.querySelectorAll('[aria-label], [title], [placeholder]'))
    for (const name of ['aria-label', 'title', 'placeholder']) texts.push(it.getAttribute(name) ?? '');
  return texts;
})()`;
