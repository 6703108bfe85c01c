/**
 * Incremental clusters of near-duplicate files: the result of `clusterFilesSteps`, updated only where documents were
 * added, removed, or changed.
 *
 *   classes      documents that are equal token by token; the first by path represents them
 *   buckets      representatives whose sketches agree in some part; they yield the candidate pairs
 *   components   representatives that such pairs connect; all are clustered again if one of them changes
 *   containment  for each leader, the other leaders that have at least half of its probes
 */
import { likeliest, mayContain, probesOf, SampleList } from './containmentCandidates.ts';
import {
  clusterOf,
  containersSteps,
  contentKey,
  equalTokens,
  type FileCluster,
  insideCluster,
  leaderClustersSteps,
  type RankedDocument,
} from './fileClusters.ts';
import { FileComparer, type KnownOverlaps } from './fileOverlap.ts';
import { type FileSketch, isShort, readSketch } from '../documents/fileSketch.ts';
import type { DocumentIndex } from '../documents/documents.ts';
import type { Blocks, Kernel } from '../kernel.ts';
import { documentsOf, type PairKey, pairKey } from '../seeds/liveSeeds.ts';
import {
  type CandidatePair,
  type CandidateSearch,
  candidateSearchOf,
  compareCandidates,
  tieBucket,
} from './fileCandidates.ts';
import type { Options } from '../options.ts';
import type { Pace } from '../steps.ts';
import { constants } from '../constants.ts';

/** A document that was added, removed, or replaced by another. */
export interface FileChange {
  readonly number: number;
  readonly before: DocumentIndex | undefined;
  readonly after: DocumentIndex | undefined;
}

/** Documents that are equal token by token. */
interface Class {
  readonly content: string;
  /** Numbers of the documents, sorted by rank. The first one represents the class. */
  members: number[];
}

/** The representative of a class, with the data of its sketch that are still needed after the document is removed. */
interface Representative {
  readonly number: number;
  readonly index: DocumentIndex;
  readonly fingerprint: Pick<FileSketch, 'high' | 'low'>;
  readonly buckets: Float64Array;
  readonly probes: readonly number[];
  readonly class: Class;
}

type Fingerprint = Representative['fingerprint'];

const none: readonly number[] = [];

interface Component {
  readonly representatives: readonly Representative[];
  /** The leaders of this component's clusters. Only leaders may contain, or lie inside, documents of other clusters. */
  readonly leaders: readonly Representative[];
  readonly clusters: readonly FileCluster[];
}

/** Clusters that an update has removed and added. */
export interface FileClusterChanges {
  readonly removed: Iterable<FileCluster>;
  readonly added: Iterable<FileCluster>;
}

export class LiveFiles {
  readonly #blocks: Blocks;
  readonly #kernel: Kernel;
  readonly #options: Options;
  readonly #knownOverlaps: KnownOverlaps;
  readonly #rankOf: (document: number) => number;
  readonly #search: CandidateSearch;
  readonly #classes = new Map<string, Class[]>();
  readonly #classOf = new Map<number, Class>();
  readonly #indexes = new Map<number, DocumentIndex>();
  readonly #representatives = new Map<number, Representative>();
  /**
   * Representatives in each bucket. Nearly all buckets contain a single representative, which is stored as a number.
   * Arrays for all buckets would take most of the worker's heap.
   */
  readonly #buckets = new Map<number, number | readonly number[]>();
  /** `#tied`: the number of buckets that link a pair of representatives. `#near`: candidate pairs with nearness. */
  readonly #tied = new Map<PairKey, number>();
  readonly #near = new Map<number, Map<number, number>>();
  readonly #components = new Map<number, Component>();
  /**
   * `#owners`: for each probe, the leaders that have it, stored as a number if there is only one. `#hits`: for each
   * leader, the other leaders whose samples contain at least half of its probes, with the number of these probes.
   */
  readonly #owners = new Map<number, number | Set<number>>();
  readonly #leaders = new Map<number, Representative>();
  readonly #samples = new SampleList();
  readonly #hits = new Map<number, Map<number, number>>();
  readonly #inside = new Map<number, FileCluster>();
  /** Clusters that the current update has removed (`#removed`) and added (`#added`). */
  readonly #removed = new Set<FileCluster>();
  readonly #added = new Set<FileCluster>();

