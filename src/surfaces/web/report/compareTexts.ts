/** Shows two texts side by side: equal lines in one row, differing words marked, long equal runs folded. */
import { diffArrays, diffWordsWithSpace } from 'diff';
import * as l10n from '@vscode/l10n';
import { button, element, number } from './elements.ts';
import { highlightLines } from './highlightLines.ts';

export interface Side {
  readonly path: string;
  readonly text: string;
  readonly startLine: number;
}

/** Indices of two aligned lines. One is `undefined` if only the other text has the line. */
interface LinePair {
  readonly left: number | undefined;
  readonly right: number | undefined;
  readonly isEqual: boolean;
}

/** Number of equal lines that stay visible before and after a change. */
const context = 4;
const minFolded = 8;

export function compareTexts(left: Side, right: Side): HTMLTableElement {
  const texts = [left.text.split('\n'), right.text.split('\n')] as const;
  const marked = [highlightLines(left.text, left.path), highlightLines(right.text, right.path)] as const;
  const pairs = alignLines(texts[0], texts[1]);
  const body = element('tbody');
  const rowOf = (pair: LinePair): HTMLTableRowElement => lineRow(pair, [left, right], texts, marked);
  for (let at = 0; at < pairs.length;) {
    const end = endOfRun(pairs, at);
    const [from, to] = [at === 0 ? 0 : at + context, end === pairs.length ? end : end - context];
    if (pairs[at]!.isEqual && to - from >= minFolded && pairs.some(({ isEqual }) => !isEqual)) {
      body.append(...pairs.slice(at, from).map(rowOf));
      body.append(foldedRow(to - from, () => pairs.slice(from, to).map(rowOf)));
      body.append(...pairs.slice(to, end).map(rowOf));
    } else {
      body.append(...pairs.slice(at, end).map(rowOf));
    }
    at = end;
  }
  return element('table', { class: 'compare' }, body);
}

function endOfRun(pairs: readonly LinePair[], start: number): number {
  let end = start + 1;
  while (end < pairs.length && pairs[end]!.isEqual === pairs[start]!.isEqual) end++;
  return end;
}

/** Aligns the lines of two texts, ignoring indentation. */
function alignLines(left: readonly string[], right: readonly string[]): LinePair[] {
  const pairs: LinePair[] = [];
  let [a, b] = [0, 0];
  const changes = diffArrays([...left], [...right], { comparator: (x, y) => x.trim() === y.trim() });
  for (let at = 0; at < changes.length; at++) {
    const { added, removed, value } = changes[at]!;
    if (!added && !removed) {
      for (let i = 0; i < value.length; i++) pairs.push({ left: a++, right: b++, isEqual: true });
      continue;
    }
    // Show removed lines beside the lines that were added in the same place.
    const next = changes[at + 1];
    const together = next !== undefined && (next.added || next.removed);
    const [removedCount, addedCount] = [
      (removed ? value.length : 0) + (together && next.removed ? next.value.length : 0),
      (added ? value.length : 0) + (together && next.added ? next.value.length : 0),
    ];
    for (let i = 0; i < Math.max(removedCount, addedCount); i++) {
      pairs.push({
        left: i < removedCount ? a + i : undefined,
        right: i < addedCount ? b + i : undefined,
        isEqual: false,
      });
    }
    a += removedCount;
    b += addedCount;
    if (together) at++;
  }
  return pairs;
}

function lineRow(
  { left, right, isEqual }: LinePair,
  sides: readonly [Side, Side],
  texts: readonly [readonly string[], readonly string[]],
  marked: readonly [readonly string[], readonly string[]],
): HTMLTableRowElement {
  const cells = [left, right].flatMap((line, side) => {
    if (line === undefined) return [element('td', { class: 'at none' }), element('td', { class: 'line none' })];
    const code = element('code');
    // The highlighter escapes the text, so `marked` is safe to use as HTML.
    code.innerHTML = marked[side as 0 | 1][line]!;
    const sort = isEqual ? '' : side === 0 ? ' gone' : ' come';
    return [
      element('td', { class: `at${sort}` }, String(sides[side as 0 | 1].startLine + line)),
      element('td', { class: `line${sort}` }, code),
    ];
  });
  if (!isEqual && left !== undefined && right !== undefined) {
    markWords(texts[0][left]!, texts[1][right]!, cells[1]!, cells[3]!);
  }
  return element('tr', { class: isEqual ? 'equal' : 'changed' }, ...cells);
}

/** Maximum total length of two lines whose words are compared. */
const longestLine = 2_000;

/** Marks the words in which two lines differ. Marks nothing if nearly all words differ. */
function markWords(left: string, right: string, leftCell: HTMLElement, rightCell: HTMLElement): void {
  if (left.length + right.length > longestLine) return;
  const ranges: [[number, number][], [number, number][]] = [[], []];
  let [a, b, same] = [0, 0, 0];
  for (const { added, removed, value } of diffWordsWithSpace(left, right)) {
    if (removed) ranges[0].push([a, (a += value.length)]);
    else if (added) ranges[1].push([b, (b += value.length)]);
    else {
      a += value.length;
      b += value.length;
      same += value.trim().length;
    }
  }
  if (same === 0 || same * 4 < Math.min(left.trim().length, right.trim().length)) return;
  markRanges(leftCell, ranges[0]);
  markRanges(rightCell, ranges[1]);
}

/** Marks ranges of an element's text. A range may span several child elements. */
function markRanges(cell: HTMLElement, ranges: readonly (readonly [number, number])[]): void {
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  const nodes: { readonly node: Text; readonly at: number }[] = [];
  let length = 0;
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    nodes.push({ node, at: length });
    length += node.data.length;
  }
  for (const { node, at } of nodes) {
    // Iterate in reverse, because a new mark would change the positions of later ranges.
    for (const [start, end] of [...ranges].reverse()) {
      const [from, to] = [Math.max(0, start - at), Math.min(node.data.length, end - at)];
      if (from >= to) continue;
      const middle = node.splitText(from);
      middle.splitText(to - from);
      const mark = element('mark');
      middle.replaceWith(mark);
      mark.append(middle);
    }
  }
}

function foldedRow(lines: number, open: () => readonly HTMLTableRowElement[]): HTMLTableRowElement {
  const cell = element('td', { colspan: '4' });
  const row = element('tr', { class: 'folded' }, cell);
  cell.append(button(`⋯ ${l10n.t('{0} equal lines', number(lines))}`, {}, () => row.replaceWith(...open())));
  return row;
}
