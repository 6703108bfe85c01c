/** Lists and sets of items by key, without empty ones, and the search in sorted lists. */

/** Returns the items of each key in their order, as `Map.groupBy` of Node 21. */
export function groupBy<Key, Item>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const lists = new Map<Key, Item[]>();
  for (const item of items) append(lists, keyOf(item), item);
  return lists;
}

/** Adds an item to the list of a key. */
export function append<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

/** Adds an item to the set of a key. */
export function add<Key, Item>(sets: Map<Key, Set<Item>>, key: Key, item: Item): void {
  const set = sets.get(key);
  if (set) set.add(item);
  else sets.set(key, new Set([item]));
}

/** Removes an item from the set of a key. */
export function drop<Key, Item>(sets: Map<Key, Set<Item>>, key: Key, item: Item): void {
  const set = sets.get(key);
  set?.delete(item);
  if (set?.size === 0) sets.delete(key);
}

/**
 * Returns the number of leading places that `isBefore` accepts: the place of the first item that is not before a position.
 *
 * @param length    number of places
 * @param isBefore  true for all places up to one, and false for all others
 */
export function firstPlace(length: number, isBefore: (place: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
