/** Finds the copies in a file, and creates the messages for diagnostics, hovers, and code actions. */
import { withoutNested } from '../../../presentation/wording/occurrences.ts';
import type { Copy, Report } from '../../../session/client/report.ts';
import type { Sibling } from '../../../presentation/wording/siblings.ts';
import type { Passage } from '../../../core/engine/report/report.ts';
import { writePlace } from '../../tools/places.ts';
import { wholePercent } from '../../../presentation/wording/likeness.ts';
import type { ClientSettings } from './clientSettings.ts';

/** Returns the copies in a file for which the client wants diagnostics, sorted by line. */
export function copiesIn(report: Report | undefined, name: string, { severity }: ClientSettings): readonly Copy[] {
  const all = [...(report?.copies.get(name) ?? [])].sort((x, y) => x.passage.startLine - y.passage.startLine);
  const shown = all.filter(({ group }) => severity[group.category] !== 'off');
  return withoutNested(shown, ({ parent }) => parent === undefined);
}

/** Returns true if a copy contains a line, counted from 0. */
export function hasLine({ passage: { startLine, endLine } }: Copy, line: number): boolean {
  return startLine <= line + 1 && line + 1 <= endLine;
}

export interface LineRange {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
}

/** Returns the range of a passage, counted from 0 as in the protocol. */
export function rangeOf({ startLine, startColumn, endLine, endColumn }: Passage): LineRange {
  return {
    start: { line: startLine - 1, character: startColumn - 1 },
    end: { line: endLine - 1, character: endColumn - 1 },
  };
}

/** Describes a copy by its most similar other copy: "Renamed copy of src/b.ts:10-32 (94%), 3 copies". */
export function messageOf({ group }: Copy, { type, similarity, passage }: Sibling): string {
  const where = writePlace(passage);
  const copies = `${group.passages.length} copies`;
  const alike = `${wholePercent(similarity)}%`;
  if (type === 'renamed') return `Renamed copy of ${where} (${alike}), ${copies}`;
  if (type === 'exact') return `Exact copy of ${where}, ${copies}`;
  return `Near-duplicate of ${where} (${alike}), ${copies}`;
}

export function siblingText({ passage, similarity, type }: Sibling): string {
  const change = { exact: 'identical', renamed: 'renamed, ', near: 'edited, ' }[type];
  return `${writePlace(passage)}, ${change}${type === 'exact' ? '' : `${wholePercent(similarity)}% similar`}`;
}
