/** View of a report with filters, sorting, and comparison of copies. */
import * as l10n from '@vscode/l10n';
import { lineShare } from '../../../presentation/wording/lineShare.ts';
import type { SectionName } from '../../../presentation/wording/outline.ts';
import type { PageData, PageRow } from '../../../presentation/wording/pageData.ts';
import { sectionTitle } from '../../../presentation/wording/sectionTitle.ts';
import { duplicateCount, fileCount, lineCount } from './counts.ts';
import { button, element, number } from './elements.ts';
import { factsOf, type ReportSource, type RowFacts, rowList } from './rows.ts';
import { themeButton } from './themeButton.ts';

const orders: Readonly<Record<string, (a: RowFacts, b: RowFacts) => number>> = {
  Worth: (a, b) => b.worth - a.worth,
  Lines: (a, b) => b.lines - a.lines,
  Similarity: (a, b) => b.similarity - a.similarity,
  Copies: (a, b) => b.copies - a.copies,
  Path: (a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0),
};

interface Entry {
  readonly row: PageRow;
  readonly facts: RowFacts;
}

type TabName = SectionName | 'new';

interface Section {
  readonly name: TabName;
  readonly count: number;
  readonly entries: readonly Entry[];
}

interface State {
  section: TabName | undefined;
  /** True if the user selected the section after changing the filter. It then stays open without rows. */
  isChosen: boolean;
  words: string;
  order: string;
  minShare: number;
}

export function showReport(data: ReportSource, app: HTMLElement): void {
  const sections = sectionsOf(data);
  const state: State = { section: mostUseful(sections), isChosen: false, words: '', order: 'Worth', minShare: 0 };
  const results = element('main', { id: 'results' });
  const tabs = element('nav', { class: 'tabs', 'aria-label': l10n.t('Sections') });
  const update = (): void => {
    const words = state.words.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = ({ facts }: Entry): boolean =>
      facts.similarity * 100 >= state.minShare && words.every((word) => facts.haystack.includes(word));
    const isFiltered = words.length > 0 || state.minShare > 0;
    const found = sections.map(({ name, count, entries }) => {
      const fitting = entries.filter(fits);
      return { name, entries: fitting, count: isFiltered ? fitting.length : count };
    });
    const hits = found.filter(({ entries }) => entries.length > 0);
    // The filter applies to all sections. If the open section has no matching rows, open another section, unless the
    // user has explicitly selected the open section.
    const isElsewhere = !state.isChosen && !hits.some(({ name }) => name === state.section);
    const shown = isElsewhere && hits.length > 0 ? mostUseful(hits) : state.section;
    const tabOf = ({ name, count, entries }: Section): HTMLElement => {
      const tab = button(sectionTitle(name), { 'aria-pressed': String(name === shown) }, () => {
        state.section = name;
        state.isChosen = true;
        update();
      });
      tab.classList.toggle('none', entries.length === 0);
      tab.append(element('span', { class: 'number' }, number(count)));
      return tab;
    };
    tabs.replaceChildren(...found.map(tabOf));
    const entries = found.find(({ name }) => name === shown)?.entries ?? [];
    const sorted = [...entries].sort((a, b) => orders[state.order]!(a.facts, b.facts));
    results.replaceChildren(
      sorted.length > 0
        ? rowList(
            sorted.map(({ row }) => row),
            data,
          )
        : element(
            'p',
            { class: 'quiet empty' },
            shown === undefined
              ? l10n.t('No near-duplicates.')
              : l10n.t('Nothing in {0} matches the filter.', sectionTitle(shown)),
            sections.length > 0 && hits.length > 0 && ` ${l10n.t('There are matches in')} `,
            ...(sections.length === 0 ? [] : hits.map(tabOf)),
          ),
    );
  };
  const bar = element('div', { class: 'controls' }, tabs, filters(state, update), themeButton(l10n.t('Light or dark')));
  app.replaceChildren(header(data), ...(sections.length > 0 ? [bar] : []), results, footer(data));
  update();
  listenToKeys(app);
  openTarget(state, sections, update);
  addEventListener('hashchange', () => openTarget(state, sections, update));
}

/** Returns the section to open first: new groups, if any; otherwise the code or text that people maintain. */
function mostUseful(sections: readonly Section[]): TabName | undefined {
  const first = (['new', 'source', 'text'] as const).find((name) => sections.some((section) => section.name === name));
  return first ?? sections[0]?.name;
}

/** Returns the sections of a report. New groups are in a section of their own, which comes first. */
function sectionsOf(data: PageData): Section[] {
  const sections = data.sections.map(({ name, count, rows }) => ({
    name,
    count,
    entries: rows.map((row) => ({ row, facts: factsOf(row, data) })),
  }));
  const fresh = data.groups.flatMap((group, at) => (group.fresh === undefined ? [] : [{ group: at }]));
  if (fresh.length === 0) return sections;
  return [
    { name: 'new', count: fresh.length, entries: fresh.map((row) => ({ row, facts: factsOf(row, data) })) },
    ...sections,
  ];
}

/** Lists the inconsistent edits: copies that were edited while other copies of their group were not. */
function editedList(edited: NonNullable<PageData['edited']>): HTMLElement {
  return element(
    'details',
    { class: 'edited', open: '' },
    element('summary', {}, l10n.t('Edited in some copies only: {0}', number(edited.length))),
    ...edited.map(({ place, message, diff }) =>
      element(
        'details',
        {},
        element('summary', {}, element('code', {}, place), ` · ${message}`),
        element('pre', {}, diff.join('\n')),
      ),
    ),
  );
}

