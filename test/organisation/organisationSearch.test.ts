/** Searches by a long-running program. The results equal those of a single search, also after the index changed. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { openDatabase } from '../../src/organisation/database/openDatabase.ts';
import type { OrganisationAnswer } from '../../src/core/engine/similar/findSimilar.ts';
import { OrganisationSearch, placeInRepository } from '../../src/organisation/repositories/organisationSearch.ts';
import { readRepositories } from '../../src/organisation/repositories/catalogue.ts';
import { indexInDatabase, type OrganisationIndex } from '../../src/organisation/repositories/organisationIndex.ts';
import { startPostgres, type TestServer } from '../harness/postgres.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { add, scanThread, writeFiles } from './storing.ts';
import { functionText } from './texts.ts';

suite('searches by a long-running program', () => {
  let server: TestServer;
  let folder = '';
  let search: OrganisationSearch;
  setup(async () => {
    server = await startPostgres();
    folder = makeFolder({ 'one/a.ts': functionText('alpha') });
    search = new OrganisationSearch(open, scanThread);
  });
  teardown(async () => {
    await search.close();
    await server.remove();
    removeFolder(folder);
  });

  const open = async (): Promise<OrganisationIndex> => indexInDatabase(await openDatabase([server.url], 'read'));
  const store = async (name: string): Promise<void> => {
    const database = await openDatabase([server.url], 'write');
    await add(database, path.join(folder, name));
    await database.close();
  };
  const find = async (name: string): Promise<Exclude<OrganisationAnswer, { problem: string }>> => {
    const answer = await search.find({ text: functionText(name), path: 'x.ts', languageId: '', most: 10 });
    assert.ok(!('problem' in answer), JSON.stringify(answer));
    return answer;
  };

  test('include repositories that were stored meanwhile', async () => {
    const early = await search.find({ text: functionText('alpha'), path: 'x.ts', languageId: '', most: 10 });
    assert.match('problem' in early ? early.problem : '', /There is no index at .*kindred org add/);
    await store('one');
    const first = await find('alpha');
    assert.deepEqual([first.similar.total, first.repositories, first.files], [1, 1, 1]);
    assert.deepEqual(first.sources, [{ name: 'one', commit: undefined, origin: path.join(folder, 'one') }]);
    // This many additional tokens begin an epoch with other weights.
    writeFiles(
      folder,
      Object.fromEntries(['a', 'b', 'c'].map((name) => [`two/${name}.ts`, functionText('alpha') + name])),
    );
    await store('two');
    const second = await find('alpha');
    assert.deepEqual([second.similar.total, second.repositories, second.files], [4, 2, 4]);
    assert.ok(second.generation > first.generation);
    const fresh = new OrganisationSearch(open, scanThread);
    const single = await fresh.find({ text: functionText('alpha'), path: 'x.ts', languageId: '', most: 10 });
    await fresh.close();
    assert.deepEqual('problem' in single ? single : single.similar, second.similar);
  });

  test('run concurrently, and recover from lost connections', async () => {
    await store('one');
    const answers = await Promise.all([find('alpha'), find('alpha'), find('alpha')]);
    assert.deepEqual(
      answers.map(({ similar }) => similar.total),
      [1, 1, 1],
    );
    await server.kill();
    const away = await search.find({ text: functionText('alpha'), path: 'x.ts', languageId: '', most: 10 });
    assert.match('problem' in away ? away.problem : '', /^(?!.*--database).*postgres/);
    await server.start();
    assert.equal((await find('alpha')).similar.total, 1);
  });

  test('report a remedy if a command was interrupted before it measured token weights', async () => {
    await store('one');
    await server.run('DELETE FROM kindred.rarity');
    const answer = await search.find({ text: functionText('alpha'), path: 'x.ts', languageId: '', most: 10 });
    assert.match('problem' in answer ? answer.problem : '', /has no token weights yet, .*run kindred org scan once/);
    await store('one');
    assert.equal((await find('alpha')).similar.total, 1);
  });

  test('stop in the database after cancellation, without effect on other searches', async () => {
    await store('one');
    await find('alpha');
    // Searches wait because another session has locked the table.
    const blocker = await openDatabase([server.url], 'write');
    let running: string[] = [];
    const { other } = await blocker.home.transaction(async (connection) => {
      const waiting = async (): Promise<string[]> => {
        const rows = await blocker.home.query<{ query: string }>(
          `SELECT query FROM pg_stat_activity WHERE wait_event_type = 'Lock'`,
        );
        return rows.map(({ query }) => query);
      };
      const until = async (count: number): Promise<void> => {
        const started = performance.now();
        do running = await waiting();
        while (running.length !== count && performance.now() - started < 5_000);
        assert.equal(running.length, count, running.join('\n'));
      };
      await connection.query('LOCK TABLE kindred.block_key IN ACCESS EXCLUSIVE MODE');
      const controller = new AbortController();
      const question = { text: functionText('alpha'), path: 'x.ts', languageId: '', most: 10 };
      const left = search.find(question, controller.signal);
      const other = find('alpha');
      await until(2);
      controller.abort();
      assert.deepEqual(await left, { problem: 'The search was cancelled.' });
      await until(1);
      return { other };
    });
    await blocker.close();
    assert.equal((await other).similar.total, 1);
    assert.equal((await find('alpha')).similar.total, 1);
  });

  test('locate a text by the folder of its repository', async () => {
    await store('one');
    const database = await openDatabase([server.url], 'read');
    const repositories = await readRepositories(database.home);
    await database.close();
    const lines = { startLine: 1, endLine: 3 };
    const inside = path.join(folder, 'one', 'a.ts');
    assert.deepEqual(placeInRepository({ file: inside, ...lines }, repositories), { path: 'one/a.ts', ...lines });
    assert.equal(placeInRepository({ file: `${path.join(folder, 'one')}2/a.ts`, ...lines }, repositories), undefined);
  });
});
