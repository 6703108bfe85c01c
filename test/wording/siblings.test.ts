import assert from 'node:assert/strict';
import { equalsIn, siblingsOf } from '../../src/presentation/wording/siblings.ts';
import type { Group } from '../../src/core/engine/report/report.ts';

suite('siblings', () => {
  const group: Group = {
    id: 'g',
    kind: 'code',
    type: 'near',
    similarity: 0.7,
    lines: 9,
    tokens: 60,
    category: 'source',
    worth: 60,
    passages: ['a', 'b', 'c', 'd'].map((path) => ({
      path,
      startLine: 1,
      startColumn: 1,
      endLine: 9,
      endColumn: 2,
      tokens: 60,
    })),
    pairs: [
      { a: 0, b: 1, similarity: 0.8, distance: 2 },
      { a: 1, b: 2, similarity: 0.7, distance: 3 },
      { a: 1, b: 3, similarity: 0.9, distance: 1 },
    ],
  };
  const check = (place: number, expected: readonly (readonly [path: string, similarity: number])[]): void =>
    assert.deepEqual(
      siblingsOf({ group, place }).map(({ passage, similarity }) => [passage.path, similarity]),
      expected,
    );

  test('have the similarities of their matches, most similar first', () => {
    check(1, [
      ['d', 0.9],
      ['a', 0.8],
      ['c', 0.7],
    ]);
  });

  test('have the type of their pair, and equal ones come first, also through others', () => {
    const pairs: Group['pairs'] = [
      { a: 0, b: 1, similarity: 1, distance: 0 },
      { a: 1, b: 2, similarity: 1, type: 'exact', distance: 0 },
      { a: 2, b: 3, similarity: 1, type: 'exact', distance: 0 },
    ];
    const renamed: Group = { ...group, type: 'renamed', similarity: 0.9, pairs };
    assert.deepEqual(
      siblingsOf({ group: renamed, place: 1 }).map(({ passage: { path }, type }) => `${path} ${type}`),
      ['c exact', 'd exact', 'a renamed'],
    );
    assert.deepEqual(equalsIn(renamed), [0, 1, 1, 1]);
    assert.deepEqual(equalsIn(group), [0, 1, 2, 3]);
  });

  test('without a match have the least similarity of the group', () => {
    check(3, [
      ['b', 0.9],
      ['a', 0.7],
      ['c', 0.7],
    ]);
  });
});
