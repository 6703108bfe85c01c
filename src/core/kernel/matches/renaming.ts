// Counts which names correspond to each other in an alignment, and judges how consistently they do. A column of an
// alignment is a pair of aligned tokens.
import { pair } from './documentPair';
import { areNames, isName } from '../documents/fingerprint';
import { reserve } from './matchScratch';
import { Run } from './runs';
import { golden32, golden64 } from '../documents/hashFactors';
import { isSingle, openSingleNames, SingleNames } from './singleNames';
import { addressAt, itemOf, newRecord, recordBytes } from '../records';

const tableBits: u32 = 16;
const tableSlots: u32 = 1 << tableBits;
const filterBytes: usize = 512;
/**
 * Maximum number of name pairs, and of columns with different names, that can be counted at once. A longer alignment is
 * counted in parts.
 */
const pairRoom: u32 = 1 << 14;
const columnRoom: u32 = 1 << 20;

/** A slot of the hash table. */
@unmanaged export class Slot {
  key: u64;
  stamp: u32;
  /** A number that the user of the table defines. */
  value: u32;
}

/** A hash table for counting. Its users share it, so opening it empties it for all of them. */
@unmanaged export class KeyTable {
  /**
   * Number of bits by which a hash is shifted to get its slot, and number of slots in use minus one. For few keys, only
   * a small part of the table is used, so that it stays in the nearest cache.
   */
  shift: u64;
  mask: u32;
  /** Number of times the table was opened. Slots with another stamp are empty. */
  stamp: u32;
  /** Address of `tableSlots` slots, and of `crowd`. */
  slots: usize;

  /** Slot that is shared by all keys for which there is no room. */
  @inline get crowd(): Slot {
    return itemOf<Slot>(this.slots, tableSlots);
  }

  /** Returns the slot of a key. If the key is new, adds it. */
  slotOf(key: u64): Slot {
    const record = this.slotFor(key);
    if (record == null) return this.crowd;
    if (record.stamp != this.stamp) {
      record.key = key;
      record.stamp = this.stamp;
      record.value = 0;
    }
    return record;
  }

  /** Returns the slot of a key, or null if the key is not in the table. */
  knownSlot(key: u64): Slot | null {
    const record = this.slotFor(key);
    return record != null && record.stamp == this.stamp ? record : null;
  }

  /** Returns the slot of a key, or the empty slot for it. Returns null if there is no room for it. */
  @inline slotFor(key: u64): Slot | null {
    const slots = this.slots,
      stamp = this.stamp,
      mask = this.mask;
    let slot = <u32>((key * golden64) >> this.shift);
    for (let tries = 0; tries < 64; tries++) {
      const record = itemOf<Slot>(slots, slot);
      if (record.stamp != stamp || record.key == key) return record;
      slot = (slot + 1) & mask;
    }
    return null;
  }
}

/**
 * A pair of corresponding names: slots of the left and of the right name, number of columns with this pair, and result
 * of `columnAgreement`.
 */
@unmanaged class NamePair {
  left: Slot;
  right: Slot;
  count: u32;
  agreement: u32;
}

/**
 * Numbers of two special pairs. The first represents all tokens other than names; the second, all name pairs that occur
 * only once.
 */
const noPair: u32 = 0;
const singlePair: u32 = 1;
/**
 * Minimum number of differing columns for finding the names that occur only once before the pairs are counted. Finding
 * them takes a pass over both documents.
 */
const minColumnsForSingle: u32 = 256;

/**
 * The corresponding names of an alignment. The record is reused, so it is valid until the next call of `countNames`.
 */
@unmanaged export class Names {
  table: KeyTable;
  /** Address of a bit set with one bit for each hash of a name; it has `filterBytes` bytes. */
  filter: usize;
  pairs: usize;
  /** Address of an array with the pair number (u16) of each column with different names. */
  columns: usize;
  /**
   * Address of the list of runs to count; the bounds of the part that has been counted, each given as a run and a token
   * in that run; and the end of the runs to count.
   */
  countedRuns: usize;
  fromRun: u32;
  fromToken: u32;
  toRun: u32;
  toToken: u32;
  runsEnd: u32;
  /** Index of the first different column in the counted part, and index after the last one. */
  columnsBefore: u32;
  columnCount: u32;
  /** Number of the last name pair in the table. Pairs after `singlePair` have different names. */
  lastPair: u32;

