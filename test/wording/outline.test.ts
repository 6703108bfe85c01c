import assert from 'node:assert/strict';
import type { FilePair, FolderGroup, Group } from '../../src/core/engine/report/report.ts';
import type { Category } from '../../src/core/engine/rows/category.ts';
import {
  bySection,
  foldersIn,
  groupsIn,
  type OutlineRow,
  outlineOf,
  worthOfRow,
} from '../../src/presentation/wording/outline.ts';

function group(id: string, worth: number, category: Category = 'source', parent?: string): Group {
  return {
    id,
    ...(parent === undefined ? {} : { parent }),
    kind: 'code',
    type: 'near',
    similarity: 1,
    lines: 1,
    tokens: 1,
    category,
    worth,
    passages: [],
    pairs: [],
  };
}

function groupIn(id: string, worth: number, ...paths: readonly string[]): Group {
  const place = { startLine: 1, startColumn: 1, endLine: 2, endColumn: 1, tokens: 1 };
  return { ...group(id, worth), passages: paths.map((path) => ({ path, ...place })) };
}

function files(worth: number, ...groups: string[]): FilePair {
  return { paths: ['a', 'b'], groups, lines: [1, 1], shares: [1, 1], category: 'source', worth };
}

function folders(worth: number, ...groups: string[]): FolderGroup {
  return {
    paths: ['a', 'b'],
    files: [1, 1],
    alike: [1, 1],
    lines: [1, 1],
    shares: [1, 1],
    passages: 2,
    groups,
    category: 'source',
    worth,
  };
}

/** Returns a row as text: its name, with its nested rows in brackets. */
function words(row: OutlineRow): string {
  const name = row.type === 'group' ? row.group.id : row.type;
  return row.rows.length === 0 ? name : `${name}(${row.rows.map(words).join(' ')})`;
}

function check(
  duplicates: { groups: readonly Group[]; files?: readonly FilePair[]; folders?: readonly FolderGroup[] },
  ...expected: string[]
): void {
  const outline = outlineOf({ files: [], folders: [], ...duplicates });
  assert.deepEqual(
    outline.map(({ name, rows }) => `${name}: ${rows.map(words).join(' ')}`),
    expected,
  );
  // Nothing is missing, and nothing is shown twice.
  const shown = outline.flatMap(({ rows }) => rows.flatMap((row) => [...groupsIn(row)]));
  assert.deepEqual(new Set(shown), new Set(duplicates.groups));
  assert.equal(shown.length, duplicates.groups.length);
  assert.deepEqual(new Set(bySection(duplicates.groups)), new Set(duplicates.groups));
}

suite('outline of a report', () => {
  test('has no section without findings', () => check({ groups: [] }));

  test('rows of the same two files are separate', () => {
    check(
      {
        groups: [
          groupIn('a', 90, 'x.c', 'y.c'),
          groupIn('b', 80, 'x.c', 'y.c', 'z.c'),
          groupIn('c', 70, 'v.c', 'w.c'),
          groupIn('e', 50, 'y.c', 'y.c'),
          groupIn('f', 30, 'x.c', 'w.c'),
          group('g', 5),
        ],
      },
      'source: a c e b f g',
    );
  });

  test('files with the same role represent their rows, by total worth, except in JSON', () => {
    const groups = [
      groupIn('a', 90, 'x.c', 'y.c'),
      groupIn('b', 80, 'w.c', 'v.c'),
      groupIn('c', 60, 'x.c', 'y.c', 'z.c'),
      { ...groupIn('d', 50, 'x.c', 'y.c'), parent: 'c' },
      groupIn('e', 40, 'y.c', 'x.c', 'z.c'),
      groupIn('f', 40, 'q.c', 'r.c'),
    ];
    check({ groups }, 'source: peers(a c(d) e) b f');
    assert.deepEqual(
      bySection(groups).map(({ id }) => id),
      ['a', 'b', 'f', 'c', 'd', 'e'],
    );
  });

  test('rows are in the sections of their categories, with their nested rows', () => {
    check(
      { groups: [group('a', 9), group('b', 5, 'tests', 'a'), group('c', 4, 'source', 'b'), group('d', 3, 'tests')] },
      'source: a(b(c))',
      'tests: d',
    );
  });

  test('folders are in the order of their categories, then by worth', () => {
    const of = (category: Category, worth: number, id: string): FolderGroup => ({ ...folders(worth, id), category });
    const [section] = outlineOf({
      groups: ['a', 'b', 'c', 'd', 'e'].map((id) => group(id, 90)),
      files: [],
      folders: [
        of('boilerplate', 90, 'a'),
        of('tests', 80, 'd'),
        of('text', 70, 'e'),
        folders(20, 'b'),
        folders(30, 'c'),
      ],
    });
    assert.deepEqual(section.rows.map(worthOfRow), [30, 20, 70, 80, 90]);
  });

  test('a pair of files represents its rows, with their total worth', () => {
    check(
      {
        groups: [group('a', 9), group('b', 5), group('c', 4, 'tests', 'b'), group('d', 4.5)],
        files: [files(9.5, 'b', 'd')],
      },
      'source: files(b(c) d) a',
    );
  });

  test('folders come first, with their pairs of files', () => {
    check(
      {
        groups: [group('a', 9), group('b', 5), group('c', 4), group('d', 3, 'data')],
        files: [files(9, 'b', 'c')],
        folders: [folders(12, 'b', 'c', 'd')],
      },
      'folders: folders(files(b c) d)',
      'source: a',
    );
  });

  test('folders with little or no source and text are in the section of their category', () => {
    const groups = [group('a', 9, 'tests'), group('b', 5, 'data'), group('c', 4), group('d', 3, 'tests')];
    const inTests: FolderGroup = { ...folders(12, 'a', 'b'), category: 'tests' };
    check({ groups, folders: [inTests] }, 'source: c', 'tests: folders(a b) d');
    const outline = outlineOf({ groups, files: [], folders: [inTests, folders(4, 'c')] });
    assert.deepEqual(foldersIn(outline).map(worthOfRow), [4, 12]);
    const mixed: FolderGroup = { ...folders(16, 'a', 'b', 'c'), category: 'tests' };
    check({ groups, folders: [mixed] }, 'tests: folders(a b c) d');
    const balanced: FolderGroup = { ...folders(7, 'c', 'd'), category: 'tests' };
    check({ groups, folders: [balanced] }, 'folders: folders(c d)', 'tests: a', 'data: b');
  });

  test('files are not a pair if some rows are elsewhere', () => {
    check(
      { groups: [group('a', 9), group('b', 5)], files: [files(14, 'a', 'b')], folders: [folders(9, 'a')] },
      'folders: folders(a)',
      'source: b',
    );
  });
});
