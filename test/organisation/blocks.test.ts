/** Blocks of fingerprints. Fingerprints within k bits agree on one of them. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Block, blocksFor, maxIndexDistance } from '../../src/organisation/repositories/blocks.ts';

const fingerprint = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const bit = fc.integer({ min: 0, max: 63 });

function bitsIn({ start, end }: Block, value: bigint): bigint {
  return BigInt.asUintN(end - start, value >> BigInt(64 - end));
}

suite('blocks', () => {
  test('have all bits of a fingerprint once, and at most 32 of them', () => {
    fc.assert(
      fc.property(fingerprint, fc.integer({ min: 1, max: maxIndexDistance }), (value, distance) => {
        const blocks = blocksFor(distance);
        const joined = blocks.reduce((all, block) => {
          assert.ok(block.end - block.start <= 32);
          return (all << BigInt(block.end - block.start)) | bitsIn(block, value);
        }, 0n);
        assert.equal(joined, value);
        assert.equal(blocks.length, distance + 1);
      }),
    );
  });

  test('of two fingerprints within k bits agree at least once', () => {
    fc.assert(
      fc.property(
        fc
          .integer({ min: 1, max: maxIndexDistance })
          .chain((distance) => fc.tuple(fc.constant(distance), fingerprint, fc.array(bit, { maxLength: distance }))),
        ([distance, value, bits]) => {
          const other = bits.reduce((all, place) => all ^ (1n << BigInt(place)), value);
          assert.ok(blocksFor(distance).some((block) => bitsIn(block, value) === bitsIn(block, other)));
        },
      ),
    );
  });

  test('are none if only equal fingerprints match', () => {
    assert.deepEqual(blocksFor(0), []);
  });
});
