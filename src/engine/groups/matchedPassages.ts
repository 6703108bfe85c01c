/**
 * Passages: the ends of matches, where those that overlap strongly are one. Those of a document depend on the matches that end
 * in it and on nothing else; the best matches say where passages begin and end.
 */
import { a0Word, a1Word, b0Word, b1Word, docAWord, docBWord, scoreWord } from '../../kernel/matches/matchLayout.ts';
import { grown } from '../grown.ts';
import { found, MatchTable, ordinalWord, rowWords } from './matchTable.ts';
import { NearPassages } from './nearPassages.ts';
import { Pace } from '../steps.ts';

/** What is different from before. */
export interface MatchChanges {
  /** Documents whose text is another one or that are gone: all matches that ended in them are void. */
  readonly renewed: ReadonlySet<number>;
  /** Whether all matches between two documents are void as well. */
  readonly isVoid: (x: number, y: number) => boolean;
  /** The documents that `isVoid` is about. */
  readonly touched: ReadonlySet<number>;
  /** In the place of those, in any order, the records of matches (matches.ts). The documents of each are in order. */
  readonly records: Uint32Array;
  /** Where the records begin that count. */
  readonly places: readonly number[];
}

/** Matches that come to what there is. */
export function recordsOnly(records: Uint32Array, places: readonly number[]): MatchChanges {
  return { renewed: new Set(), touched: new Set(), isVoid: () => false, records, places };
}

/** What ends in a document, the best first, and the passages that makes, in this order. */
interface Ends {
  rows: number[];
  passages: number[];
}

/** What an update does away with. It is given back at the end: until then nothing else may have its number. */
interface Leavings {
  /** Rows that are void. */
  readonly rows: Set<number>;
  /** Rows that are no longer in the lists of the passages that they ended in. */
  readonly moved: Set<number>;
  readonly passages: Set<number>;
  /** Passages that have void or moved rows in their lists. */
  readonly loose: Set<number>;
}

export class MatchedPassages {
  readonly table = new MatchTable();
  /** Passages that have gained or lost a match, or are gone, since somebody emptied it. */
  readonly touched = new PassageSet();
  /** By passage the matches of which both ends are that passage, since they overlap strongly. */
  readonly within = new Map<number, Set<number>>();
  readonly #rankOf: (document: number) => number;
  readonly #samePassage: (document: number) => number;
  readonly #ends = new Map<number, Ends>();
  readonly #near = new NearPassages(this.table);
  #leavings = noLeavings();

  /**
   * @param rankOf       the documents' order; it may change, but not of two documents that stay
   * @param samePassage  see `Texts`
   */
  constructor(rankOf: (document: number) => number, samePassage: (document: number) => number) {
    this.#rankOf = rankOf;
    this.#samePassage = samePassage;
  }

  /** Passages that the last update did away with. */
  get gone(): ReadonlySet<number> {
    return this.#leavings.passages;
  }