  /** True if all columns of the runs were counted in one part. */
  @inline get isComplete(): bool {
    return !this.columnsBefore && this.toRun == this.runsEnd;
  }
}

let names = changetype<Names>(0);

const scratchAt = reserve(
  recordBytes<Names>() +
    recordBytes<KeyTable>() +
    ((<usize>(tableSlots + 1)) << 4) +
    filterBytes +
    <usize>pairRoom * offsetof<NamePair>() +
    <usize>columnRoom * 2,
);

export function placeNames(scratch: usize): void {
  const address = scratch + scratchAt;
  names = newRecord<Names>(address);
  const table = newRecord<KeyTable>(address + recordBytes<Names>());
  table.slots = changetype<usize>(table) + recordBytes<KeyTable>();
  memory.fill(table.slots, 0, (<usize>tableSlots) << 4);
  names.table = table;
  names.filter = table.slots + ((<usize>(tableSlots + 1)) << 4);
  names.pairs = names.filter + filterBytes;
  names.columns = names.pairs + <usize>pairRoom * offsetof<NamePair>();
}

/** Returns the empty table, sized for about the given number of keys. */
export function openTable(keys: u32): KeyTable {
  const table = names.table;
  const bits = min<u32>(tableBits, max<u32>(8, 34 - clz<u32>(keys)));
  table.shift = 64 - <u64>bits;
  table.mask = ((<u32>1) << bits) - 1;
  table.stamp++;
  table.crowd.value = 0;
  return table;
}

/** If a key is in the table, increments its value. */
@inline function raiseKnown(table: KeyTable, key: u64): void {
  const record = table.knownSlot(key);
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

/** Returned in place of a pair number if the table is full. */
const noRoom: u32 = 0xffffffff;

/**
 * Counts the corresponding names of the runs [first, end), and judges each pair. Names that are never renamed are not
 * counted, because they do not matter. Stores the pair of each differing column, so that `rescore` need not look it up.
 * If there is no room, counts the rest when `columnAgreement` reaches it; each part of such an alignment is judged on
 * its own. Does not count anything in prose, where all aligned tokens are equal.
 */
export function countNames(list: usize, first: u32, end: u32): Names {
  if (!pair.renaming) return names;
  names.countedRuns = list;
  names.toRun = first;
  names.toToken = 0;
  names.runsEnd = end;
  names.columnCount = 0;
  countNextPart(names);
  return names;
}

/** Counts the next part of the runs, as much as there is room for. */
export function countNextPart(names: Names): void {
  names.fromRun = names.toRun;
  names.fromToken = names.toToken;
  names.columnsBefore = names.columnCount;
  const differing = differingColumns(names.countedRuns, names.fromRun, names.runsEnd);
  const table = openTable(differing << 1);
  names.lastPair = singlePair;
  itemOf<NamePair>(names.pairs, noPair).agreement = 0;
  itemOf<NamePair>(names.pairs, singlePair).agreement = 1;
  countPairs(
    names,
    table,
    differing >= minColumnsForSingle
      ? openSingleNames(pair.left.tokens, pair.left.tokenCount, pair.right.tokens, pair.right.tokenCount)
      : null,
  );
  if (names.lastPair == singlePair) return;
  countEqualNames(names, table);
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
 * Counts the pairs of names in the runs from `fromRun` on. If there is no room for more, sets `toRun` and `toToken` to
 * the position reached.
 *
 * @param singles  names that occur only once, or null if they are unknown
 */
function countPairs(names: Names, table: KeyTable, singles: SingleNames | null): void {
  const columns = names.columns,
    columnsEnd = addressAt<u16>(columns, columnRoom);
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
          singles != null && isSingle(singles.left, a + i) && isSingle(singles.right, b + i)
            ? singlePair
            : pairOf(names, table, itemOf<u32>(x, i), itemOf<u32>(y, i));
      }
      if (namePair == noRoom) {
        endPart(names, r, i, column);
        return;
      }
      store<u16>(column, <u16>namePair);
      column += 2;
    }
  }
  endPart(names, names.runsEnd, 0, column);
}

/**
 * Ends the counted part before a token of a run. `column` is the address of the first differing column that was not
 * counted.
 */
function endPart(names: Names, run: u32, token: u32, column: usize): void {
  names.toRun = run;
  names.toToken = token;
  names.columnCount += <u32>((column - names.columns) >> 1);
}

/**
 * For names that are renamed somewhere in the counted part, counts the columns of this part in which both sides have
 * the same name.
 */
