/** Folder map: counts, cells, and shared lines of invented files and groups. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { CountedFile } from '../../src/core/engine/report/makeReport.ts';
import type { Group } from '../../src/core/engine/report/report.ts';
import type { Category } from '../../src/core/engine/rows/category.ts';
import { FolderMap, type MappedPassage } from '../../src/presentation/pages/folderMap.ts';
import type { FolderView, MapCell, Scope } from '../../src/presentation/pages/mapMessages.ts';

/** Passages of a group, such as "src/a.ts:1-10". */
type Places = readonly string[];

/** Builds a map from the number of lines of each file. Duplicated lines follow from the groups. */
function mapOf(
  files: Readonly<Record<string, number>>,
  groups: readonly Places[],
  { scope, categoryOf = () => 'source' }: { scope: Scope | undefined; categoryOf?: (path: string) => Category } = {
    scope: 'all',
  },
): FolderMap {
  const passages = new Map<string, MappedPassage[]>();
  for (const places of groups) {
    const parsed = places.map((place) => {
      const [, path, start, end] = /^(.+):(\d+)-(\d+)$/.exec(place)!;
      return { path, startLine: Number(start), endLine: Number(end) };
    });
    const group = { category: categoryOf(parsed[0].path), passages: parsed } as unknown as Group;
    for (const passage of group.passages) {
      passages.set(passage.path, [...(passages.get(passage.path) ?? []), { group, passage }]);
    }
  }
  const linesOf = (path: string): Set<number> => new Set((passages.get(path) ?? []).flatMap(linesOfPassage));
  const counted = Object.entries(files).map(([path, lines]): CountedFile => {
    return { path, lines, duplicatedLines: linesOf(path).size, category: categoryOf(path) };
  });
  const passagesIn = (path: string): readonly MappedPassage[] => passages.get(path) ?? [];
  return new FolderMap(
    { files: counted, passagesIn, groupsIn: (path) => passagesIn(path).map(({ group }) => group) },
    scope,
  );
}

function linesOfPassage({ passage: { startLine, endLine } }: MappedPassage): number[] {
  return Array.from({ length: endLine - startLine + 1 }, (_, n) => startLine + n);
}

/** Formats each row as "name duplicated/total duplicates", such as "src 30/120 2". */
function rowsOf({ rows }: FolderView): string[] {
  return rows.map(
    ({ name, duplicatedLines, lines, duplicates }) => `${name} ${duplicatedLines}/${lines} ${duplicates}`,
  );
}

/** Formats cells, with their inner cells as nested arrays. */
function cellsOf(cells: readonly MapCell[]): unknown[] {
  return cells.map(({ type, name, lines, cells: inner }) => {
    const text = `${type === 'others' ? '…' : name} ${lines}`;
    return inner.length === 0 ? text : [text, ...cellsOf(inner)];
  });
}

const shop = { 'src/a.ts': 100, 'src/b.ts': 50, 'lib/deep/er/c.ts': 40, 'lib/deep/er/d.ts': 10, 'e.ts': 5 };
const copied: readonly Places[] = [
  ['src/a.ts:1-20', 'lib/deep/er/c.ts:11-30'],
  ['src/a.ts:15-30', 'src/b.ts:1-16'],
];

