// The live index: the windows of one view of all documents by fingerprint, and tables to find near fingerprints (Manku,
// Jain, Das Sarma 2007, section 3, with one block more than the distance), updated as documents are added and removed.
// livePartners.ts finds near fingerprints, and liveSeeds.ts creates the current seeds, which are the same as those of
// join.ts and candidates.ts.
//
// Windows of one fingerprint are a group. A table has a bucket for every value of a block of the fingerprint, with an entry
// for each group.
import {
  directoryAt,
  freeAt,
  groupsAt,
  highestAt,
  liveTableBytes,
  ranksAt,
  tableBitsAt,
  tableBucketsAt,
  tableCountAt,
  tableEndAt,
  tableMaskAt,
  tablesAt,
} from './liveIndexLayout';
import { allocateBlock, blockRoom, freeBlock, moveBlock } from '../blocks';
import { golden64 } from '../documents/hashFactors';

/**
 * Fields of a group: its fingerprint (u64), its number of windows, and the room of their list; in a free record, the
 * next free one.
 */
export const groupFingerprintAt: usize = 0;
export const groupCountAt: usize = 8;
const groupRoomAt: usize = 12;
/** Address of the list, sorted by rank of document and position. If the room is 0, the only window itself. */
const groupWindowsAt: usize = 16;
const groupBytes: usize = 24;
/** Fields of a window in a list (8 bytes). */
export const windowDocumentAt: usize = 0;
export const windowPositionAt: usize = 4;
const chunkShift: u32 = 12;
const chunkMask: u32 = (1 << chunkShift) - 1;
/** Fields of a bucket: address of its entries, their number, and their room. */
export const bucketEntriesAt: usize = 0;
export const bucketCountAt: usize = 4;
const bucketRoomAt: usize = 8;
const bucketBytes: usize = 12;
/**
 * Fields of an entry: number of the group, and 32 bits of its fingerprint after the block, so that most groups need not
 * be read.
 */
export const entryGroupAt: usize = 0;
export const entryCheckAt: usize = 4;

/** Bytes of the directory: room for 16,777,216 distinct fingerprints. */
const directoryBytes: usize = 4 << 12;

export let index: usize = 0;

/** Empties an index whose settings and tables are already written. */
export function createLiveIndex(record: usize): void {
  store<u32>(record, 0, groupsAt);
  store<u32>(record, 0, highestAt);
  store<u32>(record, 0, freeAt);
  const directory = allocateBlock(directoryBytes);
  memory.fill(directory, 0, directoryBytes);
  store<u32>(record, <u32>directory, directoryAt);
  const tables = <usize>load<u32>(record, tablesAt);
  for (let t: u32 = 0; t <= load<u32>(record, tableCountAt); t++) {
    const table = tables + <usize>t * liveTableBytes;
    const size = bucketBytes << (<usize>load<u32>(table, tableBitsAt));
    const buckets = allocateBlock(size);
    memory.fill(buckets, 0, size);
    store<u32>(table, <u32>buckets, tableBucketsAt);
  }
}

/** Releases all memory of an index except its record. */
export function dropLiveIndex(record: usize): void {
  open(record);
  for (let t: u32 = 0; t <= load<u32>(record, tableCountAt); t++) {
    const table = tableOf(t);
    const size = bucketBytes << (<usize>load<u32>(table, tableBitsAt));
    const buckets = <usize>load<u32>(table, tableBucketsAt);
    for (let bucket = buckets; bucket < buckets + size; bucket += bucketBytes) {
      if (load<u32>(bucket, bucketRoomAt))
        freeBlock(<usize>load<u32>(bucket, bucketEntriesAt), (<usize>load<u32>(bucket, bucketRoomAt)) << 3);
    }
    freeBlock(buckets, size);
  }
  const highest = load<u32>(record, highestAt);
  const directory = <usize>load<u32>(record, directoryAt);
  for (let g: u32 = 0; g < highest; g++) {
    const group = groupOf(g);
    if (load<u32>(group, groupCountAt) && load<u32>(group, groupRoomAt))
      freeBlock(<usize>load<u32>(group, groupWindowsAt), (<usize>load<u32>(group, groupRoomAt)) << 3);
  }
  for (let chunk: u32 = 0; chunk << chunkShift < highest; chunk++) {
    freeBlock(<usize>load<u32>(directory + ((<usize>chunk) << 2)), groupBytes << chunkShift);
  }
  freeBlock(directory, directoryBytes);
}

