import assert from 'node:assert/strict';
import type { Group } from '../../src/core/engine/report/report.ts';
import { insideOf, wholePercent } from '../../src/presentation/wording/likeness.ts';
import { lineShare } from '../../src/presentation/wording/lineShare.ts';

suite('percentages', () => {
  test('each hundredth is shown as its exact percentage', () => {
    // 0.29 × 100 is 28.999… in floating point, and so are the products of 0.57 and 0.58.
    for (let percent = 0; percent <= 100; percent++) assert.equal(wholePercent(percent / 100), percent);
  });

  test('other values are rounded down, so that only equality is 100%', () => {
    assert.deepEqual([0.999, 0.9999, 0.289, 0.001].map(wholePercent), [99, 99, 28, 0]);
  });

  test('shares of lines are rounded down, but never to zero, in any language', () => {
    const check = (duplicatedLines: number, lines: number, english: string, german: string): void => {
      const shares = [undefined, 'en', 'de'].map((locale) => lineShare({ duplicatedLines, lines }, locale));
      assert.deepEqual(shares, [english, english, german.replace(' %', '\u00a0%')]);
    };
    check(9, 9, '100%', '100 %');
    check(999_999, 1_000_000, '99.9%', '99,9 %');
    check(2_049, 5_012, '40.8%', '40,8 %');
    check(291, 1_000, '29.1%', '29,1 %');
    check(29, 100, '29%', '29 %');
    check(1, 100, '1%', '1 %');
    check(99_999, 10_000_000, '0.99%', '0,99 %');
    check(29, 10_000, '0.29%', '0,29 %');
    check(1, 10_001, '< 0.01%', '< 0,01 %');
    check(0, 9, '0%', '0 %');
    check(0, 0, '0%', '0 %');
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
