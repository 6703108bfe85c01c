import assert from 'node:assert/strict';
import { differingParts } from '../../src/presentation/wording/differingParts.ts';

function check(paths: readonly string[], before: string, parts: readonly string[], after: string): void {
  assert.deepEqual(differingParts(paths), { before, parts, after });
}

suite('differing parts of paths', () => {
  test('omit common folders and names', () => {
    check(['lib/7.4/src', 'lib/7.5/src'], 'lib', ['7.4', '7.5'], 'src');
    check(['a/b.ts', 'a/c/d.ts'], 'a', ['b.ts', 'c/d.ts'], '');
    check(['x/p/q', 'y/z/p/q', 'w/p/q'], '', ['x', 'y/z', 'w'], 'p/q');
  });

  test('keep complete names if only their beginnings are equal', () => check(['v1', 'v10'], '', ['v1', 'v10'], ''));

  test('are never empty', () => {
    check(['b', 'c/b'], '', ['b', 'c/b'], '');
    check(['a/b', 'a/c/b'], 'a', ['b', 'c/b'], '');
    check(['a/a', 'a/a/a'], 'a', ['a', 'a/a'], '');
    check(['a/b'], 'a', ['b'], '');
  });
});
