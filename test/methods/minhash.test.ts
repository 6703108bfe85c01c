import assert from 'node:assert/strict';
import fc from 'fast-check';
import { estimateJaccard, minhash } from '../../src/library/minhash.ts';
import { permutationKeys, permutedHigh, permutedLow } from '../../src/library/randomPermutation.ts';
import { hash, overlappingSets, randomHashes } from './hashArbitraries.ts';
import { exactResemblance } from '../engine/oracles.ts';

suite('randomPermutation', () => {
  /** Returns the image of a number, as text. */
  const image = (keys: Uint32Array, number: number): string => {
    const high = permutedHigh(keys, 0, 0, number);
    return `${high} ${permutedLow(keys, 0, 0, number, high)}`;
  };
  test('maps different numbers to different images', () => {
    const keys = permutationKeys(5, 1);
    assert.equal(new Set(Array.from({ length: 100_000 }, (_, number) => image(keys, number))).size, 100_000);
  });
  test('does not depend on the number of permutations, and differs for each seed', () => {
    assert.deepEqual(permutationKeys(7, 10).subarray(0, 9), permutationKeys(7, 3));
    assert.deepEqual(permutationKeys(7, 3), permutationKeys(7n, 3));
    const seeds = [0, 1, 2 ** 32, 2 ** 32 + 1, 0xffffffffffffffffn];
    assert.equal(new Set(seeds.map((seed) => permutationKeys(seed, 1).join())).size, seeds.length);
  });
  test('rejects an invalid seed and names it', () => {
    for (const seed of [-1, 1.5, 2 ** 53, NaN, -1n, 1n << 64n]) {
      assert.throws(() => permutationKeys(seed, 1), { name: 'RangeError', message: /^seed must be/ });
    }
    assert.throws(() => permutationKeys('1' as never, 1), { name: 'TypeError', message: /^seed must be/ });
  });

  // Min-wise independence (Broder, Charikar, Frieze, Mitzenmacher 2000): each element of a set is the smallest with
  // probability (1 ± ε) / |X|. With N seeds and n elements, the share of one element has the relative standard error
  // √((n − 1) / N). No share may be off by more than 5 standard errors.
  const seeds = 20_000;
  for (const [name, set] of Object.entries({
    'two numbers': [0n, 1n],
    'ten consecutive numbers': Array.from({ length: 10 }, (_, i) => BigInt(i)),
    'multiples of 2^32': Array.from({ length: 10 }, (_, i) => BigInt(i) << 32n),
    'single bits': Array.from({ length: 64 }, (_, i) => 1n << BigInt(i)),
    'a hundred random numbers': randomHashes(100, 1),
    'one number far from the others': [...Array.from({ length: 19 }, (_, i) => BigInt(i)), 0xffffffffffffffffn],
  })) {
    test(`each element is the smallest equally often: ${name}`, () => {
      const wins = new Map<number, number>();
      // If element i is the smallest, its own image equals that of the set.
      const places = 500;
      for (let seed = 0; seed < seeds / places; seed++) {
        const alone = set.map((element) => minhash([element], places, seed));
        minhash(set, places, seed).forEach((smallest, place) => {
          const winner = alone.findIndex((signature) => signature[place] === smallest);
          wins.set(winner, (wins.get(winner) ?? 0) + 1);
        });
      }
      const bound = 5 * Math.sqrt((set.length - 1) / seeds);
      set.forEach((_, element) => {
        const relativeError = ((wins.get(element) ?? 0) * set.length) / seeds - 1;
        assert.ok(Math.abs(relativeError) < bound, `element ${element} is off by ${relativeError}; bound ${bound}`);
      });
    });
  }
});

suite('minhash', () => {
  test('is the greatest number at each position for an empty set', () => {
    assert.deepEqual([...minhash([], 3, 1)], new Array(3).fill(0xffffffffffffffffn));
    assert.equal(estimateJaccard(minhash([]), minhash([])), 1);
    assert.equal(estimateJaccard(minhash([]), minhash([1n])), 0);
  });
  test('does not depend on order or repetition', () => {
    fc.assert(
      fc.property(fc.array(hash), (hashes) => {
        assert.deepEqual(minhash([...hashes, ...hashes].reverse(), 16), minhash(new Set(hashes), 16));
      }),
    );
  });
  test('of a union is the minimum of both at each position', () => {
    fc.assert(
      fc.property(fc.array(hash), fc.array(hash), (a, b) => {
        const [x, y] = [minhash(a, 16), minhash(b, 16)];
        assert.deepEqual(
          [...minhash([...a, ...b], 16)],
          [...x].map((smallest, i) => (smallest < y[i] ? smallest : y[i])),
        );
      }),
    );
  });
  test('is the beginning of a longer one', () => {
    assert.deepEqual(minhash([1n, 2n], 64, 3).subarray(0, 10), minhash([1n, 2n], 10, 3));
  });
  test('estimates resemblance without bias, with variance J (1 − J) / n', () => {
    for (const sizes of [
      { shared: 10, onlyA: 90, onlyB: 0 },
      { shared: 30, onlyA: 15, onlyB: 15 },
      { shared: 9, onlyA: 1, onlyB: 0 },
      { shared: 0, onlyA: 20, onlyB: 20 },
    ]) {
      const { a, b } = overlappingSets(sizes, 9);
      const expected = exactResemblance(a, b);
      const places = 64;
      const trials = 400;
      const estimates = Array.from({ length: trials }, (_, seed) =>
        estimateJaccard(minhash(a, places, seed), minhash(b, places, seed)),
      );
      const mean = estimates.reduce((sum, estimate) => sum + estimate, 0) / trials;
      const variance = (expected * (1 - expected)) / places;
      // Five standard errors of the mean of 400 values.
      assert.ok(Math.abs(mean - expected) <= 5 * Math.sqrt(variance / trials), `${mean}, not ${expected}`);
      const measured = estimates.reduce((sum, estimate) => sum + (estimate - expected) ** 2, 0) / trials;
      // The variance of 400 values has a relative standard error of about √(2 / 400) = 0.07.
      assert.ok(Math.abs(measured - variance) <= 0.36 * variance, `variance ${measured}, not ${variance}`);
    }
  });
  test('rejects invalid arguments and names them', () => {
    assert.throws(() => minhash([], 0), { name: 'RangeError', message: /^permutations must be/ });
    assert.throws(() => minhash([1] as never), { name: 'TypeError', message: /^hashes must/ });
    assert.throws(() => minhash([], 1, -1), { name: 'RangeError', message: /^seed must/ });
    assert.throws(() => estimateJaccard(minhash([], 2), minhash([], 3)), {
      name: 'RangeError',
      message: /^x and y must/,
    });
    assert.throws(() => estimateJaccard([1n] as never, minhash([])), { name: 'TypeError', message: /^x must/ });
    assert.throws(() => estimateJaccard(minhash([]), new BigUint64Array()), { name: 'RangeError', message: /^y must/ });
  });
});