/** Returns the page title, with the name of the scanned folder in bold. */
function titleOf(name: string): HTMLElement {
  const [before, after] = l10n.t('Near-duplicates in {0}', '\0').split('\0');
  return element('h1', {}, before, element('strong', {}, name), after);
}

function orderTitle(name: string): string {
  switch (name) {
    case 'Worth':
      return l10n.t('Worth');
    case 'Lines':
      return l10n.t('Lines');
    case 'Similarity':
      return l10n.t('Similarity');
    case 'Copies':
      return l10n.t('Copies');
    default:
      return l10n.t('Path');
  }
}

function header({ name, headline, complete, check, edited, categories }: PageData): HTMLElement {
  const cards = categories.map(({ name: category, rows, lines, files, duplicatedLines }) =>
    element(
      'li',
      { title: `${fileCount(files)}, ${lineCount(lines)}` },
      element('span', { class: 'share' }, lineShare({ lines, duplicatedLines }, document.documentElement.lang)),
      element('span', { class: 'name' }, sectionTitle(category)),
      element('span', { class: 'quiet' }, duplicateCount(rows)),
    ),
  );
  return element(
    'header',
    {},
    titleOf(name),
    element('p', { class: 'headline' }, headline),
    check &&
      element(
        'p',
        { class: check.holds ? 'verdict' : 'verdict broken' },
        `${check.holds ? '✓' : '✗'} ${check.message}`,
      ),
    edited && editedList(edited),
    !complete &&
      element('p', { class: 'verdict broken' }, l10n.t('The scan was interrupted; the results are incomplete.')),
    cards.length > 0 && element('ul', { class: 'cards' }, ...cards),
  );
}

function filters(state: State, update: () => void): HTMLElement {
  const search = element('input', {
    type: 'search',
    id: 'filter',
    placeholder: l10n.t('Filter by path or id (/)'),
    'aria-label': l10n.t('Filter'),
  });
  search.addEventListener('input', () => {
    state.words = search.value;
    state.isChosen = false;
    update();
  });
  const order = element(
    'select',
    { 'aria-label': l10n.t('Sort by') },
    ...Object.keys(orders).map((name) => element('option', { value: name }, orderTitle(name))),
  );
  order.addEventListener('change', () => {
    state.order = order.value;
    update();
  });
  const similaritySelect = element(
    'select',
    { 'aria-label': l10n.t('Minimum similarity') },
    ...[0, 70, 80, 90, 100].map((share) =>
      element(
        'option',
        { value: String(share) },
        share === 0 ? l10n.t('Any similarity') : `${share === 100 ? '' : '≥ '}${l10n.t('{0}%', share)}`,
      ),
    ),
  );
  similaritySelect.addEventListener('change', () => {
    state.minShare = Number(similaritySelect.value);
    state.isChosen = false;
    update();
  });
  return element('div', { class: 'filters' }, search, order, similaritySelect);
}

function footer({ version }: PageData): HTMLElement {
  const keys = [['j', 'k'], ['Enter'], ['/'], ['Esc']].map((names) => names.map((key) => element('kbd', {}, key)));
  const keyEffects = [
    l10n.t('next and previous row'),
    l10n.t('open or close'),
    l10n.t('filter'),
    l10n.t('clear the filter'),
  ];
  return element(
    'footer',
    {},
    element('p', { class: 'keys' }, ...keys.flatMap((names, at) => [...names, ` ${keyEffects[at]}  `])),
    element('p', {}, `Kindred ${version}`),
  );
}

function listenToKeys(app: HTMLElement): void {
  const filter = app.querySelector<HTMLInputElement>('#filter');
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || filter?.isConnected === false) return;
    const isTyping =
      (event.target instanceof HTMLInputElement && event.target.type === 'search') ||
      event.target instanceof HTMLTextAreaElement;
    if (event.key === 'Escape' && filter && event.target === filter) {
      filter.value = '';
      filter.dispatchEvent(new Event('input'));
      filter.blur();
      return;
    }
    if (isTyping || event.target instanceof HTMLSelectElement) return;
    if (event.key === '/' && filter) {
      event.preventDefault();
      filter.focus();
    } else if (event.key === 'j' || event.key === 'k') {
      step(event.key === 'j' ? 1 : -1);
    }
  });
}

/** Moves the focus to the next or previous visible row. */
function step(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('#results summary')].filter(
    (row) => row.offsetParent !== null,
  );
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const next = rows[Math.min(rows.length - 1, Math.max(0, at + by))];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

/** Opens the group that the page's URL identifies: report.html#g-0123456789abcdef. */
function openTarget(state: State, sections: readonly Section[], update: () => void): void {
  const id = /^#g-([0-9a-f-]+)$/.exec(location.hash)?.[1];
  if (id === undefined) return;
  const section = sections.find(({ entries }) => entries.some(({ facts }) => facts.haystack.includes(id)));
  if (section === undefined) return;
  state.section = section.name;
  state.words = id;
  const filter = document.getElementById('filter') as HTMLInputElement;
  filter.value = id;
  update();
  const [first] = document.querySelectorAll<HTMLDetailsElement>('#results details');
  if (first) first.open = true;
}
