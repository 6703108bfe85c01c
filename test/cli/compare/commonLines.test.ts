/** Common lines of two versions of a file. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { commonLines } from '../../../src/surfaces/cli/compare/commonLines.ts';

suite('common lines', () => {
  function check(
    a: readonly string[],
    b: readonly string[],
    common: { a: readonly boolean[]; b: readonly boolean[] },
  ): void {
    assert.deepEqual(commonLines(a, b), common);
  }

  test('equal the unchanged lines of a diff, whatever their indentation', () => {
    check(['x', 'y', 'z'], ['  x', 'new', 'z '], { a: [true, false, true], b: [true, false, true] });
    check([], ['x'], { a: [], b: [false] });
    check(['x'], ['x'], { a: [true], b: [true] });
  });

  test('are as many on both sides, and the same lines in the same order', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', ' c', ''), { maxLength: 12 });
    fc.assert(
      fc.property(lines, lines, (a, b) => {
        const common = commonLines(a, b);
        const kept = (of: readonly string[], isCommon: readonly boolean[]): string[] =>
          of.filter((_, i) => isCommon[i]).map((line) => line.trim());
        assert.deepEqual(kept(a, common.a), kept(b, common.b));
        assert.deepEqual([common.a.length, common.b.length], [a.length, b.length]);
      }),
    );
  });
});
