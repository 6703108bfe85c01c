/**
 * The outline of the last report as the tree shows it: without what a filter hides, in the order that a person chose. It is
 * made when it is asked for, once for each report: a view that nobody sees costs nothing.
 */
import type { Group } from '../../engine/report/report.ts';
import { type OutlineRow, outlineOf, type Section, type SectionName } from '../../wording/outline.ts';
import type { FindingsModel } from '../findings/findings.ts';
import type { Snapshot } from '../findings/snapshot.ts';
import { compareRows, leastAlikeFirst, type Order } from './order.ts';
import { idOf, type Row, rowOf } from './rows.ts';

/** Tells whether a group is to be seen; undefined: all are. */
export type GroupFilter = ((group: Group) => boolean) | undefined;

/** A row of the outline, and the row that it stands in. */
interface Place {
  readonly row: OutlineRow;
  readonly parent: Row;
}

export class ShownRows {
  readonly #findings: FindingsModel;
  #order: Order = 'worth';
  #filter: GroupFilter;
  #made: Snapshot | undefined;
  #sections: readonly Section[] = [];
  #all = 0;
  /** By the ids of rows; undefined until it is asked for. */
  #places: ReadonlyMap<string, Place> | undefined;
  /** Lists of rows in the order that was chosen. */
  #sorted = new WeakMap<readonly OutlineRow[], readonly OutlineRow[]>();

  constructor(findings: FindingsModel) {
    this.#findings = findings;
  }

  get order(): Order {
    return this.#order;
  }

  sortBy(order: Order): void {
    this.#order = order;
    this.#sorted = new WeakMap();
  }

  /** Hides the groups that a filter does not let through. To be called again when it comes to let others through. */
  filterBy(filter: GroupFilter): void {
    this.#filter = filter;
    this.#made = undefined;
  }

  /** Those that have rows. */
  sections(): readonly Section[] {
    this.#make();
    return this.#sections;
  }

  /** How many duplicates the sections have, and how many they would have without the filter. */
  counts(): { readonly shown: number; readonly all: number } {
    return { shown: countOf(this.sections()), all: this.#all };
  }

  /** How many duplicates a section has. */
  countIn(section: SectionName): number {
    return countOf(this.sections().filter(({ name }) => name === section));
  }

  /** The rows that are shown in a row, in order, but for copies. */
  rowsIn(row: Row): readonly OutlineRow[] {
    if (row.type === 'section') {
      return this.#inOrder(this.sections().find(({ name }) => name === row.name)?.rows ?? []);
    }
    const place = this.#placeOf(row.type === 'inner' ? { type: 'group', group: row.group } : row);
    if (place === undefined) return [];
    return this.#inOrder(place.row.rows, place.row.type === 'folders' ? leastAlikeFirst : undefined);
  }

  /** Undefined of a row that is not shown, or that is in no other one. */
  parentOf(row: Row): Row | undefined {
    switch (row.type) {
      case 'copy':
      case 'inner':
        return { type: 'group', group: row.group };
      case 'group':
      case 'files':
      case 'folders':
        return this.#placeOf(row)?.parent;
      case 'remedy':
      case 'section':
      case 'more':
        return undefined;
    }
  }

  #placeOf(row: Row): Place | undefined {
    this.#make();
    if (this.#places === undefined) {
      const places = new Map<string, Place>();
      for (const { name, rows } of this.#sections) addPlaces(places, rows, { type: 'section', name });
      this.#places = places;
    }
    return this.#places.get(idOf(row));
  }

  #make(): void {
    const { snapshot } = this.#findings;
    if (snapshot === this.#made) return;
    this.#made = snapshot;
    this.#places = undefined;
    const sections = snapshot ? outlineOf({ ...snapshot.findings, groups: snapshot.all }) : [];
    this.#all = countOf(sections);
    const filter = this.#filter;
    this.#sections =
      filter === undefined
        ? sections
        : sections
            .map(({ name, rows }) => ({ name, rows: filtered(rows, filter) }))
            .filter(({ rows }) => rows.length > 0);
  }

  /** @param byItself  the order of a list that comes in none by worth */
  #inOrder(
    rows: readonly OutlineRow[],
    byItself?: (rows: readonly OutlineRow[]) => OutlineRow[],
  ): readonly OutlineRow[] {
    const known = this.#sorted.get(rows);
    if (known) return known;
    const sorted =
      this.#order !== 'worth' ? [...rows].sort(compareRows[this.#order]) : byItself ? byItself(rows) : rows;
    this.#sorted.set(rows, sorted);
    return sorted;
  }
}

/** As totals count them: several groups in one pair of files or in folders are as many, those in another one are none. */
function countOf(sections: readonly Section[]): number {
  const count = (row: OutlineRow): number =>
    row.type === 'group' ? 1 : row.rows.reduce((sum, inner) => sum + count(inner), 0);
  return sections.reduce((sum, { rows }) => sum + rows.reduce((ofRows, row) => ofRows + count(row), 0), 0);
}

/** A group that is let through has all that is shown in it; others stay for what they have of it. */
function filtered(rows: readonly OutlineRow[], filter: (group: Group) => boolean): OutlineRow[] {
  return rows.flatMap((row): OutlineRow[] => {
    if (row.type === 'group' && filter(row.group)) return [row];
    const inner = filtered(row.rows, filter);
    return inner.length > 0 ? [{ ...row, rows: inner }] : [];
  });
}

function addPlaces(places: Map<string, Place>, rows: readonly OutlineRow[], parent: Row): void {
  for (const row of rows) {
    const own = rowOf(row);
    places.set(idOf(own), { row, parent });
    addPlaces(places, row.rows, row.type === 'group' ? { type: 'inner', group: row.group } : own);
  }
}
