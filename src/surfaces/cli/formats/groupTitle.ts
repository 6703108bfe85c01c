/** Titles of groups in reports. */
import type { Group, Passage } from '../../../core/engine/report/report.ts';
import type { JudgedGroup } from '../../../review/gate/judgeGroups.ts';
import { kindOf } from '../../../presentation/wording/kindOf.ts';
import { sizeOf } from '../../../presentation/wording/likeness.ts';
import { count, percent } from '../quantities.ts';

/** Returns a title such as "Near copies of code in tests, 94% similar: 2 places, 12 lines". */
export function titleOf(group: JudgedGroup): string {
  return `${subjectOf(group)}: ${extentOf(group)}`;
}

/** Same as `titleOf`, but omits "in tests", for places where that is already clear. */
export function titleWithoutTests(group: JudgedGroup): string {
  return `${describe(group, '')}: ${extentOf(group)}`;
}

/** Returns a description such as "Near copies of code in tests across api and web, 94% similar". */
export function subjectOf(group: JudgedGroup): string {
  return describe(group, group.tests ? ' in tests' : '');
}

function extentOf(group: JudgedGroup): string {
  const places = count(group.passages.length, group.kind === 'file' ? 'file' : 'place');
  return `${places}, ${count(sizeOf(group).lines, 'line')}`;
}

function describe(group: JudgedGroup, inTests: string): string {
  const alike = group.type === 'near' && group.inside === undefined ? `, ${percent(group.similarity)} similar` : '';
  const parts = group.crosses?.join(', ').replace(/, ([^,]*)$/, ' and $1');
  const across = parts === undefined ? '' : ` across ${parts}`;
  return `${kindOf(group)}${inTests}${across}${alike}`;
}

/** Formats a place as "src/a.ts:12-40", or only the path if the group consists of whole files. */
export function nameOf(
  { kind }: Pick<Group, 'kind'>,
  { path, startLine, endLine }: Pick<Passage, 'path' | 'startLine' | 'endLine'>,
): string {
  if (kind === 'file') return path;
  return startLine === endLine ? `${path}:${startLine}` : `${path}:${startLine}-${endLine}`;
}
