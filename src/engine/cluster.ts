/**
 * Clusters: passages that a person would call one thing. Ends of matches that overlap strongly are one passage; passages
 * connected by matches form a cluster when each matches its leader (leader clustering: Hartigan 1975, chapter 3), so that
 * what resembles only a neighbour of a neighbour is not forced in.
 *
 * They are kept, and what depends on matches that come or go is made again: the passages of a document depend on the
 * matches that end in it, clusters on the passages that matches connect with each other (a component), and whether a
 * cluster is shown on the clusters that lie over it.
 */
import type { Match, TokenRange } from './matches.ts';
import { tuning } from './tuning.ts';

/** Two places in `passages` and how alike they are; a < b. */
export interface Link {
  readonly a: number;
  readonly b: number;
  readonly match: Match;
}

export interface Cluster {
  /** Ordered by document and start. The same object for as long as neither it nor its document's text changes. */
  readonly passages: readonly TokenRange[];
  readonly links: readonly Link[];
}

/** Aligns two passages from end to end; undefined when they are not worth showing as a match. */
export type Verify = (a: TokenRange, b: TokenRange) => Match | undefined;

/** What is different from before. */
export interface MatchChanges {
  /** Documents whose text is another one or that are gone: all matches that ended in them are void. */
  readonly renewed: ReadonlySet<number>;
  /** Whether all matches between two documents are void as well. */
  readonly isVoid: (x: number, y: number) => boolean;
  /** The documents that `isVoid` is about. */
  readonly touched: ReadonlySet<number>;
  /** In the place of those, in any order. The documents of each are in order. */
  readonly matches: readonly Match[];
}

/** Clusters that are shown no longer, and others that now are. */
export interface ClusterChanges {
  readonly gone: readonly Cluster[];
  readonly come: readonly Cluster[];
}

/** The clusters of matches, in no particular order but always the same for the same matches. */
export function cluster(matches: readonly Match[], verify: Verify): readonly Cluster[] {
  const clusters = new Clusters((document) => document).update(matchesOnly(matches), verify).come;
  return clusters.map(({ passages, links }) => ({
    passages: passages.map(({ document, start, end }) => ({ document, start, end })),
    links,
  }));
}

/** Matches that come to what there is. */
export function matchesOnly(matches: readonly Match[]): MatchChanges {
  return { renewed: new Set(), touched: new Set(), isVoid: () => false, matches };
}

/** One end of a match or several that nearly coincide. */
class PassageNode implements TokenRange {
  readonly document: number;
  readonly start: number;
  readonly end: number;
  /** The matches to other passages, usually one for each. */
  readonly edges = new Map<PassageNode, Edge[]>();
  /** What was aligned because no seed has led to it. */
  readonly looked = new Map<PassageNode, Match | undefined>();
  component: Component | undefined;
  /** Its place in the component, and what of it gathering needs. */
  place = 0;
  isGone = false;

  constructor(document: number, start: number, end: number) {
    this.document = document;
    this.start = start;
    this.end = end;
  }
}

interface Edge {
  readonly match: Match;
  left: PassageNode | undefined;
  right: PassageNode | undefined;
  isVoid: boolean;
}

/** Passages that matches connect, and the clusters they form. */
interface Component {
  readonly passages: readonly PassageNode[];
  readonly clusters: KeptCluster[];
}

interface KeptCluster extends Cluster {
  readonly passages: readonly PassageNode[];
  isShown: boolean;
}

/** What ends in a document, the best first, and the passages that makes, in this order. */
interface Ends {
  edges: Edge[];
  passages: PassageNode[];
}

export class Clusters {
  readonly #rankOf: (document: number) => number;
  readonly #ends = new Map<number, Ends>();
  /** Passages of clusters, by buckets of tokens, so that look-up does not grow with the document. */
  readonly #near = new Map<number, { readonly range: PassageNode; readonly cluster: KeptCluster }[]>();
  /** Passages that have gained or lost an edge, or are gone. */
  readonly #dirty = new Set<PassageNode>();

  /** @param rankOf  the documents' order; it may change, but not of two documents that stay */
  constructor(rankOf: (document: number) => number) {
    this.#rankOf = rankOf;
  }

