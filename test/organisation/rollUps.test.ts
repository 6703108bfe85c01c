/** Common content of pairs of repositories. */
import assert from 'node:assert/strict';
import type { Group } from '../../src/core/engine/report/report.ts';
import { repositoriesOf, repositoryPairs } from '../../src/organisation/repositories/rollUps.ts';

/** Creates a group of passages. Each place is "repository/file:first-last". */
function group(kind: Group['kind'], worth: number, places: readonly string[], parent?: string): Group {
  return {
    id: places.join(),
    kind,
    type: 'near',
    similarity: 0.9,
    lines: 1,
    tokens: 1,
    category: 'source',
    worth,
    ...(parent !== undefined && { parent }),
    passages: places.map((place) => {
      const [, path, start, end] = /^(.*):(\d+)-(\d+)$/.exec(place)!;
      return { path, startLine: Number(start), endLine: Number(end), startColumn: 1, endColumn: 1, tokens: 1 };
    }),
    pairs: [],
  };
}

suite('repositoryPairs', () => {
  test('counts the files, rows, and lines of two repositories, sorted by worth', () => {
    const groups = [
      group('file', 50, ['a/x.ts:1-9', 'b/x.ts:1-8', 'b/y.ts:1-8']),
      group('code', 20, ['a/x.ts:1-4', 'b/x.ts:1-4'], 'the files'),
      group('code', 30, ['a/x.ts:3-6', 'b/z.ts:1-4']),
      group('code', 90, ['a/w.ts:1-4', 'c/x.ts:11-14']),
      group('code', 99, ['a/v.ts:1-4', 'a/w.ts:1-4']),
    ];
    assert.deepEqual(repositoryPairs({ groups }), [
      { names: ['a', 'c'], rows: 1, worth: 90, files: [0, 0], lines: [4, 4] },
      { names: ['a', 'b'], rows: 2, worth: 80, files: [1, 2], lines: [6, 8] },
    ]);
    assert.deepEqual(repositoriesOf(groups[0]), ['a', 'b']);
  });
});
