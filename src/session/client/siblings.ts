/** The other copies of a passage. */
import type { Passage } from '../../core/engine/report/report.ts';
import type { Copy } from './report.ts';

/** A member of a group, relative to another member. */
export interface Sibling {
  /** Its index in the group's passages. */
  readonly place: number;
  readonly passage: Passage;
  /** Similarity of their verified match, or the least one in the group if they match only through others. */
  readonly similarity: number;
}

/** Returns the other members of a copy's group, most similar first. */
export function siblingsOf({ group, place: member }: Pick<Copy, 'group' | 'place'>): Sibling[] {
  // A single pass over the pairs, because a large group has many.
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
