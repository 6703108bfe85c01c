/** The worker thread queries an organization's index: without a scan, and in the folder that the question names. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../../../scripts/project.mjs';
import { EngineClient } from '../../../src/session/client/engineClient.ts';
import { nodeWorker } from '../../../src/session/client/nodeWorker.ts';
import type { FindInOrganisationParams } from '../../../src/session/protocol/calls.ts';
import { makeFolder, removeFolder } from '../../io/temporaryFolder.ts';
import { addAll } from '../storing.ts';
import { drawing, parsing, parsingRenamed } from '../../passages.ts';
import { noFiles } from '../../worker/conversation.ts';

suite('the worker and an organization index', () => {
  let folder = '';
  let client: EngineClient;
  const notices: string[] = [];
  setup(async () => {
    folder = makeFolder({ 'billing/src/a.ts': parsing, 'shop/b.ts': `const other = 1;\n\n${parsing}` });
    await addAll(
      index(),
      ['billing', 'shop'].map((name) => path.join(folder, name)),
    );
    const note = (message: string | Error): void => void notices.push(String(message));
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
  teardown(() => {
    client.dispose();
    removeFolder(folder);
  });

  const index = (): string => path.join(folder, 'index');
  const ask = (text: string, params: Partial<FindInOrganisationParams> = {}, signal?: AbortSignal) => {
    const question = { folder: index(), setting: 'the setting', text, path: 'x.ts', languageId: '', limit: 10 };
    return client.callUntil(signal, 'findInOrganisation', { ...question, ...params });
  };
  const places = async (...askArguments: Parameters<typeof ask>): Promise<string[]> => {
    const answer = await ask(...askArguments);
    assert.ok(!('problem' in answer), JSON.stringify(answer));
    return answer.similar.passages.map(({ passage }) => `${passage.path}:${passage.startLine}`);
  };

  test('finds in all repositories, except at the place of the text itself', async () => {
    assert.deepEqual(await places(parsingRenamed), ['billing/src/a.ts:1', 'shop/b.ts:3']);
    const origin = { file: path.join(folder, 'shop', 'b.ts'), startLine: 3, endLine: 17 };
    assert.deepEqual(await places(parsing, { origin }), ['billing/src/a.ts:1']);
    assert.deepEqual(await places(drawing), []);
  });

  test('ends a canceled search, and no other', async () => {
    // The worker reads the token weights from a pipe, so all cancellations are in its queue before its searches go on.
    const { id } = JSON.parse(readFileSync(path.join(index(), 'weights.json'), 'utf8')) as { readonly id: string };
    const pipe = path.join(index(), 'weights', id);
    const weights = readFileSync(pipe);
    rmSync(pipe);
    execFileSync('mkfifo', [pipe]);
    const controller = new AbortController();
    const canceledLater = ask(parsing, {}, controller.signal);
    const other = places(parsing);
    controller.abort();
    const canceledBefore = ask(parsing, {}, controller.signal);
    await writeFile(pipe, weights);
    for (const search of [canceledLater, canceledBefore])
      assert.deepEqual(await search, { problem: 'The search was cancelled.' });
    assert.equal((await other).length, 2);
  });

  test('reports errors with the name of the setting, and reads the folder that the question names', async () => {
    const none = await ask(parsing, { folder: 'mysql://me:secret@host/db' });
    assert.match(JSON.stringify(none), /"the setting is not a folder: name one, such as /);
    const old = await ask(parsing, { folder: 'postgres://me:secret@127.0.0.1:9/none' });
    assert.match(
      'problem' in old ? old.problem : '',
      /^the setting is the address of a PostgreSQL server, .* run "kindred org add PATH\.\.\. --index FOLDER"/,
    );
    const foreign = await ask(parsing, { folder });
    assert.match('problem' in foreign ? foreign.problem : '', /name a new or empty folder in the setting\.$/);
    assert.equal((await places(parsing)).length, 2);
    renameSync(index(), `${index()}-away`);
    const away = await ask(parsing);
    assert.match('problem' in away ? away.problem : '', /is missing: repeat|There is no index in/);
    renameSync(`${index()}-away`, index());
    assert.equal((await places(parsing)).length, 2);
    assert.doesNotMatch(JSON.stringify([none, old, notices]), /secret/);
  });
});
