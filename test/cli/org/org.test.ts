/** `kindred org` as users run it, with a real PostgreSQL. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import { root } from '../../../scripts/project.mjs';
import { startPostgres, type TestServer } from '../../harness/postgres.ts';
import { makeFolder, removeFolder } from '../../io/temporaryFolder.ts';
import { drawing, harbour, parsing, parsingRenamed } from '../../passages.ts';
import { readSchema } from '../../reportProblems.ts';
import { type Outcome, outcomeOf, start } from '../kindred.ts';

suite('kindred org', () => {
  let server: TestServer;
  let folder = '';

  suiteSetup(async () => {
    server = await startPostgres();
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

  suiteTeardown(async () => {
    removeFolder(folder);
    await server.remove();
  });

  const org = (given: readonly string[], env: NodeJS.ProcessEnv = {}, input?: string): Promise<Outcome> =>
    outcomeOf(
      start(['org', ...given], {
        cwd: folder,
        env: { KINDRED_DATABASE: server.url, ...env },
        ...(input !== undefined && { input }),
      }),
    );
  const answer = async (given: readonly string[], env?: NodeJS.ProcessEnv, input?: string): Promise<string> => {
    const { code, stdout, stderr } = await org(given, env, input);
    assert.deepEqual([code, stderr], [0, '']);
    return stdout;
  };
  const refusal = async (given: readonly string[], env?: NodeJS.ProcessEnv): Promise<string> => {
    const { code, stdout, stderr } = await org(given, env);
    assert.deepEqual([code, stdout], [2, '']);
    return stderr;
  };

  test('stores, finds, scans, lists, and drops', async () => {
    assert.match(await refusal(['status']), /There is no index at .*store a repository with kindred org add first/i);
    const added = await answer(['add', 'billing', 'invoicing', 'shop']);
    assert.match(
      added,
      /^billing: 3 files, .* \(3 texts written, 0 files shared, 0 files unchanged, 0 files removed\)$/m,
    );
    assert.match(added, /^shop: 1 file, .* \(0 texts written, 1 file shared, 0 files unchanged, 0 files removed\)$/m);

    const status = await answer(['status']);
    assert.match(status, /^3 repositories, 6 files, /);
    assert.match(status, /^ {2}invoicing +2 files/m);

    const scanned = await answer(['scan', '--workers', '2']);
    assert.match(scanned, /^ {2}billing and invoicing: .*rows?, .*lines$/m);
    assert.match(scanned, /^ {3}billing\/src\/parse\.ts:\d+-\d+$/m);
    assert.match(scanned, /3 repositories, 6 files, .* rows? across repositories\.$/m);

    const found = await answer(['find', 'asked.ts']);
    assert.match(found, /^asked\.ts:.*: 3 near-duplicates$/m);
    assert.match(found, /100 % +exact +billing\/src\/parse\.ts:/);
    assert.match(found, /renamed +invoicing\/lib\/parse\.ts:/);

    assert.match(await refusal(['drop', 'shoop']), /there is no repository shoop; did you mean shop\?/);
    assert.match(await answer(['drop', 'shop']), /^1 repository dropped\.$/m);
    assert.match(await answer(['status']), /^2 repositories, 5 files, /);
    assert.doesNotMatch(await answer(['scan']), /shop/);
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
    const text = await answer(['find', '--stdin', '--language', 'ts', '--format', 'json'], {}, parsing);
    const found = JSON.parse(text) as { total: number; passages: { repository: string; path: string }[] };
    assert.equal(found.total, found.passages.length);
    assert.ok(found.passages.some(({ repository }) => repository === 'invoicing'));
    const status = JSON.parse(await answer(['status', '--format', 'json'])) as { repositories: { name: string }[] };
    assert.deepEqual(
      status.repositories.map(({ name }) => name),
      ['billing', 'invoicing'],
    );
  });

  test('excludes the place of the text itself', async () => {
    await answer(['add', 'billing', 'invoicing']);
    const found = await answer(['find', 'billing/src/parse.ts']);
    assert.doesNotMatch(found.split('\n').slice(1).join('\n'), /billing\/src\/parse/);
  });

  test('reports errors', async () => {
    assert.match(await refusal([]), /specify a command: kindred org add, find, scan/);
    assert.match(await refusal(['ad']), /there is no command "ad"/);
    assert.match(await refusal(['add', 'nowhere']), /there is no folder nowhere/);
    assert.match(await refusal(['add', 'notes.txt']), /there is no folder notes\.txt/);
    assert.match(await refusal(['add', 'billing', '--repo', 'a/b']), /"a\/b" is not a valid repository name/);
    assert.match(await refusal(['add', 'billing', 'shop', '--repo', 'x']), /--repo names a single repository/);
    assert.match(await refusal(['drop']), /specify the repositories to drop, or --all/);
    assert.match(await refusal(['find']), /specify what to find/);
    assert.match(await refusal(['find', 'asked.ts', '--k', '9']), /--max-distance must be 3 or less/);
    assert.match(await refusal(['work']), /there is no scan in progress/);
    assert.match(await refusal(['scan', '--wrokers', '1']), /there is no option --wrokers; did you mean --workers\?/);
    assert.match(
      await refusal(['status'], { KINDRED_DATABASE: 'postgres://nobody@127.0.0.1:1/none' }),
      /no PostgreSQL server answers at 127\.0\.0\.1:1\/none/i,
    );
    assert.match(
      await refusal(['status', '--database', 'mysql://x']),
      /--database is not the address of a PostgreSQL server/,
    );
  });

  test('is in separate bundles from look-ups, and no other command loads the PostgreSQL client', () => {
    const has = (bundle: string): boolean =>
      readFileSync(path.join(root, 'dist', bundle), 'utf8').includes('pg_advisory_lock');
    const bundles = readdirSync(path.join(root, 'dist')).filter((name) => name.endsWith('.js'));
    assert.deepEqual(bundles.filter(has).sort(), ['org.js', 'orgSearch.js']);
  });
});
