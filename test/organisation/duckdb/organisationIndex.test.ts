/** An index of many repositories: what its writers store, share, and leave, and how it reports bad files. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { defaultOptions } from '../../../src/core/engine/options.ts';
import { CancellationError } from '../../../src/organisation/folder/cancellation.ts';
import { loadDuckDB } from '../../../src/organisation/folder/duckdb.ts';
import { methodOf } from '../../../src/organisation/repositories/method.ts';
import type { OrganisationIndex } from '../../../src/organisation/repositories/organisationIndex.ts';
import {
  add,
  compare,
  inputOf,
  notCancelled,
  openFolder,
  openForEachTest,
  refusal,
  requestOf,
  scanFolder,
  scanThread,
  writeFiles,
} from '../storing.ts';
import { functionText } from '../texts.ts';
import { lexiconForPath } from '../../../src/core/engine/languages/allLexicons.ts';
import { scanToFollow } from '../../../src/scan/indexer/scan.ts';

suite('an index of many repositories', () => {
  let folder = '';
  let sources = '';
  let index: OrganisationIndex;
  openForEachTest((opened) => {
    ({ folder, index } = opened);
    sources = path.join(folder, 'sources');
  });

  const at = (...names: string[]): string => path.join(folder, 'index', ...names);
  const write = (name: string, files: Readonly<Record<string, string | undefined>>): string => {
    writeFiles(path.join(sources, name), files);
    return path.join(sources, name);
  };
  const agree = async (): Promise<void> => {
    const found = await compare(index);
    assert.ok(found.groups.length > 0);
    assert.deepEqual(found, await scanFolder(sources));
  };
  const partitions = (): string[] => readdirSync(at('contents'));
  /** Returns the paths of the exact copies of a function. */
  const find = async (name: string, opened = index): Promise<string[]> => {
    const text = { bytes: Buffer.from(functionText(name)), lexicon: lexiconForPath('x.ts') };
    const { similar } = await opened.find(scanThread, text, () => ({ minSimilarity: 1 }), notCancelled);
    return similar.passages.map(({ passage }) => passage.path);
  };

  test('has the current state of changed, shared, and dropped repositories', async () => {
    const a = write('a', { '1.ts': functionText('one'), '2.ts': functionText('two'), 'x.bin': '\0' });
    const b = write('b', { 'vendor/1.ts': functionText('one'), 'own.ts': functionText('own') + functionText('two') });
    const sizes = ({ files, written, shared, unchanged, removed }: Awaited<ReturnType<typeof add>>): number[] => [
      files,
      written,
      shared,
      unchanged,
      removed,
    ];
    assert.deepEqual(sizes(await add(index, a)), [2, 2, 0, 0, 0]);
    assert.deepEqual(sizes(await add(index, b)), [2, 1, 1, 0, 0], 'the text of a is not stored again');
    await agree();

    write('a', { '1.ts': undefined, '2.ts': functionText('two') + functionText('own'), '3.ts': functionText('two') });
    assert.deepEqual(sizes(await add(index, a)), [2, 1, 1, 0, 1]);
    await agree();
    assert.deepEqual(await find('one'), ['b/vendor/1.ts'], 'the partition of a is kept for b');
    assert.deepEqual(sizes(await add(index, a)), [2, 0, 0, 2, 0]);

    await index.drop(['b']);
    rmSync(b, { recursive: true });
    await agree();
    assert.deepEqual(await find('one'), []);
    await index.drop(['a']);
    assert.deepEqual([partitions(), readdirSync(at('documents')), readdirSync(at('writing'))], [[], [], []]);
    assert.match(await refusal(() => compare(index)), /no repository yet/);
  });

  test('reports a repository as stored if the user cancels right after it was stored', async () => {
    const a = write('a', { '1.ts': functionText('one') });
    const cancelled = (): boolean => index.repositories().some(({ name }) => name === 'a');
    assert.equal((await add(index, a, defaultOptions, { cancelled })).written, 1);
    assert.deepEqual(await find('one'), ['a/1.ts']);
  });

  test('is compared like subfolders of one folder, also with a single repository', async () => {
    const invoicing = write('invoicing', {
      'b.ts': functionText('gamma'),
      'c/d.ts': functionText('beta').replaceAll('beta', 'b'),
      'e.ts': functionText('gamma') + functionText('beta'),
    });
    await add(index, invoicing);
    await agree();
    // `billing` sorts before `billing-old`, but its paths sort after those of `billing-old`.
    write('billing', { 'a.ts': functionText('alpha') + functionText('beta'), 'b.ts': functionText('gamma') });
    write('billing-old', { 'a.ts': functionText('alpha') + functionText('delta'), 'README.md': 'Words.\n' });
    for (const name of ['billing', 'billing-old']) await add(index, path.join(sources, name));
    await agree();
  });

  test('stores only paths after a rename', async () => {
    const a = write('a', { 'old/1.ts': functionText('one'), 'old/2.ts': functionText('one') + functionText('two') });
    await add(index, a);
    const before = partitions();
    renameSync(path.join(a, 'old'), path.join(a, 'new'));
    const added = await add(index, a);
    assert.deepEqual([added.written, added.shared, added.removed], [0, 2, 2]);
    assert.deepEqual(partitions(), before);
    await agree();
  });

  test('equals a scan with other distances and options', async () => {
    const names = ['alpha', 'beta', 'gamma'];
    for (const [i, name] of names.entries()) {
      const edited = functionText(names[(i + 1) % 3]).replace(/^.*[37].*$/gm, '  // Another step.');
      write(`r${i}`, {
        [`${name}.ts`]: functionText(name) + edited,
        'copy.ts': functionText('alpha').replaceAll('alpha', 'alp'),
        'README.md': `${'Words that say little, again and again. '.repeat(12)}${name}\n`,
      });
    }
    for (const maxDistance of [0, 1, 7]) {
      const options = { ...defaultOptions, maxDistance };
      const { index: other, close } = await otherIndex(`k${maxDistance}`);
      for (const i of names.keys()) await add(other, path.join(sources, `r${i}`), options);
      const monitor = { onProgress: () => undefined, cancelled: () => false };
      const { findings: scanned } = await scanToFollow(await requestOf(sources, options), monitor, 'findings');
      assert.ok(scanned.groups.length > 0);
      assert.deepEqual(await compare(other), scanned, `distance ${maxDistance}`);
      await close();
    }
  });

  const otherIndex = (name: string): Promise<{ index: OrganisationIndex; close: () => Promise<void> }> => {
    const other = openFolder(at('..', name));
    return Promise.resolve({ index: other, close: () => other.close() });
  };

  test('splits a repository with many small changes anew', async () => {
    const one = write('one', {});
    for (let i = 0; i < 18; i++) {
      write('one', { [`${i}.ts`]: functionText(`name${i}`) });
      const { shared, unchanged } = await add(index, one);
      assert.deepEqual([shared, unchanged], [0, i]);
    }
    write('one', { 'copy.ts': functionText('new'), 'original.ts': functionText('new') });
    const { files, written, shared, unchanged } = await add(index, one);
    assert.deepEqual([files, written, shared, unchanged], [20, 1, 1, 18]);
    assert.equal(partitions().length, 2);
    assert.deepEqual(await find('name3'), ['one/3.ts']);
  });

  test('is unchanged after a cancelled writer', async () => {
    const one = write('one', { 'a.ts': functionText('alpha') });
    await add(index, one);
    const before = files();
    write('one', { 'a.ts': functionText('beta') });
    await assert.rejects(add(index, one, defaultOptions, { cancelled: () => true }), CancellationError);
    assert.deepEqual(files(), before);
    assert.deepEqual(await find('alpha'), ['one/a.ts']);
  });

  const files = (): string[] => readdirSync(at(), { recursive: true, encoding: 'utf8' }).sort();

  test('ignores and removes the data of a killed writer', async () => {
    const one = write('one', { 'a.ts': functionText('alpha') });
    await add(index, one);
    const before = files();
    const ended = await endedProcess();
    writeFileSync(at('writing', 'one.lock'), JSON.stringify({ process: ended, host: hostname(), since: 'today' }));
    writeFileSync(at('writing', 'two.lock'), JSON.stringify({ process: ended, host: hostname(), since: 'today' }));
    for (const lost of [at('writing', 'two.new'), at('contents', 'lost'), at('documents', 'lost.parquet')]) {
      writeFileSync(lost, 'incomplete');
    }
    const spilled = path.join(tmpdir(), `kindred-duckdb-${hostname()}-${ended}`);
    writeFiles(spilled, { 'duckdb_temp_storage-0.tmp': 'table' });
    assert.deepEqual(await find('alpha'), ['one/a.ts']);
    const next = openFolder(at());
    await add(next, one);
    await next.close();
    assert.ok(!existsSync(spilled));
    // The table of documents has a new name.
    assert.deepEqual(files().map(withoutId), before.map(withoutId));
  });

  const withoutId = (file: string): string => file.replace(/[0-9a-f]{8}-[-0-9a-f]+/, 'ID');
  const endedProcess = (): Promise<number> =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
      child.on('exit', () => resolve(child.pid!));
    });

  test('has one writer for each repository, and those of several do not wait', async () => {
    const [one, two] = ['one', 'two'].map((name) => write(name, { 'a.ts': functionText(name) }));
    await add(index, one);
    const holder = { process: process.pid, host: hostname(), since: '2026-11-27T12:00:00.000Z' };
    writeFileSync(at('writing', 'one.lock'), JSON.stringify(holder));
    const problem = await refusal(() => add(index, one));
    assert.match(
      problem,
      /^one is being written by process \d+ on .* since 2026.*: repeat the command when it has ended/,
    );
    const before = partitions();
    await add(index, two);
    assert.deepEqual(await find('two'), ['two/a.ts']);
    assert.equal(partitions().length, before.length + 1, 'data of the other writer are not removed');
    writeFileSync(at('writing', 'one.lock'), JSON.stringify({ ...holder, process: 1, host: 'elsewhere' }));
    assert.match(
      await refusal(() => add(index, one)),
      /process 1 on elsewhere .* or delete .*one\.lock if there is no/,
    );
    rmSync(at('writing', 'one.lock'));
    const others = [openFolder(at()), openFolder(at())];
    await Promise.all(others.map((other, i) => add(other, [one, two][i])));
    await Promise.all(others.map((other) => other.close()));
    assert.equal(index.repositories().length, 2);
  });

  test('stores a text once for all repositories of a command', async () => {
    const names = ['one', 'two', 'three'];
    const inputs = names.map((name) => write(name, { 'a.ts': functionText('alpha'), 'b.ts': functionText(name) }));
    const method = methodOf(defaultOptions, scanThread);
    await index.adding(method, async (addOne) => {
      for (const [i, input] of inputs.entries()) {
        const added = await addOne(await inputOf(input));
        assert.deepEqual([added.written, added.shared], i === 0 ? [2, 0] : [1, 1]);
        const again = await addOne(await inputOf(input));
        assert.deepEqual([again.written, again.unchanged], [0, 2]);
      }
    });
    await index.renewWeights(notCancelled);
    await agree();
    assert.equal(partitions().length, 3);
    assert.deepEqual(readdirSync(at('documents')).length, 6, 'only current tables are left');
  });

  test('keeps texts that one writer needs and another writer no longer uses', async () => {
    const old = write('old', { 'a.ts': functionText('alpha') });
    const copy = write('copy', { 'b.ts': functionText('alpha') });
    await add(index, old);
    const [partition] = partitions();
    const other = openFolder(at());
    await index.adding(methodOf(defaultOptions, scanThread), async (addOne) => {
      write('old', { 'a.ts': functionText('beta') });
      await add(other, old);
      assert.equal(partitions().length, 2, 'the partition without a state is still there');
      const added = await addOne(await inputOf(copy));
      assert.deepEqual([added.written, added.shared], [0, 1]);
    });
    await other.close();
    assert.ok(partitions().includes(partition));
    assert.deepEqual([await find('alpha'), await find('beta')], [['copy/b.ts'], ['old/a.ts']]);
    await index.drop(['copy']);
    assert.equal(partitions().length, 1);
    assert.ok(!partitions().includes(partition));
  });

  test('rejects foreign folders, and indexes with a different version or method', async () => {
    assert.match(await refusal(() => openFolder(sources, 'read')), /^There is no index in .*: store a repository/);
    write('one', { 'a.ts': functionText('alpha') });
    const foreign = /has other files and no index of Kindred: name a new or empty folder in --index/;
    assert.match(await refusal(() => openFolder(sources, 'read')), foreign);
    assert.match(await refusal(() => openFolder(sources)), foreign);
    assert.match(
      await refusal(() => openFolder(path.join(folder, 'no', 'where'))),
      /^There is no folder .*no for the index/,
    );
    await add(index, path.join(sources, 'one'));
    const head = JSON.parse(readFileSync(at('kindred-index.json'), 'utf8')) as { schema: number };
    const others: [string, RegExp][] = [
      [
        JSON.stringify({ ...head, schema: 99 }),
        /has version 99, and this Kindred knows versions up to 3: install a newer/,
      ],
      [
        JSON.stringify({ ...head, schema: 1 }),
        /has version 1, and this Kindred reads version 3: delete the folder and add/,
      ],
      [JSON.stringify({ name: 'x' }), /is not that of an index of Kindred: name another folder/],
      ['{', /kindred-index\.json is damaged: restore it/],
    ];
    for (const [text, expected] of others) {
      writeFileSync(at('kindred-index.json'), text);
      assert.match(await refusal(() => openFolder(at())), expected);
      assert.match(await refusal(() => openFolder(at(), 'read')), expected);
    }
    writeFileSync(at('kindred-index.json'), JSON.stringify(head));
    const other = { ...defaultOptions, maxDistance: 2 };
    assert.match(
      await refusal(() => add(index, path.join(sources, 'one'), other)),
      /made by another version of Kindred/,
    );
    assert.deepEqual(await find('alpha'), ['one/a.ts']);
  });

  test('names damaged and missing files', async () => {
    const one = write('one', { 'a.ts': functionText('alpha'), 'b.ts': functionText('alpha') });
    await add(index, one);
    const [partition] = partitions();
    const names = readdirSync(at('contents', partition)).map((name) => at('contents', partition, name));
    for (const name of readdirSync(at('documents'))) names.push(at('documents', name));
    names.push(at('repositories', 'one.json'));
    assert.equal(names.length, 10);
    const use = async (opened: OrganisationIndex): Promise<void> => {
      await compare(opened);
      await find('alpha', opened);
    };
    for (const file of names) {
      const bytes = readFileSync(file);
      truncateSync(file, Math.floor(bytes.length / 2));
      const damaged = openFolder(at());
      const problem = await refusal(() => use(damaged));
      assert.match(problem, /is damaged: restore it, or delete the folder of the index and add/, file);
      assert.ok(problem.startsWith(file), problem);
      await damaged.close();
      rmSync(file);
      const missing = openFolder(at());
      const isState = file.endsWith('one.json');
      assert.match(await refusal(() => use(missing)), isState ? /no repository yet/ : /is missing: repeat/, file);
      await missing.close();
      writeFileSync(file, bytes);
    }
    await agreeAgain();
  });

  test('names a table of another program or another index', async () => {
    const tableOf = async (name: string): Promise<string> => {
      const before = new Set(existsSync(at('documents')) ? readdirSync(at('documents')) : []);
      await add(index, write(name, { 'a.ts': functionText(name), 'b.ts': functionText(name) }));
      return readdirSync(at('documents')).find((file) => !before.has(file) && file.endsWith('.parquet'))!;
    };
    const table = at('documents', await tableOf('one'));
    const foreign = readFileSync(at('contents', partitions()[0], 'windows.parquet'));
    // It has the same columns, and names partitions that the index does not have any more.
    const other = readFileSync(at('documents', await tableOf('two')));
    await index.drop(['two']);
    for (const bytes of [foreign, other]) {
      writeFileSync(table, bytes);
      const opened = openFolder(at());
      assert.match(await refusal(() => compare(opened)), /parquet is damaged: restore it|index is damaged: restore it/);
      await opened.close();
    }
    writeFiles(path.join(folder, 'lake'), { 'one.parquet': 'PAR1', 'two.parquet': 'PAR1' });
    const lake = await refusal(() => openFolder(path.join(folder, 'lake')));
    assert.match(lake, /lake has other files and no index of Kindred: name a new or empty folder in --index/);
  });

  const agreeAgain = async (): Promise<void> => {
    const opened = openFolder(at());
    assert.deepEqual(await compare(opened), await scanFolder(sources));
    await opened.close();
  };

  test('is read again if a repository changes meanwhile', async () => {
    const one = write('one', { 'a.ts': functionText('alpha') });
    await add(index, one);
    assert.deepEqual(await find('alpha'), ['one/a.ts']);
    const writer = openFolder(at());
    write('one', { 'a.ts': functionText('beta') });
    await add(writer, one);
    await writer.close();
    assert.deepEqual(await find('beta'), ['one/a.ts']);
    assert.deepEqual(await find('alpha'), []);
  });

  test('asks for DuckDB if it is not installed, or cannot be loaded', async () => {
    const message = await refusal(() => loadDuckDB('/nowhere', []));
    assert.match(
      message,
      /needs DuckDB, which is not installed: run "npm install --prefix \/nowhere @duckdb\/node-api@\d/,
    );
    writeFiles(folder, { 'node_modules/@duckdb/node-api/index.js': 'throw new Error("another platform")' });
    assert.match(
      await refusal(() => loadDuckDB(folder, [])),
      /cannot be loaded \(.*another platform.*\): install it again/,
    );
  });
});
