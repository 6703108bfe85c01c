// The index that lives: the windows of one view of all documents by fingerprint, and tables to find near fingerprints
// (Manku, Jain, Das Sarma 2007, section 3, with one block more than the distance), kept while documents come and go.
// From it come the seeds that documents have now, the same as join.ts and candidates.ts make of all documents at once.
//
// Windows of one fingerprint are a group. Its record of 24 bytes:
//
//   fingerprint u64 | windows u32 | room u32 | document, or address of the list u32 | position u32
//
// A single window lies in the record (room 0); more are a list { document, position } by rank of document and position.
// A table has a bucket { address, count, room } for every value of a block of the fingerprint: of entries { group, check },
// where `check` is 32 bits of the fingerprint behind the block, so that most groups need not be looked at.
import { allocateBlock, blockRoom, freeBlock } from './blocks';

const groupBytes: usize = 24;
const chunkShift: u32 = 12;
const chunkMask: u32 = (1 << chunkShift) - 1;
const bucketBytes: usize = 12;
const tableBytes: usize = 24;

// The record of an index, 12 words. liveSeeds.ts writes the first seven.
const distanceAt: usize = 0;
const tableCountAt: usize = 4; // tables but the first, which has whole fingerprints
const partnersAt: usize = 8; // how many lesser near ones a fingerprint is linked to at most
const allPairsAt: usize = 12;
const apartAt: usize = 16;
const ranksAt: usize = 20; // for each document its place by path
const tablesAt: usize = 24; // { mask u64, end of the block, log2 of its buckets, buckets, - }, the first for whole fingerprints
const groupsAt: usize = 28; // how many there are
const highestAt: usize = 32; // records in use or free
const freeAt: usize = 36; // the first free record + 1; its room is the next one
const directoryAt: usize = 40; // addresses of chunks of 4,096 records

/** Bytes of the directory: room for 16,777,216 different fingerprints. */
const directoryBytes: usize = 4 << 12;

let index: usize = 0;
let ranks: usize = 0;
// The near groups last looked for.
let near: usize = 0;
let nearRoom: u32 = 0;
let nearCount: u32 = 0;
// How many of the fingerprints that were asked for their partners have more than they are linked to.
let crowded: u32 = 0;
// Seeds { docA, docB, posA | bits << 27, posB } that were asked for.
let seeds: usize = 0;
let seedRoom: u32 = 0;
let seedCount: u32 = 0;

export function liveIndexBytes(): usize {
  return 48;
}

/** Bytes of a table's record. */
export function liveTableBytes(): usize {
  return tableBytes;
}

/** Makes an index empty whose settings and tables are written. */
export function createLiveIndex(record: usize): void {
  store<u32>(record, 0, groupsAt);
  store<u32>(record, 0, highestAt);
  store<u32>(record, 0, freeAt);
  const directory = allocateBlock(directoryBytes);
  memory.fill(directory, 0, directoryBytes);
  store<u32>(record, <u32>directory, directoryAt);
  const tables = <usize>load<u32>(record, tablesAt);
  for (let t: u32 = 0; t <= load<u32>(record, tableCountAt); t++) {
    const table = tables + <usize>t * tableBytes;
    const size = bucketBytes << <usize>load<u32>(table, 12);
    const buckets = allocateBlock(size);
    memory.fill(buckets, 0, size);
    store<u32>(table, <u32>buckets, 16);
  }
}

/** Gives all memory of an index back but its record. */
export function dropLiveIndex(record: usize): void {
  open(record);
  for (let t: u32 = 0; t <= load<u32>(record, tableCountAt); t++) {
    const table = tableOf(t);
    const size = bucketBytes << <usize>load<u32>(table, 12);
    const buckets = <usize>load<u32>(table, 16);
    for (let bucket = buckets; bucket < buckets + size; bucket += bucketBytes) {
      if (load<u32>(bucket, 8)) freeBlock(<usize>load<u32>(bucket), <usize>load<u32>(bucket, 8) << 3);
    }
    freeBlock(buckets, size);
  }
  const highest = load<u32>(record, highestAt);
  const directory = <usize>load<u32>(record, directoryAt);
  for (let g: u32 = 0; g < highest; g++) {
    const group = groupOf(g);
    if (load<u32>(group, 8) && load<u32>(group, 12)) freeBlock(<usize>load<u32>(group, 16), <usize>load<u32>(group, 12) << 3);
  }
  for (let chunk: u32 = 0; chunk << chunkShift < highest; chunk++) {
    freeBlock(<usize>load<u32>(directory + (<usize>chunk << 2)), groupBytes << chunkShift);
  }
  freeBlock(directory, directoryBytes);
}

