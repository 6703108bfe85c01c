/**
 * The duplication map in an iframe. It contains the extension's map page, whose script and style are embedded in this
 * page. This module sends the messages that the extension would send.
 */
import { groupBy } from '../../../core/collections/lists.ts';
import type { Group } from '../../../core/engine/report/report.ts';
import { FolderMap } from '../../../presentation/pages/folderMap.ts';
import { mapWords } from '../../../presentation/pages/mapWords.ts';
import type { MessageToMap, MessageFromMap, Scope } from '../../../presentation/pages/mapMessages.ts';
import { withoutNested } from '../../../presentation/wording/occurrences.ts';
import { element } from '../report/elements.ts';
import type { ScanResult } from './messages.ts';

/** Script that gives the map page VS Code's webview API and theme colors. */
const bridge = `acquireVsCodeApi = () => ({
  postMessage: (data) => parent.dispatchEvent(new parent.CustomEvent('map-request', { detail: data })),
  getState: () => undefined,
  setState: () => {},
});`;
const theme = `:root {
  color-scheme: light dark;
  --vscode-charts-yellow: light-dark(#e0a000, #d7a72b);
  --vscode-descriptionForeground: light-dark(#5b6675, #97a1b0);
  --vscode-editor-background: light-dark(#ffffff, #16181d);
  --vscode-focusBorder: light-dark(#0b6a78, #58c4d3);
  --vscode-font-family: system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif;
  --vscode-font-size: 14px;
  --vscode-font-weight: 400;
  --vscode-foreground: light-dark(#1d2430, #d9dee7);
  --vscode-button-secondaryBackground: light-dark(#e0f1f3, #17363b);
  --vscode-button-secondaryForeground: light-dark(#1d2430, #d9dee7);
  --vscode-textLink-foreground: light-dark(#0b6a78, #58c4d3);
  --vscode-widget-border: light-dark(#dde2ea, #333842);
}
body { margin: 0; }`;
/** The iframe is as high as its content, so the content's height must not depend on the iframe. */
const size = '.treemap { height: clamp(240px, 36vw, 460px); }';

/**
 * Creates the iframe with the map.
 *
 * @param filter  called when the user selects a folder or file, or two of them, to see its duplicates
 */
export function mapFrame(result: ScanResult, filter: (path: string, other: string | undefined) => void): HTMLElement {
  const words = mapWords();
  const frame = element('iframe', { class: 'map', title: words.title });
  const maps = new Map<Scope | undefined, FolderMap>();
  const mapOf = (scope: Scope | undefined): FolderMap => {
    let map = maps.get(scope);
    if (map === undefined) maps.set(scope, (map = new FolderMap(sourceOf(result), scope)));
    return map;
  };
  const answer = (request: MessageFromMap): void => {
    if (request.type === 'filter') filter(request.path, request.other);
    if (request.type !== 'show') return;
    const view = mapOf(request.scope).view(request.folder);
    frame.contentWindow!.postMessage({ type: 'view', view } satisfies MessageToMap, '*');
  };
  const listen = ({ detail }: CustomEvent<MessageFromMap>): void => {
    if (frame.isConnected) answer(detail);
    else removeEventListener('map-request', listen as EventListener);
  };
  addEventListener('map-request', listen as EventListener);
  frame.addEventListener('load', () => {
    const { body } = frame.contentDocument!;
    const fit = (): void => {
      frame.style.height = `${body.scrollHeight}px`;
    };
    new ResizeObserver(fit).observe(body);
  });
  const { lang } = document.documentElement;
  const main = element('main', { id: 'app', 'data-locale': lang, 'data-words': JSON.stringify(words) });
  const textOf = (id: string): string => document.getElementById(id)!.textContent;
  frame.srcdoc = `<!doctype html><html lang="${lang}"><style>${theme}${textOf('map-style')}${size}</style>${main.outerHTML}<script>${bridge}${textOf('map-script')}</script>`;
  return frame;
}

/** Returns the data that the map needs: passages and groups by file. */
function sourceOf({ findings, files }: ScanResult): ConstructorParameters<typeof FolderMap>[0] {
  const all = findings.groups.flatMap((group) => group.passages.map((passage) => ({ group, passage })));
  const byPath = groupBy(all, ({ passage }) => passage.path);
  const copiesIn = (path: string): typeof all => byPath.get(path) ?? [];
  const passagesIn = (path: string): typeof all => copiesIn(path).filter(({ group }) => group.kind !== 'file');
  const isRow = ({ parent }: Group): boolean => parent === undefined;
  return {
    files,
    passagesIn,
    groupsIn: (path) =>
      [
        ...copiesIn(path).filter(({ group }) => group.kind === 'file' && isRow(group)),
        ...withoutNested(passagesIn(path), isRow),
      ].map(({ group }) => group),
  };
}
