/**
 * Renders a report as Markdown for a pull request comment. New groups come first and in full; everything else is
 * collapsed. The size stays within GitHub's limit for comments.
 */
import type { Group } from '../../../core/engine/report/report.ts';
import type { Place } from '../../../review/gate/divergedCopies.ts';
import { categories } from '../../../core/engine/rows/category.ts';
import { previewOf } from '../preview.ts';
import { count, number, percent } from '../quantities.ts';
import { hasBase, type ScanReport, uncomparedIn } from '../scanReport.ts';
import { headline } from './textSummary.ts';
import { type ListedEdit, editedCopies, editedTitle } from './edited.ts';
import { lineShare } from '../../../presentation/wording/lineShare.ts';
import { codeSpan } from '../../../presentation/wording/markdownCode.ts';
import { kindOf } from '../../../presentation/wording/kindOf.ts';
import { sizeOf } from '../../../presentation/wording/likeness.ts';
import { nameOf, subjectOf } from './groupTitle.ts';
import { isCharged, type ListedGroup, openGroups, type Surroundings, withoutOld } from './listed.ts';
import { escaped, fenced, folded, maxCharacters, withinComment } from './markdownPieces.ts';
import { type LinkMaker, permalinks } from './permalinks.ts';

/** First line of the comment, by which scripts find the comment of an earlier run. */
export const marker = '<!-- kindred -->';
/** Maximum number of groups to show in full; `maxInTable` is the maximum number of groups in the table. */
const maxInFull = 15;
const maxInTable = 100;
/** Number of groups to show in full if the check has no base and nothing counts as new. */
const maxFirst = 5;
const maxPlaces = 6;
const previewLines = 8;
const diffLines = 30;
const previewWidth = 140;

export function* renderMarkdown(report: ScanReport, surroundings: Surroundings): Generator<string> {
  const open = openGroups(report);
  const reported = withoutOld(open, report);
  const charged = reported.filter(({ group }) => isCharged(group));
  const first = charged.length > 0 ? charged : reported.slice(0, maxFirst);
  const rest = reported.filter((listed) => !first.includes(listed));
  const page: Page = { report, prefix: surroundings.prefix, linkTo: permalinks(surroundings.environment) };
  yield* withinComment(pieces(page, { charged, first, rest, knownGroups: open.length - reported.length }));
}

interface Parts {
  readonly charged: readonly ListedGroup[];
  /** Groups to show in full. */
  readonly first: readonly ListedGroup[];
  /** Groups to show in the table. */
  readonly rest: readonly ListedGroup[];
  /** Number of groups that the base already contains. */
  readonly knownGroups: number;
}

interface Page {
  readonly report: ScanReport;
  readonly prefix: string;
  readonly linkTo: LinkMaker | undefined;
}

function* pieces(page: Page, parts: Parts): Generator<string> {
  const { charged, first, rest, knownGroups } = parts;
  const { shown: findings, ignoredGroups, scope } = page.report;
  yield `${marker}\n## ${titleOf(page, parts)}\n\n`;
  yield verdictOn(page.report);
  if (scope === 'all' && findings.totals.files > 0) yield `Duplicated: ${headline(findings.totals)}.\n\n`;
  if (charged.length === 0 && rest.length > 0) yield '### First rows\n\n';
  for (const listed of first.slice(0, maxInFull)) yield inFull(listed, page);
  if (first.length > maxInFull) yield `… and ${count(first.length - maxInFull, 'more group')}.\n\n`;
  const edited = editedCopies(page.report);
  if (edited.length > 0) yield `### ${editedTitle}\n\n`;
  for (const one of edited.slice(0, maxInFull)) yield editedInFull(one, page);
  if (edited.length > maxInFull) yield `… and ${count(edited.length - maxInFull, 'more copy', 'more copies')}.\n\n`;
  if (rest.length > 0) yield tableOf(rest, page);
  if (knownGroups > 0) yield `${count(knownGroups, 'known group')}.\n\n`;
  if (ignoredGroups > 0) yield `${count(ignoredGroups, 'group')} ignored.\n\n`;
  if (Object.keys(findings.totals.categories).length > 0 && scope === 'all') yield categoriesOf(page);
}

/** Returns the verdict of a check, and a note about files that were not compared. */
function verdictOn(report: ScanReport): string {
  const { check, findings } = report;
  const uncompared = check ? undefined : uncomparedIn(report);
  const lines = [
    ...(check ? [`${check.holds ? '✅' : '❌'} ${escaped(check.message)}`] : []),
    ...(uncompared === undefined ? [] : [`⚠️ Incomplete: ${escaped(uncompared)}.`]),
    ...(findings.complete ? [] : ['⚠️ The scan was interrupted; the results are incomplete.']),
  ];
  return lines.map((line) => `${line}\n\n`).join('');
}

