/** The SQL of the steps, run by DuckDB: the seeds are those that a scan finds in the same documents. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { scaled } from '../../../scripts/scaled.mjs';
import type { DocumentIndex } from '../../../src/core/engine/documents/documents.ts';
import { createMemory, Kernel } from '../../../src/core/engine/kernel.ts';
import { phraseNumber } from '../../../src/core/engine/seeds/phrases.ts';
import { findSeedsSteps, writeDocuments } from '../../../src/core/engine/seeds/seeds.ts';
import { lastOf } from '../../../src/core/engine/steps.ts';
import { seedBitsShift, seedPositionMask, unitOnly } from '../../../src/core/kernel/seeds/seedLayout.ts';
import { CancellationError } from '../../../src/organisation/folder/cancellation.ts';
import { type DuckDB, openDuckDB } from '../../../src/organisation/folder/duckdb.ts';
import { phraseView } from '../../../src/organisation/repositories/blocks.ts';
import { nearStatements, seedStatements, xorOfDuckDB } from '../../../src/organisation/repositories/seedStatements.ts';
import { forEachWindow, languageOfKey } from '../../../src/organisation/repositories/windows.ts';
import { documentOf, type Windows } from '../../engine/seeds/madeUpWindows.ts';

/** Finds the seeds of 400,000 windows, each of which has three copies. Returns their number and a checksum. */
async function seedsOfCopies(duckdb: DuckDB): Promise<object> {
  await duckdb.run(`CREATE TABLE document AS SELECT 0::UINTEGER AS partition, range::UINTEGER AS content,
  0::UTINYINT AS part, range::UINTEGER AS number FROM range(1000);
CREATE TABLE windows AS SELECT 0::UTINYINT AS view, hash(range % 100000) AS fp, 0::UINTEGER AS partition,
  (range % 999)::UINTEGER AS content, 0::UTINYINT AS part, (range // 999 * 8)::UINTEGER AS position FROM range(400000);
CREATE TABLE window_of_document AS ${seedStatements.windows};
CREATE TABLE fingerprint AS ${seedStatements.fingerprints};
CREATE TABLE repeated AS ${seedStatements.repeated};
CREATE TABLE seed AS ${seedStatements.equal}`);
  const [row] = await duckdb.rows<{ seeds: bigint }>(
    'SELECT count(*) AS seeds, bit_xor(hash(a, b, bits)) AS checksum FROM seed',
  );
  assert.ok(row.seeds > 0n);
  return row;
}

/** Windows with few distinct fingerprints. The fingerprint 0 marks windows that are not seeds. */
const windows: fc.Arbitrary<Windows> = fc.array(
  fc.record({
    step: fc.nat(30),
    written: fc.constantFrom(0n, 7n, 6n, 2n ** 63n + 5n, 2n ** 63n - 1n, 2n ** 64n - 1n, 2n ** 64n - 8n),
    renamed: fc.constant(0n),
  }),
  { maxLength: 40 },
);

/** Lines without fingerprints, with the words of a few phrases. */
const lines = fc.record({
  list: fc.array(fc.record({ step: fc.nat(6), written: fc.constant(0n), renamed: fc.constant(0n) }), {
    maxLength: 14,
    size: 'max',
  }),
  tokens: fc.array(fc.constantFrom(0x13, 0x14, 0x23, 0x23, 0x41), { maxLength: 60, size: 'max' }),
  languageHash: fc.constantFrom(0, 1, 255),
});

const distance = 3;
const view = 0;

