/**
 * The page *Try Kindred*: a single file that compares texts in a browser. It makes no network requests; a worker in the
 * page runs the library.
 */
import * as l10n from '@vscode/l10n';
import { button, element } from '../report/elements.ts';
import { themeButton } from '../report/themeButton.ts';
import { setLocale } from './numbers.ts';
import { TwoTexts } from './twoTexts.ts';

type Translations = Readonly<Record<string, Record<string, string>>>;

const translations = JSON.parse(document.getElementById('translations')!.textContent) as Translations;
const app = document.getElementById('app')!;
const texts = new TwoTexts();

show(navigator.language.split('-', 1)[0]!);

/** Draws everything in a language; what the user has entered is kept. */
function show(language: string): void {
  const known = language in translations ? language : 'en';
  l10n.config({ contents: translations[known] ?? {} });
  setLocale(known);
  document.documentElement.lang = known;
  document.title = l10n.t('Try Kindred');
  const others = ['en', ...Object.keys(translations)].filter((other) => other !== known);
  app.replaceChildren(
    element(
      'header',
      {},
      element('h1', {}, element('strong', {}, l10n.t('Try Kindred'))),
      element(
        'p',
        { class: 'headline' },
        l10n.t('Finds text that occurs more than once, even if a copy was edited. Nothing leaves this page.'),
      ),
      element(
        'div',
        { class: 'corner' },
        ...others.map((other) =>
          button(nameOf(other), { lang: other, 'data-language': other }, () => {
            show(other);
            app.querySelector<HTMLElement>('[data-language]')?.focus();
          }),
        ),
        themeButton(l10n.t('Light or dark')),
      ),
    ),
    element('main', {}, texts.render()),
  );
}

/** Returns the name of a language in itself. */
function nameOf(language: string): string {
  return new Intl.DisplayNames([language], { type: 'language' }).of(language)!;
}