function titleOf({ report }: Page, { charged, first, rest }: Parts): string {
  const { check } = report;
  if (check?.holds === false && check.uncompared !== undefined && charged.length === 0) {
    return 'Kindred: incomplete comparison';
  }
  if (charged.length > 0) return `Kindred: ${chargedIn(charged)}`;
  if (hasBase(report)) return 'Kindred: no new duplicates';
  const all = first.length + rest.length;
  return all === 0 ? 'Kindred: no near-duplicates' : `Kindred: ${count(all, 'group')} of near-duplicates`;
}

/** Returns a text such as "2 new duplicates and 1 across boundaries". */
function chargedIn(charged: readonly ListedGroup[]): string {
  const crossing = charged.filter(({ group }) => group.crosses).length;
  const fresh = charged.length - crossing;
  const across = count(crossing, 'duplicate across boundaries', 'duplicates across boundaries');
  if (fresh === 0) return across;
  return count(fresh, 'new duplicate') + (crossing > 0 ? ` and ${across}` : '');
}

/** Renders a group in full: its places, and its first lines in a collapsed section. */
function inFull({ group, primary, others }: ListedGroup, page: Page): string {
  const { lines: lineCount, tokens } = sizeOf(group);
  const size = count(lineCount, 'line') + (group.kind === 'file' ? '' : `, ${count(tokens, 'token')}`);
  const lines = [`**${subjectOf(group)}** · ${size}\n`];
  for (const passage of [primary, ...others].slice(0, maxPlaces)) {
    lines.push(`- ${placeOf(group, passage, page)}${passage.isNew ? ' — new' : ''}`);
  }
  if (group.passages.length > maxPlaces) lines.push(`- … and ${number(group.passages.length - maxPlaces)} more`);
  const preview = group.kind === 'file' ? [] : previewOf(primary, page.report.root, previewLines, previewWidth);
  return `${lines.join('\n')}\n\n${preview.length > 0 ? folded('First lines', fenced(preview, primary.path)) : ''}`;
}

/** Renders an edited copy: the copies that were not edited, and the edit in a collapsed section. */
function editedInFull({ group, copy, others }: ListedEdit, page: Page): string {
  const lines = [
    `- ${placeOf(group, copy, page)} — edited`,
    ...others.slice(0, maxPlaces).map((place) => `- ${placeOf(group, place, page)} — as before`),
    ...(others.length > maxPlaces ? [`- … and ${number(others.length - maxPlaces)} more`] : []),
  ];
  const diff = copy.diff.slice(0, diffLines);
  return `${lines.join('\n')}\n\n${folded('The edit', fenced(diff, 'edit.diff'))}`;
}

/** Renders groups as a table with one row per group. */
function tableOf(rest: readonly ListedGroup[], page: Page): string {
  const shown = rest.slice(0, maxInTable);
  // If the table is too large, halve its number of rows until the table fits.
  for (let rows = shown.length; rows > 0; rows = Math.floor(rows / 2)) {
    const table = [
      '| Group | Alike | Lines | First place | Copies |',
      '| --- | ---: | ---: | --- | ---: |',
      ...shown.slice(0, rows).map((listed) => lineOf(listed, page)),
    ].join('\n');
    const more = rest.length > rows ? `\n\n… and ${count(rest.length - rows, 'more group')}.` : '';
    const text = folded(count(rest.length, 'more group'), `${table}${more}`);
    if (text.length < maxCharacters / 2) return text;
  }
  return '';
}

function lineOf({ group, primary }: ListedGroup, page: Page): string {
  const alike = group.inside === undefined ? percent(group.similarity) : '';
  const place = placeOf(group, primary, page).replaceAll('|', '\\|');
  return `| ${kindOf(group)} | ${alike} | ${number(sizeOf(group).lines)} | ${place} | ${number(group.passages.length)} |`;
}

function categoriesOf({ report }: Page): string {
  const { totals } = report.shown;
  const rows = categories.flatMap((name) => {
    const by = totals.categories[name];
    if (by === undefined) return [];
    return [`| ${name} | ${number(by.files)} | ${number(by.lines)} | ${number(by.rows)} | ${lineShare(by)} |`];
  });
  const head = ['| Category | Files | Lines | Duplicates | Duplicated lines |', '| --- | ---: | ---: | ---: | ---: |'];
  return folded('Totals', [...head, ...rows].join('\n'));
}

function placeOf(group: Pick<Group, 'kind'>, passage: Place, { prefix, linkTo }: Page): string {
  const name = codeSpan(prefix + nameOf(group, passage));
  if (linkTo === undefined) return name;
  return `[${name}](${linkTo(prefix + passage.path, passage.startLine, passage.endLine)})`;
}
