import assert from 'node:assert/strict';
import fc from 'fast-check';
import { estimateJaccard } from '../../src/library/minhash.ts';
import { weightedResemblance } from '../../src/core/methods/resemblance.ts';
import { weightedMinhash } from '../../src/library/weightedMinhash.ts';
import { randomNumbers } from './hashArbitraries.ts';

type Weights = Map<string, number>;

/** Returns the weights of features f0, f1, …, one for each number. */
const of = (...numbers: number[]): Weights => new Map(numbers.map((weight, i) => [`f${i}`, weight]));

suite('weightedMinhash: collision rate', () => {
  const places = 2000;
  const trials = 10;
  const random = randomNumbers(200, 1);
  for (const [name, a, b] of [
    ['equal sets', of(1, 2, 3), of(1, 2, 3)],
    ['one feature, half the weight', of(1), of(0.5)],
    ['one feature, a little less', of(1), of(0.95)],
    ['disjoint sets', of(1, 0), of(0, 1)],
    ['weights of 1', of(1, 1, 1, 0), of(0, 1, 1, 1)],
    ['small and large weights', of(1e-6, 3e-6, 0), of(2e-6, 1e-6, 1e-6)],
    ['large weights', of(1e9, 3e9), of(2e9, 1e9)],
    ['a heavy feature among light ones', of(100, 1, 1, 1, 1), of(80, 0, 1, 2, 1)],
    ['fifty random weights', of(...random.slice(0, 50)), of(...random.slice(50, 100))],
    [
      'fifty random weights, slightly changed',
      of(...random.slice(0, 50)),
      of(...random.slice(0, 50).map((w, i) => w * (0.8 + 0.4 * random[100 + i]))),
    ],
  ] as const) {
    test(`is Σ min / Σ max: ${name}`, () => {
      let sum = 0;
      for (let seed = 0; seed < trials; seed++) {
        sum += estimateJaccard(weightedMinhash(a, places, seed), weightedMinhash(b, places, seed));
      }
      const expected = weightedResemblance(a, b);
      // Five standard errors of 20,000 positions.
      const error = 5 * Math.sqrt((expected * (1 - expected)) / (places * trials));
      assert.ok(Math.abs(sum / trials - expected) <= error, `${sum / trials}, not ${expected} ± ${error}`);
    });
  }
});

suite('weightedMinhash', () => {
  test('samples a feature in proportion to its weight', () => {
    // The signature of the feature alone shows which positions it won.
    const weights = of(1, 2, 5);
    const all = weightedMinhash(weights, 20_000);
    const shares = [...weights].map((entry) => estimateJaccard(all, weightedMinhash(new Map([entry]), 20_000)));
    [1 / 8, 2 / 8, 5 / 8].forEach((expected, i) => assert.ok(Math.abs(shares[i] - expected) < 0.018, `${shares[i]}`));
  });
  test('does not depend on the order of features, or on features of weight 0', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(fc.string(), fc.double({ min: 0, max: 9, noNaN: true })), { selector: ([f]) => f }),
        (entries) => {
          const some = entries.filter(([, weight]) => weight > 0);
          assert.deepEqual(weightedMinhash(new Map([...entries].reverse()), 8), weightedMinhash(new Map(some), 8));
        },
      ),
    );
  });
  test('accepts hashes as features', () => {
    const [a, b] = [
      new Map([
        [1n, 2],
        [2n, 1],
      ]),
      new Map([
        [1n, 1],
        [2n, 1],
      ]),
    ];
    assert.ok(Math.abs(estimateJaccard(weightedMinhash(a, 20_000), weightedMinhash(b, 20_000)) - 2 / 3) < 0.017);
  });
  test('is the greatest number at each position for a set without weight', () => {
    assert.deepEqual([...weightedMinhash(of(0), 2)], new Array(2).fill(0xffffffffffffffffn));
    assert.deepEqual(weightedMinhash(new Map(), 2), weightedMinhash(of(0), 2));
    assert.equal(estimateJaccard(weightedMinhash(of(0)), weightedMinhash(of(1))), 0);
  });
  test('rejects invalid arguments and names them', () => {
    assert.throws(() => weightedMinhash(of(-1)), { name: 'RangeError', message: /^weights must hold finite/ });
    assert.throws(() => weightedMinhash([] as never), { name: 'TypeError', message: /^weights must be a Map/ });
    assert.throws(() => weightedMinhash(new Map([[1, 1]]) as never), {
      name: 'TypeError',
      message: /^weights: a feature/,
    });
    assert.throws(() => weightedMinhash(of(1), 0), { name: 'RangeError', message: /^permutations must be/ });
  });
});
