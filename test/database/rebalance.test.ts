/** Servers that are added to an index with rows. Each gets its share, and no row is lost or duplicated. */
import assert from 'node:assert/strict';
import { openDatabase, type Database } from '../../src/organisation/database/openDatabase.ts';
import { rebalance, type Move } from '../../src/organisation/database/rebalance.ts';
import { startServers, type TestServer } from '../harness/postgres.ts';

const rowsPerPart = 50;

suite('rebalancing', () => {
  let servers: readonly TestServer[] = [];
  const open: Database[] = [];

  suiteSetup(async () => {
    servers = await startServers(3);
  });
  setup(async () => {
    await Promise.all(servers.map((server) => server.clear()));
  });
  teardown(async () => {
    await Promise.all(open.splice(0).map((database) => database.close()));
  });
  suiteTeardown(async () => {
    await Promise.all(servers.map((server) => server.remove()));
  });

  /** Opens an index on this number of servers, and creates the table of the tests on each. */
  async function opened(count: number, access: 'write' | 'join' | 'read' = 'join'): Promise<Database> {
    const database = await openDatabase(
      servers.slice(0, count).map(({ url }) => url),
      access,
    );
    open.push(database);
    for (const server of database.servers) {
      await server.session((connection) =>
        connection.run(
          'CREATE TABLE IF NOT EXISTS kindred.probe (part smallint, value integer, PRIMARY KEY (part, value))',
        ),
      );
    }
    return database;
  }

  /** Writes a row with this value into every part. */
  const write = (database: Database, value: number): Promise<void> =>
    database.writing(async () => {
      for (const server of database.servers) {
        const parts = database.partsOf(server);
        await server.query(
          'INSERT INTO kindred.probe SELECT part, $2::int FROM unnest($1::smallint[]) AS parts (part)',
          [parts, value],
        );
      }
    });

  async function filled(): Promise<Database> {
    const database = await opened(1, 'write');
    await database.home.query(
      `INSERT INTO kindred.probe SELECT part, value FROM generate_series(0, $1 - 1) AS part, generate_series(1, $2) AS value`,
      [database.parts, rowsPerPart],
    );
    return database;
  }

  /** Returns all rows on their assigned servers, as "part value", sorted. */
  const rows = (database: Database): Promise<readonly string[]> =>
    database.stable(async () => {
      const found = await Promise.all(
        database.servers.map((server) =>
          server.query<{ row: string }>(
            `SELECT part || ' ' || value AS row FROM kindred.probe WHERE part = ANY ($1::smallint[])`,
            [database.partsOf(server)],
          ),
        ),
      );
      return found
        .flat()
        .map(({ row }) => row)
        .sort();
    });

  const inAll = async (database: Database): Promise<number> => {
    const counts = await Promise.all(
      database.servers.map((server) =>
        server.query<{ rows: number }>('SELECT count(*)::int AS rows FROM kindred.probe'),
      ),
    );
    return counts.reduce((sum, [row]) => sum + row.rows, 0);
  };

  test('moves the share of an added server, and nothing else', async () => {
    const one = await filled();
    const before = await rows(one);
    for (const count of [2, 3]) {
      const database = await opened(count);
      const moves: Move[] = [];
      const moved = await rebalance(database, { onMove: (move) => void moves.push(move) });
      assert.equal(moved, moves.length);
      assert.deepEqual([...new Set(moves.map(({ to }) => to))], [`s${count}`]);
      assert.ok(moved > database.parts / count / 2 && moved < (database.parts / count) * 2, String(moved));
      assert.deepEqual(await rows(database), before);
      assert.equal(await inAll(database), before.length, 'no server keeps rows that moved');
      assert.equal(await rebalance(database), 0);
    }
  });

  test('resumes after an interruption between two parts, after a copy, or before old rows are removed', async () => {
    const before = await rows(await filled());
    const database = await opened(2);
    let moveCount = 0;
    await assert.rejects(
      rebalance(database, {
        onMove: () => {
          if (++moveCount === 3) throw new Error('died');
        },
      }),
      /died/,
    );
    // A copy whose part is still assigned to the old server.
    const next = database.partsOf(database.home)[0];
    await database.servers[1].query('INSERT INTO kindred.probe VALUES ($1, 1), ($1, 999)', [next]);
    assert.deepEqual(await rows(database), before);
    await rebalance(database);
    assert.deepEqual(await rows(database), before);
    assert.equal(await inAll(database), before.length);
  });

  test('resumes after the new server was killed', async () => {
    const before = await rows(await filled());
    const database = await opened(2);
    let moveCount = 0;
    await assert.rejects(
      rebalance(database, {
        onMove: async () => {
          if (++moveCount === 5) await servers[1].kill();
        },
      }),
      /was lost|No PostgreSQL server answers/,
    );
    await servers[1].start();
    const again = await opened(2);
    assert.deepEqual(await rows(again), before);
    await rebalance(again);
    assert.deepEqual(await rows(again), before);
    assert.equal(await inAll(again), before.length);
  });

  test('preserves the rows of concurrent readers and writers', async () => {
    await filled();
    const [mover, reader, writer] = [await opened(2), await opened(2, 'read'), await opened(2, 'write')];
    let isDone = false;
    const moving = rebalance(mover).finally(() => (isDone = true));
    let [reads, writes] = [0, 0];
    const reading = (async () => {
      while (!isDone) {
        const found = await rows(reader);
        assert.ok(found.length >= rowsPerPart * reader.parts);
        assert.equal(new Set(found).size, found.length);
        reads++;
      }
    })();
    const writing = (async () => {
      while (!isDone) await write(writer, 1000 + writes++);
    })();
    await Promise.all([moving, reading, writing]);
    assert.ok(reads > 0 && writes > 0);
    assert.equal((await rows(reader)).length, (rowsPerPart + writes) * reader.parts);
  });
});
