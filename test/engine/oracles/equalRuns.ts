/**
 * Specification: equal runs are found completely. Each run of tokens that occurs in two places and is long enough for a
 * passage is in passages of one row. A row is a group with all groups above and below it (`parent`). All diagonals of
 * all pairs of documents are checked.
 */
import type { DocumentIndex } from '../../../src/core/engine/documents/documents.ts';
import { lineOf } from '../../../src/core/engine/documents/lines.ts';
import { DocumentIndexer } from '../../../src/core/engine/documents/indexDocument.ts';
import { createMemory, Kernel } from '../../../src/core/engine/kernel.ts';
import { lexiconForPath } from '../../../src/core/engine/languages/allLexicons.ts';
import { defaultOptions, type Options } from '../../../src/core/engine/options.ts';
import type { Findings, Passage } from '../../../src/core/engine/report/report.ts';
import { tokenKinds } from '../../../src/core/engine/languages/tokenKind.ts';
import { placeOfToken } from '../../../src/core/engine/documents/tokenPlaces.ts';
import { constants } from '../../../src/core/engine/constants.ts';
import type { Documents, matchesOf } from '../corpusOf.ts';
import { separator } from './alignmentByDefinition.ts';

/** A document as its tokens, without imports and comments. */
export interface Tokens {
  readonly path: string;
  readonly prose: boolean;
  readonly words: readonly number[];
  /** One-based line of each token, and its one-based column in UTF-16 units. */
  readonly lines: readonly number[];
  readonly columns: readonly number[];
}

/** Tokens [start, end) of a document. */
export interface Stretch {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly startLine: number;
  readonly endLine: number;
}

/** A run that no row contains completely, and the largest number of its tokens in one row. */
export interface LostRun {
  readonly a: Stretch;
  readonly b: Stretch;
  readonly tokens: number;
  readonly found: number;
}

interface Diagonal {
  readonly left: Tokens;
  readonly right: Tokens;
  readonly a: number;
  readonly b: number;
  readonly length: number;
}

/**
 * Returns the runs that are in no single row of the findings, except for part of a statement at their ends. The longest
 * run is first.
 */
export function lostRuns(documents: Documents, findings: Findings, options: Options = defaultOptions): LostRun[] {
  return lostOf(allWanted(tokensOf(documents, options), options), findings);
}

/**
 * Like `lostRuns`, but only for runs with linked windows on them. `lostByMatching` checks how much of each run is in a
 * match; a row must contain this much, except for part of a statement. Matches and groups leave out such parts for
 * different reasons, so both may do so: a group of three or more passages has the extent that most of its matches share
 * (sharedExtents.ts). The rest of a match becomes a group only if it has the minimum size, so a row may omit a run of
 * which a match contains less.
 */
export function lostOfSeeded(seeded: SeededRuns, matched: Matched, findings: Findings): LostRun[] {
  const rows = rowsOf(findings);
  return seeded.runs.flatMap((run) => {
    const part = mostMatched(run, seeded, matched);
    if (part < minimumOf(run.left, defaultOptions)) return [];
    const found = mostFound(run, rows);
    return found >= part - maxTrimmed ? [] : [describe(run, found)];
  });
}

function lostOf(runs: readonly Diagonal[], findings: Findings): LostRun[] {
  const rows = rowsOf(findings);
  return runs
    .flatMap((run) => {
      const found = mostFound(run, rows);
      return found >= run.length - maxTrimmed ? [] : [describe(run, found)];
    })
    .sort((x, y) => y.tokens - x.tokens);
}

/** Returns the number of runs that must be found. */
export function wantedRuns(documents: Documents, options: Options = defaultOptions): number {
  return allWanted(tokensOf(documents, options), options).length;
}

/** Maximum number of tokens in part of a statement, as in src/core/kernel/matches/trimming.ts. */
const maxTrimmed = 24;

