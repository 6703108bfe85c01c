/** Differences between long lists that have most of their items in common. Items are compared by identity. */

/** A list relative to an earlier one. */
export interface ListDifference<Item> {
  /**
   * The list from its start, in triples: the number of added items, followed by the range [from, to) of the earlier
   * list that comes after them.
   */
  readonly stretches: ArrayLike<number>;
  /** Items that are not in these ranges. A moved item may be one of them. */
  readonly added: readonly Item[];
}

/** Maximum distance at which an item is searched after its expected position. More are rarely removed at once. */
const lookAhead = 100;

export function differenceOf<Item>(before: readonly Item[], after: readonly Item[]): ListDifference<Item> {
  const stretches: number[] = [];
  const added: Item[] = [];
  let [addedHere, from, next] = [0, 0, 0];
  for (const item of after) {
    let place = next;
    while (place < before.length && place < next + lookAhead && before[place] !== item) place++;
    const isNew = before[place] !== item;
    // Items follow a stretch that are not the next ones of the old list.
    if (next > from && (isNew || place > next)) {
      stretches.push(addedHere, from, next);
      [addedHere, from] = [0, next];
    }
    if (isNew) {
      added.push(item);
      addedHere++;
      continue;
    }
    if (place > next) from = place;
    next = place + 1;
  }
  if (addedHere > 0 || next > from) stretches.push(addedHere, from, next);
  return { stretches, added };
}

export interface ChangedList<Item> {
  readonly items: readonly Item[];
  /** Items of the earlier list that are in none of the ranges. */
  readonly gone: readonly Item[];
}

/** Applies a difference to the earlier list. */
export function changeList<Item>(
  before: readonly Item[],
  { stretches, added }: ListDifference<Item>,
): ChangedList<Item> {
  const items: Item[] = [];
  const gone: Item[] = [];
  let [taken, passed] = [0, 0];
  for (let i = 0; i < stretches.length; i += 3) {
    const [count, from, to] = [stretches[i]!, stretches[i + 1]!, stretches[i + 2]!];
    for (const end = taken + count; taken < end; taken++) items.push(added[taken]!);
    for (; passed < from; passed++) gone.push(before[passed]!);
    for (; passed < to; passed++) items.push(before[passed]!);
  }
  for (; passed < before.length; passed++) gone.push(before[passed]!);
  return { items, gone };
}
