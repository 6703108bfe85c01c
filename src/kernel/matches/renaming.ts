// Which name stands for which in an alignment, and whether it does so throughout.
import { left, leftCount, right, rightCount } from './documentPair';
import { isName } from '../documents/fingerprint';
import { runAAt, runBAt, runBytes, runLengthAt } from './runs';
import { golden32, golden64 } from '../documents/hashFactors';
import {
  isSingle,
  openSingleNames,
  placeSingleNames,
  singleLeft,
  singleNameScratchBytes,
  singleRight,
} from './singleNames';

const tableBits: u32 = 16;
const tableSlots: u32 = 1 << tableBits;
const filterBytes: usize = 512;
/** Pairs of names, and columns with a renamed name, that are counted at once: an alignment of more is counted in parts. */
const pairRoom: u32 = 1 << 14;
const columnRoom: u32 = 1 << 20;
/** Of a pair: the slots of the left name and of the right one, in how many columns it is, and what `columnAgreement` says. */
const pairLeftAt: usize = 0;
const pairRightAt: usize = 4;
const pairCountAt: usize = 8;
const pairAgreementAt: usize = 12;
const pairBytes: usize = 16;
/** The pair that stands for what is no name, and the one that stands for all of two names that are nowhere else. */
const noPair: u32 = 0;
const singlePair: u32 = 1;
/**
 * Columns where the two sides differ of an alignment for which names that are nowhere else are looked for first: it has to be
 * worth reading both documents.
 */
const leastColumnsForSingle: u32 = 256;

/** Of a slot of the table: its key (u64), the stamp with which it was entered, and what whoever opened the table counts. */
const slotKeyAt: usize = 0;
const slotStampAt: usize = 8;
export const slotValueAt: usize = 12;

// Parts of the scratch memory.
let table: usize = 0; // tableSlots records of 16 bytes: see slotKeyAt
let filter: usize = 0; // a bit for each hash of a name, filterBytes
let pairs: usize = 0; // pairRoom records
let columns: usize = 0; // the pair of each column with a renamed name, u16
/** Of the table that was opened last. */
export let stamp: u32 = 0;

/** Bytes of scratch memory that `placeNames` lays out and clears. */
export const nameScratchBytes: usize =
  ((<usize>(tableSlots + 1)) << 4) +
  filterBytes +
  <usize>pairRoom * pairBytes +
  <usize>columnRoom * 2 +
  singleNameScratchBytes;

/** @param scratch  aligned to 16 */
export function placeNames(scratch: usize): void {
  table = scratch;
  filter = table + ((<usize>(tableSlots + 1)) << 4);
  pairs = filter + filterBytes;
  columns = pairs + <usize>pairRoom * pairBytes;
  placeSingleNames(columns + ((<usize>columnRoom) << 1));
  memory.fill(table, 0, (<usize>tableSlots) << 4);
  stamp = 0;
}

// The part of the table in use is as large as what it is opened for: a small one stays in the nearest cache.
let tableShift: u64 = 48;
let tableMask: u32 = tableSlots - 1;

/** Empties the table, for about so many keys. */
export function openTable(keys: u32): void {
  const bits = min<u32>(tableBits, max<u32>(8, 34 - clz<u32>(keys)));
  tableShift = 64 - <u64>bits;
  tableMask = ((<u32>1) << bits) - 1;
  stamp++;
  store<u32>(crowdRecord(), 0, slotValueAt);
}

/** The record of a key, which is entered if it is new. */
export function slotOf(key: u64): usize {
  let slot = <u32>((key * golden64) >> tableShift);
  for (let tries = 0; tries < 64; tries++) {
    const record = table + ((<usize>slot) << 4);
    if (load<u32>(record, slotStampAt) != stamp) {
      store<u64>(record, key, slotKeyAt);
      store<u32>(record, stamp, slotStampAt);
      store<u32>(record, 0, slotValueAt);
      return record;
    }
    if (load<u64>(record, slotKeyAt) == key) return record;
    slot = (slot + 1) & tableMask;
  }
  // A crowded table: the keys that find no place share a record.
  return crowdRecord();
}

/** Whether a record stands for all keys that find no place. */
@inline export function isTruncated(record: usize): bool {
  return record == crowdRecord();
}

@inline function crowdRecord(): usize {
  return table + ((<usize>tableSlots) << 4);
}

/** The record of a key that is there; 0 if it is not. */
export function knownSlot(key: u64): usize {
  let slot = <u32>((key * golden64) >> tableShift);
  for (let tries = 0; tries < 64; tries++) {
    const record = table + ((<usize>slot) << 4);
    if (load<u32>(record, slotStampAt) != stamp) return 0;
    if (load<u64>(record, slotKeyAt) == key) return record;
    slot = (slot + 1) & tableMask;
  }
  return 0;
}

/** Adds to the count of a key that is there. */
@inline function raiseKnown(key: u64): void {
  const record = knownSlot(key);
  if (record) raise(record, 1);
}

