/**
 * Extents of the passages of a cluster. A passage has the extent of its best match. That match may be with a passage of
 * another cluster, or with the only member that continues in the same way. A reader compares a member with all others,
 * so its extent should be the one that most of them share.
 *
 * Each match of a member within the cluster gives it an extent. The member gets the one from which all of them differ
 * least: the one with the smallest sum of distances to their starts and ends (a medoid: Kaufman, Rousseeuw 1990,
 * chapter 2). First, extents are completed. A part of a unit counts as the unit, if some extent is the unit: a reader
 * expects the whole function. A match of two passages that were only compared with each other may end anywhere, so it
 * counts as the smallest extent around it that a match from seeds has.
 */
import { converted } from '../../collections/lists.ts';
import {
  matchA0Word,
  matchA1Word,
  matchB0Word,
  matchB1Word,
  matchDocAWord,
} from '../../kernel/matches/matchRecordLayout.ts';
import { similarityOf, type TokenRange } from '../matches/matchRecord.ts';
import { found, type MatchTable, rowWords } from './matchTable.ts';

/** Tokens [start, end) of a document. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Extent of a passage in a match. */
export interface Extent extends Range {
  readonly similarity: number;
  /** True if the match was found from seeds, so that its passages consist of whole blocks. */
  readonly isFound: boolean;
}

/**
 * Returns the extent of each passage of a cluster. The passages of a single match have exactly its extents.
 *
 * @param links   see `KeptCluster`. Each passage has a match that was found from seeds
 * @param isUnit  returns true if a range is a whole unit, such as a function
 */
export function sharedExtents(
  table: MatchTable,
  passages: readonly number[],
  links: readonly number[],
  isUnit: (range: TokenRange) => boolean,
): readonly TokenRange[] {
  // Only matches from seeds can change an extent.
  const extents = converted(passages, (): Extent[] | undefined => undefined);
  eachSide(table, passages, links, (place, start, end, row) => {
    const passage = passages[place];
    const isOther = table.kinds[row] === found && (table.starts[passage] !== start || table.ends[passage] !== end);
    if (isOther) extents[place] ??= [];
  });
  eachSide(table, passages, links, (place, start, end, row) => {
    const similarity = similarityOf(table.words, rowWords * row);
    extents[place]?.push({ start, end, similarity, isFound: table.kinds[row] === found });
  });
  return converted(passages, (passage, place) => {
    const own = table.rangeOf(passage);
    const list = extents[place];
    if (list === undefined) return own;
    const { document } = own;
    const isOneUnit = ({ start, end }: Range): boolean => isUnit({ document, start, end });
    const { start, end } = passages.length === 2 ? list[0] : mostShared(list, own, isOneUnit);
    return { document, start, end };
  });
}

/** Calls `visit` for both sides of each match of a cluster, with the place of the passage in the cluster. */
function eachSide(
  table: MatchTable,
  passages: readonly number[],
  links: readonly number[],
  visit: (place: number, start: number, end: number, row: number) => void,
): void {
  for (let i = 0; i < links.length; i += 3) {
    const [a, b, row] = [links[i], links[i + 1], links[i + 2]];
    const [x, y] = sidesOf(table, row, passages[a]);
    visit(a, x.start, x.end, row);
    visit(b, y.start, y.end, row);
  }
}

/** Returns the sides of a match, beginning with the side of a given passage. */
export function sidesOf(
  { words, kinds, left, documents, starts, ends }: MatchTable,
  row: number,
  passage: number,
): readonly [Range, Range] {
  const at = rowWords * row;
  const a = { start: words[at + matchA0Word], end: words[at + matchA1Word] };
  const b = { start: words[at + matchB0Word], end: words[at + matchB1Word] };
  // The sides of a match without seeds lie in its passages, but may be in another order.
  const isInOrder =
    kinds[row] === found
      ? left[row] === passage
      : words[at + matchDocAWord] === documents[passage] && a.start >= starts[passage] && a.start < ends[passage];
  return isInOrder ? [a, b] : [b, a];
}

/**
 * Returns the extent of a passage of a larger cluster. If several extents are equally near to all others, returns that
 * of the most similar match. If these are equal, too, returns the shortest, because it is part of more matches.
 *
 * @param extents  extents in all matches within the cluster. At least one match was found from seeds
 * @param own      extent of the passage in its best match with any other
 */
export function mostShared(extents: readonly Extent[], own: Range, isUnit: (range: Range) => boolean): Range {
  const candidates = distinct(extents.filter(({ isFound }) => isFound));
  const units = distinct([...candidates, own].filter(isUnit));
  const completed = converted(extents, (extent) => {
    const unit = isUnit(extent) ? undefined : smallestAround(extent, units);
    const whole = unit ?? (extent.isFound ? extent : smallestAround(extent, candidates));
    const { start, end } = whole ?? extent;
    return { start, end, similarity: extent.similarity, isFound: whole !== undefined };
  });
  const toStarts = distances(converted(completed, ({ start }) => start));
  const toEnds = distances(converted(completed, ({ end }) => end));
  const distance = ({ start, end }: Range): number => toStarts.get(start)! + toEnds.get(end)!;
  return completed
    .filter(({ isFound }) => isFound)
    .reduce((best, extent) => {
      const order =
        distance(extent) - distance(best) ||
        best.similarity - extent.similarity ||
        lengthOf(extent) - lengthOf(best) ||
        extent.start - best.start;
      return order < 0 ? extent : best;
    });
}

function lengthOf({ start, end }: Range): number {
  return end - start;
}

function distinct(ranges: readonly Range[]): readonly Range[] {
  return [...new Map(ranges.map((range) => [`${range.start} ${range.end}`, range])).values()];
}

/** Returns the smallest of the given ranges that contains a range; of equally small ones, the first by start. */
function smallestAround({ start, end }: Range, ranges: readonly Range[]): Range | undefined {
  let smallest: Range | undefined;
  for (const range of ranges) {
    if (range.start > start || range.end < end) continue;
    const order = smallest && (lengthOf(range) - lengthOf(smallest) || range.start - smallest.start);
    if (order === undefined || order < 0) smallest = range;
  }
  return smallest;
}

/** Returns, for each value, the sum of its distances to all values. */
function distances(values: readonly number[]): ReadonlyMap<number, number> {
  const sorted = Int32Array.from(values).sort();
  let sum = sorted.reduce((total, value) => total + value - sorted[0], 0);
  const sums = new Map<number, number>();
  sorted.forEach((value, i) => {
    // A step to the next value is away from the `i` values before it, and toward the others.
    if (i > 0) sum += (value - sorted[i - 1]) * (2 * i - sorted.length);
    sums.set(value, sum);
  });
  return sums;
}
