/** The counts of the treemap as a sortable table. */
import type { FolderView, MapRow } from '../../../presentation/pages/mapMessages.ts';
import { button, element, pathNodes } from '../report/elements.ts';
import type { TreemapActions } from './treemap.ts';
import { fill, quantity, shareOf, shareText, word } from './words.ts';

type Column = 'name' | 'lines' | 'duplicatedLines' | 'share' | 'duplicates';

const columns: readonly Column[] = ['name', 'lines', 'duplicatedLines', 'share', 'duplicates'];

/** Sort column and direction. The user's choice also applies to folders that are opened later. */
let sorted: { readonly by: Column; readonly ascending: boolean } = { by: 'duplicatedLines', ascending: false };

export function placeTable({ rows, rowsLeftOut }: FolderView, actions: TreemapActions): HTMLElement {
  const body = element('tbody');
  const heads = columns.map((column) => {
    const sort = button(word(column), { class: 'link', 'data-key': `sort ${column}` }, () => {
      const isSame = sorted.by === column;
      sorted = { by: column, ascending: isSame ? !sorted.ascending : column === 'name' };
      update();
    });
    return element('th', { scope: 'col', class: column === 'name' ? undefined : 'number' }, sort);
  });
  const update = (): void => {
    for (const [place, head] of heads.entries()) {
      const isIt = columns[place] === sorted.by;
      head.setAttribute('aria-sort', isIt ? (sorted.ascending ? 'ascending' : 'descending') : 'none');
    }
    body.replaceChildren(...inOrder(rows).map((row) => tableRow(row, actions)));
  };
  update();
  return element(
    'div',
    { class: 'scrolled' },
    element('table', { class: 'places' }, element('thead', {}, element('tr', {}, ...heads)), body),
    rowsLeftOut > 0 && element('p', { class: 'quiet' }, fill('leftOut', quantity(rowsLeftOut))),
  );
}

function inOrder(rows: readonly MapRow[]): readonly MapRow[] {
  const { by, ascending } = sorted;
  const compare = (x: MapRow, y: MapRow): number => {
    if (by === 'name') return x.name < y.name ? -1 : 1;
    return by === 'share' ? shareOf(x) - shareOf(y) : x[by] - y[by];
  };
  return [...rows].sort((x, y) => (ascending ? compare(x, y) : compare(y, x)));
}

function tableRow(row: MapRow, { open, filter }: TreemapActions): HTMLElement {
  const { type, path, name, lines, duplicatedLines, duplicates } = row;
  const shown =
    type === 'folder'
      ? button('', { class: 'link', title: fill('openFolder', name), 'data-key': `open ${path}` }, () => open(path))
      : element('span');
  shown.append(...pathNodes(type === 'folder' ? `${name}/` : name));
  const count = quantity(duplicates);
  const label = fill('showDuplicates', name, count);
  const share = element('td', { class: 'number share shaded' }, shareText(row));
  share.style.setProperty('--share', String(shareOf(row)));
  return element(
    'tr',
    {},
    element('th', { scope: 'row' }, shown),
    element('td', { class: 'number' }, quantity(lines)),
    element('td', { class: 'number' }, quantity(duplicatedLines)),
    share,
    element(
      'td',
      { class: 'number' },
      duplicates === 0
        ? count
        : button(count, { class: 'link', 'aria-label': label, title: label, 'data-key': `filter ${path}` }, () =>
            filter(path),
          ),
    ),
  );
}
