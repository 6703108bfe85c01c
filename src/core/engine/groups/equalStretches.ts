/**
 * Finds runs of equal tokens in two ranges. Clustering checks with them that joining passages has not dropped such a
 * run of a match.
 */
import { append, firstPlace } from '../../collections/lists.ts';
import { mix32 } from '../../methods/bits.ts';

/** A run of `length` equal tokens that begins at `a` on one side and at `b` on the other. */
interface EqualStretch {
  readonly a: number;
  readonly b: number;
  readonly length: number;
}

/** Maximum number of occurrences of a block to try: those nearest to the expected continuation of the longest run. */
const mostTried = 16;

/**
 * Returns true if a condition holds for all maximal runs of at least the given number of equal tokens in two ranges of
 * `words`, [a0, a1) and [b0, b1). If a run occurs several times, every combination is checked. Stops at the first run
 * for which the condition fails, because two tables may have thousands of runs.
 *
 * The first range is cut into blocks of half the minimum length, so every run contains a complete block. A rolling hash
 * finds the blocks in the second range (Karp, Rabin 1987). The cost is linear; in repetitive text, at most `mostTried`
 * occurrences of a block are tried.
 */
export function everyEqualStretch(
  words: Uint32Array,
  [a0, a1]: readonly [number, number],
  [b0, b1]: readonly [number, number],
  least: number,
  holds: (a: number, b: number, length: number) => boolean,
): boolean {
  const size = Math.max(1, (least + 1) >>> 1);
  const blocks = new Map<number, number[]>();
  const isLikely = new Uint8Array(likelySlots);
  for (let at = a0; at + size <= a1; at += size) {
    let hash = 0;
    for (let i = at; i < at + size; i++) hash = (Math.imul(hash, factor) + mix32(words[i])) | 0;
    isLikely[hash & (likelySlots - 1)] = 1;
    append(blocks, hash, at);
  }
  let power = 1;
  for (let i = 1; i < size; i++) power = Math.imul(power, factor);
  /** For each diagonal (b − a), the offset in the second range up to which the diagonal has been checked. */
  const walked = new Map<number, number>();
  let hash = 0;
  /** The longest of the runs that still continue. */
  let along: EqualStretch = { a: a0, b: b0, length: 0 };
  for (let end = b0; end < b1; end++) {
    if (end >= b0 + size) hash = (hash - Math.imul(power, mix32(words[end - size]))) | 0;
    hash = (Math.imul(hash, factor) + mix32(words[end])) | 0;
    const b = end + 1 - size;
    if (b < b0 || isLikely[hash & (likelySlots - 1)] === 0) continue;
    const places = blocks.get(hash);
    if (places === undefined) continue;
    for (const a of nearest(places, b - along.b + along.a)) {
      if (b < (walked.get(b - a) ?? 0)) continue;
      const run = runAround(words, a, b, [a0, a1, b0, b1]);
      walked.set(b - a, run.b + run.length);
      if (run.length < least) continue;
      if (!holds(run.a, run.b, run.length)) return false;
      if (run.length > along.length || b >= along.b + along.length) along = run;
    }
  }
  return true;
}

function runAround(
  words: Uint32Array,
  a: number,
  b: number,
  [a0, a1, b0, b1]: readonly [number, number, number, number],
): EqualStretch {
  let [forth, back] = [0, 0];
  while (a + forth < a1 && b + forth < b1 && words[a + forth] === words[b + forth]) forth++;
  while (a - back > a0 && b - back > b0 && words[a - back - 1] === words[b - back - 1]) back++;
  return { a: a - back, b: b - back, length: back + forth };
}

/** Returns the positions nearest to `to`, ascending. Returns at most `mostTried` of them. */
function nearest(places: readonly number[], to: number): readonly number[] {
  if (places.length <= mostTried) return places;
  // Slide a window of `mostTried` positions to the right, as long as the position that it gains is nearer than the
  // position that it loses.
  const first = firstPlace(places.length - mostTried, (place) => to - places[place] > places[place + mostTried] - to);
  return places.slice(first, first + mostTried);
}

/** Multiplier of the rolling hash; odd, so that it is invertible. */
const factor = 0x01000193;
/** Number of slots of a filter that rules out most hashes of the second range without a lookup in the table. */
const likelySlots = 4096;
