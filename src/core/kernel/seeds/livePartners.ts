// Finds near fingerprints in the live index, and selects those to which a fingerprint is linked (its partners). The
// resulting pairs are the same as those of join.ts.
import { allocateBlock, freeBlock, moveBlock } from '../blocks';
import { sort } from './fingerprintLists';
import { keepNearest } from './join';
import { bucketOf, checkOf, Entry, find, fingerprintOf, index, isInUse, recordsEnd, tableOf } from './liveIndex';
import { LiveSearch } from './liveTables';
import { lesserOf, pairOf } from './nearPairs';
import { addressAt, bytesOf, itemOf, setItem } from '../records';

/**
 * Finds the groups whose fingerprint differs from the given one, but is within the distance of the index. Writes each
 * of them to `near` once.
 */
export function findNear(fingerprint: u64): void {
  index.search.nearCount = 0;
  lookUpAll(fingerprint, 0, index.distance);
}

@inline export function addNear(g: u32): void {
  const search = index.search;
  if (search.nearCount == search.nearRoom) growNear(search);
  setItem<u32>(search.near, search.nearCount, g);
  search.nearCount++;
}

function growNear(search: LiveSearch): void {
  const room = max<u32>(1024, search.nearRoom << 1);
  search.near = moveBlock(
    search.near,
    bytesOf<u32>(search.nearCount),
    bytesOf<u32>(search.nearRoom),
    bytesOf<u32>(room),
  );
  search.nearRoom = room;
}

/**
 * Same as `findNear`, for any distance. If the distance is greater than that of the index, near fingerprints may differ
 * in every block. But at least one block differs in at most `flips` bits, which is the distance divided by the number
 * of blocks. For each block, all values with so few differing bits are looked up (multi-index hashing: Norouzi,
 * Punjani, Fleet 2012). If this would be more work than comparing all groups, compares all groups instead.
 */
export function findWithin(fingerprint: u64, distance: u32): void {
  index.search.nearCount = 0;
  const tableCount = index.tableCount;
  const flips = distance <= index.distance || !tableCount ? 0 : distance / tableCount;
  if (distance > index.distance && (!tableCount || groupsToCheck(flips) > index.groups))
    findAmongAll(fingerprint, distance);
  else lookUpAll(fingerprint, flips, distance);
}

/** Looks up all values of each block that differ from the fingerprint in up to `flips` bits of the block. */
function lookUpAll(fingerprint: u64, flips: u32, distance: u32): void {
  for (let t: u32 = 1; t <= index.tableCount; t++)
    lookUp(fingerprint, fingerprint, t, tableOf(t).mask, flips, flips, distance);
}

/** Approximate number of groups to check for one value of a block. */
const groupsOfValue: f64 = 16;

/**
 * Returns the approximate number of groups to check if, for each block, all values with at most `flips` differing bits
 * are looked up.
 */
function groupsToCheck(flips: u32): u32 {
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

/**
 * In the table of block t, looks up `probe`, and all values that differ from it in up to `left` of the bits in `bits`.
 */
function lookUp(fingerprint: u64, probe: u64, t: u32, bits: u64, left: u32, flips: u32, distance: u32): void {
  const table = tableOf(t);
  const mask = table.mask;
  const bucket = bucketOf(table, probe);
  const check = checkOf(table, fingerprint);
  const list = bucket.entries;
  for (let at = list, end = addressAt<u64>(list, bucket.count); at < end; at += 8) {
    if (<u32>popcnt(changetype<Entry>(at).check ^ check) > distance) continue;
    const g = changetype<Entry>(at).group;
    const other = fingerprintOf(g);
    const differing = fingerprint ^ other;
    // A bucket may have entries with other values of the block, too.
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
 * Reduces `near` to the groups to which the fingerprint is linked: the `partners` nearest groups with a smaller
 * fingerprint. If several are equally near, the smallest are kept (`keepNearest`).
 */
export function keepPartners(fingerprint: u64): void {
  const search = index.search;
  const count = keepLesser(fingerprint);
  if (count <= index.partners) return;
  search.truncated++;
  const size = bytesOf<u64>(count);
  const fingerprints = allocateBlock(size),
    pairs = allocateBlock(size);
  for (let i: u32 = 0; i < count; i++) setItem<u64>(fingerprints, i, fingerprintOf(itemOf<u32>(search.near, i)));
  sort(fingerprints, count);
  for (let i: u32 = 0; i < count; i++) {
    setItem<u64>(pairs, i, pairOf(0, <u32>popcnt(fingerprint ^ itemOf<u64>(fingerprints, i)), i));
  }
  search.nearCount = keepNearest(pairs, count, index.partners);
  for (let i: u32 = 0; i < search.nearCount; i++) {
    const lesser = itemOf<u64>(fingerprints, lesserOf(itemOf<u64>(pairs, i)));
    setItem<u32>(search.near, i, <u32>find(lesser));
  }
  freeBlock(pairs, size);
  freeBlock(fingerprints, size);
}

/**
 * Removes the groups from `near` that have a greater fingerprint than the given one. Returns the number of remaining
 * groups.
 */
function keepLesser(fingerprint: u64): u32 {
  const search = index.search;
  let kept: u32 = 0;
  for (let i: u32 = 0; i < search.nearCount; i++) {
    const g = itemOf<u32>(search.near, i);
    if (fingerprintOf(g) > fingerprint) continue;
    setItem<u32>(search.near, kept, g);
    kept++;
  }
  search.nearCount = kept;
  return kept;
}

/**
 * Returns true if group g is one of the partners of group h, in the order of `keepNearest`. Precondition: their
 * fingerprints are near, and g has the smaller one.
 */
export function isPartner(g: u32, h: u32): bool {
  const fingerprint = fingerprintOf(h);
  const search = index.search;
  const partners = index.partners;
  findNear(fingerprint);
  if (search.nearCount <= partners) return true;
  const lesser = fingerprintOf(g);
  const bits = <u32>popcnt(fingerprint ^ lesser);
  let before: u32 = 0;
  for (let i: u32 = 0; i < search.nearCount; i++) {
    const other = fingerprintOf(itemOf<u32>(search.near, i));
    if (other > fingerprint) continue;
    const theirs = <u32>popcnt(fingerprint ^ other);
    if (theirs < bits || (theirs == bits && other < lesser)) before++;
  }
  return before < partners;
}
