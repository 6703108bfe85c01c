import assert from 'node:assert/strict';
import fc from 'fast-check';
import { count, number } from '../../src/surfaces/cli/quantities.ts';

suite('quantities', () => {
  test('group digits like Intl', () => {
    const format = new Intl.NumberFormat('en-US');
    fc.assert(fc.property(fc.maxSafeInteger(), (value) => assert.equal(number(value), format.format(value))));
    for (const value of [0, 999, 1_000, 12_034, 100_000, 1_234_567]) assert.equal(number(value), format.format(value));
  });

  test('use the singular for one', () => {
    assert.deepEqual([count(1, 'line'), count(1_000, 'copy', 'copies')], ['1 line', '1,000 copies']);
  });
});
