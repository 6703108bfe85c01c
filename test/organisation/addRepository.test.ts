/** Added, changed, and dropped repositories. Comparisons see the current state, and nothing else stays stored. */
import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defaultOptions } from '../../src/core/engine/options.ts';
import { DatabaseError } from '../../src/organisation/database/databaseError.ts';
import { type Database, openDatabase } from '../../src/organisation/database/openDatabase.ts';
import { readRepositories } from '../../src/organisation/repositories/catalogue.ts';
import { dropRepositories } from '../../src/organisation/repositories/sweep.ts';
import { startServers, type TestServer } from '../harness/postgres.ts';
import { add, compare, countRows, scanFolder, writeFiles } from './storing.ts';
import { functionText } from './texts.ts';

/** Tables whose size depends on the stored repositories. */
const tables = ['content', 'document', 'payload', 'fingerprint', 'block_key'];

for (const count of [1, 3]) {
  suite(`repositories on ${count} servers`, () => {
    let servers: readonly TestServer[];
    let database: Database;
    let folder: string;

    suiteSetup(async () => {
      servers = await startServers(count);
      database = await openDatabase(urls(), 'write');
    });
    suiteTeardown(async () => {
      await database.close();
      await Promise.all(servers.map((server) => server.remove()));
    });
    setup(() => {
      folder = mkdtempSync(path.join(tmpdir(), 'kindred-org-'));
    });
    teardown(async () => {
      rmSync(folder, { recursive: true });
      const all = await readRepositories(database.home);
      await dropRepositories(
        database,
        defaultOptions,
        all.map(({ id }) => id),
      );
      const none = Object.fromEntries(tables.map((table) => [table, 0]));
      assert.deepEqual(await countRows(database, ...tables), none, 'nothing is left of repositories that are dropped');
    });

    const urls = (): string[] => servers.map(({ url }) => url);
    const at = (name: string): string => path.join(folder, name);
    /** Checks that the findings equal those of a scan of all folders. */
    const agree = async (): Promise<void> => {
      const found = await compare(database);
      assert.ok(found.groups.length > 0);
      assert.deepEqual(found, await scanFolder(folder));
    };

    test('are compared like subfolders of one folder', async () => {
      writeFiles(at('billing'), {
        'a.ts': functionText('alpha') + functionText('beta'),
        'b.ts': functionText('gamma'),
      });
      // `billing` sorts before `billing-old`, but its paths sort after those of `billing-old`.
      writeFiles(at('billing-old'), { 'a.ts': functionText('alpha') + functionText('delta'), 'README.md': 'Words.\n' });
      writeFiles(at('invoicing'), {
        'b.ts': functionText('gamma'),
        'c/d.ts': functionText('beta').replaceAll('beta', 'b'),
      });
      for (const name of ['invoicing', 'billing', 'billing-old']) await add(database, at(name));
      await agree();
    });

    test('has no findings across repositories if there is only one', async () => {
      writeFiles(at('only'), { 'a.ts': functionText('alpha'), 'b.ts': functionText('alpha') + functionText('beta') });
      await add(database, at('only'));
      await agree();
    });

    test('write only changed files', async () => {
      writeFiles(at('a'), { '1.ts': functionText('one'), '2.ts': functionText('two'), '3.ts': functionText('three') });
      writeFiles(at('b'), { '1.ts': functionText('one') });
      const first = await add(database, at('a'));
      assert.deepEqual(first, { files: 3, lines: 81, written: 3, shared: 0, removed: 0, unchanged: 0 });
      // The content is already stored by another repository.
      assert.deepEqual(await add(database, at('b')), {
        files: 1,
        lines: 27,
        written: 0,
        shared: 1,
        removed: 0,
        unchanged: 0,
      });
      writeFiles(at('a'), { '2.ts': functionText('two') + functionText('one'), '3.ts': undefined });
      const second = await add(database, at('a'));
      assert.deepEqual(second, { files: 2, lines: 81, written: 1, shared: 0, removed: 1, unchanged: 1 });
      const again = await add(database, at('a'));
      assert.deepEqual(again, { files: 2, lines: 81, written: 0, shared: 0, removed: 0, unchanged: 2 });
      const { content, document } = await countRows(database, 'content', 'document');
      assert.deepEqual({ content, document }, { content: 2, document: 3 });
      await agree();
    });

    test('need one row per file after a rename', async () => {
      writeFiles(at('a'), { 'old/1.ts': functionText('one'), 'old/2.ts': functionText('one') + functionText('two') });
      await add(database, at('a'));
      renameSync(path.join(at('a'), 'old'), path.join(at('a'), 'new'));
      const added = await add(database, at('a'));
      assert.deepEqual([added.written, added.shared, added.removed], [0, 2, 2]);
      await agree();
    });

    test('are not in the findings after they are dropped', async () => {
      for (const name of ['a', 'b', 'c']) writeFiles(at(name), { '1.ts': functionText('one') + functionText(name) });
      for (const name of ['a', 'b', 'c']) await add(database, at(name));
      const all = await readRepositories(database.home);
      await dropRepositories(
        database,
        defaultOptions,
        all.filter(({ name }) => name === 'b').map(({ id }) => id),
      );
      rmSync(at('b'), { recursive: true });
      await agree();
    });

    test('have one writer at a time, so that concurrent writers run one after the other', async () => {
      writeFiles(at('a'), { '1.ts': functionText('one'), '2.ts': functionText('two') });
      writeFiles(at('b'), { '1.ts': functionText('one'), '2.ts': functionText('three') });
      const added = await Promise.all(
        ['a', 'a', 'b'].map(async (name) => {
          const own = await openDatabase(urls(), 'write');
          try {
            return await add(own, at(name));
          } finally {
            await own.close();
          }
        }),
      );
      const unchanged = added.slice(0, 2).map((one) => one.unchanged);
      assert.deepEqual(unchanged.sort(), [0, 2]);
      await agree();
    });

    test('are unchanged after a writer was interrupted, and the next writer cleans up', async () => {
      writeFiles(at('a'), { '1.ts': functionText('one'), '2.ts': functionText('one') + functionText('two') });
      await add(database, at('a'));
      writeFiles(at('a'), { '1.ts': functionText('three') });
      // State after an interrupted write: contents of the writer with all rows, but no documents.
      const [{ id }] = await database.home.query<{ id: number }>('SELECT id FROM kindred.repository');
      await database.home.query(
        'UPDATE kindred.content SET writer = $1 WHERE id = (SELECT max(id) FROM kindred.content)',
        [id],
      );
      await database.home.query(
        'DELETE FROM kindred.document WHERE content IN (SELECT id FROM kindred.content WHERE writer IS NOT NULL)',
      );
      await add(database, at('a'));
      const { content, document, payload } = await countRows(database, 'content', 'document', 'payload');
      assert.deepEqual({ content, document, payload }, { content: 2, document: 2, payload: 2 });
      writeFiles(at('a'), { '3.ts': functionText('three') });
      await add(database, at('a'));
      await agree();
    });

    test('are rejected if the options differ', async () => {
      writeFiles(at('a'), { '1.ts': functionText('one') });
      await add(database, at('a'));
      await assert.rejects(add(database, at('a'), { ...defaultOptions, shingleSize: 5 }), (error: unknown) => {
        assert.ok(error instanceof DatabaseError);
        return /other options/.test(error.message);
      });
    });
  });
}
