/**
 * Clusters: passages that a person would call one thing. Ends of matches that overlap strongly are one passage; passages
 * connected by matches form a cluster when each matches its leader (leader clustering: Hartigan 1975, chapter 3), so that
 * what resembles only a neighbour of a neighbour is not forced in.
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
  /** Ordered by document and start. */
  readonly passages: readonly TokenRange[];
  readonly links: readonly Link[];
}

/** Aligns two passages from end to end; undefined when they are not worth showing as a match. */
export type Verify = (a: TokenRange, b: TokenRange) => Match | undefined;

/** The clusters of matches, in no particular order but always the same for the same matches. */
export function cluster(matches: readonly Match[], verify: Verify): Cluster[] {
  const graph = new Graph();
  for (const match of [...matches].sort(byScore)) graph.add(match);
  const groups = gather(graph, verify);
  return withoutNested(groups.map((group) => makeCluster(group, graph, verify)));
}

// The best first: they say where passages begin and end.
function byScore(x: Match, y: Match): number {
  return (
    y.score - x.score || x.docA - y.docA || x.a0 - y.a0 || x.docB - y.docB || x.b0 - y.b0 || x.a1 - y.a1 || x.b1 - y.b1
  );
}

interface Edge {
  readonly left: number;
  readonly right: number;
  readonly match: Match;
}

/** Passages and the matches between them. */
class Graph {
  readonly passages: TokenRange[] = [];
  readonly edges: Edge[] = [];
  /** Matches by pair of passages; undefined where two have been looked at and do not match. */
  readonly #matches = new Map<number, Match | undefined>();
  readonly #neighbours: number[][] = [];
  /** Passages of each document, in buckets of tokens, so that look-up does not grow with the file. */
  readonly #near = new Map<number, number[]>();