/** Different fingerprints in an index. */
export function liveFingerprints(record: usize): u32 {
  return load<u32>(record, groupsAt);
}

function open(record: usize): void {
  index = record;
  ranks = <usize>load<u32>(record, ranksAt);
}

@inline function tableOf(t: u32): usize {
  return <usize>load<u32>(index, tablesAt) + <usize>t * tableBytes;
}

@inline function groupOf(g: u32): usize {
  const directory = <usize>load<u32>(index, directoryAt);
  return <usize>load<u32>(directory + (<usize>(g >> chunkShift) << 2)) + <usize>(g & chunkMask) * groupBytes;
}

@inline function fingerprintOf(g: u32): u64 {
  return load<u64>(groupOf(g));
}

@inline function rankOf(document: u32): u32 {
  return load<u32>(ranks + (<usize>document << 2));
}

/** Where the windows of a group lie, { document, position } each. */
@inline function windowsOf(group: usize): usize {
  return load<u32>(group, 12) ? <usize>load<u32>(group, 16) : group + 16;
}

@inline function bucketOf(table: usize, fingerprint: u64): usize {
  const key = (fingerprint & load<u64>(table)) * 0x9e3779b97f4a7c15;
  return <usize>load<u32>(table, 16) + <usize>(key >> (64 - <u64>load<u32>(table, 12))) * bucketBytes;
}

// ---------------------------------------------------------------------------------------------------------------------
// Coming and going

/** The bits of a fingerprint that an entry of a table repeats. */
@inline function checkOf(table: usize, fingerprint: u64): u32 {
  return <u32>rotr(fingerprint, <u64>load<u32>(table, 8));
}

function addTo(table: usize, fingerprint: u64, g: u32): void {
  const bucket = bucketOf(table, fingerprint);
  const count = load<u32>(bucket, 4);
  const room = load<u32>(bucket, 8);
  if (count == room) {
    const larger = roomBehind(room);
    store<u32>(bucket, <u32>moveList(<usize>load<u32>(bucket), count, room, larger));
    store<u32>(bucket, larger, 8);
  }
  const entry = <usize>load<u32>(bucket) + (<usize>count << 3);
  store<u32>(entry, g);
  store<u32>(entry, checkOf(table, fingerprint), 4);
  store<u32>(bucket, count + 1, 4);
}

function takeFrom(table: usize, fingerprint: u64, g: u32): void {
  const bucket = bucketOf(table, fingerprint);
  const list = <usize>load<u32>(bucket);
  const last = load<u32>(bucket, 4) - 1;
  let at: u32 = 0;
  while (load<u32>(list + (<usize>at << 3)) != g) at++;
  store<u64>(list + (<usize>at << 3), load<u64>(list + (<usize>last << 3)));
  store<u32>(bucket, last, 4);
  const room = load<u32>(bucket, 8);
  const smaller = roomFor(last, room);
  if (smaller == room) return;
  store<u32>(bucket, <u32>moveList(list, last, room, smaller));
  store<u32>(bucket, smaller, 8);
}

// Lists of 8 bytes an entry have rooms of one sequence, each an eighth larger than the one before, and always the least one
// that their entries fit in: so what they take does not depend on what they once were.

/** The room behind one in the sequence, the first behind 0. */
@inline function roomBehind(room: u32): u32 {
  return <u32>(blockRoom(<usize>(room + (room >> 3) + 1) << 3) >> 3);
}

/** The least room for so many entries, of those up to the room they have. */
function roomFor(count: u32, room: u32): u32 {
  // The one before is not larger than that.
  if (count > room - room / 9 - 1) return room;
  let least: u32 = 0;
  while (least < count) least = roomBehind(least);
  return least;
}