/** Returns the number of distinct fingerprints in an index. */
export function liveFingerprints(record: usize): u32 {
  return load<u32>(record, groupsAt);
}

export function open(record: usize): void {
  index = record;
}

@inline export function tableOf(t: u32): usize {
  return <usize>load<u32>(index, tablesAt) + <usize>t * liveTableBytes;
}

@inline export function groupOf(g: u32): usize {
  const directory = <usize>load<u32>(index, directoryAt);
  return <usize>load<u32>(directory + ((<usize>(g >> chunkShift)) << 2)) + <usize>(g & chunkMask) * groupBytes;
}

@inline export function fingerprintOf(g: u32): u64 {
  return load<u64>(groupOf(g), groupFingerprintAt);
}

/** Returns the upper limit of the group numbers; all numbers are below it. */
export function recordsEnd(): u32 {
  return load<u32>(index, highestAt);
}

/** Returns true if a record is in use: a free one has no windows. */
@inline export function isInUse(g: u32): bool {
  return load<u32>(groupOf(g), groupCountAt) != 0;
}

@inline export function rankOf(document: u32): u32 {
  return load<u32>(<usize>load<u32>(index, ranksAt) + ((<usize>document) << 2));
}

/** Returns the address of the windows of a group, { document, position } each. */
@inline export function windowsOf(group: usize): usize {
  return load<u32>(group, groupRoomAt) ? <usize>load<u32>(group, groupWindowsAt) : group + groupWindowsAt;
}

@inline export function bucketOf(table: usize, fingerprint: u64): usize {
  const key = (fingerprint & load<u64>(table, tableMaskAt)) * golden64;
  return (
    <usize>load<u32>(table, tableBucketsAt) + <usize>(key >> (64 - <u64>load<u32>(table, tableBitsAt))) * bucketBytes
  );
}

// ---------------------------------------------------------------------------------------------------------------------
// Insertion and removal

/** Returns the bits of a fingerprint that an entry of a table repeats. */
@inline export function checkOf(table: usize, fingerprint: u64): u32 {
  return <u32>rotr(fingerprint, <u64>load<u32>(table, tableEndAt));
}

function addTo(table: usize, fingerprint: u64, g: u32): void {
  const bucket = bucketOf(table, fingerprint);
  const count = load<u32>(bucket, bucketCountAt);
  const room = load<u32>(bucket, bucketRoomAt);
  if (count == room) {
    const larger = roomBehind(room);
    store<u32>(bucket, <u32>moveList(<usize>load<u32>(bucket, bucketEntriesAt), count, room, larger));
    store<u32>(bucket, larger, bucketRoomAt);
  }
  const entry = <usize>load<u32>(bucket, bucketEntriesAt) + ((<usize>count) << 3);
  store<u32>(entry, g, entryGroupAt);
  store<u32>(entry, checkOf(table, fingerprint), entryCheckAt);
  store<u32>(bucket, count + 1, bucketCountAt);
}

function takeFrom(table: usize, fingerprint: u64, g: u32): void {
  const bucket = bucketOf(table, fingerprint);
  const list = <usize>load<u32>(bucket, bucketEntriesAt);
  const last = load<u32>(bucket, bucketCountAt) - 1;
  let at: u32 = 0;
  while (load<u32>(list + ((<usize>at) << 3), entryGroupAt) != g) at++;
  store<u64>(list + ((<usize>at) << 3), load<u64>(list + ((<usize>last) << 3)));
  store<u32>(bucket, last, bucketCountAt);
  const room = load<u32>(bucket, bucketRoomAt);
  const smaller = roomFor(last, room);
  if (smaller == room) return;
  store<u32>(bucket, <u32>moveList(list, last, room, smaller));
  store<u32>(bucket, smaller, bucketRoomAt);
}

