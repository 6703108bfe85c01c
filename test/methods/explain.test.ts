import assert from 'node:assert/strict';
import fc from 'fast-check';
import { explain } from '../../src/core/methods/explain.ts';
import { tokens } from './hashArbitraries.ts';
import { differingBits, exactContainment, exactResemblance } from '../engine/oracles.ts';

suite('explain', () => {
  const cats = 'the cat in the tree is white'.split(' ');
  const suit = 'the man in the suit is happy'.split(' ');
  const weights = new Map([
    ...['a', 'the', 'in', 'is'].map((word): [string, number] => [word, 1]),
    ...['cat', 'tree', 'white', 'man', 'suit', 'happy'].map((word): [string, number] => [word, 3]),
  ]);

  test('lists shared and differing features, heaviest first', () => {
    const { shared, differing } = explain(cats, suit, { weights });
    const text = (list: typeof shared): string[] =>
      list.map((feature) => `${feature.tokens.join(' ')} ${feature.weightInA} ${feature.weightInB}`);
    assert.deepEqual(text(shared), ['the 2 2', 'in 1 1', 'is 1 1']);
    assert.deepEqual(text(differing), ['cat 3 0', 'happy 0 3', 'man 0 3', 'suit 0 3', 'tree 3 0', 'white 3 0']);
  });
  test('returns consistent numbers', () => {
    const found = explain(cats, suit, { weights });
    assert.equal(found.distance, differingBits(found.fingerprintA, found.fingerprintB));
    assert.equal(found.similarity, 8 / 14);
    assert.equal(found.resemblance, 3 / 9);
    assert.equal(found.containmentOfA, 3 / 6);
    assert.equal(found.containmentOfB, 3 / 6);
    assert.equal(found.weightedResemblance, 4 / 22);
  });
  test('gives a feature of several tokens their mean weight', () => {
    const { shared } = explain(['x', 'y', 'z'], ['x', 'y'], { size: 2, weights: new Map([['x', 4]]) });
    assert.deepEqual(shared, [{ tokens: ['x', 'y'], weightInA: 2.5, weightInB: 2.5 }]);
  });
  test('lists at most the requested number of features', () => {
    const { shared, differing } = explain(cats, suit, { limit: 2 });
    assert.deepEqual([shared.length, differing.length], [2, 2]);
  });
  test('agrees with the definitions', () => {
    fc.assert(
      fc.property(tokens, tokens, fc.integer({ min: 1, max: 4 }), (a, b, size) => {
        const [runsA, runsB] = [a, b].map((words) =>
          words.slice(size - 1).map((_, first) => JSON.stringify(words.slice(first, first + size))),
        );
        const found = explain(a, b, { size, limit: 1000 });
        assert.equal(found.resemblance, exactResemblance(runsA, runsB));
        assert.equal(found.containmentOfA, exactContainment(runsA, runsB));
        assert.equal(found.containmentOfB, exactContainment(runsB, runsA));
        const count = (runs: readonly string[], run: string): number => runs.filter((other) => other === run).length;
        for (const { tokens: run, weightInA, weightInB } of [...found.shared, ...found.differing]) {
          assert.deepEqual(
            [weightInA, weightInB],
            [runsA, runsB].map((runs) => count(runs, JSON.stringify(run))),
          );
        }
        assert.equal(found.shared.length, new Set(runsA.filter((run) => runsB.includes(run))).size);
      }),
    );
  });
  test('is symmetric', () => {
    fc.assert(
      fc.property(tokens, tokens, (a, b) => {
        const [forward, back] = [explain(a, b, { size: 2 }), explain(b, a, { size: 2 })];
        assert.equal(forward.similarity, back.similarity);
        assert.equal(forward.distance, back.distance);
        assert.equal(forward.containmentOfA, back.containmentOfB);
        assert.deepEqual(
          forward.differing,
          back.differing.map(({ tokens: run, weightInA, weightInB }) => ({
            tokens: run,
            weightInA: weightInB,
            weightInB: weightInA,
          })),
        );
      }),
    );
  });
  test('reports empty passages as equal, and no resemblance if one is empty', () => {
    const { distance, similarity, resemblance, weightedResemblance, shared, differing } = explain([], []);
    assert.deepEqual([distance, similarity, resemblance, weightedResemblance, shared, differing], [0, 1, 1, 1, [], []]);
    assert.equal(explain(['a'], []).similarity, 0);
    assert.equal(explain(['a'], []).resemblance, 0);
  });
  test('rejects invalid arguments and names them', () => {
    assert.throws(() => explain('a' as never, []), { name: 'TypeError', message: /^tokensA must be iterable/ });
    assert.throws(() => explain([], 1 as never), { name: 'TypeError', message: /^tokensB must be iterable/ });
    assert.throws(() => explain([], [], { size: 0 }), { name: 'RangeError', message: /^size must be/ });
    assert.throws(() => explain([], [], { limit: -1 }), { name: 'RangeError', message: /^limit must be/ });
    assert.throws(() => explain([], [], { weights: new Map([['a', -1]]) }), {
      name: 'RangeError',
      message: /^weights must/,
    });
  });
});
