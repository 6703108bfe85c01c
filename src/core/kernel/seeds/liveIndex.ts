// The live index: the windows of all documents in one view, by fingerprint. It is updated as documents are added and
// removed. Its tables find near fingerprints (Manku, Jain, Das Sarma 2007, section 3, with one more block than the
// distance). livePartners.ts searches the tables, and liveSeeds.ts creates seeds, which are the same as those of
// join.ts and candidates.ts.
//
// All windows with the same fingerprint are a group. Each table belongs to a block of bits, and has a bucket for every
// value of this block. A bucket has an entry for each group with this value.
import { allocateBlock, blockRoom, freeBlock, moveBlock } from '../blocks';
import { golden64 } from '../documents/hashFactors';
import { addressAt, bytesOf, itemOf, setItem } from '../records';
import { LiveIndex, LiveTable } from './liveTables';

/** A group: all windows with the same fingerprint. */
@unmanaged export class LiveGroup {
  fingerprint: u64;
  count: u32;
  /** Capacity of the list of windows. In a record that is not in use, the number of the next unused record. */
  room: u32;
  /**
   * Address of the list of windows, which is sorted by rank of document and position. If the capacity is 0, this field
   * contains the group's single window instead.
   */
  windows: usize;
  position: u32;
}

@unmanaged export class LiveWindow {
  document: u32;
  position: u32;
}

@unmanaged export class Bucket {
  entries: usize;
  count: u32;
  room: u32;
}

/**
 * An entry of a bucket: the number of a group, and the 32 bits of its fingerprint after the table's block. Because
 * these bits are compared first, most groups need not be read.
 */
@unmanaged export class Entry {
  group: u32;
  check: u32;
}

const chunkShift: u32 = 12;
const chunkMask: u32 = (1 << chunkShift) - 1;

/** Size in bytes of the directory of group records. It has room for 16,777,216 distinct fingerprints. */
const directoryBytes: usize = 4 << 12;

export let index = changetype<LiveIndex>(0);

/** Creates an empty index. Precondition: the record already contains the settings and tables. */
export function createLiveIndex(record: LiveIndex): void {
  open(record);
  index.groups = index.highest = index.free = 0;
  const directory = allocateBlock(directoryBytes);
  memory.fill(directory, 0, directoryBytes);
  index.directory = directory;
  for (let t: u32 = 0; t <= index.tableCount; t++) {
    const table = tableOf(t);
    const size = offsetof<Bucket>() << (<usize>table.bits);
    const buckets = allocateBlock(size);
    memory.fill(buckets, 0, size);
    table.buckets = buckets;
  }
}

/** Releases all memory of an index, except for its record. */
export function dropLiveIndex(record: LiveIndex): void {
  open(record);
  for (let t: u32 = 0; t <= index.tableCount; t++) {
    const table = tableOf(t);
    const size = offsetof<Bucket>() << (<usize>table.bits);
    const buckets = table.buckets;
    for (let at = buckets; at < buckets + size; at += offsetof<Bucket>()) {
      const bucket = changetype<Bucket>(at);
      if (bucket.room) freeBlock(bucket.entries, bytesOf<u64>(bucket.room));
    }
    freeBlock(buckets, size);
  }
  const highest = index.highest;
  const directory = index.directory;
  for (let g: u32 = 0; g < highest; g++) {
    const group = groupOf(g);
    if (group.count && group.room) freeBlock(group.windows, bytesOf<u64>(group.room));
  }
  for (let chunk: u32 = 0; chunk << chunkShift < highest; chunk++) {
    freeBlock(<usize>itemOf<u32>(directory, chunk), offsetof<LiveGroup>() << chunkShift);
  }
  freeBlock(directory, directoryBytes);
}

/** Returns the number of distinct fingerprints in an index. */
export function liveFingerprints(record: LiveIndex): u32 {
  return record.groups;
}

export function open(record: LiveIndex): void {
  index = record;
}

@inline export function tableOf(t: u32): LiveTable {
  return itemOf<LiveTable>(index.tables, t);
}

@inline export function groupOf(g: u32): LiveGroup {
  return itemOf<LiveGroup>(itemOf<u32>(index.directory, g >> chunkShift), g & chunkMask);
}

@inline export function fingerprintOf(g: u32): u64 {
  return groupOf(g).fingerprint;
}

/** Returns the upper limit of group numbers, exclusive. */
export function recordsEnd(): u32 {
  return index.highest;
}

