/** A single server: reading and writing rows, error messages, and recovery after a crash. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { chown, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { scaled } from '../../scripts/scaled.mjs';
import { copiedRows } from '../../src/organisation/database/copyRows.ts';
import { DatabaseError } from '../../src/organisation/database/databaseError.ts';
import { Server, type Row } from '../../src/organisation/database/server.ts';
import { startPostgres, temporaryFolder, type TestServer } from '../harness/postgres.ts';

const run = promisify(execFile);

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => listener.once('listening', resolve));
  const { port } = listener.address() as AddressInfo;
  await new Promise((resolve) => listener.close(resolve));
  return port;
}

/** Returns the error of `work`, which must fail. */
async function errorOf(work: Promise<unknown>): Promise<DatabaseError> {
  try {
    await work;
  } catch (error) {
    assert.ok(error instanceof DatabaseError, String(error));
    assert.match(error.message, /\.$/);
    return error;
  }
  throw new Error('it did not fail');
}

suite('a server', () => {
  let postgres: TestServer;
  let server: Server;
  let port = 0;

  suiteSetup(async () => {
    port = await freePort();
    postgres = await startPostgres({ listen_addresses: '127.0.0.1', port: String(port), max_connections: '12' });
  });
  setup(async () => {
    server = new Server(postgres.url);
    await postgres.run(
      'DROP TABLE IF EXISTS probe; CREATE TABLE probe (a smallint, b integer, c bigint, d text, e bytea, f boolean, g real)',
    );
  });
  teardown(async () => {
    await server.close();
  });
  suiteTeardown(async () => {
    await postgres.remove();
  });

  const count = async (table = 'probe'): Promise<number> => {
    const [row] = await server.query<{ rows: number }>(`SELECT count(*)::int AS rows FROM ${table}`);
    return row.rows;
  };
  /** Some settings apply only after a restart, and others with a delay. */
  const restart = async (): Promise<void> => {
    await postgres.stop();
    await postgres.start();
  };
  const columns = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

  suite('rows', () => {
    test('are read as they were written', async () => {
      const row = fc.record({
        a: fc.option(fc.integer({ min: -32768, max: 32767 })),
        b: fc.option(fc.integer()),
        c: fc.option(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
        d: fc.option(fc.string({ unit: 'grapheme' })),
        e: fc.option(fc.uint8Array({ maxLength: 300_000 })),
        f: fc.option(fc.boolean()),
        g: fc.option(fc.float({ noNaN: true }).filter((number) => !Object.is(number, -0))),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(row, { maxLength: 30 }), async (values) => {
          await server.query('TRUNCATE probe');
          const written = await server.transaction((connection) =>
            connection.copyIn('probe', columns, async (rows) => {
              for (const { a, b, c, d, e, f, g } of values) {
                rows.begin();
                if (a === null) rows.null();
                else rows.int2(a);
                if (b === null) rows.null();
                else rows.int4(b);
                if (c === null) rows.null();
                else rows.bigint(c);
                if (d === null) rows.null();
                else rows.text(d);
                if (e === null) rows.null();
                else rows.bytes(e);
                if (f === null) rows.null();
                else rows.bool(f);
                if (g === null) rows.null();
                else rows.float4(g);
                if (rows.isFull) await rows.flush();
              }
            }),
          );
          assert.equal(written, values.length);
          const read = (await server.query('SELECT * FROM probe')).map((each) => ({
            ...each,
            // The server writes only as many digits as identify the value.
            g: each['g'] === null ? null : Math.fround(each['g'] as number),
          }));
          const expected = values.map((each) => ({
            ...each,
            d: each.d?.replaceAll('\0', '') ?? null,
            e: each.e === null ? null : Buffer.from(each.e),
          }));
          assert.deepEqual(read, expected);
        }),
        { numRuns: scaled(20) },
      );
    });

    test('have 64 bits from halves, and 32 bits with or without sign', async () => {
      await server.transaction((connection) =>
        connection.copyIn('probe', ['c', 'b'], (rows) => {
          rows.begin();
          rows.int8(0xffffffff, 0xfffffffe);
          rows.int4(0xffffffff);
        }),
      );
      assert.deepEqual(await server.query('SELECT c, b FROM probe'), [{ c: -2n, b: -1 }]);
    });

    test('are read in batches', async () => {
      const rowCount = 300_000;
      await server.transaction((connection) =>
        connection.copyIn('probe', ['b', 'c'], async (rows) => {
          for (let i = 0; i < rowCount; i++) {
            rows.begin();
            rows.int4(i);
            rows.int8(0, i);
            if (rows.isFull) await rows.flush();
          }
        }),
      );
      let [next, largest] = [0, 0];
      await server.session(async (connection) => {
        for await (const some of connection.streamArrays<[number, bigint]>(
          'SELECT b, c FROM probe ORDER BY b',
          [],
          7_000,
        )) {
          largest = Math.max(largest, some.length);
          for (const [b, c] of some) {
            assert.ok(b === next && c === BigInt(next));
            next++;
          }
        }
      });
      assert.equal(next, rowCount);
      assert.equal(largest, 7_000);
    });

    test('may be read partially without affecting the connection', async () => {
      await server.session(async (connection) => {
        for await (const [first] of connection.stream<{ n: number }>(
          'SELECT * FROM generate_series(1, 100000) AS n',
          [],
          10,
        )) {
          assert.equal(first.n, 1);
          break;
        }
        assert.deepEqual(await connection.query('SELECT 1 AS one'), [{ one: 1 }]);
      });
    });

    test('are not stored if their source fails, and the error is passed on', async () => {
      const failing = server.transaction((connection) =>
        connection.copyIn('probe', ['b'], async (rows) => {
          for (let i = 0; i < 50_000; i++) {
            rows.begin();
            rows.int4(i);
            if (rows.isFull) await rows.flush();
          }
          throw new Error('the file is gone');
        }),
      );
      await assert.rejects(failing, { name: 'Error', message: 'the file is gone' });
      assert.equal(await count(), 0);
      assert.deepEqual(await server.query('SELECT 1 AS one'), [{ one: 1 }]);
    });

    test('report the code of PostgreSQL if the table rejects them', async () => {
      await server.query('ALTER TABLE probe ADD PRIMARY KEY (b)');
      const failing = server.transaction((connection) =>
        connection.copyIn('probe', ['b'], (rows) => {
          for (const value of [1, 1]) {
            rows.begin();
            rows.int4(value);
          }
        }),
      );
      await assert.rejects(failing, (error: DatabaseError) => error.code === '23505');
      assert.equal(await count(), 0);
    });

    test('are all or nothing in a transaction', async () => {
      await assert.rejects(
        server.transaction(async (connection) => {
          await connection.query('INSERT INTO probe (b) VALUES ($1)', [1]);
          throw new Error('no');
        }),
      );
      assert.equal(await count(), 0);
      await server.transaction((connection) => connection.query('INSERT INTO probe (b) VALUES ($1)', [1]));
      assert.equal(await count(), 1);
    });

    test('of concurrent writers are all stored', async () => {
      const write = (from: number): Promise<number> =>
        server.transaction((connection) =>
          connection.copyIn('probe', ['b'], async (rows) => {
            for (let i = 0; i < 50_000; i++) {
              rows.begin();
              rows.int4(from + i);
              if (rows.isFull) await rows.flush();
            }
          }),
        );
      await Promise.all([write(0), write(50_000)]);
      assert.deepEqual(await server.query('SELECT count(DISTINCT b)::int AS b FROM probe'), [{ b: 100_000 }]);
    });

    test('are copied out as bytes, and a failed query is reported', async () => {
      await server.query('INSERT INTO probe (b) SELECT * FROM generate_series(1, 3)');
      const copied = await server.session((connection) => connection.copyOut('SELECT b FROM probe ORDER BY b DESC'));
      assert.deepEqual(
        [...copiedRows(copied)].map(([value]) => value?.readInt32BE()),
        [3, 2, 1],
      );
      const failing = server.session((connection) => connection.copyOut('SELECT 1 / 0'));
      await assert.rejects(failing, (error: DatabaseError) => error.code === '22012');
      assert.equal(await count(), 3);
    });

    test('accept any text as a value', async () => {
      const text = `'; DROP TABLE probe; -- \\ " $1 ä 😀`;
      assert.deepEqual(await server.query('SELECT $1::text AS echo', [text]), [{ echo: text }]);
      assert.equal(await count(), 0);
    });
  });

  suite('reports', () => {
    const local = (rest: string): string => `postgres://${rest.replace('HERE', `127.0.0.1:${port}`)}`;
    const errorOfQuery = async (url: string, statement = 'SELECT 1'): Promise<DatabaseError> => {
      const other = new Server(url, { connectTimeoutMs: 2_000 });
      try {
        return await errorOf(other.query(statement));
      } finally {
        await other.close();
      }
    };

    test('if there is no server', async () => {
      const error = await errorOfQuery(`postgres://somebody@127.0.0.1:${await freePort()}/there`);
      assert.match(
        error.message,
        /^No PostgreSQL server answers at 127\.0\.0\.1:\d+\/there: start it, or correct --database\.$/,
      );
      assert.equal(error.code, 'ECONNREFUSED');
    });

    test('if a host is unknown', async () => {
      assert.match(
        (await errorOfQuery('postgres://a@no-such-host.invalid/b')).message,
        /^The host of no-such-host\.invalid:5432\/b cannot be found/,
      );
    });

    test('if a server does not answer in time', async () => {
      const silent = createServer(() => {}).listen(0, '127.0.0.1');
      await new Promise((resolve) => silent.once('listening', resolve));
      try {
        const place = (silent.address() as AddressInfo).port;
        assert.match(
          (await errorOfQuery(`postgres://a@127.0.0.1:${place}/b`)).message,
          /did not answer in time: .* connect_timeout/,
        );
      } finally {
        silent.close();
      }
    });

    test('if the database does not exist', async () => {
      assert.match(
        (await errorOfQuery(local('kindred@HERE/nowhere'))).message,
        /^There is no database nowhere at .*: create it \(createdb nowhere\)/,
      );
    });

    test('if a password is wrong, missing, or rejected without TLS; never with the password', async () => {
      const rules = path.join(postgres.data, 'pg_hba.conf');
      const before = await readFile(rules, 'utf8');
      await postgres.run(
        `DROP ROLE IF EXISTS walter; CREATE ROLE walter LOGIN PASSWORD 'right'; DROP ROLE IF EXISTS theo; CREATE ROLE theo LOGIN`,
      );
      await writeFile(
        rules,
        `host all walter all scram-sha-256\nhostssl all theo all trust\nhostnossl all theo all reject\n${before}`,
      );
      await restart();
      try {
        const wrong = await errorOfQuery(local('walter:very-secret@HERE/postgres'));
        assert.match(
          wrong.message,
          /rejected the password of walter: correct it in --database, in KINDRED_DATABASE or in ~\/\.pgpass\.$/,
        );
        assert.doesNotMatch(wrong.message, /very-secret/);
        assert.match((await errorOfQuery(local('walter@HERE/postgres'))).message, /requires a password for walter/);
        assert.match(
          (await errorOfQuery(local('theo@HERE/postgres?sslmode=disable'))).message,
          /rejects theo without TLS: add sslmode=require/,
        );
        assert.match(
          (await errorOfQuery(local('theo@HERE/postgres?sslmode=verify-full'))).message,
          /does not support TLS: enable it there, or add sslmode=disable/,
        );
        const right = new Server(local('walter:right@HERE/postgres'));
        assert.deepEqual(await right.query('SELECT 1 AS one'), [{ one: 1 }]);
        await right.close();
      } finally {
        await writeFile(rules, before);
        await restart();
      }
    });

    test('if privileges are missing', async () => {
      await postgres.run('DROP ROLE IF EXISTS vera; CREATE ROLE vera LOGIN');
      const error = await errorOfQuery(local('vera@HERE/postgres'), 'SELECT * FROM probe');
      assert.match(
        error.message,
        /^vera lacks privileges at .* \(permission denied for table probe\): grant the role those listed in docs\/database\.md/,
      );
      assert.equal(error.code, '42501');
    });

    test('if a statement takes too long', async () => {
      const error = await errorOfQuery(`${local('kindred@HERE/postgres')}?statement_timeout=100`, 'SELECT pg_sleep(5)');
      assert.match(error.message, /cancelled a statement .*: increase statement_timeout in --database\.$/);
    });

    test('if there are no more connections', async () => {
      const others = Array.from({ length: 8 }, () => new Server(postgres.url, { connections: 2 }));
      const held = others.flatMap((other) =>
        [1, 2].map(() =>
          other.query('SELECT pg_sleep(1)').then(
            () => '',
            (error: DatabaseError) => error.message,
          ),
        ),
      );
      const messages = (await Promise.all(held)).filter((message) => message !== '');
      assert.ok(messages.length > 0);
      for (const message of messages) assert.match(message, /accepts no more connections: raise its max_connections/);
      await Promise.all(others.map((other) => other.close()));
      // The server detects closed connections with a delay.
      await restart();
    });

    test('if a certificate is not trusted', async () => {
      const folder = await temporaryFolder();
      const [key, certificate] = [path.join(folder, 'key'), path.join(folder, 'certificate')];
      await run('openssl', [
        ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=127.0.0.1'],
        ...['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', certificate, '-days', '2'],
      ]);
      const { uid, gid } = await stat(postgres.data);
      for (const file of [key, certificate]) await chown(file, uid, gid);
      await postgres.run(`ALTER SYSTEM SET ssl_key_file = '${key}'`);
      await postgres.run(`ALTER SYSTEM SET ssl_cert_file = '${certificate}'`);
      await postgres.run(`ALTER SYSTEM SET ssl = on`);
      await restart();
      try {
        const encrypted = async (parameters: string): Promise<Row[]> => {
          const other = new Server(`${local('kindred@HERE/postgres')}?${parameters}`);
          try {
            return await other.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
          } finally {
            await other.close();
          }
        };
        assert.match(
          (await errorOf(encrypted('sslmode=verify-full'))).message,
          /^The certificate of .* is not trusted .*: specify its CA with sslrootcert/,
        );
        assert.deepEqual(await encrypted('sslmode=no-verify'), [{ ssl: true }]);
        assert.deepEqual(await encrypted(`sslmode=verify-full&sslrootcert=${certificate}`), [{ ssl: true }]);
      } finally {
        await postgres.run(`ALTER SYSTEM SET ssl = off`);
        await restart();
        await rm(folder, { recursive: true, force: true });
      }
    });
  });

  test('reports when it is killed, keeps what was committed, and accepts statements after a restart', async () => {
    await server.query('INSERT INTO probe (b) VALUES (1)');
    const error = await errorOf(
      server.transaction(async (connection) => {
        await connection.query('INSERT INTO probe (b) VALUES (2)');
        await postgres.kill();
        await connection.query('INSERT INTO probe (b) VALUES (3)');
      }),
    );
    assert.match(
      error.message,
      /was lost: repeat the command when the server is running again; uncommitted changes were not stored\.$/,
    );
    await postgres.start();
    assert.deepEqual(await server.query('SELECT b FROM probe'), [{ b: 1 }]);
  });

  test('reports when it is killed during COPY, and stores no rows', async () => {
    let killed: Promise<void> | undefined;
    const error = await errorOf(
      server.transaction((connection) =>
        connection.copyIn('probe', ['b'], async (rows) => {
          for (let i = 0; ; i++) {
            if (i === 200_000) killed = postgres.kill();
            rows.begin();
            rows.int4(i);
            if (rows.isFull) await rows.flush();
          }
        }),
      ),
    );
    assert.match(error.message, /was lost/);
    await killed;
    await postgres.start();
    assert.equal(await count(), 0);
  });
});

suite('a server whose disk is full', () => {
  test('reports it, rolls back the transaction, and works after space is available', async function () {
    // Mounting a small disk requires root.
    if (process.getuid?.() !== 0 || process.platform !== 'linux') {
      assert.ok(true);
      return;
    }
    const postgres = await startPostgres();
    const disk = await temporaryFolder();
    const { uid, gid } = await stat(postgres.data);
    await run('mount', ['-t', 'tmpfs', '-o', `size=16m,uid=${uid},gid=${gid},mode=0700`, 'tmpfs', disk]);
    const server = new Server(postgres.url);
    try {
      await postgres.run(`CREATE TABLESPACE small LOCATION '${disk}'`);
      await server.query('CREATE TABLE probe (b integer, e bytea) TABLESPACE small');
      await server.query('INSERT INTO probe (b) VALUES (1)');
      const fill = (rowCount: number): Promise<number> =>
        server.transaction((connection) =>
          connection.copyIn('probe', ['b', 'e'], async (rows) => {
            for (let i = 0; i < rowCount; i++) {
              rows.begin();
              rows.int4(i);
              rows.bytes(Buffer.alloc(1000, i));
              if (rows.isFull) await rows.flush();
            }
          }),
        );
      const error = await errorOf(fill(100_000));
      assert.equal(error.code, '53100');
      assert.match(error.message, /^The disk of .* is full \(.*\): free some space and repeat the command/);
      assert.deepEqual(await server.query('SELECT count(*)::int AS rows FROM probe'), [{ rows: 1 }]);
      await run('mount', ['-o', 'remount,size=512m', disk]);
      assert.equal(await fill(100_000), 100_000);
    } finally {
      await server.close();
      await postgres.remove();
      await run('umount', ['-l', disk]);
    }
  });
});
