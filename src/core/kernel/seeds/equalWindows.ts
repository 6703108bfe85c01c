// Links windows that have the same fingerprint. Scans (candidates.ts) and the live index (liveSeeds.ts) both use this
// rule.
import { runOnly, Seed, seedBitsShift } from './seed';

/**
 * Maximum number of earlier windows of the same document to which a window is linked. More than one is needed, because
 * in a repetitive file the nearest equal window is rarely in the copy of the passage. See
 * bench/results/2026-11-22-exact-copies.md.
 */
export const linksInDocument: u32 = 8;

/**
 * Links the windows [first, end), which have the same fingerprint. Precondition: they are sorted by document and
 * position. Within a document, each window is linked to the `linksInDocument` nearest earlier windows that it does not
 * overlap. Except for the nearest one, these links are used only to follow runs of identical tokens. So repetitive text
 * matches its repetitions, but does not produce ever longer matches. Across documents, all pairs are linked if there
 * are at most `allPairs` windows. Otherwise, only the first window of each document is linked: to the first window
 * overall, and to the first window of the previous document. So the cost is linear even for a window that occurs in
 * thousands of places.
 *
 * @param windows  has the methods documentOf(i), positionOf(i), and link(i, j, bits)
 * @param apart    minimum distance in tokens at which two windows of one document do not overlap
 */
@inline export function linkEqual<Windows>(windows: Windows, first: u32, end: u32, allPairs: u32, apart: u32): void {
  const few = end - first <= allPairs;
  // Windows of b's document begin at index `own`. Those from there up to `clear` end before b begins.
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
 * Returns true if two windows overlap in one document, so that they are the same text. The first window must come
 * first.
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
