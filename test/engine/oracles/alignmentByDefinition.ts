/**
 * Reference alignment of two texts with lists of tokens (words of hash and kind), maps, and exhaustive search. A
 * `separator` token equals nothing.
 */
import type { Extension, Run, Stretch } from '../matches/kernelAlignment.ts';

export const separator = 0xffff_ffff;

/** Weights of the token kinds, in the order of tokenKind.ts. */
const kindWeights = [1, 2, 3, 4, 5, 3, 5, 4, 4, 2, 0, 0, 0, 0, 0, 0];

const kindOf = (token: number): number => token & 15;
const weightOf = (token: number): number => kindWeights[kindOf(token)];
/** Identifiers, calls, numbers, and strings may be replaced by others of their kind. */
const isName = (token: number): boolean => kindOf(token) >= 3 && kindOf(token) <= 6;

/** True if two tokens may be aligned; with `names`, names may differ. */
export function alike(x: number, y: number, names: boolean): boolean {
  if (x === separator || y === separator) return false;
  return x === y || (names && isName(x) && kindOf(x) === kindOf(y));
}

/** Equal tokens score 2 each, a differing pair −6, and a token on one side only −7. */
const scoreOf = (i: number, j: number, differences: number): number => i + j - 8 * differences;

/**
 * Returns the best score of aligning a prefix of a with a prefix of b, without giving up early: the total length minus
 * eight for each edit of a minimal edit script (Levenshtein 1966).
 */
export function bestScoreOfAll(a: readonly number[], b: readonly number[], names: boolean): number {
  const edits = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_w, j) => i + j));
  let best = 0;
  for (let i = 0; i <= a.length; i++) {
    for (let j = 0; j <= b.length; j++) {
      if (i > 0 && j > 0) {
        const replaced = edits[i - 1][j - 1] + (alike(a[i - 1], b[j - 1], names) ? 0 : 1);
        edits[i][j] = Math.min(replaced, edits[i - 1][j] + 1, edits[i][j - 1] + 1);
      }
      best = Math.max(best, scoreOf(i, j, edits[i][j]));
    }
  }
  return best;
}

/**
 * Greedy extension (Zhang, Schwartz, Wagner, Miller 2000, figure 4) of the beginnings of a and b. For each number of
 * differences, it finds the farthest position on each diagonal. A path ends when its score falls more than xDrop below
 * the best score with fewer differences.
 */
export function extendByDefinition(
  a: readonly number[],
  b: readonly number[],
  names: boolean,
  xDrop: number,
): Extension {
  const slide = (i: number, j: number): number => {
    let length = 0;
    while (i + length < a.length && j + length < b.length && alike(a[i + length], b[j + length], names)) length++;
    return i + length;
  };
  /** Maps the diagonal i − j to the farthest i. */
  const rows = [new Map([[0, slide(0, 0)]])];
  let best = { score: scoreOf(rows[0].get(0)!, rows[0].get(0)!, 0), d: 0, k: 0 };
  for (let d = 1; rows[d - 1].size > 0; d++) {
    const row = new Map<number, number>();
    const floor = best.score - xDrop;
    const diagonals = [...rows[d - 1].keys()];
    for (let k = Math.min(...diagonals) - 1; k <= Math.max(...diagonals) + 1; k++) {
      const [from] = stepTo(rows[d - 1], k);
      if (from < 0 || from > a.length || from - k < 0 || from - k > b.length) continue;
      const i = slide(from, from - k);
      const score = scoreOf(i, i - k, d);
      if (score < floor) continue;
      row.set(k, i);
      if (score > best.score) best = { score, d, k };
    }
    rows.push(row);
  }
  // Trace back from the best position. The tokens passed after each difference form a run.
  const runs: Run[] = [];
  let { k } = best;
  for (let { d } = best; d >= 0; d--) {
    const i = rows[d].get(k)!;
    const [from, before] = d > 0 ? stepTo(rows[d - 1], k) : [0, k];
    if (i > from) runs.unshift({ a: from, b: from - k, length: i - from });
    k = before;
  }
  const used = rows[best.d].get(best.k)!;
  return { runs, usedA: used, usedB: used - best.k };
}

/**
 * Returns the position after one more difference on diagonal k, and the previous diagonal: a token of a (from k − 1), a
 * differing pair (from k), or a token of b (from k + 1). Prefers the farthest position, then the first.
 */
function stepTo(row: ReadonlyMap<number, number>, k: number): [number, number] {
  const never = Number.NEGATIVE_INFINITY;
  const steps: [number, number][] = [
    [(row.get(k - 1) ?? never) + 1, k - 1],
    [(row.get(k) ?? never) + 1, k],
    [row.get(k + 1) ?? never, k + 1],
  ];
  return steps.reduce((best, step) => (step[0] > best[0] ? step : best));
}

/**
 * Number of tokens that must be equal after a gap, the search range, the length that is compared, and the number of
 * candidates.
 */
const anchorTokens = 6;
const maxDifferences = 40;
const maxTried = 60;

/**
 * Returns the gap between a and b after which they continue most alike, minus the cost of the gap. Prefers the first of
 * equal gaps.
 */
