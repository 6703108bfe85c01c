/** Block keys of fingerprints. Fingerprints within k bits share a key, and exactly one table reports each pair. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  blockKey,
  type BlockTable,
  blockTables,
  maxIndexDistance,
} from '../../src/organisation/repositories/blockKeys.ts';

const fingerprint = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const bit = fc.integer({ min: 0, max: 63 });

function keyOf(table: BlockTable, value: bigint): number {
  return blockKey(table, Number(value >> 32n), Number(value & 0xffff_ffffn));
}

suite('block keys', () => {
  test('are the bits of their block', () => {
    fc.assert(
      fc.property(fingerprint, fc.integer({ min: 1, max: maxIndexDistance }), (value, distance) => {
        const tables = blockTables(1, distance);
        const joined = tables.reduce((sum, table) => {
          const width = BigInt(table.end - table.start);
          assert.equal(table.mask, ((1n << width) - 1n) << BigInt(64 - table.end));
          return (sum << width) | BigInt(keyOf(table, value));
        }, 0n);
        assert.equal(joined, value);
        assert.equal(tables.length, distance + 1);
      }),
    );
  });

  test('of two fingerprints within k bits match in exactly one first table', () => {
    fc.assert(
      fc.property(
        fc
          .integer({ min: 1, max: maxIndexDistance })
          .chain((distance) => fc.tuple(fc.constant(distance), fingerprint, fc.array(bit, { maxLength: distance }))),
        ([distance, value, bits]) => {
          const other = bits.reduce((all, place) => all ^ (1n << BigInt(place)), value);
          const differing = value ^ other;
          const found = blockTables(0, distance).filter(
            (table) =>
              keyOf(table, value) === keyOf(table, other) && table.earlier.every((mask) => (differing & mask) !== 0n),
          );
          assert.equal(found.length, 1);
        },
      ),
    );
  });

  test('have separate tables for each view, and no tables for distance 0', () => {
    const numbers = ([0, 1, 2] as const).flatMap((view) =>
      blockTables(view, maxIndexDistance).map(({ number }) => number),
    );
    assert.equal(new Set(numbers).size, numbers.length);
    assert.deepEqual(blockTables(0, 0), []);
  });
});
