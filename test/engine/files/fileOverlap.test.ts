/** Comparisons of whole documents, in any order, against the definitions. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scaled } from '../../../scripts/scaled.mjs';
import { FileComparer, KnownOverlaps } from '../../../src/core/engine/files/fileOverlap.ts';
import type { DocumentIndex } from '../../../src/core/engine/documents/documents.ts';
import { DocumentIndexer } from '../../../src/core/engine/documents/indexDocument.ts';
import { createMemory, Kernel } from '../../../src/core/engine/kernel.ts';
import { lexiconForPath } from '../../../src/core/engine/languages/allLexicons.ts';
import { defaultOptions } from '../../../src/core/engine/options.ts';
import { exactContainment, exactResemblance } from '../oracles.ts';

/** Short texts with many words in common. */
const text = fc.array(fc.nat(5), { minLength: 40, maxLength: 90 }).map((list) => list.map((n) => `word${n}`));

function shinglesOf(words: readonly string[]): string[] {
  return words.slice(2).map((_, first) => words.slice(first, first + 3).join(' '));
}

suite('compared files', () => {
  test('have the overlap of the definitions, whatever was compared before', () => {
    const pairs = fc.array(fc.tuple(fc.nat(3), fc.nat(3)), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.array(text, { minLength: 4, maxLength: 4 }), pairs, (texts, comparedPairs) => {
        const kernel = new Kernel(createMemory());
        const documents = texts.map((words) => index(kernel, `${words.join(' ')}\n`));
        const comparer = new FileComparer(kernel, defaultOptions, new KnownOverlaps(), undefined);
        for (const [a, b] of comparedPairs.filter(([x, y]) => x !== y)) {
          const { resemblance, containmentOfA, containmentOfB } = comparer.overlap(documents[a], documents[b]);
          const [x, y] = [shinglesOf(texts[a]), shinglesOf(texts[b])];
          assert.equal(resemblance, exactResemblance(x, y));
          assert.deepEqual([containmentOfA, containmentOfB], [exactContainment(x, y), exactContainment(y, x)]);
        }
      }),
      { numRuns: scaled(30) },
    );
  });
});

function index(kernel: Kernel, content: string): DocumentIndex {
  const indexer = new DocumentIndexer(kernel, defaultOptions);
  const bytes = new TextEncoder().encode(content);
  indexer.reserve(bytes.length).set(bytes);
  return indexer.index(indexer.reserve(bytes.length), lexiconForPath('a.md'));
}
