/**
 * A cluster contains the passages that a reader would consider copies of the same text. The two sides of each match are
 * passages; strongly overlapping passages are joined into one. Passages connected by matches form a cluster if each
 * matches its leader (leader clustering: Hartigan 1975, chapter 3). A passage that resembles only a neighbor of a
 * neighbor is not included.
 *
 * Clusters are updated incrementally. The passages of a document depend only on its own matches. Clusters depend on the
 * matches of their component, which is a set of passages connected by matches. A cluster is hidden if it is nested in
 * another one.
 */
import { groupBy } from '../../collections/lists.ts';
import { comparisonWords, writeComparison } from './comparedPassages.ts';
import { matchDocAWord, matchLongestWord } from '../../kernel/matches/matchRecordLayout.ts';
import { type MatchChanges, MatchedPassages } from './matchedPassages.ts';
import { type Match, similarityOf, type TokenRange } from '../matches/matchRecord.ts';
import { grown } from '../grown.ts';
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
export type Verify = (a: TokenRange, b: TokenRange) => Match | undefined;

/** Clusters that an update hides (`gone`) and shows (`come`). */
export interface ClusterChanges {
  readonly gone: readonly KeptCluster[];
  readonly come: readonly KeptCluster[];
  /** Unchanged clusters whose component may have changed. */
  readonly regathered: readonly KeptCluster[];
}

/** Passages and links. */
interface Linked {
  /** Numbers of the passages in the table, in the order of the cluster. */
  readonly passages: readonly number[];
  /** For each link, three numbers: the indices of its two passages, and the row of its match in the table. */
  readonly links: readonly number[];
}

/** A stored cluster. This object is replaced if the cluster or the text of its documents changes. */
export interface KeptCluster extends Linked {
  /** Passages and links of the component that determine the cluster. A cluster of one match has no such passages. */
  readonly gathered: Linked;
  /** True if no other cluster contains these passages, because they have the extents of this cluster's matches. */
  readonly isOwn: boolean;
  isShown: boolean;
  /**
   * Identity of the component. All clusters of a component share this object. If one of them changes, all of them get a
   * new object.
   */
  component: object;
}

/** Passages connected by matches, and their clusters. */
interface Component {
  readonly passages: readonly number[];
  readonly clusters: KeptCluster[];
}

/** Returns the previous cluster with the same passages and links, if there is one. */
type FindKept = (gathered: Linked) => KeptCluster | undefined;

/** Fixed cost of comparing two passages, in addition to the cost per token. */
const unitsOfVerifying = 20;

/** Passages that may become a cluster, leader first. */
type Gathering = number[];

/**
 * Result of joining passages into gatherings, which are clusters in progress. For each passage of the component: its
 * gathering (`home`), and the passages that it overlaps.
 */
interface Joined {
  readonly passages: readonly number[];
  readonly home: Int32Array;
  readonly overlapping: Overlaps;
}

/** For each passage, the indices of the passages that overlap it by at least a token. */
type Overlaps = readonly (readonly number[] | undefined)[] | undefined;

export class Clusters {
  readonly #passages: MatchedPassages;
  readonly #table: MatchTable;
  readonly #nesting: Nesting<KeptCluster>;
  readonly #pairs: RowsByPair;
  readonly #components: (Component | undefined)[] = [];
  /** For each passage, its index in the list of passages being processed. */
  #places = new Int32Array(0);
  readonly #pace = new Pace();
  readonly #texts: Texts;
  /** Passages that only a removed cluster contained. They are released after the last use of their positions. */
  #ownGone: number[] = [];

  /**
   * @param rankOf  returns the rank of a document. Ranks may change, but the order of two unchanged documents must not
   */
  constructor(rankOf: (document: number) => number, texts: Texts) {
    this.#texts = texts;
    this.#passages = new MatchedPassages(rankOf, texts.samePassage.bind(texts));
    this.#table = this.#passages.table;
    this.#nesting = new Nesting(this.#table);
    this.#pairs = new RowsByPair(this.#table);
  }

  /**
   * Replaces the matches of changed documents, in steps of a few milliseconds. The caller must run the generator to
   * completion before calling any other method.
   */
  *updateSteps(changes: MatchChanges, verify: Verify): Generator<void, ClusterChanges> {
    yield* this.#passages.updateSteps(changes);
    const { before, after } = yield* this.#gatherAgain(verify);
    const shown = yield* this.#show(before, after);
    this.#passages.releaseNumbers();
    this.#release(this.#ownGone);
    this.#ownGone = [];
    return shown;
  }

