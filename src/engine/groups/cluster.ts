/**
 * Clusters: passages that a person would call one thing. Ends of matches that overlap strongly are one passage; passages
 * connected by matches form a cluster when each matches its leader (leader clustering: Hartigan 1975, chapter 3), so that
 * what resembles only a neighbour of a neighbour is not forced in.
 *
 * They are kept, and what depends on matches that come or go is made again: the passages of a document depend on the
 * matches that end in it, clusters on the passages that matches connect with each other (a component), and whether a
 * cluster is shown on the clusters that lie over it.
 */
import { docAWord, longestWord, recordWords } from '../../kernel/matches/matchLayout.ts';
import { type MatchChanges, MatchedPassages, recordsOnly } from './matchedPassages.ts';
import { type Match, similarityOf, type TokenRange, writeMatch } from '../matches/matchRecord.ts';
import { grown } from '../grown.ts';
import { found, type MatchTable, refused, RowsByPair, rowWords } from './matchTable.ts';
import { Nesting } from './nesting.ts';
import { lastOf, Pace } from '../steps.ts';
import { type Texts, unknownTexts } from './textSpans.ts';
import { HeldRuns } from './heldRuns.ts';
import { tuning } from '../tuning.ts';

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

/** Clusters that are shown no longer, and others that now are. */
export interface ClusterChanges {
  readonly gone: readonly KeptCluster[];
  readonly come: readonly KeptCluster[];
  /** Clusters that are shown as before, and may have another component now. */
  readonly regathered: readonly KeptCluster[];
}

/** A cluster as it is kept: the same object for as long as neither it nor its documents' text changes. */
export interface KeptCluster {
  /** By number in the table, in the order of the cluster. */
  readonly passages: readonly number[];
  /** Of each link the two places in `passages`, and its row in the table. */
  readonly links: readonly number[];
  /** Whether it is one match with passages of its own, which no other cluster has: they have the match's extent. */
  readonly isOwn: boolean;
  isShown: boolean;
  /** The same object for all clusters of passages that matches connect with each other; another one when some of these change. */
  component: object;
}

/**
 * The clusters of matches, in no particular order but always the same for the same matches.
 *
 * @param leastEqual  tokens equal in a row that are never left without a cluster
 */
export function cluster(matches: readonly Match[], verify: Verify, leastEqual: number): readonly Cluster[] {
  const records = new Uint32Array(matches.length * recordWords);
  matches.forEach((match, i) => writeMatch(records, i * recordWords, match));
  const places = matches.map((_, i) => i * recordWords);
  const clusters = new Clusters((document) => document, unknownTexts(leastEqual));
  return clusters.update(recordsOnly(records, places), verify).come.map((kept) => clusters.read(kept));
}

/** Passages that matches connect, and the clusters they form. */
interface Component {
  readonly passages: readonly number[];
  readonly clusters: KeptCluster[];
}

/** What it takes to compare two passages besides walking along them. */
const unitsOfVerifying = 20;

/** Passages that belong together, the leader first. */
type Gathering = number[];

/** What became of the passages of a component: by place of each the gathering that it is in, and what it overlaps. */
interface Joined {
  readonly passages: readonly number[];
  readonly home: Int32Array;
  readonly overlapping: Overlaps;
}

/** For each passage the places of those that share a token with it. */
type Overlaps = readonly (readonly number[] | undefined)[] | undefined;

export class Clusters {
  readonly #passages: MatchedPassages;
  readonly #table: MatchTable;
  readonly #nesting: Nesting<KeptCluster>;
  readonly #pairs: RowsByPair;
  /** By passage: the component that it is in. */
  readonly #components: (Component | undefined)[] = [];
  /** By passage: a place in what is looked at, a component or a cluster. */
  #places = new Int32Array(0);
  readonly #pace = new Pace();
  readonly #texts: Texts;
  /** Passages of clusters of one match that are gone. They are given back when nobody asks for their places any more. */
  #ownGone: number[] = [];

  /** @param rankOf  the documents' order; it may change, but not of two documents that stay */
  constructor(rankOf: (document: number) => number, texts: Texts) {
    this.#texts = texts;
    this.#passages = new MatchedPassages(rankOf, texts.samePassage.bind(texts));
    this.#table = this.#passages.table;
    this.#nesting = new Nesting(this.#table);
    this.#pairs = new RowsByPair(this.#table);
  }

  update(changes: MatchChanges, verify: Verify): ClusterChanges {
    return lastOf(this.updateSteps(changes, verify));
  }

