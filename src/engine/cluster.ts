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
  const clusters = graph.components().flatMap((component) => split(component, graph, verify));
  return withoutNested(clusters);
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
  readonly #edgesOf: number[][] = [];
  /** Passages of each document, in buckets of tokens, so that look-up does not grow with the file. */
  readonly #near = new Map<number, number[]>();

  add(match: Match): void {
    const left = this.#passage(match.docA, match.a0, match.a1);
    const right = this.#passage(match.docB, match.b0, match.b1);
    if (left === right || this.#edgesOf[left].some((e) => this.#other(e, left) === right)) return;
    const edge = this.edges.push({ left, right, match }) - 1;
    this.#edgesOf[left].push(edge);
    this.#edgesOf[right].push(edge);
  }

  neighbours(passage: number): { passage: number; match: Match }[] {
    return this.#edgesOf[passage].map((e) => ({ passage: this.#other(e, passage), match: this.edges[e].match }));
  }

  components(): number[][] {
    const seen = new Uint8Array(this.passages.length);
    const components: number[][] = [];
    for (let start = 0; start < this.passages.length; start++) {
      if (seen[start]) continue;
      const component: number[] = [];
      const open = [start];
      seen[start] = 1;
      for (let p = open.pop(); p !== undefined; p = open.pop()) {
        component.push(p);
        for (const e of this.#edgesOf[p]) {
          const next = this.#other(e, p);
          if (seen[next]) continue;
          seen[next] = 1;
          open.push(next);
        }
      }
      components.push(component.sort((x, y) => x - y));
    }
    return components;
  }

  #other(edge: number, passage: number): number {
    const { left, right } = this.edges[edge];
    return left === passage ? right : left;
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
    this.#edgesOf.push([]);
    for (let b = first; b <= last; b++) {
      const list = this.#near.get(b);
      if (list) list.push(passage);
      else this.#near.set(b, [passage]);
    }
    return passage;
  }
}

const bucketTokens = 256;

function bucket(document: number, token: number): number {
  return document * 0x100_0000 + Math.floor(token / bucketTokens);
}

function overlapShare(passage: TokenRange, start: number, end: number): number {
  const shared = Math.min(passage.end, end) - Math.max(passage.start, start);
  return shared <= 0 ? 0 : shared / (Math.max(passage.end, end) - Math.min(passage.start, start));
}

/**
 * Splits a component into clusters whose members each match their leader. The leader is the member with most matches;
 * what it does not match forms clusters of its own.
 */
function split(component: readonly number[], graph: Graph, verify: Verify): Cluster[] {
  const clusters: Cluster[] = [];
  let left = new Set(component);
  while (left.size > 1) {
    const links = new Map<string, Match>();
    const leader = pickLeader(left, graph);
    const members = new Set([leader]);
    const direct = graph.neighbours(leader).filter((n) => left.has(n.passage));
    for (const { passage, match } of direct) {
      members.add(passage);
      links.set(key(leader, passage), match);
    }
    // Neighbours of members may match the leader too: star-shaped linking leaves such matches to be made here.
    const leaderRange = graph.passages[leader];
    const tried = new Set(members);
    const open = [...members];
    for (let p = open.shift(); p !== undefined; p = open.shift()) {
      for (const { passage } of graph.neighbours(p)) {
        if (!left.has(passage) || tried.has(passage)) continue;
        tried.add(passage);
        const match = verify(leaderRange, graph.passages[passage]);
        if (!match) continue;
        members.add(passage);
        links.set(key(leader, passage), match);
        open.push(passage);
      }
    }
    if (members.size > 1) {
      const ordered = [...members].sort((x, y) => comparePassages(graph.passages[x], graph.passages[y]));
      const memberLinks = ordered.flatMap((x) =>
        graph
          .neighbours(x)
          .flatMap((n) => (members.has(n.passage) && x < n.passage ? [{ x, y: n.passage, match: n.match }] : [])),
      );
      for (const { x, y, match } of memberLinks) links.set(key(x, y), match);
      if (ordered.length <= tuning.groups.verifyAll) verifyAll(ordered, graph, links, verify);
      clusters.push(makeCluster(ordered, graph, links));
    }
    left = new Set([...left].filter((p) => !members.has(p)));
  }
  return clusters;
}

function verifyAll(ordered: readonly number[], graph: Graph, links: Map<string, Match>, verify: Verify): void {
  for (let i = 0; i < ordered.length; i++) {
    for (let j = i + 1; j < ordered.length; j++) {
      const pair = key(ordered[i], ordered[j]);
      if (links.has(pair)) continue;
      const match = verify(graph.passages[ordered[i]], graph.passages[ordered[j]]);
      if (match) links.set(pair, match);
    }
  }
}

function makeCluster(ordered: readonly number[], graph: Graph, links: ReadonlyMap<string, Match>): Cluster {
  const place = new Map(ordered.map((p, i) => [p, i]));
  const list = [...links].flatMap(([pair, match]) => {
    const [x, y] = pair.split(' ').map((p) => place.get(Number(p))) as [number | undefined, number | undefined];
    return x === undefined || y === undefined ? [] : [{ a: Math.min(x, y), b: Math.max(x, y), match }];
  });
  list.sort((x, y) => x.a - y.a || x.b - y.b);
  return { passages: ordered.map((p) => graph.passages[p]), links: list };
}

function pickLeader(left: ReadonlySet<number>, graph: Graph): number {
  let leader = -1;
  let most = -1;
  for (const p of left) {
    const degree = graph.neighbours(p).filter((n) => left.has(n.passage)).length;
    if (degree > most || (degree === most && comparePassages(graph.passages[p], graph.passages[leader]) < 0)) {
      leader = p;
      most = degree;
    }
  }
  return leader;
}

function comparePassages(x: TokenRange, y: TokenRange): number {
  return x.document - y.document || x.start - y.start || x.end - y.end;
}

function key(x: number, y: number): string {
  return x < y ? `${x} ${y}` : `${y} ${x}`;
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
