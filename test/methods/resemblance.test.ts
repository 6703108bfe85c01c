import assert from 'node:assert/strict';
import fc from 'fast-check';
import { containment, resemblance, weightedResemblance } from '../../src/core/methods/resemblance.ts';
import { shingles } from '../../src/core/methods/shingle.ts';
import { hash, tokens } from './hashArbitraries.ts';
import { exactContainment, exactResemblance } from '../engine/oracles.ts';

const set = fc.array(fc.oneof(fc.bigInt({ min: 0n, max: 9n }), hash));
const weights = fc
  .array(fc.tuple(fc.constantFrom<string[]>('a', 'b', 'c', 'd', 'e'), fc.double({ min: 0, max: 9, noNaN: true })))
  .map((list) => new Map(list));

suite('resemblance', () => {
  test('returns the values of the examples', () => {
    assert.equal(resemblance([1n, 2n, 3n], [2n, 3n, 4n, 5n]), 2 / 5);
    assert.equal(containment([1n, 2n, 3n], [2n, 3n, 4n, 5n]), 2 / 3);
    assert.equal(containment([2n, 3n, 4n, 5n], [1n, 2n, 3n]), 2 / 4);
  });
  test('equals the definition', () => {
    fc.assert(
      fc.property(set, set, (a, b) => {
        assert.equal(resemblance(a, b), exactResemblance(a, b));
        assert.equal(containment(a, b), exactContainment(a, b));
      }),
    );
  });
  test('1 − resemblance is a metric', () => {
    fc.assert(
      fc.property(set, set, set, (a, b, c) => {
        assert.equal(resemblance(a, b), resemblance(b, a));
        assert.equal(resemblance(a, a), 1);
        assert.ok(1 - resemblance(a, c) <= 2 - resemblance(a, b) - resemblance(b, c) + 1e-12);
      }),
    );
  });
  test('defines values for empty sets', () => {
    assert.deepEqual([resemblance([], []), resemblance([], [1n])], [1, 0]);
    assert.deepEqual([containment([], []), containment([], [1n]), containment([1n], [])], [1, 1, 0]);
  });
  test('counts repetitions in labelled bags', () => {
    const [a, b] = [
      ['x', 'x', 'x', 'y'],
      ['x', 'y'],
    ].map((words) => shingles(words, 1, { labelled: true }));
    assert.equal(resemblance(a, b), 2 / 4);
    fc.assert(
      fc.property(tokens, tokens, (p, q) => {
        const numbered = (words: readonly string[]): string[] =>
          words.map((word, i) => `${word} ${words.slice(0, i).filter((earlier) => earlier === word).length}`);
        const [x, y] = [p, q].map((words) => shingles(words, 1, { labelled: true }));
        assert.equal(resemblance(x, y), exactResemblance(numbered(p), numbered(q)));
        assert.equal(containment(x, y), exactContainment(numbered(p), numbered(q)));
      }),
    );
  });
  test('rejects invalid arguments and names them', () => {
    assert.throws(() => resemblance(1n as never, []), { name: 'TypeError', message: /^a must be iterable/ });
    assert.throws(() => containment([], [1] as never), { name: 'TypeError', message: /^b must be a bigint/ });
  });
});

suite('resemblance: weighted', () => {
  const of = (entries: [string, number][]): Map<string, number> => new Map(entries);
  test('returns the value of the example', () => {
    const [a, b] = [
      of([
        ['x', 3],
        ['y', 1],
      ]),
      of([
        ['x', 1],
        ['z', 2],
      ]),
    ];
    assert.equal(weightedResemblance(a, b), 1 / 6);
  });
  test('is Σ min / Σ max', () => {
    fc.assert(
      fc.property(weights, weights, (a, b) => {
        const pairs = ['a', 'b', 'c', 'd', 'e'].map((feature) => [a.get(feature) ?? 0, b.get(feature) ?? 0]);
        const [minSum, maxSum] = [Math.min, Math.max].map((f) => pairs.reduce((sum, pair) => sum + f(...pair), 0));
        const expected = maxSum === 0 ? 1 : minSum / maxSum;
        assert.ok(Math.abs(weightedResemblance(a, b) - expected) < 1e-12);
        assert.equal(weightedResemblance(a, a), 1);
      }),
    );
  });
  test('equals the resemblance if all weights are 1', () => {
    fc.assert(
      fc.property(set, set, (a, b) => {
        const ones = (hashes: readonly bigint[]): Map<bigint, number> => new Map(hashes.map((element) => [element, 1]));
        assert.equal(weightedResemblance(ones(a), ones(b)), resemblance(a, b));
      }),
    );
  });
  test('does not overflow with the greatest weights', () => {
    const maxWeight = Number.MAX_VALUE;
    assert.equal(
      weightedResemblance(
        of([
          ['x', maxWeight],
          ['y', maxWeight],
          ['z', maxWeight],
        ]),
        of([
          ['x', maxWeight],
          ['y', maxWeight / 2],
        ]),
      ),
      0.5,
    );
  });
  test('is 1 if both sides are empty, and 0 if only one is', () => {
    assert.equal(weightedResemblance(of([]), of([])), 1);
    assert.equal(weightedResemblance(of([['x', 0]]), of([])), 1);
    assert.equal(weightedResemblance(of([['x', 1]]), of([['x', 0]])), 0);
  });
  test('rejects invalid arguments and names them', () => {
    assert.throws(() => weightedResemblance(of([['x', -1]]), of([])), {
      name: 'RangeError',
      message: /^a must hold finite/,
    });
    assert.throws(() => weightedResemblance(of([]), of([['x', Infinity]])), {
      name: 'RangeError',
      message: /^b must hold/,
    });
    assert.throws(() => weightedResemblance(of([]), [] as never), { name: 'TypeError', message: /^b must be a Map/ });
  });
});
