/** Functions for lists, maps of lists, and maps of sets, and binary search in sorted lists. */

/** Returns the set of words that are separated by single spaces. */
export function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/**
 * Same as `items.map(convert)`, for arrays that are kept or passed on. The optimized code of `map` creates another kind
 * of array than its first calls, so code that reads the array would have to be compiled again.
 */
export function converted<Item, Result>(
  items: readonly Item[],
  convert: (item: Item, place: number) => Result,
): Result[] {
  const results: Result[] = [];
  for (let place = 0; place < items.length; place++) results.push(convert(items[place], place));
  // A copy has no spare room, which would be half of the memory of short lists.
  return results.slice();
}

/** Groups items by key. Keeps their order. Same as `Map.groupBy`, which requires Node 21. */
export function groupBy<Key, Item>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const lists = new Map<Key, Item[]>();
  for (const item of items) append(lists, keyOf(item), item);
  return lists;
}

/** Adds an item to the list of a key. Creates the list if necessary. */
export function append<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

/** Adds an item to the set of a key. Creates the set if necessary. */
export function add<Key, Item>(sets: Map<Key, Set<Item>>, key: Key, item: Item): void {
  const set = sets.get(key);
  if (set) set.add(item);
  else sets.set(key, new Set([item]));
}

/**
 * Binary search. Returns the first index for which `isBefore` returns false, or `length` if there is none.
 *
 * @param length    number of indexes
 * @param isBefore  must return true for all indexes below some index, and false for all others
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
