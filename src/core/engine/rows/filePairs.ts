/** Finds pairs of files that share several rows only with each other. Each pair is shown as one row. */
import { SetMultimap } from '../../collections/setMultimap.ts';
import { replaceItems } from '../../collections/sortedList.ts';
import { type FilePair, type Group } from '../report/report.ts';
import { categories } from './category.ts';
import { compareText } from './rowOrder.ts';
import type { Entry, MovedGroup, OrderedRows, Placement } from './rows.ts';
import { shareOf } from './shares.ts';

export class FilePairs {
  readonly #linesOf: (path: string) => number;
  /** Rows with passages in exactly two files. The key is made of the two paths. */
  readonly #rows = new SetMultimap<string, Entry>();
  /** Keys of file pairs whose rows have changed since the last call of `list`. */
  readonly #changed = new Set<string>();
  /** Pairs that the last call of `list` returned, by key. The object of an unchanged pair is reused. */
  readonly #listed = new Map<string, FilePair>();
  #list: readonly FilePair[] = [];

  /** @param linesOf  returns the number of lines of a file */
  constructor(linesOf: (path: string) => number) {
    this.#linesOf = linesOf;
  }

  update(moved: readonly MovedGroup[]): void {
    for (const { entry, before, after } of moved) {
      const [was, is] = [isOwnRow(before), isOwnRow(after)];
      const key = was || is ? keyOf(entry.group) : undefined;
      if (key === undefined) continue;
      this.#changed.add(key);
      if (was) this.#rows.delete(key, entry);
      if (is) this.#rows.add(key, entry);
    }
  }

  /**
   * Returns the pairs. If nothing has changed, returns the previous list.
   *
   * @param renamed  rows whose id has changed although their position has not
   */
  list({ compare }: OrderedRows, renamed: readonly Entry[]): readonly FilePair[] {
    for (const entry of renamed) {
      const key = keyOf(entry.group);
      if (key !== undefined && this.#rows.has(key, entry)) this.#changed.add(key);
    }
    const removed: FilePair[] = [];
    const added: FilePair[] = [];
    for (const key of this.#changed) {
      const before = this.#listed.get(key);
      if (before) removed.push(before);
      if (this.#rows.count(key) > 1) {
        const pair = this.#pairOf(key, [...this.#rows.get(key)].sort(compare));
        this.#listed.set(key, pair);
        added.push(pair);
      } else this.#listed.delete(key);
    }
    this.#changed.clear();
    if (removed.length + added.length > 0) this.#list = replaceItems(this.#list, removed, added, comparePairs);
    return this.#list;
  }

  #pairOf(key: string, rows: readonly Entry[]): FilePair {
    const paths = key.split('\0') as [string, string];
    const lines = [0, 0];
    for (const { path, startLine, endLine } of rows.flatMap(({ group }) => group.passages)) {
      lines[path === paths[0] ? 0 : 1] += endLine - startLine + 1;
    }
    const totals = paths.map((path) => this.#linesOf(path));
    // Rows may overlap, so the sum of their lines may exceed the lines of the file.
    const [ofFirst, ofSecond] = lines.map((count, i) => Math.min(count, totals[i]));
    return {
      paths,
      groups: rows.map(({ shown }) => shown.id),
      lines: [ofFirst, ofSecond],
      shares: [shareOf(ofFirst, totals[0]), shareOf(ofSecond, totals[1])],
      category: categories[Math.min(...rows.map(({ group }) => categories.indexOf(group.category)))],
      worth: rows.reduce((sum, { group }) => sum + group.worth, 0),
    };
  }
}

function comparePairs(x: FilePair, y: FilePair): number {
  return y.worth - x.worth || compareText(x.paths[0], y.paths[0]) || compareText(x.paths[1], y.paths[1]);
}

function isOwnRow(placement: Placement | undefined): boolean {
  return placement?.length === 1;
}

/** Returns a key for the two files of a group of passages; `undefined` if it has one, or more than two. */
function keyOf({ kind, passages }: Group): string | undefined {
  if (kind === 'file') return undefined;
  const [first, last] = [passages[0].path, passages.at(-1)!.path];
  if (first === last || passages.some(({ path }) => path !== first && path !== last)) return undefined;
  return `${first}\0${last}`;
}
