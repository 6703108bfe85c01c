/**
 * Finds near-duplicate files by comparing whole documents.
 *
 * Documents that are equal token by token form a class, and one of them represents it. Documents that are shorter than
 * a passage are in a class only if their bytes are equal, and are compared with no other class. Sketches select
 * candidate pairs of representatives. These are clustered along the pairs, nearest first; each member has to be similar
 * to the leader (leader clustering: Hartigan 1975, chapter 3). Leaders are chosen again each time, so clusters depend
 * only on the set of documents, not on earlier edits. Only the comparisons of pairs are cached.
 *
 * Finally, the search for containers checks if a leader or single document lies inside a larger document.
 *
 * This module processes all documents at once, in temporary arrays. `liveFiles.ts` maintains the same clusters
 * incrementally. An initial run with `liveFiles.ts` would be too expensive: on a tree of 13,938 files, it takes 3.6
 * times the CPU time, and 175 MB.
 *
 * The method decides whether two documents are similar:
 *
 *   minhash    resemblance, exact; candidate pairs by signatures (Broder 1997)
 *   simhash    distance of the fingerprints (Charikar 2002; Manku, Jain, Das Sarma 2007)
 *   combined   as minhash, if the fingerprints are also near (Henzinger 2006, section 5)
 */
import { containmentCandidatesSteps } from './containmentCandidates.ts';
import { FileComparer, type FileOverlap, type KnownOverlaps } from './fileOverlap.ts';
import { type FileSketch, isShort, readSketch } from '../documents/fileSketch.ts';
import type { DocumentIndex } from '../documents/documents.ts';
import type { Kernel } from '../kernel.ts';
import { type CandidatePair, candidatePairsSteps, candidateSearchOf } from './fileCandidates.ts';
import type { Options } from '../options.ts';
import { Pace } from '../steps.ts';
import { constants } from '../constants.ts';

/** Indices of two members of a cluster, a < b, and the overlap of their documents. */
export interface FileLink {
  readonly a: number;
  readonly b: number;
  readonly overlap: FileOverlap;
}

export interface FileCluster {
  /** equal: token by token. near: similar according to the method. inside: one contains the other, smaller one. */
  readonly type: 'equal' | 'near' | 'inside';
  /** Indices of the documents, ascending. There are at least two. */
  readonly members: readonly number[];
  /** Pairs of members that were compared: all pairs of a small cluster, those with the leader of a large one. */
  readonly links: readonly FileLink[];
}

/**
 * Returns the clusters of documents. Their order is arbitrary but deterministic. Runs in steps of a few milliseconds.
 *
 * Cost: the sketches, and a few comparisons per document. Allocated memory is not released.
 *
 * @param knownOverlaps  overlaps from earlier calls with the same options; this call adds the ones that it computes
 * @param load           loads the tokens of a document, if they may not be in memory
 */
export function* clusterFilesSteps(
  kernel: Kernel,
  documents: readonly DocumentIndex[],
  options: Options,
  knownOverlaps: KnownOverlaps,
  load?: (document: DocumentIndex) => void,
): Generator<void, FileCluster[]> {
  const comparer = new FileComparer(kernel, options, knownOverlaps, undefined, load);
  const { pace } = comparer;
  const classes = yield* equalDocuments(kernel, documents, options, load);
  const representatives = classes.map(([first], rank): RankedDocument => ({ index: documents[first], rank }));
  const overlap = (a: number, b: number): FileOverlap =>
    comparer.overlap(representatives[a].index, representatives[b].index);
  const pairs = yield* candidatesOf(kernel, representatives, options);
  const alike = (a: number, b: number): boolean =>
    comparer.areAlike(representatives[a].index, representatives[b].index);
  const clusters = yield* leaderClustersSteps(representatives.length, pairs, alike, pace);
  const found: FileCluster[] = [];
  for (const cluster of clusters) {
    if (cluster.length === 1 && classes[cluster[0]].length === 1) continue;
    found.push(clusterOf(cluster, classes, overlap));
    if (pace.endsStep(1)) yield;
  }
  const leaders = clusters.map(([leader]) => representatives[leader]).filter(({ index }) => !isShort(index, options));
  const candidates = yield* containmentCandidatesSteps(
    kernel,
    leaders.map(({ index }) => index),
  );
  const searches = leaders.map((inner, place) => ({
    inner,
    candidates: candidates[place].map((outer) => leaders[outer]),
  }));
  for (const { inner, outer } of yield* containersSteps(searches, comparer)) {
    found.push(
      insideCluster(classes[inner.rank][0], classes[outer.rank][0], comparer.overlap(inner.index, outer.index)),
    );
  }
  return found;
}