@inline function raise(record: usize, by: u32): void {
  store<u32>(record, load<u32>(record, slotValueAt) + by, slotValueAt);
}

@inline export function leftKey(x: u32): u64 {
  return ((<u64>x) << 32) | 0xfffffffe;
}
@inline export function rightKey(y: u32): u64 {
  return ((<u64>0xfffffffe) << 32) | (<u64>y);
}
@inline function pairKey(x: u32, y: u32): u64 {
  return ((<u64>x) << 32) | (<u64>y);
}

// The runs whose names are counted, up to `endRun`, and where what is counted of them begins and ends: a run, and a token of it.
let countedRuns: usize = 0;
let fromRun: u32 = 0;
let fromToken: u32 = 0;
let toRun: u32 = 0;
let toToken: u32 = 0;
let endRun: u32 = 0;

/** Columns where the two sides differ: those before the part that is counted, and with those of it. */
let columnsBefore: u32 = 0;
let columnCount: u32 = 0;

/** The number of the last pair of names that the table holds; those before `singlePair` + 1 stand for others. */
let lastPair: u32 = 0;

/** Instead of a pair: there is no room for another one. */
const noRoom: u32 = 0xffffffff;

/**
 * Counts which name stands for which in runs [first, end), and judges each pair. Only names that stand for another one
 * somewhere are counted: nobody asks for the others. The pair of each column where the two sides differ is remembered,
 * so that `rescore` need not look it up.
 *
 * What there is no room for is counted apart, when `columnAgreement` comes to it: of an alignment with so many names each part
 * is judged by itself.
 */
export function countNames(list: usize, first: u32, end: u32): void {
  countedRuns = list;
  toRun = first;
  toToken = 0;
  endRun = end;
  columnCount = 0;
  countNextPart();
}

/** Counts the part of the runs that follows the one that was counted last: as much as there is room for. */
export function countNextPart(): void {
  fromRun = toRun;
  fromToken = toToken;
  columnsBefore = columnCount;
  const differing = differingColumns(countedRuns, fromRun, endRun);
  openTable(differing << 1);
  lastPair = singlePair;
  store<u32>(pairs + <usize>noPair * pairBytes, 0, pairAgreementAt);
  store<u32>(pairs + <usize>singlePair * pairBytes, 1, pairAgreementAt);
  countPairs(differing >= leastColumnsForSingle && openSingleNames(left, leftCount, right, rightCount));
  if (lastPair == singlePair) return;
  countEqualNames();
  for (let i = singlePair + 1; i <= lastPair; i++) {
    const pair = pairs + <usize>i * pairBytes;
    raise(<usize>load<u32>(pair, pairLeftAt), load<u32>(pair, pairCountAt));
    raise(<usize>load<u32>(pair, pairRightAt), load<u32>(pair, pairCountAt));
  }
  for (let i = singlePair + 1; i <= lastPair; i++) {
    const pair = pairs + <usize>i * pairBytes;
    const both = load<u32>(pair, pairCountAt);
    const mostly =
      both << 1 > load<u32>(<usize>load<u32>(pair, pairLeftAt), slotValueAt) &&
      both << 1 > load<u32>(<usize>load<u32>(pair, pairRightAt), slotValueAt);
    store<u32>(pair, mostly ? (both > 1 ? 2 : 1) : 0, pairAgreementAt);
  }
}

/**
 * Counts the pairs of names from `fromRun` on, and sets `toRun` and `toToken` to where there was no room for more.
 *
 * @param knowsSingle  whether `isSingle` may be asked
 */
function countPairs(knowsSingle: bool): void {
  let column = columns;
  const columnsEnd = columns + ((<usize>columnRoom) << 1);
  for (let r = fromRun; r < endRun; r++) {
    const run = countedRuns + <usize>r * runBytes;
    const a = load<u32>(run, runAAt),
      b = load<u32>(run, runBAt),
      length = load<u32>(run, runLengthAt);
    const x = left + ((<usize>a) << 2),
      y = right + ((<usize>b) << 2);
    for (
      let i = nextDifference(x, y, r == fromRun ? fromToken : 0, length);
      i < length;
      i = nextDifference(x, y, i + 1, length)
    ) {
      let pair = noRoom;
      if (column < columnsEnd) {
        pair =
          knowsSingle && isSingle(singleLeft, a + i) && isSingle(singleRight, b + i)
            ? singlePair
            : pairOf(load<u32>(x + ((<usize>i) << 2)), load<u32>(y + ((<usize>i) << 2)));
      }
      if (pair == noRoom) {
        toRun = r;
        toToken = i;
        return;
      }
      store<u16>(column, <u16>pair);
      column += 2;
      columnCount++;
    }
  }
  toRun = endRun;
  toToken = 0;
}

