/** Seeds of separately gathered windows equal those that `findSeeds` finds in the documents. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createMemory, Kernel } from '../../../src/core/engine/kernel.ts';
import { equalSeeds, seedOfNear } from '../../../src/core/engine/seeds/gatheredWindows.ts';
import { findSeeds, writeDocuments } from '../../../src/core/engine/seeds/seeds.ts';
import { documentOf, type Windows } from './madeUpWindows.ts';

/**
 * Windows with few distinct fingerprints, so that many are equal. The fingerprint 0 marks windows that are not seeds.
 */
const windows: fc.Arbitrary<Windows> = fc.array(
  fc.record({
    step: fc.nat(30),
    written: fc.constantFrom(0n, 7n, 2n ** 63n + 5n, 0xffff_ffff_ffff_ffffn),
    renamed: fc.constant(0n),
  }),
  { maxLength: 20 },
);

/** Returns seeds as strings, in order. */
function listed(words: Uint32Array): string[] {
  return Array.from({ length: words.length / 4 }, (_, i) => words.subarray(4 * i, 4 * i + 4).join(' ')).sort();
}

suite('seeds of gathered windows', () => {
  test('of equal fingerprints are those that a search of all documents finds', () => {
    fc.assert(
      fc.property(fc.array(windows, { maxLength: 8 }), (documents) => {
        const kernel = new Kernel(createMemory());
        const indexes = documents.map((list) => documentOf(kernel, list, false));
        const found = findSeeds(kernel, indexes, writeDocuments(kernel, indexes), { code: 0, prose: 0 });
        const expected = kernel.words.slice(found.address >>> 2, (found.address >>> 2) + 4 * found.count);
        const gathered = indexes.flatMap((index, document) =>
          documents[document].flatMap(({ written }, i) =>
            written === 0n ? [] : { written, document, position: kernel.words[(index.windows >>> 2) + i] },
          ),
        );
        const before = kernel.mark();
        const seeds = equalSeeds(kernel, {
          fingerprints: BigUint64Array.from(gathered, ({ written }) => written),
          documents: Uint32Array.from(gathered, ({ document }) => document),
          positions: Uint32Array.from(gathered, ({ position }) => position),
        });
        assert.deepEqual(listed(seeds), listed(expected));
        assert.equal(kernel.mark(), before);
      }),
    );
  });

  test('link two near fingerprints in document order, and no text with itself', () => {
    const [first, second] = [
      { document: 1, position: 90 },
      { document: 3, position: 4 },
    ];
    const seed = [1, 3, (90 | (2 << 27)) >>> 0, 4];
    assert.deepEqual(seedOfNear(first, second, 2), seed);
    assert.deepEqual(seedOfNear(second, first, 2), seed);
    assert.equal(seedOfNear(first, { document: 1, position: 91 }, 1), undefined);
  });
});