suite('folders of the map', () => {
  test('sum the lines of their files, count each duplicated line once, and count groups with a copy in them', () => {
    const view = mapOf(shop, copied).view('');
    assert.deepEqual(rowsOf(view), ['src 46/150 2', 'lib/deep/er 20/50 1', 'e.ts 0/5 0']);
    const { lines, duplicatedLines, files, duplicates } = view.total;
    assert.deepEqual(
      { lines, duplicatedLines, files, duplicates },
      { lines: 205, duplicatedLines: 66, files: 5, duplicates: 2 },
    );
  });

  test('are nested and sorted by size, with files as cells beside them', () => {
    assert.deepEqual(cellsOf(mapOf(shop, copied).view('').cells), [
      ['src 150', 'a.ts 100', 'b.ts 50'],
      ['lib/deep/er 50', 'c.ts 40', 'd.ts 10'],
      'e.ts 5',
    ]);
  });

  test('open to show their contents', () => {
    const view = mapOf(shop, copied).view('src');
    assert.deepEqual(rowsOf(view), ['a.ts 30/100 2', 'b.ts 16/50 1']);
    assert.deepEqual([view.folder, view.shownFolder, view.total.name], ['src', 'src', 'src']);
  });

  test('are merged with their only subfolder', () => {
    const view = mapOf(shop, copied).view('lib');
    assert.deepEqual([view.folder, view.shownFolder], ['lib', 'lib/deep/er']);
    assert.deepEqual(rowsOf(view), ['c.ts 20/40 1', 'd.ts 0/10 0']);
  });

  test('are replaced by the nearest existing parent if they are removed', () => {
    assert.equal(mapOf(shop, copied).view('src/old/inner').folder, 'src');
    assert.equal(mapOf(shop, copied).view('old').folder, '');
  });

  test('may have names of object properties', () => {
    const view = mapOf({ 'constructor/__proto__/a.ts': 3, '__proto__/b.ts': 2 }, []).view('');
    assert.deepEqual(rowsOf(view), ['constructor/__proto__ 0/3 0', '__proto__ 0/2 0']);
  });

  test('count files and groups of one category only', () => {
    const categoryOf = (path: string): Category => (path.startsWith('docs/') ? 'text' : 'source');
    const files = { 'src/a.ts': 10, 'docs/a.md': 90, 'docs/b.md': 90 };
    const groups = [['docs/a.md:1-9', 'docs/b.md:1-9']];
    const view = mapOf(files, groups, { scope: 'source', categoryOf }).view('');
    assert.deepEqual([view.shownFolder, ...rowsOf(view)], ['src', 'a.ts 0/10 0']);
    assert.equal(view.total.duplicates, 0);
    // Without source, everything is shown.
    const texts = mapOf({ 'docs/a.md': 9 }, [], { scope: 'source', categoryOf }).view('');
    assert.deepEqual([texts.scope, texts.hasSource, texts.total.lines], ['all', false, 9]);
  });

  test('count source files first, unless there is more text', () => {
    const categoryOf = (path: string): Category => (path.endsWith('.md') ? 'text' : 'source');
    const scopeOf = (files: Readonly<Record<string, number>>): Scope =>
      mapOf(files, [], { scope: undefined, categoryOf }).view('').scope;
    assert.equal(scopeOf({ 'a.ts': 10, 'a.md': 9 }), 'source');
    assert.equal(scopeOf({ 'a.ts': 10, 'a.md': 6, 'b.md': 6 }), 'all');
  });

  test('are empty without files', () => {
    const { rows, cells, shared, total } = mapOf({}, []).view('');
    assert.deepEqual(
      { rows, cells, shared, lines: total.lines },
      { rows: [], cells: [], shared: { paths: [], lines: [] }, lines: 0 },
    );
  });

  test('are limited in number: small ones share a cell, and the table reports how many rows it omits', () => {
    const files = Object.fromEntries(
      Array.from({ length: 5000 }, (_, n) => [`f${n % 40}/g${n % 200}/${n}.ts`, 10 + n]),
    );
    const { cells, rows } = mapOf(files, []).view('');
    const count = (of: readonly MapCell[]): number => of.reduce((sum, cell) => sum + 1 + count(cell.cells), 0);
    assert.ok(count(cells) <= 450, `${count(cells)} cells`);
    assert.equal(rows.length, 40);
    const folder = mapOf(Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`${n}.ts`, 10])), []).view('');
    assert.deepEqual([folder.rows.length, folder.rowsLeftOut], [200, 100]);
    assert.equal(folder.cells.at(-1)!.type, 'others');
  });
});

/** Lines of a group in one folder that have a copy in another folder, or elsewhere in the same one. */
function linesShared(group: readonly (readonly [string, number, number])[], of: string, other: string): string[] {
  const isIn = (file: string, folder: string): boolean => file === folder || file.startsWith(`${folder}/`);
  return group.flatMap(([file, start, more], at) => {
    const hasOther = group.some(([another], place) => place !== at && isIn(another, other));
    if (!isIn(file, of) || !hasOther) return [];
    return Array.from({ length: more + 1 }, (_, n) => `${file}:${start + n}`);
  });
}

suite('shared lines', () => {
  test('are the lines of one folder with a copy in the other, each counted once', () => {
    const { paths, lines } = mapOf(shop, copied).view('').shared;
    assert.deepEqual(paths, ['src', 'lib/deep/er']);
    // In src: lines 15 to 30 of a.ts and 1 to 16 of b.ts; in lib: 1 to 20 of a.ts.
    assert.deepEqual(lines, [
      [32, 20],
      [20, 0],
    ]);
  });

  test('equal a count line by line, and the cells inside a cell add up to it', () => {
    const path = fc.constantFrom('a/x.ts', 'a/y.ts', 'a/i/z.ts', 'b/x.ts', 'b/j/y.ts', 'c.ts');
    const place = fc.tuple(path, fc.integer({ min: 1, max: 30 }), fc.integer({ min: 0, max: 9 }));
    const places = fc.array(fc.array(place, { minLength: 2, maxLength: 5 }), { maxLength: 8 });
    const files = Object.fromEntries(
      ['a/x.ts', 'a/y.ts', 'a/i/z.ts', 'b/x.ts', 'b/j/y.ts', 'c.ts'].map((it) => [it, 40]),
    );
    fc.assert(
      fc.property(places, (groups) => {
        const named = groups.map((group) => group.map(([file, start, more]) => `${file}:${start}-${start + more}`));
        const view = mapOf(files, named).view('');
        for (const [x, of] of view.shared.paths.entries()) {
          for (const [y, other] of view.shared.paths.entries()) {
            const lines = groups.flatMap((group) => linesShared(group, of, other));
            assert.equal(view.shared.lines[x][y], new Set(lines).size, `${of} in ${other}`);
          }
        }
        const sums = (cells: readonly MapCell[], lines: number, duplicated: number): void => {
          assert.equal(
            cells.reduce((sum, cell) => sum + cell.lines, 0),
            lines,
          );
          assert.equal(
            cells.reduce((sum, cell) => sum + cell.duplicatedLines, 0),
            duplicated,
          );
          for (const cell of cells) if (cell.cells.length > 0) sums(cell.cells, cell.lines, cell.duplicatedLines);
        };
        sums(view.cells, view.total.lines, view.total.duplicatedLines);
      }),
    );
  });
});
