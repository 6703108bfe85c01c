/**
 * Passages of documents. Each match has two sides, each of which is a passage; strongly overlapping sides are joined
 * into one passage. The passages of a document depend only on its own matches. The best matches determine where
 * passages begin and end.
 */
import {
  matchA0Word,
  matchA1Word,
  matchB0Word,
  matchB1Word,
  matchDocAWord,
  matchDocBWord,
  matchScoreWord,
} from '../../kernel/matches/matchRecordLayout.ts';
import { grown } from '../grown.ts';
import { found, MatchTable, ordinalWord, rowWords } from './matchTable.ts';
import { NearPassages } from './nearPassages.ts';
import { Pace } from '../steps.ts';

/** Changes of documents and matches since the last update. */
export interface MatchChanges {
  /** Documents that were removed or whose text has changed. All of their earlier matches are void. */
  readonly renewed: ReadonlySet<number>;
  /** Returns true if the earlier matches between two documents that are not in `renewed` are void. */
  readonly isVoid: (x: number, y: number) => boolean;
  /** Changed documents. `isVoid` returns true only if at least one of its arguments is one of them. */
  readonly touched: ReadonlySet<number>;
  /** Records of the new matches (matches.ts), in any order. The first document of each record has the lower rank. */
  readonly records: Uint32Array;
  /** Offsets in `records` of the matches to add. */
  readonly places: readonly number[];
}

/** Returns changes that add matches and remove nothing. */
export function recordsOnly(records: Uint32Array, places: readonly number[]): MatchChanges {
  return { renewed: new Set(), touched: new Set(), isVoid: () => false, records, places };
}

/** The matches that have a side in a document, best match first, and the passages of these sides in the same order. */
interface Ends {
  rows: number[];
  passages: number[];
}

/**
 * Rows and passages that an update discards. Their numbers are released only after the update, so that no number is
 * reused during it.
 */
interface Leavings {
  /** Rows of matches that are no longer valid. */
  readonly rows: Set<number>;
  /** Rows that were removed from the lists of their previous passages. */
  readonly moved: Set<number>;
  readonly passages: Set<number>;
  /** Passages whose lists still contain rows that are invalid or now belong to another passage. */
  readonly loose: Set<number>;
}

export class MatchedPassages {
  readonly table = new MatchTable();
  /** Passages that were removed, or that have gained or lost a match, since the set was last emptied. */
  readonly touched = new PassageSet();
  readonly #rankOf: (document: number) => number;
  readonly #samePassage: (document: number) => number;
  readonly #ends = new Map<number, Ends>();
  readonly #near = new NearPassages(this.table);
  #leavings = noLeavings();

  /**
   * @param rankOf       returns the rank of a document. Ranks may change, but the order of two unchanged documents must
   *   not
   * @param samePassage  see `Texts`
   */
  constructor(rankOf: (document: number) => number, samePassage: (document: number) => number) {
    this.#rankOf = rankOf;
    this.#samePassage = samePassage;
  }

  /** Passages that the last update removed. */
  get removedPassages(): ReadonlySet<number> {
    return this.#leavings.passages;
  }

