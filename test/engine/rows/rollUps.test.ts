/** File pairs and folder groups of reports. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Documents, findingsOf } from '../corpusOf.ts';

/** Unique statements, one per line. */
function statements(about: string, count: number): string {
  return Array.from(
    { length: count },
    (_, i) => `export const ${about}${i} = ${about}Of(load${i}, ${i}, 'the ${i} of ${about}');\n`,
  ).join('');
}

/** Returns some lines of an engine file. */
function piece(name: string, from: number, count: number): string {
  const lines = readFileSync(path.resolve('src/core/engine', name), 'utf8').split('\n');
  return `${lines.slice(from, from + count).join('\n')}\n`;
}

suite('file pairs', () => {
  const [first, second] = [piece('rows/folderSizes.ts', 12, 40), piece('documents/lines.ts', 8, 25)];
  const [a, b, c] = ['languages/embedded.ts', 'groups/nesting.ts', 'files/liveFiles.ts'].map((name) =>
    piece(name, 60, 150),
  );
  const documents = { 'a.ts': first + a + second, 'b.ts': first + b + second };

  test('two files with several common rows are a pair, with the share of their lines', () => {
    const { groups, files } = findingsOf(documents);
    assert.equal(groups.length, 2);
    const [pair, ...others] = files;
    assert.deepEqual(others, []);
    assert.deepEqual(
      [pair.paths, pair.groups, pair.worth],
      [['a.ts', 'b.ts'], groups.map(({ id }) => id), groups.reduce((sum, { worth }) => sum + worth, 0)],
    );
    const lines = groups.reduce((sum, group) => sum + group.lines, 0);
    assert.deepEqual(pair.lines, [lines, lines]);
    const all = documents['a.ts'].split('\n').length - 1;
    assert.equal(pair.shares[0], Math.round((1000 * lines) / all) / 1000);
  });

  test('exclude single rows and rows with a third file', () => {
    assert.deepEqual(findingsOf({ ...documents, 'b.ts': first + b }).files, []);
    assert.deepEqual(findingsOf({ ...documents, 'c.ts': c + second }).files, []);
  });
});

suite('folder groups', () => {
  /** Returns a folder with several files, each with unique content. */
  const folder = (name: string, own: string): Documents =>
    Object.fromEntries(
      ['x', 'y', 'deep/z'].map((file) => [
        `${name}/${file}.ts`,
        `${statements(file.replace('/', ''), 30)}${statements(`${own}Of${file.replace('/', '')}`, 3)}`,
      ]),
    );
  const foldersOf = (documents: Documents): unknown[] =>
    findingsOf(documents).folders.map(({ paths, files, alike, passages, groups }) => ({
      paths,
      files,
      alike,
      passages,
      rows: groups.length,
    }));

  test('versions form one group at the level that contains all of them', () => {
    assert.deepEqual(foldersOf({ ...folder('docs/1', 'one'), ...folder('docs/2', 'two') }), [
      { paths: ['docs/1', 'docs/2'], files: [3, 3], alike: [3, 3], passages: 6, rows: 3 },
    ]);
    const [group, ...others] = foldersOf({
      ...folder('docs/1', 'one'),
      ...folder('docs/2', 'two'),
      ...folder('docs/3', 'three'),
    }) as { paths: string[] }[];
    assert.deepEqual([group.paths, others], [['docs/1', 'docs/2', 'docs/3'], []]);
  });

  test('exclude rows that are also elsewhere, and need enough in common', () => {
    const documents = { ...folder('a', 'one'), ...folder('b', 'two'), 'c.ts': statements('x', 30) };
    assert.deepEqual(foldersOf(documents), [{ paths: ['a', 'b'], files: [3, 3], alike: [3, 3], passages: 6, rows: 2 }]);
    const more = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`b/own${i}.ts`, statements(`own${i}`, 60)]));
    assert.deepEqual(foldersOf({ ...documents, ...more }), []);
  });
});
