/**
 * Gatherings, which are clusters in progress. Joins the passages of a component along its matches, most similar first.
 * Two gatherings are merged only if each member of the smaller one matches the leader of the larger one, so that a weak
 * match never separates a passage from its closest relatives.
 *
 * The members of a gathering are a linked list of places, which are indices into the list of the component's passages.
 * A gathering is identified by the place of its leader.
 */
import { converted } from '../../collections/lists.ts';
import { constants } from '../constants.ts';
import { grown } from '../grown.ts';
import { matchDocAWord, matchLongestWord } from '../../kernel/matches/matchRecordLayout.ts';
import { similarityOf } from '../matches/matchRecord.ts';
import { type MatchTable, refused, rowWords } from './matchTable.ts';
import type { Pace } from '../steps.ts';
import type { Texts } from './textSpans.ts';

/** Passages that may become a cluster, leader first. */
export type Gathering = number[];

interface ConnectedPassages {
  readonly passages: readonly number[];
  /** For each passage of the component, its index in `passages`. */
  readonly places: Int32Array;
  /** Rows of the best matches of all pairs of passages, in any order. */
  readonly rows: readonly number[];
}

export interface PassageComparison {
  /** Returns the row for a pair of passages, even if they do not match. May replace the columns of the table. */
  readonly matched: (x: number, y: number) => number;
  /** Compares two matches for sorting: the better one comes first. */
  readonly byScore: (rowX: number, rowY: number) => number;
}

/** For each place, the places of the passages that overlap it by at least a token. */
type Overlaps = readonly (readonly number[] | undefined)[] | undefined;

export class Gatherings {
  readonly #table: MatchTable;
  readonly #texts: Texts;
  readonly #pace: Pace;
  /** For each place, its gathering, and the next place of the same gathering, or −1. */
  #home = new Int32Array(64);
  #next = new Int32Array(64);
  /** For each gathering, its last place and the number of its members. */
  #last = new Int32Array(64);
  #sizes = new Int32Array(64);
  /** For each place, 1 if its passage is in a finished gathering. */
  #isGathered = new Uint8Array(64);

  constructor(table: MatchTable, texts: Texts, pace: Pace) {
    this.#table = table;
    this.#texts = texts;
    this.#pace = pace;
  }

  /**
   * Joins the passages of a component into gatherings along its matches. Then repeats this for matches that the
   * gatherings do not cover: matches with a long equal run whose passages are in different gatherings, and matches with
   * a passage in no gathering. So a passage may be in several gatherings.
   */
  *gatherSteps(connected: ConnectedPassages, comparison: PassageComparison): Generator<void, Gathering[]> {
    const { passages } = connected;
    const overlapping = this.#overlaps(passages);
    if (passages.length === 2) return overlapping ? [] : [[...passages]];
    this.#reserve(passages.length);
    const gathered: Gathering[] = [];
    let left = yield* this.#mostSimilarFirst(connected.rows, comparison);
    while (left.length > 0) {
      yield* this.#join(connected, left, overlapping, comparison);
      this.#collect(passages, gathered);
      const joined = { ...connected, overlapping };
      left = left.filter((row) => this.#isLeftOut(row, joined) || this.#isDrawnApart(row, joined));
    }
    return gathered;
  }

  #reserve(count: number): void {
    if (count > this.#home.length) {
      this.#home = grown(this.#home, 2 * count);
      this.#next = grown(this.#next, 2 * count);
      this.#last = grown(this.#last, 2 * count);
      this.#sizes = grown(this.#sizes, 2 * count);
      this.#isGathered = grown(this.#isGathered, 2 * count);
    }
    this.#isGathered.fill(0, 0, count);
  }