/** Returns true if a group record is in use. Unused records have no windows. */
@inline export function isInUse(g: u32): bool {
  return groupOf(g).count != 0;
}

@inline function rankOf(document: u32): u32 {
  return itemOf<u32>(index.ranks, document);
}

/** Returns the address of a group's windows, which are `LiveWindow` records. */
@inline export function windowsOf(group: LiveGroup): usize {
  return group.room ? group.windows : changetype<usize>(group) + offsetof<LiveGroup>('windows');
}

@inline export function firstWindow(group: LiveGroup): LiveWindow {
  return changetype<LiveWindow>(windowsOf(group));
}

@inline export function bucketOf(table: LiveTable, fingerprint: u64): Bucket {
  return itemOf<Bucket>(table.buckets, <u32>(((fingerprint & table.mask) * golden64) >> (64 - <u64>table.bits)));
}

// ---------------------------------------------------------------------------------------------------------------------
// Insertion and removal

/** Returns the bits of a fingerprint that are stored in the entries of a table. */
@inline export function checkOf(table: LiveTable, fingerprint: u64): u32 {
  return <u32>rotr(fingerprint, <u64>table.end);
}

function addTo(table: LiveTable, fingerprint: u64, g: u32): void {
  const bucket = bucketOf(table, fingerprint);
  const count = bucket.count;
  const room = bucket.room;
  if (count == room) {
    const larger = roomBehind(room);
    bucket.entries = moveList(bucket.entries, count, room, larger);
    bucket.room = larger;
  }
  const entry = itemOf<Entry>(bucket.entries, count);
  entry.group = g;
  entry.check = checkOf(table, fingerprint);
  bucket.count = count + 1;
}

function removeEntry(table: LiveTable, fingerprint: u64, g: u32): void {
  const bucket = bucketOf(table, fingerprint);
  const list = bucket.entries;
  const last = bucket.count - 1;
  let at: u32 = 0;
  while (itemOf<Entry>(list, at).group != g) at++;
  setItem<u64>(list, at, itemOf<u64>(list, last));
  bucket.count = last;
  const room = bucket.room;
  const smaller = roomFor(last, room);
  if (smaller == room) return;
  bucket.entries = moveList(list, last, room, smaller);
  bucket.room = smaller;
}

// Capacities of lists form a sequence in which each number is an eighth larger than the previous one. A list always has
// the smallest sufficient capacity, so its memory does not depend on how it was filled. An entry has 8 bytes.

/**
 * Returns the next larger capacity after `room` in the sequence of list capacities. If `room` is 0, returns the
 * smallest capacity.
 */
@inline export function roomBehind(room: u32): u32 {
  return <u32>(blockRoom(bytesOf<u64>(room + (room >> 3) + 1)) >> 3);
}

/** Returns the smallest sufficient capacity for `count` entries. `room` is a sufficient capacity. */
export function roomFor(count: u32, room: u32): u32 {
  // Keep the current capacity if the one before it in the sequence is too small.
  if (count > room - room / 9 - 1) return room;
  let capacity: u32 = 0;
  while (capacity < count) capacity = roomBehind(capacity);
  return capacity;
}

/**
 * Moves a list to a new block of memory with a different capacity, and returns its address. A list with the capacity 0
 * has no block, and the address 0.
 */
@inline function moveList(list: usize, count: u32, room: u32, other: u32): usize {
  return moveBlock(list, bytesOf<u64>(count), bytesOf<u64>(room), bytesOf<u64>(other));
}

/** Returns the number of the group of a fingerprint, or −1 if there is none. */
export function find(fingerprint: u64): i32 {
  const table = tableOf(0);
  const bucket = bucketOf(table, fingerprint);
  const check = checkOf(table, fingerprint);
  const list = bucket.entries;
  for (let at = list, end = addressAt<u64>(list, bucket.count); at < end; at += 8) {
    if (changetype<Entry>(at).check != check) continue;
    const g = changetype<Entry>(at).group;
    if (fingerprintOf(g) == fingerprint) return <i32>g;
  }
  return -1;
}

/** Takes a group record and returns its number. Its fields are not initialized. */
function createRecord(): u32 {
  let g = index.free;
  if (g) {
    g--;
    index.free = groupOf(g).room;
  } else {
    g = index.highest;
    if (!(g & chunkMask)) {
      const chunk = allocateBlock(offsetof<LiveGroup>() << chunkShift);
      setItem<u32>(index.directory, g >> chunkShift, <u32>chunk);
    }
    index.highest = g + 1;
  }
  index.groups++;
  return g;
}

