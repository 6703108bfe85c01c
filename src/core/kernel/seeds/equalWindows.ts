// Links of windows with the same fingerprint. Scans (candidates.ts) and the live index (liveSeeds.ts) share this rule.
import { runOnly, Seed, seedBitsShift } from './seed';

/**
 * Maximum number of earlier windows in the same document that a window is linked to. In a repetitive file, the nearest
 * relative of a passage is rarely its copy. See bench/results/2026-11-22-exact-copies.md.
 */
const linksInDocument: u32 = 8;

/**
 * Links windows `first` … `end` − 1 of one fingerprint, which are sorted by document and position. Within a document, each
 * is linked to the `linksInDocument` nearest earlier windows that it does not overlap. All but the nearest link serve only
 * runs of equal tokens, so that repetitive text matches its repetitions, not ever longer runs of them. Across documents,
 * up to `allPairs` windows are all linked. Beyond that, the first of each document is linked to the first of all and to
 * the previous one, so that the cost of a window in thousands of places is linear.
 *
 * @param windows  has the methods documentOf(i), positionOf(i), and link(i, j, bits)
 * @param apart    minimum distance of two windows in one document that do not overlap
 */
@inline export function linkEqual<Windows>(windows: Windows, first: u32, end: u32, allPairs: u32, apart: u32): void {
  const few = end - first <= allPairs;
  // Windows of b's document begin at `own`; those that b does not overlap end at `clear`.
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

/** Returns true if two windows of one document overlap: they are the same text. The first one begins earlier. */
@inline export function overlap(docA: u32, posA: u32, docB: u32, posB: u32, apart: u32): bool {
  return docA == docB && posB - posA < apart;
}

@inline export function writeSeed(seed: Seed, docA: u32, posA: u32, docB: u32, posB: u32, bits: u32): void {
  seed.docA = docA;
  seed.docB = docB;
  seed.posA = posA | (bits << seedBitsShift);
  seed.posB = posB;
}
