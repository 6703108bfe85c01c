/** Servers of an index, opened together: creation, any order, and rejection of servers that do not belong together. */
import assert from 'node:assert/strict';
import type { Database } from '../../src/organisation/database/openDatabase.ts';
import { openDatabase } from '../../src/organisation/database/openDatabase.ts';
import { rendezvous } from '../../src/organisation/database/parts.ts';
import { startServers, type TestServer } from '../harness/postgres.ts';

suite('an index on servers', () => {
  let servers: readonly TestServer[] = [];
  const urls = (...places: number[]): string[] => places.map((place) => servers[place].url);
  const openedBy = async (
    addresses: readonly string[],
    access: 'read' | 'write' | 'join' = 'read',
  ): Promise<Database> => {
    const database = await openDatabase(addresses, access);
    await database.close();
    return database;
  };

  suiteSetup(async () => {
    servers = await startServers(3);
  });
  setup(async () => {
    await Promise.all(servers.map((server) => server.clear()));
  });
  suiteTeardown(async () => {
    await Promise.all(servers.map((server) => server.remove()));
  });

  test('has all parts on a single server', async () => {
    const database = await openedBy(urls(0), 'write');
    assert.equal(database.home.name, 's1');
    assert.equal(database.partsOf(database.home).length, database.parts);
  });

  test('is split among three servers by rendezvous hashing, in any order of the servers', async () => {
    const written = await openedBy(urls(0, 1, 2), 'write');
    const names = rendezvous(['s1', 's2', 's3'], written.parts);
    for (let part = 0; part < written.parts; part++) assert.equal(written.serverOf(part).name, names[part]);
    const read = await openedBy(urls(2, 0, 1));
    assert.equal(read.home.label, written.home.label);
    for (let part = 0; part < read.parts; part++) assert.equal(read.serverOf(part).label, written.serverOf(part).label);
  });

  test('is created once by concurrent commands', async () => {
    const opened = await Promise.all(Array.from({ length: 4 }, () => openDatabase(urls(0, 1), 'write')));
    const places = opened.map((database) =>
      Array.from({ length: database.parts }, (_, part) => database.serverOf(part).label).join(),
    );
    assert.equal(new Set(places).size, 1);
    const [identity] = await opened[0].servers[1].query('SELECT count(*)::int AS rows FROM kindred.identity');
    assert.deepEqual(identity, { rows: 1 });
    await Promise.all(opened.map((database) => database.close()));
  });

  test('is missing before a repository is stored', async () => {
    await assert.rejects(
      openedBy(urls(0)),
      /There is no index at .*: store a repository with kindred org add first\.$/,
    );
  });

  test('reports a server that is not named', async () => {
    await openedBy(urls(0, 1, 2), 'write');
    await assert.rejects(
      openedBy(urls(0, 1)),
      /^DatabaseError: Server s3 of the index \(.*\) is not named: add its address to --database\.$/,
    );
    await assert.rejects(openedBy(urls(1, 2)), /is server s2 of an index whose first server is not named/);
  });

  test('accepts another server only with access to join', async () => {
    await openedBy(urls(0, 1), 'write');
    await assert.rejects(openedBy(urls(0, 1, 2), 'write'), /is not part of the index yet: run kindred org rebalance/);
    const joined = await openedBy(urls(0, 1, 2), 'join');
    const third = joined.servers.find(({ name }) => name === 's3');
    assert.ok(third !== undefined);
    assert.deepEqual(joined.partsOf(third), []);
  });

  test('rejects a server of another index, and a server that is named twice', async () => {
    await openedBy(urls(0), 'write');
    await openedBy(urls(1), 'write');
    await assert.rejects(openedBy(urls(0, 1)), /belongs to a different index than|are the same server/);
    const other = `${servers[0].url}&application_name=again`;
    await assert.rejects(openedBy([servers[0].url, other]), /are the same server of the index: name it once/);
  });

  test('completes the registration of a server after a command was interrupted', async () => {
    await openedBy(urls(0), 'write');
    const home = await openDatabase(urls(0), 'write');
    await home.home.query(`INSERT INTO kindred.server (name, address) VALUES ('s2', 'somewhere')`);
    await home.close();
    const joined = await openedBy(urls(0, 1), 'join');
    assert.deepEqual(joined.servers.map(({ name }) => name).sort(), ['s1', 's2']);
    const [again] = await Promise.all([openedBy(urls(0, 1))]);
    assert.equal(again.servers.length, 2);
  });
});