  add(match: Match): void {
    const left = this.#passage(match.docA, match.a0, match.a1);
    const right = this.#passage(match.docB, match.b0, match.b1);
    if (left === right || this.#matches.has(pairKey(left, right))) return;
    this.#matches.set(pairKey(left, right), match);
    this.edges.push({ left, right, match });
    this.#neighbours[left].push(right);
    this.#neighbours[right].push(left);
  }

  /** The passages that matches lead to from a passage. */
  neighbours(passage: number): readonly number[] {
    return this.#neighbours[passage];
  }

  /** The match of two passages, made now when no seed has led to it. */
  matched(x: number, y: number, verify: Verify): Match | undefined {
    const key = pairKey(x, y);
    if (this.#matches.has(key)) return this.#matches.get(key);
    const match = verify(this.passages[x], this.passages[y]);
    this.#matches.set(key, match);
    return match;
  }

  /** Passages that share a token with a passage, itself included; some more than once. */
  *overlapping(passage: number): Iterable<number> {
    const { document, start, end } = this.passages[passage];
    for (let b = bucket(document, start); b <= bucket(document, end - 1); b++) {
      for (const p of this.#near.get(b) ?? []) if (overlapShare(this.passages[p], start, end) > 0) yield p;
    }
  }

  #passage(document: number, start: number, end: number): number {
    const first = bucket(document, start);
    const last = bucket(document, end - 1);
    for (let b = first; b <= last; b++) {
      for (const p of this.#near.get(b) ?? []) {
        if (overlapShare(this.passages[p], start, end) >= tuning.groups.samePassage) return p;
      }
    }
    const passage = this.passages.push({ document, start, end }) - 1;
    this.#neighbours.push([]);
    for (let b = first; b <= last; b++) {
      const list = this.#near.get(b);
      if (list) list.push(passage);
      else this.#near.set(b, [passage]);
    }
    return passage;
  }
}

// A pair of passages as one number: exact up to 2^26 passages.
function pairKey(x: number, y: number): number {
  return Math.min(x, y) * 0x400_0000 + Math.max(x, y);
}

const bucketTokens = 256;

function bucket(document: number, token: number): number {
  return document * 0x100_0000 + Math.floor(token / bucketTokens);
}

function overlapShare(passage: TokenRange, start: number, end: number): number {
  const shared = Math.min(passage.end, end) - Math.max(passage.start, start);
  return shared <= 0 ? 0 : shared / (Math.max(passage.end, end) - Math.min(passage.start, start));
}

/** Passages that belong together, the leader first. */
type Gathering = number[];

/**
 * Joins passages along their matches, the most similar first. Two gatherings become one when each member of the smaller
 * matches the leader of the larger, so a weak match never draws a passage away from its closest relatives, and when no
 * passage of one overlaps a passage of the other: a copy is never the text it is a copy of.
 */
function gather(graph: Graph, verify: Verify): Gathering[] {
  const gatherings: (Gathering | undefined)[] = graph.passages.map((_, p) => [p]);
  const home = Int32Array.from(graph.passages, (_, p) => p);
  const edges = [...graph.edges].sort((x, y) => y.match.similarity - x.match.similarity || byScore(x.match, y.match));
  for (const { left, right } of edges) {
    const [x, y] = [gatherings[home[left]]!, gatherings[home[right]]!];
    if (x === y) continue;
    const [larger, smaller] = x.length >= y.length ? [x, y] : [y, x];
    if (smaller.some((member) => overlaps(member, home[larger[0]]))) continue;
    if (!smaller.every((member) => graph.matched(larger[0], member, verify))) continue;
    gatherings[home[smaller[0]]] = undefined;
    for (const member of smaller) {
      home[member] = home[larger[0]];
      larger.push(member);
    }
  }
  return gatherings.filter((g) => g !== undefined && g.length > 1) as Gathering[];

  function overlaps(passage: number, gathering: number): boolean {
    for (const p of graph.overlapping(passage)) if (home[p] === gathering) return true;
    return false;
  }
}

/** A gathering in order, with its matches: in a small one every pair is looked at, in a large one what seeds have led to. */
function makeCluster(gathering: Gathering, graph: Graph, verify: Verify): Cluster {
  const ordered = [...gathering].sort((x, y) => comparePassages(graph.passages[x], graph.passages[y]));
  const pairs = ordered.length <= tuning.groups.verifyAll ? allPairs(ordered.length) : knownPairs(ordered, graph);
  const links: Link[] = [];
  for (const [a, b] of pairs) {
    const match = graph.matched(ordered[a], ordered[b], verify);
    if (match) links.push({ a, b, match });
  }
  return { passages: ordered.map((p) => graph.passages[p]), links };
}

function allPairs(count: number): [number, number][] {
  const pairs: [number, number][] = [];
  for (let a = 0; a < count; a++) for (let b = a + 1; b < count; b++) pairs.push([a, b]);
  return pairs;
}

function knownPairs(ordered: readonly number[], graph: Graph): [number, number][] {
  const place = new Map(ordered.map((p, i) => [p, i]));
  const pairs = ordered.flatMap((p, i) =>
    graph.neighbours(p).flatMap((q): [number, number][] => {
      const j = place.get(q);
      return j !== undefined && i < j ? [[i, j]] : [];
    }),
  );
  return pairs.sort((x, y) => x[0] - y[0] || x[1] - y[1]);
}

function comparePassages(x: TokenRange, y: TokenRange): number {
  return x.document - y.document || x.start - y.start || x.end - y.end;
}

/** Leaves out clusters all of whose passages lie inside passages of one larger cluster: the same thing at less depth. */
function withoutNested(clusters: Cluster[]): Cluster[] {
  const places = new Map<number, { range: TokenRange; cluster: number }[]>();
  clusters.forEach((c, i) =>
    c.passages.forEach((range) => {
      for (let b = bucket(range.document, range.start); b <= bucket(range.document, range.end - 1); b++) {
        const list = places.get(b);
        if (list) list.push({ range, cluster: i });
        else places.set(b, [{ range, cluster: i }]);
      }
    }),
  );
  return clusters.filter((c, i) => !nestedInOther(c, i));

  function nestedInOther(c: Cluster, self: number): boolean {
    const around = (range: TokenRange): number[] =>
      (places.get(bucket(range.document, range.start)) ?? [])
        .filter((o) => o.cluster !== self && contains(o.range, range))
        .map((o) => o.cluster);
    let common = new Set(around(c.passages[0]));
    for (const range of c.passages.slice(1)) {
      if (common.size === 0) return false;
      const here = new Set(around(range));
      common = new Set([...common].filter((o) => here.has(o)));
    }
    return common.size > 0;
  }
}

// Mostly inside, and the larger one.
function contains(outer: TokenRange, inner: TokenRange): boolean {
  const size = inner.end - inner.start;
  const shared = Math.min(outer.end, inner.end) - Math.max(outer.start, inner.start);
  return shared >= 0.8 * size && outer.end - outer.start > size;
}
