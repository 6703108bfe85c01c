/** Searches the files of a scan for near-duplicates of a text. */
import * as l10n from '@vscode/l10n';
import type { SimilarPassage, SimilarPassages } from '../../../core/engine/similar/findSimilar.ts';
import { compareTexts } from '../report/compareTexts.ts';
import { element, pathNodes } from '../report/elements.ts';
import { languageChoice } from './languages.ts';
import { percent } from '../../../presentation/wording/likeness.ts';
import type { ScannedTexts } from './scannedTexts.ts';

/** Time in milliseconds to wait after the last change of the text, before searching. */
const delayMs = 200;

export class SimilarSearch {
  readonly #texts: ScannedTexts;
  readonly #search: (text: string, language: string) => void;
  #text = '';
  #language: string;
  #found: SimilarPassages | undefined;
  #timer: number | undefined;
  #list = element('div');

  constructor(texts: ScannedTexts, language: string, search: (text: string, language: string) => void) {
    this.#texts = texts;
    this.#language = language;
    this.#search = search;
  }

  render(): HTMLElement {
    const area = element('textarea', { id: 'sought', rows: '8', spellcheck: 'false', autocomplete: 'off' });
    area.value = this.#text;
    area.addEventListener('input', () => {
      this.#text = area.value;
      this.#change();
    });
    this.#list = element('div', { role: 'status' });
    if (this.#found) this.show(this.#found);
    return element(
      'div',
      { class: 'search' },
      element(
        'div',
        { class: 'choices' },
        element('label', { for: 'sought' }, l10n.t('Paste a text to find the passages that it nearly duplicates.')),
        languageChoice('sought-language', this.#language, (language) => {
          this.#language = language;
          this.#change();
        }),
      ),
      area,
      this.#list,
    );
  }

  show(found: SimilarPassages): void {
    this.#found = found;
    const { passages, hasNoWindow } = found;
    if (this.#text.trim() === '') return this.#list.replaceChildren();
    if (passages.length === 0) {
      const text = hasNoWindow
        ? l10n.t('The text is too short to search for.')
        : l10n.t('Nothing in the files is similar to the text.');
      return this.#list.replaceChildren(element('p', { class: 'quiet' }, text));
    }
    this.#list.replaceChildren(element('div', { class: 'rows' }, ...passages.map((one) => this.#row(one))));
  }

  #change(): void {
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#search(this.#text, this.#language), delayMs);
  }

  #row({ passage, similarity, textLines }: SimilarPassage): HTMLElement {
    const { path, startLine, endLine } = passage;
    const sought = this.#text
      .split('\n')
      .slice(textLines.start - 1, textLines.end)
      .join('\n');
    const details = element(
      'details',
      { class: 'row' },
      element(
        'summary',
        {},
        element(
          'span',
          { class: 'title' },
          element('span', { class: 'names' }, ...pathNodes(`${path}:${startLine}-${endLine}`)),
        ),
        element('span', { class: 'alike' }, percent(similarity)),
      ),
    );
    details.addEventListener(
      'toggle',
      () => {
        const text = this.#texts.lines(path, startLine, endLine) ?? '';
        const left = { path: `a${this.#language}`, text: sought, startLine: textLines.start };
        const table = compareTexts(left, { path, text, startLine });
        details.append(element('div', { class: 'body' }, element('div', { class: 'compared' }, table)));
      },
      { once: true },
    );
    return details;
  }
}
