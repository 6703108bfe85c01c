/** Facts about the copies of a duplicate: whether they are source code, and whether they are new. */
import assert from 'node:assert/strict';
import { isMostlyAdded, isSourcePath } from '../../src/review/check/homeFacts.ts';
import { addedFile, changedFilesIn, removedFile } from '../../src/review/gate/changes.ts';

suite('facts about a copy', () => {
  test('it is new if more than half of its lines were added', () => {
    const hunk = { baseStart: 3, baseCount: 0, removed: [], added: [] };
    const hunks = [
      { ...hunk, start: 4, count: 2 },
      { ...hunk, start: 8, count: 0 },
      { ...hunk, start: 9, count: 3 },
    ];
    const [changed, created, ...others] = changedFilesIn([
      { path: 'a.ts', basePath: 'a.ts', hunks },
      addedFile('b.ts'),
      removedFile('c.ts'),
    ]);
    assert.deepEqual(others, []);
    assert.deepEqual(
      changed.added.map(({ startLine, endLine }) => [startLine, endLine]),
      [
        [4, 5],
        [9, 11],
      ],
    );
    assert.ok(isMostlyAdded(changed.added, { startLine: 4, endLine: 11 }));
    assert.ok(!isMostlyAdded(changed.added, { startLine: 2, endLine: 11 }));
    assert.ok(isMostlyAdded(created.added, { startLine: 1, endLine: 9_999 }));
    assert.ok(!isMostlyAdded([], { startLine: 1, endLine: 1 }));
  });

  test('it is source unless it is a test, an example, vendored, or prose', () => {
    const paths = ['src/a.ts', 'test/a.ts', 'src/a.test.ts', 'examples/a.ts', 'third_party/a.ts'];
    assert.deepEqual(
      paths.filter((path) => isSourcePath(path, false)),
      ['src/a.ts'],
    );
    assert.ok(!isSourcePath('src/a.md', true));
  });
});
