/** The keys and places of stored texts, against a map. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { root } from '../../../scripts/project.mjs';
import { scaled } from '../../../scripts/scaled.mjs';
import { add } from '../../../src/core/collections/lists.ts';
import { type DuckDB, openDuckDB, quoted } from '../../../src/organisation/folder/duckdb.ts';
import { IndexFolder } from '../../../src/organisation/folder/indexFolder.ts';
import { type ContentPlace, StoredContents } from '../../../src/organisation/repositories/storedContents.ts';
import { makeFolder, removeFolder } from '../../io/temporaryFolder.ts';

const allKeys = Array.from({ length: 301 }, (_, key) => BigInt(key));

suite('keys of stored texts', () => {
  let folder = '';
  let duckdb: DuckDB;
  suiteSetup(async () => {
    folder = makeFolder({});
    duckdb = await openDuckDB({ packages: root, threads: 1, memoryMB: 500, spill: path.join(root, 'dist', 'spill') });
  });
  suiteTeardown(() => {
    duckdb.close();
    removeFolder(folder);
  });

  const sizesOf = (key: bigint): Pick<ContentPlace, 'lines' | 'tokens'> => ({
    lines: Number(key) + 1,
    tokens: Number(key) + 2,
  });

  /** Writes the table of contents of a partition. */
  async function write(index: IndexFolder, id: string, keys: readonly bigint[]): Promise<void> {
    mkdirSync(index.file('contents', id), { recursive: true });
    await duckdb.createTable('texts', {
      'content UINTEGER': keys.map((_, content) => content),
      'key UBIGINT': keys,
      'lines UINTEGER': keys.map((key) => sizesOf(key).lines),
      'tokens UINTEGER': keys.map((key) => sizesOf(key).tokens),
    });
    await duckdb.run(`COPY texts TO ${quoted(index.file('contents', id, 'contents.parquet'))} (FORMAT parquet)`);
  }

  test('name a place of each text, preferred if there is one, and are in few lists', async () => {
    let count = 0;
    const partition = fc.uniqueArray(fc.bigInt(0n, 300n), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(partition, { maxLength: 40, size: 'max' }),
        fc.nat(40),
        async (partitions, preferred) => {
          const index = new IndexFolder(path.join(folder, String(count++)));
          const ids = partitions.map((_, i) => `p${i}`);
          for (const [i, keys] of partitions.slice(0, 3).entries()) await write(index, ids[i], keys);
          const stored = await StoredContents.read(index, duckdb, ids.slice(0, 3));
          for (const [i, keys] of partitions.entries()) {
            const places = keys.map((key, content) => ({ partition: ids[i], content, ...sizesOf(key) }));
            if (i >= 3) await stored.add(new Map(keys.map((key, content) => [key, places[content]])));
          }
          const expected = new Map<bigint, Set<string>>();
          for (const [i, keys] of partitions.entries()) for (const key of keys) add(expected, key, ids[i]);
          const found = await stored.find(allKeys, [`p${preferred}`]);
          assert.deepEqual([...found.keys()].sort(), [...expected.keys()].sort());
          for (const [key, { partition: id, content, lines, tokens }] of found) {
            assert.equal(partitions[ids.indexOf(id)][content], key);
            assert.equal(id === `p${preferred}`, expected.get(key)!.has(`p${preferred}`));
            assert.deepEqual({ lines, tokens }, sizesOf(key));
          }
          const lists = stored.keys.map((keys) => [...keys]);
          assert.ok(lists.length <= 12, `${lists.length} lists`);
          for (const list of lists) assert.deepEqual(list, [...BigUint64Array.from(list).sort()]);
          assert.deepEqual(new Set(lists.flat()), new Set(expected.keys()));
        },
      ),
      { numRuns: scaled(20) },
    );
  });
});
