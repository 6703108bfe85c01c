/** The steps of a comparison as separate programs. Their findings equal those of a comparison in one process. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../scripts/project.mjs';
import { append } from '../../src/core/collections/lists.ts';
import { IndexError } from '../../src/organisation/folder/indexError.ts';
import { matchKind, pairKind, ReadRows, type RowKind } from '../../src/organisation/repositories/comparisonRows.ts';
import type { OrganisationIndex } from '../../src/organisation/repositories/organisationIndex.ts';
import type { SparkPlan } from '../../src/organisation/repositories/sparkPlan.ts';
import { add, compare, openFolder, openForEachTest, scanThread, writeFiles } from './storing.ts';
import { functionText } from './texts.ts';

const comparing = { scanThread, workers: 1, monitor: { onProgress: () => undefined, cancelled: () => false } };

type Row = Readonly<Record<string, string | number>>;

/** Reads rows as a step does. */
function read<Field extends string>(kind: RowKind<Field>, rows: readonly (Row | string)[]): ReadRows<Field> {
  const all = new ReadRows(kind);
  rows.forEach((row, i) => all.add(typeof row === 'string' ? row : JSON.stringify(row), i + 1));
  return all;
}

suite('steps of a comparison', () => {
  let folder = '';
  let index: OrganisationIndex;
  openForEachTest((opened) => ({ folder, index } = opened));

  const at = (): string => path.join(folder, 'index');
  const pairs = async (): Promise<Row[]> => [...((await index.pairs(comparing)) as Iterable<Row>)];
  const align = async (rows: readonly (Row | string)[], opened = index): Promise<Row[]> => [
    ...((await opened.align(read(pairKind, rows), comparing)) as Iterable<Row>),
  ];
  const group = async (rows: readonly (Row | string)[], which: 'all' | 'component') =>
    (await index.group(read(matchKind, rows), which, comparing))!.findings;
  const addCopies = async (): Promise<void> => {
    for (const name of ['one', 'two']) {
      writeFiles(path.join(folder, name), { 'a.ts': functionText('alpha'), [`${name}.ts`]: functionText(name) });
      await add(index, path.join(folder, name));
    }
  };

  test('have the findings of one comparison of real code, in any parts and order', async () => {
    for (const name of ['scan', 'session', 'review', 'organisation']) {
      await add(index, path.join(root, 'src', name));
    }
    const expected = await compare(index);
    assert.ok(expected.groups.length > 10);
    const all = await pairs();
    assert.ok(all.length > 100);
    const parts = new Map<string, Row[]>();
    for (const row of all) append(parts, String(row['pathA']).length % 3 === 0 ? 'x' : String(row['pathB']), row);
    const matches: Row[] = [];
    const other = openFolder(at(), 'read');
    const some = [...parts.values()];
    const thirds = [0, 1, 2].map((third) => some.filter((_, i) => i % 3 === third).flat());
    for (const [i, rows] of thirds.entries()) matches.push(...(await align(rows.reverse(), i === 1 ? other : index)));
    await other.close();
    assert.ok(matches.length > 10);
    assert.deepEqual(await group(matches.reverse(), 'all'), expected);
  });

  test('group the passages of each component by itself', async () => {
    for (const name of ['scan', 'session', 'review', 'organisation']) {
      await add(index, path.join(root, 'src', name));
    }
    const expected = await compare(index);
    const matches = await align(await pairs());
    const components = componentsOf(matches);
    assert.ok(components.length > 2, String(components.length));
    const groups = [];
    for (const rows of components) groups.push(...(await group(rows, 'component')).groups);
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
    const matches = await align(await pairs());
    assert.equal(typeof (await index.planForSpark(comparing)), 'object');
    const steps = (): string[] => readdirSync(path.join(at(), 'writing'));
    const monitor = { ...comparing.monitor, cancelled: () => steps().length > 0 };
    assert.equal(await index.group(read(matchKind, matches), 'scan', { ...comparing, monitor }), undefined);
    assert.equal(steps().length, 1);
    const other = openFolder(at(), 'read');
    assert.equal(await other.planForSpark(comparing), 'matched');
    const seen: string[] = [];
    assert.deepEqual(await compare(other, { onContinue: (step) => seen.push(step) }), expected);
    assert.deepEqual([seen, steps()], [['matches'], []]);
    await other.close();
    mkdirSync((await planOf(index)).saved);
    assert.deepEqual((await index.group(read(matchKind, matches), 'scan', comparing))!.findings, expected);
    assert.deepEqual(steps(), [], 'the pairs that Spark has saved are removed');
  });

  const planOf = async (opened: OrganisationIndex): Promise<SparkPlan> => {
    const plan = await opened.planForSpark(comparing);
    assert.ok(typeof plan === 'object');
    return plan;
  };

  test('have no state: a repeated step has the same rows, and a scan does not change them', async () => {
    await addCopies();
    const before = await pairs();
    assert.ok(before.length > 0);
    await compare(index);
    assert.deepEqual(await pairs(), before);
    assert.deepEqual(await align(before), await align(before));
    assert.deepEqual(await align([]), []);
  });

  test('reject rows of other states, and rows that no step wrote', async () => {
    await addCopies();
    const [row] = await pairs();
    const refusal = async (action: () => Promise<unknown>): Promise<string> => {
      try {
        await action();
      } catch (error) {
        assert.ok(error instanceof IndexError, String(error));
        return error.message;
      }
      return assert.fail('nothing was rejected');
    };
    const notAPair = /^Line 2 of the input is not from kindred org pairs: pass its output\.$/;
    const fields = Object.keys(row);
    assert.ok(fields.includes('state'));
    for (const bad of ['{', '7', '{}', '[]', { ...row, bits: 32 }, { ...row, tokenA: -1 }, { ...row, partA: 3 }]) {
      assert.match(await refusal(() => align([row, bad])), notAPair);
    }
    for (const field of fields) {
      assert.match(await refusal(() => align([row, { ...row, [field]: 0.5 }])), notAPair);
    }
    assert.match(
      await refusal(() => align([row, { ...row, state: 'x' }])),
      /^Line 2 .* is of another state of the index/,
    );
    assert.match(
      await refusal(() => align([{ ...row, tokenB: 9_999 }])),
      /^The input has a token that two\/a\.ts does not/,
    );
    assert.match(
      await refusal(() => align([{ ...row, pathA: 'one/z.ts' }])),
      /^The input names one\/z\.ts, which the index/,
    );
    assert.match(await refusal(() => group([row], 'all')), /^Line 1 of the input is not from kindred org align: pass/);
    const [match] = await align([row]);
    assert.match(
      await refusal(() => group([{ ...match, a1: 9_999 }], 'all')),
      /^The input has a token that one\/a\.ts/,
    );
    assert.match(
      await refusal(() => group([{ ...match, b0: match['b1'] }], 'all')),
      /^The input has a token that two\/a/,
    );
    await index.drop(['one']);
    assert.match(
      await refusal(() => align([row])),
      /^The input is of another state of the index, .* run kindred org pairs again\.$/,
    );
  });
});

/** Returns the matches of each set of files that are linked by matches. */
function componentsOf(matches: readonly Row[]): Row[][] {
  const parents = new Map<string, string>();
  const rootOf = (file: string): string => {
    const parent = parents.get(file) ?? file;
    return parent === file ? file : rootOf(parent);
  };
  for (const { pathA, pathB } of matches) parents.set(rootOf(String(pathA)), rootOf(String(pathB)));
  const components = new Map<string, Row[]>();
  for (const match of matches) append(components, rootOf(String(match['pathA'])), match);
  return [...components.values()];
}
