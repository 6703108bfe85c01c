/** The tab *Two Texts*: two texts, settings, and the result, which is updated after each change. */
import * as l10n from '@vscode/l10n';
import { button, element } from '../report/elements.ts';
import { comparisonSteps } from './comparisonSteps.ts';
import { Engine } from './engine.ts';
import { type Example, examples } from './examples.ts';
import { languageChoice, proseLanguage } from './languages.ts';
import type { Answer, Comparison, TextPair } from './messages.ts';
import { quantity } from './numbers.ts';
import { slider, type SliderOptions } from './slider.ts';

/** Maximum number of characters of a text. Comparing takes time by the product of both lengths: here, 2 s. */
const maxCharacters = 200_000;
/** Milliseconds between the last change and the comparison, which takes only a few for short texts. */
const delayMs = 100;

const codeKinds = ['keyword', 'identifier', 'call', 'string', 'number', 'operator', 'punctuation'] as const;
const proseKinds = ['word', 'heading'] as const;
type Kind = (typeof codeKinds | typeof proseKinds)[number];

type Dial = 'maxDistance' | 'shingleSize' | 'minTokens';
type Range = readonly [min: number, max: number, step: number];

export class TwoTexts {
  #texts: [string, string] = [...examples.code.texts];
  #language: string = examples.code.language;
  readonly #dials: Record<Dial, number> = { maxDistance: 3, shingleSize: 4, minTokens: 30 };
  readonly #weights: Record<Kind, number> = {
    keyword: 1,
    identifier: 1,
    call: 1,
    string: 1,
    number: 1,
    operator: 1,
    punctuation: 0.5,
    word: 1,
    heading: 1,
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
      this.#dial(
        'maxDistance',
        [0, 16, 1],
        l10n.t('Distance k'),
        l10n.t('Maximum number of differing bits of two fingerprints.'),
      ),
      this.#dial(
        'shingleSize',
        [1, 10, 1],
        l10n.t('Tokens in a shingle'),
        l10n.t('Longer shingles tolerate fewer edits.'),
      ),
      this.#dial(
        'minTokens',
        [10, 100, 5],
        l10n.t('Tokens in a passage'),
        l10n.t('Minimum size of what a scan reports.'),
      ),
      element(
        'fieldset',
        {},
        element('legend', {}, l10n.t('Weights of the tokens')),
        ...kinds.map((kind) => this.#slider(this.#weights, kind, [0, 5, 0.5], { label: nameOfKind(kind) })),
      ),
    );
  }

  #dial(name: Dial, range: Range, label: string, about: string): HTMLElement {
    return this.#slider(this.#dials, name, range, { label, about });
  }

  /** Creates a slider that sets one of several values. */
  #slider<Name extends string>(
    values: Record<Name, number>,
    name: Name,
    [min, max, step]: Range,
    texts: Pick<SliderOptions, 'label' | 'about'>,
  ): HTMLElement {
    const onInput = (value: number): void => {
      values[name] = value;
      this.#change();
    };
    return slider({ ...texts, id: `text-${name}`, min, max, step, value: values[name], onInput }).element;
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
    this.#engine.submit({ type: 'compare', pair: this.#pair() });
  }

  #pair(): TextPair {
    const { maxDistance, shingleSize, minTokens } = this.#dials;
    return {
      texts: this.#texts,
      language: this.#language,
      options: {
        ...this.#dials,
        minLines: 2,
        weights: this.#weights,
        prose: { maxDistance, shingleSize, minWords: minTokens },
      },
    };
  }

  #receive(answer: Answer): void {
    if (answer.type === 'compared') this.#draw((this.#comparison = answer.comparison));
    else if (answer.type === 'failed') this.#fail(answer.message);
  }

  #draw(comparison: Comparison): void {
    this.#result.replaceChildren(...comparisonSteps(comparison, this.#texts, this.#dials.maxDistance));
  }

  #fail(message: string): void {
    this.#comparison = undefined;
    this.#result.replaceChildren(element('p', { class: 'verdict broken', role: 'alert' }, message));
  }
}

function nameOfSide(side: 0 | 1): string {
  return side === 0 ? l10n.t('Text A') : l10n.t('Text B');
}

function nameOfKind(kind: Kind): string {
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
