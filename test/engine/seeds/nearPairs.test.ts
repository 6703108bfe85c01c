/** Limit on the partners of near fingerprints. */
import assert from 'node:assert/strict';
import { maxPartners } from '../../../src/core/engine/seeds/nearPairs.ts';
import { constants } from '../../../src/core/engine/constants.ts';
import { choose } from '../oracles.ts';

const { partners: fewest, maxPartners: bound } = constants.seeds;

/** Returns the probability that a Poisson variable exceeds x, as the sum of its definition. */
function chanceAbove(x: number, mean: number): number {
  let chance = 0;
  let term = Math.exp(-mean);
  for (let value = 0; value < 2_000; value++) {
    if (value > x) chance += term;
    term *= mean / (value + 1);
  }
  return chance;
}

/** Returns the expected number of random fingerprints, out of n, within the distance of one. */
function expectedNear(n: number, distance: number): number {
  let near = 0;
  for (let bits = 0; bits <= distance; bits++) near += (n * choose(64, bits)) / 2 ** 64;
  return near;
}

suite('nearPairs: partners', () => {
  test('suffice for all but one in a million random fingerprints, within the upper bound', () => {
    for (const distance of [0, 3, 12, 14, 15, 16]) {
      for (const n of [1, 1_000, 100_000, 1_000_000, 3_000_000, 10_000_000]) {
        const partners = maxPartners(n, distance);
        assert.ok(partners === bound || chanceAbove(partners, expectedNear(n, distance)) < 1e-6, `${n}, ${distance}`);
      }
    }
  });

  test('are a power of two that grows with the number of fingerprints and the distance, up to a bound', () => {
    for (let distance = 0; distance < 16; distance++) {
      for (const n of [0, 1, 50_000, 1_000_000, 5_000_000, 100_000_000]) {
        const partners = maxPartners(n, distance);
        assert.equal(Math.log2(partners) % 1, 0);
        assert.ok(partners >= fewest && partners <= bound);
        assert.ok(maxPartners(2 * n, distance) >= partners && maxPartners(n, distance + 1) >= partners);
      }
    }
    assert.equal(maxPartners(10_000_000, 3), fewest);
    assert.equal(maxPartners(1_000_000, 16), 128);
    assert.equal(maxPartners(100_000_000, 16), bound);
  });
});