suite('SQL of the steps', () => {
  let duckdb: DuckDB;
  suiteSetup(async () => {
    duckdb = await openDuckDB({
      packages: path.join(tmpdir(), 'no-such-folder'),
      threads: 1,
      memoryMB: 500,
      spill: path.join(tmpdir(), `kindred-steps-${process.pid}`),
    });
  });
  suiteTeardown(() => duckdb.close());

  test('have the given memory', async () => {
    const [setting] = await duckdb.rows<{ limit: string }>(`SELECT current_setting('memory_limit') AS "limit"`);
    assert.equal(setting.limit, '500.0 MiB');
  });

  test('find the same seeds if their joins exceed the memory', async () => {
    const found: object[] = [];
    for (const memoryMB of [1_000, 50]) {
      const spill = path.join(tmpdir(), `kindred-spill-${process.pid}`);
      const own = await openDuckDB({ packages: path.join(tmpdir(), 'no-such-folder'), threads: 1, memoryMB, spill });
      try {
        found.push(await seedsOfCopies(own));
        const [{ bytes }] = await own.rows<{ bytes: bigint }>(
          'SELECT coalesce(sum(size), 0)::BIGINT AS bytes FROM duckdb_temporary_files()',
        );
        assert.equal(bytes > 0n, memoryMB === 50, `${bytes} bytes on the disk with ${memoryMB} MB of memory`);
      } finally {
        own.close();
      }
      assert.ok(!existsSync(spill), 'temporary files are left');
    }
    assert.deepEqual(found[0], found[1]);
  });

  test('ends a statement if it is cancelled', async () => {
    const endless = 'SELECT count(*) AS rows FROM range(1000000) x, range(1000000) y WHERE x.range + y.range = -1';
    const runs: (() => Promise<unknown>)[] = [
      () => duckdb.run(endless),
      () => duckdb.rows(endless),
      () => duckdb.numbers(endless, BigUint64Array),
    ];
    for (const run of runs) {
      await assert.rejects(duckdb.interruptible({ cancelled: () => true }, run), CancellationError);
    }
    assert.deepEqual(await duckdb.rows('SELECT 1 AS x'), [{ x: 1 }]);
  });

  const create = (table: string, query: string): Promise<void> =>
    duckdb.run(`CREATE OR REPLACE TABLE ${table} AS ${query}`);

  /** Creates the table of documents: the texts of the contents of a partition. */
  async function numberDocuments(count: number): Promise<void> {
    const numbers = Uint32Array.from({ length: count }, (_, i) => i);
    const zeros = new Uint32Array(count);
    await duckdb.createTable('document', {
      'partition UINTEGER': zeros,
      'content UINTEGER': numbers,
      'part UTINYINT': zeros,
      'number UINTEGER': numbers,
    });
  }

  /** Returns the seeds of documents as strings, in order. */
  async function seedsOf(documents: readonly { positions: readonly number[]; list: Windows }[]): Promise<string[]> {
    const rows = documents.flatMap(({ positions, list }, document) =>
      list.flatMap(({ written }, i) => (written === 0n ? [] : [{ document, written, position: positions[i] }])),
    );
    await numberDocuments(documents.length);
    await duckdb.createTable('windows', {
      'view UTINYINT': rows.map(() => view),
      'fp UBIGINT': rows.map(({ written }) => written),
      'partition UINTEGER': rows.map(() => 0),
      'content UINTEGER': rows.map(({ document }) => document),
      'part UTINYINT': rows.map(() => 0),
      'position UINTEGER': rows.map(({ position }) => position),
    });
    await create('window_of_document', seedStatements.windows);
    await create('fingerprint', seedStatements.fingerprints);
    const fingerprints = new Set(rows.map(({ written }) => written)).size;
    const { near, seeds } = nearStatements(xorOfDuckDB, { view, distance }, fingerprints);
    await create('near', near.join('\nUNION ALL '));
    await create('repeated', seedStatements.repeated);
    return rowsOf(`${seeds} UNION ALL ${seedStatements.equal}`);
  }

  /** Returns the seeds of a query as strings, in order. */
  async function rowsOf(query: string): Promise<string[]> {
    const found = await duckdb.rows<{ a: bigint; b: bigint; bits: number }>(`SELECT a, b, bits FROM (${query})`);
    return found
      .map(({ a, b, bits }) => [a >> 32n, b >> 32n, BigInt.asUintN(32, a), BigInt.asUintN(32, b), bits].join(' '))
      .sort();
  }

  /** Returns the seeds that a scan finds, as strings, in order. */
  function seedsOfScan(kernel: Kernel, indexes: readonly DocumentIndex[]): string[] {
    const table = writeDocuments(kernel, indexes);
    const found = lastOf(findSeedsSteps(kernel, indexes, table, { code: distance, prose: 0 }));
    const words = kernel.words.slice(found.address >>> 2, (found.address >>> 2) + 4 * found.count);
    return Array.from({ length: found.count }, (_, i) => {
      const [docA, docB, posA, posB] = words.subarray(4 * i, 4 * i + 4) as unknown as [number, number, number, number];
      return [docA, docB, posA & seedPositionMask, posB, posA >>> seedBitsShift].join(' ');
    }).sort();
  }

  test('finds the seeds of a scan', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(windows, { minLength: 1, maxLength: 14 }), async (documents) => {
        const kernel = new Kernel(createMemory());
        const indexes = documents.map((list) => documentOf(kernel, list, false));
        const expected = seedsOfScan(kernel, indexes);
        const gathered = indexes.map((index, i) => ({
          list: documents[i],
          positions: documents[i].map((_, window) => kernel.words[(index.windows >>> 2) + window]),
        }));
        assert.deepEqual(await seedsOf(gathered), expected);
      }),
      { examples: [[[Array.from({ length: 40 }, () => ({ step: 8, written: 7n, renamed: 0n }))]]] },
    );
  });

  test('finds the lines in different languages that a scan links because of their phrases', async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(lines, { minLength: 2, maxLength: 7 }), async (documents) => {
        const kernel = new Kernel(createMemory());
        const indexes = documents.map(({ list, ...text }) => documentOf(kernel, list, false, text));
        const expected = seedsOfScan(kernel, indexes);
        await numberDocuments(documents.length);
        await duckdb.run(
          'CREATE OR REPLACE TABLE phrases (phrase BIGINT, language UTINYINT, partition UINTEGER, content UINTEGER, part UTINYINT, position UINTEGER)',
        );
        const rows = indexes.flatMap((index, document) => {
          const own: (bigint | number)[][] = [];
          forEachWindow(kernel, index, ({ view: list, high, low, position }) => {
            if (list !== phraseView) return;
            own.push([BigInt(phraseNumber(high, low)), languageOfKey(low), 0, document, 0, position]);
          });
          return own;
        });
        const columns = Array.from({ length: 6 }, (_, column) => rows.map((row) => row[column]));
        await duckdb.append('phrases', columns);
        await create('phrase_of_document', seedStatements.phrases);
        found += expected.filter((seed) => seed.endsWith(` ${unitOnly}`)).length;
        assert.deepEqual(await rowsOf(seedStatements.phraseSeeds), expected);
      }),
      { numRuns: scaled(150) },
    );
    assert.ok(found > scaled(150), `${found} seeds`);
  });
});