export function jumpByDefinition(
  a: readonly number[],
  b: readonly number[],
  names: boolean,
  renamed: boolean,
): readonly [number, number] | undefined {
  const counted = (token: number): number => (renamed && isName(token) ? kindOf(token) : token);
  const anchor = (text: readonly number[], at: number): string =>
    text
      .slice(at, at + anchorTokens)
      .map(counted)
      .join(' ');
  let best: { value: number; gap: readonly [number, number] } = { value: 0, gap: [0, 0] };
  let tried = 0;
  for (let i = 0; i + anchorTokens <= a.length; i++) {
    for (let j = b.length - anchorTokens; j >= 0; j--) {
      if (anchor(a, i) !== anchor(b, j)) continue;
      let [length, gain] = [0, 0];
      while (length < maxDifferences && alike(a[i + length] ?? separator, b[j + length] ?? separator, names)) {
        gain += weightOf(a[i + length]) * (a[i + length] === b[j + length] ? 4 : 1);
        length++;
      }
      if (length < anchorTokens) continue;
      const value = gain - 2 * (i + j);
      if (value > best.value) best = { value, gap: [i, j] };
      if (++tried > maxTried) return best.value > 0 ? best.gap : undefined;
    }
  }
  return best.value > 0 ? best.gap : undefined;
}

/** Returns the columns of an alignment: the aligned tokens by run. */
function columnsOf(a: readonly number[], b: readonly number[], runs: readonly Run[]): (readonly [number, number])[][] {
  return runs.map((run) => Array.from({ length: run.length }, (_, i) => [a[run.a + i], b[run.b + i]] as const));
}

/**
 * Returns how well x agrees with y in an alignment: 3 if equal; 2 if they are aligned more than once, in most places of
 * x and of y; 1 if once, with no other place; 0 otherwise.
 */
export function agreementByDefinition(
  a: readonly number[],
  b: readonly number[],
  runs: readonly Run[],
  [x, y]: readonly [number, number],
): number {
  if (x === y) return 3;
  const columns = columnsOf(a, b, runs).flat();
  const count = (is: (column: readonly [number, number]) => boolean): number => columns.filter(is).length;
  const both = count(([p, q]) => p === x && q === y);
  const mostly = 2 * both > count(([p]) => p === x) && 2 * both > count(([, q]) => q === y);
  if (!mostly) return 0;
  return both > 1 ? 2 : 1;
}

/**
 * Returns the stretch of an alignment with the greatest score by trying all of them. Of equal ones, it prefers the one
 * that ends first, then the one that begins first.
 */
export function rescoreByDefinition(
  a: readonly number[],
  b: readonly number[],
  runs: readonly Run[],
  names: boolean,
  gapFactor: number,
): Stretch {
  const scoreOfColumn = (column: readonly [number, number]): number => {
    const weight = 2 * weightOf(column[0]);
    const agrees = names || column[0] === column[1] ? agreementByDefinition(a, b, runs, column) : 0;
    return [-Math.floor(weight / 2), 0, Math.floor((weight * 3) / 4), weight][agrees];
  };
  const weigh = (tokens: readonly number[]): number => tokens.reduce((sum, token) => sum + weightOf(token), 0);
  const places = columnsOf(a, b, runs).flatMap((columns, r) =>
    columns.map((column, at) => {
      const before = r > 0 && at === 0 ? runs[r - 1] : undefined;
      const gap = before
        ? weigh(a.slice(before.a + before.length, runs[r].a)) + weigh(b.slice(before.b + before.length, runs[r].b))
        : 0;
      return { run: r, at, score: scoreOfColumn(column), gap: Math.floor((gap * gapFactor) / 2) };
    }),
  );
  let best: Stretch = { score: 0, first: 0, from: 0, last: 0, to: 0 };
  places.forEach((end, e) => {
    places.slice(0, e + 1).forEach((start, s) => {
      const score = places.slice(s, e + 1).reduce((sum, place, i) => sum + place.score - (i > 0 ? place.gap : 0), 0);
      if (score > best.score) best = { score, first: start.run, from: start.at, last: end.run, to: end.at + 1 };
    });
  });
  return best;
}

/** A passage may grow by its own length at either end, and a short passage by this many tokens. */
const minRoom = 40;

/**
 * Returns the block around tokens [from, to). It is opened by the last bracket that the passage closes but does not
 * open, or by a bracket `level` levels farther out. It ends after the matching closer. Returns undefined if either
 * bracket is out of reach.
 */
export function blockByDefinition(
  tokens: readonly number[],
  from: number,
  to: number,
  level: number,
  brackets: readonly number[],
): readonly [number, number] | undefined {
  const room = Math.max(minRoom, to - from) + 1;
  const missing = unpaired(tokens, from, to, brackets);
  const before = unpaired(tokens, Math.max(0, from - room), from, brackets).opening.reverse();
  const behind = unpaired(tokens, to, Math.min(tokens.length, to + room), brackets).closing;
  const openers = missing.closing.length + level;
  const closers = missing.opening.length + level;
  if (before.length < openers || behind.length < closers) return undefined;
  return [openers === 0 ? from : before[openers - 1], closers === 0 ? to : behind[closers - 1] + 1];
}

/** Returns the positions of unpaired brackets in tokens [from, to). */
function unpaired(
  tokens: readonly number[],
  from: number,
  to: number,
  brackets: readonly number[],
): { readonly opening: number[]; readonly closing: number[] } {
  const opening: number[] = [];
  const closing: number[] = [];
  for (let place = from; place < to; place++) {
    const kind = brackets.indexOf(tokens[place]);
    if ((kind >= 0 && kind < 3) || kind === 7) opening.push(place);
    else if (((kind >= 3 && kind < 6) || kind === 8) && opening.pop() === undefined) closing.push(place);
  }
  return { opening, closing };
}
