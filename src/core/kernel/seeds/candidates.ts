// Creates seeds from the windows of all documents: pairs of windows worth extending to a match.
import {
  documentRecordBytes,
  flagsAt,
  windowsAt,
  strideAt,
  windowCountAt,
  writtenAt,
  renamedAt,
  proseFlag,
  renamedView,
  proseView,
} from '../documents/documentLayout';
import {
  runOnly,
  seedBitsShift,
  seedBytes,
  seedCounts,
  seedDocAAt,
  seedDocBAt,
  seedPosAAt,
  seedPosBAt,
  seedPositionMask,
} from './seedLayout';
import { bitsOf, greaterOf, lesserOf } from './join';

/**
 * Gathers the seeding windows (fingerprint not 0) of all documents.
 *
 * @param documents  records: see documentLayout.ts
 * @param view       see documentLayout.ts
 * @returns          their number; document and first token of window i are in `docs` and `positions`
 */
export function gatherWindows(
  documents: usize,
  count: u32,
  view: u32,
  fingerprints: usize,
  ids: usize,
  docs: usize,
  positions: usize,
): u32 {
  let n: u32 = 0;
  for (let d: u32 = 0; d < count; d++) {
    const document = documents + <usize>d * documentRecordBytes;
    const windows = <usize>load<u32>(document, windowsAt);
    const stride = <usize>load<u32>(document, strideAt);
    const windowCount = load<u32>(document, windowCountAt);
    const prose = (load<u32>(document, flagsAt) & proseFlag) != 0;
    const from =
      prose == (view == proseView) ? <usize>load<u32>(document + (view == renamedView ? renamedAt : writtenAt)) : 0;
    if (!from) continue;
    for (let w: u32 = 0; w < windowCount; w++) {
      const fingerprint = load<u64>(from + ((<usize>w) << 3));
      if (!fingerprint) continue;
      store<u64>(fingerprints + ((<usize>n) << 3), fingerprint);
      store<u32>(ids + ((<usize>n) << 2), n);
      store<u32>(docs + ((<usize>n) << 2), d);
      store<u32>(positions + ((<usize>n) << 2), load<u32>(windows + <usize>w * stride));
      n++;
    }
  }
  return n;
}

/**
 * Reduces n sorted fingerprints to distinct ones, in place. fingerprints[i] then has the windows ids[firsts[i]] …
 * ids[firsts[i + 1] − 1]; `firsts` gets one additional entry. Returns their number.
 */
export function groupEqual(fingerprints: usize, n: u32, firsts: usize): u32 {
  let different: u32 = 0;
  let before: u64 = 0;
  for (let i: u32 = 0; i < n; i++) {
    const fingerprint = load<u64>(fingerprints + ((<usize>i) << 3));
    if (i && fingerprint == before) continue;
    store<u64>(fingerprints + ((<usize>different) << 3), fingerprint);
    store<u32>(firsts + ((<usize>different) << 2), i);
    before = fingerprint;
    different++;
  }
  store<u32>(firsts + ((<usize>different) << 2), n);
  return different;
}

/**
 * Maximum number of earlier windows in the same document that a window is linked to. In a repetitive file, the nearest
 * relative of a passage is rarely its copy. See bench/results/2026-11-22-exact-copies.md.
 */
export const linksInDocument: u32 = 8;

/**
 * Writes the seeds among windows of equal fingerprints. Within a document, each is linked to the `linksInDocument`
 * nearest earlier windows that it does not overlap; all but the nearest link serve only runs of equal tokens, so that
 * repetitive text matches its repetitions, not ever longer runs of them. Across documents, up to `allPairs` windows are
 * all linked. Beyond that, the first of each document is linked to the first of all and to the previous one, so that
 * the cost of a window in thousands of places is linear. Returns the number of seeds; counts, but does not write, seeds
 * beyond `room`.
 */
export function seedEqual(
  firsts: usize,
  different: u32,
  ids: usize,
  docs: usize,
  positions: usize,
  allPairs: u32,
  apart: u32,
  out: usize,
  room: u32,
): u32 {
  let found: u32 = 0;
  for (let g: u32 = 0; g < different; g++) {
    const first = load<u32>(firsts + ((<usize>g) << 2));
    const end = load<u32>(firsts + ((<usize>g) << 2), 4);
    const few = end - first <= allPairs;
    // Windows of one fingerprint are sorted by document and position. Those of b's document begin at `own`; those that
    // b does not overlap end at `clear`.
    let own = first;
    let clear = first;
    for (let b = first + 1; b < end; b++) {
      const window = load<u32>(ids + ((<usize>b) << 2));
      const doc = load<u32>(docs + ((<usize>window) << 2));
      if (doc != load<u32>(docs + ((<usize>load<u32>(ids + ((<usize>own) << 2))) << 2))) {
        own = clear = b;
        if (!few) {
          found = seed(load<u32>(ids + ((<usize>first) << 2)), window, 0, docs, positions, apart, out, room, found);
          if (b > first + 1)
            found = seed(load<u32>(ids + ((<usize>(b - 1)) << 2)), window, 0, docs, positions, apart, out, room, found);
        }
      }
      if (few) {
        for (let a = first; a < own; a++)
          found = seed(load<u32>(ids + ((<usize>a) << 2)), window, 0, docs, positions, apart, out, room, found);
      }
      const position = load<u32>(positions + ((<usize>window) << 2));
      while (
        clear < b &&
        position - load<u32>(positions + ((<usize>load<u32>(ids + ((<usize>clear) << 2))) << 2)) >= apart
      )
        clear++;
      for (let a = clear, links: u32 = 0; a-- > own && links < linksInDocument; links++) {
        found = seed(
          load<u32>(ids + ((<usize>a) << 2)),
          window,
          links ? runOnly : 0,
          docs,
          positions,
          apart,
          out,
          room,
          found,
        );
      }
    }
  }
  return found;
}

