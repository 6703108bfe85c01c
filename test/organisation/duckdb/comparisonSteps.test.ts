/** The steps of a comparison as separate programs. Their findings equal those of a comparison in one process. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../scripts/project.mjs';
import type { Findings } from '../../../src/core/engine/report/report.ts';
import { CancellationError } from '../../../src/organisation/folder/cancellation.ts';
import { type DuckDB, openDuckDB, quoted } from '../../../src/organisation/folder/duckdb.ts';
import type { OrganisationIndex } from '../../../src/organisation/repositories/organisationIndex.ts';
import type { SparkPlan } from '../../../src/organisation/repositories/sparkPlan.ts';
import { add, compare, openFolder, openForEachTest, refusal, scanThread, writeFiles } from '../storing.ts';
import { functionText } from '../texts.ts';

const comparing = { scanThread, workers: 1, monitor: { onProgress: () => undefined, cancelled: () => false } };

type Row = Readonly<Record<string, string | number | null>>;

suite('steps of a comparison', () => {
  let folder = '';
  let index: OrganisationIndex;
  let duckdb: DuckDB;
  openForEachTest((opened) => ({ folder, index } = opened));
  suiteSetup(async () => {
    duckdb = await openDuckDB({ packages: root, threads: 1, memoryMB: 500, spill: path.join(root, 'dist', 'spill') });
  });
  suiteTeardown(() => duckdb.close());

  const at = (name: string): string => path.join(folder, name);
  const pairs = async (name = 'pairs.parquet'): Promise<string> => {
    await index.pairs(at(name), comparing);
    return at(name);
  };
  const align = async (file: string, name = 'matches.parquet', opened = index): Promise<string> => {
    await opened.align([file], at(name), comparing);
    return at(name);
  };
  const group = async (files: readonly string[], which: 'all' | 'component'): Promise<Findings> =>
    (await index.group(files, which, comparing)).findings;
  const rowsIn = (file: string): Promise<Row[]> =>
    duckdb.rows(`SELECT * FROM read_parquet(${quoted(file)}) ORDER BY ALL`);
  /** Writes a file of rows: the rest of a query on the rows of another file. */
  const select = async (file: string, name: string, query: (rows: string) => string): Promise<string> => {
    await duckdb.run(`COPY (${query(`read_parquet(${quoted(file)})`)}) TO ${quoted(at(name))} (FORMAT parquet)`);
    return at(name);
  };
  const addCopies = async (): Promise<void> => {
    for (const name of ['one', 'two']) {
      writeFiles(path.join(folder, name), { 'a.ts': functionText('alpha'), [`${name}.ts`]: functionText(name) });
      await add(index, path.join(folder, name));
    }
  };
  const addSources = async (): Promise<Findings> => {
    for (const name of ['scan', 'session', 'review', 'organisation']) await add(index, path.join(root, 'src', name));
    const expected = await compare(index);
    assert.ok(expected.groups.length > 10);
    return expected;
  };

  test('have the findings of one comparison of real code, in any parts and order', async () => {
    const expected = await addSources();
    const all = await pairs();
    assert.ok((await rowsIn(all)).length > 100);
    const other = openFolder(at('index'), 'read');
    const matches: string[] = [];
    for (const third of [2, 0, 1]) {
      const documents = '[pathA, pathB, partA::VARCHAR, partB::VARCHAR]';
      const part = await select(
        all,
        `pairs${third}.parquet`,
        (rows) => `SELECT * FROM ${rows} WHERE hash(${documents}) % 3 = ${third} ORDER BY tokenB DESC, pathB`,
      );
      assert.ok((await rowsIn(part)).length > 10);
      matches.push(await align(part, `matches${third}.parquet`, third === 1 ? other : index));
    }
    await other.close();
    assert.deepEqual(await group(matches, 'all'), expected);
    const one = await select(at('matches*.parquet'), 'one.parquet', (rows) => `SELECT * FROM ${rows} ORDER BY b0 DESC`);
    assert.deepEqual(await group([one], 'all'), expected);
  });

  test('pass on the number of windows with more near ones than are kept', async () => {
    await addCopies();
    const crowded = await select(
      await pairs(),
      'crowded.parquet',
      (rows) => `SELECT * FROM ${rows} UNION ALL BY NAME SELECT DISTINCT state, 7 AS crowded FROM ${rows}`,
    );
    const matches = await align(crowded);
    assert.equal((await group([matches], 'all')).totals.crowdedWindows, 7);
    assert.equal((await group([matches, matches], 'all')).totals.crowdedWindows, 14);
  });

  test('group the passages of each component by itself', async () => {
    const expected = await addSources();
    const matches = await align(await pairs());
    const manual = readFileSync(path.join(root, 'docs/organisation.md'), 'utf8');
    const [, sql] = /```sql\n(CREATE TABLE edge[^`]*)```/.exec(manual)!;
    await duckdb.run(
      sql.replaceAll("'matches/*.parquet'", quoted(matches)).replace("'components'", quoted(at('parts'))),
    );
    const parts = readdirSync(at('parts'));
    assert.ok(parts.length > 1, String(parts.length));
    const groups = [];
    for (const part of parts) {
      const files = readdirSync(at(`parts/${part}`)).map((name) => at(`parts/${part}/${name}`));
      groups.push(...(await group(files, 'component')).groups);
    }
    const passagesOf = (found: typeof expected.groups): string[] =>
      found
        .filter(({ kind }) => kind !== 'file')
        .map(({ id, kind, passages, tokens }) => JSON.stringify({ id, kind, passages, tokens }))
        .sort();
    assert.deepEqual(passagesOf(groups), passagesOf(expected.groups));
  });

  test('continue with the matches of Spark if grouping was interrupted', async () => {
    await addCopies();
    const expected = await compare(index);
    const { saved } = await planOf(index);
    for (const step of ['pairs', 'matches']) mkdirSync(path.join(saved, step), { recursive: true });
    await pairs(path.relative(folder, path.join(saved, 'pairs', '0.parquet')));
    assert.equal((await planOf(index)).saved, saved, 'the pairs are not aligned');
    await align(
      path.join(saved, 'pairs', '0.parquet'),
      path.relative(folder, path.join(saved, 'matches', '0.parquet')),
    );
    const steps = (): string[] => readdirSync(at('index/writing'));
    const monitor = { ...comparing.monitor, cancelled: () => true };
    await assert.rejects(index.compare({ ...comparing, monitor }), CancellationError);
    assert.equal(steps().length, 1);
    const other = openFolder(at('index'), 'read');
    const seen: string[] = [];
    const matchOnSpark = (): never => assert.fail('all pairs are aligned');
    assert.deepEqual(await compare(other, { onContinue: (step) => seen.push(step), matchOnSpark }), expected);
    assert.deepEqual([seen, steps()], [['matches'], []]);
    await other.close();
  });

  /** Interrupts a comparison on Spark at its beginning, and returns its plan. */
  const planOf = async (opened: OrganisationIndex): Promise<SparkPlan> => {
    const plans: SparkPlan[] = [];
    const matchOnSpark = (plan: SparkPlan): Promise<void> => {
      plans.push(plan);
      assert.equal(readdirSync(at('index/writing')).filter((name) => name.endsWith('.lock')).length, 1);
      return Promise.reject(new CancellationError());
    };
    await assert.rejects(opened.compare({ ...comparing, matchOnSpark }), CancellationError);
    return plans[0];
  };

  test('have no state: a repeated step has the same rows, and a scan does not change them', async () => {
    await addCopies();
    const before = await pairs();
    const rows = await rowsIn(before);
    assert.ok(rows.length > 0);
    await compare(index);
    assert.deepEqual(await rowsIn(await pairs('again.parquet')), rows);
    const matches = await rowsIn(await align(before));
    assert.ok(matches.length > 0);
    assert.deepEqual(await rowsIn(await align(before, 'again.parquet')), matches);
    const none = await select(before, 'none.parquet', (all) => `SELECT * FROM ${all} WHERE false`);
    assert.deepEqual(await rowsIn(await align(none)), []);
    assert.deepEqual((await group([], 'all')).groups, (await group([at('matches.parquet')], 'all')).groups);
  });

  test('reject rows of other states, and files that no step wrote', async () => {
    await addCopies();
    const good = await pairs();
    const bad = async (changes: string, file = good): Promise<string> =>
      select(file, 'bad.parquet', (rows) => `SELECT * REPLACE (${changes}) FROM ${rows}`);
    const notPairs = /bad\.parquet is not from kindred org pairs: pass its output\.$/;
    const changes = ['32 AS bits', '-1 AS tokenA', "'x' AS tokenB", 'NULL AS bits', 'NULL AS pathB', 'NULL AS state'];
    for (const change of changes) assert.match(await refusal(async () => align(await bad(change))), notPairs, change);
    for (const column of Object.keys((await rowsIn(good))[0])) {
      const without = await select(good, 'bad.parquet', (rows) => `SELECT * EXCLUDE (${column}) FROM ${rows}`);
      assert.match(await refusal(() => align(without)), notPairs, column);
    }
    writeFileSync(at('bad.parquet'), '{"state":"x"}\n');
    assert.match(await refusal(() => align(at('bad.parquet'))), notPairs);
    const bytes = readFileSync(good);
    writeFileSync(at('bad.parquet'), bytes);
    truncateSync(at('bad.parquet'), bytes.length - 9);
    assert.match(await refusal(() => align(at('bad.parquet'))), notPairs);
    assert.match(
      await refusal(async () => align(await bad("CASE WHEN tokenA > 0 THEN 'x' ELSE state END AS state"))),
      /^The input has rows of several states of the index/,
    );
    assert.match(await refusal(async () => align(await bad("'x' AS state"))), /^The input is of another state of the/);
    const unknown = [
      [
        '9999 AS tokenB',
        /^The input has a token that two\/\w+\.ts does not have: pass the output of kindred org pairs/,
      ],
      ["'one/z.ts' AS pathA", /^The input names one\/z\.ts, which the index does not have/],
      ['3 AS partA', /^The input names one\/\w+\.ts, which the index does not have/],
    ] as const;
    for (const [change, problem] of unknown) assert.match(await refusal(async () => align(await bad(change))), problem);
    assert.match(await refusal(() => group([good], 'all')), /pairs\.parquet is not from kindred org align: pass its/);
    const matches = await align(good);
    assert.match(
      await refusal(async () => group([await bad('9999 AS a1', matches)], 'all')),
      /^The input has a token that one\/\w+\.ts does not have: pass the output of kindred org align/,
    );
    assert.match(
      await refusal(async () => group([await bad('b1 AS b0', matches)], 'all')),
      /^The input has a token that two\/\w+\.ts does not/,
    );
    await index.drop(['one']);
    assert.match(
      await refusal(() => align(good)),
      /^The input is of another state of the index, .* run kindred org pairs again\.$/,
    );
  });
});
