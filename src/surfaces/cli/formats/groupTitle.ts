/** Descriptions of groups. */
import type { Group, Passage } from '../../../core/engine/report/report.ts';
import type { JudgedGroup } from '../../../review/gate/judgeGroups.ts';
import { kindOf } from '../../../presentation/wording/kindOf.ts';
import { count, percent } from '../quantities.ts';

/** "Near copies of code in tests, 94 % similar: 2 places, 12 lines". */
export function titleOf(group: JudgedGroup): string {
  return `${subjectOf(group)}: ${extentOf(group)}`;
}

/** Like `titleOf`, for a place that already says if the group is in tests. */
export function titleWithoutTests(group: JudgedGroup): string {
  return `${describe(group, '')}: ${extentOf(group)}`;
}

/** "Near copies of code in tests across api and web, 94 % similar". */
export function subjectOf(group: JudgedGroup): string {
  return describe(group, group.tests ? ' in tests' : '');
}

function extentOf({ kind, passages, lines }: JudgedGroup): string {
  return `${count(passages.length, kind === 'file' ? 'file' : 'place')}, ${count(lines, 'line')}`;
}

function describe(group: JudgedGroup, inTests: string): string {
  const alike = group.type === 'near' && group.inside === undefined ? `, ${percent(group.similarity)} similar` : '';
  const parts = group.crosses?.join(', ').replace(/, ([^,]*)$/, ' and $1');
  const across = parts === undefined ? '' : ` across ${parts}`;
  return `${kindOf(group)}${inTests}${across}${alike}`;
}

/** "src/a.ts:12-40", or the path alone of a whole file. */
export function nameOf(
  { kind }: Pick<Group, 'kind'>,
  { path, startLine, endLine }: Pick<Passage, 'path' | 'startLine' | 'endLine'>,
): string {
  if (kind === 'file') return path;
  return startLine === endLine ? `${path}:${startLine}` : `${path}:${startLine}-${endLine}`;
}
