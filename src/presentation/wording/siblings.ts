/** Siblings of a copy: the other copies in its group. */
import type { Group, Passage } from '../../core/engine/report/report.ts';

/** A copy, given by its group and its index there. */
interface Member {
  readonly group: Group;
  /** Index of the copy in `group.passages`. */
  readonly place: number;
}

/** Another copy in the group of a given copy. */
export interface Sibling {
  /** Index of the sibling in `group.passages`. */
  readonly place: number;
  readonly passage: Passage;
  /** Similarity of the match between both copies or, if they were not matched, the lowest in the group. */
  readonly similarity: number;
  /** Type of the match between both copies, which may differ from the type of the group. */
  readonly type: Group['type'];
}

/** Returns the siblings of a copy: equal ones first, then by descending similarity. */
export function siblingsOf({ group, place: member }: Member): Sibling[] {
  // Iterate over the pairs only once, because a large group has many pairs.
  const similarities = new Array<number>(group.passages.length).fill(group.similarity);
  const types = new Array<Group['type']>(group.passages.length).fill(group.type);
  for (const { a, b, similarity, type = group.type } of group.pairs) {
    if (a !== member && b !== member) continue;
    const other = a === member ? b : a;
    similarities[other] = similarity;
    types[other] = type;
  }
  const equals = equalsIn(group);
  return group.passages
    .map((passage, place): Sibling =>
      equals[place] === equals[member]
        ? { place, passage, similarity: 1, type: 'exact' }
        : { place, passage, similarity: similarities[place]!, type: types[place]! },
    )
    .filter(({ place }) => place !== member)
    .sort((x, y) => Number(y.type === 'exact') - Number(x.type === 'exact') || y.similarity - x.similarity);
}

export function siblingAt(member: Member, place: number): Sibling {
  return siblingsOf(member).find((sibling) => sibling.place === place)!;
}

/** Returns the diagnostic code for a copy and its sibling. The code is the same in all editors. */
export function duplicateCode({ kind }: Group, { type }: Sibling): string {
  return kind === 'prose' ? `${type}-duplicate-text` : `${type}-duplicate`;
}

/** Cache of `equalsIn`. */
const equalsByGroup = new WeakMap<Group, readonly number[]>();

/**
 * For each copy of a group, returns the index of the first copy whose text is equal, directly or through other copies.
 * A copy that equals no earlier copy has its own index.
 */
export function equalsIn(group: Group): readonly number[] {
  const before = equalsByGroup.get(group);
  if (before) return before;
  const firsts = [...group.passages.keys()];
  const firstOf = (place: number): number => (firsts[place] === place ? place : firstOf(firsts[place]!));
  for (const { a, b } of group.pairs.filter(({ type }) => (type ?? group.type) === 'exact')) {
    const [x, y] = [firstOf(a), firstOf(b)];
    firsts[Math.max(x, y)] = Math.min(x, y);
  }
  const equals = firsts.map(firstOf);
  equalsByGroup.set(group, equals);
  return equals;
}
