/** The tab *Two Texts*: two texts, settings, and the result, which is updated after each change. */
import * as l10n from '@vscode/l10n';
import type { TokenKind } from '../../../core/engine/languages/tokenKind.ts';
import { button, element } from '../report/elements.ts';
import { comparisonSteps } from './comparisonSteps.ts';
import { Engine } from './engine.ts';
import { type Example, examples } from './examples.ts';
import { languageChoice, proseLanguage } from './languages.ts';
import type { Answer, Comparison, TextPair } from './messages.ts';
import { quantity } from './numbers.ts';
import { slider } from './slider.ts';

/**
 * Maximum number of characters of a text. The time of a comparison grows with the product of both lengths; it is about
 * two seconds at this limit.
 */
const maxCharacters = 200_000;
/**
 * Time in milliseconds to wait after the last change, before comparing. Comparing short texts takes a few milliseconds.
 */
const delayMs = 100;

const codeKinds = ['keyword', 'identifier', 'call', 'string', 'number', 'operator', 'punctuation'] as const;
const proseKinds = ['word', 'heading'] as const;

export class TwoTexts {
  #texts: [string, string] = [...examples.code.texts];
  #language: string = examples.code.language;
  #maxDistance = 3;
  #shingleSize = 4;
  #minTokens = 30;
  readonly #weights: Partial<Record<TokenKind, number>> = {
    ...Object.fromEntries([...codeKinds, ...proseKinds].map((kind) => [kind, 1])),
    punctuation: 0.5,
  };
  #comparison: Comparison | undefined;
  readonly #engine = new Engine((answer) => this.#receive(answer));
  #timer: number | undefined;
  #result = element('div');

  render(): HTMLElement {
    this.#result = element('div', { class: 'steps', 'aria-live': 'off' });
    if (this.#comparison) this.#draw(this.#comparison);
    else this.#compare();
    return element(
      'div',
      { class: 'two-texts' },
      element(
        'div',
        { class: 'choices' },
        languageChoice('language', this.#language, (language) => {
          this.#language = language;
          this.#redraw('#language');
        }),
        element('span', { class: 'quiet' }, l10n.t('Examples:')),
        this.#exampleButton(l10n.t('Edited code'), examples.code),
        this.#exampleButton(l10n.t('Edited text'), examples.prose),
        this.#exampleButton(l10n.t('Unrelated'), examples.unrelated),
      ),
      element('div', { class: 'pair' }, this.#textArea(0), this.#textArea(1)),
      element('div', { class: 'columns' }, this.#settings(), this.#result),
    );
  }

  #textArea(side: 0 | 1): HTMLElement {
    const area = element('textarea', { id: `text-${side}`, rows: '13', spellcheck: 'false', autocomplete: 'off' });
    area.value = this.#texts[side];
    area.addEventListener('input', () => {
      this.#texts[side] = area.value;
      this.#change();
    });
    return element('div', {}, element('label', { for: `text-${side}` }, nameOfSide(side)), area);
  }

  #exampleButton(label: string, example: Example): HTMLElement {
    const id = `example-${Object.values(examples).indexOf(example)}`;
    return button(label, { id }, () => {
      this.#texts = [...example.texts];
      this.#language = example.language;
      this.#redraw(`#${id}`);
    });
  }

  /** Redraws the tab, and restores the focus to the same control. */
  #redraw(focused: string): void {
    const before = document.querySelector('.two-texts');
    this.#comparison = undefined;
    before?.replaceWith(this.render());
    document.querySelector<HTMLElement>(focused)?.focus();
  }

  #settings(): HTMLElement {
    const kinds = this.#language === proseLanguage ? proseKinds : codeKinds;
    return element(
      'section',
      { class: 'settings', 'aria-label': l10n.t('Settings') },
      slider({
        id: 'k',
        min: 0,
        max: 16,
        step: 1,
        value: this.#maxDistance,
        label: l10n.t('Distance k'),
        about: l10n.t('Maximum number of differing bits of two fingerprints.'),
        onInput: (value) => {
          this.#maxDistance = value;
          this.#change();
        },
      }).element,
      slider({
        id: 'shingle-size',
        min: 1,
        max: 10,
        step: 1,
        value: this.#shingleSize,
        label: l10n.t('Tokens in a shingle'),
        about: l10n.t('Longer shingles tolerate fewer edits.'),
        onInput: (value) => {
          this.#shingleSize = value;
          this.#change();
        },
      }).element,
      slider({
        id: 'min-tokens',
        min: 10,
        max: 100,
        step: 5,
        value: this.#minTokens,
        label: l10n.t('Tokens in a passage'),
        about: l10n.t('Minimum size of what a scan reports.'),
        onInput: (value) => {
          this.#minTokens = value;
          this.#change();
        },
      }).element,
      element(
        'fieldset',
        {},
        element('legend', {}, l10n.t('Weights of the tokens')),
        ...kinds.map(
          (kind) =>
            slider({
              id: `weight-${kind}`,
              min: 0,
              max: 5,
              step: 0.5,
              value: this.#weights[kind] ?? 1,
              label: nameOfKind(kind),
              onInput: (value) => {
                this.#weights[kind] = value;
                this.#change();
              },
            }).element,
        ),
      ),
    );
  }

  #change(): void {
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#compare(), delayMs);
  }

  #compare(): void {
    const tooLong = ([0, 1] as const).find((side) => this.#texts[side].length > maxCharacters);
    if (tooLong !== undefined) {
      const limit = quantity(maxCharacters);
      this.#fail(l10n.t('{0} is too long: the limit is {1} characters.', nameOfSide(tooLong), limit));
      return;
    }
    this.#engine.ask({ type: 'compare', pair: this.#pair() });
  }

  #pair(): TextPair {
    return {
      texts: this.#texts,
      language: this.#language,
      options: {
        maxDistance: this.#maxDistance,
        shingleSize: this.#shingleSize,
        minTokens: this.#minTokens,
        minLines: 2,
        weights: this.#weights,
        prose: { maxDistance: this.#maxDistance, shingleSize: this.#shingleSize, minWords: this.#minTokens },
      },
    };
  }

  #receive(answer: Answer): void {
    if (answer.type === 'compared') this.#draw((this.#comparison = answer.comparison));
    else if (answer.type === 'failed') this.#fail(answer.message);
  }

  #draw(comparison: Comparison): void {
    this.#result.replaceChildren(...comparisonSteps(comparison, this.#texts, this.#maxDistance));
  }

  #fail(message: string): void {
    this.#comparison = undefined;
    this.#result.replaceChildren(element('p', { class: 'verdict broken', role: 'alert' }, message));
  }
}

export function nameOfSide(side: 0 | 1): string {
  return side === 0 ? l10n.t('Text A') : l10n.t('Text B');
}

function nameOfKind(kind: (typeof codeKinds | typeof proseKinds)[number]): string {
  switch (kind) {
    case 'keyword':
      return l10n.t('Keywords');
    case 'identifier':
      return l10n.t('Names');
    case 'call':
      return l10n.t('Called functions');
    case 'string':
      return l10n.t('Strings');
    case 'number':
      return l10n.t('Numbers');
    case 'operator':
      return l10n.t('Operators');
    case 'punctuation':
      return l10n.t('Punctuation');
    case 'word':
      return l10n.t('Words');
    case 'heading':
      return l10n.t('Headings');
  }
}
