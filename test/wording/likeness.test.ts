import assert from 'node:assert/strict';
import type { Group } from '../../src/core/engine/report/report.ts';
import { insideOf, wholePercent } from '../../src/presentation/wording/likeness.ts';

suite('percentages', () => {
  test('each hundredth is shown as its exact percentage', () => {
    // 0.29 × 100 is 28.999… in floating point, and so are the products of 0.57 and 0.58.
    for (let percent = 0; percent <= 100; percent++) assert.equal(wholePercent(percent / 100), percent);
  });

  test('other values are rounded down, so that only equality is 100%', () => {
    assert.deepEqual([0.999, 0.9999, 0.289, 0.001].map(wholePercent), [99, 99, 28, 0]);
  });
});

suite('a file inside another', () => {
  const passages = ['a.md', 'b.md'].map((path) => ({
    path,
    startLine: 1,
    startColumn: 1,
    endLine: 9,
    endColumn: 2,
    tokens: 60,
  }));
  const group: Group = {
    id: '0123456789abcdef',
    kind: 'file',
    type: 'near',
    similarity: 0.1,
    lines: 9,
    tokens: 60,
    passages,
    category: 'source',
    worth: 60,
    pairs: [{ a: 0, b: 1, similarity: 0.1, distance: 20, containment: [0.12, 0.96] }],
  };

  test('is the one that the group states, with its share', () => {
    const [a, b] = passages;
    assert.deepEqual(insideOf({ ...group, inside: 0 }), { inner: a, outer: b, share: 0.12 });
    assert.deepEqual(insideOf({ ...group, inside: 1 }), { inner: b, outer: a, share: 0.96 });
  });

  test('is not derived from the share of each in the other', () => {
    assert.equal(insideOf(group), undefined);
  });
});
