/** Named parts of a tree, defined by globs. */
import assert from 'node:assert/strict';
import { partsOf, problemsOfBoundaries } from '../../src/scan/io/boundaries.ts';

suite('boundaries', () => {
  test('assign a path to the first part that contains it', () => {
    const partOf = partsOf({ api: ['packages/api/**', 'api.ts'], all: ['/packages'] });
    assert.deepEqual(['packages/api/a.ts', 'x/api.ts', 'packages/web/b.ts', 'tools/c.ts'].map(partOf), [
      'api',
      'api',
      'all',
      undefined,
    ]);
    assert.equal(partsOf({})('a.ts'), undefined);
  });

  test('report invalid globs with their part', () => {
    assert.deepEqual(problemsOfBoundaries({ api: ['a/**'], web: [] }), []);
    assert.deepEqual(problemsOfBoundaries({ api: ['!a'], web: [' '] }), [
      'boundaries.api: "!a" begins with "!"; list the files of the part only.',
      'boundaries.web: a glob must not be empty.',
    ]);
  });
});