  /** @param rankOf  returns the rank of a document. It may change, but the order of unchanged documents must not */
  constructor(blocks: Blocks, options: Options, knownOverlaps: KnownOverlaps, rankOf: (document: number) => number) {
    this.#blocks = blocks;
    this.#kernel = blocks.kernel;
    this.#options = options;
    this.#knownOverlaps = knownOverlaps;
    this.#rankOf = rankOf;
    this.#search = candidateSearchOf(options.method);
  }

  /**
   * Applies changes, in steps of a few milliseconds. If the generator is ended early, this object must not be used
   * afterwards. Precondition: the memory of the old documents is still valid.
   *
   * @returns the removed and added clusters; members are document numbers
   */
  *updateSteps(changes: readonly FileChange[]): Generator<void, FileClusterChanges> {
    const comparer = new FileComparer(this.#kernel, this.#options, this.#knownOverlaps, this.#blocks);
    this.#removed.clear();
    this.#added.clear();
    try {
      yield* this.#apply(changes, comparer);
      return { removed: [...this.#removed], added: [...this.#added] };
    } finally {
      comparer.drop();
    }
  }

  *#apply(changes: readonly FileChange[], comparer: FileComparer): Generator<void, void> {
    const touched = yield* this.#classify(changes);
    const removedRepresentatives = [...touched].flatMap((number) => this.#representatives.get(number) ?? []);
    const addedRepresentatives: Representative[] = [];
    let place = 0;
    for (const number of touched) {
      const representative = this.#newRepresentative(number);
      if (representative) addedRepresentatives.push(representative);
      if (isEndOfStep(place++)) yield;
    }
    const dirty = new Set<number>(touched);
    yield* this.#moveInBuckets(removedRepresentatives, addedRepresentatives, dirty);
    const { left, entered } = yield* this.#clusterAgain(dirty, comparer);
    yield* this.#findInside(left, entered, comparer);
  }

  #removeInside(owner: number): void {
    const cluster = this.#inside.get(owner);
    if (cluster) this.#removeCluster(cluster);
    this.#inside.delete(owner);
  }

  #removeCluster(cluster: FileCluster): void {
    if (!this.#added.delete(cluster)) this.#removed.add(cluster);
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Classes

  /** Moves changed documents to the classes of their new content. Returns the old and new representatives. */
  *#classify(changes: readonly FileChange[]): Generator<void, Set<number>> {
    const touched = new Set<number>();
    for (const { number } of changes) {
      const own = this.#classOf.get(number);
      if (own === undefined) continue;
      touched.add(own.members[0]);
      this.#classOf.delete(number);
      this.#indexes.delete(number);
      own.members = own.members.filter((member) => member !== number);
      if (own.members.length > 0) touched.add(own.members[0]);
      else {
        const similar = this.#classes.get(own.content)!.filter((other) => other !== own);
        if (similar.length > 0) this.#classes.set(own.content, similar);
        else this.#classes.delete(own.content);
      }
    }
    for (const [place, { number, after }] of changes.entries()) {
      if (isEndOfStep(place)) yield;
      const sketch = after && readSketch(this.#kernel, after);
      if (after === undefined || sketch === undefined) continue;
      const content = contentKey(after, sketch, this.#options);
      const similar = this.#classes.get(content) ?? [];
      let own = similar.find(({ members: [first] }) => equalTokens(this.#kernel, this.#indexes.get(first)!, after));
      if (own === undefined) {
        own = { content, members: [] };
        this.#classes.set(content, [...similar, own]);
      } else touched.add(own.members[0]);
      own.members = [...own.members, number].sort((x, y) => this.#rankOf(x) - this.#rankOf(y));
      touched.add(own.members[0]);
      this.#classOf.set(number, own);
      this.#indexes.set(number, after);
    }
    return touched;
  }

  #newRepresentative(number: number): Representative | undefined {
    const own = this.#classOf.get(number);
    if (own?.members[0] !== number) return undefined;
    const index = this.#indexes.get(number)!;
    const sketch = readSketch(this.#kernel, index)!;
    const { high, low } = sketch;
    const tables = isShort(index, this.#options) ? 0 : this.#search.tables;
    const buckets = Float64Array.from({ length: tables }, (_, table) =>
      bucketKey(table, index.prose, this.#search.digest(sketch, table)),
    );
    return { number, index, fingerprint: { high, low }, buckets, probes: probesOf(this.#kernel, index), class: own };
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Candidate pairs

  *#moveInBuckets(
    removed: readonly Representative[],
    added: readonly Representative[],
    dirty: Set<number>,
  ): Generator<void, void> {
    const before = new Map<number, readonly number[]>();
    const changed = new Map<number, number[]>();
    const change = (key: number): number[] => {
      const earlierChange = changed.get(key);
      if (earlierChange) return earlierChange;
      const bucket = this.#buckets.get(key) ?? none;
      const old = typeof bucket === 'number' ? [bucket] : bucket;
      const list = [...old];
      before.set(key, old);
      changed.set(key, list);
      return list;
    };
    // A changed document stays in most of its buckets. Their ties stay, too, but the nearness of its pairs may change.
    const unchanged = this.#unchangedBuckets(removed, added);
    const movedIn = ({ number, buckets }: Representative): Float64Array =>
      buckets.filter((key) => !unchanged.get(number)?.has(key));
    for (const representative of removed) {
      this.#representatives.delete(representative.number);
      for (const key of movedIn(representative)) {
        const list = change(key);
        list.splice(list.indexOf(representative.number), 1);
      }
    }
    for (const [place, representative] of added.entries()) {
      this.#representatives.set(representative.number, representative);
      for (const key of movedIn(representative)) {
        // Nearly all buckets are new and stay alone, so skip the lists for them.
        if (!changed.has(key) && !this.#buckets.has(key)) this.#buckets.set(key, representative.number);
        else change(key).push(representative.number);
      }
      if (isEndOfStep(place)) yield;
    }
    const removedFingerprints = new Map(
      removed.map((representative) => [representative.number, representative.fingerprint]),
    );
    const now = (number: number): Fingerprint => this.#representatives.get(number)!.fingerprint;
    const past = (number: number): Fingerprint => removedFingerprints.get(number) ?? now(number);
    for (const [key, old] of before) {
      const list = changed.get(key)!;
      if (list.length > 1) list.sort((x, y) => this.#byRank(x, y));
      if (list.length === 0) this.#buckets.delete(key);
      else this.#buckets.set(key, list.length > 1 ? list : list[0]);
      if (old.length > 1) this.#untie(this.#tiesOf(old, past), dirty);
    }
    yield;
    for (const [place, list] of [...changed.values()].entries()) {
      if (isEndOfStep(place)) yield;
      if (list.length > 1) this.#tie(this.#tiesOf(list, now), dirty);
    }
    this.#renewNearness(unchanged, changed, dirty);
  }

  /** For each replaced representative, returns its buckets in which it stays, with the same ties. */
  #unchangedBuckets(
    removed: readonly Representative[],
    added: readonly Representative[],
  ): ReadonlyMap<number, ReadonlySet<number>> {
    const before = new Map(removed.map((representative) => [representative.number, representative]));
    const unchanged = new Map<number, ReadonlySet<number>>();
    for (const { number, buckets, fingerprint } of added) {
      const old = before.get(number);
      if (old === undefined || !this.#search.tiesAlike(old.fingerprint, fingerprint)) continue;
      unchanged.set(number, new Set(buckets.filter((key, table) => key === old.buckets[table])));
    }
    return unchanged;
  }

  /** Computes the nearness of replaced representatives to others again, in buckets that are not among the changed. */
  #renewNearness(
    unchanged: ReadonlyMap<number, ReadonlySet<number>>,
    changed: ReadonlyMap<number, unknown>,
    dirty: Set<number>,
  ): void {
    const now = (number: number): Fingerprint => this.#representatives.get(number)!.fingerprint;
    const pairs = new Set<PairKey>();
    for (const [number, keys] of unchanged) {
      for (const key of keys) {
        const bucket = this.#buckets.get(key);
        if (typeof bucket !== 'object' || changed.has(key)) continue;
        for (const pair of this.#tiesOf(bucket, now)) if (documentsOf(pair).includes(number)) pairs.add(pair);
      }
    }
    for (const pair of pairs) this.#setNearness(pair, this.#nearness(pair), dirty);
  }

  /** Returns a key for each pair of documents that a bucket links. */
  #tiesOf(bucket: readonly number[], fingerprintOf: (number: number) => Fingerprint): Set<PairKey> {
    const ties = new Set<PairKey>();
    const mayTie = (a: number, b: number): boolean => this.#search.mayTie(fingerprintOf(a), fingerprintOf(b));
    tieBucket(bucket, mayTie, (a, b) => ties.add(pairKey(a, b)));
    return ties;
  }

  #untie(ties: ReadonlySet<PairKey>, dirty: Set<number>): void {
    for (const key of ties) {
      const count = this.#tied.get(key)! - 1;
      if (count > 0) this.#tied.set(key, count);
      else {
        this.#tied.delete(key);
        this.#setNearness(key, undefined, dirty);
      }
    }
  }

  #tie(ties: ReadonlySet<PairKey>, dirty: Set<number>): void {
    for (const key of ties) {
      const count = this.#tied.get(key) ?? 0;
      this.#tied.set(key, count + 1);
      if (count === 0) this.#setNearness(key, this.#nearness(key), dirty);
    }
  }

  #nearness(key: PairKey): number | undefined {
    const [x, y] = documentsOf(key).map((number) =>
      readSketch(this.#kernel, this.#representatives.get(number)!.index)!,
    );
    return this.#search.nearness(x, y);
  }

  #setNearness(key: PairKey, nearness: number | undefined, dirty: Set<number>): void {
    const [a, b] = documentsOf(key);
    if (nearness === undefined) {
      if (this.#near.get(a)?.delete(b)) dirty.add(a).add(b);
      this.#near.get(b)?.delete(a);
      return;
    }
    for (const [x, y] of [
      [a, b],
      [b, a],
    ]) {
      const others = this.#near.get(x);
      if (others) others.set(y, nearness);
      else this.#near.set(x, new Map([[y, nearness]]));
    }
    dirty.add(a).add(b);
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Clusters

  /** Clusters the representatives of all changed components again. Returns the previous and the new leaders. */
  *#clusterAgain(
    dirty: ReadonlySet<number>,
    comparer: FileComparer,
  ): Generator<void, { left: Representative[]; entered: Representative[] }> {
    const old = new Set([...dirty].flatMap((number) => this.#components.get(number) ?? []));
    const numbers = new Set(dirty);
    for (const { representatives } of old) for (const { number } of representatives) numbers.add(number);
    for (const number of numbers) this.#components.delete(number);
    for (const { clusters } of old) for (const made of clusters) this.#removeCluster(made);
    const left = [...old].flatMap(({ leaders }) => leaders);
    const entered: Representative[] = [];
    let place = 0;
    for (const number of numbers) {
      if (isEndOfStep(place++)) yield;
      if (this.#components.has(number) || !this.#representatives.has(number)) continue;
      const component = yield* this.#clusterOne(this.#connected(number), comparer);
      for (const { number: own } of component.representatives) this.#components.set(own, component);
      for (const made of component.clusters) this.#added.add(made);
      entered.push(...component.leaders);
    }
    return { left, entered };
  }

  #connected(first: number): Representative[] {
    const found = new Set([first]);
    // This loop adds members to the set over which it iterates.
    for (const number of found) for (const other of this.#near.get(number)?.keys() ?? []) found.add(other);
    return [...found]
      .map((number) => this.#representatives.get(number)!)
      .sort((x, y) => this.#byRank(x.number, y.number));
  }

  *#clusterOne(representatives: readonly Representative[], comparer: FileComparer): Generator<void, Component> {
    const places = new Map(representatives.map(({ number }, place) => [number, place]));
    const pairs: CandidatePair[] = representatives.flatMap(({ number }, a) =>
      [...(this.#near.get(number) ?? [])].flatMap(([other, nearness]) => {
        const b = places.get(other)!;
        return a < b ? [{ a, b, nearness }] : [];
      }),
    );
    pairs.sort(compareCandidates);
    const indexOf = (place: number): DocumentIndex => representatives[place].index;
    const alike = (a: number, b: number): boolean => comparer.areAlike(indexOf(a), indexOf(b));
    const made = yield* leaderClustersSteps(representatives.length, pairs, alike, comparer.pace);
    const classes = representatives.map((representative) => representative.class.members);
    const clusters = made
      .filter((cluster) => cluster.length > 1 || classes[cluster[0]].length > 1)
      .map((cluster) => {
        // Use ranks while creating links, because the first document of a link is the one with the lower rank.
        const ranked = classes.map((members) => members.map(this.#rankOf));
        const numbers = new Map(cluster.flatMap((home) => classes[home].map((n) => [this.#rankOf(n), n])));
        const found = clusterOf(cluster, ranked, (a, b) => comparer.overlap(indexOf(a), indexOf(b)));
        return { ...found, members: found.members.map((rank) => numbers.get(rank)!) };
      });
    const leaders = made
      .map(([leader]) => representatives[leader])
      .filter(({ index }) => !isShort(index, this.#options));
    return { representatives, leaders, clusters };
  }

  #byRank(x: number, y: number): number {
    return this.#rankOf(x) - this.#rankOf(y);
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Containment

  *#findInside(
    left: readonly Representative[],
    entered: readonly Representative[],
    comparer: FileComparer,
  ): Generator<void, void> {
    const before = new Set(left);
    const stays = new Set(entered.filter((leader) => before.has(leader)));
    const removedLeaders = left.filter((leader) => !stays.has(leader));
    const addedLeaders = entered.filter((leader) => !stays.has(leader));
    const changed = new Set<number>();
    for (const leader of removedLeaders)
      this.#eachOwner(leader, (owner) => this.#hits.get(owner)?.delete(leader.number) && changed.add(owner));
    // If a new leader has the number and the probes of a removed leader, the recorded hits of these probes remain
    // valid.
    const probesBefore = new Map(removedLeaders.map((leader) => [leader.number, leader.probes.join()]));
    const sameProbes = new Set(
      addedLeaders
        .filter((leader) => probesBefore.get(leader.number) === leader.probes.join())
        .map(({ number }) => number),
    );
    const renewed = new Set<number>();
    for (const leader of removedLeaders) {
      this.#leaders.delete(leader.number);
      this.#samples.delete(leader.number);
      changed.add(leader.number);
      if (sameProbes.has(leader.number)) continue;
      this.#hits.delete(leader.number);
      this.#setOwner(leader, renewed, (owners) => owners.delete(leader.number));
    }
    for (const leader of addedLeaders) {
      this.#leaders.set(leader.number, leader);
      this.#samples.add(this.#kernel, leader.number, leader.index);
      changed.add(leader.number);
      if (sameProbes.has(leader.number)) continue;
      renewed.add(leader.number);
      this.#setOwner(leader, renewed, (owners) => owners.add(leader.number));
    }
    // If the hits of all leaders are recounted below, skip counting the probes in the samples of new leaders.
    const present = [...renewed].filter((owner) => this.#leaders.has(owner));
    const hasUnchanged = present.length < this.#leaders.size;
    for (const [place, leader] of (hasUnchanged ? addedLeaders : []).entries()) {
      if (isEndOfStep(place)) yield;
      const seen = new Map<number, number>();
      this.#eachOwner(leader, (owner) => seen.set(owner, (seen.get(owner) ?? 0) + 1));
      for (const [owner, hits] of seen) {
        if (!renewed.has(owner) && this.#addHits(owner, leader.number, hits)) changed.add(owner);
      }
    }
    for (const owner of renewed) this.#hits.delete(owner);
    yield* this.#countHitsSteps(present, comparer.pace);
    for (const owner of renewed) changed.add(owner);
    yield;
    const searches: { inner: RankedLeader; candidates: RankedLeader[] }[] = [];
    for (const owner of changed) {
      if (isEndOfStep(searches.length)) yield;
      this.#removeInside(owner);
      if (this.#leaders.has(owner))
        searches.push({ inner: this.#ranked(owner), candidates: this.#candidatesOf(owner) });
    }
    for (const { inner, outer } of yield* containersSteps(searches, comparer)) {
      const overlap = comparer.overlap(inner.index, outer.index);
      const { members, ...rest } = insideCluster(inner.rank, outer.rank, overlap);
      const numbers = members.map((rank) => (rank === inner.rank ? inner.number : outer.number));
      const cluster = { ...rest, members: numbers };
      this.#inside.set(inner.number, cluster);
      this.#added.add(cluster);
    }
  }

  #ranked(number: number): RankedLeader {
    return { number, index: this.#leaders.get(number)!.index, rank: this.#rankOf(number) };
  }

  /** Returns the leaders that may contain the given leader, most likely first. */
  #candidatesOf(number: number): RankedLeader[] {
    const hits = this.#hits.get(number);
    if (hits === undefined) return [];
    const found = Array.from(hits, ([document, count]) => ({ document, hits: count }));
    return likeliest(found, (x, y) => this.#byRank(x, y)).map((candidate) => this.#ranked(candidate));
  }

  /**
   * Adds a leader to the lists of owners of its probes, or removes it from them. If this makes a probe too common, or
   * no longer too common, marks all of the probe's owners for a recount.
   */
  #setOwner(leader: Representative, renewed: Set<number>, change: (owners: Set<number>) => void): void {
    const { commonProbe } = constants.files.containment;
    for (const probe of leader.probes) {
      const before = this.#ownersOf(probe);
      const owners = before instanceof Set ? before : new Set(before);
      const wasCommon = owners.size > commonProbe;
      change(owners);
      if (owners.size > commonProbe !== wasCommon) for (const owner of owners) renewed.add(owner);
      const [first] = owners;
      if (owners.size > 1) this.#owners.set(probe, owners);
      else if (first === undefined) this.#owners.delete(probe);
      else this.#owners.set(probe, first);
    }
  }

  /** Calls back for each other leader that has a probe in this leader's sample, once per probe. */
  #eachOwner(leader: Representative, found: (owner: number) => void): void {
    const probes = new Set<number>();
    for (const hash of readSketch(this.#kernel, leader.index)!.sample) {
      if (!this.#owners.has(hash) || probes.has(hash)) continue;
      probes.add(hash);
      for (const owner of this.#rareOwnersOf(hash)) if (owner !== leader.number) found(owner);
    }
  }

  #ownersOf(probe: number): readonly number[] | Set<number> {
    const owners = this.#owners.get(probe) ?? none;
    return typeof owners === 'number' ? [owners] : owners;
  }

  /** Returns the leaders that have a probe, or nothing if it is too common. */
  #rareOwnersOf(probe: number): Iterable<number> {
    const owners = this.#ownersOf(probe);
    return owners instanceof Set && owners.size > constants.files.containment.commonProbe ? none : owners;
  }

  /** For each of the given leaders, recounts which samples contain its probes. */
  *#countHitsSteps(owners: readonly number[], pace: Pace): Generator<void, void> {
    if (owners.length === 0) return;
    yield* this.#samples.indexSteps(this.#kernel, pace);
    for (let first = 0; first < owners.length; first += ownersAtOnce) {
      if (first > 0) yield;
      this.#countHits(new Set(owners.slice(first, first + ownersAtOnce)));
    }
  }

  #countHits(owners: ReadonlySet<number>): void {
    const probes = [...owners]
      .flatMap((owner) => this.#leaders.get(owner)!.probes)
      .filter((probe) => this.#rareOwnersOf(probe) !== none);
    const distinctProbes = Uint32Array.from(new Set(probes)).sort();
    if (distinctProbes.length === 0) return;
    const found = this.#samples.find(this.#kernel, distinctProbes);
    const fewest = Math.min(...Array.from(owners, (owner) => this.#leaders.get(owner)!.probes.length));
    for (let end = 0; end < found.length;) {
      const [first, number] = [end, found[end]];
      while (found[end] === number) end += 2;
      // Nearly all samples have too few probes, even if a single leader has all of them.
      if (!mayContain((end - first) / 2, fewest)) continue;
      const hits = new Map<number, number>();
      for (let at = first; at < end; at += 2)
        for (const owner of this.#ownersOf(distinctProbes[found[at + 1]]))
          if (owner !== number && owners.has(owner)) hits.set(owner, (hits.get(owner) ?? 0) + 1);
      for (const [owner, count] of hits) this.#addHits(owner, number, count);
    }
  }

  /** If a leader's sample has at least half of the owner's probes, stores their number and returns true. */
  #addHits(owner: number, leader: number, hits: number): boolean {
    if (!mayContain(hits, this.#leaders.get(owner)!.probes.length)) return false;
    const ownerHits = this.#hits.get(owner);
    if (ownerHits) ownerHits.set(leader, hits);
    else this.#hits.set(owner, new Map([[leader, hits]]));
    return true;
  }
}

/** A leader as `containersSteps` expects it. */
interface RankedLeader extends RankedDocument {
  readonly number: number;
}

/** Number of leaders whose probes are searched in one pass over the samples. */
const ownersAtOnce = 1_024;

/** Returns true if a step ends after this index of a long list. */
function isEndOfStep(place: number): boolean {
  return place % 256 === 255;
}

/** Returns the key of a bucket: the number of its band or table, and its digest. Prose has buckets of its own. */
function bucketKey(table: number, prose: boolean, digest: number): number {
  return (2 * table + (prose ? 1 : 0)) * 2 ** 32 + digest;
}
