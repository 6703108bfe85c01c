import assert from 'node:assert/strict';
import fc from 'fast-check';
import { FingerprintIndex, type HammingIndex } from '../../src/library/fingerprintIndex.ts';
import { TwoLevelIndex } from '../../src/library/twoLevelIndex.ts';
import { clumpedHashes, hash, history, randomHashes, flipped } from './hashArbitraries.ts';
import { bruteForceNeighbours } from '../engine/oracles.ts';

/** Compares every answer of an index with a set and brute force. */
function check(index: HammingIndex, stored: ReadonlySet<bigint>, queries: Iterable<bigint>, distance: number): void {
  assert.equal(index.size, stored.size);
  for (const query of queries) {
    const expected = bruteForceNeighbours(stored, query, distance);
    assert.deepEqual(index.findAll(query), expected);
    assert.equal(index.findFirst(query), expected[0]);
    assert.equal(index.has(query), stored.has(query));
  }
}

/** Applies the same change to an index and a set, and compares the results. */
function change(index: HammingIndex, stored: Set<bigint>, fingerprint: bigint, insert: boolean): void {
  if (insert) {
    assert.equal(index.insert(fingerprint), !stored.has(fingerprint));
    stored.add(fingerprint);
  } else {
    assert.equal(index.remove(fingerprint), stored.delete(fingerprint));
  }
}

suite('fingerprintIndex', () => {
  test('an empty index finds nothing', () => {
    const index = new FingerprintIndex({ blocks: 5, distance: 3 });
    assert.deepEqual(
      [index.findAll(0n), index.findFirst(0n), index.has(0n), index.remove(0n)],
      [[], undefined, false, false],
    );
  });
  test('finds fingerprints within the distance, nearest first', () => {
    const index = new FingerprintIndex({ blocks: 4, distance: 3 });
    for (const fingerprint of [0b1111n, 0b111n, 0b1n, 1n << 63n, 0n]) index.insert(fingerprint);
    assert.deepEqual(index.findAll(0n), [0n, 0b1n, 1n << 63n, 0b111n]);
    assert.equal(index.findFirst(0b10n), 0n);
  });
  test('stores each fingerprint once', () => {
    const index = new FingerprintIndex({ blocks: 4, distance: 3 });
    assert.deepEqual(
      [index.insert(5n), index.insert(5n), index.remove(5n), index.remove(5n)],
      [true, false, true, false],
    );
  });

  const designs = fc.constantFrom(
    { blocks: 1, distance: 0 },
    { blocks: 4, distance: 3 },
    { blocks: 5, distance: 3 },
    { blocks: 6, distance: 2 },
    { blocks: 10, distance: 9 },
  );
  test('equals brute force after any insertions and removals', () => {
    fc.assert(
      fc.property(
        designs,
        fc.array(hash, { minLength: 1 }),
        clumpedHashes,
        history(60),
        (design, any, clumps, steps) => {
          const pool = [...any, ...clumps];
          const index = new FingerprintIndex(design);
          const stored = new Set<bigint>();
          for (const { place, insert } of steps) change(index, stored, pool[place % pool.length], insert);
          check(index, stored, pool, design.distance);
        },
      ),
    );
  });
  // Long histories, so that runs are created, merged, marked, and rebuilt.
  for (const [name, make] of [
    ['4 blocks', () => new FingerprintIndex({ blocks: 4, distance: 3 })],
    ['7 blocks', () => new FingerprintIndex({ blocks: 7, distance: 3 })],
    ['a distance that requires scanning', () => new FingerprintIndex({ blocks: 21, distance: 20 })],
    ['two levels', () => new TwoLevelIndex()],
  ] as const) {
    test(`equals brute force over 6,000 insertions and removals: ${name}`, () => {
      const distance = name.startsWith('a distance') ? 20 : 3;
      const centers = randomHashes(200, 1);
      const choices = randomHashes(6000, 2);
      const index = make();
      const stored = new Set<bigint>();
      choices.forEach((choice, step) => {
        const center = centers[Number(choice % 200n)];
        const fingerprint = flipped(center, [Number((choice >> 8n) & 63n), Number((choice >> 14n) & 63n)]);
        // Mostly insertions, then mostly removals, then insertions again.
        const growing = step < 3000 || step > 5000;
        if ((choice >> 20n) % 8n < (growing ? 7n : 1n)) change(index, stored, fingerprint, true);
        else {
          // The oldest stored fingerprint, or one that may not be stored.
          const [oldest = fingerprint] = stored;
          change(index, stored, (choice >> 24n) & 1n ? oldest : fingerprint, false);
        }
        if (step % 1000 === 999) check(index, stored, centers.slice(0, 10), distance);
      });
      check(index, stored, [...centers.slice(0, 40), ...randomHashes(10, 3)], distance);
    });
  }
  test('is independent of earlier insertions and removals', () => {
    const fingerprints = randomHashes(1500, 4);
    const [inserted, changed] = [1, 2].map(() => new FingerprintIndex({ blocks: 5, distance: 3 }));
    for (const fingerprint of fingerprints) inserted.insert(fingerprint);
    for (const fingerprint of [...fingerprints].reverse()) changed.insert(fingerprint);
    for (const fingerprint of randomHashes(1500, 5)) changed.insert(fingerprint);
    for (const fingerprint of randomHashes(1500, 5)) changed.remove(fingerprint);
    for (const fingerprint of fingerprints.slice(0, 700)) changed.remove(fingerprint);
    for (const fingerprint of fingerprints.slice(0, 700)) changed.insert(fingerprint);
    for (const query of fingerprints) {
      assert.deepEqual(changed.findAll(flipped(query, [3, 40])), inserted.findAll(flipped(query, [3, 40])));
    }
  });
  test('rejects invalid arguments and names them', () => {
    assert.throws(() => new FingerprintIndex({ blocks: 3, distance: 3 }), {
      name: 'RangeError',
      message: /^blocks must/,
    });
    assert.throws(() => new FingerprintIndex({ blocks: 65, distance: 3 }), { name: 'RangeError', message: /^blocks/ });
    assert.throws(() => new TwoLevelIndex({ distance: 4 }), { name: 'RangeError', message: /^distance/ });
    const index = new FingerprintIndex({ blocks: 4, distance: 3 });
    for (const name of ['insert', 'remove', 'has'] as const) {
      assert.throws(() => index[name](1 as never), { name: 'TypeError', message: /^fingerprint must be a bigint/ });
      assert.throws(() => index[name](-1n), { name: 'RangeError', message: /^fingerprint must be from 0/ });
    }
    assert.throws(() => index.findAll('1' as never), { name: 'TypeError', message: /^query must be a bigint/ });
    assert.throws(() => index.findFirst(1n << 64n), { name: 'RangeError', message: /^query must be from 0/ });
  });
});
