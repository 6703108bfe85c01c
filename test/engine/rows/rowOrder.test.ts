/** Order of groups with equal worth. */
import assert from 'node:assert/strict';
import type { Group } from '../../../src/core/engine/report/report.ts';
import { byWorth } from '../../../src/core/engine/rows/rowOrder.ts';

type Place = readonly [path: string, startLine: number, endLine: number, startColumn: number, endColumn: number];

function group(id: string, worth: number, tokens: number, ...places: readonly Place[]): Group {
  const passages = places.map(([path, startLine, endLine, startColumn, endColumn]) => {
    return { path, startLine, endLine, startColumn, endColumn, tokens };
  });
  return { id, kind: 'code', worth, tokens, passages } as unknown as Group;
}

suite('the order of rows', () => {
  test('is by worth, then by size, then by the places of the copies, then by id', () => {
    const [a, b]: Place[] = [
      ['a.ts', 9, 20, 1, 9],
      ['b.ts', 1, 5, 1, 2],
    ];
    const sorted = [
      group('9', 5, 60, b),
      group('8', 4, 90, b),
      group('7', 4, 80, a),
      group('6', 4, 80, a, b),
      group('5', 4, 80, ['a.ts', 10, 15, 1, 9]),
      group('4', 4, 80, ['a.ts', 10, 20, 1, 9]),
      group('3', 4, 80, ['a.ts', 10, 20, 2, 8]),
      group('2', 4, 80, ['a.ts', 10, 20, 2, 9]),
      group('0', 4, 80, b),
      group('1', 4, 80, b),
    ];
    assert.deepEqual([...sorted].reverse().sort(byWorth), sorted);
  });
});