function allWanted(texts: readonly Tokens[], options: Options): Diagonal[] {
  return texts
    .flatMap((left, i) =>
      texts
        .slice(i)
        .flatMap((right) => (left.prose === right.prose ? runsOf(left, right, minimumOf(left, options)) : [])),
    )
    .flatMap(periodsOf)
    .flatMap((run) => requiredParts(run, options));
}

/**
 * Splits a run that overlaps its other place in the same document into parts as long as the distance between the
 * places. Returns other runs unchanged.
 */
function periodsOf(run: Diagonal): Diagonal[] {
  const period = run.b - run.a;
  if (run.left !== run.right || period >= run.length) return [run];
  if (shortestPeriod(run.left.words.slice(run.a, run.b + run.length)) < period) return [];
  return Array.from({ length: Math.ceil(run.length / period) }, (_, i) =>
    part(run, i * period, Math.min(run.length, (i + 1) * period)),
  );
}

type Matched = Pick<ReturnType<typeof matchesOf>, 'matches'>;

/** Returns the runs that no single match contains completely, except for part of a statement at either end. */
export function lostByMatching(seeded: SeededRuns, matched: Matched): LostRun[] {
  return seeded.runs.flatMap((run) => {
    const part = mostMatched(run, seeded, matched);
    return part >= run.length - maxTrimmed ? [] : [describe(run, part)];
  });
}

/** Returns the largest number of tokens of a run that one match contains on both sides. */
function mostMatched(run: Diagonal, { numberOf }: SeededRuns, { matches }: Matched): number {
  const [x, y] = [numberOf.get(run.left), numberOf.get(run.right)];
  const found = matches
    .filter(({ docA, docB }) => docA === x && docB === y)
    .map(({ a0, a1, b0, b1 }) =>
      Math.min(
        Math.min(a1, run.a + run.length) - Math.max(a0, run.a),
        Math.min(b1, run.b + run.length) - Math.max(b0, run.b),
      ),
    );
  return Math.max(0, ...found);
}

/** Runs with linked equal windows on them. */
export interface SeededRuns {
  readonly runs: readonly Diagonal[];
  /** Number of each document, in the order of their names. */
  readonly numberOf: ReadonlyMap<Tokens, number>;
}

export function seededRuns(documents: Documents, { seeds }: Pick<ReturnType<typeof matchesOf>, 'seeds'>): SeededRuns {
  const texts = tokensOf(documents, defaultOptions).sort((x, y) => (x.path < y.path ? -1 : 1));
  const numberOf = new Map(texts.map((text, number) => [text, number]));
  const runs = allWanted(texts, defaultOptions).filter(({ left, right, a, b, length }) => {
    const [x, y] = [numberOf.get(left), numberOf.get(right)];
    const isOn = (seed: (typeof seeds)[number]): boolean =>
      seed.left === x && seed.right === y && seed.b - seed.a === b - a && seed.a >= a && seed.a < a + length;
    return seeds.some(isOn);
  });
  return { runs, numberOf };
}

// ---------------------------------------------------------------------------------------------------------------------
// Tokens

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const kernel = new Kernel(createMemory());

export function tokensOf(documents: Documents, options: Options): Tokens[] {
  const mark = kernel.mark();
  const indexer = new DocumentIndexer(kernel, options);
  const texts = Object.entries(documents).flatMap(([path, text]) => {
    const bytes = encoder.encode(text);
    const room = indexer.reserve(bytes.length);
    room.set(bytes);
    const index = indexer.index(room.subarray(0, bytes.length), lexiconForPath(path));
    return [index, ...(index.comments ? [index.comments] : [])].map((part) => readTokens(path, bytes, part));
  });
  kernel.release(mark);
  return texts;
}

function readTokens(path: string, bytes: Uint8Array, index: DocumentIndex): Tokens {
  const [lines, columns]: [number[], number[]] = [[], []];
  for (let token = 0; token < index.tokenCount; token++) {
    const { start, lineStart } = placeOfToken(kernel, index, token);
    lines.push(lineOf(kernel, index, token) + 1);
    columns.push(1 + decoder.decode(bytes.subarray(lineStart, start)).length);
  }
  const words = Array.from(kernel.words.subarray(index.tokens >>> 2, (index.tokens >>> 2) + index.tokenCount));
  return { path, prose: index.prose, words, lines, columns };
}

