/**
 * Sketches: small samples of a set from which resemblance and containment are estimated (Broder 1997, theorem 1).
 *
 * π is a random permutation of all hashes, and W is a set of hashes. MIN_s(W) keeps the s smallest elements of π(W).
 * Its size is fixed, and it can estimate resemblance. MOD_m(W) keeps the elements of π(W) that are divisible by m. Its
 * size grows with W, and it can also estimate containment.
 *
 *   π(A)    ● ●   ●      ●  ●   ●   ● →        |·| = kept
 *   MIN₃   |● ●   ●|     ○  ○   ○   ○          the least three
 *   MOD₂    ○|●|  ○     |●| ○  |●|  ○          every other number of the axis
 *
 * (Some retellings print the second estimate upside down; it is intersection over union.)
 */
import { pack, repack, sortedDistinct, unpack, type Words } from '../core/methods/bits.ts';
import { checkWhole } from '../core/methods/checkArgument.ts';
import { permutationKeys, permutedHigh, permutedLow, type Seed } from './randomPermutation.ts';

/** A MIN_s sketch, as plain data. */
export interface MinSketch {
  readonly kind: 'min';
  /** s: maximum number of hashes. */
  readonly size: number;
  readonly seed: Seed;
  /** The s smallest elements of π(W), ascending; all of π(W) if W has fewer elements. */
  readonly hashes: BigUint64Array;
}

/** A MOD_m sketch, as plain data. */
export interface ModSketch {
  readonly kind: 'mod';
  /** m: on average, one hash in m is kept. */
  readonly modulus: number;
  readonly seed: Seed;
  /** The elements of π(W) that are divisible by m, ascending. */
  readonly hashes: BigUint64Array;
  /** True if W is empty. The list of hashes may be empty even if W is not. */
  readonly ofEmptySet: boolean;
}

/** Maximum of m. Up to this value, floating point can compute the remainder of a hash exactly. */
const maxModulus = 1_048_576;

/**
 * Returns the MIN_s sketch of a set of hashes.
 *
 * @param hashes  repetitions do not matter
 * @param s       1 to 1,048,576
 * @param seed    chooses π; only sketches with the same seed are comparable
 * @throws TypeError, RangeError  naming `hashes`, `s` or `seed`
 * @example
 * ```js
 * minSketch([1n, 2n, 3n, 4n, 5n], 3).hashes.length; // 3
 * ```
 */
export function minSketch(hashes: Iterable<bigint>, s: number, seed: Seed = 0): MinSketch {
  checkWhole('s', s, 1, maxModulus);
  const { high, low } = sortedDistinct(permuteAll(unpack(pack(hashes, 'hashes')), seed));
  return { kind: 'min', size: s, seed, hashes: repack({ high: high.subarray(0, s), low: low.subarray(0, s) }) };
}

/**
 * Returns the MOD_m sketch of a set of hashes; with m = 1, the entire set.
 *
 * @param hashes  repetitions do not matter
 * @param m       1 to 1,048,576
 * @param seed    chooses π; only sketches with the same seed are comparable
 * @throws TypeError, RangeError  naming `hashes`, `m` or `seed`
 * @example
 * ```js
 * const all = Array.from({ length: 1000 }, (_, i) => BigInt(i));
 * modSketch(all, 8).hashes.length; // 134: one in 8, about
 * ```
 */
export function modSketch(hashes: Iterable<bigint>, m: number, seed: Seed = 0): ModSketch {
  checkWhole('m', m, 1, maxModulus);
  const permuted = sortedDistinct(permuteAll(unpack(pack(hashes, 'hashes')), seed));
  const { high, low } = permuted;
  let count = 0;
  for (let i = 0; i < high.length; i++) {
    // The dividend is at most 2^52 + 2^32, so it is an exact integer.
    if (((high[i] % m) * 0x100000000 + low[i]) % m !== 0) continue;
    high[count] = high[i];
    low[count] = low[i];
    count++;
  }
  return {
    kind: 'mod',
    modulus: m,
    seed,
    hashes: repack({ high: high.subarray(0, count), low: low.subarray(0, count) }),
    ofEmptySet: high.length === 0,
  };
}

