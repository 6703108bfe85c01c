import assert from 'node:assert/strict';
import fc from 'fast-check';
import { leastKey } from '../../src/library/clusterKey.ts';
import { hash, overlappingSets } from './hashArbitraries.ts';
import { ascending, choose } from '../engine/oracles.ts';

suite('clusterKey', () => {
  test('is the XOR of the r smallest distinct hashes', () => {
    assert.equal(leastKey([9n, 1n, 4n, 1n], 1), 1n);
    assert.equal(leastKey([9n, 1n, 4n, 1n], 2), 5n);
    fc.assert(
      fc.property(fc.array(hash), fc.integer({ min: 1, max: 9 }), (hashes, r) => {
        const smallest = [...new Set(hashes)].sort(ascending).slice(0, r);
        assert.equal(
          leastKey(hashes, r),
          smallest.reduce((key, element) => key ^ element, 0n),
        );
      }),
    );
  });
  test('of an empty set is 0, and of fewer than r the XOR of all', () => {
    assert.equal(leastKey([], 4), 0n);
    assert.equal(leastKey([6n, 3n], 4), 5n);
  });
  test('does not depend on order, repetition, or other hashes than the smallest', () => {
    assert.equal(leastKey([3n, 1n, 2n, 2n, 77n], 3), leastKey([1n, 2n, 3n, 99n], 3));
  });
  test('is equal with probability C(i, r) / C(u, r), about J^r', () => {
    const trials = 4000;
    for (const [shared, r] of [
      [45, 1],
      [45, 2],
      [45, 4],
      [30, 2],
      [10, 2],
    ]) {
      let equal = 0;
      for (let seed = 1; seed <= trials; seed++) {
        const { a, b } = overlappingSets({ shared, onlyA: 50 - shared, onlyB: 0 }, 1000 * r + seed);
        if (leastKey(a, r) === leastKey(b, r)) equal++;
      }
      const expected = choose(shared, r) / choose(50, r);
      const error = Math.sqrt((expected * (1 - expected)) / trials);
      assert.ok(Math.abs(equal / trials - expected) < 5 * error, `${equal / trials}, not ${expected}`);
      // The probability is within r² / u of J^r.
      assert.ok(Math.abs(expected - (shared / 50) ** r) < r ** 2 / 50);
    }
  });
  test('rejects invalid arguments and names them', () => {
    assert.throws(() => leastKey([], 0), { name: 'RangeError', message: /^r must be/ });
    assert.throws(() => leastKey(['a'] as never, 1), { name: 'TypeError', message: /^hashes must be/ });
  });
});