  /** Lets others have the numbers of rows and passages that the last update did away with. */
  giveBack(): void {
    for (const row of this.#leavings.rows) this.table.giveRow(row);
    for (const passage of this.#leavings.passages) this.table.givePassage(passage);
    this.#leavings = noLeavings();
  }

  /** Takes changes in, in steps of some milliseconds, to be taken to the end; then what is gone is to be given back. */
  *updateSteps({ renewed, isVoid, touched, records, places }: MatchChanges): Generator<void, void> {
    const pace = new Pace();
    const { table } = this;
    const leavings = this.#leavings;
    const documents = new Set<number>();
    const drop = (document: number, isDropped: (x: number, y: number) => boolean): void => {
      for (const row of this.#ends.get(document)?.rows ?? []) {
        const [docA, docB] = [table.words[rowWords * row + docAWord], table.words[rowWords * row + docBWord]];
        if (leavings.rows.has(row) || !isDropped(docA, docB)) continue;
        this.#loosen(row);
        leavings.rows.add(row);
        documents.add(docA).add(docB);
      }
    };
    for (const document of renewed) drop(document, () => true);
    for (const document of touched) drop(document, isVoid);
    yield;
    for (const document of documents) {
      const ends = this.#ends.get(document)!;
      ends.rows = ends.rows.filter((row) => !leavings.rows.has(row));
    }
    table.reserve(places.length);
    const rows: number[] = [];
    for (const at of places) {
      const row = table.addRecord(records, at);
      rows.push(row);
      const [docA, docB] = [records[at], records[at + 1]];
      this.#append(docA, row);
      documents.add(docA);
      if (docB !== docA) this.#append(docB, row);
      documents.add(docB);
      if (pace.isDue(1)) yield;
    }
    for (const document of documents) {
      if (pace.isDue(4 * this.#ends.get(document)!.rows.length)) yield;
      this.#place(document, renewed.has(document));
    }
    const goes = (row: number): boolean => leavings.rows.has(row) || leavings.moved.has(row);
    for (const passage of leavings.loose) table.unlink(passage, goes);
    yield;
    for (const row of rows) {
      this.#link(row);
      if (pace.isDue(1)) yield;
    }
    for (const row of leavings.moved) if (!leavings.rows.has(row)) this.#link(row);
  }

  #append(document: number, row: number): void {
    const ends = this.#ends.get(document);
    if (ends) ends.rows.push(row);
    else this.#ends.set(document, { rows: [row], passages: [] });
  }

  /** Makes the passages of a document, and lets its matches end in them. */
  #place(document: number, isRenewed: boolean): void {
    const { table } = this;
    const ends = this.#ends.get(document)!;
    ends.rows.sort((x, y) => this.byScore(x, y));
    const old = new Map<number, number>();
    if (!isRenewed) for (const p of ends.passages) old.set(rangeKey(table.starts[p], table.ends[p]), p);
    const passages: number[] = [];
    this.#near.empty();
    // Of a document that is gone nobody can be asked, and no match ends in it.
    const samePassage = ends.rows.length > 0 ? this.#samePassage(document) : 1;
    const passageOf = (start: number, end: number): number => {
      const near = this.#near.find(start, end, samePassage);
      if (near >= 0) return near;
      const passage = old.get(rangeKey(start, end)) ?? table.addPassage(document, start, end);
      passages.push(passage);
      this.#near.add(passage);
      return passage;
    };
    for (const row of ends.rows) {
      const at = rowWords * row;
      if (table.words[at + docAWord] === document) {
        const left = passageOf(table.words[at + a0Word], table.words[at + a1Word]);
        if (table.left[row] !== left) {
          this.#move(row);
          table.left[row] = left;
        }
      }
      if (table.words[at + docBWord] === document) {
        const right = passageOf(table.words[at + b0Word], table.words[at + b1Word]);
        if (table.right[row] !== right) {
          this.#move(row);
          table.right[row] = right;
        }
      }
    }
    if (ends.passages.length > 0) {
      const kept = new Set(passages);
      for (const passage of ends.passages) if (!kept.has(passage)) this.#forget(passage);
    }
    ends.passages = passages;
    if (ends.rows.length === 0) this.#ends.delete(document);
  }

  #forget(passage: number): void {
    const { table } = this;
    const leavings = this.#leavings;
    leavings.passages.add(passage);
    this.touched.add(passage);
    // What was compared with it tells nothing any more.
    for (let half = table.first[passage]; half >= 0; half = table.next[half]) {
      if (table.kinds[half >> 1] === found) continue;
      leavings.rows.add(half >> 1);
      leavings.loose.add(table.otherEnd(half));
    }
  }

  /** A match ends in another passage than before, unless it has just come. */
  #move(row: number): void {
    if (this.table.left[row] < 0 || this.table.right[row] < 0 || this.#leavings.moved.has(row)) return;
    this.#leavings.moved.add(row);
    this.#loosen(row);
  }

  #loosen(row: number): void {
    const { loose } = this.#leavings;
    const [left, right] = [this.table.left[row], this.table.right[row]];
    if (left === right) {
      const rows = this.within.get(left);
      if (!rows?.delete(row)) return;
      if (rows.size === 0) this.within.delete(left);
      this.touched.add(left);
      return;
    }
    loose.add(left).add(right);
    this.touched.add(left);
    this.touched.add(right);
  }

  #link(row: number): void {
    const [left, right] = [this.table.left[row], this.table.right[row]];
    if (left === right) {
      const rows = this.within.get(left);
      if (rows) rows.add(row);
      else this.within.set(left, new Set([row]));
      this.touched.add(left);
      return;
    }
    this.table.link(row);
    this.touched.add(left);
    this.touched.add(right);
  }

  /** The order of two matches, the best first; always the same for the same matches. */
  byScore(rowX: number, rowY: number): number {
    const words = this.table.words;
    const [x, y] = [rowWords * rowX, rowWords * rowY];
    return (
      words[y + scoreWord] - words[x + scoreWord] ||
      this.byRank(words[x + docAWord], words[y + docAWord]) ||
      words[x + a0Word] - words[y + a0Word] ||
      this.byRank(words[x + docBWord], words[y + docBWord]) ||
      words[x + b0Word] - words[y + b0Word] ||
      words[x + a1Word] - words[y + a1Word] ||
      words[x + b1Word] - words[y + b1Word] ||
      // Of two alignments of the same runs the one that was found first: those of two documents come in one order.
      words[x + ordinalWord] - words[y + ordinalWord]
    );
  }

  /** The order of two documents. */
  byRank(x: number, y: number): number {
    return x === y ? 0 : this.#rankOf(x) - this.#rankOf(y);
  }
}

/** Passages, each once, in the order in which they came. */
export class PassageSet {
  #list: number[] = [];
  #isIn = new Uint8Array(0);

  get list(): readonly number[] {
    return this.#list;
  }

  add(passage: number): void {
    if (passage >= this.#isIn.length) this.#isIn = grown(this.#isIn, 2 * passage + 64);
    if (this.#isIn[passage] === 1) return;
    this.#isIn[passage] = 1;
    this.#list.push(passage);
  }

  /** Takes all passages out, and returns them. */
  empty(): readonly number[] {
    const list = this.#list;
    for (const passage of list) this.#isIn[passage] = 0;
    this.#list = [];
    return list;
  }
}

function noLeavings(): Leavings {
  return { rows: new Set(), moved: new Set(), passages: new Set(), loose: new Set() };
}

function rangeKey(start: number, end: number): number {
  return start * 0x400_0000 + end;
}
