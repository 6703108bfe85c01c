/**
 * `find_similar` of `kindred mcp` in all repositories of an organization, whose index is sometimes unavailable.
 */
import assert from 'node:assert/strict';
import { mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import type { FindTextsData } from '../../src/surfaces/tools/findSimilar.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { addAll } from '../organisation/storing.ts';
import { drawing, harbour, parsing, parsingRenamed } from '../passages.ts';
import { McpClient } from './mcpClient.ts';

suite('kindred mcp with an index of an organization', () => {
  let folder = '';
  let cache = '';
  setup(async () => {
    cache = makeFolder({});
    folder = makeFolder({
      'billing/src/a.ts': parsing,
      'shop/src/b.ts': `const other = 1;\n\n${parsing.replace("'connection'", "'upgrade'")}`,
      'shop/src/c.ts': harbour,
    });
    await addAll(
      index(),
      ['billing', 'shop'].map((name) => path.join(folder, name)),
    );
  });
  teardown(() => {
    for (const made of [folder, cache]) removeFolder(made);
  });

  const index = (): string => path.join(folder, 'index');
  const serving = async (env: Record<string, string>, ask: (client: McpClient) => Promise<void>): Promise<void> => {
    const client = await McpClient.start([path.join(folder, 'billing')], cache, '2025-11-25', env);
    try {
      await ask(client);
    } finally {
      await client.close();
    }
  };
  const where = 'organisation';

  test('finds them without a setting in the folder of kindred org add', async () => {
    const data = path.join(folder, 'data');
    mkdirSync(path.join(data, 'kindred'), { recursive: true });
    renameSync(index(), path.join(data, 'kindred', 'index'));
    await serving({ XDG_DATA_HOME: data }, async (client) => {
      const found = await client.data('find_similar', { text: parsingRenamed, language: 'ts', where });
      assert.equal(found.total, 2);
    });
  });

  test('finds passages in other repositories that the workspace does not contain', () =>
    serving({ KINDRED_INDEX: index() }, async (client) => {
      const found = await client.data('find_similar', { text: parsingRenamed, language: 'ts', where });
      assert.deepEqual(
        found.passages.map(({ place, type }) => [place, type]),
        [
          ['billing/src/a.ts:1-15', 'renamed'],
          ['shop/src/b.ts:3-17', 'renamed'],
        ],
      );
      assert.deepEqual([found.index.state, found.index.files], ['ready', 3]);
      assert.match(found.index.detail ?? '', /2 repositories/);
      const one = await client.data('find_similar', { text: parsingRenamed, language: 'ts', where, limit: 1 });
      assert.deepEqual([one.passages.length, one.total, one.leftOut.passages], [1, 2, 1]);
      const here = await client.data('find_similar', { text: harbour, language: 'ts' });
      assert.equal(here.total, 0);
      const none = await client.data('find_similar', { text: drawing, language: 'ts', where });
      assert.deepEqual([none.total, none.tooShort], [0, false]);
    }));

  test('finds passages similar to several texts, with a section for each', () =>
    serving({ KINDRED_INDEX: index() }, async (client) => {
      const input = { texts: [harbour, drawing, parsingRenamed], language: 'ts', where };
      const found = (await client.data('find_similar', input)) as unknown as FindTextsData;
      assert.deepEqual(
        found.texts.map(({ text, total, passages }) => [text, total, passages.map(({ place }) => place)]),
        [
          [1, 1, ['shop/src/c.ts:1']],
          [2, 0, []],
          [3, 2, ['billing/src/a.ts:1-15', 'shop/src/b.ts:3-17']],
        ],
      );
      assert.deepEqual([found.complete, found.leftOut.texts, found.index.state], [true, 0, 'ready']);
      assert.match(found.index.detail ?? '', /2 repositories/);
      const tooLong = { ...input, texts: ['a'.repeat(150_000), 'b'.repeat(150_000)] };
      assert.match(await client.problem('find_similar', tooLong), /300000 characters together; the limit is 200000/);
    }));

  test('finds passages similar to a place, without the place itself', () =>
    serving({ KINDRED_INDEX: index() }, async (client) => {
      const { passages } = await client.data('find_similar', { place: 'src/a.ts:1-15', where });
      assert.deepEqual(
        passages.map(({ place }) => place),
        ['shop/src/b.ts:3-17'],
      );
      assert.match(await client.problem('find_similar', { place: 'src/a.ts:90-99', where }), /has \d+ lines/);
      assert.match(await client.problem('find_similar', { place: '../shop/src/b.ts', where }), /outside/);
    }));

  test('reports a missing index, and answers after it is available again', () =>
    serving({ KINDRED_INDEX: index() }, async (client) => {
      const input = { text: harbour, language: 'ts', where };
      assert.equal((await client.data('find_similar', input)).total, 1);
      renameSync(index(), `${index()}-away`);
      const problem = await client.problem('find_similar', input);
      assert.match(problem, /^The index of the organization does not answer\. .+\.$/);
      assert.doesNotMatch(problem, /--index/);
      assert.equal((await client.data('find_similar', { text: parsing, language: 'ts' })).total, 1);
      renameSync(`${index()}-away`, index());
      assert.equal((await client.data('find_similar', input)).total, 1);
    }));

  test('offers it only if an index is configured', () =>
    serving({}, async (client) => {
      const { tools } = await client.client.listTools();
      assert.doesNotMatch(JSON.stringify(tools), /organisation/);
      const problem = await client.problem('find_similar', { text: parsing, language: 'ts', where });
      assert.match(problem, /no input where/);
    }));

  test('explains the address of a server without revealing it', () =>
    serving({ KINDRED_INDEX: 'postgres://me:secret@host/db' }, async (client) => {
      const problem = await client.problem('find_similar', { text: parsing, language: 'ts', where });
      assert.match(
        problem,
        /KINDRED_INDEX is the address of a PostgreSQL server, which is no longer supported: run "kindred org add PATH\.\.\. --index FOLDER"/,
      );
      assert.doesNotMatch(problem, /secret/);
    }));
});
