/**
 * Matrix of the lines that folders and files share. A cell has the number of lines of the row's place that have a copy
 * in the column's place. Tab focuses one cell; the arrow keys move to adjacent cells.
 */
import type { FolderView } from '../../../presentation/pages/mapMessages.ts';
import { button, element, pathNodes } from '../report/elements.ts';
import { fill, quantity, word } from './words.ts';

const steps: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};

export function sharedTable(
  { shared: { paths, lines }, rows, total }: FolderView,
  filter: (path: string, other?: string) => void,
): HTMLElement {
  if (!lines.some((row) => row.some((count) => count > 0))) {
    return element('p', { class: 'quiet' }, word(total.duplicatedLines > 0 ? 'sharedElsewhere' : 'nothingShared'));
  }
  const places = paths.map((path) => rows.find((row) => row.path === path)!);
  const names = places.map(({ type, name }) => (type === 'folder' ? `${name}/` : name));
  const cells = places.map((of, x) =>
    places.map((other, y) => {
      const count = lines[x]![y]!;
      const countText = quantity(count);
      const text =
        x === y ? fill('sharedWithin', countText, names[x]!) : fill('sharedCell', countText, names[x]!, names[y]!);
      const made = button(count === 0 ? '·' : short(count), { title: text, 'aria-label': text, tabindex: '-1' }, () => {
        if (count > 0) filter(of.path, x === y ? undefined : other.path);
      });
      made.dataset['key'] = `shared ${of.path} ${other.path}`;
      made.classList.toggle('none', count === 0);
      made.classList.add('shaded');
      made.style.setProperty('--share', String(of.lines === 0 ? 0 : count / of.lines));
      return made;
    }),
  );
  const reach = (to: HTMLElement): void => {
    for (const one of cells.flat()) one.tabIndex = one === to ? 0 : -1;
  };
  for (const [x, row] of cells.entries()) {
    for (const [y, cell] of row.entries()) {
      cell.addEventListener('focus', () => reach(cell));
      cell.addEventListener('keydown', (event) => {
        const step = steps[event.key];
        if (step === undefined) return;
        cells[x + step[0]]?.[y + step[1]]?.focus();
        event.preventDefault();
      });
    }
  }
  reach(cells[0]![0]!);
  const heads = names.map((name) =>
    element('th', { scope: 'col', title: name }, element('span', {}, ...pathNodes(name))),
  );
  const body = cells.map((row, x) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row', title: names[x]! }, names[x]),
      ...row.map((cell) => element('td', {}, cell)),
    ),
  );
  return element(
    'div',
    { class: 'scrolled' },
    element(
      'table',
      { class: 'shared', 'aria-label': word('shared') },
      element('thead', {}, element('tr', {}, element('td'), ...heads)),
      element('tbody', {}, ...body),
    ),
    element('p', { class: 'quiet' }, word('sharedHelp')),
  );
}

/** Formats a number in short form: "950", "1.2k", "12k". */
function short(count: number): string {
  if (count < 1000) return String(count);
  return count < 10_000 ? `${(count / 1000).toFixed(1)}k` : `${Math.round(count / 1000)}k`;
}
