/**
 * A cluster contains the passages that a reader would consider copies of the same text. The two sides of each match are
 * passages; strongly overlapping passages are joined into one. Passages connected by matches form a cluster if each
 * matches its leader (leader clustering: Hartigan 1975, chapter 3). A passage that resembles only a neighbor of a
 * neighbor is not included.
 *
 * Clusters are updated incrementally. The passages of a document depend only on its own matches. Clusters depend on the
 * matches of their component, which is a set of passages connected by matches. A cluster is hidden if it is nested in
 * another cluster.
 */
import { converted, groupBy } from '../../collections/lists.ts';
import { comparisonWords, writeComparison } from './comparedPassages.ts';
import {
  matchA0Word,
  matchA1Word,
  matchB0Word,
  matchB1Word,
  matchLongestWord,
} from '../../kernel/matches/matchRecordLayout.ts';
import { type MatchChanges, MatchedPassages } from './matchedPassages.ts';
import type { Match, TokenRange } from '../matches/matchRecord.ts';
import { grown } from '../grown.ts';
import { type Gathering, Gatherings } from './gatherings.ts';
import { found, type MatchTable, refused, RowsByPair, rowWords } from './matchTable.ts';
import { Nesting } from './nesting.ts';
import { Pace } from '../steps.ts';
import type { Texts } from './textSpans.ts';
import { HeldRuns } from './heldRuns.ts';
import { type Range, sharedExtents, sidesOf } from './sharedExtents.ts';
import { constants } from '../constants.ts';

/** Indices of two passages and their similarity; a < b. */
export interface Link {
  readonly a: number;
  readonly b: number;
  readonly match: Match;
}

export interface Cluster {
  /** Passages of the cluster, sorted by document, then by start. */
  readonly passages: readonly TokenRange[];
  readonly links: readonly Link[];
}

/** Aligns two passages from end to end. Returns `undefined` if the result is not worth showing as a match. */
export type MatchVerifier = (a: TokenRange, b: TokenRange) => Match | undefined;

/** Clusters that an update hides (`removed`) and shows (`added`). */
export interface ClusterChanges {
  readonly removed: readonly KeptCluster[];
  readonly added: readonly KeptCluster[];
  /** Unchanged clusters whose component may have changed. */
  readonly regathered: readonly KeptCluster[];
}

interface LinkedPassages {
  /** Numbers of the passages in the table, in the order of the cluster. */
  readonly passages: readonly number[];
  /** For each link, three numbers: the indices of its two passages, and the row of its match in the table. */
  readonly links: readonly number[];
}

/** A stored cluster. This object is replaced if the cluster or the text of its documents changes. */
export interface KeptCluster extends LinkedPassages {
  /** Passages and links of the component that determine the cluster. A cluster of one match has no such passages. */
  readonly gathered: LinkedPassages;
  /** True if no other cluster contains these passages, because they have the extents of this cluster's matches. */
  readonly isOwn: boolean;
  isShown: boolean;
  /**
   * Number of the component, which its clusters share. If one of them changes, all of them get a new number.
   * `undefined` if the component has one cluster.
   */
  family: number | undefined;
}

/** Passages connected by matches, and their clusters. */
interface Component {
  readonly passages: readonly number[];
  clusters: readonly KeptCluster[];
}

/** Returns the previous cluster with the same passages and links, if there is one. */
type KeptClusterSearch = (gathered: LinkedPassages) => KeptCluster | undefined;

/** Fixed cost of comparing two passages, in addition to the cost per token. */
const unitsOfVerifying = 20;

export class Clusters {
  readonly #passages: MatchedPassages;
  readonly #table: MatchTable;
  readonly #nesting: Nesting<KeptCluster>;
  readonly #pairs: RowsByPair;
  readonly #gatherings: Gatherings;
  readonly #components: (Component | undefined)[] = [];
  #lastFamily = 0;
  /** For each passage, its index in the list of passages being processed. */
  #places = new Int32Array(0);
  /** For each passage, the number of the cluster being processed that contains it, or 0. */
  #clusterOf = new Int32Array(0);
  readonly #pace = new Pace();
  readonly #texts: Texts;
  /** Passages that only a removed cluster contained. They are released after the last use of their positions. */
  #removedOwn: number[] = [];