/**
 * Groups documents into classes that are equal token by token. Precondition: all documents have sketches. The first
 * member of a class has the smallest index.
 */
function* equalDocuments(
  kernel: Kernel,
  documents: readonly DocumentIndex[],
  options: Options,
  load: ((document: DocumentIndex) => void) | undefined,
): Generator<void, number[][]> {
  const pace = new Pace();
  const classes: number[][] = [];
  const byContent = new Map<string, number[][]>();
  for (const [place, document] of documents.entries()) {
    const sketch = readSketch(kernel, document);
    if (sketch === undefined) continue;
    if (pace.endsStep(2)) yield;
    const content = contentKey(document, sketch, options);
    const similar = byContent.get(content) ?? [];
    const own = similar.find(([first]) => {
      load?.(documents[first]);
      load?.(document);
      return equalTokens(kernel, documents[first], document);
    });
    if (own !== undefined) {
      own.push(place);
      if (pace.endsStep(document.tokenCount >>> 10)) yield;
      continue;
    }
    const opened = [place];
    classes.push(opened);
    similar.push(opened);
    byContent.set(content, similar);
  }
  return classes;
}

/** Returns a key that documents share if they are equal token by token, and rarely otherwise. */
export function contentKey(index: DocumentIndex, { high, low }: FileSketch, options: Options): string {
  const { tokenCount, prose, sizeBytes } = index;
  // Include the size of short documents, because they may consist mostly of imports and comments, which have no tokens.
  return `${tokenCount} ${high} ${low} ${prose} ${isShort(index, options) ? sizeBytes : ''}`;
}

/** Returns true if two documents with the same number of tokens are equal token by token. */
export function equalTokens({ words }: Kernel, a: DocumentIndex, b: DocumentIndex): boolean {
  const [x, y] = [a.tokens >>> 2, b.tokens >>> 2];
  for (let i = 0; i < a.tokenCount; i++) if (words[x + i] !== words[y + i]) return false;
  return true;
}

/** Returns pairs of documents that may be similar. Their shingle sizes keep code and prose apart. */
function* candidatesOf(
  kernel: Kernel,
  representatives: readonly RankedDocument[],
  options: Options,
): Generator<void, CandidatePair[]> {
  const search = candidateSearchOf(options.method);
  const all: CandidatePair[] = [];
  for (const prose of [true, false]) {
    const some = representatives.filter(({ index }) => index.prose === prose && !isShort(index, options));
    const sketches = some.map(({ index }) => readSketch(kernel, index)!);
    const pairs = yield* candidatePairsSteps(sketches, search);
    for (const { a, b, nearness } of pairs) all.push({ a: some[a].rank, b: some[b].rank, nearness });
  }
  return all;
}

/**
 * Clusters `count` items. Goes through the pairs in order, and merges the clusters of both items if each member of the
 * smaller cluster is similar to the leader of the larger one.
 *
 * @param pace  measures the work of `alike`, so that the generator yields often enough
 * @returns the clusters, leader first, including clusters of one item
 */
