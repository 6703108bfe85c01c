import assert from 'node:assert/strict';
import fc from 'fast-check';
import { BandedLookup, candidateProbability } from '../../src/library/bandedLookup.ts';
import { minhash, type Signature } from '../../src/library/minhash.ts';
import { history, overlappingSets } from './hashArbitraries.ts';

/** True if two signatures are equal in all rows of some band. */
function shareABand(x: Signature, y: Signature, bands: number, rows: number): boolean {
  return Array.from({ length: bands }, (_, band) => band * rows).some((first) =>
    x.subarray(first, first + rows).every((place, row) => place === y[first + row]),
  );
}

suite('bandedLookup', () => {
  test('returns signatures that share a band, after any insertions and removals', () => {
    // Few distinct numbers, so that bands often agree.
    const pool = fc.array(
      fc
        .array(fc.bigInt({ min: 0n, max: 2n }), { minLength: 7, maxLength: 7 })
        .map((list) => BigUint64Array.from(list)),
      { minLength: 1, maxLength: 20 },
    );
    const banding = fc.constantFrom({ bands: 3, rows: 2 }, { bands: 7, rows: 1 }, { bands: 1, rows: 7 });
    fc.assert(
      fc.property(pool, banding, history(20), (signatures, { bands, rows }, steps) => {
        const lookup = new BandedLookup<string>({ bands, rows });
        const stored = new Map<string, Signature>();
        for (const { place, insert } of steps) {
          // Five keys, so that later insertions replace signatures.
          const key = `key ${place % 5}`;
          if (insert) {
            lookup.insert(key, signatures[place % signatures.length]);
            stored.set(key, signatures[place % signatures.length]);
          } else {
            assert.equal(lookup.remove(key), stored.delete(key));
          }
        }
        assert.equal(lookup.size, stored.size);
        for (const signature of signatures) {
          const expected = [...stored].filter(([, other]) => shareABand(signature, other, bands, rows));
          assert.deepEqual(lookup.candidates(signature).sort(), expected.map(([key]) => key).sort());
        }
      }),
    );
  });
  test('candidates follow the curve 1 − (1 − J^r)^b', () => {
    const banding = { bands: 8, rows: 4 };
    const trials = 1500;
    for (const shared of [4, 10, 14, 16, 18, 20]) {
      const { a, b } = overlappingSets({ shared, onlyA: 20 - shared, onlyB: 0 }, shared);
      let found = 0;
      for (let seed = 0; seed < trials; seed++) {
        const lookup = new BandedLookup<number>(banding);
        lookup.insert(0, minhash(a, 32, seed));
        found += lookup.candidates(minhash(b, 32, seed)).length;
      }
      const expected = candidateProbability(shared / 20, banding);
      const error = Math.sqrt((expected * (1 - expected)) / trials);
      assert.ok(
        Math.abs(found / trials - expected) <= 5 * error,
        `J = ${shared / 20}: ${found / trials}, not ${expected}`,
      );
    }
  });
  test('the curve runs from 0 to 1 and is steep near (1 / b)^(1 / r)', () => {
    const banding = { bands: 32, rows: 4 };
    assert.equal(candidateProbability(0, banding), 0);
    assert.equal(candidateProbability(1, banding), 1);
    const middle = (1 / 32) ** (1 / 4);
    // (1 − 1 / b)^b is about 1 / e.
    assert.ok(Math.abs(candidateProbability(middle, banding) - (1 - 1 / Math.E)) < 0.01);
    assert.ok(candidateProbability(middle - 0.2, banding) < 0.1);
    assert.ok(candidateProbability(middle + 0.2, banding) > 0.99);
  });
  test('rejects invalid arguments and names them', () => {
    assert.throws(() => new BandedLookup({ bands: 0, rows: 1 }), { name: 'RangeError', message: /^bands must be/ });
    assert.throws(() => new BandedLookup({ bands: 1, rows: 1.5 }), { name: 'RangeError', message: /^rows must be/ });
    const lookup = new BandedLookup<number>({ bands: 4, rows: 4 });
    assert.throws(() => lookup.insert(0, minhash([], 15)), {
      name: 'RangeError',
      message: /^signature must have 4 × 4/,
    });
    assert.throws(() => lookup.candidates([1n] as never), { name: 'TypeError', message: /^signature must be/ });
    assert.throws(() => candidateProbability(2, { bands: 1, rows: 1 }), {
      name: 'RangeError',
      message: /^jaccard must/,
    });
  });
});
