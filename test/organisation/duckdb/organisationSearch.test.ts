/** Searches by a long-running program. The results equal those of a single search, also after the index changed. */
import assert from 'node:assert/strict';
import { renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { OrganisationAnswer } from '../../../src/core/engine/similar/findSimilar.ts';
import { OrganisationSearch, placeInRepository } from '../../../src/organisation/repositories/organisationSearch.ts';
import { makeFolder, removeFolder } from '../../io/temporaryFolder.ts';
import { addAll, openFolder, scanThread, writeFiles } from '../storing.ts';
import { functionText } from '../texts.ts';

suite('searches by a long-running program', () => {
  let folder = '';
  let search: OrganisationSearch;
  setup(() => {
    folder = makeFolder({ 'one/a.ts': functionText('alpha') });
    search = newSearch();
  });
  teardown(async () => {
    await search.close();
    removeFolder(folder);
  });

  const at = (...names: string[]): string => path.join(folder, 'index', ...names);
  const newSearch = (): OrganisationSearch =>
    new OrganisationSearch(() => openFolder(at(), 'read'), scanThread, 'the setting');
  const store = (name: string): Promise<void> => addAll(at(), [path.join(folder, name)]);
  const problem = async (): Promise<string> => {
    const answer = await search.find({ text: functionText('alpha'), path: 'x.ts', languageId: '', limit: 10 });
    return 'problem' in answer ? answer.problem : '';
  };
  const find = async (name: string): Promise<Exclude<OrganisationAnswer, { problem: string }>> => {
    const answer = await search.find({ text: functionText(name), path: 'x.ts', languageId: '', limit: 10 });
    assert.ok(!('problem' in answer), JSON.stringify(answer));
    return answer;
  };

  test('include repositories that were stored meanwhile', async () => {
    assert.match(await problem(), /^There is no index in .*kindred org add/);
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
    const fresh = newSearch();
    const single = await fresh.find({ text: functionText('alpha'), path: 'x.ts', languageId: '', limit: 10 });
    await fresh.close();
    assert.deepEqual('problem' in single ? single : single.similar, second.similar);
  });

  test('run concurrently, and recover from a missing folder', async () => {
    await store('one');
    const answers = await Promise.all([find('alpha'), find('alpha'), find('alpha')]);
    assert.deepEqual(
      answers.map(({ similar }) => similar.total),
      [1, 1, 1],
    );
    renameSync(at(), `${at()}-away`);
    assert.match(await problem(), /is missing: repeat|There is no index in/);
    assert.match(await problem(), /^There is no index in/);
    renameSync(`${at()}-away`, at());
    assert.equal((await find('alpha')).similar.total, 1);
    writeFiles(at(), { 'kindred-index.json': '{"name": "other"}' });
    assert.match(await problem(), /is not that of an index of Kindred: name another folder in the setting\.$/);
  });

  test('report a remedy if a command was interrupted before it measured token weights', async () => {
    await store('one');
    rmSync(at('weights.json'));
    assert.match(await problem(), /has no token weights yet, .*run kindred org scan once/);
    await store('one');
    assert.equal((await find('alpha')).similar.total, 1);
  });

  test('stop after cancellation, without effect on other searches', async () => {
    await store('one');
    const controller = new AbortController();
    const question = { text: functionText('alpha'), path: 'x.ts', languageId: '', limit: 10 };
    const left = search.find(question, controller.signal);
    const other = find('alpha');
    controller.abort();
    assert.deepEqual(await left, { problem: 'The search was cancelled.' });
    assert.equal((await other).similar.total, 1);
    assert.equal((await find('alpha')).similar.total, 1);
  });

  test('locate a text by the folder of its repository', async () => {
    await store('one');
    const index = openFolder(at(), 'read');
    const repositories = index.repositories();
    await index.close();
    const lines = { startLine: 1, endLine: 3 };
    const inside = path.join(folder, 'one', 'a.ts');
    assert.deepEqual(placeInRepository({ file: inside, ...lines }, repositories), { path: 'one/a.ts', ...lines });
    assert.equal(placeInRepository({ file: `${path.join(folder, 'one')}2/a.ts`, ...lines }, repositories), undefined);
  });
});
