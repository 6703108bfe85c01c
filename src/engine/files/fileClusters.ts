/**
 * Files that nearly repeat each other: documents compared as wholes.
 *
 * Documents equal token by token are one, however many they are. Of the others the sketches nominate pairs, and documents
 * are gathered along these, the nearest first, when each is alike to the leader (leader clustering: Hartigan 1975, chapter
 * 3). What is gathered depends on the set of documents alone: leaders are chosen anew each time, so edits, additions and
 * removals lead to what a fresh run finds, and only the comparisons of pairs are kept.
 *
 * Last, whatever leads or stands alone is looked for inside of larger documents.
 *
 * What makes two documents alike is the method's:
 *
 *   minhash    resemblance, exact; pairs nominated by signatures (Broder 1997)
 *   simhash    distance of the fingerprints (Charikar 2002; Manku, Jain, Das Sarma 2007)
 *   combined   minhash's, kept when their fingerprints are not far apart either (Henzinger 2006, section 5)
 */
import { likelyContainers } from './containers.ts';
import { FileComparer, type FileOverlap, type KnownOverlaps } from './fileOverlap.ts';
import { type FileSketch, readSketch } from '../documents/fileSketch.ts';
import type { DocumentIndex } from '../documents/documents.ts';
import type { Kernel } from '../kernel.ts';
import { type Nomination, nominateByMinhash, nominateBySimhash } from './nominateFiles.ts';
import type { Options } from '../options.ts';
import { Pace } from '../steps.ts';
import { tuning } from '../tuning.ts';

/** Two places in `members`, a < b, and what the documents have in common. */
export interface FileLink {
  readonly a: number;
  readonly b: number;
  readonly overlap: FileOverlap;
}

export interface FileCluster {
  /** equal: token by token. near: alike by the method. inside: one of two documents lies in the other, which has more. */
  readonly type: 'equal' | 'near' | 'inside';
  /** Places in the list of documents, ascending; two or more. */
  readonly members: readonly number[];
  /** Of a small cluster all pairs, of a large one those with the leader. */
  readonly links: readonly FileLink[];
}

/**
 * The clusters of documents, in no particular order but always the same for the same documents. In steps of some
 * milliseconds.
 *
 * Cost: the sketches, and some comparisons a document. Memory that it allocates is not given back.
 *
 * @param known  comparisons of earlier calls with the same options; it is added to
 */
export function* clusterFilesSteps(
  kernel: Kernel,
  documents: readonly DocumentIndex[],
  options: Options,
  known: KnownOverlaps,
): Generator<void, FileCluster[]> {
  const comparer = new FileComparer(kernel, options, known, 'arena');
  const { pace } = comparer;
  const classes = yield* equalDocuments(kernel, documents);
  const heads = classes.map(([first]) => documents[first]);
  const overlap = (a: number, b: number): FileOverlap => comparer.overlap(heads[a], heads[b]);
  const nominations = yield* nominate(kernel, heads, options);
  const alike = (a: number, b: number): boolean => comparer.areAlike(heads[a], heads[b]);
  const gatherings = yield* gather(heads.length, nominations, alike, pace);
  const clusters: FileCluster[] = [];
  for (const gathering of gatherings) {
    if (gathering.length === 1 && classes[gathering[0]].length === 1) continue;
    clusters.push(clusterOf(gathering, classes, overlap));
    if (pace.isDue(1)) yield;
  }
  for (const { inner, outer } of yield* findInside(kernel, heads, gatherings, overlap, pace)) {
    clusters.push(insideCluster(classes[inner][0], classes[outer][0], overlap(inner, outer)));
  }
  return clusters;
}

/** Documents with sketches in classes of those equal token by token, by place; a class begins with its least place. */
function* equalDocuments(kernel: Kernel, documents: readonly DocumentIndex[]): Generator<void, number[][]> {
  const pace = new Pace();
  const classes: number[][] = [];
  const byContent = new Map<string, number[][]>();
  for (const [place, document] of documents.entries()) {
    const sketch = readSketch(kernel, document);
    if (sketch === undefined) continue;
    if (pace.isDue(2)) yield;
    const content = contentKey(document, sketch);
    const similar = byContent.get(content) ?? [];
    const own = similar.find(([first]) => equalTokens(kernel, documents[first], document));
    if (own !== undefined) {
      own.push(place);
      if (pace.isDue(document.tokenCount >>> 10)) yield;
      continue;
    }
    const opened = [place];
    classes.push(opened);
    similar.push(opened);
    byContent.set(content, similar);
  }
  return classes;
}

/** Equal for documents that are equal token by token, and for few others. */
export function contentKey({ tokenCount, prose }: DocumentIndex, { high, low }: FileSketch): string {
  return `${tokenCount} ${high} ${low} ${prose}`;
}

/** Whether two documents of as many tokens are equal token by token. */
export function equalTokens({ words }: Kernel, a: DocumentIndex, b: DocumentIndex): boolean {
  const [x, y] = [a.tokens >>> 2, b.tokens >>> 2];
  for (let i = 0; i < a.tokenCount; i++) if (words[x + i] !== words[y + i]) return false;
  return true;
}