/** Moves a list to other room, and returns where it is; rooms of 0 are nowhere. */
function moveList(list: usize, count: u32, room: u32, other: u32): usize {
  let moved: usize = 0;
  if (other) {
    moved = allocateBlock(<usize>other << 3);
    memory.copy(moved, list, <usize>count << 3);
  }
  if (room) freeBlock(list, <usize>room << 3);
  return moved;
}

/** The group of a fingerprint, or −1. */
function find(fingerprint: u64): i32 {
  const table = tableOf(0);
  const bucket = bucketOf(table, fingerprint);
  const check = checkOf(table, fingerprint);
  const list = <usize>load<u32>(bucket);
  for (let at = list, end = list + (<usize>load<u32>(bucket, 4) << 3); at < end; at += 8) {
    if (load<u32>(at, 4) != check) continue;
    const g = load<u32>(at);
    if (fingerprintOf(g) == fingerprint) return <i32>g;
  }
  return -1;
}

function create(fingerprint: u64): u32 {
  let g = load<u32>(index, freeAt);
  if (g) {
    g--;
    store<u32>(index, load<u32>(groupOf(g), 12), freeAt);
  } else {
    g = load<u32>(index, highestAt);
    if (!(g & chunkMask)) {
      const chunk = allocateBlock(groupBytes << chunkShift);
      store<u32>(<usize>load<u32>(index, directoryAt) + (<usize>(g >> chunkShift) << 2), <u32>chunk);
    }
    store<u32>(index, g + 1, highestAt);
  }
  const group = groupOf(g);
  store<u64>(group, fingerprint);
  store<u64>(group, 0, 8);
  for (let t: u32 = 0; t <= load<u32>(index, tableCountAt); t++) addTo(tableOf(t), fingerprint, g);
  store<u32>(index, load<u32>(index, groupsAt) + 1, groupsAt);
  return g;
}

function drop(g: u32): void {
  const group = groupOf(g);
  const fingerprint = load<u64>(group);
  for (let t: u32 = 0; t <= load<u32>(index, tableCountAt); t++) takeFrom(tableOf(t), fingerprint, g);
  if (load<u32>(group, 12)) freeBlock(<usize>load<u32>(group, 16), <usize>load<u32>(group, 12) << 3);
  store<u32>(group, 0, 8);
  store<u32>(group, load<u32>(index, freeAt), 12);
  store<u32>(index, g + 1, freeAt);
  store<u32>(index, load<u32>(index, groupsAt) - 1, groupsAt);
}

@inline function isBefore(document: u32, position: u32, other: usize): bool {
  const theirs = load<u32>(other);
  return document == theirs ? position < load<u32>(other, 4) : rankOf(document) < rankOf(theirs);
}

function insertWindow(group: usize, document: u32, position: u32): void {
  const count = load<u32>(group, 8);
  store<u32>(group, count + 1, 8);
  if (!count) {
    store<u32>(group, document, 16);
    store<u32>(group, position, 20);
    return;
  }
  const room = load<u32>(group, 12);
  let list = windowsOf(group);
  if (count >= room) {
    const larger = room ? roomBehind(room) : roomFor(count + 1, u32.MAX_VALUE);
    list = moveList(list, count, room, larger);
    store<u32>(group, <u32>list, 16);
    store<u32>(group, larger, 12);
  }
  let at = list + (<usize>count << 3);
  if (isBefore(document, position, at - 8)) {
    let low: u32 = 0;
    let high = count - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBefore(document, position, list + (<usize>middle << 3))) high = middle;
      else low = middle + 1;
    }
    at = list + (<usize>low << 3);
    memory.copy(at + 8, at, <usize>(count - low) << 3);
  }
  store<u32>(at, document);
  store<u32>(at, position, 4);
}

/** The first window of a group that is in a document, or the place where it would be. */
function firstIn(group: usize, document: u32): u32 {
  const list = windowsOf(group);
  const rank = rankOf(document);
  let low: u32 = 0;
  let high = load<u32>(group, 8);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rankOf(load<u32>(list + (<usize>middle << 3))) < rank) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Takes the windows of a document in: their first tokens every `stride` bytes, and their fingerprints. */
