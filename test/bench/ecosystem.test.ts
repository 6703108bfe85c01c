/** The ecosystem check: matching the groups of two reports, and its output for two versions. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { compareReports } from '../../bench/ecosystem/compareReports.mjs';

type Group = Parameters<typeof compareReports>[0]['groups'][number];

/** Returns a group with passages such as `a:1-9`. */
function group(places: string, others: Partial<Group> = {}): Group {
  const passages = places.split(' ').map((place) => {
    const [file = '', startLine = 0, endLine = 0] = place
      .split(/[:-]/)
      .map((part, i) => (i === 0 ? part : Number(part)));
    return { path: String(file), startLine: Number(startLine), startColumn: 1, endLine: Number(endLine), endColumn: 2 };
  });
  return {
    id: `${Math.random()}`,
    kind: 'code',
    type: 'near',
    category: 'source',
    similarity: 0.9,
    lines: 9,
    passages,
    ...others,
  };
}

/** Returns the number of changes of each type, without zeros. */
function changesBetween(base: Group[], head: Group[]): Record<string, number> {
  const differences = compareReports({ groups: base }, { groups: head });
  return Object.fromEntries(
    Object.entries(differences).flatMap(([sort, list]) => (list.length > 0 ? [[sort, list.length]] : [])),
  );
}

suite('differences between two reports', () => {
  test('groups with the same passages match, whatever their ids', () => {
    assert.deepEqual(changesBetween([group('a:1-9 b:1-9')], [group('a:1-9 b:1-9')]), {});
  });
  test('groups without a counterpart are gained or lost', () => {
    const common = group('a:1-9 b:1-9');
    assert.deepEqual(
      changesBetween([common, group('c:1-9 d:1-9')], [common, group('e:1-9 f:1-9'), group('g:1-9 h:1-9')]),
      {
        gained: 2,
        lost: 1,
      },
    );
  });
  test('a group that shares half of its lines with one of the other report has changed its range', () => {
    assert.deepEqual(changesBetween([group('a:1-9 b:1-9')], [group('a:1-12 b:1-12')]), { range: 1 });
    assert.deepEqual(changesBetween([group('a:1-9 b:1-9')], [group('a:8-20 b:8-20')]), { gained: 1, lost: 1 });
  });
  test('a group with a new range is matched once, with the one that shares the most lines', () => {
    const base = [group('a:1-9 b:1-9')];
    const head = [group('a:1-13 b:1-13'), group('a:1-10 b:1-10')];
    const { range, gained } = compareReports({ groups: base }, { groups: head });
    assert.deepEqual([range.map(({ after }) => after), gained], [[head[1]], [head[0]]]);
  });
  test('files are not matched with passages that span the same lines', () => {
    assert.deepEqual(changesBetween([group('a:1-9 b:1-9', { kind: 'file' })], [group('a:1-9 b:1-9')]), {
      gained: 1,
      lost: 1,
    });
  });
  test('different categories, types, similarities, and places are distinguished', () => {
    const [base] = [group('a:1-9 b:1-9')];
    const same = (others: Partial<Group>): Record<string, number> => changesBetween([base], [{ ...base, ...others }]);
    assert.deepEqual(same({ category: 'tests' }), { category: 1 });
    assert.deepEqual(same({ type: 'exact' }), { category: 1 });
    assert.deepEqual(same({ similarity: 0.8 }), { similarity: 1 });
    assert.deepEqual(same({ parent: 'other' }), { place: 1 });
  });
  test('rows of files and folders and skipped files that only one report has are listed', () => {
    const folders = [{ paths: ['a', 'b'], groups: ['1'] }];
    const base = { groups: [], folders, skipped: [{ path: 'c', reason: 'binary' }] };
    const head = { groups: [], folders: [{ paths: ['a', 'b'], groups: ['1', '2'] }], files: [] };
    assert.deepEqual(compareReports(base, head).around, [
      '- folders a, b (1 rows)',
      '- skipped c: binary',
      '+ folders a, b (2 rows)',
    ]);
    assert.deepEqual(compareReports(base, base).around, []);
  });
  test('reports the fewest moved rows with their positions if two reports differ in order', () => {
    const rows = ['a', 'b', 'c', 'd'].map((name) => group(`${name}:1-9 ${name}2:1-9`));
    const [a, b, c, d] = rows as [Group, Group, Group, Group];
    const { order } = compareReports({ groups: rows }, { groups: [d, a, b, c] });
    assert.deepEqual(
      order.map(({ after, from, to }) => [after, from, to]),
      [[d, 4, 1]],
    );
  });
  test('rows keep their order if others are inserted between them', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((name) => group(`${name}:1-9 ${name}2:1-9`)) as [Group, Group, Group];
    assert.deepEqual(changesBetween([a, c], [a, b, c]), { gained: 1 });
  });
});

suite('ecosystem check', () => {
  let folder = '';
  suiteSetup(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'kindred-ecosystem-'));
  });
  suiteTeardown(() => rmSync(folder, { recursive: true }));

  test('prints added and removed rows of this version, with the lines of both passages', () => {
    const tree = path.join(folder, 'tree');
    mkdirSync(tree);
    const body = Array.from({ length: 12 }, (_, i) => `  const value${i} = compute${i}(input, ${i});`).join('\n');
    for (const name of ['one', 'two']) {
      writeFileSync(path.join(tree, `${name}.ts`), `export function ${name}(input: number) {\n${body}\n}\n`);
    }
    // This version with another option represents another version.
    const base = path.join(folder, 'base.mjs');
    const cli = pathToFileURL(path.resolve('dist/cli.js')).href;
    writeFileSync(base, `process.argv.push('--min-lines', '50');\nawait import(${JSON.stringify(cli)});\n`);
    const markdown = path.join(folder, 'summary.md');
    const output = execFileSync(
      process.execPath,
      ['bench/ecosystem.mjs', '--no-build', '--base', base, '--tree', tree, '--runs', '1', '--markdown', markdown],
      { encoding: 'utf8' },
    );
    const figures = JSON.parse(output.trim().split('\n').at(-1) ?? '') as {
      trees: { changes: Record<string, number>; stable: boolean; userRatio: number }[];
      stageRatios: Record<string, number>;
    };
    assert.equal(figures.trees.length, 1);
    assert.deepEqual([figures.trees[0]?.changes['gained'], figures.trees[0]?.changes['lost']], [1, 0]);
    assert.deepEqual(Object.keys(figures.stageRatios), ['listed', 'read', 'seeded', 'matched', 'grouped', 'written']);
    for (const text of [output, readFileSync(markdown, 'utf8')]) {
      assert.match(text, /\+ source, \w+, \d+%, \d+ lines, 2 passages/);
      for (const name of ['one', 'two']) assert.match(text, new RegExp(`  ${name}\\.ts:\\d+-\\d+\\n    \\| .*`));
      assert.match(text, /\|\s+const value0 = compute0/);
    }
  });

  test('fails if a tree cannot be laid out', () => {
    const file = path.join(folder, 'file');
    writeFileSync(file, '');
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [
        'bench/ecosystem.mjs',
        '--no-build',
        '--base',
        'dist/cli.js',
        '--tree',
        'npm-docs',
        '--cache',
        file,
        '--runs',
        '1',
      ],
      { encoding: 'utf8' },
    );
    assert.equal(status, 1);
    assert.match(stderr, /npm-docs is left out: /);
    assert.match(stdout, /Only 0 of 1 trees could be laid out/);
  });
});
