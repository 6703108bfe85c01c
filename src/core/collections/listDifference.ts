/** Computes the difference between two long lists that share most of their items. Items are compared by identity. */

/** A list, described by its difference from an earlier list. */
export interface ListDifference<Item> {
  /**
   * The list from its start, as triples of numbers: number of added items, followed by the start and the end
   * (exclusive) of a range in the earlier list.
   */
  readonly stretches: ArrayLike<number>;
  /** The added items, in order. The ranges do not include them. Moved items may be among them. */
  readonly added: readonly Item[];
}

/** Number of items to search, from the expected position on. More are rarely removed at once. */
const maxSkipped = 100;

export function differenceOf<Item>(before: readonly Item[], after: readonly Item[]): ListDifference<Item> {
  const stretches: number[] = [];
  const added: Item[] = [];
  let [addedHere, next, at] = [0, 0, 0];
  // `===` reads the types of both objects, which are seldom in the processor's cache. `Object.is` does not.
  while (at < after.length) {
    const end = Math.min(before.length, next + maxSkipped);
    let from = next;
    while (from < end && !Object.is(before[from], after[at])) from++;
    if (from === end) {
      added.push(after[at++]);
      addedHere++;
      continue;
    }
    next = from;
    while (at < after.length && next < before.length && Object.is(before[next], after[at])) {
      next++;
      at++;
    }
    stretches.push(addedHere, from, next);
    addedHere = 0;
  }
  if (addedHere > 0) stretches.push(addedHere, next, next);
  return { stretches, added };
}

export interface ChangedList<Item> {
  readonly items: readonly Item[];
  /** Items of the earlier list that are not in the new one. */
  readonly removed: readonly Item[];
}

/** Applies a difference to the earlier list. */
export function changeList<Item>(before: readonly Item[], difference: ListDifference<Item>): ChangedList<Item> {
  const { stretches, added } = difference;
  const items: Item[] = [];
  let taken = 0;
  for (let i = 0; i < stretches.length; i += 3) {
    for (const end = taken + stretches[i]; taken < end; taken++) items.push(added[taken]);
    for (let place = stretches[i + 1]; place < stretches[i + 2]; place++) items.push(before[place]);
  }
  return { items, removed: removedFrom(before, difference) };
}

/** Returns the items of the earlier list that are not in the new one. */
export function removedFrom<Item>(before: readonly Item[], { stretches }: ListDifference<Item>): Item[] {
  const removed: Item[] = [];
  let passed = 0;
  for (let i = 0; i < stretches.length; i += 3) {
    for (; passed < stretches[i + 1]; passed++) removed.push(before[passed]);
    passed = stretches[i + 2];
  }
  for (; passed < before.length; passed++) removed.push(before[passed]);
  return removed;
}
