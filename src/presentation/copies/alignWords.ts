/**
 * Aligns two copies of a text word by word: first whole lines, then the words of the remaining lines. Both steps
 * compute a global alignment of maximum weight (Needleman, Wunsch 1970). Different names may be aligned with each
 * other, but with a lower weight than equal words.
 */
import { firstPlace } from '../../core/collections/lists.ts';
import type { Word } from './words.ts';

/** Indices of aligned words of two texts, ascending on both sides. */
export type WordPair = readonly [left: number, right: number];

/** Maximum number of cells in the table of an alignment. A larger table would take more than about 15 ms and 8 MB. */
const maxCells = 1_000_000;

/** Returns the aligned words. Aligns equal words and, if `others` is 'names', also different names. */
export function alignWords(left: readonly Word[], right: readonly Word[], others: 'none' | 'names'): WordPair[] {
  const [a, b] = [linesOf(left, others), linesOf(right, others)];
  const ofLines = align({ start: 0, end: a.length }, { start: 0, end: b.length }, { a, b });
  const pairs: WordPair[] = [];
  let [x, y] = [0, 0];
  for (const [i, j] of ofLines) {
    appendBetween(a[i]!.start, b[j]!.start);
    for (let at = 0; at < a[i]!.length; at++) pairs.push([a[i]!.start + at, b[j]!.start + at]);
    [x, y] = [a[i]!.start + a[i]!.length, b[j]!.start + b[j]!.length];
  }
  appendBetween(left.length, right.length);
  return pairs;

  /** Aligns the words up to the next pair of aligned lines, at `toX` and `toY`, and appends the pairs. */
  function appendBetween(toX: number, toY: number): void {
    const found = mostWeight(toX - x, toY - y, {
      weight: (i, j) => weightOfWords(left[x + i]!, right[y + j]!, others),
      areEqual: (i, j) => left[x + i]!.text === right[y + j]!.text,
    });
    for (const [i, j] of found ?? []) pairs.push([x + i, y + j]);
  }
}

/** Words of two texts between aligned ones: [left, leftEnd) and [right, rightEnd). Either may be empty, or both. */
export interface WordGap {
  readonly left: number;
  readonly leftEnd: number;
  readonly right: number;
  readonly rightEnd: number;
}

/** Returns the gaps before, between, and after the equal words of two texts. */
export function gapsBetween(left: readonly Word[], right: readonly Word[]): WordGap[] {
  let [x, y] = [0, 0];
  return [...alignWords(left, right, 'none'), [left.length, right.length] as const].map(([leftEnd, rightEnd]) => {
    const gap = { left: x, leftEnd, right: y, rightEnd };
    [x, y] = [leftEnd + 1, rightEnd + 1];
    return gap;
  });
}

/** A line with at least one word. */
interface Line {
  /** Index of the line's first word, and number of words. */
  readonly start: number;
  readonly length: number;
  readonly text: string;
  /** Text of the line in which a placeholder replaces each name that a copy may have renamed. */
  readonly shape: string;
}

function linesOf(words: readonly Word[], others: 'none' | 'names'): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start < words.length;) {
    let end = start + 1;
    while (end < words.length && words[end]!.line === words[start]!.line) end++;
    const inLine = words.slice(start, end);
    const text = inLine.map((word) => word.text).join(' ');
    const shape = others === 'none' ? text : inLine.map((it) => (it.kind === 'name' ? '\0' : it.text)).join(' ');
    lines.push({ start, length: end - start, text, shape });
    start = end;
  }
  return lines;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Returns the aligned lines of two ranges. Splits long ones at lines that occur exactly once in each. */
function align(x: Range, y: Range, sides: { readonly a: readonly Line[]; readonly b: readonly Line[] }): WordPair[] {
  const { a, b } = sides;
  const found = mostWeight(x.end - x.start, y.end - y.start, {
    weight: (i, j) => weightOfLines(a[x.start + i]!, b[y.start + j]!),
    areEqual: (i, j) => a[x.start + i]!.text === b[y.start + j]!.text,
  });
  if (found) return found.map(([i, j]): WordPair => [x.start + i, y.start + j]);
  const anchors = onceInBoth(x, y, sides);
  const pairs: WordPair[] = [];
  let from: WordPair = [x.start, y.start];
  for (const [i, j] of anchors) {
    pairs.push(...align({ start: from[0], end: i }, { start: from[1], end: j }, sides), [i, j]);
    from = [i + 1, j + 1];
  }
  // If there is no such line, the ranges remain unaligned.
  if (anchors.length > 0) pairs.push(...align({ start: from[0], end: x.end }, { start: from[1], end: y.end }, sides));
  return pairs;
}