// Rooms of lists with 8 bytes per entry form a sequence in which each is an eighth larger than the previous one. A list
// always has the least room that fits, so its memory does not depend on its history.

/** Returns the room after a room in the sequence, the first one after 0. */
@inline function roomBehind(room: u32): u32 {
  return <u32>(blockRoom((<usize>(room + (room >> 3) + 1)) << 3) >> 3);
}

/** Returns the least sufficient room for a number of entries, up to the current room. */
function roomFor(count: u32, room: u32): u32 {
  // The previous room in the sequence is not larger than that.
  if (count > room - room / 9 - 1) return room;
  let least: u32 = 0;
  while (least < count) least = roomBehind(least);
  return least;
}

/** Moves a list to another room, and returns its address; a list with room 0 has no address. */
@inline function moveList(list: usize, count: u32, room: u32, other: u32): usize {
  return moveBlock(list, (<usize>count) << 3, (<usize>room) << 3, (<usize>other) << 3);
}

/** Returns the group of a fingerprint, or −1. */
export function find(fingerprint: u64): i32 {
  const table = tableOf(0);
  const bucket = bucketOf(table, fingerprint);
  const check = checkOf(table, fingerprint);
  const list = <usize>load<u32>(bucket, bucketEntriesAt);
  for (let at = list, end = list + ((<usize>load<u32>(bucket, bucketCountAt)) << 3); at < end; at += 8) {
    if (load<u32>(at, entryCheckAt) != check) continue;
    const g = load<u32>(at, entryGroupAt);
    if (fingerprintOf(g) == fingerprint) return <i32>g;
  }
  return -1;
}

function create(fingerprint: u64): u32 {
  let g = load<u32>(index, freeAt);
  if (g) {
    g--;
    store<u32>(index, load<u32>(groupOf(g), groupRoomAt), freeAt);
  } else {
    g = load<u32>(index, highestAt);
    if (!(g & chunkMask)) {
      const chunk = allocateBlock(groupBytes << chunkShift);
      store<u32>(<usize>load<u32>(index, directoryAt) + ((<usize>(g >> chunkShift)) << 2), <u32>chunk);
    }
    store<u32>(index, g + 1, highestAt);
  }
  const group = groupOf(g);
  store<u64>(group, fingerprint, groupFingerprintAt);
  // Also clears the room.
  store<u64>(group, 0, groupCountAt);
  for (let t: u32 = 0; t <= load<u32>(index, tableCountAt); t++) addTo(tableOf(t), fingerprint, g);
  store<u32>(index, load<u32>(index, groupsAt) + 1, groupsAt);
  return g;
}

/** Drops a group without windows. */
function drop(g: u32): void {
  const group = groupOf(g);
  const fingerprint = load<u64>(group, groupFingerprintAt);
  for (let t: u32 = 0; t <= load<u32>(index, tableCountAt); t++) takeFrom(tableOf(t), fingerprint, g);
  store<u32>(group, load<u32>(index, freeAt), groupRoomAt);
  store<u32>(index, g + 1, freeAt);
  store<u32>(index, load<u32>(index, groupsAt) - 1, groupsAt);
}

@inline function isBefore(document: u32, position: u32, other: usize): bool {
  const theirs = load<u32>(other, windowDocumentAt);
  return document == theirs ? position < load<u32>(other, windowPositionAt) : rankOf(document) < rankOf(theirs);
}