  update(changes: MatchChanges, verify: Verify): ClusterChanges {
    this.#placeEdges(changes);
    const { before, after } = this.#gatherAgain(verify);
    return this.#show(before, after);
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Passages

  #placeEdges({ renewed, isVoid, touched, matches }: MatchChanges): void {
    const documents = new Set<number>();
    const drop = (document: number, isDropped: (edge: Edge) => boolean): void => {
      const ends = this.#ends.get(document);
      for (const edge of ends?.edges ?? []) {
        if (edge.isVoid || !isDropped(edge)) continue;
        this.#unlink(edge);
        edge.isVoid = true;
        documents.add(edge.match.docA).add(edge.match.docB);
      }
    };
    for (const document of renewed) drop(document, () => true);
    for (const document of touched) drop(document, ({ match }) => isVoid(match.docA, match.docB));
    for (const document of documents) {
      const ends = this.#ends.get(document)!;
      ends.edges = ends.edges.filter((edge) => !edge.isVoid);
    }
    for (const match of matches) {
      const edge: Edge = { match, left: undefined, right: undefined, isVoid: false };
      for (const document of new Set([match.docA, match.docB])) {
        documents.add(document);
        const ends = this.#ends.get(document);
        if (ends) ends.edges.push(edge);
        else this.#ends.set(document, { edges: [edge], passages: [] });
      }
    }
    const moved = new Set<Edge>();
    for (const document of documents) this.#place(document, renewed.has(document), moved);
    for (const edge of moved) this.#link(edge);
  }

  /** Makes the passages of a document; edges that end in another one than before are unlinked and added to `moved`. */
  #place(document: number, isRenewed: boolean, moved: Set<Edge>): void {
    const ends = this.#ends.get(document)!;
    ends.edges.sort((x, y) => this.#byScore(x.match, y.match));
    const old = new Map(isRenewed ? [] : ends.passages.map((p) => [rangeKey(p.start, p.end), p]));
    const buckets = new Map<number, PassageNode[]>();
    const passages: PassageNode[] = [];
    const passageOf = (start: number, end: number): PassageNode => {
      const first = Math.floor(start / bucketTokens);
      const last = Math.floor((end - 1) / bucketTokens);
      for (let b = first; b <= last; b++) {
        for (const p of buckets.get(b) ?? []) if (overlapShare(p, start, end) >= tuning.groups.samePassage) return p;
      }
      const passage = old.get(rangeKey(start, end)) ?? new PassageNode(document, start, end);
      passages.push(passage);
      for (let b = first; b <= last; b++) append(buckets, b, passage);
      return passage;
    };
    const move = (edge: Edge): void => {
      this.#unlink(edge);
      moved.add(edge);
    };
    for (const edge of ends.edges) {
      const { docA, a0, a1, docB, b0, b1 } = edge.match;
      if (docA === document) {
        const left = passageOf(a0, a1);
        if (edge.left !== left) {
          move(edge);
          edge.left = left;
        }
      }
      if (docB === document) {
        const right = passageOf(b0, b1);
        if (edge.right !== right) {
          move(edge);
          edge.right = right;
        }
      }
    }
    const kept = new Set(passages);
    for (const passage of ends.passages) if (!kept.has(passage)) this.#forget(passage);
    ends.passages = passages;
    if (ends.edges.length === 0) this.#ends.delete(document);
  }