  /** Returns the passages and links of a stored cluster. */
  read({ passages, links }: KeptCluster): Cluster {
    const table = this.#table;
    const read: Link[] = [];
    for (let i = 0; i < links.length; i += 3) {
      read.push({ a: links[i], b: links[i + 1], match: table.matchOf(links[i + 2]) });
    }
    return { passages: passages.map((passage) => table.rangeOf(passage)), links: read };
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

  /** Rebuilds the clusters of all changed components. */
  *#gatherAgain(verify: Verify): Generator<void, { before: Set<KeptCluster>; after: KeptCluster[] }> {
    const pace = this.#pace;
    const components = this.#components;
    const { gone } = this.#passages;
    const { before, dirty } = this.#takeApart();
    const keptByLinks = groupBy(before, ({ gathered }) => gathered.links[2]);
    const find = (gathered: Linked): KeptCluster | undefined =>
      keptByLinks.get(gathered.links[2])?.find((kept) => isSame(kept.gathered, gathered));
    const after: KeptCluster[] = [];
    this.#places = grown(this.#places, Math.max(this.#places.length, this.#table.passageRange));
    for (const passage of dirty) {
      if (gone.has(passage) || components[passage]) continue;
      const component: Component = { passages: this.#connect(passage), clusters: [] };
      if (pace.endsStep(component.passages.length)) yield;
      if (component.passages.length === 1 && !this.#passages.within.has(passage)) continue;
      for (const member of component.passages) components[member] = component;
      for (const gathering of yield* this.#gather(component.passages, verify)) {
        const gathered = yield* this.#linked(gathering, verify);
        component.clusters.push(find(gathered) ?? (yield* this.#makeCluster(gathered, component, verify)));
      }
      for (const own of yield* this.#ownClusters(component, find)) component.clusters.push(own);
      for (const cluster of component.clusters) {
        cluster.component = component;
        after.push(cluster);
      }
    }
    const kept = new Set(after);
    for (const cluster of before) if (cluster.isOwn && !kept.has(cluster)) this.#ownGone.push(...cluster.passages);
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
   * Finds matches of which every cluster omits a part: a long run of equal tokens, or a part of at least the minimum
   * size that the other members of a cluster do not have. Creates a cluster for each, with the match's extent.
   */
  *#ownClusters(component: Component, find: FindKept): Generator<void, KeptCluster[]> {
    const { passages, clusters } = component;
    const table = this.#table;
    const withRuns = new Set(passages.flatMap((passage) => this.#rowsWithRuns(passage)));
    const narrowed = new Set(clusters.flatMap((cluster) => this.#rowsOfNarrowed(cluster)));
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
        component,
      };
      held.add(kept.passages);
      own.push(kept);
    }
    return own;
  }

  /**
   * If the passages of a cluster may be shorter than its matches, returns the rows of the matches that seeds led to.
   * Otherwise returns an empty list.
   */
  #rowsOfNarrowed({ isOwn, gathered }: KeptCluster): number[] {
    if (!isOwn) return [];
    return gathered.links.filter((row, i) => i % 3 === 2 && this.#table.kinds[row] === found);
  }

  /**
   * Returns the rows of matches that have a long run of equal tokens, and whose left side is the given passage.
   * Includes matches with both sides in the passage.
   */
  #rowsWithRuns(passage: number): number[] {
    const table = this.#table;
    const rows = [...(this.#passages.within.get(passage) ?? [])];
    for (let half = table.first[passage]; half >= 0; half = table.next[half]) {
      if ((half & 1) === 0 && table.kinds[half >> 1] === found) rows.push(half >> 1);
    }
    const minLength = this.#texts.minEqual(table.documents[passage]);
    return rows.filter((row) => table.words[rowWords * row + matchLongestWord] >= minLength);
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
    return connected;
  }

  /**
   * Joins the passages of a component into gatherings along its matches. Then repeats this for matches that the
   * gatherings do not cover: matches with a long equal run whose passages are in different gatherings, and matches with
   * a passage in no gathering. So a passage may be in several gatherings.
   */
  *#gather(passages: readonly number[], verify: Verify): Generator<void, Gathering[]> {
    const table = this.#table;
    const pace = this.#pace;
    const rows = this.#bestRows(passages);
    const overlapping = this.#overlaps(passages);
    if (passages.length === 2) return overlapping ? [] : [[...passages]];
    if (pace.endsStep(rows.length)) yield;
    const similarities = Float64Array.from(rows, (row) => similarityOf(table.words, rowWords * row));
    const order = Uint32Array.from(rows, (_, i) => i);
    order.sort((x, y) => similarities[y] - similarities[x] || this.#passages.byScore(rows[x], rows[y]));
    if (pace.endsStep(4 * rows.length)) yield;
    const gathered: Gathering[] = [];
    const shown = new Set<number>();
    let left: readonly number[] = Array.from(order, (i) => rows[i]);
    while (left.length > 0) {
      const { gatherings, home } = yield* this.#join(passages, left, overlapping, verify);
      for (const gathering of gatherings) {
        gathered.push(gathering);
        for (const member of gathering) shown.add(member);
      }
      const joined = { passages, home, overlapping };
      left = left.filter((row) => this.#isLeftOut(row, shown, joined) || this.#isDrawnApart(row, joined));
    }
    return gathered;
  }

  /**
   * Returns true if one side of a match would not be shown: no gathering contains its passage, or a passage that
   * overlaps it.
   */
  #isLeftOut(row: number, gathered: ReadonlySet<number>, { passages, overlapping }: Joined): boolean {
    const { left, right } = this.#table;
    const [x, y] = [this.#places[left[row]], this.#places[right[row]]];
    if (overlapping?.[x]?.includes(y)) return false;
    const isShownNowhere = (place: number): boolean =>
      !gathered.has(passages[place]) && !overlapping?.[place]?.some((other) => gathered.has(passages[other]));
    return isShownNowhere(x) || isShownNowhere(y);
  }

  /**
   * Returns true if a match has a long equal run, but no gathering contains both of its sides. Returns false if its
   * passages overlap, because a gathering cannot contain both.
   */
  #isDrawnApart(row: number, { passages, home, overlapping }: Joined): boolean {
    const { left, right, words } = this.#table;
    const longest = words[rowWords * row + matchLongestWord];
    if (longest < this.#texts.minEqualOfAll) return false;
    const [x, y] = [this.#places[left[row]], this.#places[right[row]]];
    if (home[x] === home[y] || longest < this.#texts.minEqual(words[rowWords * row + matchDocAWord])) return false;
    if (overlapping === undefined) return true;
    if (overlapping[x]?.includes(y)) return false;
    const around = (place: number): number[] => {
      const others = overlapping[place]?.filter((other) => this.#holdsMost(passages[other], passages[place]));
      return [home[place], ...(others ?? []).map((other) => home[other])];
    };
    const aroundY = around(y);
    return !around(x).some((gathering) => aroundY.includes(gathering));
  }

  /** Returns true if one passage contains most of the other. Both must be of the same document. */
  #holdsMost(outer: number, inner: number): boolean {
    const { documents, starts, ends } = this.#table;
    if (documents[outer] !== documents[inner]) return false;
    const shared = Math.min(ends[outer], ends[inner]) - Math.max(starts[outer], starts[inner]);
    return shared >= constants.groups.inside * (ends[inner] - starts[inner]);
  }

  /**
   * Joins passages along matches, most similar first. Two gatherings are merged only if each member of the smaller one
   * matches the leader of the larger one, so that a weak match never separates a passage from its closest relatives.
   * Gatherings whose passages overlap are not merged, because a copy cannot overlap its original.
   *
   * @returns the gatherings, and for each passage the one that it is in
   */
  *#join(
    passages: readonly number[],
    rows: readonly number[],
    overlapping: Overlaps,
    verify: Verify,
  ): Generator<void, { gatherings: Gathering[]; home: Int32Array }> {
    const table = this.#table;
    const pace = this.#pace;
    const places = this.#places;
    const gatherings: (Gathering | undefined)[] = passages.map((passage) => [passage]);
    const home = Int32Array.from(passages, (_, place) => place);
    for (const row of rows) {
      if (pace.endsStep(1)) yield;
      const [x, y] = [home[places[table.left[row]]], home[places[table.right[row]]]];
      if (x === y) continue;
      const [target, source] = gatherings[x]!.length >= gatherings[y]!.length ? [x, y] : [y, x];
      const [larger, smaller] = [gatherings[target]!, gatherings[source]!];
      if (smaller.some((member) => overlapping?.[places[member]]?.some((place) => home[place] === target))) continue;
      let isAlike = true;
      for (const member of smaller) {
        // Call `#matched` before reading the columns of the table, because it may replace them.
        const compared = this.#matched(larger[0], member, verify);
        isAlike = table.kinds[compared] !== refused;
        if (!isAlike) break;
        if (pace.endsStep(0)) yield;
      }
      if (!isAlike) continue;
      gatherings[source] = undefined;
      for (const member of smaller) {
        home[places[member]] = target;
        larger.push(member);
      }
    }
    const isGathered = (gathering: Gathering | undefined): gathering is Gathering =>
      gathering !== undefined && gathering.length > 1;
    return { gatherings: gatherings.filter(isGathered), home };
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
   * For each passage, returns the indices of the other passages that overlap it. Returns `undefined` if none overlap.
   */
  #overlaps(passages: readonly number[]): Overlaps {
    const spans = passages.map((passage) => this.#texts.spanOf(this.#table.rangeOf(passage)));
    const ordered = Int32Array.from(passages, (_, place) => place);
    ordered.sort((x, y) => spans[x].text - spans[y].text || spans[x].from - spans[y].from);
    let lists: (number[] | undefined)[] | undefined;
    for (let i = 0; i < ordered.length; i++) {
      const place = ordered[i];
      for (let j = i + 1; j < ordered.length; j++) {
        const other = ordered[j];
        if (spans[other].text !== spans[place].text || spans[other].from >= spans[place].to) break;
        lists ??= passages.map(() => undefined);
        (lists[place] ??= []).push(other);
        (lists[other] ??= []).push(place);
      }
    }
    return lists;
  }

  /**
   * Returns the passages of a gathering in order, and the matches between them. If the gathering is small, compares all
   * pairs of passages. If it is large, uses only the matches that were found from seeds.
   */
  *#linked(gathering: Gathering, verify: Verify): Generator<void, Linked> {
    const { documents, starts, ends } = this.#table;
    const passages = [...gathering].sort(
      (x, y) => this.#passages.byRank(documents[x], documents[y]) || starts[x] - starts[y] || ends[x] - ends[y],
    );
    const links: number[] = [];
    const isSmall = passages.length <= constants.groups.verifyAll;
    for (const [a, passage] of passages.entries()) {
      const others = isSmall ? undefined : this.#matchedPlaces(passage, a, passages);
      const count = others?.length ?? passages.length - a - 1;
      for (let i = 0; i < count; i++) {
        const b = others?.[i] ?? a + 1 + i;
        const row = this.#matched(passage, passages[b], verify);
        if (this.#table.kinds[row] !== refused) links.push(a, b, row);
        if (this.#pace.endsStep(1)) yield;
      }
    }
    return { passages, links };
  }

  /**
   * Creates a cluster whose passages have the extents that its own matches give them. If passages with these extents
   * would overlap or no longer match, they keep the extents of their best matches.
   */
  *#makeCluster(gathered: Linked, component: Component, verify: Verify): Generator<void, KeptCluster> {
    const table = this.#table;
    const { passages, links } = gathered;
    const made = { gathered, passages, links, isOwn: false, isShown: false, component };
    const extents = sharedExtents(table, passages, links, this.#texts.isUnit.bind(this.#texts));
    if (extents.every((extent, i) => table.isAt(passages[i], extent)) || this.#overlap(extents)) return made;
    const own = extents.map((extent) => table.addPassageAt(extent));
    const ownLinks = yield* this.#linksWithin({ passages: own, links }, passages, verify);
    if (keepsLeader(own.length, links, ownLinks)) return { ...made, passages: own, links: ownLinks, isOwn: true };
    this.#release(own);
    return made;
  }

  /**
   * Returns the links between passages. Compares two passages again if their match extends beyond them, and leaves
   * their link out if they do not match.
   *
   * @param before  the passages with their previous extents
   */
  *#linksWithin({ passages, links }: Linked, before: readonly number[], verify: Verify): Generator<void, number[]> {
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
    return within;
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
    const spans = passages.map((passage) => this.#texts.spanOf(passage));
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
  #matched(x: number, y: number, verify: Verify): number {
    const storedTokens = this.#pairs.get(x, y);
    if (storedTokens >= 0) return storedTokens;
    const row = this.#compare(x, y, verify);
    this.#pairs.set(row);
    return row;
  }

  /** Compares two passages, and returns the row of the result. */
  #compare(x: number, y: number, verify: Verify): number {
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
    const gone = removed.filter((kept) => kept.isShown);
    const come: KeptCluster[] = [];
    for (const kept of nesting.around([...removed, ...added], added)) {
      if (pace.endsStep(kept.passages.length)) yield;
      const isShown = !nesting.isNested(kept);
      if (isShown !== kept.isShown) (isShown ? come : gone).push(kept);
      kept.isShown = isShown;
    }
    const regathered = [...stays].filter((kept) => kept.isShown);
    return { gone, come, regathered };
  }
}

/**
 * Returns true if each passage still has a link, and a passage that had the most links has all of them.
 *
 * @param count  number of passages
 * @param links  see `Linked`
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

/** Returns true if two clusters have the same passages and links. */
function isSame(x: Linked, y: Linked): boolean {
  return isEqual(x.links, y.links) && isEqual(x.passages, y.passages);
}

function holds(outer: TokenRange, inner: Range): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

function isEqual(x: readonly number[], y: readonly number[]): boolean {
  return x.length === y.length && x.every((number, i) => number === y[i]);
}
