/** All surfaces show the same numbers for one tree: text, JSON, Markdown, HTML, the tree, and the Status Bar. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Category } from '../../src/core/engine/rows/category.ts';
import { headlineOf } from '../../src/presentation/wording/headline.ts';
import { lineShare } from '../../src/presentation/wording/lineShare.ts';
import { countGroups, countInSection, outlineOf } from '../../src/presentation/wording/outline.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { dataIn } from './formats/pageData.ts';
import { type JsonReport, kindred } from './kindred.ts';

/** Returns a function. Different numbers have different names and forms. */
function body(number: number): string {
  const forms: readonly ((name: string) => string)[] = [
    (name) => `  const ${name} = read(${name}Source, ${number});`,
    (name) => `  if (${name}Limit > ${number}) return ${name}Of(items);`,
    (name) => `  for (const ${name} of items.${name}s) total += ${name}.count * ${number};`,
    (name) => `  total = ${name}(total) ?? { ${name}: [${number}] };`,
    (name) => `  while (!${name}.done) ${name}.next(total);`,
    (name) => `  items.${name} = items.${name}?.filter((it) => it !== ${name}Last);`,
    (name) => `  throw${name}(new Error(total + '${name}'));`,
  ];
  const lines = Array.from({ length: 18 }, (_, n) =>
    forms[(((number * 48_271 + n * 16_807) * (n + 3)) % 65_537) % 7](`n${number}l${n}`),
  );
  return `function f${number}(items) {\n${lines.join('\n')}\n}\n`;
}

/** Two folders that repeat each other, two and three files with common passages, text, and tests. */
const paragraph = Array.from({ length: 12 }, (_, n) => `Sentence ${n} says what harbour ${n * 7} is like.`).join(' ');
const files: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['one', 'two'].flatMap((folder) => [1, 2, 3, 4, 5].map((n) => [`${folder}/${n}.ts`, `${body(n)}// ${folder}\n`])),
  ),
  'src/a.ts': [11, 21, 12, 22, 13].map(body).join('\n'),
  'src/b.ts': [31, 22, 32, 33, 21, 34].map(body).join('\n'),
  'src/mysqlRunner.ts': [6101, 117, 6203, 258, 6307, 349].map(body).join('\n'),
  'src/oracleRunner.ts': [8111, 258, 8219, 349, 8317, 117].map(body).join('\n'),
  'src/sapRunner.ts': [9127, 349, 9221, 117, 9323, 258].map(body).join('\n'),
  'docs/a.md': `${paragraph}\n`,
  'docs/b.md': `First.\n\n${paragraph}\n`,
  'test/a.test.ts': body(41),
  'test/b.test.ts': `let b = 1;\n${body(41)}`,
};

suite('numbers of one tree', () => {
  test('are the same on all surfaces', async () => {
    const folder = makeFolder(files);
    try {
      const formats = 'text=a.txt,json=a.json,html=a.html,markdown=a.md';
      assert.equal((await kindred(['scan', '--all', '--no-renamed', '--format', formats], { cwd: folder })).code, 0);
      const read = (name: string): string => readFileSync(path.join(folder, name), 'utf8');
      const report = JSON.parse(read('a.json')) as JsonReport;
      const { totals, groups } = report;
      const outline = outlineOf(report);
      const shown = outline.map(({ name }) => name);
      assert.ok(['folders', 'source', 'text', 'tests'].every((name) => shown.some((other) => other === name)));
      assert.ok(report.files.length > 0 && report.folders.length > 0);
      assert.ok(outline.some(({ rows }) => rows.some(({ type }) => type === 'peers')));

      const expected = Object.fromEntries(
        Object.keys(totals.categories).map((name) => [
          name,
          groups.filter(({ category, parent }) => category === name && parent === undefined).length,
        ]),
      );
      const same = (numbers: Iterable<readonly [string, number]>, surface: string): void =>
        assert.deepEqual(Object.fromEntries(numbers), expected, surface);
      const named = Object.entries(totals.categories);
      same(
        named.map(([name, { rows }]) => [name, rows]),
        'JSON',
      );
      same(
        outline.flatMap((section) =>
          section.name === 'folders' ? [] : [[section.name, countInSection(section, totals)] as const],
        ),
        'tree',
      );
      const headings = [...read('a.txt').matchAll(/^([A-Z]\w+): (\d+) duplicates?, /gm)];
      same(
        headings.map(([, title, rows]) => [title.toLowerCase(), Number(rows)]),
        'text',
      );
      const page = dataIn(read('a.html'));
      same(
        page.categories.map(({ name, rows }) => [name, rows]),
        'cards',
      );
      same(
        page.sections.flatMap(({ name, count }) => (name === 'folders' ? [] : [[name, count] as const])),
        'tabs',
      );
      const peers = page.sections.flatMap(({ rows }) => rows.flatMap((row) => row.peers ?? []));
      assert.deepEqual(
        peers.map(({ name, groups: count, shared }) => [name, count, shared.length]),
        [['Runner', 3, 3]],
      );
      const lines = [...read('a.md').matchAll(/^\| (\w+) \| [\d,]+ \| [\d,]+ \| ([\d,]+) \|/gm)];
      same(
        lines.map(([, name, rows]) => [name, Number(rows)]),
        'Markdown',
      );
      const { categories, rows, ...counts } = headlineOf(totals);
      const about = (key: Category): number => expected[key];
      assert.equal(
        rows,
        categories.reduce((sum, key) => sum + about(key), 0),
      );
      assert.equal(
        countGroups(outline.flatMap((section) => section.rows)),
        Object.values(expected).reduce((sum, of) => sum + of, 0),
      );
      // The view and the Status Bar show shares in the language of the window.
      for (const name of ['a.txt', 'a.md']) {
        const [, share] = /([\d.]+%) of source and text/.exec(read(name))!;
        assert.equal(share, lineShare(counts, 'en'));
      }
      const shares = named.map(([, of]) => lineShare(of, 'en'));
      const headingShares = [...read('a.txt').matchAll(/^[A-Z]\w+: \d+ duplicates?, ([\d.]+%) of/gm)];
      assert.deepEqual(
        headingShares.map(([, share]) => share),
        shares,
      );
      assert.deepEqual(
        page.categories.map((of) => lineShare(of, 'en')),
        shares,
      );
    } finally {
      removeFolder(folder);
    }
  });
});