/**
 * Returns an estimate of the resemblance |A ∩ B| / |A ∪ B| of two sets, given their sketches, in [0, 1].
 *
 * - MIN: the share of MIN_s(A ∪ B) that both sketches hold. Unbiased; standard error at most √(J (1 − J) / s).
 * - MOD: intersection over union of the sketches. Unbiased if the sketches are not empty. If both are empty although
 *   the sets are not, there is no estimate, and the result is 0.
 *
 * The resemblance of two empty sets is 1.
 *
 * @throws TypeError if the sketches are of different kinds, or an argument is not a sketch
 * @throws RangeError if s, m, or the seeds differ
 * @example
 * ```js
 * const all = Array.from({ length: 1000 }, (_, i) => BigInt(i));
 * estimateResemblance(minSketch(all, 100), minSketch(all.slice(500), 100)); // 0.45, an estimate of 0.5
 * ```
 */
export function estimateResemblance(x: MinSketch | ModSketch, y: MinSketch | ModSketch): number {
  if (checkKind('x', x) !== checkKind('y', y)) throw new TypeError('x and y must be sketches of one kind.');
  checkParameters(x, y);
  const limit = x.kind === 'min' ? x.size : Infinity;
  const { both, either } = overlap(unpack(x.hashes), unpack(y.hashes), limit);
  if (either > 0) return both / either;
  return x.kind === 'min' || (x.ofEmptySet && y.kind === 'mod' && y.ofEmptySet) ? 1 : 0;
}

/**
 * Returns an estimate of the containment |A ∩ B| / |A| in [0, 1], where A is the set of `x` and B is the set of `y`. It
 * is the share of x that is in y, and is unbiased if x is not empty. If x is empty although A is not, there is no
 * estimate, and the result is 0. If A is empty, the result is 1.
 *
 * @throws TypeError if an argument is not a MOD sketch. MIN sketches have a fixed size, so they contain no information
 * about the sizes of the sets
 * @throws RangeError if m or the seeds differ
 * @example
 * ```js
 * const all = Array.from({ length: 1000 }, (_, i) => BigInt(i));
 * estimateContainment(modSketch(all, 8), modSketch(all.slice(500), 8)); // 0.417910447761194, an estimate of 0.5
 * ```
 */
export function estimateContainment(x: ModSketch, y: ModSketch): number {
  if (checkKind('x', x) !== 'mod') throw new TypeError('x must be made by modSketch.');
  if (checkKind('y', y) !== 'mod') throw new TypeError('y must be made by modSketch.');
  checkParameters(x, y);
  if (x.hashes.length === 0) return x.ofEmptySet ? 1 : 0;
  return overlap(unpack(x.hashes), unpack(y.hashes), Infinity).both / x.hashes.length;
}

function permuteAll({ high, low }: Words, seed: Seed): Words {
  const keys = permutationKeys(seed, 1);
  const permuted = { high: new Uint32Array(high.length), low: new Uint32Array(high.length) };
  for (let i = 0; i < high.length; i++) {
    permuted.high[i] = permutedHigh(keys, 0, high[i], low[i]);
    permuted.low[i] = permutedLow(keys, 0, high[i], low[i], permuted.high[i]);
  }
  return permuted;
}

/** Returns the number of the first `limit` elements of the union of ascending lists, and of those in both. */
function overlap(x: Words, y: Words, limit: number): { both: number; either: number } {
  let [i, j, both, either] = [0, 0, 0, 0];
  while ((i < x.high.length || j < y.high.length) && either < limit) {
    const order = compareAt(x, i, y, j);
    if (order <= 0) i++;
    if (order >= 0) j++;
    if (order === 0) both++;
    either++;
  }
  return { both, either };
}

/** Compares element i of x with element j of y: negative if the former comes first. A list's end comes last. */
function compareAt(x: Words, i: number, y: Words, j: number): number {
  if (j === y.high.length) return -1;
  if (i === x.high.length) return 1;
  return x.high[i] - y.high[j] || x.low[i] - y.low[j];
}

function checkKind(argument: string, sketch: MinSketch | ModSketch): 'min' | 'mod' {
  const kind = (sketch as Partial<MinSketch | ModSketch> | undefined)?.kind;
  if (kind !== 'min' && kind !== 'mod') throw new TypeError(`${argument} must be made by minSketch or modSketch.`);
  return kind;
}

function checkParameters(x: MinSketch | ModSketch, y: MinSketch | ModSketch): void {
  const [p, q] = [x, y].map((sketch) => (sketch.kind === 'min' ? sketch.size : sketch.modulus));
  if (p !== q) throw new RangeError(`x and y must have one ${x.kind === 'min' ? 's' : 'm'}, not ${p} and ${q}.`);
  if (BigInt(x.seed) !== BigInt(y.seed)) {
    throw new RangeError(`x and y must have one seed, not ${x.seed} and ${y.seed}.`);
  }
}
