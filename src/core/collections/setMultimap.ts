/**
 * A map from keys to sets of items. Nearly all sets of a large report have a few items, for which a `Set` of JavaScript
 * takes four times as much memory as an array.
 */

/** Maximum number of items in an array. Longer sets are found by hash. */
const maxInArray = 8;

export class SetMultimap<Key, Item> {
  /** Arrays are never changed, so adding and removing items during an iteration is allowed. */
  readonly #sets = new Map<Key, readonly Item[] | Set<Item>>();

  /** Number of keys. */
  get size(): number {
    return this.#sets.size;
  }

  /** Returns the items of a key, in the order in which they were added. */
  get(key: Key): Iterable<Item> {
    return this.#sets.get(key) ?? [];
  }

  /** Returns the number of items of a key. */
  count(key: Key): number {
    const items = this.#sets.get(key);
    return items === undefined ? 0 : items instanceof Set ? items.size : items.length;
  }

  has(key: Key, item: Item): boolean {
    const items = this.#sets.get(key);
    return items instanceof Set ? items.has(item) : items !== undefined && items.includes(item);
  }

  /** Returns the sets of all keys. */
  values(): Iterable<Iterable<Item>> {
    return this.#sets.values();
  }

  add(key: Key, item: Item): void {
    const items = this.#sets.get(key);
    if (items === undefined) this.#sets.set(key, [item]);
    else if (items instanceof Set) items.add(item);
    else if (items.includes(item)) return;
    // `concat` returns an array without spare room.
    else this.#sets.set(key, items.length < maxInArray ? items.concat([item]) : new Set(items).add(item));
  }

  /** Removes an item. Removes the key if it has no other items. */
  delete(key: Key, item: Item): void {
    const items = this.#sets.get(key);
    if (items === undefined) return;
    if (items instanceof Set) {
      items.delete(item);
      if (items.size === 0) this.#sets.delete(key);
      return;
    }
    const rest = items.filter((other) => other !== item);
    if (rest.length === 0) this.#sets.delete(key);
    else this.#sets.set(key, rest);
  }
}