  /**
   * @param rankOf  returns the rank of a document. Ranks may change, but the order of two unchanged documents must not
   */
  constructor(rankOf: (document: number) => number, texts: Texts) {
    this.#texts = texts;
    this.#passages = new MatchedPassages(rankOf, texts.samePassage.bind(texts));
    this.#table = this.#passages.table;
    this.#nesting = new Nesting(this.#table);
    this.#pairs = new RowsByPair(this.#table);
    this.#gatherings = new Gatherings(this.#table, texts, this.#pace);
  }

  /**
   * Replaces the matches of changed documents, in steps of a few milliseconds. The caller must run the generator to
   * completion before calling any other method.
   *
   * @param onGathered  receives the share of changed passages that have been clustered
   */
  *updateSteps(
    changes: MatchChanges,
    verify: MatchVerifier,
    onGathered?: (share: number) => void,
  ): Generator<void, ClusterChanges> {
    yield* this.#passages.updateSteps(changes);
    const { before, after } = yield* this.#gatherChanged(verify, onGathered);
    const shown = yield* this.#show(before, after);
    this.#passages.releaseNumbers();
    this.#release(this.#removedOwn);
    this.#removedOwn = [];
    return shown;
  }

  /** Returns the passages and links of a stored cluster. */
  read({ passages, links }: KeptCluster): Cluster {
    const table = this.#table;
    const read: Link[] = [];
    for (let i = 0; i < links.length; i += 3) {
      read.push({ a: links[i], b: links[i + 1], match: table.matchOf(links[i + 2]) });
    }
    return { passages: converted(passages, (passage) => table.rangeOf(passage)), links: read };
  }

  /** Returns all comparisons of passages that no seed connects, in the format of `ComparedPassages`, in any order. */
  comparedPassages(): Uint32Array {
    const table = this.#table;
    const rows = table.comparedRows();
    const words = new Uint32Array(comparisonWords * rows.length);
    for (const [place, row] of rows.entries()) {
      const [x, y] = [table.rangeOf(table.left[row]), table.rangeOf(table.right[row])];
      const isInOrder = (this.#passages.byRank(x.document, y.document) || x.start - y.start) <= 0;
      const match = table.kinds[row] === refused ? undefined : table.matchOf(row);
      writeComparison(words, place * comparisonWords, isInOrder ? x : y, isInOrder ? y : x, match);
    }
    return words;
  }

  /** Makes the clusters of all changed components. Each component is gathered once. */
  *#gatherChanged(
    verify: MatchVerifier,
    onGathered?: (share: number) => void,
  ): Generator<void, { before: Set<KeptCluster>; after: KeptCluster[] }> {
    const pace = this.#pace;
    const components = this.#components;
    const { removedPassages } = this.#passages;
    const { before, dirty } = this.#takeApart();
    const keptByLinks = groupBy(before, ({ gathered }) => gathered.links[2]);
    const find = (gathered: LinkedPassages): KeptCluster | undefined =>
      keptByLinks.get(gathered.links[2])?.find((kept) => isSame(kept.gathered, gathered));
    const after: KeptCluster[] = [];
    const { passageRange } = this.#table;
    if (passageRange > this.#places.length) {
      this.#places = grown(this.#places, 2 * passageRange);
      this.#clusterOf = grown(this.#clusterOf, 2 * passageRange);
    }
    // An array without holes stays fast.
    while (components.length < passageRange) components.push(undefined);
    for (const [i, passage] of dirty.entries()) {
      if (removedPassages.has(passage) || components[passage]) continue;
      onGathered?.(i / dirty.length);
      const component: Component = { passages: this.#connect(passage), clusters: [] };
      if (pace.endsStep(component.passages.length)) yield;
      if (component.passages.length === 1) continue;
      for (const member of component.passages) components[member] = component;
      const sole = this.#soleMatch(component.passages);
      component.clusters = sole ? [find(sole) ?? keptOf(sole)] : yield* this.#gather(component.passages, find, verify);
      const family = component.clusters.length > 1 ? ++this.#lastFamily : undefined;
      for (const cluster of component.clusters) {
        cluster.family = family;
        after.push(cluster);
      }
    }
    const kept = new Set(after);
    for (const cluster of before) if (cluster.isOwn && !kept.has(cluster)) this.#removedOwn.push(...cluster.passages);
    return { before, after };
  }

  /** Removes the components that have changed. Returns their clusters and passages. */
  #takeApart(): { before: Set<KeptCluster>; dirty: readonly number[] } {
    const components = this.#components;
    const { touched } = this.#passages;
    const old = new Set<Component>();
    for (const passage of touched.list) {
      const component = components[passage];
      if (component) old.add(component);
    }
    for (const component of old) for (const passage of component.passages) touched.add(passage);
    const dirty = touched.empty();
    for (const passage of dirty) components[passage] = undefined;
    return { before: new Set([...old].flatMap((component) => component.clusters)), dirty };
  }

