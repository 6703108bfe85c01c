/** Runs of equal tokens in two ranges: what of a match must not be lost when passages are drawn together. */
import { mix32 } from '../../methods/bits.ts';

/** `length` tokens that are the same from `a` on and from `b` on. */
interface EqualStretch {
  readonly a: number;
  readonly b: number;
  readonly length: number;
}

/** Of equal blocks so many are tried, those that are nearest to where the longest run goes on. */
const mostTried = 16;

/**
 * Whether something holds for the maximal runs of at least so many equal tokens in [a0, a1) and [b0, b1), which are places in
 * `words`: where a piece stands several times on either side, each place of it with each. After a run for which it does not
 * hold none is looked for: two tables have thousands of runs.
 *
 * Every run has a whole block of half the length in it, if the first range is cut into such blocks; these are looked for in
 * the second one by a rolling hash (Karp, Rabin 1987). So the cost is that of reading both, unless they repeat themselves:
 * then it is that of some runs more, since of a block that stands in many places only `mostTried` are tried.
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
    const places = blocks.get(hash);
    if (places) places.push(at);
    else blocks.set(hash, [at]);
  }
  let power = 1;
  for (let i = 1; i < size; i++) power = Math.imul(power, factor);
  /** By diagonal (b − a) before which b it has been walked along. */
  const walked = new Map<number, number>();
  let hash = 0;
  /** The longest run that has not ended. */
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

/** The places, which ascend, that are nearest to one; all when they are few. */
function nearest(places: readonly number[], to: number): readonly number[] {
  if (places.length <= mostTried) return places;
  let [low, high] = [0, places.length - mostTried];
  // The first window of so many places of which the end behind it is not nearer than its beginning.
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (to - places[middle] > places[middle + mostTried] - to) low = middle + 1;
    else high = middle;
  }
  return places.slice(low, low + mostTried);
}

/** Odd, so that multiplying by it loses nothing. */
const factor = 0x01000193;
/** Slots of a table that says of most hashes at once that no block has them. */
const likelySlots = 4096;
