import assert from 'node:assert/strict';
import fc from 'fast-check';
import { LeaderClusters } from '../../src/library/leaderClusters.ts';
import { clumpedHashes, history } from './hashArbitraries.ts';
import { differingBits } from '../engine/oracles.ts';

/** Reference implementation on lists. It recomputes each center from the members. */
class ReferenceClusters {
  readonly clusters: { id: number; members: Map<string, bigint> }[] = [];
  #next = 0;
  readonly threshold: number;
  constructor(threshold: number) {
    this.threshold = threshold;
  }
  insert(fingerprint: bigint, key: string): number {
    this.remove(key);
    const candidates = this.clusters
      .map((cluster) => ({ cluster, distance: differingBits(majority([...cluster.members.values()]), fingerprint) }))
      .filter(({ distance }) => distance <= this.threshold)
      .sort((a, b) => a.distance - b.distance || a.cluster.id - b.cluster.id);
    let cluster = candidates[0]?.cluster;
    if (cluster === undefined) this.clusters.push((cluster = { id: this.#next++, members: new Map() }));
    cluster.members.set(key, fingerprint);
    return cluster.id;
  }
  remove(key: string): boolean {
    const at = this.clusters.findIndex(({ members }) => members.delete(key));
    if (at >= 0 && this.clusters[at].members.size === 0) this.clusters.splice(at, 1);
    return at >= 0;
  }
}

function majority(members: readonly bigint[]): bigint {
  let centre = 0n;
  for (let bit = 0n; bit < 64n; bit++) {
    if (2 * members.filter((member) => (member >> bit) & 1n).length > members.length) centre |= 1n << bit;
  }
  return centre;
}

suite('leaderClusters', () => {
  test('adds an item within the threshold to a cluster, and creates a cluster for any other item', () => {
    const clusters = new LeaderClusters({ threshold: 3 });
    assert.deepEqual(
      [0b0n, 0b111n, 0xffffn, 0xfffen].map((item) => clusters.insert(item)),
      [0, 0, 1, 1],
    );
    assert.deepEqual(clusters.clusters(), [
      { id: 0, centre: 0n, members: [0n, 0b111n] },
      { id: 1, centre: 0xfffen, members: [0xffffn, 0xfffen] },
    ]);
  });
  test('updates the center after insertions and removals', () => {
    const clusters = new LeaderClusters<string>({ threshold: 3 });
    clusters.insert(0b000n, 'a');
    clusters.insert(0b011n, 'b');
    clusters.insert(0b011n, 'c');
    assert.equal(clusters.clusters()[0].centre, 0b011n);
    clusters.remove('b');
    assert.equal(clusters.clusters()[0].centre, 0n);
    clusters.remove('a');
    assert.equal(clusters.clusters()[0].centre, 0b011n);
  });
  test('prefers the nearest cluster, then the oldest', () => {
    const clusters = new LeaderClusters<string>({ threshold: 3 });
    clusters.insert(0b000000n, 'a');
    clusters.insert(0b111111n, 'b');
    assert.equal(clusters.insert(0b000111n, 'c'), 0);
    clusters.remove('c');
    assert.equal(clusters.insert(0b001111n, 'd'), 1);
  });
  test('replaces the item of an existing key', () => {
    const clusters = new LeaderClusters<string>({ threshold: 3 });
    clusters.insert(0n, 'a.ts');
    assert.equal(clusters.insert(0xffffffffn, 'a.ts'), 1);
    assert.equal(clusters.size, 1);
    assert.deepEqual(clusters.clusters(), [{ id: 1, centre: 0xffffffffn, members: ['a.ts'] }]);
  });
  test('equals the reference implementation after any insertions and removals', () => {
    const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k'];
    fc.assert(
      fc.property(fc.constantFrom(0, 1, 3, 8, 40), clumpedHashes, history(1000), (threshold, hashes, steps) => {
        const pool = [0n, ...hashes];
        const clusters = new LeaderClusters<string>({ threshold });
        const reference = new ReferenceClusters(threshold);
        for (const { place, insert } of steps) {
          const key = keys[place % keys.length];
          if (insert) {
            const fingerprint = pool[place % pool.length];
            assert.equal(clusters.insert(fingerprint, key), reference.insert(fingerprint, key));
          } else assert.equal(clusters.remove(key), reference.remove(key));
        }
        assert.deepEqual(
          clusters.clusters(),
          reference.clusters.map(({ id, members }) => ({
            id,
            centre: majority([...members.values()]),
            members: [...members.keys()],
          })),
        );
        for (const { id, members } of reference.clusters)
          for (const key of members.keys()) assert.equal(clusters.clusterOf(key), id);
        assert.equal(
          clusters.size,
          reference.clusters.reduce((sum, { members }) => sum + members.size, 0),
        );
      }),
    );
  });
  test('has no clusters without items', () => {
    const clusters = new LeaderClusters({ threshold: 3 });
    assert.deepEqual(
      [clusters.clusters(), clusters.remove(1n), clusters.clusterOf(1n), clusters.size],
      [[], false, undefined, 0],
    );
  });
  test('rejects invalid arguments and names them', () => {
    assert.throws(() => new LeaderClusters({ threshold: 64 }), { name: 'RangeError', message: /^threshold must be/ });
    assert.throws(() => new LeaderClusters({ threshold: '3' } as never), {
      name: 'TypeError',
      message: /^threshold must/,
    });
    assert.throws(() => new LeaderClusters({ threshold: 3 }).insert(-1n), {
      name: 'RangeError',
      message: /^fingerprint/,
    });
  });
});
