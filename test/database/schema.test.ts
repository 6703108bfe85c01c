/** Version of the tables: creation, migration, and rejection of newer versions. */
import assert from 'node:assert/strict';
import { migrations } from '../../src/organisation/database/migrations.ts';
import { openDatabase } from '../../src/organisation/database/openDatabase.ts';
import { checkSchema, migrate, schemaVersion } from '../../src/organisation/database/schema.ts';
import { Server } from '../../src/organisation/database/server.ts';
import { startOldServer } from '../harness/oldServer.ts';
import { startPostgres, type TestServer } from '../harness/postgres.ts';

suite('the version of the tables', () => {
  let postgres: TestServer;

  suiteSetup(async () => {
    postgres = await startPostgres();
    await postgres.run('CREATE ROLE reader LOGIN; CREATE ROLE nobody LOGIN');
  });
  setup(() => postgres.clear());
  suiteTeardown(() => postgres.remove());

  const using = async <T>(work: (server: Server) => Promise<T>): Promise<T> => {
    const server = new Server(postgres.url);
    try {
      return await work(server);
    } finally {
      await server.close();
    }
  };
  const opening = async (access: 'read' | 'write', user?: string): Promise<void> => {
    const url = user === undefined ? postgres.url : postgres.url.replace('kindred@', `${user}@`);
    await (await openDatabase([url], access)).close();
  };

  test('is 0 without tables, and the newest after they are created', () =>
    using(async (server) => {
      assert.equal(await schemaVersion(server), 0);
      await migrate(server);
      assert.equal(await schemaVersion(server), migrations.length);
    }));

  test('is migrated once by concurrent commands', async () => {
    await Promise.all(Array.from({ length: 5 }, () => using((server) => migrate(server))));
    const rows = await using((server) => server.query('SELECT version FROM kindred.schema_version ORDER BY version'));
    assert.deepEqual(
      rows,
      migrations.map((_, i) => ({ version: i + 1 })),
    );
  });

  test('is rejected for readers and writers if it is newer, and is unchanged', async () => {
    await opening('write');
    await postgres.run('INSERT INTO kindred.schema_version (version) VALUES (99)');
    for (const access of ['read', 'write'] as const) {
      await assert.rejects(
        opening(access),
        new RegExp(
          `The index at .* has version 99, and this Kindred knows versions up to ${migrations.length}: install a newer Kindred\\.$`,
        ),
      );
    }
    assert.equal(await using((server) => schemaVersion(server)), 99);
  });

  test('is rejected for readers if it is older, and migrated by writers', async () => {
    const steps = [
      'CREATE TABLE kindred.first (a integer); INSERT INTO kindred.first VALUES (1)',
      'ALTER TABLE kindred.first ADD b integer DEFAULT 2',
    ];
    await using(async (server) => {
      await migrate(server, steps.slice(0, 1));
      await assert.rejects(
        checkSchema(server, steps),
        /The index at .* has version 1, and this Kindred reads version 2: run kindred org add once with a role that may change tables\.$/,
      );
      await migrate(server, steps);
      await checkSchema(server, steps);
      assert.deepEqual(await server.query('SELECT * FROM kindred.first'), [{ a: 1, b: 2 }]);
    });
  });

  test('is migrated from partitions to ordinary tables, with all rows and keys', () =>
    using(async (server) => {
      const tables = ['payload', 'fingerprint', 'block_key'] as const;
      await migrate(server, migrations.slice(0, 2));
      await postgres.run(`
        INSERT INTO kindred.payload SELECT part, part, 'bytes' FROM generate_series(0, 63) AS part;
        INSERT INTO kindred.fingerprint SELECT part, 1, part, 4 * part, 5 FROM generate_series(0, 63) AS part;
        INSERT INTO kindred.block_key SELECT part, 2, part, -part FROM generate_series(0, 63) AS part`);
      const rowsOf = (table: string) => server.query(`SELECT * FROM kindred.${table} ORDER BY part`);
      const before = await Promise.all(tables.map(rowsOf));
      await migrate(server);
      assert.deepEqual(await Promise.all(tables.map(rowsOf)), before);
      const indexes = await server.query(
        `SELECT tablename AS name, indexdef ~ 'USING btree \\(part, ' AS by_part FROM pg_indexes
         WHERE schemaname = 'kindred' AND tablename = ANY($1) ORDER BY 1`,
        [tables],
      );
      assert.deepEqual(
        indexes,
        [...tables].sort().map((name) => ({ name, by_part: true })),
      );
      const [left] = await server.query<{ count: number }>(
        `SELECT count(*)::int FROM pg_class WHERE relnamespace = 'kindred'::regnamespace AND relname ~ '_in_parts|_p\\d'`,
      );
      assert.equal(left.count, 0);
      await assert.rejects(postgres.run(`INSERT INTO kindred.block_key VALUES (1, 2, 1, -1)`), /duplicate key/);
    }));

  test('is unchanged if a step fails', async () => {
    // Another object has the name that a step creates.
    await postgres.run('CREATE SCHEMA kindred; CREATE VIEW kindred.placement AS SELECT 1');
    await assert.rejects(opening('write'), /already exists/);
    assert.equal(await using((server) => schemaVersion(server)), 0);
    await postgres.run('DROP VIEW kindred.placement');
    await opening('write');
  });

  test('allows a role with SELECT to read, and reports missing privileges', async () => {
    await opening('write');
    await assert.rejects(
      opening('read', 'reader'),
      /reader lacks privileges at .*permission denied for schema kindred.*docs\/database\.md/,
    );
    await postgres.run(
      'GRANT USAGE ON SCHEMA kindred TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA kindred TO reader',
    );
    await opening('read', 'reader');
    const reader = new Server(postgres.url.replace('kindred@', 'reader@'));
    await assert.rejects(
      reader.query(`INSERT INTO kindred.server (name, address) VALUES ('x', 'y')`),
      /reader lacks privileges at .*permission denied for table server/,
    );
    await reader.close();
  });
});

suite('an outdated server', () => {
  test('is reported with its version and a remedy', async () => {
    const old = await startOldServer();
    try {
      await assert.rejects(
        openDatabase([old.url], 'read'),
        /127\.0\.0\.1:\d+\/there is PostgreSQL 14\.9, and Kindred needs 15 or newer: upgrade it, or name another server in --database\.$/,
      );
    } finally {
      old.close();
    }
  });
});
