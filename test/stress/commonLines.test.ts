import assert from 'node:assert/strict';
import { commonLines } from '../../src/surfaces/cli/compare/commonLines.ts';

suite('common lines', () => {
  test('are absent if two long texts have almost nothing in common', () => {
    const [a, b] = ['a', 'b'].map((name) => Array.from({ length: 4_000 }, (_, i) => `${name} ${i}`));
    const { a: common } = commonLines([...a, 'same'], [...b, 'same']);
    assert.equal(common.includes(true), false);
  });
});
