/** Rows of the HTML report: a summary, and details that are created only when the row is expanded. */
import * as l10n from '@vscode/l10n';
import { differingParts } from '../../../presentation/wording/differingParts.ts';
import { wholePercent } from '../../../presentation/wording/likeness.ts';
import { memberNames } from '../../../presentation/wording/peers.ts';
import { compareTexts, type Side } from './compareTexts.ts';
import { fileCount, lineCount, listOf, passageCount, rowCount, tokenCount } from './counts.ts';
import { button, element, number, pathNodes } from './elements.ts';
import { sectionTitle } from '../../../presentation/wording/sectionTitle.ts';
import type { PageData, PageGroup, PagePeers, PageRow } from '../../../presentation/wording/pageData.ts';

export interface ReportSource extends PageData {
  /** Returns the text of a passage, given the indices of its group and in the group, if it is available. */
  readonly textOf: (group: number, place: number) => string | undefined;
}

/** Values by which rows are filtered and sorted. */
export interface RowFacts {
  readonly worth: number;
  readonly lines: number;
  readonly similarity: number;
  readonly copies: number;
  readonly path: string;
  readonly isNew: boolean;
  /** Text that the filter searches, in lower case: paths, description, and id. */
  readonly haystack: string;
}

export function factsOf(row: PageRow, data: PageData): RowFacts {
  const group = row.group === undefined ? undefined : data.groups[row.group]!;
  const paths = group ? placesOf(group, data).map(({ path }) => path) : (row.paths ?? []);
  const inside = (row.rows ?? []).map((inner) => factsOf(inner, data));
  return {
    worth: group?.worth ?? row.worth ?? 0,
    lines: group?.lines ?? Math.max(0, ...inside.map(({ lines }) => lines)),
    similarity: group?.similarity ?? Math.max(0, ...(row.shares ?? inside.map(({ similarity }) => similarity))),
    copies: paths.length,
    path: paths[0] ?? '',
    isNew: group?.fresh !== undefined || inside.some(({ isNew }) => isNew),
    haystack:
      `${[...new Set(paths)].join('\n')}\n${group ? `${group.words} ${group.id}` : (row.peers?.name ?? '')}\n${inside.map(({ haystack }) => haystack).join('\n')}`.toLowerCase(),
  };
}

