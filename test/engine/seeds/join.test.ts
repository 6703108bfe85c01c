/** Join of fingerprints by permuted tables, compared with all pairs. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scaled } from '../../../scripts/scaled.mjs';
import { pairBytes } from '../../../src/core/kernel/seeds/nearPairsLayout.ts';
import { joinSteps } from '../../../src/core/engine/seeds/hammingJoin.ts';
import { blockCount, scanJoin } from '../../../src/core/engine/seeds/nearPairs.ts';
import { lastOf } from '../../../src/core/engine/steps.ts';
import { chosenBlocks } from '../../../src/core/methods/permutation.ts';
import { clumpedHashes, hash, randomHashes, flipped } from '../../methods/hashArbitraries.ts';
import { withArrays } from '../kernelArrays.ts';
import { ascending, bruteForceJoin, choose } from '../oracles.ts';

const all = 0xffff_fffe;

interface Join {
  readonly distance: number;
  /** Number of fingerprints that the tables are designed for. */
  readonly designedFor?: number;
  /** Number of blocks, instead of the best one for this number of fingerprints. */
  readonly blocks?: number | undefined;
  readonly maxPartners?: number;
  /** Number of comparisons per step. */
  readonly steps?: number | undefined;
}

interface Joined {
  /** Triples { i, j, bits } in the order in which they are found. */
  readonly pairs: number[][];
  readonly truncated: number;
}

/** Returns the pairs from all tables. The fingerprints ascend. */
function join(fingerprints: readonly bigint[], design: Join): Joined {
  const { distance, designedFor = fingerprints.length, maxPartners = all, steps } = design;
  return withArrays((arrays) => {
    const { kernel, exports } = arrays;
    const input = {
      fingerprints: arrays.putLongs(fingerprints),
      n: fingerprints.length,
      blocks: design.blocks ?? blockCount(designedFor, distance),
      distance,
      pairBytes,
      maxPartners: maxPartners + 1,
    };
    const { address, count } = lastOf(joinSteps(scanJoin(kernel), input, steps))!;
    const truncated = arrays.putWords([0]);
    const [other, counts] = [8 * count, 4 * 65_536].map((size) => kernel.allocate(size));
    const kept = exports.nearestPairs(address, other, count, counts, maxPartners, truncated);
    const pairs = arrays.longs(address, kept).map((pair) => [pair & 0x1fff_ffffn, pair >> 35n, (pair >> 29n) & 63n]);
    return { pairs: pairs.map((pair) => pair.map(Number)), truncated: arrays.words(truncated, 1)[0] };
  });
}

function sorted(pairs: readonly number[][]): number[][] {
  return [...pairs].sort((x, y) => x[0] - y[0] || x[1] - y[1]);
}

function different(fingerprints: readonly bigint[]): bigint[] {
  return [...new Set(fingerprints)].sort(ascending);
}

function check(fingerprints: readonly bigint[], design: Join): void {
  const distinct = different(fingerprints);
  assert.deepEqual(sorted(join(distinct, design).pairs), bruteForceJoin(distinct, design.distance));
}

/** Returns clusters wide enough that pairs lie on both sides of the distance. */
function clustered(distance: number): fc.Arbitrary<bigint[]> {
  const bits = fc.array(fc.integer({ min: 0, max: 63 }), { maxLength: distance + 1 });
  return fc
    .array(fc.tuple(hash, fc.array(bits, { maxLength: 6 })), { maxLength: 4 })
    .map((clusters) =>
      clusters.flatMap(([centre, turns]) => [centre, ...turns.map((places) => flipped(centre, places))]),
    );
}