/** Writes the seeds of pairs of distinct fingerprints from join.ts: their first windows are linked. */
export function seedPairs(
  pairs: usize,
  count: u32,
  firsts: usize,
  ids: usize,
  docs: usize,
  positions: usize,
  apart: u32,
  out: usize,
  room: u32,
  found: u32,
): u32 {
  for (let p: u32 = 0; p < count; p++) {
    const pair = load<u64>(pairs + ((<usize>p) << 3));
    const a = load<u32>(ids + ((<usize>load<u32>(firsts + ((<usize>lesserOf(pair)) << 2))) << 2));
    const b = load<u32>(ids + ((<usize>load<u32>(firsts + ((<usize>greaterOf(pair)) << 2))) << 2));
    found = seed(min(a, b), max(a, b), bitsOf(pair), docs, positions, apart, out, room, found);
  }
  return found;
}

// Windows are numbered by document and token, so a < b puts the earlier one first. Overlapping windows of one document
// are the same text.
@inline function seed(
  a: u32,
  b: u32,
  bits: u32,
  docs: usize,
  positions: usize,
  apart: u32,
  out: usize,
  room: u32,
  found: u32,
): u32 {
  const docA = load<u32>(docs + ((<usize>a) << 2));
  const docB = load<u32>(docs + ((<usize>b) << 2));
  const posA = load<u32>(positions + ((<usize>a) << 2));
  const posB = load<u32>(positions + ((<usize>b) << 2));
  if (docA == docB && posB - posA < apart) return found;
  if (found < room) {
    const record = out + <usize>found * seedBytes;
    store<u32>(record, docA, seedDocAAt);
    store<u32>(record, docB, seedDocBAt);
    store<u32>(record, posA | (bits << seedBitsShift), seedPosAAt);
    store<u32>(record, posB, seedPosBAt);
  }
  return found + 1;
}

/**
 * Sorts seeds by docA, docB, posB, posA, bits. `other` has the same size; `counts` has `seedCounts` words. The result
 * is again in `seeds`.
 */
export function sortSeeds(seeds: usize, other: usize, n: u32, counts: usize): void {
  let passes: u32 = 0;
  for (let field: u32 = 0; field < 5; field++) {
    const offset: usize = field < 2 ? seedPosAAt : field == 2 ? seedPosBAt : field == 3 ? seedDocBAt : seedDocAAt;
    const lowest: u32 = field == 0 ? seedBitsShift : 0;
    const mask: u32 = field == 1 ? seedPositionMask : 0xffffffff;
    let most: u32 = 0;
    for (let i: u32 = 0; i < n; i++) most |= load<u32>(seeds + <usize>i * seedBytes + offset) & mask;
    for (let shift = lowest; shift < 32 && most >> shift; shift += 11) {
      memory.fill(counts, 0, seedCounts << 2);
      for (let i: u32 = 0; i < n; i++) {
        const slot =
          counts + (((load<u32>(seeds + <usize>i * seedBytes + offset) & mask) >> shift) & (seedCounts - 1)) * 4;
        store<u32>(slot, load<u32>(slot) + 1);
      }
      let sum: u32 = 0;
      for (let slot = counts; slot < counts + (seedCounts << 2); slot += 4) {
        const count = load<u32>(slot);
        store<u32>(slot, sum);
        sum += count;
      }
      for (let i: u32 = 0; i < n; i++) {
        const seed = seeds + <usize>i * seedBytes;
        const slot = counts + (((load<u32>(seed + offset) & mask) >> shift) & (seedCounts - 1)) * 4;
        const place = load<u32>(slot);
        store<u32>(slot, place + 1);
        v128.store(other + <usize>place * seedBytes, v128.load(seed));
      }
      const swapped = seeds;
      seeds = other;
      other = swapped;
      passes++;
    }
  }
  if (passes & 1) memory.copy(other, seeds, <usize>n * seedBytes);
}
