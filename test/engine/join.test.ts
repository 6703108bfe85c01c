/** The join of fingerprints by permuted tables, against comparing each with each. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { blockCount, permutedTables, tableMasks } from '../../src/engine/seeds.ts';
import { clumpedHashes, hash, randomHashes, turned } from './hashArbitraries.ts';
import { withArrays } from './kernelArrays.ts';
import { ascending, bruteForceJoin, choose } from './oracles.ts';

const all = 0xffff_ffff;

interface Join {
  readonly distance: number;
  /** How many fingerprints the tables are designed for. */
  readonly designedFor?: number;
  /** Instead of those that are best for so many. */
  readonly blocks?: number | undefined;
  readonly buckets?: number;
  readonly most?: number;
  readonly room?: number;
}

/** The pairs { i, j, bits } that all tables give one after the other, as they come. */
function join(fingerprints: readonly bigint[], design: Join): { pairs: number[][]; count: number; tables: number } {
  const { distance, designedFor = fingerprints.length, buckets = 4, most = all, room = 100_000 } = design;
  return withArrays((arrays) => {
    const tables = permutedTables(design.blocks ?? blockCount(designedFor, distance), distance);
    const n = fingerprints.length;
    const address = arrays.putLongs(fingerprints);
    const starts = arrays.room(4 * (2 ** buckets + 1));
    const places = arrays.room(12 * n);
    const out = arrays.room(12 * room);
    let count = 0;
    for (const { mask, leftOut } of tables) {
      const earlier = arrays.putLongs(leftOut);
      count = arrays.exports.joinTable(
        ...[address, n, distance, mask, earlier, leftOut.length, buckets, starts, places, most, out, room, count],
      );
    }
    return { pairs: arrays.records(out, Math.min(count, room), 3), count, tables: tables.length };
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

/** Clusters so wide that pairs lie on both sides of the distance. */
function clustered(distance: number): fc.Arbitrary<bigint[]> {
  const bits = fc.array(fc.integer({ min: 0, max: 63 }), { maxLength: distance + 1 });
  return fc
    .array(fc.tuple(hash, fc.array(bits, { maxLength: 6 })), { maxLength: 4 })
    .map((clusters) =>
      clusters.flatMap(([centre, turns]) => [centre, ...turns.map((places) => turned(centre, places))]),
    );
}

suite('join: every pair within the distance, once', () => {
  for (let distance = 0; distance <= 16; distance++) {
    test(`distance ${distance}`, () => {
      const design = fc.record({
        distance: fc.constant(distance),
        designedFor: fc.constantFrom(1, 100_000, 10_000_000, 1_000_000_000),
        buckets: fc.integer({ min: 4, max: 8 }),
        blocks: fc.constantFrom(undefined, distance, distance + 1, distance + 2),
      });
      fc.assert(
        fc.property(fc.oneof(clustered(distance), clumpedHashes), design, (fingerprints, how) =>
          check(fingerprints, how),
        ),
        { numRuns: 25 },
      );
    });
  }

  test('of 100 random fingerprints with as many neighbours, at the usual distances', () => {
    const centres = randomHashes(100, 7);
    const near = centres.map((centre, i) => turned(centre, [i % 64, (i * 7) % 64, (i * 29) % 64]));
    for (const distance of [1, 3, 6]) check([...centres, ...near], { distance, buckets: 10 });
  });

  test('of none and of one there is no pair', () => {
    check([], { distance: 3 });
    check([5n], { distance: 3 });
  });
});

suite('join: tables', () => {
  test('each compares the bits of a choice of blocks, all blocks of about one width', () => {
    for (let distance = 0; distance <= 16; distance++) {
      for (const n of [1, 100_000, 10_000_000, 1_000_000_000]) {
        const masks = tableMasks(n, distance);
        const blocks = blockCount(n, distance);
        assert.equal(new Set(masks).size, masks.length);
        assert.equal(masks.length, choose(blocks, blocks - distance));
        const bits = masks.map((mask) => mask.toString(2).replaceAll('0', '').length);
        const width = (64 * (blocks - distance)) / Math.max(1, blocks);
        assert.ok(bits.every((count) => Math.abs(count - width) <= blocks - distance));
      }
    }
  });

  test('where tables would bring half of all pairs together, each is compared with each', () => {
    assert.deepEqual(tableMasks(20_000, 16), [0n]);
  });

  test('more fingerprints get longer keys', () => {
    const keyBits = (n: number): number => tableMasks(n, 3)[0].toString(2).replaceAll('0', '').length;
    assert.equal(keyBits(100_000), 16);
    assert.ok(keyBits(1_000_000_000) > 16);
  });
});

suite('join: limits', () => {
  test('pairs past the room are counted and not written', () => {
    const crowd = different([0n, 1n, 2n, 4n, 8n, 16n]);
    const whole = join(crowd, { distance: 2 });
    const cut = join(crowd, { distance: 2, room: 4 });
    assert.equal(whole.count, 15);
    assert.equal(cut.count, 15);
    assert.deepEqual(cut.pairs, whole.pairs.slice(0, 4));
  });

  test('with a limit there are only right pairs, none twice, and at most so many for each by each table', () => {
    const most = fc.integer({ min: 1, max: 4 });
    fc.assert(
      fc.property(clustered(4), most, (fingerprints, limit) => {
        const distinct = different(fingerprints);
        const { pairs, tables } = join(distinct, { distance: 4, most: limit });
        const right = new Set(bruteForceJoin(distinct, 4).map(String));
        assert.ok(pairs.every((pair) => right.has(String(pair))));
        assert.equal(new Set(pairs.map(String)).size, pairs.length);
        for (let j = 0; j < distinct.length; j++) {
          assert.ok(pairs.filter((pair) => pair[1] === j).length <= limit * tables);
        }
      }),
      { numRuns: 50 },
    );
  });

  test('a limit keeps a crowd of near fingerprints linear', () => {
    const crowd = different(Array.from({ length: 1000 }, (_, i) => BigInt(i)));
    const { count, tables } = join(crowd, { distance: 10, most: 4 });
    assert.ok(count >= 999 && count <= 4 * tables * 1000, `${count} pairs`);
  });
});