// ---------------------------------------------------------------------------------------------------------------------
// Runs

/**
 * Returns all runs of at least `minLength` equal tokens that cannot be extended. Within one document, only those whose
 * first place comes first.
 */
function runsOf(left: Tokens, right: Tokens, minLength: number): Diagonal[] {
  const runs: Diagonal[] = [];
  const isSame = left === right;
  const [m, n] = [left.words.length, right.words.length];
  for (let shift = isSame ? 1 : 1 - m; shift < n; shift++) {
    let length = 0;
    for (let a = Math.max(0, -shift); a <= m && a + shift <= n; a++) {
      const b = a + shift;
      const equal = a < m && b < n && left.words[a] === right.words[b] && left.words[a] !== separator;
      if (equal) length++;
      else {
        if (length >= minLength) runs.push({ left, right, a: a - length, b: b - length, length });
        length = 0;
      }
    }
  }
  return runs;
}

function minimumOf({ prose }: Tokens, options: Options): number {
  return prose ? options.prose.minWords : options.minTokens;
}

/** Returns the parts of a run that must be found: whole lines that form a passage; for prose, every word. */
function requiredParts(run: Diagonal, options: Options): Diagonal[] {
  const minLength = minimumOf(run.left, options);
  if (run.length < minLength || isRepeat(run)) return [];
  const core = run.left.prose ? run : wholeLines(balanced(wholeLines(run), run.length, options));
  if (core.length < minLength) return [];
  if (!run.left.prose && Math.min(linesOf(core, 'a'), linesOf(core, 'b')) < options.minLines) return [];
  // Exact copies have enough distinct shingles from twice the minimum size on.
  if (!run.left.prose && core.length < 2 * minLength && !hasDistinctShingles(core, options)) return [];
  return [core];
}

function linesOf({ left, right, a, b, length }: Diagonal, side: 'a' | 'b'): number {
  const [{ lines }, start] = side === 'a' ? [left, a] : [right, b];
  return lines[start + length - 1] - lines[start] + 1;
}

/**
 * True if a run within a document is endless repetition: the text from the first place to the end of the second has a
 * period shorter than the distance between them.
 */
function isRepeat({ left, right, a, b, length }: Diagonal): boolean {
  return left === right && shortestPeriod(left.words.slice(a, b + length)) < b - a;
}

/** Uses borders (Knuth, Morris, and Pratt 1977): the shortest period is the length minus that of the longest border. */
function shortestPeriod(words: readonly number[]): number {
  const borders = [0];
  for (let i = 1; i < words.length; i++) {
    let border = borders[i - 1];
    while (border > 0 && words[border] !== words[i]) border = borders[border - 1];
    borders.push(words[border] === words[i] ? border + 1 : 0);
  }
  return words.length - borders[words.length - 1];
}

function part(run: Diagonal, from: number, to: number): Diagonal {
  return { ...run, a: run.a + from, b: run.b + from, length: Math.max(0, to - from) };
}

/** Restricts a run to whole lines on both sides. */
function wholeLines(run: Diagonal): Diagonal {
  const { left, right, a, b } = run;
  const isStart = (text: Tokens, token: number): boolean =>
    token === 0 || token >= text.words.length || text.lines[token] !== text.lines[token - 1];
  let [from, to] = [0, run.length];
  while (from < to && !(isStart(left, a + from) && isStart(right, b + from))) from++;
  while (to > from && !(isStart(left, a + to) && isStart(right, b + to))) to--;
  return part(run, from, to);
}

/**
 * Removes a short head that closes earlier brackets, and a short tail that opens unclosed ones, if each is too small to
 * be a passage.
 *
 * @param length  length of the run with the incomplete lines at its ends. It limits what is removed
 */
