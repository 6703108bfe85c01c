/** The page of the duplication map: a treemap, a matrix of the lines that places share, and a table of these. */
import type {
  FolderView,
  MessageToMap,
  MessageFromMap,
  MapState,
  Scope,
} from '../../../presentation/pages/mapMessages.ts';
import type { MapWords } from '../../../presentation/pages/mapWords.ts';
import { button, element } from '../report/elements.ts';
import { placeTable } from './placeTable.ts';
import { sharedTable } from './sharedTable.ts';
import { drawTreemap, focusCell, type TreemapActions } from './treemap.ts';
import { fill, lastName, linesOf, setWords, shareText, word } from './words.ts';

declare const acquireVsCodeApi: () => {
  readonly postMessage: (request: MessageFromMap) => void;
  readonly getState: () => MapState | undefined;
  readonly setState: (state: MapState) => void;
};

const code = acquireVsCodeApi();
const app = document.getElementById('app')!;
setWords(JSON.parse(app.dataset['words']!) as MapWords, app.dataset['locale']!);

/** Draws the treemap again. Called when the width of the page changes. */
let redraw: () => void = () => undefined;
/** Path of the folder that the user has just left by going up. Its cell receives the focus. */
let left: string | undefined;

addEventListener('message', ({ data }: MessageEvent<MessageToMap>) => {
  if (data.type === 'view') show(data.view);
  else showNothing(data.sentence, data.canScan);
});
let width = app.clientWidth;
new ResizeObserver(() => {
  // The content determines the height, so only a new width requires a redraw.
  if (app.clientWidth === width) return;
  width = app.clientWidth;
  redraw();
}).observe(app);
const { folder = '', scope } = code.getState() ?? {};
requestView(folder, scope);

function requestView(folder: string, scope: Scope | undefined): void {
  code.postMessage({ type: 'show', folder, scope });
}

function showNothing(sentence: string, canScan: boolean): void {
  redraw = () => undefined;
  const scan = button(word('scan'), { class: 'primary' }, () => code.postMessage({ type: 'scan' }));
  app.replaceChildren(element('div', { class: 'nothing' }, element('p', {}, sentence), canScan && scan));
}

function show(view: FolderView): void {
  const { scope } = view;
  code.setState({ folder: view.folder, scope });
  const focused = focusedKey();
  const open = (path: string): void => requestView(path, scope);
  const up = (): void => {
    if (view.folder === '') return;
    left = view.shownFolder;
    open(view.folder.slice(0, Math.max(0, view.folder.lastIndexOf('/'))));
  };
  const filter = (path: string, other?: string): void => code.postMessage({ type: 'filter', path, scope, other });
  const actions: TreemapActions = { open, up, filter };
  const treemap = element('div', { class: 'treemap', role: 'tree', 'aria-label': word('treemap') });
  app.replaceChildren(
    header(view, open),
    element(
      'section',
      { 'aria-label': word('treemap') },
      treemap,
      element('div', { class: 'under' }, legend(), element('p', { class: 'quiet' }, word('treemapHelp'))),
    ),
    element(
      'div',
      { class: 'columns' },
      element('section', {}, element('h2', {}, word('table')), placeTable(view, actions)),
      element('section', {}, element('h2', {}, word('shared')), sharedTable(view, filter)),
    ),
  );
  redraw = () => drawTreemap(treemap, view, actions);
  redraw();
  bringBackFocus(focused, treemap, view);
}

function header(view: FolderView, open: (path: string) => void): HTMLElement {
  const { folder, shownFolder, total } = view;
  const steps = [{ path: '', name: word('allFolders') }];
  for (const [place, name] of shownFolder === '' ? [] : shownFolder.split('/').entries()) {
    steps.push({ path: shownFolder.split('/', place + 1).join('/'), name });
  }
  const crumbs = steps.map(({ path, name }) =>
    element(
      'li',
      {},
      path === shownFolder || (path.length >= folder.length && path !== '')
        ? element('span', { 'aria-current': path === shownFolder ? 'page' : undefined }, name)
        : button(name, { class: 'link', 'data-key': `crumb ${path}` }, () => open(path)),
    ),
  );
  const scopes = (['source', 'all'] as const).map((scope) =>
    button(
      word(scope === 'source' ? 'sourceOnly' : 'allFiles'),
      { 'aria-pressed': String(scope === view.scope), 'data-key': `scope ${scope}` },
      () => requestView(folder, scope),
    ),
  );
  return element(
    'header',
    {},
    element('nav', { 'aria-label': word('folders') }, element('ol', { class: 'crumbs' }, ...crumbs)),
    element('p', { class: 'summary', role: 'status' }, fill('summary', ...linesOf(total))),
    view.hasSource && element('div', { class: 'scopes', role: 'group', 'aria-label': word('scope') }, ...scopes),
  );
}

function legend(): HTMLElement {
  const swatches = [0, 0.1, 0.25, 0.5, 1].map((share) => {
    const swatch = element('span', { class: 'swatch shaded' }, shareText({ lines: 1, duplicatedLines: share }));
    swatch.style.setProperty('--share', String(share));
    return swatch;
  });
  return element('div', { class: 'legend' }, element('span', { class: 'quiet' }, word('legend')), ...swatches);
}

function focusedKey(): string | undefined {
  return (document.activeElement as HTMLElement | null)?.dataset['key'];
}

/** Moves the focus to the element that replaces the focused one. Every update redraws the page. */
function bringBackFocus(key: string | undefined, treemap: HTMLElement, { shownFolder }: FolderView): void {
  const from = left;
  left = undefined;
  if (from !== undefined) {
    const name = lastName(from, shownFolder);
    return focusCell(treemap, shownFolder === '' ? name : `${shownFolder}/${name}`);
  }
  if (key === undefined) return;
  const same = [...app.querySelectorAll<HTMLElement>('[data-key]')].find((it) => it.dataset['key'] === key);
  if (same) same.focus();
  else focusCell(treemap, undefined);
}