interface Place {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

function placesOf({ passages }: PageGroup, { paths }: PageData): Place[] {
  return Array.from({ length: passages.length / 3 }, (_, at) => ({
    path: paths[passages[3 * at]!]!,
    start: passages[3 * at + 1]!,
    end: passages[3 * at + 2]!,
  }));
}

/** Creates a collapsed row. Its details are created when the user expands it. */
export function rowElement(row: PageRow, data: ReportSource): HTMLDetailsElement {
  const group = row.group === undefined ? undefined : data.groups[row.group]!;
  const details = element('details', { class: 'row', id: group ? `g-${group.id}` : undefined });
  details.append(group ? groupSummary(group, row, data) : pathsSummary(row));
  let made = false;
  details.addEventListener('toggle', () => {
    if (made || !details.open) return;
    made = true;
    const body = element('div', { class: 'body' });
    if (group) body.append(...groupBody(group, row.group!, data));
    if (row.peers) body.append(matrixOf(row.peers, row.paths!));
    if (row.rows && row.rows.length > 0) body.append(innerRows(row.rows, data));
    details.append(body);
  });
  return details;
}

/** Number of rows to add at a time. */
const atOnce = 100;

/** Creates a list of rows. Shows the first `atOnce` rows, and more when the user clicks a button. */
export function rowList(rows: readonly PageRow[], data: ReportSource): HTMLDivElement {
  const list = element('div', { class: 'rows' });
  const append = (from: number): void => {
    list.append(...rows.slice(from, from + atOnce).map((row) => rowElement(row, data)));
    const left = rows.length - from - atOnce;
    if (left <= 0) return;
    const more = button(
      l10n.t('Show {0} more of {1}', number(Math.min(left, atOnce)), number(left)),
      { class: 'more' },
      () => {
        more.remove();
        append(from + atOnce);
      },
    );
    list.append(more);
  };
  append(0);
  return list;
}

function innerRows(rows: readonly PageRow[], data: ReportSource): HTMLElement {
  return element(
    'section',
    { class: 'inner' },
    element('h4', {}, l10n.t('{0} inside', rowCount(rows.length))),
    rowList(rows, data),
  );
}

/** Creates the title of a row: names of files or folders, then the folder that contains them all. */
function titleOf(names: string, folder: string): HTMLElement {
  return element(
    'span',
    { class: 'title' },
    element('span', { class: 'names' }, ...pathNodes(names)),
    folder !== '' && element('span', { class: 'folder' }, ...pathNodes(folder)),
  );
}

function groupSummary(group: PageGroup, row: PageRow, data: PageData): HTMLElement {
  const places = placesOf(group, data);
  const { names, folder } = namesOf(places.map(({ path }) => path));
  const inside = row.rows?.length ?? 0;
  return element(
    'summary',
    {},
    titleOf(names, folder),
    element(
      'span',
      { class: 'facts' },
      group.fresh !== undefined && element('span', { class: 'badge new' }, l10n.t('New')),
      group.ignored !== undefined && element('span', { class: 'badge', title: group.ignored }, l10n.t('Ignored')),
      element('span', {}, group.words),
      element('span', {}, lineCount(group.lines)),
      element('span', {}, group.isFile ? fileCount(places.length) : l10n.t('{0} copies', number(places.length))),
      inside > 0 && element('span', {}, l10n.t('{0} inside', number(inside))),
    ),
    similarityBar(group),
  );
}

function similarityBar({ similarity, isExact }: PageGroup): HTMLElement {
  const percent = wholePercent(similarity);
  return element(
    'span',
    { class: isExact ? 'alike exact' : 'alike', title: l10n.t('Similarity') },
    element('span', { class: 'bar', style: `--share:${percent}%` }),
    l10n.t('{0}%', percent),
  );
}

/** Returns short names of files, and the folder that contains them all. */
function namesOf(paths: readonly string[]): { readonly names: string; readonly folder: string } {
  const distinct = [...new Set(paths)];
  if (distinct.length === 1) {
    const [path] = distinct as [string];
    return { names: path.slice(path.lastIndexOf('/') + 1), folder: path.slice(0, Math.max(0, path.lastIndexOf('/'))) };
  }
  const { before, parts, after } = differingParts(distinct);
  const shown = parts.slice(0, maxNamed);
  const more = parts.length - shown.length;
  const names = listOf(shown, more);
  return { names: after === '' ? names : `${names} … ${after}`, folder: before };
}

const maxNamed = 3;

function pathsSummary(row: PageRow): HTMLElement {
  const { names, folder } = namesOf(row.paths ?? []);
  if (row.peers) {
    const { name, groups, lines } = row.peers;
    const facts = [fileCount(lines.length), passageCount(groups), lineCount(lines.reduce((sum, own) => sum + own, 0))];
    return element(
      'summary',
      {},
      titleOf(name, folder),
      element('span', { class: 'facts' }, ...facts.map((fact) => element('span', {}, fact))),
      element('span', { class: 'alike' }),
    );
  }
  const shares = listOf((row.shares ?? []).map((share) => l10n.t('{0}%', wholePercent(share))));
  return element(
    'summary',
    {},
    titleOf(names, folder),
    element(
      'span',
      { class: 'facts' },
      element('span', {}, rowCount(row.rows?.length ?? 0)),
      element('span', {}, l10n.t('{0} of their lines', shares)),
    ),
    element('span', { class: 'alike' }),
  );
}

/** Creates a table of the number of lines that each pair of files shares. */
function matrixOf({ lines, shared }: PagePeers, paths: readonly string[]): HTMLElement {
  const names = memberNames(paths);
  const cell = (lineCount: number): HTMLElement => element('td', {}, lineCount === 0 ? '' : number(lineCount));
  return element(
    'div',
    { class: 'matrix' },
    element(
      'table',
      {},
      element('caption', {}, l10n.t('Lines that the files share')),
      element(
        'tr',
        {},
        element('th', {}),
        ...[l10n.t('all'), ...names].map((it) => element('th', { scope: 'col' }, it)),
      ),
      ...names.map((name, i) =>
        element('tr', {}, element('th', { scope: 'row' }, name), cell(lines[i]!), ...shared[i]!.map(cell)),
      ),
    ),
  );
}

/** Creates the details of a group: the list of its copies, and a comparison of two copies. */
function groupBody(group: PageGroup, at: number, data: ReportSource): HTMLElement[] {
  const places = placesOf(group, data);
  const textOf = (place: number): string | undefined => data.textOf(at, place);
  const withText = places.flatMap((_, place) => (textOf(place) === undefined ? [] : [place]));
  const compare = element('div', { class: 'compared' });
  const comparedPlaces: [number, number] = [withText[0] ?? 0, withText[1] ?? 1];
  const show = (): void => {
    const sides = comparedPlaces.map((place): Side | undefined => {
      const text = textOf(place);
      return text === undefined ? undefined : { path: places[place]!.path, text, startLine: places[place]!.start };
    });
    const [left, right] = sides;
    compare.replaceChildren(
      left && right ? compareTexts(left, right) : element('p', { class: 'quiet' }, whyNoText(group)),
    );
    if (left && right && comparedPlaces.some((place) => isCut(textOf(place)!, places[place]!))) {
      compare.append(
        element(
          'p',
          { class: 'quiet' },
          l10n.t('The report has the first lines only. Open the files to compare all of them.'),
        ),
      );
    }
  };
  /** Returns the list number of the first copy with the same text; `undefined` if this copy is the first. */
  const equalPlace = (place: number): string | undefined => {
    const first = group.equals?.[place];
    return first === undefined || first === place ? undefined : number(first + 1);
  };
  const list = element('ol', { class: 'places' });
  for (const [place, { path, start, end }] of places.slice(0, maxPlaces).entries()) {
    const lines = group.isFile ? '' : start === end ? `:${start}` : `:${start}-${end}`;
    const choose = ['left', 'right'].map((side, which) => {
      const input = element('input', {
        type: 'radio',
        name: `${at}-${side}`,
        'aria-label':
          side === 'left'
            ? l10n.t('Show {0} on the left', `${path}${lines}`)
            : l10n.t('Show {0} on the right', `${path}${lines}`),
      });
      input.checked = comparedPlaces[which] === place;
      input.addEventListener('change', () => {
        comparedPlaces[which] = place;
        show();
      });
      return input;
    });
    const canChoose = withText.length > 2 && withText.includes(place);
    list.append(
      element(
        'li',
        {},
        canChoose && element('span', { class: 'choose' }, ...choose),
        placeElement(addressOf(path, start, end, data), `${path}${lines}`),
        equalPlace(place) !== undefined &&
          element('span', { class: 'quiet' }, ` ${l10n.t('identical to {0}', equalPlace(place)!)}`),
        group.fresh?.includes(place) === true && element('span', { class: 'badge new' }, l10n.t('New')),
      ),
    );
  }
  if (places.length > maxPlaces)
    list.append(element('li', { class: 'quiet' }, l10n.t('… and {0} more', number(places.length - maxPlaces))));
  show();
  const id = element(
    'p',
    { class: 'quiet id' },
    `${tokenCount(group.tokens)} · ${sectionTitle(group.category)} · ${l10n.t('group {0}', group.id)}`,
  );
  if (group.ignored) id.append(` · ${l10n.t('ignored: {0}', group.ignored)}`);
  return [list, compare, id];
}

/** Returns true if the report contains only the beginning of a copy's text. */
function isCut(text: string, { start, end }: Place): boolean {
  return text.split('\n').length < end - start + 1;
}

function whyNoText({ isContained }: PageGroup): string {
  if (isContained) return l10n.t('Most of one file is in the other. The rows inside show what they have in common.');
  return l10n.t('The text of this row is left out to keep the report small. Open the files to compare them.');
}

const maxPlaces = 60;

/** Shows a place as a link to `address`, or as plain text without an address. */
function placeElement(address: string | undefined, place: string): HTMLElement {
  if (address === undefined) return element('span', { class: 'place' }, ...pathNodes(place));
  return element('a', { href: address }, ...pathNodes(place));
}

/**
 * Returns a URL for lines of a file: on the Git host if the report was created in CI, otherwise in VS Code. Returns
 * `undefined` if the location of the file is unknown.
 */
function addressOf(path: string, start: number, end: number, { address, root }: PageData): string | undefined {
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  if (address !== undefined) {
    return address.replace('{path}', encoded).replace('{start}', String(start)).replace('{end}', String(end));
  }
  return root === undefined ? undefined : `vscode://file/${encodeURI(root.replace(/^\//, ''))}/${encoded}:${start}`;
}
