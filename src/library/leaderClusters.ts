/**
 * Online clustering (the leader algorithm: Hartigan 1975, chapter 3). Each item joins the nearest cluster whose center
 * is within a threshold, which may move the center. If there is no such cluster, the item opens a new one. Items can be
 * removed.
 *
 *     ╭ ─ ─ ─ ╮      ╭ ─ ─ ─ ╮
 *       · ×                ·         × centre, · item, radius = threshold in bits
 *     │   ·   │  ·?  │   ×   │
 *       ·                ·           ·? is nearer to the second and within its radius: joins, and × moves
 *     ╰ ─ ─ ─ ╯      ╰ ─ ─ ─ ╯
 *
 * Each bit of a cluster's center is the majority of its members (0 in a tie), so the center has the least sum of
 * distances to them. The set of clusters depends on the order of insertions, but a center depends only on the members.
 */
import { fingerprintBits, numDifferingBits } from '../core/methods/bits.ts';
import { checkHash, checkObject, checkWhole } from '../core/methods/checkArgument.ts';
import { FingerprintIndex } from './fingerprintIndex.ts';

export interface LeaderOptions {
  /** Maximum number of bits in which an item may differ from the center of a cluster that it joins. 0 to 63. */
  readonly threshold: number;
}

/** Snapshot of a cluster. */
export interface LeaderCluster<Key> {
  /** Number of the cluster, in the order in which clusters were opened, from 0. Never reused. */
  readonly id: number;
  /** The center: for each bit, the majority of the members. */
  readonly centre: bigint;
  /** Keys of the members, in the order in which they joined. There is at least one. */
  readonly members: readonly Key[];
}

interface Cluster<Key> {
  readonly id: number;
  centre: bigint;
  /** For each bit, beginning with the least significant one, the number of members in which it is 1. */
  readonly ones: Int32Array;
  readonly members: Set<Key>;
}

/**
 * Clusters of fingerprints, each stored under a key such as a path or a number. The default key is the fingerprint
 * itself.
 *
 * @example
 * ```js
 * const clusters = new LeaderClusters({ threshold: 2 });
 * clusters.insert(0b0000n, 'a'); // 0
 * clusters.insert(0b0001n, 'b'); // 0
 * clusters.insert(0b1111n, 'c'); // 1
 * clusters.clusters().map(({ members }) => members); // [['a', 'b'], ['c']]
 * ```
 */
export class LeaderClusters<Key = bigint> {
  readonly #threshold: number;
  readonly #clusters = new Map<number, Cluster<Key>>();
  readonly #items = new Map<Key, { readonly fingerprint: bigint; readonly cluster: Cluster<Key> }>();
  /** Index of the centers. Clusters may have the same center, so `#atCentre` maps each one to a set of clusters. */
  readonly #index: FingerprintIndex;
  readonly #atCentre = new Map<bigint, Set<Cluster<Key>>>();
  #nextId = 0;

  /** @throws TypeError, RangeError  naming `options` or `threshold` */
  constructor(options: LeaderOptions) {
    checkObject('options', options);
    const { threshold } = options;
    checkWhole('threshold', threshold, 0, fingerprintBits - 1);
    this.#threshold = threshold;
    this.#index = new FingerprintIndex({ blocks: threshold + 1, distance: threshold });
  }

  get size(): number {
    return this.#items.size;
  }

  /**
   * Adds an item to the nearest cluster within the threshold and updates its center. If several clusters are equally
   * near, chooses the oldest. If none is within the threshold, opens a new cluster. If the key is already in use, first
   * removes its old item.
   *
   * Cost: a query and two updates of an index of the centers.
   *
   * @param key  Default: the fingerprint itself.
   * @returns the id of the cluster
   * @throws TypeError, RangeError if `fingerprint` is not a 64-bit number
   */
  insert(fingerprint: bigint, key: Key = fingerprint as Key): number {
    checkHash('fingerprint', fingerprint);
    this.remove(key);
    const cluster = this.#nearest(fingerprint) ?? this.#open();
    cluster.members.add(key);
    this.#items.set(key, { fingerprint, cluster });
    this.#vote(cluster, fingerprint, 1);
    return cluster.id;
  }

  /**
   * Removes an item and updates the center of its cluster. A cluster without members is closed. Other members stay in
   * their clusters.
   *
   * @returns false if there is no such item
   */
  remove(key: Key): boolean {
    const item = this.#items.get(key);
    if (item === undefined) return false;
    this.#items.delete(key);
    item.cluster.members.delete(key);
    this.#vote(item.cluster, item.fingerprint, -1);
    return true;
  }

  /** Returns the id of the cluster of an item, or `undefined` if there is no such item. */
  clusterOf(key: Key): number | undefined {
    return this.#items.get(key)?.cluster.id;
  }

  /** Returns all clusters, oldest first. */
  clusters(): LeaderCluster<Key>[] {
    return [...this.#clusters.values()].map(({ id, centre, members }) => ({ id, centre, members: [...members] }));
  }

  #nearest(fingerprint: bigint): Cluster<Key> | undefined {
    const centres = this.#index.findAll(fingerprint);
    // The results are sorted, nearest center first.
    const distance = centres.length > 0 ? numDifferingBits(centres[0], fingerprint) : this.#threshold;
    let nearest: Cluster<Key> | undefined;
    for (const centre of centres) {
      if (numDifferingBits(centre, fingerprint) > distance) break;
      for (const cluster of this.#atCentre.get(centre) ?? []) {
        if (nearest === undefined || cluster.id < nearest.id) nearest = cluster;
      }
    }
    return nearest;
  }

  #open(): Cluster<Key> {
    const cluster: Cluster<Key> = {
      id: this.#nextId++,
      centre: 0n,
      ones: new Int32Array(fingerprintBits),
      members: new Set(),
    };
    this.#clusters.set(cluster.id, cluster);
    return cluster;
  }

  /** Adds a member's bits to the counts of a cluster, or subtracts them. Updates the center. */
  #vote(cluster: Cluster<Key>, fingerprint: bigint, sign: 1 | -1): void {
    this.#unplace(cluster);
    let centre = 0n;
    for (let bit = 0; bit < fingerprintBits; bit++) {
      if ((fingerprint >> BigInt(bit)) & 1n) cluster.ones[bit] += sign;
      if (2 * cluster.ones[bit] > cluster.members.size) centre |= 1n << BigInt(bit);
    }
    cluster.centre = centre;
    if (cluster.members.size === 0) this.#clusters.delete(cluster.id);
    else this.#place(cluster);
  }

  #place(cluster: Cluster<Key>): void {
    const there = this.#atCentre.get(cluster.centre);
    if (there !== undefined) there.add(cluster);
    else {
      this.#atCentre.set(cluster.centre, new Set([cluster]));
      this.#index.insert(cluster.centre);
    }
  }

  #unplace(cluster: Cluster<Key>): void {
    const there = this.#atCentre.get(cluster.centre);
    if (!there?.delete(cluster) || there.size > 0) return;
    this.#atCentre.delete(cluster.centre);
    this.#index.remove(cluster.centre);
  }
}
