/** Parsing of Git's output with unusual names and lines. */
import assert from 'node:assert/strict';
import { baseLines, baseRange, hasAddedLine, reversed } from '../../src/review/gate/changes.ts';
import { parseHunks, parseRaw } from '../../src/review/gate/parseDiff.ts';

suite('a diff', () => {
  test('has hunks by file, even if lines look like headers', () => {
    const text = [
      ...['diff --git a/a b.ts b/a b.ts', 'index 1..2 100644', '--- a/a b.ts\t', '+++ b/a b.ts\t'],
      ...['@@ -1,2 +1 @@', '--- a/x', '-@@ -1 +1 @@', '\\ No newline at end of file', '+++ b/y'],
      ...['@@ -9,0 +8,2 @@ f()', '+one', '+two'],
      ...[
        'diff --git "a/q\\"\\t.ts" "b/q\\"\\t.ts"',
        '--- "a/q\\"\\t.ts"',
        '+++ "b/q\\"\\t.ts"',
        '@@ -3 +2,0 @@',
        '-gone',
      ],
      ...['diff --git a/p.png b/p.png', 'Binary files a/p.png and b/p.png differ', ''],
    ].join('\n');
    const files = parseHunks(text);
    assert.deepEqual([...files.keys()], ['a b.ts', 'q"\t.ts', 'p.png']);
    assert.deepEqual(files.get('a b.ts')?.hunks, [
      { baseStart: 1, baseCount: 2, start: 1, count: 1, removed: ['-- a/x', '@@ -1 +1 @@'], added: ['++ b/y'] },
      { baseStart: 9, baseCount: 0, start: 8, count: 2, removed: [], added: ['one', 'two'] },
    ]);
    assert.equal(files.get('q"\t.ts')?.hunks[0].count, 0);
    assert.equal(files.get('p.png')?.isBinary, true);
  });

  test('names added, removed, and renamed files, and submodules', () => {
    const [none, some] = ['0'.repeat(40), 'a'.repeat(40)];
    const raw = [
      ...[`:000000 100644 ${none} ${some} A`, 'n.ts', `:100644 000000 ${some} ${none} D`, 'd.ts'],
      ...[`:100644 100644 ${some} ${some} R090`, 'x y.ts', 'é.ts', `:160000 160000 ${some} ${some} M`, 'sub', ''],
    ].join('\0');
    assert.deepEqual(
      parseRaw(raw).map(({ path, basePath, baseObject, isSubmodule }) => [path, basePath, baseObject, isSubmodule]),
      [
        ['n.ts', undefined, undefined, false],
        [undefined, 'd.ts', some, false],
        ['é.ts', 'x y.ts', some, false],
        ['sub', 'sub', undefined, true],
      ],
    );
  });

  test('maps lines to the base and back', () => {
    const hunks = [
      { baseStart: 2, baseCount: 0, start: 3, count: 2, removed: [], added: ['x', 'y'] },
      { baseStart: 5, baseCount: 2, start: 7, count: 1, removed: ['a', 'b'], added: ['c'] },
      { baseStart: 9, baseCount: 1, start: 9, count: 0, removed: ['d'], added: [] },
    ];
    const check = (start: number, end: number, expected: readonly [number, number, number] | undefined): void => {
      const found = baseRange(hunks, { startLine: start, endLine: end });
      assert.deepEqual(found && [found.startLine, found.endLine, found.kept], expected);
    };
    check(1, 2, [1, 2, 2]);
    check(3, 4, undefined);
    check(2, 5, [2, 3, 2]);
    check(7, 7, [5, 6, 0]);
    check(5, 9, [3, 8, 4]);
    check(10, 12, [10, 12, 3]);
    assert.deepEqual(baseLines(hunks, { startLine: 1, endLine: 10 }), [1, 2, 3, 4, 5, 7, 8, 10]);
    const back = baseRange(reversed(hunks), { startLine: 5, endLine: 6 });
    assert.deepEqual(back && [back.startLine, back.endLine], [7, 7]);
    assert.equal(hasAddedLine(hunks, { startLine: 1, endLine: 2 }), false);
    assert.equal(hasAddedLine(hunks, { startLine: 4, endLine: 5 }), true);
  });
});
