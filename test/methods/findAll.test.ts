import assert from 'node:assert/strict';
import fc from 'fast-check';
import { comparesAll, findAll } from '../../src/library/findAll.ts';
import { clumpedHashes, hash, randomHashes, flipped } from './hashArbitraries.ts';
import { ascending, bruteForcePairs } from '../engine/oracles.ts';

/** Compares the pairs with brute force. */
function check(hashes: readonly bigint[], blocks: number, distance: number): void {
  assert.deepEqual(findAll(hashes, blocks, distance), bruteForcePairs(hashes, distance));
}

/** Compares the pairs of many hashes with brute force, and checks that repetitions have no effect. */
function checkMany(hashes: readonly bigint[], blocks: number, distance: number): void {
  const expected = bruteForcePairs(hashes, distance);
  assert.deepEqual(findAll(hashes, blocks, distance), expected);
  assert.deepEqual(findAll([...hashes, ...hashes.slice(100)], blocks, distance), expected);
}

/** Clumps of four neighbors around random numbers, few enough for brute force. */
function crowd(seed: number, clumps = 180): bigint[] {
  const centers = randomHashes(clumps, seed);
  const bits = randomHashes(clumps * 8, seed + 1).map((number) => Number(number & 63n));
  return centers.flatMap((center, i) => [
    center,
    flipped(center, bits.slice(8 * i, 8 * i + 2)),
    flipped(center, bits.slice(8 * i + 2, 8 * i + 5)),
    flipped(center, bits.slice(8 * i + 3, 8 * i + 8)),
  ]);
}

suite('findAll', () => {
  test('handles none, one, and equal numbers', () => {
    check([], 4, 3);
    check([7n], 4, 3);
    check([7n, 7n], 4, 3);
  });
  test('finds a pair at the distance, but not one bit beyond it', () => {
    assert.deepEqual(findAll([0b111n, 0n], 4, 3), [[0n, 0b111n]]);
    assert.deepEqual(findAll([0b1111n, 0n], 4, 3), []);
    assert.deepEqual(findAll([1n, 0n], 1, 0), []);
  });
  test('accepts any iterable', () => {
    const numbers = [1n, 2n, 2n];
    for (const iterable of [numbers, new Set(numbers), BigUint64Array.from(numbers), numbers.values()]) {
      assert.deepEqual(findAll(iterable, 4, 3), [[1n, 2n]]);
    }
  });
  test('equals brute force, for any numbers, blocks, and distance', () => {
    const design = fc
      .integer({ min: 1, max: 12 })
      .chain((blocks) => fc.tuple(fc.constant(blocks), fc.integer({ min: 0, max: blocks - 1 })));
    fc.assert(fc.property(fc.array(hash, { maxLength: 40 }), design, (hashes, [b, d]) => check(hashes, b, d)));
    fc.assert(fc.property(clumpedHashes, design, (hashes, [b, d]) => check(hashes, b, d)));
  });
  for (const [blocks, distance, clumps] of [
    [2, 1, 180],
    [4, 3, 180],
    [5, 3, 180],
    [6, 3, 180],
    [7, 3, 250],
    [4, 1, 180],
    [8, 7, 180],
    [9, 2, 250],
    [64, 1, 400],
  ] as const) {
    test(`equals brute force with tables: ${blocks} blocks, distance ${distance}`, () => {
      const hashes = crowd(blocks, clumps);
      assert.ok(!comparesAll(hashes.length, blocks, distance), 'enough hashes for tables');
      checkMany(hashes, blocks, distance);
    });
  }
  for (const [blocks, distance] of [
    [17, 16],
    [40, 2],
    [64, 63],
  ] as const) {
    test(`equals brute force where tables cost more: ${blocks} blocks, distance ${distance}`, () => {
      const hashes = crowd(blocks, 100);
      assert.ok(comparesAll(hashes.length, blocks, distance), 'tables cost more');
      checkMany(hashes, blocks, distance);
    });
  }
  test('returns no pairs if all numbers are equal', () => {
    assert.deepEqual(findAll(new BigUint64Array(300_000).fill(5n), 5, 3), []);
    assert.deepEqual(findAll(new BigUint64Array(300_000).fill(5n), 17, 16), []);
  });
  test('finds pairs of numbers that agree in most blocks', () => {
    check(
      Array.from({ length: 700 }, (_, i) => BigInt(i)),
      5,
      3,
    );
    check(
      Array.from({ length: 700 }, (_, i) => BigInt(i) << 54n),
      6,
      4,
    );
  });
  test('finds all clumps among 200,000 random numbers for any number of blocks', () => {
    const clumps = crowd(1);
    const hashes = [...randomHashes(200_000, 2), ...clumps];
    const expected = bruteForcePairs(clumps, 3);
    assert.ok(expected.length > 100);
    for (const blocks of [4, 5, 6]) assert.deepEqual(findAll(hashes, blocks, 3), expected);
  });
  test('finds more pairs than the initial buffer holds among clustered and equal numbers', () => {
    // The high digits are equal: 700 numbers within 11 bits of each other.
    const low = Array.from({ length: 700 }, (_, i) => BigInt((i * 7919) % 2048));
    const pairs = findAll([...low, ...low], 12, 11);
    assert.equal(pairs.length, (700 * 699) / 2);
    assert.deepEqual(
      pairs,
      [...pairs].sort((x, y) => ascending(x[0], y[0]) || ascending(x[1], y[1])),
    );
    assert.equal(new Set(pairs.map((pair) => pair.join())).size, pairs.length);
    for (const shift of [0n, 20n, 33n, 53n])
      check(
        low.map((number) => number << shift),
        5,
        2,
      );
  });
  test('does not depend on the order of the input', () => {
    const hashes = crowd(3);
    assert.deepEqual(findAll([...hashes].reverse(), 5, 3), findAll(hashes, 5, 3));
  });
  test('rejects invalid arguments and names them', () => {
    assert.throws(() => findAll([], 3, 3), { name: 'RangeError', message: /^blocks must be greater than distance/ });
    assert.throws(() => findAll([], 65, 3), { name: 'RangeError', message: /^blocks/ });
    assert.throws(() => findAll([], 4, 1.5), { name: 'RangeError', message: /^distance/ });
    assert.throws(() => findAll([], 64, 30), { name: 'RangeError', message: /would make .* tables/ });
    assert.throws(() => findAll([1] as never, 4, 3), { name: 'TypeError', message: /^hashes/ });
    assert.throws(() => findAll([-1n], 4, 3), { name: 'RangeError', message: /^hashes/ });
  });
});