  /** The same in steps of some milliseconds. They are to be taken to the end: before, nothing else may be asked for. */
  *updateSteps(changes: MatchChanges, verify: Verify): Generator<void, ClusterChanges> {
    yield* this.#passages.updateSteps(changes);
    const { before, after } = yield* this.#gatherAgain(verify);
    const shown = yield* this.#show(before, after);
    this.#passages.giveBack();
    for (const passage of this.#ownGone) this.#table.givePassage(passage);
    this.#ownGone = [];
    return shown;
  }

  /** What a cluster is, for as long as it is kept. */
  read({ passages, links }: KeptCluster): Cluster {
    const table = this.#table;
    const read: Link[] = [];
    for (let i = 0; i < links.length; i += 3) {
      read.push({ a: links[i], b: links[i + 1], match: table.matchOf(links[i + 2]) });
    }
    return { passages: passages.map((passage) => table.rangeOf(passage)), links: read };
  }

  /** Forms the clusters of all components that have changed. */
  *#gatherAgain(verify: Verify): Generator<void, { before: Set<KeptCluster>; after: KeptCluster[] }> {
    const pace = this.#pace;
    const components = this.#components;
    const { gone } = this.#passages;
    const { before, dirty } = this.#takeApart();
    const known = new Map<number, KeptCluster[]>();
    for (const kept of before) {
      const others = known.get(kept.passages[0]);
      if (others) others.push(kept);
      else known.set(kept.passages[0], [kept]);
    }
    const after: KeptCluster[] = [];
    this.#places = grown(this.#places, Math.max(this.#places.length, this.#table.passageRange));
    for (const passage of dirty) {
      if (gone.has(passage) || components[passage]) continue;
      const component: Component = { passages: this.#connect(passage), clusters: [] };
      if (pace.isDue(component.passages.length)) yield;
      if (component.passages.length === 1 && !this.#passages.within.has(passage)) continue;
      for (const member of component.passages) components[member] = component;
      for (const gathering of yield* this.#gather(component.passages, verify)) {
        const made = yield* this.#makeCluster(gathering, component, verify);
        const kept = known.get(made.passages[0])?.find((other) => isSame(other, made)) ?? made;
        kept.component = component;
        component.clusters.push(kept);
        after.push(kept);
      }
      for (const made of yield* this.#ownClusters(component)) {
        component.clusters.push(made);
        after.push(made);
      }
    }
    // Those of one match are made anew each time.
    for (const { isOwn, passages } of before) if (isOwn) this.#ownGone.push(...passages);
    return { before, after };
  }

  /** Forgets the components that have changed. Returns the clusters that they had, and all of their passages. */
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

  /** For each match with a long run of equal tokens that no cluster holds a cluster of its own, with the match's extent. */
  *#ownClusters(component: Component): Generator<void, KeptCluster[]> {
    const { passages, clusters } = component;
    const table = this.#table;
    const rows = passages.flatMap((passage) => this.#rowsWithRuns(passage));
    if (rows.length === 0) return [];
    const held = new HeldRuns(table, this.#texts);
    for (const { passages: members } of clusters) held.add(members);
    const own: KeptCluster[] = [];
    for (const row of rows.sort((x, y) => this.#passages.byScore(x, y))) {
      const { a, b } = this.#endsOf(row);
      if (this.#pace.isDue(1)) yield;
      if (this.#haveTextInCommon(a, b) || held.hasAllOf(a, b)) continue;
      const ends = [table.addPassageAt(a), table.addPassageAt(b)];
      held.add(ends);
      own.push({ passages: ends, links: [0, 1, row], isOwn: true, isShown: false, component });
    }
    return own;
  }

  /** Matches that have a long run of equal tokens, of which a passage is the left end or both. */
  #rowsWithRuns(passage: number): number[] {
    const table = this.#table;
    const rows = [...(this.#passages.within.get(passage) ?? [])];
    for (let half = table.first[passage]; half >= 0; half = table.next[half]) {
      if ((half & 1) === 0 && table.kinds[half >> 1] === found) rows.push(half >> 1);
    }
    const least = this.#texts.leastEqual(table.documents[passage]);
    return rows.filter((row) => table.words[rowWords * row + longestWord] >= least);
  }

  #haveTextInCommon(a: TokenRange, b: TokenRange): boolean {
    const [x, y] = [this.#texts.spanOf(a), this.#texts.spanOf(b)];
    return x.text === y.text && x.from < y.to && y.from < x.to;
  }

  /** All passages that matches connect with one, in their order of `places`. */
  #connect(first: number): number[] {
    const table = this.#table;
    const places = this.#places;
    const connected = [first];
    places[first] = 0;
    const isIn = (passage: number): boolean => connected[places[passage]] === passage;
    // Grows while it is walked through.
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
   * Gathers the passages of a component along its matches. What is equal for long and was drawn apart, because its passages
   * resemble others more, is gathered once more by itself, and so is a passage that would be shown nowhere: then a passage is
   * in several gatherings.
   */
  *#gather(passages: readonly number[], verify: Verify): Generator<void, Gathering[]> {
    const table = this.#table;
    const pace = this.#pace;
    const rows = this.#bestRows(passages);
    const overlapping = this.#overlaps(passages);
    if (passages.length === 2) return overlapping ? [] : [[...passages]];
    if (pace.isDue(rows.length)) yield;
    const similarities = Float64Array.from(rows, (row) => similarityOf(table.words, rowWords * row));
    const order = Uint32Array.from(rows, (_, i) => i);
    order.sort((x, y) => similarities[y] - similarities[x] || this.#passages.byScore(rows[x], rows[y]));
    if (pace.isDue(4 * rows.length)) yield;
    const gathered: Gathering[] = [];
    const shown = new Set<number>();
    let left: readonly number[] = Array.from(order, (i) => rows[i]);
    while (left.length > 0) {
      const { gatherings, home } = yield* this.#join(passages, left, overlapping, verify);
      gathered.push(...gatherings);
      for (const gathering of gatherings) for (const member of gathering) shown.add(member);
      const joined = { passages, home, overlapping };
      left = left.filter((row) => this.#isLeftOut(row, shown, joined) || this.#isDrawnApart(row, joined));
    }
    return gathered;
  }

  /**
   * Whether a passage of a match would be shown nowhere: the other one was drawn to passages that it does not resemble, and no
   * text of it is in a gathering.
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
   * Whether what a match is equal in for long lies in no one gathering on both sides. Of passages that overlap there is none
   * that could hold them.
   */
  #isDrawnApart(row: number, { passages, home, overlapping }: Joined): boolean {
    const { left, right, words } = this.#table;
    const longest = words[rowWords * row + longestWord];
    if (longest < this.#texts.leastEqualOfAll) return false;
    const [x, y] = [this.#places[left[row]], this.#places[right[row]]];
    if (home[x] === home[y] || longest < this.#texts.leastEqual(words[rowWords * row + docAWord])) return false;
    if (overlapping === undefined) return true;
    if (overlapping[x]?.includes(y)) return false;
    const around = (place: number): number[] => {
      const others = overlapping[place]?.filter((other) => this.#holdsMost(passages[other], passages[place]));
      return [home[place], ...(others ?? []).map((other) => home[other])];
    };
    const aroundY = around(y);
    return !around(x).some((gathering) => aroundY.includes(gathering));
  }

  /** Whether most of a passage lies in another one of its document. */
  #holdsMost(outer: number, inner: number): boolean {
    const { documents, starts, ends } = this.#table;
    if (documents[outer] !== documents[inner]) return false;
    const shared = Math.min(ends[outer], ends[inner]) - Math.max(starts[outer], starts[inner]);
    return shared >= tuning.groups.inside * (ends[inner] - starts[inner]);
  }

  /**
   * Joins passages along rows, the most similar first. Two gatherings become one when each member of the smaller
   * matches the leader of the larger, so a weak match never draws a passage away from its closest relatives, and when no
   * passage of one overlaps a passage of the other: a copy is never the text it is a copy of.
   *
   * @returns  the gatherings, and by place of a passage which of them it is in
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
      if (pace.isDue(1)) yield;
      const [x, y] = [home[places[table.left[row]]], home[places[table.right[row]]]];
      if (x === y) continue;
      const [target, source] = gatherings[x]!.length >= gatherings[y]!.length ? [x, y] : [y, x];
      const [larger, smaller] = [gatherings[target]!, gatherings[source]!];
      if (smaller.some((member) => overlapping?.[places[member]]?.some((place) => home[place] === target))) continue;
      let isAlike = true;
      for (const member of smaller) {
        // The row first: the columns may be others when it has been made.
        const compared = this.#matched(larger[0], member, verify);
        isAlike = table.kinds[compared] !== refused;
        if (!isAlike) break;
        if (pace.isDue(0)) yield;
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

  /** Of each pair of passages of a component the best match; `#pairs` has these rows then, and what was compared before. */
  #bestRows(passages: readonly number[]): number[] {
    const table = this.#table;
    const pairs = this.#pairs;
    pairs.empty(2 * passages.length);
    const all: number[] = [];
    for (const passage of passages) {
      for (let half = table.first[passage]; half >= 0; half = table.next[half]) {
        // Each row is in two lists.
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

  /** For each passage the places of those that it has text in common with, itself not. Undefined when there are none at all. */
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

  /** A gathering in order, with its matches: in a small one every pair is looked at, in a large one what seeds have led to. */
  *#makeCluster(gathering: Gathering, component: Component, verify: Verify): Generator<void, KeptCluster> {
    const { documents, starts, ends } = this.#table;
    const passages = [...gathering].sort(
      (x, y) => this.#passages.byRank(documents[x], documents[y]) || starts[x] - starts[y] || ends[x] - ends[y],
    );
    const links: number[] = [];
    const isSmall = passages.length <= tuning.groups.verifyAll;
    for (const [a, passage] of passages.entries()) {
      const others = isSmall ? undefined : this.#matchedPlaces(passage, a, passages);
      const count = others?.length ?? passages.length - a - 1;
      for (let i = 0; i < count; i++) {
        const b = others?.[i] ?? a + 1 + i;
        const row = this.#matched(passage, passages[b], verify);
        if (this.#table.kinds[row] !== refused) links.push(a, b, row);
        if (this.#pace.isDue(1)) yield;
      }
    }
    const made = { passages, links, isOwn: false, isShown: false, component };
    return passages.length === 2 ? this.#withOwnExtent(made) : made;
  }

  /**
   * A cluster of one match with the match's extent. Its passages have those of better matches, into which this one's ends
   * were drawn: of what it aligns they may leave out a side, while the other side is shown.
   */
  #withOwnExtent(made: KeptCluster): KeptCluster {
    const table = this.#table;
    const [left, right] = made.passages;
    const row = made.links[2];
    const { a, b } = this.#endsOf(row);
    const [x, y] = table.left[row] === left ? [a, b] : [b, a];
    if (table.isAt(left, x) && table.isAt(right, y)) return made;
    if (this.#haveTextInCommon(x, y)) return made;
    return { ...made, passages: [table.addPassageAt(x), table.addPassageAt(y)], isOwn: true };
  }

  #endsOf(row: number): { a: TokenRange; b: TokenRange } {
    const { docA, a0, a1, docB, b0, b1 } = this.#table.matchOf(row);
    return { a: { document: docA, start: a0, end: a1 }, b: { document: docB, start: b0, end: b1 } };
  }

  /** The places behind `a` in a cluster of passages that seeds have led to from its passage, ascending. */
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

  /** The row that tells how two passages match or that they do not, made now when no seed has led to it. */
  #matched(x: number, y: number, verify: Verify): number {
    const table = this.#table;
    const known = this.#pairs.get(x, y);
    if (known >= 0) return known;
    const [rangeX, rangeY] = [table.rangeOf(x), table.rangeOf(y)];
    const row = table.addLooked(x, y, verify(rangeX, rangeY));
    // Counted here, and looked at by whoever asks.
    this.#pace.count(unitsOfVerifying + Math.max(rangeX.end - rangeX.start, rangeY.end - rangeY.start) / 4);
    this.#pairs.set(row);
    return row;
  }

  /** What is shown: clusters but those that lie inside of another. */
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
      if (pace.isDue(kept.passages.length)) yield;
    }
    const gone = removed.filter((kept) => kept.isShown);
    const come: KeptCluster[] = [];
    for (const kept of nesting.around([...removed, ...added], added)) {
      if (pace.isDue(kept.passages.length)) yield;
      const isShown = !nesting.isNested(kept);
      if (isShown !== kept.isShown) (isShown ? come : gone).push(kept);
      kept.isShown = isShown;
    }
    const regathered = [...stays].filter((kept) => kept.isShown);
    return { gone, come, regathered };
  }
}

function isSame(x: KeptCluster, y: KeptCluster): boolean {
  return isEqual(x.passages, y.passages) && isEqual(x.links, y.links);
}

function isEqual(x: readonly number[], y: readonly number[]): boolean {
  return x.length === y.length && x.every((number, i) => number === y[i]);
}
