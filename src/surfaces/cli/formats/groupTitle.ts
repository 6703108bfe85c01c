/** Descriptions of groups. */
import type { Group, Passage } from '../../../core/engine/report/report.ts';
import type { JudgedGroup } from '../../../review/gate/judgeGroups.ts';
import { kindOf } from '../../../presentation/wording/kindOf.ts';
import { count, percent } from '../quantities.ts';

/**
 * "Near copies of code, 94 % similar: 2 places, 12 lines".
 *
 * @param inTests  true if the context already says that the group is in tests
 */
export function titleOf(group: JudgedGroup, inTests: boolean): string {
  const places = count(group.passages.length, group.kind === 'file' ? 'file' : 'place');
  return `${subjectOf(group, inTests)}: ${places}, ${count(group.lines, 'line')}`;
}

/** "Near copies of code across api and web, 94 % similar". */
export function subjectOf(group: JudgedGroup, inTests = false): string {
  const alike = group.type === 'near' && group.inside === undefined ? `, ${percent(group.similarity)} similar` : '';
  const parts = group.crosses?.join(', ').replace(/, ([^,]*)$/, ' and $1');
  const across = parts === undefined ? '' : ` across ${parts}`;
  return `${kindOf(group)}${group.tests && !inTests ? ' in tests' : ''}${across}${alike}`;
}

/** "src/a.ts:12-40", or the path alone of a whole file. */
export function nameOf(
  { kind }: Pick<Group, 'kind'>,
  { path, startLine, endLine }: Pick<Passage, 'path' | 'startLine' | 'endLine'>,
): string {
  if (kind === 'file') return path;
  return startLine === endLine ? `${path}:${startLine}` : `${path}:${startLine}-${endLine}`;
}
