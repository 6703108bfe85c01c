/** The other copies of a passage. */
import type { Passage } from '../engine/report/report.ts';
import type { Copy } from './report.ts';

/** A member of a group as another one sees it. */
export interface Sibling {
  /** Its place in the group's passages. */
  readonly place: number;
  readonly passage: Passage;
  /** That of their verified match; the least in the group when they match through others only. */
  readonly similarity: number;
}

/** The other members of a copy's group, the most similar first. */
export function siblingsOf({ group, place: member }: Pick<Copy, 'group' | 'place'>): Sibling[] {
  // One walk over the pairs, of which a large group has many.
  const similarities = new Array<number>(group.passages.length).fill(group.similarity);
  for (const { a, b, similarity } of group.pairs) {
    if (a === member) similarities[b] = similarity;
    if (b === member) similarities[a] = similarity;
  }
  return group.passages
    .map((passage, place): Sibling => ({ place, passage, similarity: similarities[place]! }))
    .filter(({ place }) => place !== member)
    .sort((left, right) => right.similarity - left.similarity);
}
