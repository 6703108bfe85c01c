import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  estimateContainment,
  estimateResemblance,
  type MinSketch,
  minSketch,
  type ModSketch,
  modSketch,
} from '../../src/library/sketch.ts';
import { hash, overlappingSets } from './hashArbitraries.ts';
import { ascending, exactContainment, exactResemblance } from '../engine/oracles.ts';

/** Returns all of π(W), ascending. MOD₁ keeps every element. */
const permuted = (hashes: Iterable<bigint>): bigint[] => [...modSketch(hashes, 1).hashes];

suite('sketch: by definition', () => {
  test('π is a permutation', () => {
    fc.assert(
      fc.property(fc.array(hash), (hashes) => {
        const all = permuted(hashes);
        assert.equal(all.length, new Set(hashes).size);
        assert.deepEqual([...all].sort(ascending), all);
      }),
    );
  });
  test('MIN_s contains the s smallest elements of π(W)', () => {
    fc.assert(
      fc.property(fc.array(hash), fc.integer({ min: 1, max: 20 }), (hashes, s) =>
        assert.deepEqual([...minSketch(hashes, s).hashes], permuted(hashes).slice(0, s)),
      ),
    );
  });
  test('MOD_m contains the elements of π(W) that are divisible by m', () => {
    fc.assert(
      fc.property(fc.array(hash), fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constant(1_048_576)), (hashes, m) =>
        assert.deepEqual(
          [...modSketch(hashes, m).hashes],
          permuted(hashes).filter((image) => image % BigInt(m) === 0n),
        ),
      ),
    );
  });
  test('the estimates equal the formulas of the theorem', () => {
    fc.assert(
      fc.property(fc.array(hash), fc.array(hash), fc.array(hash), fc.integer({ min: 1, max: 9 }), (a, b, both, s) => {
        const [inA, inB] = [
          [...a, ...both],
          [...b, ...both],
        ];
        const [x, y] = [minSketch(inA, s), minSketch(inB, s)];
        const smallest = [...new Set([...x.hashes, ...y.hashes])].sort(ascending).slice(0, s);
        const shared = smallest.filter((element) => x.hashes.includes(element) && y.hashes.includes(element));
        assert.equal(estimateResemblance(x, y), smallest.length === 0 ? 1 : shared.length / smallest.length);
        const [p, q] = [modSketch(inA, s), modSketch(inB, s)];
        if (p.hashes.length > 0 && q.hashes.length > 0) {
          assert.equal(estimateResemblance(p, q), exactResemblance(p.hashes, q.hashes));
          assert.equal(estimateContainment(p, q), exactContainment(p.hashes, q.hashes));
        }
      }),
    );
  });
  test('sketches that contain all elements are exact', () => {
    const { a, b } = overlappingSets({ shared: 7, onlyA: 3, onlyB: 5 }, 1);
    assert.equal(estimateResemblance(minSketch(a, 15), minSketch(b, 15)), 7 / 15);
    assert.equal(estimateResemblance(modSketch(a, 1), modSketch(b, 1)), 7 / 15);
    assert.equal(estimateContainment(modSketch(a, 1), modSketch(b, 1)), 7 / 10);
    assert.equal(estimateContainment(modSketch(b, 1), modSketch(a, 1)), 7 / 12);
  });
});

