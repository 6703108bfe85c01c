/** `kindred org` with an index in a folder, as users run it. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, removeFolder } from '../../io/temporaryFolder.ts';
import { drawing, harbour, parsing, parsingRenamed } from '../../passages.ts';
import { giveToPlainUser, type Outcome, outcomeOf, plainUser, start, whenReadingBegins } from '../kindred.ts';

suite('kindred org in a folder', () => {
  let folder = '';
  setup(() => {
    folder = makeFolder({
      'billing/src/parse.ts': parsing,
      'billing/src/draw.ts': drawing,
      'billing/README.md': harbour,
      'invoicing/lib/parse.ts': `let x = 1;\n${parsingRenamed}`,
      'invoicing/lib/both.ts': drawing + parsing,
      'shop/draw.ts': drawing,
      'asked.ts': parsing,
    });
  });
  teardown(() => removeFolder(folder));

  const org = (given: readonly string[], others: Partial<Parameters<typeof start>[1]> = {}): Promise<Outcome> =>
    outcomeOf(start(['org', ...given, '--database', './index'], { cwd: folder, ...others }));
  const answer = async (...given: string[]): Promise<string> => {
    const { code, stdout, stderr } = await org(given);
    assert.deepEqual([code, stderr], [0, '']);
    return stdout;
  };
  const refusal = async (given: readonly string[], others?: Parameters<typeof org>[1]): Promise<string> => {
    const { code, stdout, stderr } = await org(given, others);
    assert.deepEqual([code, stdout], [2, '']);
    assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
    return stderr;
  };

  test('stores, finds, scans, lists, and drops', async () => {
    assert.match(
      await refusal(['status']),
      /there is no index in .*index: store a repository with kindred org add first/i,
    );
    const added = await answer('add', 'billing', 'invoicing', 'shop');
    assert.match(
      added,
      /^billing: 3 files, .* \(3 texts written, 0 files shared, 0 files unchanged, 0 files removed\)$/m,
    );
    assert.match(added, /^shop: 1 file, .* \(0 texts written, 1 file shared, 0 files unchanged, 0 files removed\)$/m);
    assert.match(await answer('status'), /^3 repositories, 6 files, .* at .*index$/m);
    const status = JSON.parse(await answer('status', '--format', 'json')) as { folder: string; repositories: object[] };
    assert.deepEqual([status.folder, status.repositories.length], [path.join(folder, 'index'), 3]);

    const scanned = await answer('scan');
    assert.match(scanned, /^ {2}billing and invoicing: .*rows?, .*lines$/m);
    assert.match(scanned, /^ {3}billing\/src\/parse\.ts:\d+-\d+$/m);
    const found = await answer('find', 'asked.ts');
    assert.match(found, /^asked\.ts:.*: 3 near-duplicates$/m);
    assert.match(found, /renamed +invoicing\/lib\/parse\.ts:/);

    assert.match(await refusal(['work']), /kindred org work is for an index in PostgreSQL/);
    assert.match(await refusal(['rebalance']), /kindred org rebalance is for an index in PostgreSQL/);
    assert.match(await refusal(['drop', 'shoop']), /there is no repository shoop; did you mean shop\?/);
    assert.equal(await answer('drop', 'shop'), '1 repository dropped.\n');
    assert.doesNotMatch(await answer('scan'), /shop/);
  });

  test('keeps the previous state if a writer is killed', async () => {
    await answer('add', 'billing');
    const before = await answer('find', 'asked.ts');
    const killed = await org(['add', 'invoicing'], {
      env: whenReadingBegins(folder, `process.kill(process.pid, 'SIGKILL');`),
    });
    assert.equal(killed.code, null);
    assert.ok(existsSync(path.join(folder, 'index/writing/invoicing.lock')), 'it was writing');
    assert.equal((await answer('find', 'asked.ts')).replace(/\d+ ms/, ''), before.replace(/\d+ ms/, ''));
    await answer('add', 'invoicing');
    assert.deepEqual(readdirSync(path.join(folder, 'index/writing')), []);
    assert.match(await answer('status'), /^2 repositories, 5 files, /);
  });

  test('keeps the previous state if a file cannot be written', async () => {
    await answer('add', 'shop');
    writeFileSync(
      path.join(folder, 'billing/large.ts'),
      Array.from({ length: 900 }, (_, i) => `f${i}(${i});\n`).join(''),
    );
    const problem = await refusal(['add', 'billing'], { limit: '-f 20' });
    assert.match(problem, /would be larger than the system allows: raise the limit .*; the stored state is unchanged/);
    assert.deepEqual(readdirSync(path.join(folder, 'index/writing')), []);
    assert.match(await answer('status'), /^1 repository, 1 file, /);
  });

  test('names what it may not read or write', async () => {
    await answer('add', 'billing');
    giveToPlainUser(folder);
    const index = path.join(folder, 'index');
    chmodSync(path.join(index, 'writing'), 0o500);
    const user = plainUser;
    assert.match(
      await refusal(['add', 'shop'], { user }),
      /there are no rights for .*shop\.lock \(EACCES\): change its perm/i,
    );
    assert.match((await org(['find', 'asked.ts'], { user })).stdout, /1 near-duplicate$/m);
    chmodSync(path.join(index, 'repositories'), 0o000);
    assert.match(await refusal(['find', 'asked.ts'], { user }), /there are no rights for .*repositories \(EACCES\)/i);
    chmodSync(path.join(index, 'repositories'), 0o700);
  });
});