function balanced(run: Diagonal, length: number, { minTokens }: Options): Diagonal {
  const word = (i: number): number => run.left.words[run.a + i];
  const room = Math.min(minTokens - 1, Math.max(12, Math.floor((length * 3) / 10)));
  let [from, to] = [0, run.length];
  for (let i = 0, depth = 0; i < Math.min(run.length, room); i++) {
    if (openers.has(word(i))) depth++;
    else if (closers.has(word(i)) && --depth < 0) {
      depth = 0;
      from = i + 1;
    }
  }
  for (let i = run.length - 1, depth = 0; i >= Math.max(from, run.length - room); i--) {
    if (closers.has(word(i))) depth++;
    else if (openers.has(word(i)) && --depth < 0) {
      depth = 0;
      let start = i;
      while (start > from && !endsStatement.has(word(start - 1))) start--;
      if (run.length - start > room) break;
      to = start;
    }
  }
  return part(run, from, to);
}

const bracketWords = tokensOf({ 'a.ts': '( [ { ) ] } ;' }, defaultOptions)[0].words;
export const openers = new Set(bracketWords.slice(0, 3));
export const closers = new Set(bracketWords.slice(3, 6));
const endsStatement = new Set([bracketWords[2], bracketWords[5], bracketWords[6]]);

/** True if a run has enough distinct shingles of four tokens, abstracted and as written. */
function hasDistinctShingles({ left, a, length }: Diagonal, { minTokens }: Options): boolean {
  const words = left.words.slice(a, a + length);
  const isName = (word: number): boolean => names.has(word & 15);
  const shingles = (tokens: readonly number[]): number =>
    new Set(tokens.slice(3).map((_, i) => tokens.slice(i, i + 4).join(' '))).size;
  const forms = words.some(isName) ? shingles(words.map((word) => (isName(word) ? word & 15 : word))) : 0;
  const { minimum, ofTokens } = constants.distinctShingles;
  return forms + shingles(words) >= Math.round(minimum * Math.min(1, minTokens / ofTokens));
}

export const names = new Set(
  (['identifier', 'call', 'number', 'string'] as const).map((kind) => tokenKinds.indexOf(kind)),
);

// ---------------------------------------------------------------------------------------------------------------------
// Rows

/** Returns the passages of each row, identified by the group that is nested in no other group. */
function rowsOf({ groups }: Findings): Passage[][] {
  const parents = new Map(groups.map((group) => [group.id, group.parent]));
  const rows = new Map<string, Passage[]>();
  for (const { id, kind, passages } of groups) {
    if (kind === 'file') continue;
    let row = id;
    for (let parent = parents.get(row); parent !== undefined; parent = parents.get(row)) row = parent;
    rows.set(row, [...(rows.get(row) ?? []), ...passages]);
  }
  return [...rows.values()];
}

/** Returns the largest number of tokens of a run in one row, each with its counterpart in another passage. */
function mostFound({ left, right, a, b, length }: Diagonal, rows: readonly (readonly Passage[])[]): number {
  let maxMatched = 0;
  for (const row of rows) {
    let found = 0;
    for (let i = 0; i < length; i++) {
      const around = row.filter((passage) => isIn(left, a + i, passage));
      if (around.some((x) => row.some((y) => x !== y && isIn(right, b + i, y)))) found++;
    }
    maxMatched = Math.max(maxMatched, found);
  }
  return maxMatched;
}

function isIn({ path, lines, columns }: Tokens, token: number, passage: Passage): boolean {
  const [line, column] = [lines[token], columns[token]];
  return (
    passage.path === path &&
    (passage.startLine < line || (passage.startLine === line && passage.startColumn <= column)) &&
    (line < passage.endLine || (line === passage.endLine && column < passage.endColumn))
  );
}

function describe({ left, right, a, b, length }: Diagonal, found: number): LostRun {
  return { a: stretch(left, a, length), b: stretch(right, b, length), tokens: length, found };
}

function stretch({ path, lines }: Tokens, start: number, length: number): Stretch {
  return { path, start, end: start + length, startLine: lines[start], endLine: lines[start + length - 1] };
}
