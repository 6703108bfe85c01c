// Creates seeds from the live index: the seeds of a document, and the seeds between other documents that a change of
// this document affects.
import { Seed } from './seed';
import { bytesOf, itemOf, setItem } from '../records';
import { allocateBlock, freeBlock, moveBlock } from '../blocks';
import { linkEqual, overlap, writeSeed } from './equalWindows';
import { sort } from './fingerprintLists';
import {
  find,
  fingerprintOf,
  firstIn,
  firstWindow,
  groupOf,
  index,
  isBefore,
  LiveGroup,
  LiveWindow,
  open,
  windowsOf,
} from './liveIndex';
import { LiveIndex, LiveSearch } from './liveTables';
import { findNear, findWithin, isPartner, keepPartners } from './livePartners';

/** Adds the seed of two windows, unless the search omits it or they overlap. */
export function offer(a: LiveWindow, b: LiveWindow, bits: u32): void {
  const search = index.search;
  let docA = a.document,
    posA = a.position,
    docB = b.document,
    posB = b.position;
  if (<u32>(docA == search.wantedDocument || docB == search.wantedDocument) != search.wantedWith) return;
  if (isBefore(docB, posB, docA, posA)) {
    const document = docA,
      position = posA;
    docA = docB;
    posA = posB;
    docB = document;
    posB = position;
  }
  if (overlap(docA, posA, docB, posB, index.apart)) return;
  addSeed(docA, posA, docB, posB, bits);
}

export function addSeed(docA: u32, posA: u32, docB: u32, posB: u32, bits: u32): void {
  const search = index.search;
  const count = search.seedCount;
  if (count == search.seedRoom) {
    const room = max<u32>(1024, count << 1);
    const size = offsetof<Seed>();
    search.seeds = moveBlock(search.seeds, <usize>count * size, <usize>count * size, <usize>room * size);
    search.seedRoom = room;
  }
  writeSeed(itemOf<Seed>(search.seeds, count), docA, posA, docB, posB, bits);
  search.seedCount = count + 1;
}

/**
 * The list of a group's windows (liveIndex.ts), with the methods that `linkEqual` requires. It is at the address of the
 * windows.
 */
@unmanaged class WindowList {
  @inline at(i: u32): LiveWindow {
    return itemOf<LiveWindow>(changetype<usize>(this), i);
  }

  @inline documentOf(i: u32): u32 {
    return this.at(i).document;
  }

  @inline positionOf(i: u32): u32 {
    return this.at(i).position;
  }

  @inline link(a: u32, b: u32, bits: u32): void {
    offer(this.at(a), this.at(b), bits);
  }
}

/** Adds the seeds between windows of the same group. */
function offerEqual(group: LiveGroup): void {
  const windows = changetype<WindowList>(windowsOf(group));
  linkEqual(windows, 0, group.count, index.allPairs, index.apart);
}

/**
 * Adds the seeds between a group and its partners, which link their first windows. Precondition: the search
 * contains the groups near this one.
 */
function offerPartners(group: LiveGroup): void {
  const fingerprint = group.fingerprint;
  keepPartners(fingerprint);
  const search = index.search;
  for (let i: u32 = 0; i < search.nearCount; i++) {
    const other = groupOf(itemOf<u32>(search.near, i));
    offer(firstWindow(other), firstWindow(group), <u32>popcnt(fingerprint ^ other.fingerprint));
  }
}

export function dropLiveSearch(search: LiveSearch): void {
  if (search.nearRoom) freeBlock(search.near, bytesOf<u32>(search.nearRoom));
  if (search.seedRoom) freeBlock(search.seeds, <usize>search.seedRoom * offsetof<Seed>());
}

/** Adds all seeds that have a window in the given document. */
export function seedsWith(
  record: LiveIndex,
  document: u32,
  windows: usize,
  stride: u32,
  count: u32,
  fingerprints: usize,
): void {
  open(record);
  index.search.wantedDocument = document;
  index.search.wantedWith = 1;
  for (let w: u32 = 0; w < count; w++) {
    const fingerprint = itemOf<u64>(fingerprints, w);
    if (!fingerprint) continue;
    const g = <u32>find(fingerprint);
    const group = groupOf(g);
    const list = windowsOf(group);
    // Process each group only once: skip all windows of the group except its first one in the document.
    const first = firstIn(group, document);
    if (itemOf<LiveWindow>(list, first).position != load<u32>(windows + <usize>w * <usize>stride)) continue;
    if (group.count > 1) offerEqual(group);
    if (first == 0) offerAround(g, document);
  }
}

/**
 * Adds the seeds of a group whose first window is in the document, and the seeds of all groups linked to this group.
 */
function offerAround(g: u32, document: u32): void {
  const group = groupOf(g);
  const fingerprint = group.fingerprint;
  findNear(fingerprint);
  const count = index.search.nearCount;
  if (!count) return;
  // Copy the near groups, because searches in the loop overwrite them.
  const size = bytesOf<u32>(count);
  const others = allocateBlock(size);
  memory.copy(others, index.search.near, size);
  offerPartners(group);
  for (let i: u32 = 0; i < count; i++) {
    const h = itemOf<u32>(others, i);
    const other = groupOf(h);
    // If the first window of the other group is also in the document, the seed is added when that group is processed.
    if (other.fingerprint < fingerprint || firstWindow(other).document == document) continue;
    if (isPartner(g, h)) offer(firstWindow(group), firstWindow(other), <u32>popcnt(fingerprint ^ other.fingerprint));
  }
  freeBlock(others, size);
}