  *#mostSimilarFirst(rows: readonly number[], { byScore }: PassageComparison): Generator<void, readonly number[]> {
    if (this.#pace.endsStep(rows.length)) yield;
    const { words } = this.#table;
    const similarities = new Float64Array(rows.length);
    for (let i = 0; i < rows.length; i++) similarities[i] = similarityOf(words, rowWords * rows[i]);
    const order = converted(rows, (_, i) => i);
    order.sort((x, y) => similarities[y] - similarities[x] || byScore(rows[x], rows[y]));
    if (this.#pace.endsStep(4 * rows.length)) yield;
    return converted(order, (i) => rows[i]);
  }

  /**
   * Joins passages along matches. Gatherings whose passages overlap are not merged, because a copy cannot overlap its
   * original.
   *
   * @param rows  most similar first
   */
  *#join(
    { passages, places }: ConnectedPassages,
    rows: readonly number[],
    overlapping: Overlaps,
    { matched }: PassageComparison,
  ): Generator<void, void> {
    const table = this.#table;
    const pace = this.#pace;
    const [home, next, last, sizes] = [this.#home, this.#next, this.#last, this.#sizes];
    for (let place = 0; place < passages.length; place++) {
      home[place] = last[place] = place;
      next[place] = -1;
      sizes[place] = 1;
    }
    for (const row of rows) {
      if (pace.endsStep(1)) yield;
      const [x, y] = [home[places[table.left[row]]], home[places[table.right[row]]]];
      if (x === y) continue;
      const [target, source] = sizes[x] >= sizes[y] ? [x, y] : [y, x];
      if (overlapping && this.#overlapsAny(source, target, overlapping)) continue;
      let isAlike = true;
      for (let member = source; isAlike && member >= 0; member = next[member]) {
        // Call `matched` before reading the columns of the table, because it may replace them.
        const compared = matched(passages[target], passages[member]);
        isAlike = table.kinds[compared] !== refused;
        if (isAlike && pace.endsStep(0)) yield;
      }
      if (!isAlike) continue;
      for (let member = source; member >= 0; member = next[member]) home[member] = target;
      next[last[target]] = source;
      last[target] = last[source];
      sizes[target] += sizes[source];
    }
  }

  #overlapsAny(source: number, target: number, overlapping: NonNullable<Overlaps>): boolean {
    const home = this.#home;
    for (let member = source; member >= 0; member = this.#next[member]) {
      if (overlapping[member]?.some((place) => home[place] === target)) return true;
    }
    return false;
  }

  /** Adds all gatherings of at least two passages to a list. */
  #collect(passages: readonly number[], gathered: Gathering[]): void {
    for (let leader = 0; leader < passages.length; leader++) {
      if (this.#home[leader] !== leader || this.#sizes[leader] === 1) continue;
      const gathering: Gathering = [];
      for (let member = leader; member >= 0; member = this.#next[member]) {
        gathering.push(passages[member]);
        this.#isGathered[member] = 1;
      }
      gathered.push(gathering);
    }
  }

  /**
   * Returns true if one side of a match would not be shown: no gathering contains its passage, or a passage that
   * overlaps it.
   */
  #isLeftOut(row: number, { places, overlapping }: ConnectedPassages & { readonly overlapping: Overlaps }): boolean {
    const { left, right } = this.#table;
    const [x, y] = [places[left[row]], places[right[row]]];
    const gathered = this.#isGathered;
    if (overlapping === undefined) return gathered[x] === 0 || gathered[y] === 0;
    if (overlapping[x]?.includes(y)) return false;
    const isShownNowhere = (place: number): boolean =>
      gathered[place] === 0 && !overlapping[place]?.some((other) => gathered[other] === 1);
    return isShownNowhere(x) || isShownNowhere(y);
  }

  /**
   * Returns true if a match has a long equal run, but no gathering contains both of its sides. Returns false if its
   * passages overlap, because a gathering cannot contain both.
   */
  #isDrawnApart(
    row: number,
    { passages, places, overlapping }: ConnectedPassages & { readonly overlapping: Overlaps },
  ): boolean {
    const { left, right, words } = this.#table;
    const home = this.#home;
    const longest = words[rowWords * row + matchLongestWord];
    if (longest < this.#texts.minEqualOfAll) return false;
    const [x, y] = [places[left[row]], places[right[row]]];
    if (home[x] === home[y] || longest < this.#texts.minEqual(words[rowWords * row + matchDocAWord])) return false;
    if (overlapping === undefined) return true;
    if (overlapping[x]?.includes(y)) return false;
    const around = (place: number): number[] => {
      const gatherings = [home[place]];
      for (const other of overlapping[place] ?? []) {
        if (this.#holdsMost(passages[other], passages[place])) gatherings.push(home[other]);
      }
      return gatherings;
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
   * For each passage, returns the places of the other passages that overlap it. Returns `undefined` if none overlap.
   */
  #overlaps(passages: readonly number[]): Overlaps {
    const spans = converted(passages, (passage) => this.#texts.spanOf(this.#table.rangeOf(passage)));
    const ordered = converted(passages, (_, place) => place);
    ordered.sort((x, y) => spans[x].text - spans[y].text || spans[x].from - spans[y].from);
    let lists: (number[] | undefined)[] | undefined;
    for (let i = 0; i < ordered.length; i++) {
      const place = ordered[i];
      for (let j = i + 1; j < ordered.length; j++) {
        const other = ordered[j];
        if (spans[other].text !== spans[place].text || spans[other].from >= spans[place].to) break;
        lists ??= converted(passages, () => undefined);
        (lists[place] ??= []).push(other);
        (lists[other] ??= []).push(place);
      }
    }
    return lists;
  }
}
