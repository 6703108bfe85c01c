/** Renders a report as text for a terminal: sections with rows. */
import {
  collapsedSections,
  countGroups,
  countInSection,
  foldersIn,
  outlineOf,
  type Section,
  type SectionName,
} from '../../../presentation/wording/outline.ts';
import type { Colours } from '../colours.ts';
import { lineShare } from '../../../presentation/wording/lineShare.ts';
import { printable } from '../../../presentation/wording/printable.ts';
import { count } from '../quantities.ts';
import { renderRow, type RowView } from './textRows.ts';
import { renderSummary } from './textSummary.ts';
import { type ScanReport, uncomparedIn } from '../scanReport.ts';

/** Display options of the text report. */
export interface TextView {
  readonly colours: Colours;
  /** Number of columns at which previews are truncated. */
  readonly width: number;
  /** Number of columns at which lines wrap; `undefined` for no wrapping. */
  readonly wrapAt?: number | undefined;
  /**
   * Maximum number of folder rows. `rows`: maximum number of rows per other section. `inFolders`: maximum number of
   * rows shown inside a folder row.
   */
  readonly folders: number;
  readonly rows: number;
  readonly inFolders: number;
  /** True to also show tests, examples, data, and boilerplate, and all nested rows. */
  readonly all: boolean;
  /** Folder to which paths are relative: the current one, so that the terminal can open them. */
  readonly from: string;
}

/** Yields the complete report: sections, then one line per collapsed section, then totals. */
export function* renderText(report: ScanReport, view: TextView): Generator<string> {
  const uncompared = uncomparedIn(report);
  if (uncompared !== undefined) yield `${view.colours.warning(`Incomplete: ${printable(uncompared)}.`)}\n\n`;
  const outline = outlineOf(report.shown);
  const sections = report.scope === 'folders' ? sectionOfFolders(outline) : outline;
  const isShown = ({ name }: Section): boolean => view.all || !collapsedSections.has(name);
  let ordinal = 1;
  for (const section of sections.filter(isShown)) {
    yield* renderSection(section, ordinal, report, view);
    ordinal += Math.min(section.rows.length, maxRows(section, view));
  }
  const others = sections.filter((section) => !isShown(section));
  for (const section of others) yield `${headingOf(section, report)} ${view.colours.quiet('(--all shows them)')}\n`;
  if (others.length > 0) yield '\n';
  yield* renderSummary(report, view);
}

/** Merges the folder rows of all sections into one section. Returns no section if there are no folder rows. */
function sectionOfFolders(outline: readonly Section[]): Section[] {
  const rows = foldersIn(outline);
  return rows.length === 0 ? [] : [{ name: 'folders', rows }];
}

/**
 * Yields the heading and the first rows of a section.
 *
 * @param ordinal  number of the first row
 */
function* renderSection(section: Section, ordinal: number, report: ScanReport, view: TextView): Generator<string> {
  const { name, rows } = section;
  const { colours } = view;
  yield `${colours.title(headingOf(section, report))}\n\n`;
  const shown = rows.slice(0, maxRows(section, view));
  const rowView = rowViewOf(report, view);
  for (const [i, row] of shown.entries()) yield* renderRow(row, ordinal + i, name, rowView);
  if (rows.length === shown.length) return;
  const rest = rows.slice(shown.length);
  const left = name === 'folders' ? count(rest.length, 'more row') : count(countGroups(rest), 'more duplicate');
  const more = `… and ${left} (--top 0 shows all).`;
  yield `${colours.quiet(more)}\n\n`;
}

function maxRows({ name }: Section, view: TextView): number {
  return name === 'folders' ? view.folders : view.rows;
}

function rowViewOf({ root, scope }: ScanReport, { colours, width, inFolders, all, from }: TextView): RowView {
  return {
    root,
    from,
    colours,
    width,
    inFolders,
    moreInFolders: scope === 'folders' ? '--top 0 shows all' : 'kindred folders shows more',
    inFull: all,
  };
}

/**
 * Returns a heading such as "Tests: 143 duplicates, 41% of 12,034 lines". Folder rows are counted separately. Sections
 * of folders have no share of lines.
 */
function headingOf(section: Section, { shown, scope }: ScanReport): string {
  const { name } = section;
  const unit = name === 'folders' ? 'row' : 'duplicate';
  const size = `${titles[name]}: ${count(countInSection(section, shown.totals), unit)}`;
  const totals = name === 'folders' ? undefined : shown.totals.categories[name];
  if (totals === undefined || scope === 'files') return size;
  return `${size}, ${lineShare(totals)} of ${count(totals.lines, 'line')}`;
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
