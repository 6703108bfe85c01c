/**
 * Arranges groups in rows, so that no text is in two rows. Groups are processed in descending order of worth. If a
 * group overlaps existing rows by more than `maxShared`, it is shown inside the row that contains most of it;
 * otherwise it becomes a row. Groups connected by matches are a family and share one row. So more copies of a text may
 * lead to more groups, but not to more rows. If all passages of a row lie in the files of one group of similar files,
 * the row is shown inside that group.
 *
 * The row of a group depends only on groups of greater worth that overlap it or belong to its family. So after a
 * change, a queue places only the new groups, and the groups of less worth that added or removed rows affect.
 */
import { append, converted } from '../../collections/lists.ts';
import { SetMultimap } from '../../collections/setMultimap.ts';
import { insertItems, isSameList, placeIn, placesIn, removePlaces } from '../../collections/sortedList.ts';
import type { Group, Passage } from '../report/report.ts';
import { LineIndex } from './lineIndex.ts';
import { byWorth, comparePlaced } from './rowOrder.ts';
import { overlap } from '../../collections/textPositions.ts';
import { Pace } from '../steps.ts';

/** A group. This object stays the same as long as the group does not change. */
export interface Entry {
  readonly group: Group;
  /** The group as shown to users, with its public id and parent. */
  shown: Group;
  /** Number of the family: groups connected by matches have the same number; `undefined` for a single one. */
  family?: number | undefined;
}

/** Maximum share of a group's lines in rows of greater worth. Above it, the group does not get its own row. */
const maxShared = 0.1;

/** A passage whose lines count as lines of a row. It belongs to the row itself or to a group of its family. */
interface Lines {
  readonly row: Entry;
  readonly entry: Entry;
  readonly passage: Passage;
}

/** The groups inside which a group is shown, outermost first, followed by the group itself. */
export type Placement = readonly Entry[];

/** A group whose position has changed. `before` is `undefined` if the group is new, and `after` if it was removed. */
export interface MovedGroup {
  readonly entry: Entry;
  readonly before: Placement | undefined;
  readonly after: Placement | undefined;
}

export interface OrderedRows {
  /** All groups. Each row comes before the groups inside it. The list is valid until the next call of `order`. */
  readonly ordered: readonly Entry[];
  readonly moved: readonly MovedGroup[];
  /** Difference from the previous order, or `undefined` if too much has changed for a difference to be useful. */
  readonly change: OrderChange | undefined;
  /** Compares two groups by their position. */
  readonly compare: (x: Entry, y: Entry) => number;
  /** Returns the group whose row contains a group, or `undefined` if the group has a row of its own. */
  readonly parentOf: (entry: Entry) => Entry | undefined;
  /** Returns the groups that are shown inside a group, at any depth. */
  readonly innerOf: (entry: Entry) => Iterable<Entry>;
}

/** Difference between two orders of groups. Both lists of indexes are ascending. */
export interface OrderChange {
  /** Indexes of the removed groups in the previous order. */
  readonly removed: readonly number[];
  /** For each added group, the index at which to insert it in the previous order without the removed groups. */
  readonly places: readonly number[];
  readonly added: readonly Entry[];
}

export class Rows {
  /** Groups of passages (`#all`), and passages of rows (`#rows`), by their lines. */
  readonly #all = new LineIndex<Entry>();
  #count = 0;
  readonly #rows = new LineIndex<Lines>();
  /** For each group of passages, the row in which it is shown. For a row, this is the row itself. */
  readonly #rowOf = new Map<Entry, Entry>();
  /** For each row, the groups that are shown inside it. */
  readonly #inRow = new SetMultimap<Entry, Entry>();
  /** Groups whose lines count as lines of a row, with these lines: the rows, and other groups of their families. */
  readonly #owners = new Map<Entry, readonly Lines[]>();
  /** The groups of each family, the family of each group, and the group of greatest worth of each family. */
  readonly #families = new SetMultimap<number, Entry>();
  readonly #familyOf = new Map<Entry, number>();
  readonly #bestOf = new Map<number, Entry>();
  /** Groups of whole files, by the paths of their files. */
  readonly #files = new SetMultimap<string, Entry>();
  readonly #placed = new Map<Entry, Placement>();
  #ordered: Entry[] = [];
  /** Groups whose position must be computed again, and removed groups. */
  readonly #unplaced = new Set<Entry>();
  readonly #removed = new Set<Entry>();
  readonly #pace = new Pace();