/** Counts the names of the part that are equal on both sides and stand for another one somewhere in it. */
function countEqualNames(): void {
  for (let r = fromRun; r < endRun && r <= toRun; r++) {
    const run = countedRuns + <usize>r * runBytes;
    const x = left + ((<usize>load<u32>(run, runAAt)) << 2),
      y = right + ((<usize>load<u32>(run, runBAt)) << 2);
    const length = r == toRun ? toToken : load<u32>(run, runLengthAt);
    for (let i: u32 = r == fromRun ? fromToken : 0; i < length; i += 4) {
      const words = v128.load(x + ((<usize>i) << 2));
      const kinds = v128.and(words, i32x4.splat(15));
      const names = i32x4.le_u(i32x4.sub(kinds, i32x4.splat(3)), i32x4.splat(3));
      let equal =
        i32x4.bitmask(v128.and(names, i32x4.eq(words, v128.load(y + ((<usize>i) << 2))))) & lanesOf(length - i);
      for (; equal; equal &= equal - 1) {
        const name = load<u32>(x + ((<usize>(i + ctz<i32>(equal))) << 2));
        if (!isMarked(name)) continue;
        raiseKnown(leftKey(name));
        raiseKnown(rightKey(name));
      }
    }
  }
}

/** Counts that name x stands for name y once more, and returns the number of the pair, or `noRoom`. */
function pairOf(x: u32, y: u32): u32 {
  if (!isName(x)) return noPair;
  const record = slotOf(pairKey(x, y));
  if (record == crowdRecord()) return noRoom;
  let number = load<u32>(record, slotValueAt);
  if (!number) {
    if (lastPair + 1 >= pairRoom) return noRoom;
    const ofLeft = slotOf(leftKey(x)),
      ofRight = slotOf(rightKey(y));
    if (ofLeft == crowdRecord() || ofRight == crowdRecord()) return noRoom;
    if (lastPair == singlePair) memory.fill(filter, 0, filterBytes);
    markName(x);
    markName(y);
    number = ++lastPair;
    store<u32>(record, number, slotValueAt);
    const pair = pairs + <usize>number * pairBytes;
    store<u32>(pair, <u32>ofLeft, pairLeftAt);
    store<u32>(pair, <u32>ofRight, pairRightAt);
    store<u32>(pair, 0, pairCountAt);
  }
  const count = pairs + <usize>number * pairBytes;
  store<u32>(count, load<u32>(count, pairCountAt) + 1, pairCountAt);
  return number;
}

/** In how many columns of runs [first, end) the two sides differ, as far as the size of the table depends on it. */
function differingColumns(list: usize, first: u32, end: u32): u32 {
  let differing: u32 = 0;
  for (let r = first; r < end && differing < tableSlots; r++) {
    const run = list + <usize>r * runBytes;
    const x = left + ((<usize>load<u32>(run, runAAt)) << 2),
      y = right + ((<usize>load<u32>(run, runBAt)) << 2);
    const length = load<u32>(run, runLengthAt);
    for (let i: u32 = 0; i < length; i += 4) {
      const equal = i32x4.bitmask(i32x4.eq(v128.load(x + ((<usize>i) << 2)), v128.load(y + ((<usize>i) << 2))));
      differing += popcnt<i32>(~equal & lanesOf(length - i));
    }
  }
  return differing;
}

/** A bit for each of four tokens, of which so many are left. */
@inline function lanesOf(left: u32): i32 {
  return left < 4 ? (1 << left) - 1 : 15;
}

/** The first of tokens [i, length) that is not equal as written on both sides; length if all are. Tokens behind are read, and not counted. */
@inline export function nextDifference(x: usize, y: usize, i: u32, length: u32): u32 {
  for (; i < length; i += 4) {
    const equal = i32x4.bitmask(i32x4.eq(v128.load(x + ((<usize>i) << 2)), v128.load(y + ((<usize>i) << 2))));
    if (equal != 15) return min(length, i + ctz<i32>(~equal));
  }
  return length;
}

@inline function markName(name: u32): void {
  const bit = (name * golden32) >> 20;
  const byte = filter + (bit >> 3);
  store<u8>(byte, load<u8>(byte) | (<u8>((<u32>1) << (bit & 7))));
}

@inline function isMarked(name: u32): bool {
  const bit = (name * golden32) >> 20;
  return (load<u8>(filter + (bit >> 3)) >> (bit & 7)) & 1 ? true : false;
}

/**
 * How the left name stands for the right one in a column that `countNames` has counted, the how manieth where the two sides
 * differ: 2 renamed alike in most places, 1 renamed once only, 0 not consistently. Whatever the table holds by now, as long as
 * the columns are all in one part; else they have to be asked for one after the other.
 */
@inline export function columnAgreement(column: u32): u32 {
  if (!isCounted(column)) countNextPart();
  return load<u32>(
    pairs + <usize>load<u16>(columns + ((<usize>(column - columnsBefore)) << 1)) * pairBytes,
    pairAgreementAt,
  );
}

/** Whether a column is not behind the part that is counted. */
@inline export function isCounted(column: u32): bool {
  return column < columnCount;
}

/** Whether all columns are in one part. */
export function knowsColumns(): bool {
  return !columnsBefore && toRun == endRun;
}
