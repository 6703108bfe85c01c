/** Renders a report as CSV for spreadsheets and scripts, with one line per place. */
import { stringify } from 'csv-stringify/sync';
import { printableLines } from '../../../presentation/wording/printable.ts';
import type { ScanReport } from '../scanReport.ts';
import { type ListedGroup, listedGroups, type Surroundings } from './listed.ts';

const columns = [
  ...['group', 'kind', 'type', 'category', 'similarity', 'worth', 'copies', 'new', 'ignored', 'reason'],
  ...['path', 'startLine', 'endLine', 'lines', 'tokens'],
] as const;

export function* renderCsv(report: ScanReport, surroundings: Surroundings): Generator<string> {
  yield stringify([[...columns]]);
  for (const listed of listedGroups(report)) yield linesOf(listed, surroundings);
}

function linesOf({ group }: ListedGroup, { prefix }: Surroundings): string {
  const records = group.passages.map(({ path, startLine, endLine, tokens, isNew }) => [
    ...[group.id, group.kind, group.type, group.category, group.similarity, group.worth, group.passages.length],
    isNew === true,
    ...[group.ignored !== undefined, group.ignored?.reason ?? ''],
    ...[prefix + path, startLine, endLine, endLine - startLine + 1, tokens],
  ]);
  // Escape values that look like formulas, because spreadsheets would evaluate them. Even a file name may look like a
  // formula.
  return printableLines(stringify(records, { cast: { boolean: String }, escape_formulas: true }));
}
