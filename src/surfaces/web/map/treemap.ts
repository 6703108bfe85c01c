/**
 * The treemap: one cell per folder and file. Its area is the number of lines, its color the share of duplicated lines.
 * Tab focuses one cell; the arrow keys move to the nearest cell in their direction.
 */
import { hierarchy, type HierarchyRectangularNode, treemap } from 'd3-hierarchy';
import type { FolderView, MapCell, MapPlace } from '../../../presentation/pages/mapMessages.ts';
import { element } from '../report/elements.ts';
import { type Direction, type Rectangle, nextRectangle } from './nextRectangle.ts';
import { fill, linesOf, nameOf, shareOf, shareText } from './words.ts';

export interface TreemapActions {
  readonly open: (folder: string) => void;
  readonly up: () => void;
  readonly filter: (path: string) => void;
}

/** Height in pixels of the title in a folder's cell. */
const titleHeight = 20;
/** Minimum pixels at which a folder's cell shows the cells inside it, and (`minName`) a name or share. */
const minFolder = { width: 60, height: 48 };
const minName = { width: 34, height: 20 };
const minShare = { width: 56, height: 36 };
/** Height in pixels below which there is no room for the bar of high contrast below the name. */
const minBarred = 28;

const directions: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

type Node = HierarchyRectangularNode<MapCell>;

interface DrawnCell {
  readonly cell: MapCell;
  readonly level: number;
  readonly rectangle: Rectangle;
  readonly made: HTMLElement;
}

/** Draws the treemap into an element, at the width of that element. */
export function drawTreemap(into: HTMLElement, view: FolderView, actions: TreemapActions): void {
  const focused = into.contains(document.activeElement)
    ? (document.activeElement as HTMLElement).dataset['key']
    : undefined;
  const drawn = layOut(view, into.clientWidth, into.clientHeight).map((node): DrawnCell => {
    const { x0, y0, x1, y1, data, depth } = node;
    const rectangle = { left: x0, top: y0, right: x1, bottom: y1 };
    return { cell: data, level: depth, rectangle, made: cellElement(data, depth, rectangle, isOpen(node)) };
  });
  for (const one of drawn) {
    one.made.addEventListener('click', () => {
      one.made.focus();
      selectCell(one.cell, actions);
    });
    one.made.addEventListener('dblclick', () => openCell(one.cell, actions));
    one.made.addEventListener('focus', () => {
      for (const { made } of drawn) made.tabIndex = made === one.made ? 0 : -1;
    });
    one.made.addEventListener('keydown', (event) => onKey(event, one, drawn, actions));
  }
  into.replaceChildren(...drawn.map(({ made }) => made));
  const first = drawn.find(({ made }) => made.dataset['key'] === focused) ?? drawn[0];
  if (first) first.made.tabIndex = 0;
  if (focused !== undefined) first?.made.focus();
}

/** Focuses the cell for a path; if there is none, focuses the first cell. */
export function focusCell(treemap: HTMLElement, path: string | undefined): void {
  const cells = [...treemap.querySelectorAll<HTMLElement>('[role=treeitem]')];
  const isOf = (cell: HTMLElement): boolean =>
    cell.dataset['path'] === path || cell.dataset['path']?.startsWith(`${path}/`) === true;
  (cells.find((cell) => path !== undefined && isOf(cell)) ?? cells[0])?.focus();
}

function layOut({ cells, total }: FolderView, width: number, height: number): Node[] {
  const root = hierarchy<MapCell>({ ...total, cells }, (cell) => cell.cells).sum((cell) =>
    cell.cells.length > 0 ? 0 : cell.lines,
  );
  const laid = treemap<MapCell>()
    .size([width, height])
    .round(true)
    .paddingInner(2)
    .paddingTop((node) => (isTitled(node) ? titleHeight : 0))
    .paddingRight((node) => (isTitled(node) ? 2 : 0))
    .paddingBottom((node) => (isTitled(node) ? 2 : 0))
    .paddingLeft((node) => (isTitled(node) ? 2 : 0))(root);
  return drawnIn(laid);
}

/** Returns all visible nodes. A parent precedes the nodes inside it. */
function drawnIn(node: Node): Node[] {
  return (node.children ?? []).flatMap((inner) => [inner, ...(isOpen(inner) ? drawnIn(inner) : [])]);
}

/** Returns true if a cell has a title and cells inside it. The map's root folder has no cell. */
function isTitled({ depth, children }: Node): boolean {
  return depth > 0 && children !== undefined;
}

/** Returns true if the cells inside a node are drawn. */
function isOpen(node: Node): boolean {
  const { x0, y0, x1, y1 } = node;
  return isTitled(node) && x1 - x0 >= minFolder.width && y1 - y0 >= minFolder.height;
}

function cellElement(
  cell: MapCell,
  level: number,
  { left, top, right, bottom }: Rectangle,
  isOpen: boolean,
): HTMLElement {
  const [width, height] = [right - left, bottom - top];
  const name = nameOf(cell);
  const label = fill('cell', name, ...linesOf(cell));
  const hasName = width >= minName.width && height >= minName.height;
  const share = element('span', { class: 'share' }, shareText(cell));
  const isTitle = isOpen && width >= 2 * minFolder.width;
  const made = element(
    'div',
    {
      class: `cell shaded ${cell.type}${isOpen ? ' open' : ''}${hasName ? ' named' : ''}${height < minBarred ? ' low' : ''}`,
      role: 'treeitem',
      tabindex: '-1',
      'aria-level': String(level),
      'aria-label': label,
      title: label,
      'data-key': `${level} ${cell.type} ${cell.path}`,
      'data-path': cell.type === 'others' ? undefined : cell.path,
    },
    hasName && element('span', { class: 'name' }, name),
    hasName && (isTitle || (!isOpen && width >= minShare.width && height >= minShare.height)) && share,
  );
  const px = (value: number): string => `${value}px`;
  Object.assign(made.style, { left: px(left), top: px(top), width: px(width), height: px(height) });
  made.style.setProperty('--share', String(shareOf(cell)));
  return made;
}

/** Filters the findings to the place of a cell. The cell of all remaining entries opens its folder instead. */
function selectCell(cell: MapPlace, { filter, open }: TreemapActions): void {
  if (cell.type === 'others') open(cell.path);
  else filter(cell.path);
}

function openCell(cell: MapPlace, { open }: TreemapActions): void {
  if (cell.type !== 'file') open(cell.path);
}

function onKey(event: KeyboardEvent, one: DrawnCell, all: readonly DrawnCell[], actions: TreemapActions): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const direction = directions[event.key];
  if (direction !== undefined) {
    // Only cells of the same level can be neighbors, because a folder's cell surrounds the cells inside it.
    const peers = all.filter(({ level, made }) => level === one.level && made !== one.made);
    const next = nextRectangle(
      one.rectangle,
      peers.map(({ rectangle }) => rectangle),
      direction,
    );
    if (next !== undefined) peers[next]!.made.focus();
  } else if (event.key === 'Enter') selectCell(one.cell, actions);
  else if (event.key === ' ') openCell(one.cell, actions);
  else if (event.key === 'Backspace') actions.up();
  else return;
  event.preventDefault();
}