function create(fingerprint: u64): u32 {
  const g = createRecord();
  const group = groupOf(g);
  group.fingerprint = fingerprint;
  group.count = 0;
  group.room = 0;
  for (let t: u32 = 0; t <= index.tableCount; t++) addTo(tableOf(t), fingerprint, g);
  return g;
}

/** Removes a group. Precondition: it has no windows. */
function drop(g: u32): void {
  const group = groupOf(g);
  const fingerprint = group.fingerprint;
  for (let t: u32 = 0; t <= index.tableCount; t++) removeEntry(tableOf(t), fingerprint, g);
  group.room = index.free;
  index.free = g + 1;
  index.groups--;
}

/** Returns true if the token at `posA` of a document comes before the token at `posB` of another or the same one. */
@inline export function isBefore(docA: u32, posA: u32, docB: u32, posB: u32): bool {
  return docA == docB ? posA < posB : rankOf(docA) < rankOf(docB);
}

function insertWindow(group: LiveGroup, document: u32, position: u32): void {
  const count = group.count;
  group.count = count + 1;
  if (!count) {
    writeWindow(firstWindow(group), document, position);
    return;
  }
  const room = group.room;
  let list = windowsOf(group);
  if (count >= room) {
    const larger = room ? roomBehind(room) : roomFor(count + 1, u32.MAX_VALUE);
    list = moveList(list, count, room, larger);
    group.windows = list;
    group.room = larger;
  }
  let at = addressAt<u64>(list, count);
  const last = itemOf<LiveWindow>(list, count - 1);
  if (isBefore(document, position, last.document, last.position)) {
    const place = placeOf(list, count - 1, document, position);
    at = addressAt<u64>(list, place);
    memory.copy(at + 8, at, bytesOf<u64>(count - place));
  }
  writeWindow(changetype<LiveWindow>(at), document, position);
}

@inline function writeWindow(window: LiveWindow, document: u32, position: u32): void {
  window.document = document;
  window.position = position;
}

/**
 * Returns the index of a group's first window in a document. If there is none, returns the index at which to insert it.
 */
export function firstIn(group: LiveGroup, document: u32): u32 {
  return placeOf(windowsOf(group), group.count, document, 0);
}