/**
 * Writes the fingerprints whose partners may have changed, which are the `changed` fingerprints and all fingerprints
 * near them. Returns their number. Fingerprints beyond `room` are counted, but not written.
 */
export function touchedFingerprints(record: LiveIndex, changed: usize, count: u32, out: usize, room: u32): u32 {
  open(record);
  const search = index.search;
  let n: u32 = 0;
  for (let c: u32 = 0; c < count; c++) {
    const fingerprint = itemOf<u64>(changed, c);
    if (n < room) setItem<u64>(out, n, fingerprint);
    n++;
    findNear(fingerprint);
    for (let i: u32 = 0; i < search.nearCount; i++) {
      const other = fingerprintOf(itemOf<u32>(search.near, i));
      if (other < fingerprint) continue;
      if (n < room) setItem<u64>(out, n, other);
      n++;
    }
  }
  if (n > room) return n;
  sort(out, n);
  let different: u32 = 0;
  for (let i: u32 = 0; i < n; i++) {
    const fingerprint = itemOf<u64>(out, i);
    if (i && fingerprint == itemOf<u64>(out, different - 1)) continue;
    setItem<u64>(out, different, fingerprint);
    different++;
  }
  return different;
}

/**
 * Adds the seeds without a window in a document that a change of this document may affect: seeds between windows of the
 * `changed` fingerprints, and seeds between the `touched` fingerprints and their partners.
 */
export function seedsWithout(
  record: LiveIndex,
  document: u32,
  changed: usize,
  changedCount: u32,
  touched: usize,
  touchedCount: u32,
): void {
  open(record);
  index.search.wantedDocument = document;
  index.search.wantedWith = 0;
  for (let i: u32 = 0; i < changedCount; i++) {
    const g = find(itemOf<u64>(changed, i));
    if (g >= 0) offerEqual(groupOf(<u32>g));
  }
  for (let i: u32 = 0; i < touchedCount; i++) {
    const fingerprint = itemOf<u64>(touched, i);
    const g = find(fingerprint);
    if (g < 0) continue;
    findNear(fingerprint);
    offerPartners(groupOf(<u32>g));
  }
}

/**
 * Adds the seeds of a text that is not in the index: all pairs of a window of the text and a window of the index within
 * `distance`. This distance may be greater than that of the index. Of the windows with the same fingerprint, only the
 * first `maxLinks` by rank are linked.
 *
 * @param document  document number for the text; it is the first document of each seed
 * @returns number of windows that were skipped
 */
export function seedsOfText(
  record: LiveIndex,
  document: u32,
  windows: usize,
  stride: u32,
  count: u32,
  fingerprints: usize,
  distance: u32,
  maxLinks: u32,
): u32 {
  open(record);
  const search = index.search;
  let leftOut: u32 = 0;
  for (let w: u32 = 0; w < count; w++) {
    const fingerprint = itemOf<u64>(fingerprints, w);
    if (!fingerprint) continue;
    const position = load<u32>(windows + <usize>w * <usize>stride);
    const equal = find(fingerprint);
    if (equal >= 0) leftOut += linkAll(document, position, <u32>equal, 0, maxLinks);
    findWithin(fingerprint, distance);
    for (let i: u32 = 0; i < search.nearCount; i++) {
      const g = itemOf<u32>(search.near, i);
      leftOut += linkAll(document, position, g, <u32>popcnt(fingerprint ^ fingerprintOf(g)), maxLinks);
    }
  }
  return leftOut;
}

/**
 * Lists the windows whose fingerprints are equal or near to those in an index of some texts. Writes their fingerprints
 * and first tokens. Returns their number.
 *
 * @param text  index of the texts' windows, with the distance of the search
 */
export function windowsNear(
  text: LiveIndex,
  windows: usize,
  stride: u32,
  count: u32,
  fingerprints: usize,
  nearFingerprints: usize,
  positions: usize,
): u32 {
  open(text);
  let near: u32 = 0;
  for (let w: u32 = 0; w < count; w++) {
    const fingerprint = itemOf<u64>(fingerprints, w);
    if (!fingerprint) continue;
    if (find(fingerprint) < 0) {
      findNear(fingerprint);
      if (!index.search.nearCount) continue;
    }
    setItem<u64>(nearFingerprints, near, fingerprint);
    setItem<u32>(positions, near, load<u32>(windows + <usize>w * <usize>stride));
    near++;
  }
  return near;
}

/** Adds a seed for each of a group's windows, up to `maxLinks`. Returns the number of skipped windows. */
function linkAll(document: u32, position: u32, g: u32, bits: u32, maxLinks: u32): u32 {
  const group = groupOf(g);
  const count = group.count;
  const list = windowsOf(group);
  const linked = min(count, maxLinks);
  for (let i: u32 = 0; i < linked; i++) {
    const window = itemOf<LiveWindow>(list, i);
    addSeed(document, position, window.document, window.position, bits);
  }
  return count - linked;
}
