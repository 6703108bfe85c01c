// Counts which names correspond to each other in an alignment, and judges if they do so consistently.
import { pair } from './documentPair';
import { isName } from '../documents/fingerprint';
import { Run } from './runs';
import { golden32, golden64 } from '../documents/hashFactors';
import { isSingle, openSingleNames, placeSingleNames, singleNames, singleNameScratchBytes } from './singleNames';
import { itemOf, newRecord, recordBytes } from '../records';

const tableBits: u32 = 16;
const tableSlots: u32 = 1 << tableBits;
const filterBytes: usize = 512;
/**
 * Maximum number of name pairs, and of columns with a renamed name, that can be counted at once. Longer alignments are
 * counted in parts.
 */
const pairRoom: u32 = 1 << 14;
const columnRoom: u32 = 1 << 20;

/** A slot of the table. */
@unmanaged export class Slot {
  key: u64;
  stamp: u32;
  /** A number whose meaning the user of the table defines. */
  value: u32;
}

/**
 * A pair of corresponding names: slots of the left and the right name, number of columns, and the result of
 * `columnAgreement`.
 */
@unmanaged class NamePair {
  left: Slot;
  right: Slot;
  count: u32;
  agreement: u32;
}

/**
 * Number of the pair that stands for tokens other than names, and number of the pair that stands for all pairs of names
 * that occur only once.
 */
const noPair: u32 = 0;
const singlePair: u32 = 1;
/**
 * If there are fewer differing columns, names that occur only once are not searched for, because this reads both
 * documents.
 */
const leastColumnsForSingle: u32 = 256;

/** The corresponding names of an alignment, and a table for counts by key. */
@unmanaged class Names {
  /**
   * Number of bits to shift a hash by to get its slot, and number of slots in use minus one. The part of the table that
   * is used depends on the expected number of keys, so that a small table stays in the nearest cache.
   */
  tableShift: u64;
  tableMask: u32;
  /** Address of `tableSlots` slots, and of one more slot for all keys without a slot. */
  table: usize;
  /** Address of a bit set with a bit for each hash of a name: `filterBytes` bytes. */
  filter: usize;
  /** Address of `pairRoom` pairs. */
  pairs: usize;
  /** Address of the number of the pair (u16) for each column with a renamed name. */
  columns: usize;
  /** Stamp of the table that was opened last. Slots with another stamp are empty. */
  stamp: u32;
  /** The runs to be counted, up to `runsEnd`; and the bounds of the part that is counted: a run and a token in it. */
  countedRuns: usize;
  fromRun: u32;
  fromToken: u32;
  toRun: u32;
  toToken: u32;
  runsEnd: u32;
  /** Number of differing columns before the counted part, and number including the counted part. */
  columnsBefore: u32;
  columnCount: u32;
  /** Number of the last pair of names in the table. Pairs after `singlePair` are renamed names. */
  lastPair: u32;
}

export let names = changetype<Names>(0);

/** Size in bytes of the scratch memory that `placeNames` initializes. */
export const nameScratchBytes: usize =
  recordBytes<Names>() +
  ((<usize>(tableSlots + 1)) << 4) +
  filterBytes +
  <usize>pairRoom * offsetof<NamePair>() +
  <usize>columnRoom * 2 +
  singleNameScratchBytes;

/** @param scratch  aligned to 16 */
export function placeNames(scratch: usize): void {
  names = newRecord<Names>(scratch);
  names.table = scratch + recordBytes<Names>();
  names.filter = names.table + ((<usize>(tableSlots + 1)) << 4);
  names.pairs = names.filter + filterBytes;
  names.columns = names.pairs + <usize>pairRoom * offsetof<NamePair>();
  placeSingleNames(names.columns + ((<usize>columnRoom) << 1));
  memory.fill(names.table, 0, (<usize>tableSlots) << 4);
}

/** Empties the table and sizes it for about the given number of keys. */
export function openTable(keys: u32): void {
  const bits = min<u32>(tableBits, max<u32>(8, 34 - clz<u32>(keys)));
  names.tableShift = 64 - <u64>bits;
  names.tableMask = ((<u32>1) << bits) - 1;
  names.stamp++;
  crowdRecord().value = 0;
}

/** Returns the slot of a key. Adds the key if it is new. */
export function slotOf(key: u64): Slot {
  const table = names.table,
    stamp = names.stamp,
    mask = names.tableMask;
  let slot = <u32>((key * golden64) >> names.tableShift);
  for (let tries = 0; tries < 64; tries++) {
    const record = itemOf<Slot>(table, slot);
    if (record.stamp != stamp) {
      record.key = key;
      record.stamp = stamp;
      record.value = 0;
      return record;
    }
    if (record.key == key) return record;
    slot = (slot + 1) & mask;
  }
  // The table is full, so keys without a slot share one.
  return crowdRecord();
}

