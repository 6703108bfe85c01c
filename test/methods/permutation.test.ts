import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  blockPermutations,
  blockStarts,
  type Permutation,
  permute,
  tableCount,
  twoLevelPermutations,
  unpermute,
} from '../../src/core/methods/permutation.ts';
import { hash, flipped } from './hashArbitraries.ts';
import { choose, differingBits } from '../engine/oracles.ts';

/** Design of an index: a number of blocks, and a smaller distance. */
const design = fc
  .integer({ min: 1, max: 10 })
  .chain((blocks) => fc.record({ blocks: fc.constant(blocks), distance: fc.integer({ min: 0, max: blocks - 1 }) }));
/** Permutation of any design, including the two-level one. */
const permutation = fc
  .oneof(
    fc.constant(twoLevelPermutations()),
    design.map(({ blocks, distance }) => blockPermutations(blocks, distance)),
  )
  .chain((all) => fc.constantFrom(...all));

/** Permutes the number bit by bit. */
function permuteByDefinition({ order }: Permutation, fingerprint: bigint): bigint {
  return [...order].reduce((permuted, bit) => (permuted << 1n) | ((fingerprint >> BigInt(63 - bit)) & 1n), 0n);
}

suite('permutation', () => {
  test('moves bit order[i] to position i', () => {
    fc.assert(fc.property(permutation, hash, (p, a) => permute(p, a) === permuteByDefinition(p, a)));
  });
  test('contains each bit once', () => {
    fc.assert(fc.property(permutation, ({ order }) => new Set(order).size === 64 && Math.max(...order) === 63));
  });
  test('unpermute reverses permute', () => {
    fc.assert(fc.property(permutation, hash, (p, a) => unpermute(p, permute(p, a)) === a));
  });
  test('permute reverses unpermute', () => {
    fc.assert(fc.property(permutation, hash, (p, a) => permute(p, unpermute(p, a)) === a));
  });
  test('preserves the Hamming distance', () => {
    fc.assert(
      fc.property(
        permutation,
        hash,
        hash,
        (p, a, b) => differingBits(permute(p, a), permute(p, b)) === differingBits(a, b),
      ),
    );
  });
});

suite('permutation: designs', () => {
  test('six blocks are 11, 11, 11, 11, 10, and 10 bits wide', () => {
    const starts = blockStarts(6);
    assert.deepEqual(
      starts.slice(1).map((end, i) => end - starts[i]),
      [11, 11, 11, 11, 10, 10],
    );
  });
  test('six blocks and distance 3 give the 20 choices of three blocks, chosen blocks first', () => {
    const starts = blockStarts(6);
    const names = blockPermutations(6, 3).map(({ order }) =>
      ['A', 'B', 'C', 'D', 'E', 'F']
        .map((name, block) => ({ name, place: order.indexOf(starts[block]) }))
        .sort((x, y) => x.place - y.place)
        .map(({ name }) => name)
        .join(''),
    );
    assert.equal(names.length, 20);
    assert.deepEqual(names.slice(0, 3), ['ABCDEF', 'ABDCEF', 'ABECDF']);
    assert.deepEqual(names.slice(-3), ['CDFABE', 'CEFABD', 'DEFABC']);
  });
  test('a design has C(blocks, blocks − distance) tables with keys of about 64 (blocks − distance) / blocks bits', () => {
    fc.assert(
      fc.property(design, ({ blocks, distance }) => {
        const all = blockPermutations(blocks, distance);
        assert.equal(all.length, choose(blocks, distance));
        assert.equal(tableCount(blocks, distance), all.length);
        const bits = (64 * (blocks - distance)) / blocks;
        for (const { keyBits } of all) assert.ok(Math.abs(keyBits - bits) < blocks, `${keyBits} of ${bits}`);
      }),
    );
  });
  test('numbers within the distance share the key of some permutation', () => {
    fc.assert(
      fc.property(
        design.chain(({ blocks, distance }) =>
          fc.record({
            all: fc.constant(blockPermutations(blocks, distance)),
            bits: fc.uniqueArray(fc.integer({ min: 0, max: 63 }), { maxLength: distance }),
          }),
        ),
        hash,
        ({ all, bits }, a) => agreeOnAKey(all, a, flipped(a, bits)),
      ),
    );
  });
  test('two levels: 16 tables with keys of 28 bits, and no pair within 3 bits is lost', () => {
    const all = twoLevelPermutations();
    assert.deepEqual(
      all.map(({ keyBits }) => keyBits),
      new Array(16).fill(28),
    );
    assert.equal(new Set(all.map(({ order }) => [...order.slice(0, 28)].sort().join())).size, 16);
    for (let i = 0; i < 64; i++) {
      for (let j = i; j < 64; j++) {
        for (let k = j; k < 64; k++) {
          if (!all.some(({ order }) => [i, j, k].every((bit) => order.indexOf(bit) >= 28)))
            assert.fail(`${i} ${j} ${k}`);
        }
      }
    }
  });
  test('rejects invalid designs and names the argument', () => {
    const invalid = [
      [3, 3, /^blocks must be greater than distance/],
      [2, 5, /^blocks must be greater than distance/],
      [65, 3, /^blocks must be a whole number from 1 to 64/],
      [0, 0, /^blocks must be/],
      [4.5, 3, /^blocks must be/],
      [4, -1, /^distance must be/],
      [64, 64, /^distance must be/],
      [64, 32, /^blocks 64 and distance 32 would make/],
    ] as const;
    for (const [blocks, distance, message] of invalid) {
      assert.throws(() => blockPermutations(blocks, distance), { name: 'RangeError', message });
    }
    assert.throws(() => blockPermutations('4' as never, 3), { name: 'TypeError', message: /^blocks must be a number/ });
  });
});

function agreeOnAKey(permutations: readonly Permutation[], a: bigint, b: bigint): boolean {
  return permutations.some((p) => {
    const shift = BigInt(64 - p.keyBits);
    return permute(p, a) >> shift === permute(p, b) >> shift;
  });
}
