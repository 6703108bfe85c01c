/** The keys of stored texts, against a map. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scaled } from '../../scripts/scaled.mjs';
import { add } from '../../src/core/collections/lists.ts';
import { IndexFolder } from '../../src/organisation/folder/indexFolder.ts';
import { StoredContents } from '../../src/organisation/repositories/storedContents.ts';

suite('keys of stored texts', () => {
  test('name a partition of each text, and are in few lists', async () => {
    const partition = fc.uniqueArray(fc.bigInt(0n, 300n), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(fc.array(partition, { maxLength: 40 }), async (partitions) => {
        const stored = await StoredContents.read(new IndexFolder(''), undefined as never, []);
        const expected = new Map<bigint, Set<string>>();
        for (const [i, keys] of partitions.entries()) {
          stored.add(`p${i}`, keys);
          for (const key of keys) add(expected, key, `p${i}`);
        }
        for (let key = 0n; key <= 300n; key++) {
          const found = stored.partitionOf(key);
          if (found === undefined) assert.equal(expected.get(key), undefined);
          else assert.equal(expected.get(key)?.has(found), true);
        }
        const lists = stored.keys().map((keys) => [...keys]);
        assert.ok(lists.length <= 12, `${lists.length} lists`);
        for (const list of lists) assert.deepEqual(list, [...BigUint64Array.from(list).sort()]);
        assert.deepEqual(new Set(lists.flat()), new Set(expected.keys()));
      }),
      { numRuns: scaled(200) },
    );
  });
});
