/** Renders findings across repositories as text and as JSON (docs/organisation.schema.json). */
import type { Group } from '../../../core/engine/report/report.ts';
import type { Comparison } from '../../../organisation/repositories/comparisonSteps.ts';
import { repositoriesOf, type RepositoryPair, repositoryPairs } from '../../../organisation/repositories/rollUps.ts';
import { bySection } from '../../../presentation/wording/outline.ts';
import { titleOf } from '../formats/groupTitle.ts';
import type { OrgReportArguments } from '../orgArguments.ts';
import { placeOf } from '../places.ts';
import { printable, printableJson, printableList } from '../../../presentation/wording/printable.ts';
import { count } from '../quantities.ts';
import { describeSettings } from '../settings.ts';
import { defaultSourceOptions } from '../../../scan/io/sources.ts';
import { repositoryAsJson } from './repositories.ts';

export interface OrgReport extends Comparison {
  readonly version: string;
}

/** Maximum number of passages to show per row. */
const placesShown = 10;

export function* renderAsText(report: OrgReport, { top, within }: OrgReportArguments): Generator<string> {
  const { findings, repositories } = report;
  const pairs = repositoryPairs(findings);
  if (pairs.length > 0) yield 'Repositories\n\n';
  for (const pair of pairs.slice(0, top)) yield `  ${printable(pairWords(pair))}\n`;
  if (pairs.length > top) yield `  … and ${count(pairs.length - top, 'more pair')} (--top 0 shows all).\n`;
  if (pairs.length > 0) yield '\n';
  // Show groups inside one repository only if the user asked for them, or if the index contains only that repository.
  const isShown = (group: Group): boolean =>
    group.parent === undefined && (within || repositories.length === 1 || repositoriesOf(group).length > 1);
  const rows = findings.groups.filter(isShown);
  for (const [i, group] of rows.slice(0, top).entries()) yield* renderRow(group, i + 1);
  if (rows.length > top) yield `… and ${count(rows.length - top, 'more row')} (--top 0 shows all).\n\n`;
  yield* renderTotals(report, rows.length);
}

/**
 * Describes a pair of repositories: "billing and invoicing: 61 and 58 files alike, 130 rows, 2,345 and 2,310 lines".
 */
function pairWords({ names, files, rows, lines }: RepositoryPair): string {
  const alike = files[0] + files[1] === 0 ? [] : [`${both(files)} files alike`];
  const shared = lines[0] + lines[1] === 0 ? [] : [`${both(lines)} lines`];
  return `${names.join(' and ')}: ${[...alike, count(rows, 'row'), ...shared].join(', ')}`;
}

function both([x, y]: readonly [number, number]): string {
  const [first, second] = [x, y].map((value) => value.toLocaleString('en-US'));
  return first === second ? first! : `${first} and ${second}`;
}

function* renderRow(group: Group, ordinal: number): Generator<string> {
  const here = process.cwd();
  yield `${ordinal}. ${titleOf(group)} · ${count(group.tokens, 'token')} · ${group.id}\n`;
  for (const passage of group.passages.slice(0, placesShown)) {
    yield `   ${placeOf(group, passage, { root: here, from: here })}\n`;
  }
  const more = group.passages.length - placesShown;
  if (more > 0) yield `   … and ${count(more, group.kind === 'file' ? 'more file' : 'more place')}\n`;
  yield '\n';
}

function* renderTotals({ findings: { totals, groups }, repositories }: OrgReport, rows: number): Generator<string> {
  const across = groups.filter((group) => group.parent === undefined && repositoriesOf(group).length > 1).length;
  const sizes = [
    count(repositories.length, 'repository', 'repositories'),
    count(totals.files, 'file'),
    count(totals.lines, 'line'),
  ];
  const all = groups.filter(({ parent }) => parent === undefined).length;
  const others = all > rows ? `; ${count(all - across, 'row')} within one repository (--within shows them)` : '';
  yield `${sizes.join(', ')}: ${count(across, 'row')} across repositories${others}.\n`;
}

export function* renderAsJson(report: OrgReport): Generator<string> {
  const { findings, repositories, version, method } = report;
  yield '{\n';
  yield `  "schema": 3,\n`;
  yield `  "tool": ${printableJson({ name: 'kindred', version })},\n`;
  yield `  "options": ${printableJson(optionsOf(method.options))},\n`;
  yield `  "totals": ${printableJson(findings.totals)},\n`;
  yield* entries('repositories', repositories.map(repositoryAsJson));
  yield ',\n';
  yield* entries('pairs', repositoryPairs(findings).map(pairAsJson));
  yield ',\n';
  yield* entries(
    'groups',
    bySection(findings.groups).map((group) => ({ ...group, repositories: repositoriesOf(group) })),
  );
  yield '\n}\n';
}

/** Returns the options that affect matching, with the keys of a configuration file. */
function optionsOf(options: OrgReport['method']['options']): object {
  const settings = { type: 'settings', options, sources: defaultSourceOptions, boundaries: {} } as const;
  const sourceKeys = new Set([...Object.keys(defaultSourceOptions), 'maxFileSize']);
  return Object.fromEntries(Object.entries(describeSettings(settings)).filter(([key]) => !sourceKeys.has(key)));
}

function pairAsJson({ names, files, rows, worth, lines }: RepositoryPair): object {
  return { repositories: names, files, rows, lines, worth };
}

function* entries(key: string, items: readonly object[]): Generator<string> {
  yield `  "${key}": `;
  yield* printableList(items, '  ');
}
