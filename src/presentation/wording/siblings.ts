/** The other copies of a passage. */
import type { Group, Passage } from '../../core/engine/report/report.ts';

/** A member of a group. */
interface Member {
  readonly group: Group;
  /** Its index in the group's passages. */
  readonly place: number;
}

/** A member of a group, relative to another member. */
export interface Sibling {
  /** Its index in the group's passages. */
  readonly place: number;
  readonly passage: Passage;
  /** Similarity of their verified match, or the least one in the group if they match only through others. */
  readonly similarity: number;
  /** Type of the pair, which is not always that of the group. */
  readonly type: Group['type'];
}

/** Returns the other members of a copy's group: equal ones first, then the most similar. */
export function siblingsOf({ group, place: member }: Member): Sibling[] {
  // A single pass over the pairs, because a large group has many.
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

/** Returns another member of a copy's group. */
export function siblingAt(member: Member, place: number): Sibling {
  return siblingsOf(member).find((sibling) => sibling.place === place)!;
}

/** Returns the diagnostic code of a copy with a sibling, for all editors. */
export function duplicateCode({ kind }: Group, { type }: Sibling): string {
  return kind === 'prose' ? `${type}-duplicate-text` : `${type}-duplicate`;
}

/** Cached result of `equalsIn`. */
const known = new WeakMap<Group, readonly number[]>();

/**
 * Returns for each member of a group the first one that it equals: directly, or because both equal another one. A
 * member that equals no earlier one has its own index.
 */
export function equalsIn(group: Group): readonly number[] {
  const before = known.get(group);
  if (before) return before;
  const firsts = [...group.passages.keys()];
  const firstOf = (place: number): number => (firsts[place] === place ? place : firstOf(firsts[place]!));
  for (const { a, b } of group.pairs.filter(({ type }) => (type ?? group.type) === 'exact')) {
    const [x, y] = [firstOf(a), firstOf(b)];
    firsts[Math.max(x, y)] = Math.min(x, y);
  }
  const equals = firsts.map(firstOf);
  known.set(group, equals);
  return equals;
}
