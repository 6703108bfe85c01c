/** Named parts of a tree. */
import assert from 'node:assert/strict';
import { partsOf, problemsOfBoundaries } from '../../src/io/boundaries.ts';

suite('boundaries', () => {
  test('a path is in the first part that has it, or in none', () => {
    const partOf = partsOf({ api: ['packages/api/**', 'api.ts'], all: ['/packages'] });
    assert.deepEqual(['packages/api/a.ts', 'x/api.ts', 'packages/web/b.ts', 'tools/c.ts'].map(partOf), [
      'api',
      'api',
      'all',
      undefined,
    ]);
    assert.equal(partsOf({})('a.ts'), undefined);
  });

  test('globs are in order, each part and all together', () => {
    assert.deepEqual(problemsOfBoundaries({ api: ['a/**'], web: [] }), []);
    assert.deepEqual(problemsOfBoundaries({ api: ['!a'], web: [' '] }), [
      'boundaries.api: "!a" begins with "!"; list the files of the part only.',
      'boundaries.web: a glob must not be empty.',
    ]);
  });
});
