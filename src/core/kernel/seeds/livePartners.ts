// Near fingerprints in the live index, and the partners that a fingerprint is linked to: the same as the pairs of
// join.ts.
import { allocateBlock, freeBlock, moveBlock } from '../blocks';
import { sort } from './fingerprintLists';
import { bucketOf, checkOf, Entry, fingerprintOf, index, isInUse, recordsEnd, tableOf } from './liveIndex';

// Result of the last search for near groups.
export let near: usize = 0;
let nearRoom: u32 = 0;
export let nearCount: u32 = 0;
/** Number of queried fingerprints that have more partners than they are linked to. */
export let truncated: u32 = 0;

export function clearTruncated(): void {
  truncated = 0;
}

/** Writes the groups within the distance of a fingerprint, except equal ones, to `near`, each once. */
export function findNear(fingerprint: u64): void {
  const distance = index.distance;
  const tableCount = index.tableCount;
  nearCount = 0;
  for (let t: u32 = 1; t <= tableCount; t++) {
    const table = tableOf(t);
    const mask = table.mask;
    const bucket = bucketOf(table, fingerprint);
    const check = checkOf(table, fingerprint);
    const list = bucket.entries;
    for (let at = list, end = list + ((<usize>bucket.count) << 3); at < end; at += 8) {
      if (<u32>popcnt(changetype<Entry>(at).check ^ check) > distance) continue;
      const g = changetype<Entry>(at).group;
      const differing = fingerprint ^ fingerprintOf(g);
      if (<u32>popcnt(differing) > distance || !differing || differing & mask || foundBefore(differing, t)) continue;
      addNear(g);
    }
  }
}

@inline function addNear(g: u32): void {
  if (nearCount == nearRoom) growNear();
  store<u32>(near + ((<usize>nearCount) << 2), g);
  nearCount++;
}

@inline function foundBefore(differing: u64, t: u32): bool {
  for (let earlier: u32 = 1; earlier < t; earlier++) if (!(differing & tableOf(earlier).mask)) return true;
  return false;
}

function growNear(): void {
  const room = max<u32>(1024, nearRoom << 1);
  near = moveBlock(near, (<usize>nearCount) << 2, (<usize>nearRoom) << 2, (<usize>room) << 2);
  nearRoom = room;
}

/**
 * As `findNear`, within any distance. If the distance exceeds that of the index, at least one block differs in at most
 * `flips` bits (distance divided by the number of blocks). All such values of each block are looked up (multi-index
 * hashing: Norouzi, Punjani, Fleet 2012), or all groups are checked if there are fewer.
 */
export function findWithin(fingerprint: u64, distance: u32): void {
  if (distance <= index.distance) {
    findNear(fingerprint);
    keepWithin(fingerprint, distance);
    return;
  }
  nearCount = 0;
  const tableCount = index.tableCount;
  const flips = tableCount ? distance / tableCount : 0;
  if (!tableCount || lookUps(flips) > index.groups) {
    findAmongAll(fingerprint, distance);
    return;
  }
  for (let t: u32 = 1; t <= tableCount; t++)
    lookUp(fingerprint, fingerprint, t, tableOf(t).mask, flips, flips, distance);
}

/** Keeps the groups of `near` that differ in at most the given number of bits. */
function keepWithin(fingerprint: u64, distance: u32): void {
  let kept: u32 = 0;
  for (let i: u32 = 0; i < nearCount; i++) {
    const g = load<u32>(near + ((<usize>i) << 2));
    if (<u32>popcnt(fingerprint ^ fingerprintOf(g)) > distance) continue;
    store<u32>(near + ((<usize>kept) << 2), g);
    kept++;
  }
  nearCount = kept;
}

/** Approximate number of groups to check for each value of a block. */
const groupsOfValue: f64 = 16;

/**
 * Returns the approximate number of groups to check for all values of all blocks with at most the given number of
 * differing bits.
 */
function lookUps(flips: u32): u32 {
  let sum: f64 = 0;
  for (let t: u32 = 1; t <= index.tableCount; t++) {
    const width = <u32>popcnt(tableOf(t).mask);
    let values: f64 = 1;
    for (let i: u32 = 0; i <= flips && i <= width; i++) {
      sum += values * groupsOfValue;
      values *= <f64>(width - i) / <f64>(i + 1);
    }
  }
  return <u32>min<f64>(sum, <f64>u32.MAX_VALUE);
}