export function* leaderClustersSteps(
  count: number,
  pairs: readonly CandidatePair[],
  alike: (a: number, b: number) => boolean,
  pace: Pace,
): Generator<void, number[][]> {
  const clusters: (number[] | undefined)[] = Array.from({ length: count }, (_, item) => [item]);
  const home = Int32Array.from({ length: count }, (_, item) => item);
  const refused = new Set<number>();
  for (const { a, b } of pairs) {
    if (pace.endsStep(1)) yield;
    const [x, y] = [clusters[home[a]]!, clusters[home[b]]!];
    if (x === y) continue;
    const [larger, smaller] = x.length >= y.length ? [x, y] : [y, x];
    // Two clusters need not be compared again: a cluster refused by the leader of a larger one stays refused.
    const both = larger[0] * count + smaller[0];
    if (refused.has(both)) continue;
    let isAlike = true;
    for (const member of smaller) {
      isAlike = alike(larger[0], member);
      if (!isAlike) break;
      if (pace.endsStep(1)) yield;
    }
    if (!isAlike) {
      refused.add(both);
      continue;
    }
    clusters[home[smaller[0]]] = undefined;
    for (const member of smaller) {
      home[member] = home[larger[0]];
      larger.push(member);
    }
  }
  return clusters.filter((cluster) => cluster !== undefined);
}

/** Overlap of two documents that are equal token by token. */
const everything: FileOverlap = { resemblance: 1, containmentOfA: 1, containmentOfB: 1, distance: 0 };

/**
 * @param cluster  indices of equality classes in `classes`, leader first
 * @param classes  for each equality class, the ranks of its documents
 */
export function clusterOf(
  cluster: readonly number[],
  classes: readonly (readonly number[])[],
  overlap: (a: number, b: number) => FileOverlap,
): FileCluster {
  const members = cluster
    .flatMap((home) => classes[home].map((place) => ({ home, place })))
    .sort((x, y) => x.place - y.place);
  const linked = (a: number, b: number): FileLink => ({
    a,
    b,
    overlap: members[a].home === members[b].home ? everything : overlap(members[a].home, members[b].home),
  });
  const leader = members.findIndex(({ home }) => home === cluster[0]);
  const links: FileLink[] = [];
  for (let a = 0; a < members.length; a++) {
    if (members.length <= constants.files.verifyAll)
      for (let b = a + 1; b < members.length; b++) links.push(linked(a, b));
    else if (a !== leader) links.push(linked(Math.min(a, leader), Math.max(a, leader)));
  }
  return {
    type: cluster.length === 1 ? 'equal' : 'near',
    members: members.map(({ place }) => place),
    links: links.sort((x, y) => x.a - y.a || x.b - y.b),
  };
}

/** A document, and its position in the sorted list of all documents. */
export interface RankedDocument {
  readonly index: DocumentIndex;
  readonly rank: number;
}

/** Finds the candidate that contains the greatest share of each document, if that share is large enough. */
export function* containersSteps<Document extends RankedDocument>(
  searches: readonly { readonly inner: Document; readonly candidates: readonly Document[] }[],
  comparer: FileComparer,
): Generator<void, { inner: Document; outer: Document }[]> {
  const { minShare } = constants.files.containment;
  const pairs = searches.flatMap(({ inner, candidates }) =>
    candidates.filter((outer) => isLarger(outer.index, inner.index)).map((outer) => ({ inner, outer })),
  );
  // Sort the pairs by container, so that the shingles of each container are computed only once.
  pairs.sort((x, y) => x.outer.rank - y.outer.rank || x.inner.rank - y.inner.rank);
  const best = new Map<Document, { inner: Document; outer: Document; share: number }>();
  for (const { inner, outer } of pairs) {
    if (comparer.pace.endsStep(1)) yield;
    const share = comparer.overlap(inner.index, outer.index).containmentOfA;
    if (share < minShare) continue;
    const other = best.get(inner);
    const isBetter =
      other === undefined ||
      share > other.share ||
      (share === other.share && outer.index.tokenCount < other.outer.index.tokenCount);
    if (isBetter) best.set(inner, { inner, outer, share });
  }
  return [...best.values()];
}

function isLarger(outer: DocumentIndex, inner: DocumentIndex): boolean {
  return outer.prose === inner.prose && outer.tokenCount > inner.tokenCount;
}

export function insideCluster(inner: number, outer: number, overlap: FileOverlap): FileCluster {
  const turned: FileOverlap = {
    ...overlap,
    containmentOfA: overlap.containmentOfB,
    containmentOfB: overlap.containmentOfA,
  };
  const link = { a: 0, b: 1, overlap: inner < outer ? overlap : turned };
  return { type: 'inside', members: [inner, outer].sort((x, y) => x - y), links: [link] };
}