  /** Releases the numbers of rows and passages that the last update has discarded. */
  releaseNumbers(): void {
    for (const row of this.#leavings.rows) this.table.releaseRow(row);
    for (const passage of this.#leavings.passages) this.table.releasePassage(passage);
    this.#leavings = noLeavings();
  }

  /**
   * Applies changes, in steps of a few milliseconds. The caller must run the generator to completion, and then call
   * `releaseNumbers`.
   */
  *updateSteps({ renewed, isVoid, touched, records, places }: MatchChanges): Generator<void, void> {
    const pace = new Pace();
    const { table } = this;
    const leavings = this.#leavings;
    const documents = new Set<number>();
    const drop = (document: number, isDropped: (x: number, y: number) => boolean): void => {
      for (const row of this.#ends.get(document)?.rows ?? []) {
        const [docA, docB] = [table.words[rowWords * row + matchDocAWord], table.words[rowWords * row + matchDocBWord]];
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
      if (pace.endsStep(1)) yield;
    }
    for (const document of documents) {
      if (pace.endsStep(4 * this.#ends.get(document)!.rows.length)) yield;
      this.#place(document, renewed.has(document));
    }
    const goes = (row: number): boolean => leavings.rows.has(row) || leavings.moved.has(row);
    for (const passage of leavings.loose) table.unlink(passage, goes);
    yield;
    for (const row of rows) {
      this.#link(row);
      if (pace.endsStep(1)) yield;
    }
    for (const row of leavings.moved) if (!leavings.rows.has(row)) this.#link(row);
  }

  #append(document: number, row: number): void {
    const ends = this.#ends.get(document);
    if (ends) ends.rows.push(row);
    else this.#ends.set(document, { rows: [row], passages: [] });
  }

  /** Creates the passages of a document and assigns its matches to them. */
  #place(document: number, isRenewed: boolean): void {
    const { table } = this;
    const ends = this.#ends.get(document)!;
    ends.rows.sort((x, y) => this.byScore(x, y));
    const old = new Map<number, number>();
    if (!isRenewed) for (const p of ends.passages) old.set(rangeKey(table.starts[p], table.ends[p]), p);
    const passages: number[] = [];
    this.#near.empty();
    // If the document was removed, there are no matches and no options for it.
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
      if (table.words[at + matchDocAWord] === document) {
        const left = passageOf(table.words[at + matchA0Word], table.words[at + matchA1Word]);
        if (table.left[row] !== left) {
          this.#move(row);
          table.left[row] = left;
        }
      }
      if (table.words[at + matchDocBWord] === document) {
        const right = passageOf(table.words[at + matchB0Word], table.words[at + matchB1Word]);
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
    // Discard earlier comparisons with this passage.
    for (let half = table.first[passage]; half >= 0; half = table.next[half]) {
      if (table.kinds[half >> 1] === found) continue;
      leavings.rows.add(half >> 1);
      leavings.loose.add(table.otherEnd(half));
    }
  }

  /**
   * Removes a match from the lists of its previous passages, so that it can be assigned to other passages. Does nothing
   * for a new match.
   */
  #move(row: number): void {
    if (this.table.left[row] < 0 || this.table.right[row] < 0 || this.#leavings.moved.has(row)) return;
    this.#leavings.moved.add(row);
    this.#loosen(row);
  }

  #loosen(row: number): void {
    const { loose } = this.#leavings;
    const [left, right] = [this.table.left[row], this.table.right[row]];
    if (left === right) return;
    loose.add(left).add(right);
    this.touched.add(left);
    this.touched.add(right);
  }

  /**
   * Adds a match to the lists of its passages. If both sides are one passage, they overlap strongly, and the match
   * connects nothing.
   */
  #link(row: number): void {
    const [left, right] = [this.table.left[row], this.table.right[row]];
    if (left === right) return;
    this.table.link(row);
    this.touched.add(left);
    this.touched.add(right);
  }

  /** Compares two matches for sorting: the better one comes first. The order is deterministic. */
  byScore(rowX: number, rowY: number): number {
    const words = this.table.words;
    const [x, y] = [rowWords * rowX, rowWords * rowY];
    return (
      words[y + matchScoreWord] - words[x + matchScoreWord] ||
      this.byRank(words[x + matchDocAWord], words[y + matchDocAWord]) ||
      words[x + matchA0Word] - words[y + matchA0Word] ||
      this.byRank(words[x + matchDocBWord], words[y + matchDocBWord]) ||
      words[x + matchB0Word] - words[y + matchB0Word] ||
      words[x + matchA1Word] - words[y + matchA1Word] ||
      words[x + matchB1Word] - words[y + matchB1Word] ||
      // If all else is equal, sort by the order in which the matches were found. Within two documents, this order is
      // deterministic.
      words[x + ordinalWord] - words[y + ordinalWord]
    );
  }

  /** Compares two documents by rank. */
  byRank(x: number, y: number): number {
    return x === y ? 0 : this.#rankOf(x) - this.#rankOf(y);
  }
}

/** A set of passages that are iterated in the order of insertion. */
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
