// Creates seeds from the windows of all documents. A seed is a pair of windows that will be extended to a match.
import { Document, proseView, renamedView } from '../documents/document';
import { digitBits, Seed, seedBitsShift, seedCounts, seedPositionMask } from './seed';
import { linkEqual } from './equalWindows';
import { bitsOf, greaterOf, lesserOf } from './nearPairs';
import { linkPhrases } from './phrases';
import { SeedWindows } from './seedWindows';
import { sortByDigit } from '../radixSort';
import { addressAt, itemOf, setItem } from '../records';

/**
 * Collects all windows with a fingerprint other than 0.
 *
 * @param documents  address of the table of `Document` records
 * @param view       see document.ts
 * @returns number of windows. For window i, its document is written to docs[i], and its first token to positions[i]
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
    const document = itemOf<Document>(documents, d);
    const windows = document.windows;
    const stride = <usize>document.stride;
    const windowCount = document.windowCount;
    if (document.isProse != (view == proseView)) continue;
    const from = view == renamedView ? document.renamed : document.written;
    if (!from) continue;
    for (let w: u32 = 0; w < windowCount; w++) {
      const fingerprint = itemOf<u64>(from, w);
      if (!fingerprint) continue;
      setItem<u64>(fingerprints, n, fingerprint);
      setItem<u32>(ids, n, n);
      setItem<u32>(docs, n, d);
      setItem<u32>(positions, n, load<u32>(windows + <usize>w * stride));
      n++;
    }
  }
  return n;
}

/**
 * Removes duplicates from n sorted fingerprints, in place, and returns the number of distinct ones. Afterwards,
 * fingerprints[i] has the windows ids[firsts[i]] to ids[firsts[i + 1] − 1]. `firsts` has an additional entry at the
 * end.
 */
export function groupEqual(fingerprints: usize, n: u32, firsts: usize): u32 {
  let different: u32 = 0;
  let before: u64 = 0;
  for (let i: u32 = 0; i < n; i++) {
    const fingerprint = itemOf<u64>(fingerprints, i);
    if (i && fingerprint == before) continue;
    setItem<u64>(fingerprints, different, fingerprint);
    setItem<u32>(firsts, different, i);
    before = fingerprint;
    different++;
  }
  setItem<u32>(firsts, different, n);
  return different;
}

/**
 * Adds the seeds between windows with equal fingerprints, for each fingerprint. Returns the number of all seeds so far.
 */
export function seedEqual(windows: SeedWindows, different: u32): u32 {
  for (let g: u32 = 0; g < different; g++) {
    const group = addressAt<u32>(windows.firsts, g);
    const first = load<u32>(group),
      end = load<u32>(group, 4);
    if (windows.areLines) linkPhrases(windows, first, end, windows.documents);
    else linkEqual(windows, first, end, windows.allPairs, windows.apart);
  }
  return windows.found;
}

/**
 * For each pair of near fingerprints from join.ts, adds a seed of their first windows. Returns the number of all seeds
 * so far.
 */
export function seedPairs(windows: SeedWindows, pairs: usize, count: u32): u32 {
  for (let p: u32 = 0; p < count; p++) {
    const pair = itemOf<u64>(pairs, p);
    const a = windows.firstOf(<u32>lesserOf(pair));
    const b = windows.firstOf(<u32>greaterOf(pair));
    // The order of fingerprints is not that of windows, so order the two windows by document and token.
    const ordered = windows.windowAt(a) < windows.windowAt(b);
    windows.link(ordered ? a : b, ordered ? b : a, bitsOf(pair));
  }
  return windows.found;
}

/**
 * Sorts seeds by docA, docB, posB, posA, and bits, in place. `other` is memory of the same size, and `counts` has
 * `seedCounts` words. A single loop over all fields would stay in the slow code that V8 compiles first.
 */
export function sortSeeds(seeds: usize, other: usize, n: u32, counts: usize): void {
  // The address of the other memory is this sum less the address of the sorted seeds.
  const both = seeds + other;
  let sorted = sortBy(seeds, other, n, counts, offsetof<Seed>('posA'), seedBitsShift, 0xffffffff);
  sorted = sortBy(sorted, both - sorted, n, counts, offsetof<Seed>('posA'), 0, seedPositionMask);
  sorted = sortBy(sorted, both - sorted, n, counts, offsetof<Seed>('posB'), 0, 0xffffffff);
  sorted = sortBy(sorted, both - sorted, n, counts, offsetof<Seed>('docB'), 0, 0xffffffff);
  sorted = sortBy(sorted, both - sorted, n, counts, offsetof<Seed>('docA'), 0, 0xffffffff);
  if (sorted != seeds) memory.copy(seeds, sorted, <usize>n * offsetof<Seed>());
}

/**
 * Sorts seeds by the bits of a field that `mask` selects, from the bit `lowest` on. The order of equal seeds stays.
 * Returns the address of the sorted seeds, which is `seeds` or `other`.
 */
function sortBy(seeds: usize, other: usize, n: u32, counts: usize, offset: usize, lowest: u32, mask: u32): usize {
  const size = offsetof<Seed>();
  const end = seeds + <usize>n * size;
  let usedBits: u32 = 0;
  for (let seed = seeds; seed < end; seed += size) usedBits |= load<u32>(seed + offset) & mask;
  for (let shift = lowest; shift < 32 && usedBits >> shift; shift += digitBits) {
    sortByDigit<u32>(seeds, other, n, size, offset, shift, (mask >> shift) & (seedCounts - 1), counts);
    const swapped = seeds;
    seeds = other;
    other = swapped;
  }
  return seeds;
}