/** Looks up the value of block t in `probe`, and all values with up to `left` of the bits in `bits` changed. */
function lookUp(fingerprint: u64, probe: u64, t: u32, bits: u64, left: u32, flips: u32, distance: u32): void {
  const table = tableOf(t);
  const mask = table.mask;
  const bucket = bucketOf(table, probe);
  const check = checkOf(table, fingerprint);
  const list = bucket.entries;
  for (let at = list, end = list + ((<usize>bucket.count) << 3); at < end; at += 8) {
    if (<u32>popcnt(changetype<Entry>(at).check ^ check) > distance) continue;
    const g = changetype<Entry>(at).group;
    const other = fingerprintOf(g);
    const differing = fingerprint ^ other;
    // Other values may share the bucket.
    if (<u32>popcnt(differing) > distance || !differing || (other ^ probe) & mask || nearBefore(differing, t, flips))
      continue;
    addNear(g);
  }
  if (!left) return;
  for (let rest = bits; rest; rest &= rest - 1) {
    const lowest = rest & (~rest + 1);
    lookUp(fingerprint, probe ^ lowest, t, rest ^ lowest, left - 1, flips, distance);
  }
}

@inline function nearBefore(differing: u64, t: u32, flips: u32): bool {
  for (let earlier: u32 = 1; earlier < t; earlier++) {
    if (<u32>popcnt(differing & tableOf(earlier).mask) <= flips) return true;
  }
  return false;
}

function findAmongAll(fingerprint: u64, distance: u32): void {
  for (let g: u32 = 0, end = recordsEnd(); g < end; g++) {
    const differing = fingerprint ^ fingerprintOf(g);
    if (<u32>popcnt(differing) <= distance && differing && isInUse(g)) addNear(g);
  }
}

/**
 * Keeps the groups of `near` that the fingerprint is linked to: the nearest lesser ones, up to `partners`; of equally
 * near ones, the least.
 */
export function keepPartners(fingerprint: u64): void {
  const partners = index.partners;
  const lesser = keepLesser(fingerprint);
  if (lesser <= partners) return;
  truncated++;
  // Number of bits up to which all are kept, and number of groups to keep with one more bit.
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
    const g = load<u32>(near + ((<usize>i) << 2));
    const other = fingerprintOf(g);
    const bits = <u32>popcnt(fingerprint ^ other);
    if (bits > farthest || (bits == farthest && other > greatest)) continue;
    store<u32>(near + ((<usize>kept) << 2), g);
    kept++;
  }
  nearCount = kept;
}

/** Keeps the groups of `near` with lesser fingerprints, and returns their number. */
function keepLesser(fingerprint: u64): u32 {
  let kept: u32 = 0;
  for (let i: u32 = 0; i < nearCount; i++) {
    const g = load<u32>(near + ((<usize>i) << 2));
    if (fingerprintOf(g) > fingerprint) continue;
    store<u32>(near + ((<usize>kept) << 2), g);
    kept++;
  }
  nearCount = kept;
  return kept;
}

/** Returns the number of groups in `near` that differ in exactly the given number of bits. */
function countAt(fingerprint: u64, bits: u32): u32 {
  let count: u32 = 0;
  for (let i: u32 = 0; i < nearCount; i++) {
    if (<u32>popcnt(fingerprint ^ fingerprintOf(load<u32>(near + ((<usize>i) << 2)))) == bits) count++;
  }
  return count;
}

/**
 * Returns the fingerprint at position `rank` (from 1), ascending, of the groups in `near` that differ in exactly the
 * given number of bits.
 */
function leastAt(fingerprint: u64, bits: u32, rank: u32): u64 {
  const size = (<usize>nearCount) << 3;
  const list = allocateBlock(size);
  let count: u32 = 0;
  for (let i: u32 = 0; i < nearCount; i++) {
    const other = fingerprintOf(load<u32>(near + ((<usize>i) << 2)));
    if (<u32>popcnt(fingerprint ^ other) != bits) continue;
    store<u64>(list + ((<usize>count) << 3), other);
    count++;
  }
  sort(list, count);
  const found = load<u64>(list + ((<usize>(rank - 1)) << 3));
  freeBlock(list, size);
  return found;
}

/** Returns true if g, which is near h and has the lesser fingerprint, is one of its partners. */
export function isPartner(g: u32, h: u32): bool {
  const fingerprint = fingerprintOf(h);
  const partners = index.partners;
  findNear(fingerprint);
  if (nearCount <= partners) return true;
  const lesser = fingerprintOf(g);
  const bits = <u32>popcnt(fingerprint ^ lesser);
  let before: u32 = 0;
  for (let i: u32 = 0; i < nearCount; i++) {
    const other = fingerprintOf(load<u32>(near + ((<usize>i) << 2)));
    if (other > fingerprint) continue;
    const theirs = <u32>popcnt(fingerprint ^ other);
    if (theirs < bits || (theirs == bits && other < lesser)) before++;
  }
  return before < partners;
}