function countEqualNames(names: Names, table: KeyTable): void {
  for (let r = names.fromRun; r < names.runsEnd && r <= names.toRun; r++) {
    const run = itemOf<Run>(names.countedRuns, r);
    const x = pair.left.at(run.a),
      y = pair.right.at(run.b);
    const length = r == names.toRun ? names.toToken : run.length;
    for (let i: u32 = r == names.fromRun ? names.fromToken : 0; i < length; i += 4) {
      const words = v128.load(addressAt<u32>(x, i));
      let equal =
        i32x4.bitmask(v128.and(areNames(words), i32x4.eq(words, v128.load(addressAt<u32>(y, i))))) &
        lanesOf(length - i);
      for (; equal; equal &= equal - 1) {
        const name = itemOf<u32>(x, i + ctz<i32>(equal));
        if (!isMarked(names.filter, name)) continue;
        raiseKnown(table, leftKey(name));
        raiseKnown(table, rightKey(name));
      }
    }
  }
}

/** Counts a column that aligns the token x with the token y. Returns the number of the pair, or `noRoom`. */
function pairOf(names: Names, table: KeyTable, x: u32, y: u32): u32 {
  if (!isName(x)) return noPair;
  const record = table.slotOf(pairKey(x, y));
  if (record == table.crowd) return noRoom;
  let number = record.value;
  if (!number) {
    if (names.lastPair + 1 >= pairRoom) return noRoom;
    const ofLeft = table.slotOf(leftKey(x)),
      ofRight = table.slotOf(rightKey(y));
    if (ofLeft == table.crowd || ofRight == table.crowd) return noRoom;
    if (names.lastPair == singlePair) memory.fill(names.filter, 0, filterBytes);
    markName(names.filter, x);
    markName(names.filter, y);
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
 * Returns the number of differing columns in the runs [first, end). Stops counting when more columns would no longer
 * affect the size of the table.
 */
function differingColumns(list: usize, first: u32, end: u32): u32 {
  let differing: u32 = 0;
  for (let r = first; r < end && differing < tableSlots; r++) {
    const run = itemOf<Run>(list, r);
    const x = pair.left.at(run.a),
      y = pair.right.at(run.b);
    const length = run.length;
    for (let i: u32 = 0; i < length; i += 4) {
      const equal = i32x4.bitmask(i32x4.eq(v128.load(addressAt<u32>(x, i)), v128.load(addressAt<u32>(y, i))));
      differing += popcnt<i32>(~equal & lanesOf(length - i));
    }
  }
  return differing;
}

/** Returns a bit mask with one bit for each of the `left` remaining tokens, at most four. */
@inline export function lanesOf(left: u32): i32 {
  return left < 4 ? (1 << left) - 1 : 15;
}

/**
 * Returns the index of the first token in [i, length) at which the two sides differ, or `length` if there is none.
 * Tokens after the end are read, but not compared.
 */
@inline export function nextDifference(x: usize, y: usize, i: u32, length: u32): u32 {
  for (; i < length; i += 4) {
    const equal = i32x4.bitmask(i32x4.eq(v128.load(addressAt<u32>(x, i)), v128.load(addressAt<u32>(y, i))));
    if (equal != 15) return min(length, i + ctz<i32>(~equal));
  }
  return length;
}

@inline function markName(filter: usize, name: u32): void {
  const bit = (name * golden32) >> 20;
  const byte = filter + (bit >> 3);
  store<u8>(byte, load<u8>(byte) | (<u8>((<u32>1) << (bit & 7))));
}

@inline function isMarked(filter: usize, name: u32): bool {
  const bit = (name * golden32) >> 20;
  return (load<u8>(filter + (bit >> 3)) >> (bit & 7)) & 1 ? true : false;
}

/**
 * Returns how consistently the name in a differing column is renamed: 2 if it is renamed in the same way in most
 * places, 1 if it occurs only once, 0 if it is renamed inconsistently. `column` counts only differing columns. If all
 * columns were counted in one part, they may be queried in any order; otherwise, in ascending order.
 */
@inline export function columnAgreement(names: Names, column: u32): u32 {
  if (!isCounted(names, column)) countNextPart(names);
  return itemOf<NamePair>(names.pairs, itemOf<u16>(names.columns, column - names.columnsBefore)).agreement;
}

/** Returns true if a column is in the counted part or before it. */
@inline export function isCounted(names: Names, column: u32): bool {
  return column < names.columnCount;
}
