/** Batches of seeds whose documents fit into memory together. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scaled } from '../../scripts/scaled.mjs';
import { batchesOf, documentsOf, seedWords } from '../../src/organisation/repositories/seedBatches.ts';

const documents = 8;
/** Content c consists of the documents 2c (the text of a file) and 2c + 1 (its comments), and has c + 1 bytes. */
const contentOf = (document: number): number => document >> 1;
const bytesOf = (content: number): number => content + 1;
const document = fc.nat({ max: documents - 1 });
const pairs = fc.array(fc.tuple(document, document, fc.nat({ max: 3 })), { maxLength: 40 });

suite('batches of seeds', () => {
  test('have each seed once, the seeds of two documents together, and documents that fit into memory', () => {
    let split = 0;
    fc.assert(
      fc.property(
        pairs,
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 20 }),
        (seedPairs, bytes, seeds) => {
          const rows = seedPairs
            .map(([x, y, position]) => [Math.min(x, y), Math.max(x, y), position, 0] as const)
            .sort((x, y) => x[0] - y[0] || x[1] - y[1]);
          const limits = { bytes, seeds, contentOf, bytesOf };
          const batches = [...batchesOf(Uint32Array.from(rows.flat()), limits)].map((batch) => rowsOf(batch));
          assert.deepEqual(batches.flat().map(String).sort(), rows.map(String).sort());
          const batchOfPair = new Map<string, number>();
          for (const [i, batch] of batches.entries()) {
            assert.ok(batch.length > 0);
            for (const [a, b] of batch) assert.equal(batchOfPair.get(`${a} ${b}`) ?? i, i, 'two documents are split');
            for (const [a, b] of batch) batchOfPair.set(`${a} ${b}`, i);
            const all = documentsOf(Uint32Array.from(batch.flat()));
            const size = [...new Set(Array.from(all, contentOf))].reduce((sum, content) => sum + bytesOf(content), 0);
            assert.ok(size <= bytes || all.size <= 2, `${size} of ${bytes} bytes`);
            assert.ok(batch.length <= seeds || new Set(batch.map(([a, b]) => `${a} ${b}`)).size === 1);
          }
          if (batches.length > 1) split++;
        },
      ),
      { numRuns: scaled(500) },
    );
    assert.ok(split > scaled(100), String(split));
  });
});

function rowsOf(batch: Uint32Array): number[][] {
  return Array.from({ length: batch.length / seedWords }, (_, i) =>
    Array.from(batch.subarray(i * seedWords, (i + 1) * seedWords)),
  );
}