suite('sketch: estimates are unbiased', () => {
  const trials = 1000;
  const sizes = [
    { shared: 60, onlyA: 20, onlyB: 40 },
    { shared: 20, onlyA: 0, onlyB: 180 },
    { shared: 5, onlyA: 95, onlyB: 100 },
  ];
  /** Checks that the mean over the seeds lies within five standard errors of the expected value. */
  function checkMean(expected: number, estimate: (seed: number) => number): void {
    const estimates = Array.from({ length: trials }, (_, seed) => estimate(seed));
    const mean = estimates.reduce((sum, value) => sum + value, 0) / trials;
    const deviation = Math.sqrt(estimates.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (trials - 1));
    const error = (5 * deviation) / Math.sqrt(trials);
    assert.ok(Math.abs(mean - expected) < error, `${mean}, not ${expected} ± ${error}`);
    assert.ok(error < 0.02, `an error of ${error} is too large to be meaningful`);
  }
  for (const size of sizes) {
    const { a, b } = overlappingSets(size, 11);
    const [resemblance, containment] = [exactResemblance(a, b), exactContainment(a, b)];
    test(`resemblance from MIN₃₂: ${resemblance.toFixed(3)}`, () => {
      checkMean(resemblance, (seed) => estimateResemblance(minSketch(a, 32, seed), minSketch(b, 32, seed)));
    });
    // With at least 100 elements, the probability of an empty MOD₄ sketch is at most 0.75^100.
    test(`resemblance from MOD₄: ${resemblance.toFixed(3)}`, () => {
      checkMean(resemblance, (seed) => estimateResemblance(modSketch(a, 4, seed), modSketch(b, 4, seed)));
    });
    test(`containment from MOD₄: ${containment.toFixed(3)}`, () => {
      const [inner, outer] = a.length >= 80 ? [a, b] : [b, a];
      checkMean(exactContainment(inner, outer), (seed) =>
        estimateContainment(modSketch(inner, 4, seed), modSketch(outer, 4, seed)),
      );
    });
  }
  test('the error of MIN_s is at most √(J (1 − J) / s)', () => {
    const { a, b } = overlappingSets(sizes[0], 12);
    const expected = exactResemblance(a, b);
    const squares = Array.from(
      { length: trials },
      (_, seed) => (estimateResemblance(minSketch(a, 32, seed), minSketch(b, 32, seed)) - expected) ** 2,
    );
    const measured = squares.reduce((sum, square) => sum + square, 0) / trials;
    // Sampling 32 of 120 without replacement reduces the variance by (120 − 32) / 119. The bound is five times √(2 /
    // 1,000).
    const variance = ((expected * (1 - expected)) / 32) * (88 / 119);
    assert.ok(Math.abs(measured / variance - 1) < 0.23, `${measured}, not ${variance}`);
  });
  test('unmixed numbers and multiples of m are sampled uniformly', () => {
    const a = Array.from({ length: 100 }, (_, i) => BigInt(8 * i));
    const b = a.slice(50);
    checkMean(0.5, (seed) => estimateResemblance(modSketch(a, 4, seed), modSketch(b, 4, seed)));
    checkMean(0.5, (seed) => estimateResemblance(minSketch(a, 32, seed), minSketch(b, 32, seed)));
  });
});

suite('sketch: edges', () => {
  test('defines values for empty sets', () => {
    assert.equal(estimateResemblance(minSketch([], 4), minSketch([], 4)), 1);
    assert.equal(estimateResemblance(minSketch([], 4), minSketch([1n], 4)), 0);
    assert.equal(estimateResemblance(modSketch([], 4), modSketch([], 4)), 1);
    assert.equal(estimateResemblance(modSketch([], 1), modSketch([1n], 1)), 0);
    assert.equal(estimateContainment(modSketch([], 4), modSketch([1n], 4)), 1);
    assert.equal(estimateContainment(modSketch([1n], 1), modSketch([], 1)), 0);
  });
  test('returns 0 if the sketch of a set is empty', () => {
    const empty = modSketch([1n], 1_048_576);
    assert.equal(empty.hashes.length, 0);
    assert.equal(estimateResemblance(empty, empty), 0);
    assert.equal(estimateContainment(empty, modSketch([1n, 2n], 1_048_576)), 0);
  });
  test('rejects sketches that cannot be compared, and names them', () => {
    const [min, mod] = [minSketch([1n], 4), modSketch([1n], 4)] as [MinSketch, ModSketch];
    assert.throws(() => estimateResemblance(min, mod), { name: 'TypeError', message: /^x and y must be .* one kind/ });
    assert.throws(() => estimateResemblance(min, minSketch([], 5)), {
      name: 'RangeError',
      message: /^x and y must have one s/,
    });
    assert.throws(() => estimateResemblance(mod, modSketch([], 5)), {
      name: 'RangeError',
      message: /^x and y must have one m/,
    });
    assert.throws(() => estimateResemblance(min, minSketch([], 4, 1)), { name: 'RangeError', message: /one seed/ });
    assert.throws(() => estimateContainment(min as never, mod), {
      name: 'TypeError',
      message: /^x must be made by modSketch/,
    });
    assert.throws(() => estimateContainment(mod, {} as never), { name: 'TypeError', message: /^y must be made by/ });
    assert.throws(() => minSketch([], 0), { name: 'RangeError', message: /^s must be/ });
    assert.throws(() => modSketch([], 1.5), { name: 'RangeError', message: /^m must be/ });
  });
});
