import assert from 'node:assert/strict';
import fc from 'fast-check';
import { commonLength } from '../../src/core/methods/longestCommonSubsequence.ts';
import { commonLengthByTable } from '../engine/oracles.ts';

suite('longestCommonSubsequence', () => {
  const check = (a: readonly number[], b: readonly number[]): void => {
    assert.equal(commonLength(Uint32Array.from(a), Uint32Array.from(b)), commonLengthByTable(a, b));
  };
  test('returns the length of the examples', () => {
    check([], []);
    check([1, 2, 3], []);
    check([1, 2, 3, 4], [2, 9, 4, 1]);
  });
  test('equals the dynamic-programming table, also beyond one word of bits', () => {
    const sequence = fc.array(fc.nat(3), { maxLength: 140 });
    fc.assert(fc.property(sequence, sequence, check));
    fc.assert(fc.property(fc.array(fc.nat(90), { maxLength: 140 }), fc.array(fc.nat(90), { maxLength: 140 }), check));
  });
});
