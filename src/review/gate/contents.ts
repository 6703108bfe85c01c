/** Contents of copies: keys that identify the text of a copy regardless of its path and lines. */
import type { Group } from '../../core/engine/report/report.ts';

/** Number of occurrences of each content. */
export type Contents = ReadonlyMap<string, number>;

export function contentsOf({ passages }: Pick<Group, 'passages'>): Contents {
  const contents = new Map<string, number>();
  for (const { content = '' } of passages) contents.set(content, (contents.get(content) ?? 0) + 1);
  return contents;
}