suite('join: every pair within the distance, once', () => {
  for (let distance = 0; distance <= 16; distance++) {
    test(`distance ${distance}`, () => {
      const design = fc.record({
        distance: fc.constant(distance),
        designedFor: fc.constantFrom(1, 100_000, 10_000_000, 1_000_000_000),
        steps: fc.constantFrom(undefined, 1, 10),
        blocks: fc.constantFrom(undefined, distance, distance + 1, distance + 2),
      });
      fc.assert(
        fc.property(fc.oneof(clustered(distance), clumpedHashes), design, (fingerprints, how) =>
          check(fingerprints, how),
        ),
        { numRuns: scaled(25) },
      );
    });
  }

  test('of 100 random fingerprints with as many neighbors, at the usual distances', () => {
    const centres = randomHashes(100, 7);
    const near = centres.map((centre, i) => flipped(centre, [i % 64, (i * 7) % 64, (i * 29) % 64]));
    for (const distance of [1, 3, 6]) check([...centres, ...near], { distance });
  });

  test('of thousands of fingerprints, in several parts', () => {
    const centres = randomHashes(700, 11);
    const distinct = different([...centres, ...centres.map((centre, i) => flipped(centre, [i % 64, (i * 23) % 64]))]);
    const expected = bruteForceJoin(distinct, 3);
    for (const blocks of [3, 4, 6]) assert.deepEqual(sorted(join(distinct, { distance: 3, blocks }).pairs), expected);
  });

  test('of a crowd with more pairs than there was room for', () => {
    const crowd = Array.from({ length: 600 }, (_, i) => BigInt(i));
    for (const blocks of [10, 12]) check(crowd, { distance: 10, blocks });
  });

  test('has no pairs for zero fingerprints or one', () => {
    check([], { distance: 3 });
    check([5n], { distance: 3 });
  });
});

suite('join: tables', () => {
  test('each compares the bits of a selection of blocks of almost equal width', () => {
    for (let distance = 0; distance <= 16; distance++) {
      for (const n of [1, 100_000, 10_000_000, 1_000_000_000]) {
        const masks = masksOf(n, distance);
        const blocks = blockCount(n, distance);
        assert.equal(new Set(masks).size, masks.length);
        assert.equal(masks.length, choose(blocks, blocks - distance));
        const bits = masks.map((mask) => mask.toString(2).replaceAll('0', '').length);
        const width = (64 * (blocks - distance)) / Math.max(1, blocks);
        assert.ok(bits.every((count) => Math.abs(count - width) <= blocks - distance));
      }
    }
  });

  test('compare all pairs if tables would return half of them', () => {
    assert.deepEqual(masksOf(20_000, 16), [0n]);
  });

  test('more fingerprints require longer keys', () => {
    const keyBits = (n: number): number => masksOf(n, 3)[0].toString(2).replaceAll('0', '').length;
    assert.equal(keyBits(100_000), 16);
    assert.ok(keyBits(1_000_000_000) > 16);
  });
});

suite('join: nearest', () => {
  test('keeps the nearest lower fingerprints, and the lowest of equally near ones', () => {
    const designs = fc.record({
      distance: fc.constant(6),
      maxPartners: fc.integer({ min: 1, max: 5 }),
      blocks: fc.integer({ min: 6, max: 9 }),
      steps: fc.integer({ min: 1, max: 100 }),
    });
    let crowds = 0;
    fc.assert(
      fc.property(clustered(4), designs, (fingerprints, design) => {
        const distinct = different(fingerprints);
        const expected = nearest(distinct, design);
        assert.deepEqual(join(distinct, design), expected);
        crowds += expected.truncated;
      }),
      { numRuns: scaled(200) },
    );
    assert.ok(crowds > scaled(100));
  });

  test('a limit keeps the work for a crowd of near fingerprints linear', () => {
    const crowd = different(Array.from({ length: 1000 }, (_, i) => BigInt(i)));
    const { pairs, truncated } = join(crowd, { distance: 10, maxPartners: 4 });
    assert.equal(pairs.length, 4 * 996 + 6);
    assert.equal(truncated, 995);
  });
});

function masksOf(n: number, distance: number): bigint[] {
  return chosenBlocks(blockCount(n, distance), distance).map(({ mask }) => mask);
}

/** Returns the nearest fingerprints by comparing all pairs. */
function nearest(fingerprints: readonly bigint[], { distance, maxPartners = all }: Join): Joined {
  const found = bruteForceJoin(fingerprints, distance);
  const ofEach = fingerprints.map((_, j) =>
    found.filter((pair) => pair[1] === j).sort((x, y) => x[2] - y[2] || x[0] - y[0]),
  );
  return {
    pairs: ofEach.flatMap((pairs) => pairs.slice(0, maxPartners)),
    truncated: ofEach.filter((pairs) => pairs.length > maxPartners).length,
  };
}
