/** The first findings of a large tree, which the worker sends during the scan. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defaultSourceOptions } from '../../src/scan/io/sources.ts';
import type { Root } from '../../src/session/protocol/messages.ts';
import { functionsOf, parsing } from '../passages.ts';
import { Conversation, pathsOf, reportIn, type Response, unpackWhole } from '../worker/conversation.ts';

suite('the first findings of a large tree', () => {
  let folder: string;
  let conversation: Conversation;

  suiteSetup(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'kindred-first-rows-'));
    await mkdir(path.join(folder, 'src'));
    for (let file = 0; file < 30; file++) {
      const copied = functionsOf(`file${file}`, 220);
      await writeFile(path.join(folder, 'src', `${file}.ts`), copied);
      await writeFile(path.join(folder, 'src', `${file}b.ts`), `${functionsOf(`own${file}`, 3)}${copied}`);
    }
  });

  suiteTeardown(() => rm(folder, { recursive: true }));

  setup(() => (conversation = new Conversation()));

  teardown(() => conversation.end());

  test('are sent once, before the report, which they do not change', async () => {
    const responses = await conversation.scan(roots(), undefined, { wantsFirst: true });
    assert.deepEqual(typesOf(responses), ['foundFirst', 'report']);
    const first = firstIn(responses);
    assert.equal(first.findings.complete, false);
    assert.equal(first.generation, 1);
    const last = reportIn(responses);
    const pairs = new Set(pathsOf(last.findings).flatMap(pairsIn));
    const firstPairs = pathsOf(first.findings).flatMap(pairsIn);
    assert.ok(firstPairs.length > 0);
    for (const pair of firstPairs) assert.ok(pairs.has(pair), pair);
    const plain = await conversation.scan(roots(), undefined);
    assert.deepEqual(typesOf(plain), ['report']);
    assert.equal(JSON.stringify(unpackWhole(reportIn(plain).findings)), JSON.stringify(unpackWhole(last.findings)));
  });

  test('are not sent if there are stored findings', async () => {
    const storage = await mkdtemp(path.join(tmpdir(), 'kindred-first-rows-storage-'));
    try {
      await conversation.scan(roots(), storage, { wantsFirst: true });
      await conversation.restart(storage);
      const again = await conversation.scan(roots(), storage, { wantsFirst: true });
      assert.deepEqual(typesOf(again), ['recalled', 'unchanged']);
    } finally {
      await rm(storage, { recursive: true });
    }
  });

  test('are the last ones if the scan is cancelled after them, and the next scan sends them again', async () => {
    const subscription = conversation.onDidSay(({ type }) => {
      if (type === 'foundFirst') conversation.cancel();
    });
    let cut = await conversation.scan(roots(), undefined, { wantsFirst: true });
    // The scan may be over before this thread cancels it.
    while (reportIn(cut).findings.complete) cut = await conversation.scan(roots(), undefined, { wantsFirst: true });
    subscription.dispose();
    assert.deepEqual(typesOf(cut), ['foundFirst', 'report']);
    assert.equal(reportIn(cut).findings.complete, false);
    const again = await conversation.scan(roots(), undefined, { wantsFirst: true });
    assert.deepEqual(typesOf(again), ['foundFirst', 'report']);
    assert.equal(reportIn(again).findings.complete, true);
  });

  test('are followed by a report with an edit that was made after them', async () => {
    const edited = { path: 'src/new.ts', text: functionsOf('file7', 220), overFile: false };
    let updated: Promise<Response[]> | undefined;
    const subscription = conversation.onDidSay(({ type }) => {
      if (type === 'foundFirst') updated ??= conversation.update([], { overlays: [edited] });
    });
    await conversation.scan(roots(), undefined, { wantsFirst: true });
    subscription.dispose();
    const { findings } = reportIn(await updated!);
    assert.equal(findings.complete, true);
    assert.ok(pathsOf(findings).some((paths) => paths.includes('src/new.ts') && paths.includes('src/7.ts')));
  });

  test('are not sent for a small tree', async () => {
    const small = await mkdtemp(path.join(tmpdir(), 'kindred-first-rows-small-'));
    try {
      for (const name of ['a.ts', 'b.ts']) await writeFile(path.join(small, name), parsing);
      const responses = await conversation.scan(roots(small), undefined, { wantsFirst: true });
      assert.deepEqual(typesOf(responses), ['report']);
    } finally {
      await rm(small, { recursive: true });
    }
  });

  function roots(of = folder): Root[] {
    return [{ folder: of, prefix: '', sources: defaultSourceOptions }];
  }
});

function pairsIn(paths: readonly string[]): string[] {
  return paths.flatMap((a) => paths.map((b) => `${a} ${b}`));
}

function typesOf(responses: readonly Response[]): string[] {
  return responses.map(({ type }) => type);
}

function firstIn(responses: readonly Response[]): Extract<Response, { type: 'foundFirst' }> {
  const first = responses.find((it) => it.type === 'foundFirst');
  assert.ok(first);
  return first;
}
