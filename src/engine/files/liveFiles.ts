/**
 * Files that nearly repeat each other, kept up to date: what `clusterFilesSteps` makes of all documents at once, made again only
 * where a document has come, gone or changed.
 *
 *   classes      documents equal token by token; the first by path is the head, and stands for all
 *   buckets      heads whose sketches agree in some part; from them the pairs that may be alike
 *   components   heads connected by such pairs: they are gathered again when one of them changes
 *   containers   for each leader those that have half of its probes
 */
import { leastOf, SampleList } from './containers.ts';
import {
  clusterOf,
  contentKey,
  equalTokens,
  type FileCluster,
  gather,
  insideCluster,
  isLarger,
} from './fileClusters.ts';
import { FileComparer, type KnownOverlaps } from './fileOverlap.ts';
import { readSketch } from '../documents/fileSketch.ts';
import type { DocumentIndex } from '../documents/documents.ts';
import type { Kernel } from '../kernel.ts';
import { documentsOf, type PairKey, pairKey } from '../seeds/liveSeeds.ts';
import { type Nominator, type Nominee, nominatorOf } from './liveNominator.ts';
import type { Nomination } from './nominateFiles.ts';
import type { Options } from '../options.ts';
import { tuning } from '../tuning.ts';

/** A document that takes the place of another, or of none, or goes. */
export interface FileChange {
  readonly number: number;
  readonly before: DocumentIndex | undefined;
  readonly after: DocumentIndex | undefined;
}

/** Documents equal token by token. */
interface Class {
  readonly content: string;
  /** By rank; the first is the head. */
  members: number[];
}

/** The head of a class, and what was made of its sketch. */
interface Head {
  readonly number: number;
  readonly index: DocumentIndex;
  readonly nominee: Nominee;
  readonly probes: readonly number[];
  readonly class: Class;
}

interface Component {
  readonly heads: readonly Head[];
  readonly gatherings: readonly (readonly Head[])[];
  readonly clusters: readonly FileCluster[];
}

export class LiveFiles {
  readonly #kernel: Kernel;
  readonly #options: Options;
  readonly #known: KnownOverlaps;
  readonly #rankOf: (document: number) => number;
  readonly #nominator: Nominator;
  readonly #classes = new Map<string, Class[]>();
  readonly #classOf = new Map<number, Class>();
  readonly #indexes = new Map<number, DocumentIndex>();
  readonly #heads = new Map<number, Head>();
  readonly #buckets = new Map<number, number[]>();
  /** In how many buckets a pair of heads is tied, and how near those are that may be alike. */
  readonly #tied = new Map<PairKey, number>();
  readonly #near = new Map<number, Map<number, number>>();
  readonly #components = new Map<number, Component>();
  readonly #clusters = new Set<FileCluster>();
  /** Leaders by probe, and for each leader the leaders that have half of its probes, and how many. */
  readonly #owners = new Map<number, Set<number>>();
  readonly #leaders = new Map<number, Head>();
  readonly #samples = new SampleList();
  readonly #hits = new Map<number, Map<number, number>>();
  readonly #inside = new Map<number, FileCluster>();

  /** @param rankOf  the documents' order; it may change, but not of two documents that stay */
  constructor(kernel: Kernel, options: Options, known: KnownOverlaps, rankOf: (document: number) => number) {
    this.#kernel = kernel;
    this.#options = options;
    this.#known = known;
    this.#rankOf = rankOf;
    this.#nominator = nominatorOf(options.method);
  }

