/** Edits long sorted lists. Only the changed items are compared; the unchanged parts are copied as slices. */
import { firstPlace } from './lists.ts';

/** Returns the index of an item in a sorted list. If the list lacks it, returns the index at which to insert it. */
export function placeIn<Item>(list: readonly Item[], item: Item, compare: (x: Item, y: Item) => number): number {
  return firstPlace(list.length, (place) => compare(list[place], item) < 0);
}

/** Returns the ascending indexes of the given items in a sorted list. */
export function placesIn<Item>(
  list: readonly Item[],
  items: readonly Item[],
  compare: (x: Item, y: Item) => number,
): number[] {
  return items.map((item) => placeIn(list, item, compare)).sort((x, y) => x - y);
}

/** Returns a copy of the list without the items at `places`, which are ascending indexes. */
export function withoutPlaces<Item>(list: readonly Item[], places: readonly number[]): Item[] {
  return ([] as Item[]).concat(...stretchesBetween(list, places, 1));
}

/**
 * Returns a copy of the list with `items` inserted.
 *
 * @param places  for each item, the index in `list` to insert it at; ascending
 */
export function withItems<Item>(list: readonly Item[], places: readonly number[], items: readonly Item[]): Item[] {
  const stretches = stretchesBetween(list, places, 0);
  return ([] as Item[]).concat(
    ...stretches.flatMap((stretch, i) => (i < items.length ? [stretch, [items[i]]] : [stretch])),
  );
}

/**
 * Number of items up to which a list is changed in place. For each item, the rest of the list is moved, but the list is
 * not copied. In a list of 16,795 items, 20 changes take 51 microseconds, those of a copy 245. 100 take 1,146.
 */
const maxSplices = 32;

/** Like `withoutPlaces`, but may change the list itself. */
export function removePlaces<Item>(list: Item[], places: readonly number[]): Item[] {
  if (places.length > maxSplices) return withoutPlaces(list, places);
  for (let i = places.length - 1; i >= 0; i--) list.splice(places[i], 1);
  return list;
}

/** Like `withItems`, but may change the list itself. */
export function insertItems<Item>(list: Item[], places: readonly number[], items: readonly Item[]): Item[] {
  if (items.length > maxSplices) return withItems(list, places, items);
  for (const [i, item] of items.entries()) list.splice(places[i] + i, 0, item);
  return list;
}

/** Returns a copy of a sorted list in which some items were removed and others added. The copy is sorted, too. */
export function replaceItems<Item>(
  list: readonly Item[],
  removed: readonly Item[],
  added: readonly Item[],
  compare: (x: Item, y: Item) => number,
): Item[] {
  const left = withoutPlaces(list, placesIn(list, removed, compare));
  const sorted = [...added].sort(compare);
  return withItems(left, placesIn(left, sorted, compare), sorted);
}

/** Cuts a list at ascending indexes into slices. After each cut, skips `left` items. */
function stretchesBetween<Item>(list: readonly Item[], places: readonly number[], left: number): Item[][] {
  return [...places, list.length].map((place, i) => list.slice(i === 0 ? 0 : places[i - 1] + left, place));
}

/** Returns true if two lists contain the same items in the same order. */
export function isSameList(x: readonly unknown[], y: readonly unknown[]): boolean {
  return x.length === y.length && x.every((item, i) => item === y[i]);
}
