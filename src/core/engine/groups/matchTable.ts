/**
 * Matches and the passages that they connect, in columns of typed arrays, because a large tree has millions of them.
 * Each match is a row. Rows and passages are identified by numbers, which are reused after their release.
 *
 * Row r has two half-edges: 2 r at its left passage, and 2 r + 1 at its right passage. Each passage has a linked list
 * of half-edges:
 *
 *   first[passage] ──▶ half-edge ──▶ next[half-edge] ──▶ … ──▶ −1
 */
import { mix32 } from '../../methods/bits.ts';
import { grown } from '../grown.ts';
import { matchWords } from '../../kernel/matches/matchRecordLayout.ts';
import { type Match, readMatch, type TokenRange, writeMatch } from '../matches/matchRecord.ts';

/** Kind of a row that is not in use. */
const unused = 0;
/** Kind of a row for a match found from seeds. */
export const found = 1;
/** Kind of a row for a match that no seed led to. Its passages were compared because both match a third passage. */
export const compared = 2;
/** Kind of a row for two passages that were compared and do not match. */
export const refused = 3;

/** Size of a row in words: the record of a match, followed by its ordinal number. */
export const rowWords = matchWords + 1;
/** Offset in words of the ordinal number within a row. */
export const ordinalWord = matchWords;

export class MatchTable {
  /** The rows, `rowWords` words each. */
  words = new Uint32Array(0);
  kinds = new Uint8Array(0);
  /** Left and right passage of each row, or −1 until they are assigned. */
  left = new Int32Array(0);
  right = new Int32Array(0);
  next = new Int32Array(0);
  #rowCount = 0;
  #recordCount = 0;
  readonly #freeRows: number[] = [];

  /** For each passage, its document and its tokens [start, end). */
  documents = new Int32Array(0);
  starts = new Int32Array(0);
  ends = new Int32Array(0);
  first = new Int32Array(0);
  #passageCount = 0;
  readonly #freePassages: number[] = [];

  /**
   * Grows the columns to fit more rows. Reserves more memory than needed, because memory that is never touched costs
   * nothing.
   */
  reserve(rows: number): void {
    const needed = this.#rowCount + rows;
    if (needed <= this.kinds.length) return;
    const room = 2 * needed + 64;
    this.words = grown(this.words, rowWords * room);
    this.kinds = grown(this.kinds, room);
    this.left = grown(this.left, room);
    this.right = grown(this.right, room);
    this.next = grown(this.next, 2 * room);
  }

  /** Adds a row for the match whose record begins at index `at` of `records`. The row has no passages yet. */
  addRecord(records: Uint32Array, at: number): number {
    const row = this.#newRow(found);
    const words = this.words;
    for (let i = 0; i < matchWords; i++) words[rowWords * row + i] = records[at + i];
    words[rowWords * row + ordinalWord] = this.#recordCount++;
    this.left[row] = -1;
    this.right[row] = -1;
    return row;
  }

  /** Adds a row for the result of comparing two passages, and adds the row to the lists of both passages. */
  addLooked(x: number, y: number, match: Match | undefined): number {
    const row = this.#newRow(match ? compared : refused);
    if (match) writeMatch(this.words, rowWords * row, match);
    this.left[row] = x;
    this.right[row] = y;
    this.link(row);
    return row;
  }