/** Pairs of documents that the method may find alike. Prose is compared with prose only: its shingles are others. */
function* nominate(
  kernel: Kernel,
  heads: readonly DocumentIndex[],
  { method }: Options,
): Generator<void, Nomination[]> {
  const all: Nomination[] = [];
  for (const prose of [true, false]) {
    const places = heads.flatMap((head, place) => (head.prose === prose ? [place] : []));
    const sketches = places.map((place) => readSketch(kernel, heads[place])!);
    const { least, farthest } = tuning.files[method];
    const nominations = yield* method === 'simhash'
      ? nominateBySimhash(sketches, farthest)
      : nominateByMinhash(sketches, least);
    for (const { a, b, nearness } of nominations) all.push({ a: places[a], b: places[b], nearness });
  }
  return all;
}

/**
 * Joins `count` items along pairs, in their order. Two gatherings become one when each member of the smaller is alike to the
 * leader of the larger.
 *
 * @param pace  what `alike` counts its work by
 * @returns  the gatherings, the leader first, those of one as well
 */
export function* gather(
  count: number,
  pairs: readonly Nomination[],
  alike: (a: number, b: number) => boolean,
  pace: Pace,
): Generator<void, number[][]> {
  const gatherings: (number[] | undefined)[] = Array.from({ length: count }, (_, item) => [item]);
  const home = Int32Array.from({ length: count }, (_, item) => item);
  const refused = new Set<number>();
  for (const { a, b } of pairs) {
    if (pace.isDue(1)) yield;
    const [x, y] = [gatherings[home[a]]!, gatherings[home[b]]!];
    if (x === y) continue;
    const [larger, smaller] = x.length >= y.length ? [x, y] : [y, x];
    // Of a crowd that is not alike to another, one member says so for all.
    const both = larger[0] * count + smaller[0];
    if (refused.has(both)) continue;
    let isAlike = true;
    for (const member of smaller) {
      isAlike = alike(larger[0], member);
      if (!isAlike) break;
      if (pace.isDue(1)) yield;
    }
    if (!isAlike) {
      refused.add(both);
      continue;
    }
    gatherings[home[smaller[0]]] = undefined;
    for (const member of smaller) {
      home[member] = home[larger[0]];
      larger.push(member);
    }
  }
  return gatherings.filter((gathering) => gathering !== undefined);
}

/** What documents equal token by token have in common. */
const everything: FileOverlap = { resemblance: 1, containmentOfA: 1, containmentOfB: 1, distance: 0 };

export function clusterOf(
  gathering: readonly number[],
  classes: readonly (readonly number[])[],
  overlap: (a: number, b: number) => FileOverlap,
): FileCluster {
  const members = gathering
    .flatMap((head) => classes[head].map((place) => ({ head, place })))
    .sort((x, y) => x.place - y.place);
  const linked = (a: number, b: number): FileLink => ({
    a,
    b,
    overlap: members[a].head === members[b].head ? everything : overlap(members[a].head, members[b].head),
  });
  const leader = members.findIndex(({ head }) => head === gathering[0]);
  const links: FileLink[] = [];
  for (let a = 0; a < members.length; a++) {
    if (members.length <= tuning.files.verifyAll) for (let b = a + 1; b < members.length; b++) links.push(linked(a, b));
    else if (a !== leader) links.push(linked(Math.min(a, leader), Math.max(a, leader)));
  }
  return {
    type: gathering.length === 1 ? 'equal' : 'near',
    members: members.map(({ place }) => place),
    links: links.sort((x, y) => x.a - y.a || x.b - y.b),
  };
}

/** Of the leaders and those that stand alone: which lie inside a larger document, and where most of each is. */
function* findInside(
  kernel: Kernel,
  heads: readonly DocumentIndex[],
  gatherings: readonly (readonly number[])[],
  overlap: (a: number, b: number) => FileOverlap,
  pace: Pace,
): Generator<void, { inner: number; outer: number }[]> {
  const { least } = tuning.files.containment;
  const leaders = gatherings.map(([leader]) => leader);
  const sketches = leaders.map((leader) => readSketch(kernel, heads[leader])!);
  const containersOf = yield* likelyContainers(sketches);
  const pairs = containersOf.flatMap((containers, place) => {
    const inner = leaders[place];
    return containers
      .map((container) => leaders[container])
      .filter((outer) => isLarger(heads[outer], heads[inner]))
      .map((outer) => ({ inner, outer }));
  });
  // Those of one container together: it is gathered once for all.
  pairs.sort((x, y) => x.outer - y.outer || x.inner - y.inner);
  const best = new Map<number, { inner: number; outer: number; share: number }>();
  for (const { inner, outer } of pairs) {
    if (pace.isDue(1)) yield;
    const share = overlap(inner, outer).containmentOfA;
    if (share < least) continue;
    const other = best.get(inner);
    const isBetter =
      other === undefined ||
      share > other.share ||
      (share === other.share && heads[outer].tokenCount < heads[other.outer].tokenCount);
    if (isBetter) best.set(inner, { inner, outer, share });
  }
  return [...best.values()];
}

export function isLarger(outer: DocumentIndex, inner: DocumentIndex): boolean {
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