/** Returns true if a slot is the one that all keys without a slot share. */
@inline export function isTruncated(record: Slot): bool {
  return record == crowdRecord();
}

@inline function crowdRecord(): Slot {
  return itemOf<Slot>(names.table, tableSlots);
}

/** Returns the slot of a key, or null if the key is not in the table. */
export function knownSlot(key: u64): Slot | null {
  const table = names.table,
    stamp = names.stamp,
    mask = names.tableMask;
  let slot = <u32>((key * golden64) >> names.tableShift);
  for (let tries = 0; tries < 64; tries++) {
    const record = itemOf<Slot>(table, slot);
    if (record.stamp != stamp) return null;
    if (record.key == key) return record;
    slot = (slot + 1) & mask;
  }
  return null;
}

/** Increments the value of a key if it is in the table. */
@inline function raiseKnown(key: u64): void {
  const record = knownSlot(key);
  if (record != null) raise(record, 1);
}

@inline function raise(record: Slot, by: u32): void {
  record.value += by;
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

/** Returned instead of the number of a pair if there is no room. */
const noRoom: u32 = 0xffffffff;

/**
 * Counts the corresponding names of the runs [first, end), and judges each pair. Names that are never renamed do not
 * matter, so they are not counted. The pair of each differing column is stored, so that `rescore` need not look it up.
 * If there is no room, the rest is counted when `columnAgreement` reaches it. Each part of such an alignment is judged
 * independently.
 */
export function countNames(list: usize, first: u32, end: u32): void {
  names.countedRuns = list;
  names.toRun = first;
  names.toToken = 0;
  names.runsEnd = end;
  names.columnCount = 0;
  countNextPart();
}

/** Counts the next part of the runs, as far as there is room. */
export function countNextPart(): void {
  names.fromRun = names.toRun;
  names.fromToken = names.toToken;
  names.columnsBefore = names.columnCount;
  const differing = differingColumns(names.countedRuns, names.fromRun, names.runsEnd);
  openTable(differing << 1);
  names.lastPair = singlePair;
  itemOf<NamePair>(names.pairs, noPair).agreement = 0;
  itemOf<NamePair>(names.pairs, singlePair).agreement = 1;
  countPairs(
    differing >= leastColumnsForSingle &&
      openSingleNames(pair.left.tokens, pair.left.tokenCount, pair.right.tokens, pair.right.tokenCount),
  );
  if (names.lastPair == singlePair) return;
  countEqualNames();
  for (let i = singlePair + 1; i <= names.lastPair; i++) {
    const namePair = itemOf<NamePair>(names.pairs, i);
    raise(namePair.left, namePair.count);
    raise(namePair.right, namePair.count);
  }
  for (let i = singlePair + 1; i <= names.lastPair; i++) {
    const namePair = itemOf<NamePair>(names.pairs, i);
    const both = namePair.count;
    const mostly = both << 1 > namePair.left.value && both << 1 > namePair.right.value;
    namePair.agreement = mostly ? (both > 1 ? 2 : 1) : 0;
  }
}

/**
 * Counts the pairs of names in the runs from `fromRun` on. If there is no more room, sets `toRun` and `toToken` to the
 * position reached.
 *
 * @param knowsSingle  true if `isSingle` may be called
 */
function countPairs(knowsSingle: bool): void {
  const columns = names.columns,
    columnsEnd = columns + ((<usize>columnRoom) << 1);
  let column = columns;
  for (let r = names.fromRun; r < names.runsEnd; r++) {
    const run = itemOf<Run>(names.countedRuns, r);
    const a = run.a,
      b = run.b,
      length = run.length;
    const x = pair.left.at(a),
      y = pair.right.at(b);
    for (
      let i = nextDifference(x, y, r == names.fromRun ? names.fromToken : 0, length);
      i < length;
      i = nextDifference(x, y, i + 1, length)
    ) {
      let namePair = noRoom;
      if (column < columnsEnd) {
        namePair =
          knowsSingle && isSingle(singleNames.left, a + i) && isSingle(singleNames.right, b + i)
            ? singlePair
            : pairOf(load<u32>(x + ((<usize>i) << 2)), load<u32>(y + ((<usize>i) << 2)));
      }
      if (namePair == noRoom) {
        endPart(r, i, column);
        return;
      }
      store<u16>(column, <u16>namePair);
      column += 2;
    }
  }
  endPart(names.runsEnd, 0, column);
}

/** Ends the counted part before a token of a run, and before a differing column. */
function endPart(run: u32, token: u32, column: usize): void {
  names.toRun = run;
  names.toToken = token;
  names.columnCount += <u32>((column - names.columns) >> 1);
}

/**
 * In the counted part, counts the columns in which both sides have the same name, for names that are renamed elsewhere
 * in the part.
 */
function countEqualNames(): void {
  for (let r = names.fromRun; r < names.runsEnd && r <= names.toRun; r++) {
    const run = itemOf<Run>(names.countedRuns, r);
    const x = pair.left.at(run.a),
      y = pair.right.at(run.b);
    const length = r == names.toRun ? names.toToken : run.length;
    for (let i: u32 = r == names.fromRun ? names.fromToken : 0; i < length; i += 4) {
      const words = v128.load(x + ((<usize>i) << 2));
      const kinds = v128.and(words, i32x4.splat(15));
      const areNames = i32x4.le_u(i32x4.sub(kinds, i32x4.splat(3)), i32x4.splat(3));
      let equal =
        i32x4.bitmask(v128.and(areNames, i32x4.eq(words, v128.load(y + ((<usize>i) << 2))))) & lanesOf(length - i);
      for (; equal; equal &= equal - 1) {
        const name = load<u32>(x + ((<usize>(i + ctz<i32>(equal))) << 2));
        if (!isMarked(name)) continue;
        raiseKnown(leftKey(name));
        raiseKnown(rightKey(name));
      }
    }
  }
}

/** Counts a column in which the name x corresponds to the name y. Returns the number of the pair, or `noRoom`. */
function pairOf(x: u32, y: u32): u32 {
  if (!isName(x)) return noPair;
  const record = slotOf(pairKey(x, y));
  if (record == crowdRecord()) return noRoom;
  let number = record.value;
  if (!number) {
    if (names.lastPair + 1 >= pairRoom) return noRoom;
    const ofLeft = slotOf(leftKey(x)),
      ofRight = slotOf(rightKey(y));
    if (ofLeft == crowdRecord() || ofRight == crowdRecord()) return noRoom;
    if (names.lastPair == singlePair) memory.fill(names.filter, 0, filterBytes);
    markName(x);
    markName(y);
    number = ++names.lastPair;
    record.value = number;
    const namePair = itemOf<NamePair>(names.pairs, number);
    namePair.left = ofLeft;
    namePair.right = ofRight;
    namePair.count = 0;
  }
  itemOf<NamePair>(names.pairs, number).count++;
  return number;
}

/**
 * Returns the number of differing columns in the runs [first, end). Stops counting where more columns no longer affect
 * the size of the table.
 */
function differingColumns(list: usize, first: u32, end: u32): u32 {
  let differing: u32 = 0;
  for (let r = first; r < end && differing < tableSlots; r++) {
    const run = itemOf<Run>(list, r);
    const x = pair.left.at(run.a),
      y = pair.right.at(run.b);
    const length = run.length;
    for (let i: u32 = 0; i < length; i += 4) {
      const equal = i32x4.bitmask(i32x4.eq(v128.load(x + ((<usize>i) << 2)), v128.load(y + ((<usize>i) << 2))));
      differing += popcnt<i32>(~equal & lanesOf(length - i));
    }
  }
  return differing;
}

/** Returns a bit mask for `left` remaining tokens, at most four. */
@inline function lanesOf(left: u32): i32 {
  return left < 4 ? (1 << left) - 1 : 15;
}

/**
 * Returns the index of the first token in [i, length) that differs between both sides; `length` if there is none.
 * Tokens after the end are read, but not compared.
 */
@inline export function nextDifference(x: usize, y: usize, i: u32, length: u32): u32 {
  for (; i < length; i += 4) {
    const equal = i32x4.bitmask(i32x4.eq(v128.load(x + ((<usize>i) << 2)), v128.load(y + ((<usize>i) << 2))));
    if (equal != 15) return min(length, i + ctz<i32>(~equal));
  }
  return length;
}

@inline function markName(name: u32): void {
  const bit = (name * golden32) >> 20;
  const byte = names.filter + (bit >> 3);
  store<u8>(byte, load<u8>(byte) | (<u8>((<u32>1) << (bit & 7))));
}

@inline function isMarked(name: u32): bool {
  const bit = (name * golden32) >> 20;
  return (load<u8>(names.filter + (bit >> 3)) >> (bit & 7)) & 1 ? true : false;
}

/**
 * Returns how the names in a differing column agree: 2 if they are renamed consistently in most places, 1 if they are
 * renamed once only, and 0 if they are inconsistent. Columns are numbered among all differing columns. If all of them
 * are in one part, the result does not depend on the current content of the table. Otherwise, columns must be queried
 * in order.
 */
@inline export function columnAgreement(column: u32): u32 {
  if (!isCounted(column)) countNextPart();
  return itemOf<NamePair>(names.pairs, load<u16>(names.columns + ((<usize>(column - names.columnsBefore)) << 1)))
    .agreement;
}

/** Returns true if a column is in the counted part or before it. */
@inline export function isCounted(column: u32): bool {
  return column < names.columnCount;
}

/** Returns true if all columns of the runs were counted in one part. */
export function knowsColumns(): bool {
  return !names.columnsBefore && names.toRun == names.runsEnd;
}
