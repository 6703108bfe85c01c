/** `kindred org` as users run it. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Ajv } from 'ajv';
import { makeFolder, removeFolder } from '../../io/temporaryFolder.ts';
import { drawing, harbour, parsing, parsingRenamed } from '../../passages.ts';
import { readSchema } from '../../reportProblems.ts';
import {
  giveToPlainUser,
  type Outcome,
  outcomeOf,
  plainUser,
  start,
  type Surroundings,
  whenReadingBegins,
} from '../../cli/kindred.ts';

suite('kindred org', () => {
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
      'notes.txt': 'no folder',
    });
  });
  teardown(() => removeFolder(folder));

  const org = (commandArguments: readonly string[], { env, ...others }: Partial<Surroundings> = {}): Promise<Outcome> =>
    outcomeOf(
      start(['org', ...commandArguments], { cwd: folder, env: { KINDRED_INDEX: './index', ...env }, ...others }),
    );
  const answer = async (commandArguments: readonly string[], others?: Partial<Surroundings>): Promise<string> => {
    const { code, stdout, stderr } = await org(commandArguments, others);
    assert.deepEqual([code, stderr], [0, '']);
    return stdout;
  };
  const refusal = async (commandArguments: readonly string[], others?: Partial<Surroundings>): Promise<string> => {
    const { code, stdout, stderr } = await org(commandArguments, others);
    assert.deepEqual([code, stdout], [2, '']);
    assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
    return stderr;
  };

  /** Returns surroundings in which a module runs before the program. */
  const preloading = (module: string): Partial<Surroundings> => {
    const preload = path.join(folder, 'preload.mjs');
    writeFileSync(preload, module);
    return { env: { NODE_OPTIONS: `--import ${pathToFileURL(preload).href}` } };
  };

  test('stores, finds, scans, lists, and drops', async () => {
    assert.match(
      await refusal(['status']),
      /there is no index in .*index: store a repository with kindred org add first/i,
    );
    const added = await answer(['add', 'billing', 'invoicing', 'shop']);
    assert.match(
      added,
      /^billing: 3 files, .* \(3 texts written, 0 files shared, 0 files unchanged, 0 files removed\)$/m,
    );
    assert.match(added, /^shop: 1 file, .* \(0 texts written, 1 file shared, 0 files unchanged, 0 files removed\)$/m);
    assert.match(await answer(['status']), /^3 repositories, 6 files, .* at .*index$/m);
    const status = JSON.parse(await answer(['status', '--format', 'json'])) as {
      folder: string;
      repositories: object[];
    };
    assert.deepEqual([status.folder, status.repositories.length], [path.join(folder, 'index'), 3]);

    const scanned = await answer(['scan']);
    assert.match(scanned, /^ {2}billing and invoicing: .*rows?, .*lines$/m);
    assert.match(scanned, /^ {3}billing\/src\/parse\.ts:\d+-\d+$/m);
    const found = await answer(['find', 'asked.ts']);
    assert.match(found, /^asked\.ts:.*: 3 near-duplicates$/m);
    assert.match(found, /renamed +invoicing\/lib\/parse\.ts:/);

    assert.match(await refusal(['drop', 'shoop']), /there is no repository shoop; did you mean shop\?/);
    assert.equal(await answer(['drop', 'shop']), '1 repository dropped.\n');
    assert.doesNotMatch(await answer(['scan']), /shop/);
  });

  test('finds, lists, and drops without DuckDB', async () => {
    await answer(['add', 'billing', 'shop']);
    const without = preloading(
      `import Module from 'node:module';
      const load = Module._load;
      Module._load = (name, ...others) => {
        if (String(name).includes('@duckdb')) throw new Error('it is not here');
        return load(name, ...others);
      };`,
    );
    assert.match(
      await refusal(['scan'], without),
      /duckDB in .* cannot be loaded \(.*it is not here.*\): install it again/i,
    );
    const added = await refusal(['add', 'billing', '--index', 'new'], without);
    assert.match(added, /duckDB in .* cannot be loaded/i);
    assert.ok(!existsSync(path.join(folder, 'new')), 'a failed command leaves no folder');
    assert.match(await answer(['find', 'asked.ts'], without), /exact +billing\/src\/parse\.ts:/);
    assert.match(await answer(['status'], without), /^2 repositories, /);
    assert.equal(await answer(['drop', 'shop'], without), '1 repository dropped.\n');
  });

  test('keeps the index in the folder for data if nothing names another one', async () => {
    const env = { KINDRED_INDEX: '', XDG_DATA_HOME: path.join(folder, 'new', 'data') };
    const own = path.join(folder, 'new', 'data', 'kindred', 'index');
    assert.match(await refusal(['status'], { env }), new RegExp(`there is no index in ${own}: store`, 'i'));
    await answer(['add', 'shop'], { env });
    assert.ok(existsSync(path.join(own, 'kindred-index.json')));
    assert.match(await answer(['find', 'shop/draw.ts'], { env }), /0 near-duplicates$|no near-duplicates/im);
    for (const option of ['--index', '--database']) {
      assert.match(await answer(['status', option, own]), /^1 repository, 1 file, /);
    }
  });

  test('prints JSON according to the schema', async () => {
    await answer(['add', 'billing', 'invoicing']);
    const ajv = new Ajv({ strict: true, allErrors: true, strictTypes: false, validateFormats: false });
    const isReport = ajv.compile(readSchema('organisation'));
    const report = JSON.parse(await answer(['scan', '--format', 'json'])) as {
      pairs: { repositories: string[] }[];
      groups: { repositories: string[]; passages: { path: string }[] }[];
    };
    assert.ok(isReport(report), ajv.errorsText(isReport.errors));
    assert.deepEqual(report.pairs[0].repositories, ['billing', 'invoicing']);
    for (const { repositories, passages } of report.groups) {
      assert.deepEqual(repositories, [...new Set(passages.map((passage) => passage.path.split('/')[0]))].sort());
    }
    const text = await answer(['find', '--stdin', '--language', 'ts', '--format', 'json'], { input: parsing });
    const found = JSON.parse(text) as { total: number; passages: { repository: string; path: string }[] };
    assert.equal(found.total, found.passages.length);
    assert.ok(found.passages.some(({ repository }) => repository === 'invoicing'));
    const status = JSON.parse(await answer(['status', '--format', 'json'])) as { repositories: { name: string }[] };
    assert.deepEqual(
      status.repositories.map(({ name }) => name),
      ['billing', 'invoicing'],
    );
  });

  test('prints the report of a scan in three steps that pass Parquet files', async () => {
    await answer(['add', 'billing', 'invoicing', 'shop']);
    assert.equal(await answer(['pairs', 'pairs.parquet']), '');
    mkdirSync(path.join(folder, 'matches'));
    assert.equal(await answer(['align', 'pairs.parquet', 'matches/all.parquet']), '');
    const report = await answer(['group', 'matches', '--format', 'json']);
    assert.equal(report, await answer(['scan', '--format', 'json']));
    assert.equal(await answer(['group', 'matches/all.parquet']), await answer(['scan']));
    assert.deepEqual(readdirSync(path.join(folder, 'matches')), ['all.parquet']);
    assert.match(
      await refusal(['align', 'matches', 'again.parquet']),
      /all\.parquet is not from kindred org pairs: pass its output/,
    );
    assert.match(await refusal(['group', 'none.parquet']), /there is no file none\.parquet: check the path/);
    assert.match(await refusal(['pairs', 'none/pairs.parquet']), /there is no folder \S+none: create it first/);
    assert.match(await refusal(['align', 'pairs.parquet', 'none/x']), /there is no folder \S+none: create it first/);
    await answer(['drop', 'shop']);
    assert.match(
      await refusal(['align', 'pairs.parquet', 'again.parquet']),
      /is of another state of the index.*run kindred org pairs again/,
    );
    assert.ok(!existsSync(path.join(folder, 'again.parquet')));
  });

  test('excludes the place of the text itself', async () => {
    await answer(['add', 'billing', 'invoicing']);
    const found = await answer(['find', 'billing/src/parse.ts']);
    assert.doesNotMatch(found.split('\n').slice(1).join('\n'), /billing\/src\/parse/);
  });

  test('reports errors', async () => {
    await answer(['add', 'shop']);
    assert.match(await refusal(['find', 'asked.ts', '--k', '9']), /--max-distance must be 3 or less/);
    assert.match(await refusal([]), /specify a command: kindred org add, find, scan/);
    assert.match(await refusal(['ad']), /there is no command "ad"/);
    assert.match(await refusal(['add', 'nowhere']), /there is no folder nowhere/);
    for (const names of [['nowhere'], ['shop', '--repo', 'a/b'], ['shop', '--config', 'nowhere.jsonc']]) {
      await refusal(['add', ...names, '--index', 'new']);
      assert.ok(!existsSync(path.join(folder, 'new')), 'a failed command leaves no folder');
    }
    assert.match(await refusal(['add', 'notes.txt']), /there is no folder notes\.txt/);
    assert.match(await refusal(['add', 'billing', '--repo', 'a/b']), /"a\/b" is not a valid repository name/);
    assert.match(await refusal(['add', 'billing', 'shop', '--repo', 'x']), /--repo names a single repository/);
    writeFileSync(path.join(folder, 'billing', '.kindredrc.jsonc'), '{ "include": 1 }');
    assert.match(
      await refusal(['add', 'invoicing', 'billing']),
      /billing: \.kindredrc\.jsonc, line 1: include must be a list/,
    );
    assert.match(await answer(['status']), /^1 repository, /, 'nothing is stored if a configuration is wrong');
    assert.match(await refusal(['drop']), /specify the repositories to drop, or --all/);
    assert.match(await refusal(['find']), /specify what to find/);
    assert.match(await refusal(['scan', '--wrokers', '1']), /there is no option --wrokers; did you mean --workers\?/);
    assert.match(await refusal(['work']), /there is no command "work"/);
  });

  test('explains the address of a server', async () => {
    const expected =
      /^kindred: (--index|KINDRED_INDEX) is the address of a PostgreSQL server, which is no longer supported: run "kindred org add PATH\.\.\. --index FOLDER" to store .*\.$/m;
    const address = 'postgres://me:secret@127.0.0.1:1/none';
    for (const commandArguments of [['status'], ['add', 'shop'], ['scan'], ['find', 'asked.ts'], ['drop', '--all']]) {
      assert.match(await refusal([...commandArguments, '--index', address]), expected);
    }
    const inherited = await refusal(['status'], { env: { KINDRED_INDEX: address } });
    assert.match(inherited, expected);
    assert.doesNotMatch(inherited, /secret/);
    assert.match(await refusal(['status', '--index', 'mysql://x']), /--index is not a folder: name one/);
    for (const action of [['status'], ['add', 'shop']]) {
      assert.match(
        await refusal([...action, '--index', 'notes.txt']),
        /notes\.txt is not a folder: name the folder of an index, or a new one, in --index\.$/m,
      );
      assert.match(await refusal([...action, '--index', '']), /--index must name the folder of an index; its value is/);
    }
  });

  test('keeps the previous state if a writer is killed', async () => {
    await answer(['add', 'billing']);
    const before = await answer(['find', 'asked.ts']);
    const killed = await org(['add', 'invoicing'], {
      env: whenReadingBegins(folder, `process.kill(process.pid, 'SIGKILL');`),
    });
    assert.equal(killed.code, null);
    assert.ok(existsSync(path.join(folder, 'index/writing/invoicing.lock')), 'it was writing');
    assert.equal((await answer(['find', 'asked.ts'])).replace(/\d+ ms/, ''), before.replace(/\d+ ms/, ''));
    await answer(['add', 'invoicing']);
    assert.deepEqual(readdirSync(path.join(folder, 'index/writing')), []);
    assert.match(await answer(['status']), /^2 repositories, 5 files, /);
  });

  test('ends when it is interrupted, and loses nothing', async () => {
    await answer(['add', 'billing', 'shop']);
    const before = await answer(['scan']);
    const interrupt = `process.kill(process.pid, 'SIGINT');`;
    const interrupted = (commandArguments: readonly string[], ending: string): Promise<Outcome> =>
      org(commandArguments, { env: whenReadingBegins(folder, interrupt, ending) });
    const added = await interrupted(['add', 'invoicing'], '.ts');
    assert.deepEqual(
      [added.code, added.stderr],
      [130, 'kindred: interrupted; the other repositories are unchanged.\n'],
    );
    assert.equal(await answer(['scan']), before);
    const scanned = await interrupted(['scan'], 'arrays.bin');
    assert.deepEqual(
      [scanned.code, scanned.stderr],
      [130, 'kindred: interrupted; the stored repositories are unchanged.\n'],
    );
    assert.equal(await answer(['scan']), before);
  });

  test('continues a scan that was killed after its candidate pairs were written', async () => {
    await answer(['add', 'billing', 'invoicing', 'shop']);
    const expected = await answer(['scan', '--format', 'json']);
    const kill = preloading(`
      import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      const { renameSync } = fs;
      fs.renameSync = (from, to) => {
        renameSync(from, to);
        if (String(to).endsWith('pairs')) process.kill(process.pid, 'SIGKILL');
      };
      syncBuiltinESMExports();`);
    assert.deepEqual(await org(['scan'], kill), { code: null, stdout: '', stderr: '' });
    const left = readdirSync(path.join(folder, 'index/writing'), { recursive: true, encoding: 'utf8' });
    assert.ok(
      left.some((name) => /\.steps\/pairs\/\d+\.parquet$/.test(name)) && left.some((name) => name.endsWith('.lock')),
    );
    assert.deepEqual(await org(['scan', '--format', 'json']), {
      code: 0,
      stdout: expected,
      stderr: 'kindred: an earlier scan of these repositories was interrupted; continuing with its candidate pairs.\n',
    });
    assert.deepEqual(readdirSync(path.join(folder, 'index/writing')), []);
  });

  test('keeps the previous state if a file cannot be written', async () => {
    await answer(['add', 'shop']);
    writeFileSync(
      path.join(folder, 'billing/large.ts'),
      Array.from({ length: 900 }, (_, i) => `f${i}(${i});\n`).join(''),
    );
    const problem = await refusal(['add', 'billing'], { limit: '-f 20' });
    assert.match(problem, /would be larger than the system allows: raise the limit .*; the stored state is unchanged/);
    assert.deepEqual(readdirSync(path.join(folder, 'index/writing')), []);
    assert.match(await answer(['status']), /^1 repository, 1 file, /);
  });

  test('loses nothing if the candidate pairs of a scan cannot be written', async () => {
    await answer(['add', 'billing', 'invoicing', 'shop']);
    const expected = await answer(['scan', '--format', 'json']);
    assert.match(
      await refusal(['scan'], { limit: '-f 3' }),
      /\.steps\/pairs\.\S+ would be larger than the system allows: raise the limit .*; the stored state is unchanged/,
    );
    const left = readdirSync(path.join(folder, 'index/writing'), { recursive: true, encoding: 'utf8' });
    assert.deepEqual(
      left.filter((name) => /\.parquet|\.lock/.test(name)),
      [],
    );
    assert.equal(await answer(['scan', '--format', 'json']), expected);
    assert.deepEqual(readdirSync(path.join(folder, 'index/writing')), []);
  });

  test('names the files that it has no permission to read or write', async () => {
    await answer(['add', 'billing']);
    giveToPlainUser(folder);
    const index = path.join(folder, 'index');
    chmodSync(path.join(index, 'writing'), 0o500);
    const user = plainUser;
    assert.match(
      await refusal(['add', 'shop'], { user }),
      /there are no rights for .*writing.*\.lock \(EACCES\): change its perm/i,
    );
    assert.match((await org(['find', 'asked.ts'], { user })).stdout, /1 near-duplicate$/m);
    chmodSync(path.join(index, 'repositories'), 0o000);
    assert.match(await refusal(['find', 'asked.ts'], { user }), /there are no rights for .*repositories \(EACCES\)/i);
    chmodSync(path.join(index, 'repositories'), 0o700);
    chmodSync(path.join(index, 'documents'), 0o000);
    assert.match(await refusal(['scan'], { user }), /there are no rights for .*documents.*\.parquet \(EACCES\)/i);
    chmodSync(path.join(index, 'documents'), 0o700);
  });
});
