/** Overlap of passages of one file, by lines and columns, and lines of offsets. */
import assert from 'node:assert/strict';
import { lineAt, overlap, sharedLines } from '../../src/core/collections/textPositions.ts';

type Place = readonly [startLine: number, startColumn: number, endLine: number, endColumn: number];

function check(x: Place, y: Place, lines: number): void {
  const [a, b] = [x, y].map(([startLine, startColumn, endLine, endColumn]) => {
    return { startLine, startColumn, endLine, endColumn };
  });
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const) {
    assert.equal(sharedLines(one, other), lines);
    assert.equal(overlap(one, other), lines > 0);
  }
}

suite('overlap', () => {
  test('counts the lines that two passages share', () => {
    check([1, 1, 9, 2], [5, 1, 20, 2], 5);
    check([1, 1, 9, 2], [3, 7, 4, 8], 2);
    check([1, 1, 9, 2], [10, 1, 20, 2], 0);
  });

  test('is none if one passage ends before the other begins on the same line', () => {
    check([1, 1, 1, 40], [1, 40, 1, 80], 0);
    check([1, 1, 5, 3], [5, 3, 9, 2], 0);
    check([1, 1, 5, 4], [5, 3, 9, 2], 1);
    check([1, 1, 1, 41], [1, 40, 1, 80], 1);
  });
});

suite('the line of an offset', () => {
  test('counts line ends of all three kinds once', () => {
    const text = 'a\nb\r\nc\rd';
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((letter) => lineAt(text, text.indexOf(letter))),
      [1, 2, 3, 4],
    );
  });
});
