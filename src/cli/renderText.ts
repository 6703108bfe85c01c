/** The report as text: what a person reads in a terminal, in sections of rows. */
import { outlineOf, type Section, type SectionName } from '../wording/outline.ts';
import type { Colours } from './colours.ts';
import { printable } from './printable.ts';
import { count, duplicatedPercent } from './quantities.ts';
import { renderRow, type RowView } from './renderRows.ts';
import { renderSummary } from './renderSummary.ts';
import { type ScanReport, uncomparedIn } from './scanReport.ts';

/** How the text is to look, and how much of the report it has. */
export interface TextView {
  readonly colours: Colours;
  /** Columns; previews are cut to it. */
  readonly width: number;
  /** The most rows of folders, of each other section, and inside one row of folders. */
  readonly folders: number;
  readonly rows: number;
  readonly inFolders: number;
  /** Whether tests, examples, data, and boilerplate are shown as well, and all that is in a row. */
  readonly all: boolean;
  /** The folder that places are written relative to, so that the terminal finds them: where the person is. */
  readonly from: string;
}

/** The whole report, in pieces: the sections, then those of which only the size is told, then the totals. */
export function* renderText(report: ScanReport, view: TextView): Generator<string> {
  const uncompared = uncomparedIn(report);
  if (uncompared !== undefined) yield `${view.colours.warning(`Incomplete: ${printable(uncompared)}.`)}\n\n`;
  const sections = outlineOf(report.shown).filter(({ name }) => report.scope !== 'folders' || name === 'folders');
  const isShown = ({ name }: Section): boolean => view.all || !toldInOneLine.has(name);
  let ordinal = 1;
  for (const section of sections.filter(isShown)) {
    yield* renderSection(section, ordinal, report, view);
    ordinal += Math.min(section.rows.length, mostRows(section, view));
  }
  const others = sections.filter((section) => !isShown(section));
  for (const section of others) yield `${headingOf(section, report)} ${view.colours.quiet('(--all shows them)')}\n`;
  if (others.length > 0) yield '\n';
  yield* renderSummary(report, view);
}

/** What people look at when they have asked for it. */
const toldInOneLine: ReadonlySet<SectionName> = new Set(['tests', 'examples', 'data', 'boilerplate']);

/** A heading and the first rows. @param ordinal  the number of the first */
function* renderSection(section: Section, ordinal: number, report: ScanReport, view: TextView): Generator<string> {
  const { name, rows } = section;
  const { colours } = view;
  yield `${colours.title(headingOf(section, report))}\n\n`;
  const shown = rows.slice(0, mostRows(section, view));
  const rowView = rowViewOf(report, view);
  for (const [i, row] of shown.entries()) yield* renderRow(row, ordinal + i, name, rowView);
  if (rows.length === shown.length) return;
  const more = `… and ${count(rows.length - shown.length, 'more row')} (--top 0 shows all).`;
  yield `${colours.quiet(more)}\n\n`;
}

function mostRows({ name }: Section, view: TextView): number {
  return name === 'folders' ? view.folders : view.rows;
}

function rowViewOf({ root, scope }: ScanReport, { colours, width, inFolders, all, from }: TextView): RowView {
  return {
    ...{ root, from, colours, width, inFolders },
    moreInFolders: scope === 'folders' ? '--top 0 shows all' : 'kindred folders shows more',
    inFull: all,
  };
}

/** "Tests: 143 rows, 41 % of 12,034 lines". Only passages have a share of the lines. */
function headingOf({ name, rows }: Section, { shown, scope }: ScanReport): string {
  const size = `${titles[name]}: ${count(rows.length, 'row')}`;
  const totals = name === 'folders' ? undefined : shown.totals.categories[name];
  if (totals === undefined || scope === 'files') return size;
  return `${size}, ${duplicatedPercent(totals)} of ${count(totals.lines, 'line')}`;
}

const titles: Readonly<Record<SectionName, string>> = {
  folders: 'Folders',
  source: 'Source',
  text: 'Text',
  tests: 'Tests',
  examples: 'Examples',
  data: 'Data',
  boilerplate: 'Boilerplate',
};
