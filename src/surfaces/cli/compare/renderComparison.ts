/** Renders a comparison as text: shares of each tree in the other, and sections, largest differences first. */
import path from 'node:path';
import { linesOf } from '../../../presentation/wording/lineRange.ts';
import { nameFrom } from '../places.ts';
import { previewOf } from '../preview.ts';
import { printable } from '../../../presentation/wording/printable.ts';
import { count, number } from '../quantities.ts';
import type { TextView } from '../formats/text.ts';
import type { ComparedPassage, Comparison, Lines, Tree } from './comparison.ts';
import * as words from './wordsOfComparison.ts';

const previewLines = 2;

/**
 * Yields the complete report.
 *
 * @param view  display options; `rows` is the maximum number of rows per section
 */
export function* renderComparison(comparison: Comparison, view: TextView): Generator<string> {
  const { a, b, moved, changed, movedAndChanged, passages, onlyInA, onlyInB } = comparison;
  const at = (tree: Tree, name: string): string => nameIn(tree, name, view);
  yield* renderTotals(comparison, view);
  yield* section('moved', moved, view, (file) => [
    `${at(a, file.a)} → ${at(b, file.b)}  ${quiet(view, count(file.lines, 'line'))}`,
  ]);
  yield* section('changed', changed, view, (file) => [`${at(b, file.b.path)}  ${quiet(view, words.changeOf(file))}`]);
  yield* section('movedAndChanged', movedAndChanged, view, (file) => [
    `${at(a, file.a.path)} → ${at(b, file.b.path)}  ${quiet(view, words.changeOf(file))}`,
  ]);
  yield* section('passages', passages, view, (passage) => passageRow(passage, comparison, view));
  yield* section('onlyInA', onlyInA, view, (file) => [
    `${at(a, file.path)}  ${quiet(view, words.singleOf(file, 'B'))}`,
  ]);
  yield* section('onlyInB', onlyInB, view, (file) => [
    `${at(b, file.path)}  ${quiet(view, words.singleOf(file, 'A'))}`,
  ]);
  if (!comparison.complete) yield `${view.colours.warning('Interrupted: the result is incomplete.')}\n`;
}

/** Yields a summary to print if the report goes to a file: the trees, the share of common lines, and counts. */
export function* renderTotals(
  comparison: Comparison,
  { colours, from }: Pick<TextView, 'colours' | 'from'>,
): Generator<string> {
  const { a, b } = comparison;
  for (const [letter, tree] of [
    ['A', a],
    ['B', b],
  ] as const) {
    yield `${letter}  ${colours.place(printable(nameFrom(from, tree.root)))}  ${colours.quiet(words.sizeOf(tree))}\n`;
  }
  yield `${colours.title(words.headlineOf(comparison))}\n\n`;
  const rows = words.sectionTotals(comparison).filter(({ items }) => items > 0);
  const lines = (value: number | undefined): string => (value === undefined ? '' : number(value)).padStart(13);
  yield (
    colours.quiet(`${''.padEnd(26)}${''.padStart(9)}${'lines of A'.padStart(13)}${'lines of B'.padStart(13)}`) + '\n'
  );
  for (const row of rows) {
    yield `${words.sectionTitles[row.section].padEnd(26)}${number(row.items).padStart(9)}${lines(row.a)}${lines(row.b)}\n`;
  }
  yield '\n';
  const left = words.leftOutOf(comparison);
  if (left !== undefined) yield `${colours.quiet(left)}\n\n`;
}

function* section<Item>(
  name: keyof typeof words.sectionTitles,
  items: readonly Item[],
  view: TextView,
  linesFor: (item: Item) => readonly string[],
): Generator<string> {
  if (items.length === 0) return;
  yield `${view.colours.title(`${words.sectionTitles[name]}: ${number(items.length)}`)}\n`;
  for (const item of items.slice(0, view.rows)) for (const line of linesFor(item)) yield `   ${line}\n`;
  const rest = items.length - view.rows;
  if (rest > 0) yield `   ${view.colours.quiet(`… and ${number(rest)} more (--top 0 shows all)`)}\n`;
  yield '\n';
}

function passageRow(passage: ComparedPassage, { a, b }: Comparison, view: TextView): string[] {
  const place = (tree: Tree, lines: Lines): string =>
    `${nameIn(tree, lines.path, view)}${view.colours.place(`:${linesOf(lines)}`)}`;
  const shown = { ...passage.b, startColumn: 1, endColumn: 1, tokens: passage.tokens };
  return [
    `${place(a, passage.a)} → ${place(b, passage.b)}  ${quiet(view, words.likenessOf(passage))}`,
    ...previewOf(shown, b.root, previewLines, Math.max(20, view.width - 8)).map((line) => `  ${quiet(view, line)}`),
  ];
}

function nameIn({ root }: Tree, name: string, { colours, from }: TextView): string {
  return colours.place(printable(nameFrom(from, path.join(root, name))));
}

function quiet({ colours }: TextView, text: string): string {
  return colours.quiet(printable(text));
}