/** Returns the longest ordered sequence of lines that occur once in each range (patience diff: Cohen 2003). */
function onceInBoth(x: Range, y: Range, { a, b }: { readonly a: readonly Line[]; readonly b: readonly Line[] }) {
  const [inA, inB] = [placesOf(a, x), placesOf(b, y)];
  const both = [...inA].flatMap(([shape, i]): WordPair[] => {
    const j = inB.get(shape);
    return i === undefined || j === undefined ? [] : [[i, j]];
  });
  // `ends`: for each length, the last pair of the best sequence of that length. `before`: for each pair, the pair
  // before it in its sequence.
  const ends: number[] = [];
  const before: (number | undefined)[] = [];
  both.forEach(([, j], at) => {
    const length = firstPlace(ends.length, (place) => both[ends[place]!]![1] < j);
    before[at] = ends[length - 1];
    ends[length] = at;
  });
  const run: WordPair[] = [];
  for (let at = ends.at(-1); at !== undefined; at = before[at]) run.unshift(both[at]!);
  return run;
}

/** Returns the index of each line in a range, by its shape; `undefined` if the shape occurs more than once. */
function placesOf(lines: readonly Line[], { start, end }: Range): Map<string, number | undefined> {
  const places = new Map<string, number | undefined>();
  for (let at = start; at < end; at++) {
    const { shape } = lines[at]!;
    places.set(shape, places.has(shape) ? undefined : at);
  }
  return places;
}

function weightOfLines(x: Line, y: Line): number {
  if (x.shape !== y.shape) return 0;
  return x.text === y.text ? 2 * x.length + 1 : x.length;
}

function weightOfWords(x: Word, y: Word, others: 'none' | 'names'): number {
  // Equal words count more than equal punctuation.
  if (x.text === y.text) return /[\p{L}\p{N}]/u.test(x.text) ? 4 : 2;
  return others === 'names' && x.kind === 'name' && y.kind === 'name' ? 1 : 0;
}

interface AlignmentWeights {
  /** Returns the weight of aligning two items: 0 if they cannot be aligned, and the maximum if they are equal. */
  readonly weight: (i: number, j: number) => number;
  readonly areEqual: (i: number, j: number) => boolean;
}

/** Returns the pairs of an alignment of maximum weight, ascending; `undefined` if its table is too large. */
function mostWeight(n: number, m: number, { weight, areEqual }: AlignmentWeights): WordPair[] | undefined {
  // Align equal items at both ends first. Some best alignment always contains these pairs, and edits are usually small.
  let head = 0;
  while (head < n && head < m && areEqual(head, head)) head++;
  let tail = 0;
  while (head + tail < n && head + tail < m && areEqual(n - 1 - tail, m - 1 - tail)) tail++;
  const [rows, columns] = [n - head - tail, m - head - tail];
  const width = columns + 1;
  if ((rows + 1) * width > maxCells) return undefined;
  const sums = new Float64Array((rows + 1) * width);
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      const skipped = Math.max(sums[(i + 1) * width + j]!, sums[i * width + j + 1]!);
      const own = weight(head + i, head + j);
      sums[i * width + j] = own > 0 ? Math.max(skipped, own + sums[(i + 1) * width + j + 1]!) : skipped;
    }
  }
  const pairs = Array.from({ length: head }, (_, at): WordPair => [at, at]);
  for (let i = 0, j = 0; i < rows && j < columns;) {
    const own = weight(head + i, head + j);
    const isTaken = own > 0 && sums[i * width + j] === own + sums[(i + 1) * width + j + 1]!;
    if (isTaken) pairs.push([head + i++, head + j++]);
    else if (sums[(i + 1) * width + j]! >= sums[i * width + j + 1]!) i++;
    else j++;
  }
  for (let at = tail; at > 0; at--) pairs.push([n - at, m - at]);
  return pairs;
}
