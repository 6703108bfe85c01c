/** The findings of all repositories are those of one scan of them as folders of one. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { root } from '../../scripts/project.mjs';
import { openDatabase, type Database } from '../../src/database/openDatabase.ts';
import { startPostgres, type TestServer } from '../harness/postgres.ts';
import { add, compare, scanFolder } from './storing.ts';

suite('comparing all repositories', () => {
  let server: TestServer;
  let database: Database;

  setup(async () => {
    server = await startPostgres();
    database = await openDatabase([server.url], 'write');
  });
  teardown(async () => {
    await database.close();
    await server.remove();
  });

  test('finds what a scan finds', async () => {
    const folder = process.env['TREE'] ?? path.join(root, 'src');
    const { readdirSync } = await import('node:fs');
    const names = readdirSync(folder, { withFileTypes: true }).filter((e) => e.isDirectory()).map((e) => e.name);
    for (const name of names) { const t=performance.now(); const a=JSON.stringify(await add(database, path.join(folder, name))); console.log(name, a, Math.round(performance.now()-t)); }
    console.time('compare');
    const found = await compare(database);
    console.timeEnd('compare');
    const expected = await scanFolder(folder);
    console.log(found.totals, expected.totals);
    assert.deepEqual(found, expected);
  });
});
