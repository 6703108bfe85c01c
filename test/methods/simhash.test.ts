import assert from 'node:assert/strict';
import fc from 'fast-check';
import { numDifferingBits } from '../../src/core/methods/bits.ts';
import { hash64 } from '../../src/core/methods/hash64.ts';
import { simhash } from '../../src/core/methods/simhash.ts';
import { hash, randomHashes } from './hashArbitraries.ts';
import { simhashByDefinition } from '../engine/oracles.ts';

const weighted = fc.array(fc.tuple(hash, fc.integer({ min: 0, max: 9 })), { maxLength: 30 });

suite('simhash', () => {
  test('is the hash of a single feature', () => {
    assert.equal(simhash([0x0123456789abcdefn]), 0x0123456789abcdefn);
  });
  test('is the majority of bits', () => {
    assert.equal(simhash([0b1100n, 0b1010n, 0b1001n]), 0b1000n);
    assert.equal(simhash([0b1100n, 0b0011n, 0b0011n]), 0b0011n);
    assert.equal(simhash([0b1100n, 0b0011n], [3, 2]), 0b1100n);
  });
  test('is 0 for an empty bag, for votes that cancel out, and for weights of 0', () => {
    assert.equal(simhash([]), 0n);
    assert.equal(simhash([], []), 0n);
    assert.equal(simhash([0b10n, 0b01n]), 0n);
    assert.equal(simhash([0xffffffffffffffffn], [0]), 0n);
  });
  test('is the sign of the sum of votes', () => {
    fc.assert(
      fc.property(weighted, (features) => {
        const [hashes, weights] = [features.map(([h]) => h), features.map(([, w]) => w)];
        assert.equal(simhash(hashes, weights), simhashByDefinition(hashes, weights));
      }),
    );
  });
  test('does not depend on order', () => {
    fc.assert(
      fc.property(weighted, (features) => {
        const reversed = [...features].reverse();
        const of = (list: typeof features): bigint =>
          simhash(
            list.map(([h]) => h),
            list.map(([, w]) => w),
          );
        assert.equal(of(reversed), of(features));
      }),
    );
  });
  test('treats a weight as a number of repetitions, in a list and in a map', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(hash, fc.integer({ min: 0, max: 9 })), { selector: ([h]) => h }),
        (features) => {
          const repeated = features.flatMap(([h, w]) => new Array<bigint>(w).fill(h));
          const hashes = features.map(([h]) => h);
          assert.equal(
            simhash(
              hashes,
              features.map(([, w]) => w),
            ),
            simhash(repeated),
          );
          assert.equal(simhash(hashes, new Map(features)), simhash(repeated));
        },
      ),
    );
  });
  test('does not overflow with the greatest weights', () => {
    const maxWeight = Number.MAX_VALUE;
    assert.equal(simhash([0b0011n, 0b0101n, 0b1001n], [maxWeight, maxWeight, maxWeight]), 0b0001n);
  });
  test('gives a hash that is missing in a map of weights the weight 1', () => {
    assert.equal(simhash([0b100n, 0b010n, 0b001n], new Map([[0b100n, 3]])), 0b100n);
  });
  test('differs in a bit with probability θ / π', () => {
    // Two bags of 200 features with 150 in common: cos θ = 150 / 200. 64 bits × 400 pairs: standard error 0.0026.
    const pairs = 400;
    let differing = 0;
    for (let pair = 0; pair < pairs; pair++) {
      const all = randomHashes(250, pair + 1);
      differing += numDifferingBits(simhash(all.slice(0, 200)), simhash(all.slice(50)));
    }
    const expected = Math.acos(150 / 200) / Math.PI;
    assert.ok(Math.abs(differing / (64 * pairs) - expected) < 0.013, `${differing / (64 * pairs)}, not ${expected}`);
  });
  test('rejects invalid arguments and names them', () => {
    assert.throws(() => simhash([1n], [1, 2]), {
      name: 'RangeError',
      message: /^weights must hold one number for each/,
    });
    assert.throws(() => simhash([1n], [-1]), { name: 'RangeError', message: /^weights must hold finite/ });
    // Weights are checked even if no hash uses them.
    assert.throws(() => simhash([1n], new Map([[2n, -1]])), {
      name: 'RangeError',
      message: /^weights must hold finite/,
    });
    assert.throws(() => simhash([1n], [NaN]), { name: 'RangeError', message: /^weights/ });
    assert.throws(() => simhash([1n], ['1'] as never), { name: 'TypeError', message: /^weights must hold numbers/ });
    assert.throws(() => simhash([1n], 1 as never), { name: 'TypeError', message: /^weights must be iterable/ });
    assert.throws(() => simhash(1n as never), { name: 'TypeError', message: /^hashes must be iterable/ });
  });
});

suite('simhash: three sentences, about cats and suits', () => {
  const sentences = ['the cat in the tree is white', 'the man in the suit is happy', 'a white cat is in a tree'].map(
    (sentence) => sentence.split(' '),
  );
  /** Returns the distances between the first and second, first and third, and second and third sentence. */
  function distances(weightOf: (word: string) => number): [number, number, number] {
    const [a, b, c] = sentences.map((words) => simhash(words.map(hash64), words.map(weightOf)));
    return [numDifferingBits(a, b), numDifferingBits(a, c), numDifferingBits(b, c)];
  }
  test('without weights, the first two are nearest because they share "the", "in", and "is"', () => {
    const [catSuit, cats, suitCat] = distances(() => 1);
    assert.ok(catSuit < cats && catSuit < suitCat, `${catSuit}, ${cats}, ${suitCat}`);
  });
  test('if common words weigh a third, the first and third are nearest', () => {
    const [catSuit, cats, suitCat] = distances((word) => (['a', 'the', 'in', 'is'].includes(word) ? 1 : 3));
    assert.ok(cats < catSuit && cats < suitCat, `${catSuit}, ${cats}, ${suitCat}`);
  });
});
