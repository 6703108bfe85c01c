/** The worker thread queries an organization's index: without a scan, and in the database that the question names. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { root } from '../../scripts/project.mjs';
import { EngineClient } from '../../src/session/client/engineClient.ts';
import { nodeWorker } from '../../src/session/client/nodeWorker.ts';
import type { FindInOrganisationParams } from '../../src/session/protocol/calls.ts';
import { openDatabase } from '../../src/organisation/database/openDatabase.ts';
import { startPostgres, type TestServer } from '../harness/postgres.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { add } from '../organisation/storing.ts';
import { drawing, parsing, parsingRenamed } from '../passages.ts';
import { noFiles } from './conversation.ts';

suite('the worker and an organization index', () => {
  let server: TestServer;
  let folder = '';
  let client: EngineClient;
  const said: string[] = [];
  setup(async () => {
    server = await startPostgres();
    folder = makeFolder({ 'billing/src/a.ts': parsing, 'shop/b.ts': `const other = 1;\n\n${parsing}` });
    const database = await openDatabase([server.url], 'write');
    for (const name of ['billing', 'shop']) await add(database, path.join(folder, name));
    await database.close();
    const note = (message: string | Error): void => void said.push(String(message));
    client = new EngineClient(
      nodeWorker(path.join(root, 'dist', 'worker.js')),
      { error: note, warn: note, info: note, debug: note },
      noFiles,
      {
        stopped: 'stopped',
        stoppedOften: () => 'stopped',
      },
    );
  });
  teardown(async () => {
    client.dispose();
    await server.remove();
    removeFolder(folder);
  });

  const ask = (text: string, given: Partial<FindInOrganisationParams> = {}, signal?: AbortSignal) => {
    const setting = { address: 'the setting', password: 'the store' };
    const question = { addresses: server.url, setting, text, path: 'x.ts', languageId: '', most: 10 };
    return client.callUntil(signal, 'findInOrganisation', { ...question, ...given });
  };
  const places = async (...given: Parameters<typeof ask>): Promise<string[]> => {
    const answer = await ask(...given);
    assert.ok(!('problem' in answer), JSON.stringify(answer));
    return answer.similar.passages.map(({ passage }) => `${passage.path}:${passage.startLine}`);
  };

  test('finds in all repositories, except at the place of the text itself', async () => {
    assert.deepEqual(await places(parsingRenamed), ['billing/src/a.ts:1', 'shop/b.ts:3']);
    const origin = { file: path.join(folder, 'shop', 'b.ts'), startLine: 3, endLine: 17 };
    assert.deepEqual(await places(parsing, { origin }), ['billing/src/a.ts:1']);
    assert.deepEqual(await places(drawing), []);
  });

  test('ends a canceled search at any time', async () => {
    const database = await openDatabase([server.url], 'write');
    await database.home.transaction(async (connection) => {
      // No search completes while the table is locked.
      await connection.query('LOCK TABLE kindred.block_key IN ACCESS EXCLUSIVE MODE');
      const controller = new AbortController();
      const left = ask(parsing, {}, controller.signal);
      setTimeout(() => controller.abort(), 200);
      assert.deepEqual(await left, { problem: 'The search was cancelled.' });
      assert.deepEqual(await ask(parsing, {}, controller.signal), { problem: 'The search was cancelled.' });
    });
    await database.close();
    assert.equal((await places(parsing)).length, 2);
  });

  test('reports errors with the name of the setting, and queries the database that the question names', async () => {
    const none = await ask(parsing, { addresses: 'mysql://me:secret@host/db' });
    assert.match('problem' in none ? none.problem : '', /^the setting is not the address/);
    const away = await ask(parsing, { addresses: 'postgres://me:secret@127.0.0.1:9/none' });
    assert.match('problem' in away ? away.problem : '', /No PostgreSQL server answers at .*correct the setting/);
    assert.equal((await places(parsing)).length, 2);
    await server.stop();
    assert.ok('problem' in (await ask(parsing)));
    await server.start();
    assert.equal((await places(parsing)).length, 2);
    assert.doesNotMatch(JSON.stringify([none, away, said]), /secret/);
  });
});