/** Returns the number of windows in a list that come before a token of a document. */
function placeOf(list: usize, count: u32, document: u32, position: u32): u32 {
  let low: u32 = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    const window = itemOf<LiveWindow>(list, middle);
    if (isBefore(window.document, window.position, document, position)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Adds the windows of a document. The caller passes the address of their first tokens, which are `stride` bytes apart,
 * and of their fingerprints.
 */
export function insertWindows(
  record: LiveIndex,
  document: u32,
  windows: usize,
  stride: u32,
  count: u32,
  fingerprints: usize,
): void {
  open(record);
  for (let w: u32 = 0; w < count; w++) {
    const fingerprint = itemOf<u64>(fingerprints, w);
    if (!fingerprint) continue;
    const found = find(fingerprint);
    const g = found < 0 ? create(fingerprint) : <u32>found;
    insertWindow(groupOf(g), document, load<u32>(windows + <usize>w * <usize>stride));
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Filling an empty index at once
//
// Inserting many windows one by one would take most of its time for looking up their fingerprints, and for growing the
// lists of the buckets. So the windows are sorted by fingerprint, and each group is written once. Then the entries of
// each table are counted, their lists are allocated once, and the entries are written in the order of the groups.

/**
 * Creates the groups [from, to) of sorted fingerprints (`groupEqual` in candidates.ts). Their entries must then be
 * added to the tables. Precondition: the index has no groups but the previous ones, and the rank of each document is
 * its number.
 *
 * @param ids  window numbers, sorted by fingerprint; `docs` and `positions` have the document and position of each
 */
export function fillGroups(
  record: LiveIndex,
  fingerprints: usize,
  firsts: usize,
  ids: usize,
  docs: usize,
  positions: usize,
  from: u32,
  to: u32,
): void {
  open(record);
  for (let g = from; g < to; g++) {
    const first = itemOf<u32>(firsts, g);
    const count = itemOf<u32>(firsts, g + 1) - first;
    // Allocate first. If there is no memory left, the index must not contain a group without its list.
    const room = count > 1 ? roomFor(count, u32.MAX_VALUE) : 0;
    const block: usize = room ? allocateBlock(bytesOf<u64>(room)) : 0;
    const group = groupOf(createRecord());
    group.fingerprint = itemOf<u64>(fingerprints, g);
    group.count = count;
    group.room = room;
    if (room) group.windows = block;
    const list = windowsOf(group);
    for (let i: u32 = 0; i < count; i++) {
      const window = itemOf<u32>(ids, first + i);
      writeWindow(itemOf<LiveWindow>(list, i), itemOf<u32>(docs, window), itemOf<u32>(positions, window));
    }
  }
}

/** Returns the upper limit of group numbers in an index, exclusive. */
export function liveGroups(record: LiveIndex): u32 {
  return record.highest;
}

/** Counts the entries of groups [from, to) in the buckets of a table. */
export function countEntries(record: LiveIndex, t: u32, from: u32, to: u32): void {
  open(record);
  const table = tableOf(t);
  for (let g = from; g < to; g++) bucketOf(table, fingerprintOf(g)).count++;
}

/** Allocates the lists of buckets [from, to) of a table for the counted entries. */
export function reserveEntries(record: LiveIndex, t: u32, from: u32, to: u32): void {
  open(record);
  const buckets = tableOf(t).buckets;
  for (let at = from; at < to; at++) {
    const bucket = itemOf<Bucket>(buckets, at);
    const count = bucket.count;
    if (!count) continue;
    const room = roomFor(count, u32.MAX_VALUE);
    bucket.entries = allocateBlock((<usize>room) << 3);
    bucket.room = room;
    bucket.count = 0;
  }
}

/** Adds the entries of groups [from, to) to a table. Precondition: their lists have been allocated. */
export function placeEntries(record: LiveIndex, t: u32, from: u32, to: u32): void {
  open(record);
  const table = tableOf(t);
  for (let g = from; g < to; g++) addTo(table, fingerprintOf(g), g);
}

/**
 * Returns the number of windows, up to `count`, that two lists have in common at their beginning: windows with the same
 * first token and fingerprint.
 */
export function equalWindows(
  windowsA: usize,
  strideA: u32,
  fingerprintsA: usize,
  windowsB: usize,
  strideB: u32,
  fingerprintsB: usize,
  count: u32,
): u32 {
  for (let w: u32 = 0; w < count; w++) {
    const a = load<u32>(windowsA + <usize>w * <usize>strideA),
      b = load<u32>(windowsB + <usize>w * <usize>strideB);
    if (a != b || itemOf<u64>(fingerprintsA, w) != itemOf<u64>(fingerprintsB, w)) return w;
  }
  return count;
}

/**
 * Removes the windows of a document from a token on, but keeps groups that become empty: a new version of the document
 * has mostly the same fingerprints, so the tables hardly change. `dropEmptyGroups` must be called before the next
 * search.
 *
 * @param fingerprints  fingerprints of the removed windows
 */
export function removeWindows(record: LiveIndex, document: u32, position: u32, count: u32, fingerprints: usize): void {
  open(record);
  for (let w: u32 = 0; w < count; w++) {
    const fingerprint = itemOf<u64>(fingerprints, w);
    if (!fingerprint) continue;
    const g = find(fingerprint);
    if (g < 0) continue;
    const group = groupOf(<u32>g);
    const windowCount = group.count;
    const list = windowsOf(group);
    const from = placeOf(list, windowCount, document, position);
    let to = from;
    while (to < windowCount && itemOf<LiveWindow>(list, to).document == document) to++;
    if (to - from == windowCount) {
      if (group.room) freeBlock(list, bytesOf<u64>(group.room));
      group.count = 0;
      group.room = 0;
      continue;
    }
    memory.copy(addressAt<u64>(list, from), addressAt<u64>(list, to), bytesOf<u64>(windowCount - to));
    const left = windowCount - (to - from);
    group.count = left;
    // A single window is stored in the record itself.
    const room = group.room;
    const smaller = left == 1 ? 0 : roomFor(left, room);
    if (smaller == room) continue;
    const first = load<u64>(list);
    const moved = moveList(list, left, room, smaller);
    group.room = smaller;
    if (smaller) group.windows = moved;
    else store<u64>(windowsOf(group), first);
  }
}

/** Removes the groups of the given fingerprints that are empty. */
export function dropEmptyGroups(record: LiveIndex, count: u32, fingerprints: usize): void {
  open(record);
  for (let w: u32 = 0; w < count; w++) {
    const fingerprint = itemOf<u64>(fingerprints, w);
    if (!fingerprint) continue;
    const g = find(fingerprint);
    if (g >= 0 && !isInUse(<u32>g)) drop(<u32>g);
  }
}
