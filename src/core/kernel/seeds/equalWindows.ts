// Links windows with the same fingerprint. Scans (candidates.ts) and the live index (liveSeeds.ts) share this rule.
import { runOnly, Seed, seedBitsShift } from './seed';

/**
 * A window is linked to at most this many earlier windows in the same document. In a repetitive file, the nearest
 * relative of a passage is rarely its copy. See bench/results/2026-11-22-exact-copies.md.
 */
const linksInDocument: u32 = 8;

/**
 * Links the windows [first, end) of one fingerprint, which must be sorted by document and position. Within a document,
 * each window is linked to the `linksInDocument` nearest earlier windows that it does not overlap. All of these links
 * except the nearest one are used only to follow runs of equal tokens. So repetitive text matches its repetitions, but
 * not ever longer runs of them. Across documents, all pairs are linked if there are at most `allPairs` windows.
 * Otherwise, the first window of each document is linked to the very first window and to that of the previous document.
 * So the cost is linear even for a window that occurs in thousands of places.
 *
 * @param windows  has the methods documentOf(i), positionOf(i), and link(i, j, bits)
 * @param apart    minimum distance of two windows in one document that do not overlap
 */
@inline export function linkEqual<Windows>(windows: Windows, first: u32, end: u32, allPairs: u32, apart: u32): void {
  const few = end - first <= allPairs;
  // The windows of b's document begin at `own`. Those that do not overlap b end at `clear`.
  let own = first;
  let clear = first;
  for (let b = first + 1; b < end; b++) {
    if (windows.documentOf(b) != windows.documentOf(own)) {
      own = clear = b;
      if (!few) {
        windows.link(first, b, 0);
        if (b > first + 1) windows.link(b - 1, b, 0);
      }
    }
    if (few) for (let a = first; a < own; a++) windows.link(a, b, 0);
    const position = windows.positionOf(b);
    while (clear < b && position - windows.positionOf(clear) >= apart) clear++;
    for (let a = clear, links: u32 = 0; a-- > own && links < linksInDocument; links++) {
      windows.link(a, b, links ? runOnly : 0);
    }
  }
}

/**
 * Returns true if two windows are in one document and overlap, so that they are the same text. The first one must begin
 * earlier.
 */
@inline export function overlap(docA: u32, posA: u32, docB: u32, posB: u32, apart: u32): bool {
  return docA == docB && posB - posA < apart;
}

@inline export function writeSeed(seed: Seed, docA: u32, posA: u32, docB: u32, posB: u32, bits: u32): void {
  seed.docA = docA;
  seed.docB = docB;
  seed.posA = posA | (bits << seedBitsShift);
  seed.posB = posB;
}