  #forget(passage: PassageNode): void {
    passage.isGone = true;
    this.#dirty.add(passage);
    for (const other of passage.looked.keys()) other.looked.delete(passage);
  }

  #link(edge: Edge): void {
    const [left, right] = [edge.left!, edge.right!];
    if (left === right) return;
    append(left.edges, right, edge);
    append(right.edges, left, edge);
    this.#dirty.add(left).add(right);
  }

  #unlink({ match, left, right }: Edge): void {
    if (left === undefined || right === undefined || left === right) return;
    for (const [from, to] of [
      [left, right],
      [right, left],
    ]) {
      const rest = from.edges.get(to)?.filter((edge) => edge.match !== match) ?? [];
      if (rest.length > 0) from.edges.set(to, rest);
      else from.edges.delete(to);
    }
    this.#dirty.add(left).add(right);
  }

  // The best first: they say where passages begin and end.
  #byScore(x: Match, y: Match): number {
    return (
      y.score - x.score ||
      this.#rankOf(x.docA) - this.#rankOf(y.docA) ||
      x.a0 - y.a0 ||
      this.#rankOf(x.docB) - this.#rankOf(y.docB) ||
      x.b0 - y.b0 ||
      x.a1 - y.a1 ||
      x.b1 - y.b1
    );
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Clusters

  /** Forms the clusters of all components that have changed. */
  #gatherAgain(verify: Verify): { before: Set<KeptCluster>; after: KeptCluster[] } {
    const old = new Set<Component>();
    const passages = new Set<PassageNode>();
    for (const passage of this.#dirty) {
      if (passage.component) old.add(passage.component);
      passages.add(passage);
    }
    for (const component of old) for (const passage of component.passages) passages.add(passage);
    this.#dirty.clear();
    const before = new Set([...old].flatMap((component) => component.clusters));
    const known = new Map<PassageNode, KeptCluster[]>();
    for (const kept of before) append(known, kept.passages[0], kept);
    for (const passage of passages) passage.component = undefined;
    const after: KeptCluster[] = [];
    for (const passage of passages) {
      if (passage.isGone || passage.component || passage.edges.size === 0) continue;
      const component: Component = { passages: connected(passage), clusters: [] };
      for (const member of component.passages) member.component = component;
      for (const made of this.#gather(component, verify).map((g) => this.#makeCluster(g, verify))) {
        const kept = known.get(made.passages[0])?.find((other) => isSame(other, made)) ?? made;
        component.clusters.push(kept);
        after.push(kept);
      }
    }
    return { before, after };
  }

  /**
   * Joins passages along their matches, the most similar first. Two gatherings become one when each member of the smaller
   * matches the leader of the larger, so a weak match never draws a passage away from its closest relatives, and when no
   * passage of one overlaps a passage of the other: a copy is never the text it is a copy of.
   */
  #gather({ passages }: Component, verify: Verify): Gathering[] {
    passages.forEach((passage, i) => (passage.place = i));
    const gatherings: (Gathering | undefined)[] = passages.map((passage) => [passage]);
    const home = Int32Array.from(passages, (_, i) => i);
    const overlapping = overlaps(passages);
    const edges: Edge[] = [];
    for (const passage of passages) {
      for (const [other, between] of passage.edges) if (passage.place < other.place) edges.push(this.#best(between));
    }
    edges.sort((x, y) => y.match.similarity - x.match.similarity || this.#byScore(x.match, y.match));
    for (const { left, right } of edges) {
      const [x, y] = [gatherings[home[left!.place]]!, gatherings[home[right!.place]]!];
      if (x === y) continue;
      const [larger, smaller] = x.length >= y.length ? [x, y] : [y, x];
      const target = home[larger[0].place];
      if (smaller.some((member) => overlapping[member.place]?.some((place) => home[place] === target))) continue;
      if (!smaller.every((member) => this.#matched(larger[0], member, verify))) continue;
      gatherings[home[smaller[0].place]] = undefined;
      for (const member of smaller) {
        home[member.place] = target;
        larger.push(member);
      }
    }
    return gatherings.filter((g) => g !== undefined && g.length > 1) as Gathering[];
  }

  /** A gathering in order, with its matches: in a small one every pair is looked at, in a large one what seeds have led to. */
  #makeCluster(gathering: Gathering, verify: Verify): KeptCluster {
    const passages = [...gathering].sort(
      (x, y) => this.#rankOf(x.document) - this.#rankOf(y.document) || x.start - y.start || x.end - y.end,
    );
    const pairs = passages.length <= tuning.groups.verifyAll ? allPairs(passages.length) : knownPairs(passages);
    const links: Link[] = [];
    for (const [a, b] of pairs) {
      const match = this.#matched(passages[a], passages[b], verify);
      if (match) links.push({ a, b, match });
    }
    return { passages, links, isShown: false };
  }

  /** The match of two passages, made now when no seed has led to it. */
  #matched(x: PassageNode, y: PassageNode, verify: Verify): Match | undefined {
    const between = x.edges.get(y);
    if (between) return this.#best(between).match;
    if (x.looked.has(y)) return x.looked.get(y);
    const match = verify(x, y);
    x.looked.set(y, match);
    y.looked.set(x, match);
    return match;
  }

  #best(edges: readonly Edge[]): Edge {
    return edges.reduce((best, edge) => (this.#byScore(edge.match, best.match) < 0 ? edge : best));
  }

  // -------------------------------------------------------------------------------------------------------------------
  // What is shown: clusters but those all of whose passages lie inside passages of one larger cluster, the same thing at
  // less depth.

  #show(before: ReadonlySet<KeptCluster>, after: readonly KeptCluster[]): ClusterChanges {
    const stays = new Set(after.filter((kept) => before.has(kept)));
    const removed = [...before].filter((kept) => !stays.has(kept));
    const added = after.filter((kept) => !stays.has(kept));
    for (const kept of removed) this.#forgetPlaces(kept);
    for (const kept of added) {
      for (const range of kept.passages) {
        for (const b of bucketsOf(range)) append(this.#near, b, { range, cluster: kept });
      }
    }
    const gone = removed.filter((kept) => kept.isShown);
    const come: KeptCluster[] = [];
    for (const kept of this.#around([...removed, ...added], added)) {
      const isShown = !this.#isNested(kept);
      if (isShown !== kept.isShown) (isShown ? come : gone).push(kept);
      kept.isShown = isShown;
    }
    return { gone, come };
  }

  #forgetPlaces(kept: KeptCluster): void {
    for (const b of kept.passages.flatMap(bucketsOf)) {
      const rest = (this.#near.get(b) ?? []).filter((entry) => entry.cluster !== kept);
      if (rest.length > 0) this.#near.set(b, rest);
      else this.#near.delete(b);
    }
  }

  /** The added clusters, and those with a passage that may lie inside one of the changed ones. */
  #around(changed: readonly KeptCluster[], added: readonly KeptCluster[]): Set<KeptCluster> {
    const found = new Set(added);
    for (const outer of changed.flatMap((kept) => kept.passages)) {
      for (const b of bucketsOf(outer)) {
        for (const { range, cluster: kept } of this.#near.get(b) ?? []) if (contains(outer, range)) found.add(kept);
      }
    }
    return found;
  }

  #isNested(kept: KeptCluster): boolean {
    let common: Set<KeptCluster> | undefined;
    for (const range of kept.passages) {
      const around = new Set<KeptCluster>();
      // What has most of a passage has its middle.
      const middle = bucket(range.document, Math.floor((range.start + range.end) / 2));
      for (const { range: outer, cluster: other } of this.#near.get(middle) ?? []) {
        if (other !== kept && (common?.has(other) ?? true) && contains(outer, range)) around.add(other);
      }
      if (around.size === 0) return false;
      common = around;
    }
    return true;
  }
}

