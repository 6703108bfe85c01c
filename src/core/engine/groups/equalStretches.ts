/** Runs of equal tokens in two ranges: the parts of a match that must not be lost when passages are joined. */
import { append, firstPlace } from '../../collections/lists.ts';
import { mix32 } from '../../methods/bits.ts';

/** `length` equal tokens that begin at `a` and at `b`. */
interface EqualStretch {
  readonly a: number;
  readonly b: number;
  readonly length: number;
}

/** Maximum number of equal blocks to try: those nearest to the continuation of the longest run. */
const mostTried = 16;

/**
 * Returns true if a condition holds for all maximal runs of at least the given number of equal tokens in [a0, a1) and
 * [b0, b1), which are indices into `words`. A piece that occurs several times on either side is checked in every
 * combination. Stops at the first run that fails, because two tables have thousands of runs.
 *
 * If the first range is cut into blocks of half the length, every run contains a complete block. The blocks are
 * searched in the second range by a rolling hash (Karp, Rabin 1987). The cost is linear, plus some extra runs for
 * repetitive text: at most `mostTried` occurrences of a block are tried.
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
  /** For each diagonal (b − a), the b up to which it has been checked. */
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

/** Returns the ascending positions nearest to `to`; all if they are few. */
function nearest(places: readonly number[], to: number): readonly number[] {
  if (places.length <= mostTried) return places;
  // Find the first window of positions whose successor is not nearer than its first position.
  const first = firstPlace(places.length - mostTried, (place) => to - places[place] > places[place + mostTried] - to);
  return places.slice(first, first + mostTried);
}

/** Odd, so that multiplication is invertible. */
const factor = 0x01000193;
/** Slots of a filter that rules out most hashes that no block has. */
const likelySlots = 4096;
