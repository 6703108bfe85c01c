import assert from 'node:assert/strict';
import fc from 'fast-check';
import { shingles } from '../../src/core/methods/shingle.ts';
import { tokens } from './hashArbitraries.ts';

const rose = 'a rose is a rose is a rose'.split(' ');

suite('shingle', () => {
  test("finds three unlabelled and five labelled shingles in Broder's rose", () => {
    assert.equal(shingles(rose, 4).length, 3);
    assert.equal(shingles(rose, 4, { labelled: true }).length, 5);
  });
  test('gives equal runs equal hashes in any document', () => {
    const [first] = shingles(['x', 'rose', 'is'], 2).slice(1);
    assert.ok(shingles(rose, 2).includes(first));
  });
  test('gives the second occurrence of a run a different label', () => {
    const once = shingles(['a', 'b'], 2, { labelled: true });
    const twice = shingles(['a', 'b', 'a', 'b'], 2, { labelled: true });
    assert.equal(twice[0], once[0]);
    assert.ok(!twice.slice(1).includes(once[0]));
  });
  test('depends on token boundaries', () => {
    assert.notDeepEqual(shingles(['ab', 'c'], 2), shingles(['a', 'bc'], 2));
    assert.notDeepEqual(shingles(['', 'a'], 2), shingles(['a', ''], 2));
  });
  test('returns one shingle for each run', () => {
    fc.assert(
      fc.property(tokens, fc.integer({ min: 1, max: 6 }), (words, size) => {
        const runs = words.slice(size - 1).map((_, first) => JSON.stringify(words.slice(first, first + size)));
        const unlabelled = shingles(words, size);
        const labelled = shingles(words, size, { labelled: true });
        assert.equal(unlabelled.length, new Set(runs).size);
        assert.equal(new Set(unlabelled).size, unlabelled.length);
        assert.equal(new Set(labelled).size, runs.length);
        // Two runs have the same hash only if they are equal.
        const byRun = new Map(runs.map((run, first) => [run, shingles(words.slice(first, first + size), size)[0]]));
        assert.deepEqual(new Set(byRun.values()), new Set(unlabelled));
      }),
    );
  });
  test('does not depend on the positions of equal runs when labelled', () => {
    assert.deepEqual(
      new Set(shingles('a b x a b'.split(' '), 1, { labelled: true })),
      new Set(shingles('b b a a x'.split(' '), 1, { labelled: true })),
    );
  });
  test('returns nothing for a document shorter than a shingle', () => {
    assert.deepEqual(shingles([], 1), []);
    assert.deepEqual(shingles(['a', 'b'], 3, { labelled: true }), []);
  });
  test('rejects invalid arguments and names them', () => {
    assert.throws(() => shingles('a rose' as never, 2), { name: 'TypeError', message: /^tokens must be iterable/ });
    assert.throws(() => shingles([1] as never, 1), { name: 'TypeError', message: /^tokens must hold strings/ });
    assert.throws(() => shingles([], 1, { labelled: 'yes' as never }), {
      name: 'TypeError',
      message: /^labelled must be/,
    });
    for (const size of [0, -1, 1.5, NaN]) {
      assert.throws(() => shingles(rose, size), { name: 'RangeError', message: /^size must be/ });
    }
  });
});
