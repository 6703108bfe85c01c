/** Renders a comparison as Markdown: a table of totals, and a collapsed list for each section. */
import { escaped, folded, withinComment } from '../formats/markdownPieces.ts';
import { codeSpan } from '../../../presentation/wording/markdownCode.ts';
import { linesOf } from '../../../presentation/wording/lineRange.ts';
import { number } from '../quantities.ts';
import type { ComparedPassage, Comparison, Lines } from './comparison.ts';
import * as words from './wordsOfComparison.ts';

/** Maximum number of rows in a list. The rest is only counted. */
const maxRows = 100;

/** Yields the report, shortened to the size limit of GitHub comments. */
export function comparisonAsMarkdown(comparison: Comparison): Generator<string> {
  return withinComment(pieces(comparison));
}

function* pieces(comparison: Comparison): Generator<string> {
  const { a, b, moved, changed, movedAndChanged, passages, onlyInA, onlyInB } = comparison;
  yield `## Kindred: ${codeSpan(a.name)} (A) and ${codeSpan(b.name)} (B)\n\n`;
  if (!comparison.complete) yield '⚠️ The scan was interrupted; the results are incomplete.\n\n';
  yield `${words.headlineOf(comparison)}\n\n`;
  const cell = (value: number | undefined): string => (value === undefined ? '' : number(value));
  const rows = words.sectionTotals(comparison).filter(({ items }) => items > 0);
  yield [
    '| | | Lines of A | Lines of B |',
    '| --- | ---: | ---: | ---: |',
    ...rows.map(
      (row) => `| ${words.sectionTitles[row.section]} | ${number(row.items)} | ${cell(row.a)} | ${cell(row.b)} |`,
    ),
    '\n',
  ].join('\n');
  const leftOut = words.leftOutOf(comparison);
  if (leftOut !== undefined) yield `${leftOut}\n\n`;
  yield* list('moved', moved, (file) => `${codeSpan(file.a)} → ${codeSpan(file.b)}`);
  yield* list('changed', changed, (file) => `${codeSpan(file.b.path)}: ${words.changeOf(file)}`);
  yield* list('movedAndChanged', movedAndChanged, (file) => {
    return `${codeSpan(file.a.path)} → ${codeSpan(file.b.path)}: ${words.changeOf(file)}`;
  });
  yield* list('passages', passages, passageRow);
  yield* list('onlyInA', onlyInA, (file) => `${codeSpan(file.path)}: ${escaped(words.singleOf(file, 'B'))}`);
  yield* list('onlyInB', onlyInB, (file) => `${codeSpan(file.path)}: ${escaped(words.singleOf(file, 'A'))}`);
}

function* list<Item>(section: words.Section, items: readonly Item[], rowOf: (item: Item) => string): Generator<string> {
  if (items.length === 0) return;
  const more = items.length > maxRows ? [`- … and ${number(items.length - maxRows)} more`] : [];
  const rows = items.slice(0, maxRows).map((item) => `- ${rowOf(item)}`);
  yield folded(`${words.sectionTitles[section]}: ${number(items.length)}`, [...rows, ...more].join('\n'));
}

function passageRow(passage: ComparedPassage): string {
  const place = (lines: Lines): string => codeSpan(`${lines.path}:${linesOf(lines)}`);
  return `${place(passage.a)} → ${place(passage.b)}: ${words.likenessOf(passage)}`;
}