export function insertWindows(record: usize, document: u32, windows: usize, stride: u32, count: u32, fingerprints: usize): void {
  open(record);
  for (let w: u32 = 0; w < count; w++) {
    const fingerprint = load<u64>(fingerprints + (<usize>w << 3));
    if (!fingerprint) continue;
    const found = find(fingerprint);
    const g = found < 0 ? create(fingerprint) : <u32>found;
    insertWindow(groupOf(g), document, load<u32>(windows + <usize>w * <usize>stride));
  }
}

/** Takes the windows of a document out. */
export function removeWindows(record: usize, document: u32, count: u32, fingerprints: usize): void {
  open(record);
  for (let w: u32 = 0; w < count; w++) {
    const fingerprint = load<u64>(fingerprints + (<usize>w << 3));
    if (!fingerprint) continue;
    const g = find(fingerprint);
    if (g < 0) continue;
    const group = groupOf(<u32>g);
    const windowCount = load<u32>(group, 8);
    const list = windowsOf(group);
    const from = firstIn(group, document);
    let to = from;
    while (to < windowCount && load<u32>(list + (<usize>to << 3)) == document) to++;
    if (to - from == windowCount) {
      drop(<u32>g);
      continue;
    }
    memory.copy(list + (<usize>from << 3), list + (<usize>to << 3), <usize>(windowCount - to) << 3);
    const left = windowCount - (to - from);
    store<u32>(group, left, 8);
    // A single window lies in the record.
    const room = load<u32>(group, 12);
    const smaller = left == 1 ? 0 : roomFor(left, room);
    if (smaller == room) continue;
    const first = load<u64>(list);
    const moved = moveList(list, left, room, smaller);
    if (smaller) store<u32>(group, <u32>moved, 16);
    else store<u64>(group, first, 16);
    store<u32>(group, smaller, 12);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Near fingerprints

/** Puts the groups into `near` that are within the distance of a fingerprint but not equal to it, each once. */
function findNear(fingerprint: u64): void {
  const distance = load<u32>(index, distanceAt);
  const tableCount = load<u32>(index, tableCountAt);
  nearCount = 0;
  for (let t: u32 = 1; t <= tableCount; t++) {
    const table = tableOf(t);
    const mask = load<u64>(table);
    const bucket = bucketOf(table, fingerprint);
    const check = checkOf(table, fingerprint);
    const list = <usize>load<u32>(bucket);
    for (let at = list, end = list + (<usize>load<u32>(bucket, 4) << 3); at < end; at += 8) {
      if (<u32>popcnt(load<u32>(at, 4) ^ check) > distance) continue;
      const g = load<u32>(at);
      const differing = fingerprint ^ fingerprintOf(g);
      if (<u32>popcnt(differing) > distance || !differing || differing & mask || foundBefore(differing, t)) continue;
      if (nearCount == nearRoom) growNear();
      store<u32>(near + (<usize>nearCount << 2), g);
      nearCount++;
    }
  }
}

@inline function foundBefore(differing: u64, t: u32): bool {
  for (let earlier: u32 = 1; earlier < t; earlier++) if (!(differing & load<u64>(tableOf(earlier)))) return true;
  return false;
}

function growNear(): void {
  const room = max<u32>(1024, nearRoom << 1);
  const list = allocateBlock(<usize>room << 2);
  if (nearRoom) {
    memory.copy(list, near, <usize>nearCount << 2);
    freeBlock(near, <usize>nearRoom << 2);
  }
  near = list;
  nearRoom = room;
}

/**
 * Keeps of `near` those that the fingerprint is linked to: the nearest lesser ones, up to `partners`, of equally near ones
 * the least.
 */
function keepPartners(fingerprint: u64): void {
  const partners = load<u32>(index, partnersAt);
  const lesser = keepLesser(fingerprint);
  if (lesser <= partners) return;
  crowded++;
  // The bits up to which all are kept, and how many of one bit more.
  let farthest: u32 = 0;
  let atFarthest = partners;
  for (;;) {
    const these = countAt(fingerprint, farthest);
    if (these >= atFarthest) break;
    atFarthest -= these;
    farthest++;
  }
  const greatest = leastAt(fingerprint, farthest, atFarthest);
  let kept: u32 = 0;
  for (let i: u32 = 0; i < nearCount; i++) {
    const g = load<u32>(near + (<usize>i << 2));
    const other = fingerprintOf(g);
    const bits = <u32>popcnt(fingerprint ^ other);
    if (bits > farthest || (bits == farthest && other > greatest)) continue;
    store<u32>(near + (<usize>kept << 2), g);
    kept++;
  }
  nearCount = kept;
}

/** Keeps of `near` those with lesser fingerprints, and returns how many they are. */
function keepLesser(fingerprint: u64): u32 {
  let kept: u32 = 0;
  for (let i: u32 = 0; i < nearCount; i++) {
    const g = load<u32>(near + (<usize>i << 2));
    if (fingerprintOf(g) > fingerprint) continue;
    store<u32>(near + (<usize>kept << 2), g);
    kept++;
  }
  nearCount = kept;
  return kept;
}

/** How many of `near` differ in so many bits. */
function countAt(fingerprint: u64, bits: u32): u32 {
  let count: u32 = 0;
  for (let i: u32 = 0; i < nearCount; i++) {
    if (<u32>popcnt(fingerprint ^ fingerprintOf(load<u32>(near + (<usize>i << 2)))) == bits) count++;
  }
  return count;
}

/** The fingerprint at place `rank`, from 1 on, of those of `near` that differ in so many bits, ascending. */
function leastAt(fingerprint: u64, bits: u32, rank: u32): u64 {
  const size = <usize>nearCount << 3;
  const list = allocateBlock(size);
  let count: u32 = 0;
  for (let i: u32 = 0; i < nearCount; i++) {
    const other = fingerprintOf(load<u32>(near + (<usize>i << 2)));
    if (<u32>popcnt(fingerprint ^ other) != bits) continue;
    store<u64>(list + (<usize>count << 3), other);
    count++;
  }
  sort(list, count);
  const found = load<u64>(list + (<usize>(rank - 1) << 3));
  freeBlock(list, size);
  return found;
}

// ---------------------------------------------------------------------------------------------------------------------
// Seeds

/** Which seeds are wanted: those with a window in `wantedDocument`, or those without. */
let wantedDocument: u32 = 0;
let wantedWith: bool = false;

function offer(a: usize, b: usize, bits: u32): void {
  let docA = load<u32>(a), posA = load<u32>(a, 4), docB = load<u32>(b), posB = load<u32>(b, 4);
  if ((docA == wantedDocument || docB == wantedDocument) != wantedWith) return;
  if (docA == docB ? posA > posB : rankOf(docA) > rankOf(docB)) {
    const document = docA, position = posA;
    docA = docB; posA = posB;
    docB = document; posB = position;
  }
  if (docA == docB && posB - posA < load<u32>(index, apartAt)) return;
  if (seedCount == seedRoom) {
    const room = max<u32>(1024, seedRoom << 1);
    const list = allocateBlock(<usize>room << 4);
    if (seedRoom) {
      memory.copy(list, seeds, <usize>seedCount << 4);
      freeBlock(seeds, <usize>seedRoom << 4);
    }
    seeds = list;
    seedRoom = room;
  }
  const record = seeds + (<usize>seedCount << 4);
  seedCount++;
  store<u32>(record, docA);
  store<u32>(record, docB, 4);
  store<u32>(record, posA | (bits << 27), 8);
  store<u32>(record, posB, 12);
}

/** The seeds among the windows of a group: see `seedEqual`. */
function offerEqual(group: usize): void {
  const count = load<u32>(group, 8);
  const list = windowsOf(group);
  const few = count <= load<u32>(index, allPairsAt);
  const apart = load<u32>(index, apartAt);
  let own: u32 = 0;
  let clear: u32 = 0;
  for (let b: u32 = 1; b < count; b++) {
    const window = list + (<usize>b << 3);
    if (load<u32>(window) != load<u32>(list + (<usize>own << 3))) {
      own = clear = b;
      if (!few) {
        offer(list, window, 0);
        if (b > 1) offer(window - 8, window, 0);
      }
    }
    if (few) for (let a: u32 = 0; a < own; a++) offer(list + (<usize>a << 3), window, 0);
    while (clear < b && load<u32>(window, 4) - load<u32>(list + (<usize>clear << 3), 4) >= apart) clear++;
    if (clear > own) offer(list + (<usize>(clear - 1) << 3), window, 0);
  }
}

/** The seeds of a group and its partners, whose first windows are linked. */
function offerPartners(g: u32): void {
  const group = groupOf(g);
  const fingerprint = load<u64>(group);
  findNear(fingerprint);
  keepPartners(fingerprint);
  for (let i: u32 = 0; i < nearCount; i++) {
    const other = groupOf(load<u32>(near + (<usize>i << 2)));
    offer(windowsOf(other), windowsOf(group), <u32>popcnt(fingerprint ^ load<u64>(other)));
  }
}

/** Forgets the seeds that were asked for, to begin anew. */
export function clearSeeds(): void {
  seedCount = 0;
  crowded = 0;
}

export function seedsAddress(): usize {
  return seeds;
}

export function seedsCount(): u32 {
  return seedCount;
}

/**
 * How many of the `touched` fingerprints that `seedsWithout` was asked about have more partners than they are linked to,
 * since the seeds were cleared.
 */
export function crowdedCount(): u32 {
  return crowded;
}

/** Adds all seeds that have a window in a document. */
export function seedsWith(record: usize, document: u32, windows: usize, stride: u32, count: u32, fingerprints: usize): void {
  open(record);
  wantedDocument = document;
  wantedWith = true;
  for (let w: u32 = 0; w < count; w++) {
    const fingerprint = load<u64>(fingerprints + (<usize>w << 3));
    if (!fingerprint) continue;
    const g = <u32>find(fingerprint);
    const group = groupOf(g);
    const list = windowsOf(group);
    // Each group once: at its first window in the document.
    const first = firstIn(group, document);
    if (load<u32>(list + (<usize>first << 3), 4) != load<u32>(windows + <usize>w * <usize>stride)) continue;
    if (load<u32>(group, 8) > 1) offerEqual(group);
    if (first == 0) offerAround(g, document);
  }
}

/** The seeds of a group, whose first window is in the document, and all groups linked to it. */
function offerAround(g: u32, document: u32): void {
  const group = groupOf(g);
  const fingerprint = load<u64>(group);
  findNear(fingerprint);
  if (!nearCount) return;
  // The near ones are looked at one by one, for which `near` is needed again.
  const count = nearCount;
  const size = <usize>count << 2;
  const others = allocateBlock(size);
  memory.copy(others, near, size);
  offerPartners(g);
  for (let i: u32 = 0; i < count; i++) {
    const h = load<u32>(others + (<usize>i << 2));
    const other = groupOf(h);
    // Where the other's first window is in the document as well, it tells of its partners itself.
    if (load<u64>(other) < fingerprint || load<u32>(windowsOf(other)) == document) continue;
    if (isPartner(g, h)) offer(windowsOf(group), windowsOf(other), <u32>popcnt(fingerprint ^ load<u64>(other)));
  }
  freeBlock(others, size);
}

/** Whether g, which is near to h and has the lesser fingerprint, is among its partners. */
function isPartner(g: u32, h: u32): bool {
  const fingerprint = fingerprintOf(h);
  const partners = load<u32>(index, partnersAt);
  findNear(fingerprint);
  if (nearCount <= partners) return true;
  const lesser = fingerprintOf(g);
  const bits = <u32>popcnt(fingerprint ^ lesser);
  let before: u32 = 0;
  for (let i: u32 = 0; i < nearCount; i++) {
    const other = fingerprintOf(load<u32>(near + (<usize>i << 2)));
    if (other > fingerprint) continue;
    const theirs = <u32>popcnt(fingerprint ^ other);
    if (theirs < bits || (theirs == bits && other < lesser)) before++;
  }
  return before < partners;
}

/**
 * The fingerprints whose windows change in number when one list of fingerprints takes the place of another, ascending.
 * `scratch` has 8 bytes for each of both, `out` as many; 0 in a list counts as nothing. Returns how many.
 */
export function changedFingerprints(before: usize, beforeCount: u32, after: usize, afterCount: u32, scratch: usize, out: usize): u32 {
  const a = scratch;
  const aCount = sortedCopy(before, beforeCount, a);
  const b = scratch + (<usize>beforeCount << 3);
  const bCount = sortedCopy(after, afterCount, b);
  let n: u32 = 0;
  for (let i: u32 = 0, j: u32 = 0; i < aCount || j < bCount; ) {
    const x = i < aCount ? load<u64>(a + (<usize>i << 3)) : u64.MAX_VALUE;
    const y = j < bCount ? load<u64>(b + (<usize>j << 3)) : u64.MAX_VALUE;
    const least = i == aCount ? y : j == bCount ? x : min(x, y);
    const i0 = i, j0 = j;
    while (i < aCount && load<u64>(a + (<usize>i << 3)) == least) i++;
    while (j < bCount && load<u64>(b + (<usize>j << 3)) == least) j++;
    if (i - i0 == j - j0) continue;
    store<u64>(out + (<usize>n << 3), least);
    n++;
  }
  return n;
}

function sortedCopy(from: usize, count: u32, to: usize): u32 {
  let n: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const fingerprint = load<u64>(from + (<usize>i << 3));
    if (!fingerprint) continue;
    store<u64>(to + (<usize>n << 3), fingerprint);
    n++;
  }
  sort(to, n);
  return n;
}

/** Heapsort (Williams 1964): in place, and never slow. */
function sort(list: usize, n: u32): void {
  for (let i = n >> 1; i-- > 0; ) sift(list, i, n);
  for (let end = n; end-- > 1; ) {
    const last = load<u64>(list + (<usize>end << 3));
    store<u64>(list + (<usize>end << 3), load<u64>(list));
    store<u64>(list, last);
    sift(list, 0, end);
  }
}

function sift(list: usize, start: u32, n: u32): void {
  const value = load<u64>(list + (<usize>start << 3));
  let at = start;
  for (;;) {
    let child = (at << 1) + 1;
    if (child >= n) break;
    if (child + 1 < n && load<u64>(list + (<usize>(child + 1) << 3)) > load<u64>(list + (<usize>child << 3))) child++;
    const greater = load<u64>(list + (<usize>child << 3));
    if (greater <= value) break;
    store<u64>(list + (<usize>at << 3), greater);
    at = child;
  }
  store<u64>(list + (<usize>at << 3), value);
}

/**
 * The fingerprints whose partners may change with the `changed` ones: these, and all that are near to one of them. Returns
 * how many; those past `room` are counted, not written.
 */
export function touchedFingerprints(record: usize, changed: usize, count: u32, out: usize, room: u32): u32 {
  open(record);
  let n: u32 = 0;
  for (let c: u32 = 0; c < count; c++) {
    const fingerprint = load<u64>(changed + (<usize>c << 3));
    if (n < room) store<u64>(out + (<usize>n << 3), fingerprint);
    n++;
    findNear(fingerprint);
    for (let i: u32 = 0; i < nearCount; i++) {
      const other = fingerprintOf(load<u32>(near + (<usize>i << 2)));
      if (other < fingerprint) continue;
      if (n < room) store<u64>(out + (<usize>n << 3), other);
      n++;
    }
  }
  if (n > room) return n;
  sort(out, n);
  let different: u32 = 0;
  for (let i: u32 = 0; i < n; i++) {
    const fingerprint = load<u64>(out + (<usize>i << 3));
    if (i && fingerprint == load<u64>(out + (<usize>(different - 1) << 3))) continue;
    store<u64>(out + (<usize>different << 3), fingerprint);
    different++;
  }
  return different;
}

/**
 * Adds the seeds, of all that a change of one document may bring or take, that have no window in it: those among windows
 * of the `changed` fingerprints, and those of the `touched` ones and their partners.
 */
export function seedsWithout(record: usize, document: u32, changed: usize, changedCount: u32, touched: usize, touchedCount: u32): void {
  open(record);
  wantedDocument = document;
  wantedWith = false;
  for (let i: u32 = 0; i < changedCount; i++) {
    const g = find(load<u64>(changed + (<usize>i << 3)));
    if (g >= 0) offerEqual(groupOf(<u32>g));
  }
  for (let i: u32 = 0; i < touchedCount; i++) {
    const g = find(load<u64>(touched + (<usize>i << 3)));
    if (g >= 0) offerPartners(<u32>g);
  }
}
