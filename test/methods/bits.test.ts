import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  fromWords,
  highWord,
  lowWord,
  mix32,
  numDifferingBits,
  pack,
  popcount32,
  repack,
  sortedDistinct,
  unpack,
} from '../../src/core/methods/bits.ts';
import { clumpedHashes, hash } from './hashArbitraries.ts';
import { ascending, differingBits } from '../engine/oracles.ts';

suite('bits: Hamming distance', () => {
  test('counts the differing bits of the examples', () => {
    assert.equal(numDifferingBits(0n, 0n), 0);
    assert.equal(numDifferingBits(0n, 0xffffffffffffffffn), 64);
    assert.equal(numDifferingBits(0x8000000000000001n, 0n), 2);
    assert.equal(popcount32(-1), 32);
  });
  test('counts the bits that differ', () => {
    fc.assert(fc.property(hash, hash, (a, b) => numDifferingBits(a, b) === differingBits(a, b)));
  });
  test('is a metric', () => {
    fc.assert(
      fc.property(hash, hash, hash, (a, b, c) => {
        assert.equal(numDifferingBits(a, b), numDifferingBits(b, a));
        assert.equal(numDifferingBits(a, b) === 0, a === b);
        assert.ok(numDifferingBits(a, c) <= numDifferingBits(a, b) + numDifferingBits(b, c));
      }),
    );
  });
  test('rejects a value that is not a 64-bit number, and names it', () => {
    assert.throws(() => numDifferingBits(1 as never, 0n), { name: 'TypeError', message: /^a must be a bigint/ });
    assert.throws(() => numDifferingBits(0n, -1n), { name: 'RangeError', message: /^b must be from 0/ });
    assert.throws(() => numDifferingBits(1n << 64n, 0n), { name: 'RangeError', message: /^a must be from 0/ });
  });
});

suite('bits: words', () => {
  test('fromWords reverses highWord and lowWord', () => {
    fc.assert(fc.property(hash, (a) => fromWords(highWord(a), lowWord(a)) === a));
    fc.assert(
      fc.property(fc.array(hash), (hashes) => assert.deepEqual([...repack(unpack(pack(hashes, 'hashes')))], hashes)),
    );
  });
  test('unpacks the words of any iterable', () => {
    const numbers = [0x0123456789abcdefn, 1n];
    for (const iterable of [numbers, new Set(numbers), BigUint64Array.from(numbers), numbers.values()]) {
      const { high, low } = unpack(pack(iterable, 'hashes'));
      assert.deepEqual(
        [[...high], [...low]],
        [
          [0x01234567, 0],
          [0x89abcdef, 1],
        ],
      );
    }
  });
  test('unpacks only the given part of a larger array', () => {
    assert.deepEqual([...unpack(BigUint64Array.of(1n, 2n, 3n).subarray(1, 2)).low], [2]);
  });
  test('rejects a value without 64-bit numbers, and names it', () => {
    for (const [hashes, name] of [
      [undefined, 'TypeError'],
      [7, 'TypeError'],
      ['abc', 'TypeError'],
      [[1n, 2], 'TypeError'],
      [[1n, -2n], 'RangeError'],
      [[1n << 64n], 'RangeError'],
    ] as const) {
      assert.throws(() => pack(hashes as never, 'hashes'), { name, message: /^hashes must / });
    }
  });
  test('mix32 is a permutation in which every input bit affects every output bit', () => {
    const flips = Array.from({ length: 32 }, () => new Array<number>(32).fill(0));
    const words = 2000;
    for (let word = 0; word < words; word++) {
      for (let bit = 0; bit < 32; bit++) {
        const differing = mix32(word * 0x9e3779b1) ^ mix32((word * 0x9e3779b1) ^ (1 << bit));
        for (let out = 0; out < 32; out++) flips[bit][out] += (differing >>> out) & 1;
      }
    }
    // The number of heads in 2,000 tosses of a fair coin is 1,000 with a standard deviation of 22. All 1,024 counts lie
    // within 7 standard deviations.
    for (const count of flips.flat()) assert.ok(Math.abs(count - words / 2) < 160, String(count));
    assert.equal(new Set(Array.from({ length: 100_000 }, (_, word) => mix32(word))).size, 100_000);
  });
});

suite('bits: sortedDistinct', () => {
  const check = (hashes: readonly bigint[]): void => {
    const words = unpack(pack(hashes, 'hashes'));
    const before = repack(words);
    assert.deepEqual([...repack(sortedDistinct(words))], [...new Set(hashes)].sort(ascending));
    assert.deepEqual(repack(words), before, 'the arguments are kept');
  };
  test('sorts none, one, and equal numbers', () => {
    check([]);
    check([5n]);
    check([5n, 5n, 5n]);
  });
  test('sorts any numbers and removes repetitions', () => {
    fc.assert(fc.property(fc.array(hash), check));
    fc.assert(fc.property(clumpedHashes, check));
  });
  test('sorts numbers that differ only in the low word', () => {
    fc.assert(fc.property(fc.array(fc.bigInt({ min: 0n, max: 0xffffffffn })), check));
  });
});