  #newRow(kind: number): number {
    const row = this.#freeRows.pop() ?? this.#rowCount;
    if (row === this.#rowCount) {
      this.reserve(1);
      this.#rowCount++;
    }
    this.kinds[row] = kind;
    return row;
  }

  /** Returns the rows of the passages that were compared although no seed connects them. */
  comparedRows(): number[] {
    const rows: number[] = [];
    for (let row = 0; row < this.#rowCount; row++) {
      if (this.kinds[row] === compared || this.kinds[row] === refused) rows.push(row);
    }
    return rows;
  }

  /** Releases a row. Precondition: the row is in no passage's list. */
  releaseRow(row: number): void {
    this.kinds[row] = unused;
    this.#freeRows.push(row);
  }

  /** Adds a row to the lists of its passages. */
  link(row: number): void {
    const { left, right, next, first } = this;
    next[2 * row] = first[left[row]];
    first[left[row]] = 2 * row;
    next[2 * row + 1] = first[right[row]];
    first[right[row]] = 2 * row + 1;
  }

  /** Removes the rows for which `goes` returns true from the list of a passage. */
  unlink(passage: number, goes: (row: number) => boolean): void {
    const { next, first } = this;
    let last = -1;
    for (let half = first[passage]; half >= 0; half = next[half]) {
      if (goes(half >> 1)) continue;
      if (last < 0) first[passage] = half;
      else next[last] = half;
      last = half;
    }
    if (last < 0) first[passage] = -1;
    else next[last] = -1;
  }

  otherEnd(half: number): number {
    return (half & 1) === 0 ? this.right[half >> 1] : this.left[half >> 1];
  }

  addPassage(document: number, start: number, end: number): number {
    const passage = this.#freePassages.pop() ?? this.#passageCount++;
    if (passage >= this.first.length) {
      const room = 2 * passage + 64;
      this.documents = grown(this.documents, room);
      this.starts = grown(this.starts, room);
      this.ends = grown(this.ends, room);
      this.first = grown(this.first, room);
    }
    this.documents[passage] = document;
    this.starts[passage] = start;
    this.ends[passage] = end;
    this.first[passage] = -1;
    return passage;
  }

  addPassageAt({ document, start, end }: TokenRange): number {
    return this.addPassage(document, start, end);
  }

  isAt(passage: number, { document, start, end }: TokenRange): boolean {
    return this.documents[passage] === document && this.starts[passage] === start && this.ends[passage] === end;
  }

  /** Releases the number of a passage. Precondition: no row refers to it. */
  releasePassage(passage: number): void {
    this.#freePassages.push(passage);
  }

  /** Upper limit of the passage numbers, exclusive. */
  get passageRange(): number {
    return this.#passageCount;
  }

  matchOf(row: number): Match {
    return readMatch(this.words, rowWords * row);
  }

  rangeOf(passage: number): TokenRange {
    return { document: this.documents[passage], start: this.starts[passage], end: this.ends[passage] };
  }
}

/**
 * Temporary lookup table for the row of two passages. A hash table with linear probing; the passages are read from the
 * rows.
 */
export class RowsByPair {
  readonly #table: MatchTable;
  /** Row number plus 1; 0 in an empty slot. */
  #slots = new Int32Array(1024);
  #mask = 0;
  #count = 0;

  constructor(table: MatchTable) {
    this.#table = table;
  }

  /** Removes all entries, and resizes the table for the expected number of rows. */
  empty(expected: number): void {
    const slots = 2 ** Math.ceil(Math.log2(2 * expected + 8));
    if (slots > this.#slots.length) this.#slots = new Int32Array(slots);
    else this.#slots.fill(0, 0, slots);
    this.#mask = slots - 1;
    this.#count = 0;
  }

  /** Returns the row of two passages, or −1 if the table has none. */
  get(x: number, y: number): number {
    return this.#slots[this.#slotOf(x, y)] - 1;
  }

  /** Adds a row. If there is a row with the same two passages, replaces it. */
  set(row: number): void {
    const slot = this.#slotOf(this.#table.left[row], this.#table.right[row]);
    if (this.#slots[slot] === 0 && 2 * ++this.#count > this.#mask) {
      this.#grow();
      this.set(row);
      return;
    }
    this.#slots[slot] = row + 1;
  }

  #grow(): void {
    const rows = this.#slots.subarray(0, this.#mask + 1).filter((slot) => slot > 0);
    this.empty(2 * rows.length);
    for (const slot of rows) this.set(slot - 1);
  }

  #slotOf(x: number, y: number): number {
    const { left, right } = this.#table;
    const slots = this.#slots;
    const [low, high] = x < y ? [x, y] : [y, x];
    let slot = mixPair(low, high) & this.#mask;
    for (; slots[slot] > 0; slot = (slot + 1) & this.#mask) {
      const row = slots[slot] - 1;
      if ((left[row] === x && right[row] === y) || (left[row] === y && right[row] === x)) break;
    }
    return slot;
  }
}

function mixPair(x: number, y: number): number {
  return mix32(Math.imul(x, 0x9e3779b1) ^ y);
}