  /**
   * Replaces groups of passages. Runs in steps of a few milliseconds; the caller must run the generator to completion
   * before calling any other method.
   *
   * @param regathered  unchanged groups whose family may have changed. Groups that this object does not contain are
   *   ignored
   */
  *replaceSteps(
    removed: readonly Entry[],
    added: readonly Entry[],
    regathered: readonly Entry[] = [],
  ): Generator<void, void> {
    const pace = this.#pace;
    const removedOwners: Entry[] = [];
    for (const entry of removed) {
      for (const passage of entry.group.passages) this.#all.delete(passage, entry);
      if (this.#owners.has(entry)) removedOwners.push(entry);
      this.#leave(entry);
      this.#rowOf.delete(entry);
      this.#unplaced.delete(entry);
      this.#removed.add(entry);
      if (pace.endsStep(entry.group.passages.length)) yield;
    }
    this.#count += added.length - removed.length;
    for (const entry of added) {
      for (const passage of entry.group.passages) this.#all.add(passage, entry);
      this.#removed.delete(entry);
      if (pace.endsStep(entry.group.passages.length)) yield;
    }
    const relatives = this.#changeFamilies(removed, added, regathered);
    if (pace.endsStep(relatives.length)) yield;
    const queue = new Queue([...added, ...relatives]);
    for (const entry of removedOwners) this.#queueOverlapped(entry, queue);
    for (let entry = queue.next(); entry !== undefined; entry = queue.next()) {
      this.#updateRow(entry, queue);
      if (pace.endsStep(2 + entry.group.passages.length)) yield;
    }
  }

  /** Determines the row of a group. If the row has changed, adds the affected groups to the queue. */
  #updateRow(entry: Entry, queue: Queue): void {
    const before = this.#rowOf.get(entry);
    const wasOwner = this.#owners.has(entry);
    const best = this.#bestRelative(entry);
    // Remove the group from its row first, so that it does not overlap itself.
    if (before) this.#leave(entry);
    const row = best === entry ? (this.#rowFor(entry) ?? entry) : this.#rowOf.get(best)!;
    this.#enter(entry, row);
    const isOwner = this.#owners.has(entry);
    if (row === before && isOwner === wasOwner) return;
    this.#unplaced.add(entry);
    if (isOwner || wasOwner) this.#queueOverlapped(entry, queue);
    if (best === entry) for (const other of this.#relativesOf(entry)) if (other !== entry) queue.add(other);
  }

  /** Returns the group of greatest worth in a group's family, or the group itself if it has no family. */
  #bestRelative(entry: Entry): Entry {
    const family = this.#familyOf.get(entry);
    return (family === undefined ? undefined : this.#bestOf.get(family)) ?? entry;
  }

  #relativesOf(entry: Entry): Iterable<Entry> {
    const family = this.#familyOf.get(entry);
    return family === undefined ? [] : this.#families.get(family);
  }

  /** Updates the families of groups. Returns the existing groups for which `#bestRelative` has changed. */
  #changeFamilies(removed: readonly Entry[], added: readonly Entry[], regathered: readonly Entry[]): Entry[] {
    const isNew = new Set(added);
    const staying = regathered.filter((entry) => !isNew.has(entry) && this.#rowOf.has(entry));
    const moving = staying.filter((entry) => this.#familyOf.get(entry) !== entry.family);
    const before = new Map<Entry, Entry>();
    for (const entry of moving) before.set(entry, this.#bestRelative(entry));
    const changed = new Set<number>();
    const change = (family: number): void => {
      if (changed.has(family)) return;
      changed.add(family);
      for (const entry of this.#families.get(family)) before.set(entry, this.#bestRelative(entry));
    };
    for (const entry of [...removed, ...moving]) {
      const family = this.#familyOf.get(entry);
      if (family !== undefined) change(family);
    }
    for (const { family } of [...added, ...moving]) if (family !== undefined) change(family);
    for (const entry of [...removed, ...moving]) {
      const family = this.#familyOf.get(entry);
      if (family === undefined) continue;
      this.#families.delete(family, entry);
      this.#familyOf.delete(entry);
    }
    for (const entry of [...added, ...moving]) {
      if (entry.family === undefined) continue;
      this.#families.add(entry.family, entry);
      this.#familyOf.set(entry, entry.family);
    }
    for (const family of changed) {
      this.#bestOf.delete(family);
      if (this.#families.count(family) < 2) continue;
      this.#bestOf.set(
        family,
        [...this.#families.get(family)].reduce((x, y) => (byWorth(y.group, x.group) < 0 ? y : x)),
      );
    }
    for (const entry of removed) before.delete(entry);
    return [...before.keys()].filter((entry) => this.#bestRelative(entry) !== before.get(entry));
  }

  /** Returns all groups in order, and the groups whose position has changed since the last call. */
  order(): OrderedRows {
    const moved: MovedGroup[] = [];
    for (const entry of this.#removed) {
      const before = this.#placed.get(entry);
      if (before) moved.push({ entry, before, after: undefined });
    }
    for (const entry of this.#unplaced) {
      const after = this.#placementOf(entry);
      const before = this.#placed.get(entry);
      if (before === undefined || !isSameList(before, after)) moved.push({ entry, before, after });
    }
    this.#removed.clear();
    this.#unplaced.clear();
    const change = this.#reorder(moved);
    return {
      ordered: this.#ordered,
      moved,
      change,
      compare: this.#compare,
      parentOf: this.#parentOf,
      innerOf: this.#innerOf,
    };
  }

  readonly #compare = (x: Entry, y: Entry): number => comparePlaced(this.#placed.get(x)!, this.#placed.get(y)!);

  readonly #parentOf = (entry: Entry): Entry | undefined => this.#placed.get(entry)!.at(-2);

  readonly #innerOf = (entry: Entry): Entry[] => {
    const first = placeIn(this.#ordered, entry, this.#compare) + 1;
    let end = first;
    while (end < this.#ordered.length && this.#placed.get(this.#ordered[end])!.includes(entry)) end++;
    return this.#ordered.slice(first, end);
  };

  #reorder(moved: readonly MovedGroup[]): OrderChange | undefined {
    const compare = this.#compare;
    const taken = moved.filter(({ before }) => before).map(({ entry }) => entry);
    const isLittle = 16 * moved.length < this.#ordered.length;
    // Find the indexes before storing the new positions. The list still has the previous order.
    const removed = isLittle ? placesIn(this.#ordered, taken, compare) : [];
    const added: Entry[] = [];
    for (const { entry, after } of moved) {
      if (after) {
        this.#placed.set(entry, after);
        added.push(entry);
      } else this.#placed.delete(entry);
    }
    if (!isLittle) {
      const all = new Set(taken);
      this.#ordered = this.#inOrder([...this.#ordered.filter((entry) => !all.has(entry)), ...added]);
      return undefined;
    }
    removePlaces(this.#ordered, removed);
    const places = placesIn(this.#ordered, added.sort(compare), compare);
    insertItems(this.#ordered, places, added);
    return { removed, places, added };
  }

  /** Sorts many groups. Sorts the groups of each parent separately, which takes fewer comparisons. */
  #inOrder(entries: Entry[]): Entry[] {
    const rows: Entry[] = [];
    const inside = new Map<Entry, Entry[]>();
    for (const entry of entries.sort((x, y) => byWorth(x.group, y.group))) {
      const parent = this.#parentOf(entry);
      if (parent) append(inside, parent, entry);
      else rows.push(entry);
    }
    const withInner = (entry: Entry): Entry[] => [entry, ...(inside.get(entry) ?? []).flatMap(withInner)];
    return rows.flatMap(withInner);
  }

  #placementOf(entry: Entry): Placement {
    if (entry.group.kind === 'file') return [entry];
    const row = this.#rowOf.get(entry)!;
    const files = this.#filesAround(row);
    const inRow = row === entry ? [entry] : [row, entry];
    return files ? [files, ...inRow] : inRow;
  }

  /** Returns the group of whole files with the greatest worth that contains all files of a row. */
  #filesAround({ group: { passages } }: Entry): Entry | undefined {
    const [{ path: first }] = passages;
    if (this.#files.count(first) === 0) return undefined;
    const paths = new Set(passages.map(({ path }) => path));
    if (paths.size < 2) return undefined;
    let best: Entry | undefined;
    for (const files of this.#files.get(first)) {
      if (best && byWorth(files.group, best.group) >= 0) continue;
      if (files.group.passages.length >= paths.size && hasAll(files, paths)) best = files;
    }
    return best;
  }

  replaceFiles(removed: Iterable<Entry>, added: Iterable<Entry>): void {
    for (const entry of removed) {
      for (const { path } of entry.group.passages) this.#files.delete(path, entry);
      this.#unplaceIn(entry);
      this.#unplaced.delete(entry);
      this.#removed.add(entry);
    }
    for (const entry of added) {
      for (const { path } of entry.group.passages) this.#files.add(path, entry);
      this.#unplaced.add(entry);
      this.#unplaceIn(entry);
    }
  }

  /**
   * Marks all rows in the files of a group, and the groups inside these rows. The positions of marked groups will be
   * computed again.
   */
  #unplaceIn({ group }: Entry): void {
    // Before the first call of `order`, all groups are marked anyway.
    if (this.#placed.size === 0) return;
    for (const { path } of group.passages) {
      for (const lines of this.#rows.inFile(path)) {
        for (const { row } of lines) {
          this.#unplaced.add(row);
          for (const inner of this.#inRow.get(row)) this.#unplaced.add(inner);
        }
      }
    }
  }

  /** Adds to the queue all groups that overlap the given group and have less worth. */
  #queueOverlapped(entry: Entry, queue: Queue): void {
    if (queue.size === this.#count) return;
    for (const passage of entry.group.passages) {
      for (const { items } of this.#all.near(passage)) {
        for (const other of items) if (byWorth(entry.group, other.group) < 0) queue.add(other);
      }
    }
  }

  #enter(entry: Entry, row: Entry): void {
    this.#rowOf.set(entry, row);
    if (row !== entry) this.#inRow.add(row, entry);
    if (row !== this.#bestRelative(entry)) return;
    const lines = entry.group.passages.map((passage) => ({ row, entry, passage }));
    this.#owners.set(entry, lines);
    for (const one of lines) this.#rows.add(one.passage, one);
  }

  #leave(entry: Entry): void {
    const row = this.#rowOf.get(entry);
    if (row === undefined) return;
    if (row !== entry) this.#inRow.delete(row, entry);
    for (const lines of this.#owners.get(entry) ?? []) this.#rows.delete(lines.passage, lines);
    this.#owners.delete(entry);
  }

  /**
   * Returns the row that contains most of a group, if rows of greater worth contain more than `maxShared` of its
   * lines. Otherwise returns `undefined`; the group can then have its own row.
   */
  #rowFor({ group }: Entry): Entry | undefined {
    const shared = new Map<Entry, number>();
    let [lines, taken] = [0, 0];
    for (const passage of group.passages) {
      lines += passage.endLine - passage.startLine + 1;
      for (const { from, to, items } of this.#rows.near(passage)) {
        const over = [...items].filter(
          ({ entry, passage: other }) =>
            other.startLine < to &&
            other.endLine >= from &&
            overlap(other, passage) &&
            byWorth(entry.group, group) <= 0,
        );
        if (over.length > 0) taken += share(over, from, to, shared);
      }
    }
    if (taken <= maxShared * lines) return undefined;
    let best: Entry | undefined;
    for (const [entry, count] of shared) {
      const more = best === undefined ? 1 : count - shared.get(best)!;
      if (more > 0 || (more === 0 && byWorth(entry.group, best!.group) < 0)) best = entry;
    }
    return best;
  }
}

/**
 * Adds to `shared`, for each row, the number of its lines in the range [from, to). Precondition: all items of `over`
 * overlap the range.
 *
 * @returns number of lines of the range that are in at least one item of `over`
 */
function share(over: readonly Lines[], from: number, to: number, shared: Map<Entry, number>): number {
  const stretches = converted(over, ({ passage: { startLine, endLine } }): Stretch => {
    return [Math.max(from, startLine), Math.min(to, endLine + 1)];
  });
  if (over.every(({ row }) => row === over[0].row)) {
    const taken = lengthOfUnion(stretches);
    shared.set(over[0].row, (shared.get(over[0].row) ?? 0) + taken);
    return taken;
  }
  // Lines of a row may overlap those of other groups of its family, so count their union.
  const byRow = new Map<Entry, Stretch[]>();
  for (const [i, { row }] of over.entries()) append(byRow, row, stretches[i]);
  for (const [row, ofRow] of byRow) shared.set(row, (shared.get(row) ?? 0) + lengthOfUnion(ofRow));
  return lengthOfUnion(stretches);
}

/** A queue of distinct groups in descending order of worth. Groups added meanwhile must be worth less. */
class Queue {
  readonly #seen: Set<Entry>;
  readonly #waiting: Entry[];
  /** Waiting groups that were added one by one, in ascending order of worth: the next group is the last item. */
  readonly #late: Entry[] = [];
  #taken = 0;

  constructor(entries: readonly Entry[]) {
    this.#seen = new Set(entries);
    this.#waiting = [...entries].sort((x, y) => byWorth(x.group, y.group));
  }

  /** Number of groups that have been added, including groups that have already left the queue. */
  get size(): number {
    return this.#seen.size;
  }

  add(entry: Entry): void {
    if (this.#seen.has(entry)) return;
    this.#seen.add(entry);
    this.#late.splice(
      placeIn(this.#late, entry, (x, y) => byWorth(y.group, x.group)),
      0,
      entry,
    );
  }

  next(): Entry | undefined {
    const [waiting, late] = [this.#waiting[this.#taken], this.#late.at(-1)] as (Entry | undefined)[];
    if (late && (!waiting || byWorth(late.group, waiting.group) < 0)) return this.#late.pop();
    this.#taken++;
    return waiting;
  }
}

function hasAll({ group }: Entry, paths: ReadonlySet<string>): boolean {
  let left = paths.size;
  for (const { path } of group.passages) if (paths.has(path)) left--;
  return left === 0;
}

/** Lines [from, to). */
type Stretch = readonly [from: number, to: number];

/** Returns the number of lines in the union of ranges. Sorts the array. */
function lengthOfUnion(stretches: Stretch[]): number {
  let [length, covered] = [0, -1];
  for (const [from, to] of stretches.sort(([x], [y]) => x - y)) {
    length += Math.max(0, to - Math.max(covered, from));
    covered = Math.max(covered, to);
  }
  return length;
}
