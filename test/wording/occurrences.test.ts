/** Selection of the copies to show for a file if some lie inside others. */
import assert from 'node:assert/strict';
import { mostWorth, withoutNested } from '../../src/presentation/wording/occurrences.ts';
import type { Copy } from '../../src/session/client/report.ts';
import type { Group, Passage } from '../../src/core/engine/report/report.ts';

function copy(id: string, worth: number, startColumn: number, endColumn: number): Copy {
  const passage: Passage = { path: 'a', startLine: 1, startColumn, endLine: 1, endColumn, tokens: 60 };
  const group: Group = {
    id,
    kind: 'code',
    type: 'exact',
    similarity: 1,
    lines: 1,
    tokens: 60,
    category: 'source',
    worth,
    passages: [passage],
    pairs: [],
  };
  return { group, place: 0, passage };
}

suite('occurrences', () => {
  test('a copy that is not a row is kept only if it overlaps no other copy', () => {
    const copies = [
      copy('first', 5, 1, 40),
      copy('row', 9, 40, 80),
      copy('inside', 4, 50, 60),
      copy('less', 3, 30, 41),
    ];
    const kept = withoutNested(copies, ({ id }) => id === 'row');
    assert.deepEqual(
      kept.map(({ group }) => group.id),
      ['first', 'row'],
    );
  });

  test('a limit keeps the copies that are most worth acting on, in their order', () => {
    const copies = [copy('a', 5, 1, 10), copy('b', 2, 10, 20), copy('c', 9, 20, 30), copy('d', 2, 30, 40)];
    const kept = (count: number): string => mostWorth(copies, count).reduce((ids, { group }) => ids + group.id, '');
    assert.deepEqual([0, 1, 2, 3, 4, 9].map(kept), ['', 'c', 'ac', 'abc', 'abcd', 'abcd']);
  });
});
