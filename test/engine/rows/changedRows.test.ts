/** Rows added and removed between two reports of the same texts. */
import assert from 'node:assert/strict';
import { changedRows } from '../../../src/core/engine/rows/changedRows.ts';
import type { Findings, Group } from '../../../src/core/engine/report/report.ts';
import { findingsOf } from '../corpusOf.ts';

type Place = readonly [path: string, startLine: number, endLine: number];

function group(id: string, places: readonly Place[], more: Partial<Group> = {}): Group {
  const passages = places.map(([path, startLine, endLine]) => ({
    path,
    startLine,
    startColumn: 1,
    endLine,
    endColumn: 2,
    tokens: 60,
  }));
  return {
    id,
    kind: 'code',
    type: 'exact',
    similarity: 1,
    lines: 10,
    tokens: 60,
    category: 'source',
    worth: 1,
    passages,
    pairs: [],
    ...more,
  };
}

const nothing = findingsOf({});

function check(before: readonly Group[], after: readonly Group[], added: string[], removed: string[]): void {
  const of = (groups: readonly Group[]): Findings => ({ ...nothing, groups });
  assert.deepEqual(changedRows(of(before), of(after)), { added, removed });
}

suite('rows of two reports', () => {
  const a: Place = ['a.ts', 1, 20];
  const b: Place = ['b.ts', 1, 20];
  const c: Place = ['c.ts', 1, 20];

  test('are added if no group had two of their copies, and removed if none has them any longer', () => {
    check([group('x', [a, b])], [group('y', [a, c])], ['y'], ['x']);
  });

  test('are unchanged if they only became longer or have more copies', () => {
    check([group('x', [a, b])], [group('y', [['a.ts', 1, 29], ['b.ts', 1, 29], c])], [], []);
  });

  test('are unchanged if half of their lines are the same', () => {
    check([group('x', [a, b])], [group('y', [['a.ts', 12, 40], b])], ['y'], ['x']);
  });

  test('are recognized inside another row, and only rows are reported', () => {
    const inner = group(
      'inner',
      [
        ['a.ts', 3, 9],
        ['b.ts', 3, 9],
      ],
      { parent: 'x' },
    );
    check(
      [group('x', [a, b])],
      [
        group('y', [
          ['a.ts', 3, 9],
          ['b.ts', 3, 9],
        ]),
      ],
      [],
      [],
    );
    check([], [group('x', [a, b]), inner], ['x'], []);
  });

  test('two copies of one passage are one copy', () => {
    check(
      [group('x', [a, c])],
      [
        group('y', [
          ['a.ts', 1, 10],
          ['a.ts', 11, 20],
        ]),
      ],
      ['y'],
      ['x'],
    );
  });

  test('whole files are only compared with whole files', () => {
    check([group('x', [a, b])], [group('y', [a, b], { kind: 'file' })], ['y'], ['x']);
  });
});
