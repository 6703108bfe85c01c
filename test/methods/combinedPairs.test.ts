import assert from 'node:assert/strict';
import fc from 'fast-check';
import { combinedPairs, type DocumentPair, minhashPairs, simhashPairs } from '../../src/library/combinedPairs.ts';
import { hash, randomHashes } from './hashArbitraries.ts';
import { differingBits, exactResemblance, simhashByDefinition } from '../engine/oracles.ts';

type Documents = readonly (readonly bigint[])[];

/** Returns the pairs for which `similar` holds, by brute force. */
function allPairs(
  documents: Documents,
  similar: (a: readonly bigint[], b: readonly bigint[]) => boolean,
): DocumentPair[] {
  return documents.flatMap((a, i) =>
    documents.flatMap((b, j): DocumentPair[] => (i < j && similar(a, b) ? [[i, j]] : [])),
  );
}

function checkMinhash(documents: Documents, resemblance: number): void {
  const expected = allPairs(documents, (a, b) => exactResemblance(a, b) >= resemblance);
  assert.deepEqual(minhashPairs(documents, { resemblance }), expected);
}

/** Returns a function that counts the differing bits between the fingerprints of two of these documents. */
function distancesOf(documents: Documents): (a: readonly bigint[], b: readonly bigint[]) => number {
  const fingerprints = new Map(
    documents.map((hashes) => [
      hashes,
      simhashByDefinition(
        hashes,
        hashes.map(() => 1),
      ),
    ]),
  );
  return (a, b) => differingBits(fingerprints.get(a) ?? 0n, fingerprints.get(b) ?? 0n);
}

/** Documents in families. The members of a family are copies of one ancestor with some features replaced. */
function families(seed: number): bigint[][] {
  return Array.from({ length: 12 }, (_, family) => {
    const ancestor = randomHashes(120, 100 * seed + family);
    return [0, 1, 4, 10, 25, 60].map((changed, member) => [
      ...ancestor.slice(changed),
      ...randomHashes(changed, 10_000 * seed + 10 * family + member),
    ]);
  }).flat();
}

/** Small sets from few features, so that many resemble each other. */
const smallDocuments = fc.array(fc.array(fc.oneof(fc.bigInt({ min: 0n, max: 6n }), hash), { maxLength: 8 }), {
  maxLength: 12,
});

suite('combinedPairs: minhash', () => {
  test('finds exactly the pairs of families with the given resemblance', () => {
    for (const resemblance of [0.2, 0.5, 0.8, 0.9, 1]) checkMinhash(families(1), resemblance);
  });
  test('returns all pairs for a threshold of 0', () => {
    assert.deepEqual(minhashPairs([[1n], [2n], []], { resemblance: 0 }), [
      [0, 1],
      [0, 2],
      [1, 2],
    ]);
  });
  test('finds only pairs above the threshold, and every pair of equal documents', () => {
    fc.assert(
      fc.property(smallDocuments, fc.double({ min: 0.01, max: 1, noNaN: true }), (documents, resemblance) => {
        const found = minhashPairs(documents, { resemblance });
        const expected = allPairs(documents, (a, b) => exactResemblance(a, b) >= resemblance);
        const equal = allPairs(documents, (a, b) => exactResemblance(a, b) === 1);
        assert.ok(found.every((pair) => expected.some(([i, j]) => i === pair[0] && j === pair[1])));
        assert.ok(equal.every((pair) => found.some(([i, j]) => i === pair[0] && j === pair[1])));
      }),
      { seed: 1 },
    );
  });
});

suite('combinedPairs: simhash', () => {
  test('finds exactly the pairs within the distance, including equal fingerprints', () => {
    fc.assert(
      fc.property(smallDocuments, fc.integer({ min: 0, max: 30 }), (documents, distance) => {
        const distanceOf = distancesOf(documents);
        const expected = allPairs(documents, (a, b) => distanceOf(a, b) <= distance);
        assert.deepEqual(simhashPairs(documents, { distance }), expected);
      }),
    );
    const documents = families(2);
    const distanceOf = distancesOf(documents);
    for (const distance of [0, 3, 8, 12]) {
      assert.deepEqual(
        simhashPairs(documents, { distance }),
        allPairs(documents, (a, b) => distanceOf(a, b) <= distance),
      );
    }
  });
});

suite('combinedPairs', () => {
  test('are the intersection of the minhash and simhash pairs', () => {
    const documents = families(3);
    const distanceOf = distancesOf(documents);
    const options = { resemblance: 0.5, distance: 8 };
    const both = allPairs(
      documents,
      (a, b) => exactResemblance(a, b) >= options.resemblance && distanceOf(a, b) <= options.distance,
    );
    assert.deepEqual(combinedPairs(documents, options), both);
    // Each method alone finds pairs that the other does not.
    assert.ok(both.length > 0);
    assert.ok(minhashPairs(documents, options).length > both.length);
    assert.ok(
      simhashPairs(documents, { distance: 20 }).length > combinedPairs(documents, { ...options, distance: 20 }).length,
    );
  });
  test('accept any iterable of documents and of hashes', () => {
    const documents = [new Set([1n, 2n]), BigUint64Array.of(1n, 2n), [3n].values()];
    assert.deepEqual(combinedPairs(documents.values(), { resemblance: 0.5, distance: 3 }), [[0, 1]]);
  });
  test('are empty without documents, and empty documents equal only each other', () => {
    const options = { resemblance: 0.1, distance: 0 };
    assert.deepEqual(combinedPairs([], options), []);
    assert.deepEqual(combinedPairs([[], [1n], []], options), [[0, 2]]);
  });
  test('rejects invalid arguments and names them', () => {
    const rejects = (options: unknown, name: string, message: RegExp): void => {
      assert.throws(() => combinedPairs([], options as never), { name, message });
    };
    rejects({ resemblance: 1.1, distance: 3 }, 'RangeError', /^resemblance must be/);
    rejects({ distance: 3 }, 'TypeError', /^resemblance must be/);
    rejects({ resemblance: 0.5, distance: 64 }, 'RangeError', /^distance must be/);
    rejects({ resemblance: 0.5, distance: 3, permutations: 0 }, 'RangeError', /^permutations must be/);
    rejects({ resemblance: 0.5 }, 'TypeError', /^distance must be/);
    assert.throws(() => simhashPairs(3 as never, { distance: 3 }), {
      name: 'TypeError',
      message: /^documents must be/,
    });
    assert.throws(() => minhashPairs([[1]] as never, { resemblance: 1 }), {
      name: 'TypeError',
      message: /^documents: each/,
    });
  });
});
