/** Which files of a group lie inside which: what its pairs say, for people. */
import type { Group, Passage } from './report.ts';
import { tuning } from './tuning.ts';

/** Most of `inner` is in `outer`, which has more. */
export interface Inside {
  readonly inner: Passage;
  readonly outer: Passage;
  /** The share of the shingles of `inner` that `outer` has, in [0, 1]. */
  readonly share: number;
}

/** The other way round the share has to be smaller by so much: else the two are just alike. */
const leastDifference = 0.1;

/** The files of a group that lie inside another of it, in the order of the pairs; none for groups of passages. */
export function insides({ passages, pairs }: Group): Inside[] {
  return pairs.flatMap(({ a, b, containment }) => {
    if (containment === undefined) return [];
    const [ofA, ofB] = containment;
    const [inner, outer, share] = ofA >= ofB ? [a, b, ofA] : [b, a, ofB];
    if (share < tuning.files.containment.least || Math.abs(ofA - ofB) < leastDifference) return [];
    return [{ inner: passages[inner], outer: passages[outer], share }];
  });
}

/** Whether a group is two files of which one lies inside the other and which are not alike otherwise. */
export function isInside(group: Group): boolean {
  return group.passages.length === 2 && group.similarity < tuning.files.minhash.least && insides(group).length > 0;
}
