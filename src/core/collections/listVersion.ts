/**
 * A long list of which every version stays readable (Baker 1991). Only versions that somebody has read, and the newest
 * one, have an array. Any other version is stored as its difference from the next.
 */
import type { ListDifference } from './listDifference.ts';
import { insertItems, removePlaces } from './sortedList.ts';

/** Items that replace others. Both lists of indexes are ascending. */
export interface ListStep<Item> {
  /** Indexes of the removed items in the earlier list. */
  readonly removed: readonly number[];
  /** The added items, and their indexes in the later list. */
  readonly added: readonly number[];
  readonly items: readonly Item[];
}

/** Difference from an earlier list, with the items that only that one contains. */
export interface ListChange<Item> extends ListDifference<Item> {
  readonly removed: readonly Item[];
}

/** A step to a version, and what is needed to undo it. */
interface Undoable<Item> extends ListStep<Item> {
  /** Key of the earlier version. Not the version itself, whose array would stay in memory. */
  readonly from: object;
  readonly lengthBefore: number;
  readonly removedItems: readonly Item[];
}

export class ListVersion<Item> {
  readonly length: number;
  readonly #key = {};
  readonly #step: Undoable<Item> | undefined;
  /** `undefined` if the next version has taken the array, and this one has not been read since. */
  #items: Item[] | undefined;
  /** True if a reader has the array, so that it must not change. */
  #isRead = false;
  /** The next version, as long as this one has no array. */
  #next: ListVersion<Item> | undefined;

  /** @param items  belongs to this object from now on */
  constructor(items: Item[], step?: Undoable<Item>) {
    this.length = items.length;
    this.#items = items;
    this.#step = step;
  }

  /** Returns the items. If there is a newer version, and this one is read for the first time, copies the list. */
  read(): readonly Item[] {
    this.#items ??= this.#restored();
    this.#isRead = true;
    this.#next = undefined;
    return this.#items;
  }

  #restored(): Item[] {
    const steps: Undoable<Item>[] = [];
    let later = this.#next!;
    steps.push(later.#step!);
    while (later.#items === undefined) {
      later = later.#next!;
      steps.push(later.#step!);
    }
    const items = later.#items.slice();
    for (const { added, removed, removedItems } of steps.reverse()) {
      removePlaces(items, added);
      insertItems(items, betweenLeft(removed), removedItems);
    }
    return items;
  }

  /** Returns the next version. Precondition: this is the newest one. */
  next({ removed, added, items }: ListStep<Item>): ListVersion<Item> {
    const list = this.#isRead ? this.#items!.slice() : this.#items!;
    const removedItems = removed.map((place) => list[place]);
    const step = { from: this.#key, lengthBefore: this.length, removed, removedItems, added, items };
    removePlaces(list, removed);
    insertItems(list, betweenLeft(added), items);
    const next = new ListVersion(list, step);
    if (!this.#isRead) {
      this.#items = undefined;
      this.#next = next;
    }
    return next;
  }

  /** Returns the difference from this version, or from the one before it; `undefined` for any other. */
  changeFrom(before: ListVersion<Item>): ListChange<Item> | undefined {
    if (before === this) return { stretches: [0, 0, this.length], added: [], removed: [] };
    if (this.#step === undefined || this.#step.from !== before.#key) return undefined;
    const { removed, added, items, lengthBefore, removedItems } = this.#step;
    const stretches: number[] = [];
    let [from, at, removals, additions] = [0, 0, 0, 0];
    while (at < this.length) {
      for (; removed[removals] === from; removals++) from++;
      const first = at;
      for (; added[additions] === at; additions++) at++;
      const same = Math.min((removed[removals] ?? lengthBefore) - from, (added[additions] ?? this.length) - at);
      stretches.push(at - first, from, from + same);
      from += same;
      at += same;
    }
    return { stretches, added: items, removed: removedItems };
  }
}

/** Converts indexes of items in a list to those in the list without these items. */
function betweenLeft(places: readonly number[]): number[] {
  return places.map((place, i) => place - i);
}
