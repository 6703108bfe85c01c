/** What copies say, by which they are known whatever their paths and lines are. */
import type { Group } from '../engine/report/report.ts';

/** How often each content occurs. */
export type Contents = ReadonlyMap<string, number>;

/** The contents of a group's passages. */
export function contentsOf({ passages }: Pick<Group, 'passages'>): Contents {
  const contents = new Map<string, number>();
  for (const { content = '' } of passages) contents.set(content, (contents.get(content) ?? 0) + 1);
  return contents;
}