  /**
   * Most components have two passages with one match. If the passages have exactly its extents, they are the only
   * cluster. Returns them in order, or `undefined` for any other component.
   */
  #soleMatch(passages: readonly number[]): LinkedPassages | undefined {
    const { first, next, kinds, left, right, documents, starts, ends } = this.#table;
    if (passages.length !== 2) return undefined;
    const [x, y] = passages;
    const row = first[x] >> 1;
    const isSole = next[first[x]] < 0 && next[first[y]] < 0 && first[y] >> 1 === row && kinds[row] === found;
    if (!isSole || !this.#hasExtents(row, left[row], right[row])) return undefined;
    if (this.#overlap([this.#table.rangeOf(x), this.#table.rangeOf(y)])) return undefined;
    const order = this.#passages.byRank(documents[x], documents[y]) || starts[x] - starts[y] || ends[x] - ends[y];
    return { passages: order <= 0 ? [x, y] : [y, x], links: [0, 1, row] };
  }

  /** Returns the clusters of the passages of a component. */
  *#gather(
    passages: readonly number[],
    find: KeptClusterSearch,
    verify: MatchVerifier,
  ): Generator<void, readonly KeptCluster[]> {
    const clusters: KeptCluster[] = [];
    const connected = { passages, places: this.#places, rows: this.#bestRows(passages) };
    const comparison = {
      matched: (x: number, y: number) => this.#matched(x, y, verify),
      byScore: (rowX: number, rowY: number) => this.#passages.byScore(rowX, rowY),
    };
    for (const gathering of yield* this.#gatherings.gatherSteps(connected, comparison)) {
      const gathered = yield* this.#linked(gathering, verify);
      clusters.push(find(gathered) ?? (yield* this.#makeCluster(gathered, verify)));
    }
    return clusters.concat(yield* this.#ownClusters(passages, clusters, find));
  }

  /**
   * Finds matches of which every cluster omits a part: a long run of equal tokens, or a part of at least the minimum
   * size that the other members of a cluster do not have. Creates a cluster for each, with the match's extent.
   */
  *#ownClusters(
    passages: readonly number[],
    clusters: readonly KeptCluster[],
    find: KeptClusterSearch,
  ): Generator<void, KeptCluster[]> {
    const table = this.#table;
    const withRuns = new Set(this.#rowsNotHeld(this.#rowsWithRuns(passages), clusters));
    const narrowed = new Set(
      this.#rowsNotHeld(
        clusters.flatMap((cluster) => this.#rowsOfNarrowed(cluster)),
        clusters,
      ),
    );
    const rows = [...new Set([...withRuns, ...narrowed])];
    if (rows.length === 0) return [];
    const held = new HeldRuns(table, this.#texts);
    for (const { passages: members } of clusters) held.add(members);
    const own: KeptCluster[] = [];
    for (const row of rows.sort((x, y) => this.#passages.byScore(x, y))) {
      const { a, b } = this.#endsOf(row);
      if (this.#pace.endsStep(1)) yield;
      if (this.#overlap([a, b])) continue;
      if ((!withRuns.has(row) || held.hasAllOf(a, b)) && (!narrowed.has(row) || held.hasMostOf(a, b))) continue;
      const links = [0, 1, row];
      const gathered = { passages: [], links };
      const kept = find(gathered) ?? {
        passages: [table.addPassageAt(a), table.addPassageAt(b)],
        links,
        gathered,
        isOwn: true,
        isShown: false,
        family: undefined,
      };
      held.add(kept.passages);
      own.push(kept);
    }
    return own;
  }

  /**
   * Returns the rows of matches, without those that lie in two passages of one cluster. If a passage is in several
   * clusters, only the last one is examined, so the result may contain too many rows.
   */
  #rowsNotHeld(rows: readonly number[], clusters: readonly KeptCluster[]): number[] {
    if (rows.length === 0) return [];
    const { left, right } = this.#table;
    const clusterOf = this.#clusterOf;
    const places = this.#places;
    for (let i = 0; i < clusters.length; i++) {
      const { passages } = clusters[i].gathered;
      for (let place = 0; place < passages.length; place++) {
        clusterOf[passages[place]] = i + 1;
        places[passages[place]] = place;
      }
    }
    const notHeld = rows.filter((row) => {
      const [x, y] = [left[row], right[row]];
      if (clusterOf[x] === 0 || clusterOf[x] !== clusterOf[y]) return true;
      const { passages } = clusters[clusterOf[x] - 1];
      return !this.#isWithin(row, passages[places[x]], passages[places[y]]);
    });
    for (const { gathered } of clusters) for (const passage of gathered.passages) clusterOf[passage] = 0;
    return notHeld;
  }

  /** Returns true if the sides of a match from seeds lie in two passages. */
  #isWithin(row: number, x: number, y: number): boolean {
    const { words, starts, ends } = this.#table;
    const at = rowWords * row;
    return (
      starts[x] <= words[at + matchA0Word] &&
      words[at + matchA1Word] <= ends[x] &&
      starts[y] <= words[at + matchB0Word] &&
      words[at + matchB1Word] <= ends[y]
    );
  }

  /** Returns true if two passages have exactly the extents of a match from seeds. */
  #hasExtents(row: number, x: number, y: number): boolean {
    const { words, starts, ends } = this.#table;
    const at = rowWords * row;
    return (
      starts[x] === words[at + matchA0Word] &&
      ends[x] === words[at + matchA1Word] &&
      starts[y] === words[at + matchB0Word] &&
      ends[y] === words[at + matchB1Word]
    );
  }

  /**
   * If the passages of a cluster may be shorter than its matches, returns the rows of the matches that seeds led to.
   * Otherwise returns an empty list.
   */
  #rowsOfNarrowed({ isOwn, gathered }: KeptCluster): number[] {
    if (!isOwn) return [];
    return gathered.links.filter((row, i) => i % 3 === 2 && this.#table.kinds[row] === found);
  }

  /** Returns the rows of matches within a component that have a long run of equal tokens. */
  #rowsWithRuns(passages: readonly number[]): number[] {
    const { first, next, kinds, words, documents } = this.#table;
    const { minEqualOfAll } = this.#texts;
    const rows: number[] = [];
    for (const passage of passages) {
      for (let half = first[passage]; half >= 0; half = next[half]) {
        const row = half >> 1;
        // Each row is in the lists of both of its passages, so visit it only once.
        if ((half & 1) === 1 || kinds[row] !== found) continue;
        const longest = words[rowWords * row + matchLongestWord];
        if (longest >= minEqualOfAll && longest >= this.#texts.minEqual(documents[passage])) rows.push(row);
      }
    }
    return rows;
  }

  /**
   * Returns the passage and all passages connected with it by matches, directly or indirectly. Sets the index of each
   * in `places`.
   */
  #connect(first: number): number[] {
    const table = this.#table;
    const places = this.#places;
    const connected = [first];
    places[first] = 0;
    const isIn = (passage: number): boolean => connected[places[passage]] === passage;
    // The loop appends to the list that it iterates.
    for (const passage of connected) {
      for (let half = table.first[passage]; half >= 0; half = table.next[half]) {
        if (table.kinds[half >> 1] !== found) continue;
        const other = table.otherEnd(half);
        if (isIn(other)) continue;
        places[other] = connected.length;
        connected.push(other);
      }
    }
    return connected.slice();
  }

  /**
   * Returns the row of the best match of each pair of passages in a component. Stores these rows and the rows of
   * earlier comparisons in `#pairs`.
   */
  #bestRows(passages: readonly number[]): number[] {
    const table = this.#table;
    const pairs = this.#pairs;
    pairs.empty(2 * passages.length);
    const all: number[] = [];
    for (const passage of passages) {
      for (let half = table.first[passage]; half >= 0; half = table.next[half]) {
        // Each row is in the lists of both of its passages, so visit it only once.
        if ((half & 1) === 1) continue;
        const row = half >> 1;
        const other = pairs.get(passage, table.right[row]);
        if (table.kinds[row] === found) all.push(row);
        const isBetter =
          other < 0 ||
          table.kinds[other] !== found ||
          (table.kinds[row] === found && this.#passages.byScore(row, other) < 0);
        if (isBetter) pairs.set(row);
      }
    }
    return all.filter((row) => pairs.get(table.left[row], table.right[row]) === row);
  }

  /**
   * Returns the passages of a gathering in order, and the matches between them. If the gathering is small, compares all
   * pairs of passages. If it is large, uses only the matches that were found from seeds.
   */
  *#linked(gathering: Gathering, verify: MatchVerifier): Generator<void, LinkedPassages> {
    const { documents, starts, ends } = this.#table;
    const passages = gathering
      .slice()
      .sort((x, y) => this.#passages.byRank(documents[x], documents[y]) || starts[x] - starts[y] || ends[x] - ends[y]);
    const links: number[] = [];
    const isSmall = passages.length <= constants.groups.verifyAll;
    for (let a = 0; a < passages.length; a++) {
      const passage = passages[a];
      const others = isSmall ? undefined : this.#matchedPlaces(passage, a, passages);
      const count = others?.length ?? passages.length - a - 1;
      for (let i = 0; i < count; i++) {
        const b = others?.[i] ?? a + 1 + i;
        const row = this.#matched(passage, passages[b], verify);
        if (this.#table.kinds[row] !== refused) links.push(a, b, row);
        if (this.#pace.endsStep(1)) yield;
      }
    }
    return { passages, links: links.slice() };
  }

  /**
   * Creates a cluster whose passages have the extents that its own matches give them. If passages with these extents
   * would overlap or no longer match, they keep the extents of their best matches.
   */
  *#makeCluster(gathered: LinkedPassages, verify: MatchVerifier): Generator<void, KeptCluster> {
    const table = this.#table;
    const { passages, links } = gathered;
    const made = keptOf(gathered);
    if (this.#haveExtents(links)) return made;
    const extents = sharedExtents(table, passages, links, this.#texts.isUnit.bind(this.#texts));
    if (extents.every((extent, i) => table.isAt(passages[i], extent)) || this.#overlap(extents)) return made;
    const own = converted(extents, (extent) => table.addPassageAt(extent));
    const ownLinks = yield* this.#linksWithin({ passages: own, links }, passages, verify);
    if (keepsLeader(own.length, links, ownLinks)) return { ...made, passages: own, links: ownLinks, isOwn: true };
    this.#release(own);
    return made;
  }

  /** Returns true if all passages of a cluster have the extents of all of its matches from seeds. */
  #haveExtents(links: readonly number[]): boolean {
    const { kinds, left, right } = this.#table;
    for (let i = 2; i < links.length; i += 3) {
      const row = links[i];
      if (kinds[row] === found && !this.#hasExtents(row, left[row], right[row])) return false;
    }
    return true;
  }

  /**
   * Returns the links between passages. Compares two passages again if their match extends beyond them, and leaves
   * their link out if they do not match.
   *
   * @param before  the passages with their previous extents
   */
  *#linksWithin(
    { passages, links }: LinkedPassages,
    before: readonly number[],
    verify: MatchVerifier,
  ): Generator<void, number[]> {
    const table = this.#table;
    const within: number[] = [];
    for (let i = 0; i < links.length; i += 3) {
      const [a, b, row] = [links[i], links[i + 1], links[i + 2]];
      const sides = sidesOf(table, row, before[a]);
      const isWithin = holds(table.rangeOf(passages[a]), sides[0]) && holds(table.rangeOf(passages[b]), sides[1]);
      const compared = isWithin ? row : this.#compare(passages[a], passages[b], verify);
      if (table.kinds[compared] !== refused) within.push(a, b, compared);
      if (this.#pace.endsStep(1)) yield;
    }
    return within.slice();
  }

  /** Releases passages that only one cluster contains, and the rows of their comparisons. */
  #release(own: readonly number[]): void {
    const table = this.#table;
    for (const passage of own) {
      for (let half = table.first[passage]; half >= 0; half = table.next[half]) {
        if ((half & 1) === 0) table.releaseRow(half >> 1);
      }
    }
    for (const passage of own) table.releasePassage(passage);
  }

  /** Returns true if any two passages have text in common. */
  #overlap(passages: readonly TokenRange[]): boolean {
    const spans = converted(passages, (passage) => this.#texts.spanOf(passage));
    spans.sort((x, y) => x.text - y.text || x.from - y.from);
    return spans.some(({ text, from }, i) => i > 0 && spans[i - 1].text === text && from < spans[i - 1].to);
  }

  #endsOf(row: number): { a: TokenRange; b: TokenRange } {
    const { docA, a0, a1, docB, b0, b1 } = this.#table.matchOf(row);
    return { a: { document: docA, start: a0, end: a1 }, b: { document: docB, start: b0, end: b1 } };
  }

  /**
   * Returns the indices of a cluster's passages with which seeds have matched the given passage. Only indices greater
   * than `a`, ascending.
   */
  #matchedPlaces(passage: number, a: number, passages: readonly number[]): number[] {
    const table = this.#table;
    const places = this.#places;
    if (a === 0) passages.forEach((member, place) => (places[member] = place));
    const others = new Set<number>();
    for (let half = table.first[passage]; half >= 0; half = table.next[half]) {
      const other = table.otherEnd(half);
      const b = places[other];
      if (table.kinds[half >> 1] === found && b > a && passages[b] === other) others.add(b);
    }
    return [...others].sort((x, y) => x - y);
  }

  /**
   * Returns the row for a pair of passages, even if they do not match. If the pair was not compared before, compares
   * the passages now.
   */
  #matched(x: number, y: number, verify: MatchVerifier): number {
    const storedRow = this.#pairs.get(x, y);
    if (storedRow >= 0) return storedRow;
    const row = this.#compare(x, y, verify);
    this.#pairs.set(row);
    return row;
  }

  /** Compares two passages, and returns the row of the result. */
  #compare(x: number, y: number, verify: MatchVerifier): number {
    const table = this.#table;
    const [rangeX, rangeY] = [table.rangeOf(x), table.rangeOf(y)];
    // Only count the work here. The caller decides when to yield.
    this.#pace.count(unitsOfVerifying + Math.max(rangeX.end - rangeX.start, rangeY.end - rangeY.start) / 4);
    return table.addLooked(x, y, verify(rangeX, rangeY));
  }

  /** Returns the clusters to show: all except those nested in others. */
  *#show(before: ReadonlySet<KeptCluster>, after: readonly KeptCluster[]): Generator<void, ClusterChanges> {
    const nesting = this.#nesting;
    const pace = this.#pace;
    const stays = new Set(after.filter((kept) => before.has(kept)));
    const removed = [...before].filter((kept) => !stays.has(kept));
    const added = after.filter((kept) => !stays.has(kept));
    for (const kept of removed) nesting.remove(kept);
    yield;
    for (const kept of added) {
      nesting.add(kept);
      if (pace.endsStep(kept.passages.length)) yield;
    }
    const hidden = removed.filter((kept) => kept.isShown);
    const shown: KeptCluster[] = [];
    for (const kept of nesting.around([...removed, ...added], added)) {
      if (pace.endsStep(kept.passages.length)) yield;
      const isShown = !nesting.isNested(kept);
      if (isShown !== kept.isShown) (isShown ? shown : hidden).push(kept);
      kept.isShown = isShown;
    }
    const regathered = [...stays].filter((kept) => kept.isShown);
    return { removed: hidden, added: shown, regathered };
  }
}

/** Returns a cluster with the given passages and links, which is not shown yet. */
function keptOf(gathered: LinkedPassages): KeptCluster {
  const { passages, links } = gathered;
  return { gathered, passages, links, isOwn: false, isShown: false, family: undefined };
}

/**
 * Returns true if each passage still has a link, and a passage that had the most links has all of them.
 *
 * @param count  number of passages
 * @param links  see `LinkedPassages`
 */
function keepsLeader(count: number, links: readonly number[], kept: readonly number[]): boolean {
  if (kept.length === links.length) return true;
  const [before, after] = [degrees(count, links), degrees(count, kept)];
  const maxDegree = before.reduce((x, y) => Math.max(x, y));
  return after.every((degree) => degree > 0) && after.includes(maxDegree);
}

/** Returns the number of links of each passage. */
function degrees(count: number, links: readonly number[]): Int32Array {
  const numbers = new Int32Array(count);
  for (let i = 0; i < links.length; i += 3) {
    numbers[links[i]]++;
    numbers[links[i + 1]]++;
  }
  return numbers;
}

function isSame(x: LinkedPassages, y: LinkedPassages): boolean {
  return isEqual(x.links, y.links) && isEqual(x.passages, y.passages);
}

function holds(outer: TokenRange, inner: Range): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

function isEqual(x: readonly number[], y: readonly number[]): boolean {
  return x.length === y.length && x.every((number, i) => number === y[i]);
}
