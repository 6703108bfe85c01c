/**
 * The page *Try Kindred*: a single file that compares texts and files in a browser. Workers in the page run the
 * library, so it makes no network requests.
 */
import * as l10n from '@vscode/l10n';
import { button, element } from '../report/elements.ts';
import { themeButton } from '../report/themeButton.ts';
import { FolderTab } from './folderTab.ts';
import { TwoTexts } from './twoTexts.ts';

type Translations = Readonly<Record<string, Record<string, string>>>;

const translations = JSON.parse(document.getElementById('translations')!.textContent) as Translations;
const app = document.getElementById('app')!;
const tabs = { folder: new FolderTab(), texts: new TwoTexts() } as const;
type TabName = keyof typeof tabs;

let current: TabName = 'texts';

showIn(navigator.language.split('-', 1)[0]!);
addEventListener('dragover', (event) => event.preventDefault());
addEventListener('drop', (event) => {
  event.preventDefault();
  if (event.dataTransfer === null || !event.dataTransfer.types.includes('Files')) return;
  open('folder');
  void tabs.folder.drop(event.dataTransfer);
});

/** Draws the page in another language. Keeps everything that the user has entered. */
function showIn(language: string): void {
  const shownLanguage = language in translations ? language : 'en';
  l10n.config({ contents: translations[shownLanguage] ?? {} });
  document.documentElement.lang = shownLanguage;
  document.title = l10n.t('Try Kindred');
  const others = ['en', ...Object.keys(translations)].filter((other) => other !== shownLanguage);
  const nav = element('nav', { class: 'tabs', 'aria-label': l10n.t('What to compare') });
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
            showIn(other);
            app.querySelector<HTMLElement>('[data-language]')?.focus();
          }),
        ),
        themeButton(l10n.t('Light or dark')),
      ),
      nav,
    ),
    element('div', { id: 'tab' }),
  );
  for (const [name, title] of [
    ['texts', l10n.t('Two Texts')],
    ['folder', l10n.t('Folder or .zip')],
  ] as const) {
    nav.append(button(title, { 'data-tab': name }, () => open(name)));
  }
  open(current);
}

function open(tab: TabName): void {
  current = tab;
  for (const one of app.querySelectorAll<HTMLElement>('[data-tab]')) {
    one.setAttribute('aria-pressed', String(one.dataset['tab'] === tab));
  }
  document.getElementById('tab')!.replaceChildren(tabs[tab].render());
}

/** Returns the name of a language in that language: "Deutsch". */
function nameOf(language: string): string {
  return new Intl.DisplayNames([language], { type: 'language' }).of(language)!;
}