  /**
   * Takes changes in, in steps of some milliseconds; when they are ended early, it is of no more use. The memory of the
   * documents before has to be there still.
   */
  *updateSteps(changes: readonly FileChange[]): Generator<void, void> {
    const comparer = new FileComparer(this.#kernel, this.#options, this.#known, 'blocks');
    try {
      yield* this.#takeIn(changes, comparer);
    } finally {
      comparer.drop();
    }
  }

  *#takeIn(changes: readonly FileChange[], comparer: FileComparer): Generator<void, void> {
    const touched = yield* this.#classify(changes);
    const gone = [...touched].flatMap((number) => this.#heads.get(number) ?? []);
    const come: Head[] = [];
    let place = 0;
    for (const number of touched) {
      const head = this.#newHead(number);
      if (head) come.push(head);
      if (isEndOfStep(place++)) yield;
    }
    const dirty = new Set<number>(touched);
    yield* this.#moveInBuckets(gone, come, dirty);
    const { left, entered } = yield* this.#gatherAgain(dirty, comparer);
    yield* this.#findInside(left, entered, comparer);
  }

  /** The clusters, their members by number. Those that stay as they were are the same objects as before. */
  clusters(): FileCluster[] {
    return [...this.#clusters, ...this.#inside.values()];
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Classes

  /** Puts documents into their classes; returns the numbers that were or are heads of classes that changed. */
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
      const content = contentKey(after, sketch);
      const similar = this.#classes.get(content) ?? [];
      let own = similar.find(({ members: [head] }) => equalTokens(this.#kernel, this.#indexes.get(head)!, after));
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

  #newHead(number: number): Head | undefined {
    const own = this.#classOf.get(number);
    if (own?.members[0] !== number) return undefined;
    const index = this.#indexes.get(number)!;
    const sketch = readSketch(this.#kernel, index)!;
    const probes = leastOf(sketch.sample, tuning.files.containment.probes);
    return { number, index, nominee: this.#nominator.read(sketch), probes, class: own };
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Pairs that may be alike

  *#moveInBuckets(gone: readonly Head[], come: readonly Head[], dirty: Set<number>): Generator<void, void> {
    const before = new Map<number, readonly number[]>();
    const change = (key: number): number[] => {
      const list = this.#buckets.get(key) ?? [];
      if (before.has(key)) return list;
      before.set(key, list);
      const copy = [...list];
      this.#buckets.set(key, copy);
      return copy;
    };
    for (const head of gone) {
      this.#heads.delete(head.number);
      for (const key of bucketKeys(head)) {
        const list = change(key);
        list.splice(list.indexOf(head.number), 1);
      }
    }
    for (const [place, head] of come.entries()) {
      this.#heads.set(head.number, head);
      for (const key of bucketKeys(head)) change(key).push(head.number);
      if (isEndOfStep(place)) yield;
    }
    const nominee = (number: number): Nominee => this.#heads.get(number)!.nominee;
    const nomineesGone = new Map(gone.map((head) => [head.number, head.nominee]));
    const nomineeBefore = (number: number): Nominee => nomineesGone.get(number) ?? nominee(number);
    for (const [key, old] of before) {
      const list = this.#buckets.get(key)!;
      if (list.length > 1) list.sort((x, y) => this.#byRank(x, y));
      if (list.length === 0) this.#buckets.delete(key);
      if (old.length > 1) this.#untie(this.#nominator.ties(old, nomineeBefore), dirty);
    }
    yield;
    for (const [place, key] of [...before.keys()].entries()) {
      if (isEndOfStep(place)) yield;
      const list = this.#buckets.get(key);
      if (list && list.length > 1) this.#tie(this.#nominator.ties(list, nominee), dirty);
    }
  }

  #untie(ties: readonly [number, number][], dirty: Set<number>): void {
    for (const key of keysOf(ties)) {
      const count = this.#tied.get(key)! - 1;
      if (count > 0) this.#tied.set(key, count);
      else {
        this.#tied.delete(key);
        this.#setNearness(key, undefined, dirty);
      }
    }
  }

  #tie(ties: readonly [number, number][], dirty: Set<number>): void {
    for (const key of keysOf(ties)) {
      const count = this.#tied.get(key) ?? 0;
      this.#tied.set(key, count + 1);
      if (count === 0) this.#setNearness(key, this.#nearness(key), dirty);
    }
  }

  #nearness(key: PairKey): number | undefined {
    const [x, y] = documentsOf(key).map((number) => readSketch(this.#kernel, this.#heads.get(number)!.index)!);
    return this.#nominator.nearness(x, y);
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
  // Gatherings

  /** Gathers the heads of all components that have changed; the leaders that were in them, and those that are. */
  *#gatherAgain(
    dirty: ReadonlySet<number>,
    comparer: FileComparer,
  ): Generator<void, { left: Head[]; entered: Head[] }> {
    const old = new Set([...dirty].flatMap((number) => this.#components.get(number) ?? []));
    const numbers = new Set(dirty);
    for (const { heads } of old) for (const { number } of heads) numbers.add(number);
    for (const number of numbers) this.#components.delete(number);
    for (const made of [...old].flatMap(({ clusters }) => clusters)) this.#clusters.delete(made);
    const left = [...old].flatMap(({ gatherings }) => gatherings.map(([leader]) => leader));
    const entered: Head[] = [];
    let place = 0;
    for (const number of numbers) {
      if (isEndOfStep(place++)) yield;
      if (this.#components.has(number) || !this.#heads.has(number)) continue;
      const component = yield* this.#gatherOne(this.#connected(number), comparer);
      for (const head of component.heads) this.#components.set(head.number, component);
      for (const made of component.clusters) this.#clusters.add(made);
      entered.push(...component.gatherings.map(([leader]) => leader));
    }
    return { left, entered };
  }

  #connected(first: number): Head[] {
    const found = new Set([first]);
    // Grows while it is walked through.
    for (const number of found) for (const other of this.#near.get(number)?.keys() ?? []) found.add(other);
    return [...found].map((number) => this.#heads.get(number)!).sort((x, y) => this.#byRank(x.number, y.number));
  }

  *#gatherOne(heads: readonly Head[], comparer: FileComparer): Generator<void, Component> {
    const places = new Map(heads.map(({ number }, place) => [number, place]));
    const nominations: Nomination[] = heads.flatMap(({ number }, a) =>
      [...(this.#near.get(number) ?? [])].flatMap(([other, nearness]) => {
        const b = places.get(other)!;
        return a < b ? [{ a, b, nearness }] : [];
      }),
    );
    nominations.sort((x, y) => y.nearness - x.nearness || x.a - y.a || x.b - y.b);
    const alike = (a: number, b: number): boolean => comparer.areAlike(heads[a].index, heads[b].index);
    const gatherings = yield* gather(heads.length, nominations, alike, comparer.pace);
    const classes = heads.map((head) => head.class.members);
    const clusters = gatherings
      .filter((gathering) => gathering.length > 1 || classes[gathering[0]].length > 1)
      .map((gathering) => {
        // By rank while links are made, which depend on the order.
        const ranked = classes.map((members) => members.map(this.#rankOf));
        const numbers = new Map(gathering.flatMap((head) => classes[head].map((n) => [this.#rankOf(n), n])));
        const made = clusterOf(gathering, ranked, (a, b) => comparer.overlap(heads[a].index, heads[b].index));
        return { ...made, members: made.members.map((rank) => numbers.get(rank)!) };
      });
    return { heads, gatherings: gatherings.map((list) => list.map((place) => heads[place])), clusters };
  }

  #byRank(x: number, y: number): number {
    return this.#rankOf(x) - this.#rankOf(y);
  }

  // -------------------------------------------------------------------------------------------------------------------
  // One inside another

  *#findInside(left: readonly Head[], entered: readonly Head[], comparer: FileComparer): Generator<void, void> {
    const before = new Set(left);
    const stays = new Set(entered.filter((head) => before.has(head)));
    const gone = left.filter((head) => !stays.has(head));
    const come = entered.filter((head) => !stays.has(head));
    const changed = new Set<number>();
    for (const head of gone)
      this.#eachOwner(head, (owner) => this.#hits.get(owner)?.delete(head.number) && changed.add(owner));
    // Of leaders whose probes are what they were, others have as many as before.
    const probesBefore = new Map(gone.map((head) => [head.number, head.probes.join()]));
    const sameProbes = new Set(
      come.filter((head) => probesBefore.get(head.number) === head.probes.join()).map(({ number }) => number),
    );
    const renewed = new Set<number>();
    for (const head of gone) {
      this.#leaders.delete(head.number);
      this.#samples.delete(head.number);
      changed.add(head.number);
      if (sameProbes.has(head.number)) continue;
      this.#hits.delete(head.number);
      this.#setOwner(head, renewed, (owners) => owners.delete(head.number));
    }
    for (const head of come) {
      this.#leaders.set(head.number, head);
      this.#samples.add(head.number, head.index);
      changed.add(head.number);
      if (sameProbes.has(head.number)) continue;
      renewed.add(head.number);
      this.#setOwner(head, renewed, (owners) => owners.add(head.number));
    }
    // Where all are counted anew, nobody is told of those that come.
    const isTold = [...this.#leaders.keys()].some((number) => !renewed.has(number));
    for (const [place, head] of (isTold ? come : []).entries()) {
      if (isEndOfStep(place)) yield;
      const seen = new Map<number, number>();
      this.#eachOwner(head, (owner) => seen.set(owner, (seen.get(owner) ?? 0) + 1));
      for (const [owner, hits] of seen) {
        if (!renewed.has(owner) && this.#addHits(owner, head.number, hits)) changed.add(owner);
      }
    }
    for (const owner of renewed) this.#hits.delete(owner);
    const present = [...renewed].filter((owner) => this.#leaders.has(owner));
    for (let first = 0; first < present.length; first += ownersAtOnce) {
      if (first > 0) yield;
      this.#countHits(new Set(present.slice(first, first + ownersAtOnce)));
    }
    for (const owner of renewed) changed.add(owner);
    yield;
    for (const owner of changed) {
      if (comparer.pace.isDue(4)) yield;
      const found = this.#containerOf(owner, comparer);
      if (found) this.#inside.set(owner, found);
      else this.#inside.delete(owner);
    }
  }

  /** Adds a leader to the owners of its probes or takes it out; all owners of a probe that is common now, or no more, are renewed. */
  #setOwner(head: Head, renewed: Set<number>, change: (owners: Set<number>) => void): void {
    const { commonProbe } = tuning.files.containment;
    for (const probe of head.probes) {
      const owners = this.#owners.get(probe) ?? new Set();
      const wasCommon = owners.size > commonProbe;
      change(owners);
      if (owners.size > commonProbe !== wasCommon) for (const owner of owners) renewed.add(owner);
      if (owners.size > 0) this.#owners.set(probe, owners);
      else this.#owners.delete(probe);
    }
  }

  /** Calls for each leader but the head itself that has a probe in the head's sample, once for each such probe. */
  #eachOwner(head: Head, found: (owner: number) => void): void {
    const { commonProbe } = tuning.files.containment;
    for (const hash of new Set(readSketch(this.#kernel, head.index)!.sample)) {
      const owners = this.#owners.get(hash);
      if (owners === undefined || owners.size > commonProbe) continue;
      for (const owner of owners) if (owner !== head.number) found(owner);
    }
  }

  /** Counts for some leaders anew who has how many of their probes. */
  #countHits(owners: ReadonlySet<number>): void {
    const { commonProbe } = tuning.files.containment;
    const probes = [...owners]
      .flatMap((owner) => this.#leaders.get(owner)!.probes)
      .filter((probe) => this.#owners.get(probe)!.size <= commonProbe);
    const wanted = Uint32Array.from(new Set(probes)).sort();
    if (wanted.length === 0) return;
    const found = this.#samples.find(this.#kernel, wanted);
    for (let at = 0; at < found.length;) {
      const number = this.#samples.ownerOf(found[at]);
      const hits = new Map<number, number>();
      for (const place = found[at]; found[at] === place; at += 2) {
        for (const owner of this.#owners.get(wanted[found[at + 1]])!) {
          if (owner !== number && owners.has(owner)) hits.set(owner, (hits.get(owner) ?? 0) + 1);
        }
      }
      for (const [owner, count] of hits) this.#addHits(owner, number, count);
    }
  }

  /** Notes how many probes of an owner a leader has, if it is half of them, and returns whether it is. */
  #addHits(owner: number, leader: number, hits: number): boolean {
    if (2 * hits < this.#leaders.get(owner)!.probes.length) return false;
    const known = this.#hits.get(owner);
    if (known) known.set(leader, hits);
    else this.#hits.set(owner, new Map([[leader, hits]]));
    return true;
  }

  /** The larger leader that most of a leader lies in. */
  #containerOf(number: number, comparer: FileComparer): FileCluster | undefined {
    const inner = this.#leaders.get(number);
    if (inner === undefined) return undefined;
    const { least, containersTried } = tuning.files.containment;
    const [best] = [...(this.#hits.get(number) ?? [])]
      .sort((x, y) => y[1] - x[1] || this.#byRank(x[0], y[0]))
      .slice(0, containersTried)
      .map(([container]) => this.#leaders.get(container)!)
      .filter((outer) => isLarger(outer.index, inner.index))
      .map((outer) => ({ outer, share: comparer.overlap(inner.index, outer.index).containmentOfA }))
      .filter(({ share }) => share >= least)
      .sort(
        (x, y) =>
          y.share - x.share ||
          x.outer.index.tokenCount - y.outer.index.tokenCount ||
          this.#byRank(x.outer.number, y.outer.number),
      );
    if (best === undefined) return undefined;
    const { outer } = best;
    const [first, second] = [this.#rankOf(number), this.#rankOf(outer.number)];
    const { members, ...rest } = insideCluster(first, second, comparer.overlap(inner.index, outer.index));
    return { ...rest, members: members.map((rank) => (rank === first ? number : outer.number)) };
  }
}

/** Leaders whose probes are looked for in one walk through all samples. */
const ownersAtOnce = 1_024;

/** Whether a step ends behind a place in a long list. */
function isEndOfStep(place: number): boolean {
  return place % 256 === 255;
}

function keysOf(ties: readonly [number, number][]): Set<PairKey> {
  return new Set(ties.map(([a, b]) => pairKey(a, b)));
}

/** The buckets of a head: by band or table, and digest. Prose is compared with prose only. */
function bucketKeys({ index, nominee: { digests } }: Head): number[] {
  return Array.from(digests, (digest, table) => (2 * table + (index.prose ? 1 : 0)) * 2 ** 32 + digest);
}
