/**
 * Online clustering (the leader algorithm: Hartigan 1975, chapter 3): each item goes to the nearest cluster whose centre is
 * within a threshold, and moves that centre; where there is none, it opens a cluster. Items can be taken away again.
 *
 *     ╭ ─ ─ ─ ╮      ╭ ─ ─ ─ ╮
 *       · ×                ·         × centre, · item, radius = threshold in bits
 *     │   ·   │  ·?  │   ×   │
 *       ·                ·           ·? is nearer to the second and within its radius: joins, and × moves
 *     ╰ ─ ─ ─ ╯      ╰ ─ ─ ─ ╯
 *
 * The centre of a cluster is the fingerprint whose every bit is the majority of its members (0 where they are split): the
 * one with the least sum of distances to them. What clusters there are depends on the order in which items came; what a
 * centre is depends on its members alone.
 */
import { fingerprintBits, numDifferingBits } from './bits.ts';
import { checkHash, checkObject, checkWhole } from './checkArgument.ts';
import { FingerprintIndex } from './fingerprintIndex.ts';

export interface LeaderOptions {
  /** How many bits of an item's fingerprint may differ from the centre of a cluster that it joins. 0 to 63. */
  readonly threshold: number;
}

/** A cluster as it is now. */
export interface LeaderCluster<Key> {
  /** 0 for the first cluster that was opened, and so on. Never used again. */
  readonly id: number;
  /** The majority of its members, bit by bit. */
  readonly centre: bigint;
  /** One or more, in the order in which they joined. */
  readonly members: readonly Key[];
}

interface Cluster<Key> {
  readonly id: number;
  centre: bigint;
  /** How many members have a 1 in each bit, the least significant first. */
  readonly ones: Int32Array;
  readonly members: Set<Key>;
}

/**
 * Items are fingerprints under keys (a path, a number); without a key, the fingerprint is its own.
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
  /** The centres, and which clusters have each: two may come to have one centre. */
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

  /** How many items there are. */
  get size(): number {
    return this.#items.size;
  }

  /**
   * Puts an item into the nearest cluster within the threshold (the oldest where several are as near) and updates the
   * centre, or opens a cluster for it. An item that is there under the same key is removed first.
   *
   * Cost: a query and two updates of an index of the centres.
   *
   * @param key  the fingerprint itself unless given
   * @returns    the id of the cluster
   * @throws TypeError, RangeError  when `fingerprint` is no 64-bit number
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
   * Takes an item away and updates the centre of its cluster; a cluster without members is closed. The other members stay
   * where they are.
   *
   * @returns  false when there is no such item
   */
  remove(key: Key): boolean {
    const item = this.#items.get(key);
    if (item === undefined) return false;
    this.#items.delete(key);
    item.cluster.members.delete(key);
    this.#vote(item.cluster, item.fingerprint, -1);
    return true;
  }

  /** The id of the cluster that an item is in; `undefined` when there is no such item. */
  clusterOf(key: Key): number | undefined {
    return this.#items.get(key)?.cluster.id;
  }

  /** All clusters, the oldest first. */
  clusters(): LeaderCluster<Key>[] {
    return [...this.#clusters.values()].map(({ id, centre, members }) => ({ id, centre, members: [...members] }));
  }

  #nearest(fingerprint: bigint): Cluster<Key> | undefined {
    const centres = this.#index.findAll(fingerprint);
    // The nearest come first.
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

  /** Counts a member in (+1) or out (−1), and moves the centre to where it is then. */
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