function insertWindow(group: usize, document: u32, position: u32): void {
  const count = load<u32>(group, groupCountAt);
  store<u32>(group, count + 1, groupCountAt);
  if (!count) {
    store<u32>(group, document, groupWindowsAt + windowDocumentAt);
    store<u32>(group, position, groupWindowsAt + windowPositionAt);
    return;
  }
  const room = load<u32>(group, groupRoomAt);
  let list = windowsOf(group);
  if (count >= room) {
    const larger = room ? roomBehind(room) : roomFor(count + 1, u32.MAX_VALUE);
    list = moveList(list, count, room, larger);
    store<u32>(group, <u32>list, groupWindowsAt);
    store<u32>(group, larger, groupRoomAt);
  }
  let at = list + ((<usize>count) << 3);
  if (isBefore(document, position, at - 8)) {
    let low: u32 = 0;
    let high = count - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBefore(document, position, list + ((<usize>middle) << 3))) high = middle;
      else low = middle + 1;
    }
    at = list + ((<usize>low) << 3);
    memory.copy(at + 8, at, (<usize>(count - low)) << 3);
  }
  store<u32>(at, document, windowDocumentAt);
  store<u32>(at, position, windowPositionAt);
}

/** Returns the first window of a group that is in a document, or its insertion position. */
export function firstIn(group: usize, document: u32): u32 {
  const list = windowsOf(group);
  const rank = rankOf(document);
  let low: u32 = 0;
  let high = load<u32>(group, groupCountAt);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rankOf(load<u32>(list + ((<usize>middle) << 3), windowDocumentAt)) < rank) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Adds the windows of a document: their first tokens, at intervals of `stride` bytes, and their fingerprints. */
export function insertWindows(
  record: usize,
  document: u32,
  windows: usize,
  stride: u32,
  count: u32,
  fingerprints: usize,
): void {
  open(record);
  for (let w: u32 = 0; w < count; w++) {
    const fingerprint = load<u64>(fingerprints + ((<usize>w) << 3));
    if (!fingerprint) continue;
    const found = find(fingerprint);
    const g = found < 0 ? create(fingerprint) : <u32>found;
    insertWindow(groupOf(g), document, load<u32>(windows + <usize>w * <usize>stride));
  }
}

/**
 * Removes the windows of a document. Groups without windows stay, so that a new version of the document, with mostly the
 * same fingerprints, does not change the tables; `dropEmptyGroups` has to be called before anything is searched.
 */
export function removeWindows(record: usize, document: u32, count: u32, fingerprints: usize): void {
  open(record);
  for (let w: u32 = 0; w < count; w++) {
    const fingerprint = load<u64>(fingerprints + ((<usize>w) << 3));
    if (!fingerprint) continue;
    const g = find(fingerprint);
    if (g < 0) continue;
    const group = groupOf(<u32>g);
    const windowCount = load<u32>(group, groupCountAt);
    const list = windowsOf(group);
    const from = firstIn(group, document);
    let to = from;
    while (to < windowCount && load<u32>(list + ((<usize>to) << 3), windowDocumentAt) == document) to++;
    if (to - from == windowCount) {
      if (load<u32>(group, groupRoomAt)) freeBlock(list, (<usize>load<u32>(group, groupRoomAt)) << 3);
      // Also clears the room.
      store<u64>(group, 0, groupCountAt);
      continue;
    }
    memory.copy(list + ((<usize>from) << 3), list + ((<usize>to) << 3), (<usize>(windowCount - to)) << 3);
    const left = windowCount - (to - from);
    store<u32>(group, left, groupCountAt);
    // A single window is in the record itself.
    const room = load<u32>(group, groupRoomAt);
    const smaller = left == 1 ? 0 : roomFor(left, room);
    if (smaller == room) continue;
    const first = load<u64>(list);
    const moved = moveList(list, left, room, smaller);
    if (smaller) store<u32>(group, <u32>moved, groupWindowsAt);
    else store<u64>(group, first, groupWindowsAt);
    store<u32>(group, smaller, groupRoomAt);
  }
}

/** Drops the groups of fingerprints that have no windows. */
export function dropEmptyGroups(record: usize, count: u32, fingerprints: usize): void {
  open(record);
  for (let w: u32 = 0; w < count; w++) {
    const fingerprint = load<u64>(fingerprints + ((<usize>w) << 3));
    if (!fingerprint) continue;
    const g = find(fingerprint);
    if (g >= 0 && !isInUse(<u32>g)) drop(<u32>g);
  }
}