/** Passages that belong together, the leader first. */
type Gathering = PassageNode[];

const bucketTokens = 256;

function bucket(document: number, token: number): number {
  return document * 0x100_0000 + Math.floor(token / bucketTokens);
}

function bucketsOf({ document, start, end }: TokenRange): number[] {
  const first = bucket(document, start);
  return Array.from({ length: bucket(document, end - 1) - first + 1 }, (_, i) => first + i);
}

function rangeKey(start: number, end: number): number {
  return start * 0x400_0000 + end;
}

function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

function overlapShare(passage: TokenRange, start: number, end: number): number {
  const shared = Math.min(passage.end, end) - Math.max(passage.start, start);
  return shared <= 0 ? 0 : shared / (Math.max(passage.end, end) - Math.min(passage.start, start));
}

/** All passages that matches connect with one. */
function connected(first: PassageNode): PassageNode[] {
  const found = [first];
  const seen = new Set(found);
  // Grows while it is walked through.
  for (const passage of found) {
    for (const other of passage.edges.keys()) {
      if (seen.has(other)) continue;
      seen.add(other);
      found.push(other);
    }
  }
  return found;
}

/** For each passage the places of those that share a token with it, itself not; undefined for none. */
function overlaps(passages: readonly PassageNode[]): (number[] | undefined)[] {
  const lists: (number[] | undefined)[] = passages.map(() => undefined);
  const ordered = [...passages].sort((x, y) => x.document - y.document || x.start - y.start);
  ordered.forEach((passage, i) => {
    for (let j = i + 1; j < ordered.length; j++) {
      const other = ordered[j];
      if (other.document !== passage.document || other.start >= passage.end) break;
      (lists[passage.place] ??= []).push(other.place);
      (lists[other.place] ??= []).push(passage.place);
    }
  });
  return lists;
}

function allPairs(count: number): [number, number][] {
  const pairs: [number, number][] = [];
  for (let a = 0; a < count; a++) for (let b = a + 1; b < count; b++) pairs.push([a, b]);
  return pairs;
}

function knownPairs(ordered: readonly PassageNode[]): [number, number][] {
  const places = new Map(ordered.map((passage, i) => [passage, i]));
  const pairs = ordered.flatMap((passage, i) =>
    [...passage.edges.keys()].flatMap((other): [number, number][] => {
      const j = places.get(other);
      return j !== undefined && i < j ? [[i, j]] : [];
    }),
  );
  return pairs.sort((x, y) => x[0] - y[0] || x[1] - y[1]);
}

function isSame(x: Cluster, y: Cluster): boolean {
  return (
    x.passages.length === y.passages.length &&
    x.links.length === y.links.length &&
    x.passages.every((passage, i) => passage === y.passages[i]) &&
    x.links.every(({ a, b, match }, i) => a === y.links[i].a && b === y.links[i].b && match === y.links[i].match)
  );
}

// Mostly inside, and the larger one.
function contains(outer: TokenRange, inner: TokenRange): boolean {
  if (outer.document !== inner.document) return false;
  const size = inner.end - inner.start;
  const shared = Math.min(outer.end, inner.end) - Math.max(outer.start, inner.start);
  return shared >= 0.8 * size && outer.end - outer.start > size;
}
