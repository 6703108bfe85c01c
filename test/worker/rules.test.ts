/** Ignored rules of a tree are reported, once while the state lasts. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { defaultSourceOptions } from '../../src/scan/io/sources.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { parsing } from '../passages.ts';
import { Conversation } from './conversation.ts';

suite('rules without effect', () => {
  let folder = '';
  let conversation: Conversation;
  setup(() => {
    folder = makeFolder({ 'a.ts': parsing, 'sub/b.ts': parsing });
    conversation = new Conversation();
  });
  teardown(async () => {
    await conversation.end();
    removeFolder(folder);
  });

  test('are reported once, and again when they return', async () => {
    const rules = path.join(folder, 'sub', '.gitignore');
    const sentence = 'work/sub/.gitignore is not a file; its rules are ignored.';
    execFileSync('mkfifo', [rules]);
    const roots = [{ folder, prefix: 'work/', sources: defaultSourceOptions }];
    assert.deepEqual(await told(conversation.scan(roots, undefined)), [sentence]);
    writeFileSync(path.join(folder, 'c.ts'), parsing);
    assert.deepEqual(await told(conversation.update(['work/c.ts'])), []);
    rmSync(rules);
    assert.deepEqual(await told(conversation.update(['work/sub/.gitignore'])), []);
    writeFileSync(rules, '*'.repeat(2 ** 20 + 1));
    assert.deepEqual(await told(conversation.update(['work/sub/.gitignore'])), [
      'work/sub/.gitignore is too large (limit 1 MB); its rules are ignored.',
    ]);
  });

  /** Returns the warnings before an answer. */
  async function told(responses: ReturnType<Conversation['scan']>): Promise<string[]> {
    return (await responses).flatMap((response) => (response.type === 'warning' ? [response.message] : []));
  }
});
