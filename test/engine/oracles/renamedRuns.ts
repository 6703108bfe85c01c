/**
 * Specification: runs that are equal except for consistently renamed names are matched completely. From each position
 * on all diagonals of all pairs of documents, the longest run with a bijection of names is determined.
 */
import { tokenOf } from '../../../src/core/engine/languages/tokenKind.ts';
import { defaultOptions } from '../../../src/core/engine/options.ts';
import type { Documents, CorpusMatches } from '../corpusOf.ts';
import { separator } from './alignmentByDefinition.ts';
import { closers, names, openers, type Tokens, tokensOf } from './equalRuns.ts';

/** Tokens [a, a + length) of one text and [b, b + length) of another. */
export interface Run {
  readonly a: number;
  readonly b: number;
  readonly length: number;
}

/** Part of a run that no match contains completely, and the largest number of its tokens in one match. */
export interface LostSection {
  readonly left: string;
  readonly right: string;
  readonly run: Run;
  readonly found: number;
}

const minTokens = defaultOptions.minTokens;
const [caseWord, defaultWord] = [tokenOf('case', 'keyword'), tokenOf('default', 'keyword')];
const colon = tokenOf(':', 'operator');
/** Maximum number of tokens in part of a statement, as in src/core/kernel/matches/trimming.ts. */
const maxTrimmed = 24;

const isName = (word: number): boolean => names.has(word & 15);
const isAlike = (x: number, y: number): boolean =>
  x === y ? x !== separator : isName(x) && isName(y) && (x & 15) === (y & 15);

/**
 * Returns all runs of at least `fewest` tokens that are equal except for consistently renamed names and cannot be
 * extended at either end. Within one text, only those whose first place comes first.
 */
export function renamedRuns(left: readonly number[], right: readonly number[], fewest: number): Run[] {
  const runs: Run[] = [];
  for (let shift = left === right ? 1 : 1 - left.length; shift < right.length; shift++) {
    let reached = 0;
    for (let a = Math.max(0, -shift); a < left.length && a + shift < right.length; a++) {
      const length = bijectiveLength(left, a, right, a + shift);
      // Otherwise it is part of a run that begins earlier and extends as far.
      if (length >= fewest && a + length > reached) runs.push({ a, b: a + shift, length });
      reached = Math.max(reached, a + length);
    }
  }
  return runs;
}

function bijectiveLength(left: readonly number[], a: number, right: readonly number[], b: number): number {
  const [there, back] = [new Map<number, number>(), new Map<number, number>()];
  let length = 0;
  for (; a + length < left.length && b + length < right.length; length++) {
    const [x, y] = [left[a + length], right[b + length]];
    if (!isAlike(x, y)) break;
    if (!isName(x)) continue;
    if ((there.get(x) ?? y) !== y || (back.get(y) ?? x) !== x) break;
    there.set(x, y);
    back.set(y, x);
  }
  return length;
}

/** Returns the parts of a run between its unpaired brackets, without the beginnings of statements before them. */
export function sectionsOf(text: Tokens, run: Run): Run[] {
  const { words } = text;
  const end = run.a + run.length;
  const open: number[] = [];
  const alone: number[] = [];
  for (let i = run.a; i < end; i++) {
    if (openers.has(words[i])) open.push(i);
    else if (closers.has(words[i]) && open.pop() === undefined) alone.push(i);
  }
  const bounds = [...alone, ...open, end];
  return bounds.flatMap((bound, i) => {
    const from = i === 0 ? run.a : bounds[i - 1] + 1;
    const to = bound < end && openers.has(words[bound]) ? statementStart(text, bound) : bound;
    return to - from >= minTokens ? [{ a: from, b: run.b + from - run.a, length: to - from }] : [];
  });
}

/**
 * Splits a run into the statements before the first case of one side, the complete cases, and the statements after the
 * head of the last case.
 */
function partsAtCases(text: Tokens, side: 'a' | 'b', run: Run): Run[] {
  const { words } = text;
  const [from, to] = [run[side], run[side] + run.length];
  const cases: number[] = [];
  let depth = 0;
  for (let i = from; i < to; i++) {
    if (depth === 0 && beginsCase(text, i)) cases.push(i);
    if (openers.has(words[i])) depth++;
    else if (closers.has(words[i])) depth--;
  }
  if (cases.length === 0) return [run];
  const isEnded = to === words.length || closers.has(words[to]) || words[to] === separator || beginsCase(text, to);
  const last = isEnded ? to : cases[cases.length - 1];
  const parts = [
    [from, cases[0]],
    [cases[0], last],
    [isEnded ? to : words.indexOf(colon, last) + 1, to],
  ];
  return parts
    .filter(([start, end]) => end - start >= minTokens)
    .map(([start, end]) => ({ a: run.a + start - from, b: run.b + start - from, length: end - start }));
}

function beginsCase({ words, lines }: Tokens, i: number): boolean {
  const isFirst = i === 0 || lines[i - 1] !== lines[i];
  return isFirst && (words[i] === caseWord || (words[i] === defaultWord && words[i + 1] === colon));
}

/** Returns the start of the statement before an opener, at most twelve lines above. */
function statementStart({ words, lines }: Tokens, opener: number): number {
  let start = opener;
  for (let line = 0; line < 12; line++) {
    if (line > 0) start--;
    while (start > 0 && lines[start - 1] === lines[start]) start--;
    const between = words.slice(start, opener);
    const depth =
      between.filter((word) => closers.has(word)).length - between.filter((word) => openers.has(word)).length;
    if ((depth <= 0 && start < opener) || start === 0) break;
  }
  return start;
}

/**
 * Returns the sections of renamed runs that are in no match although they should be. Only runs that the search can find
 * count: near them, there must be a seed of equal windows that is on no equal run of minimum size. The classifier must
 * accept the run as a match of two given passages. Sections that overlap their other side are skipped.
 *
 * @returns the number of sections compared with the matches, and the lost ones
 */
export function lostSections(
  documents: Documents,
  { seeds, matches, matchGiven }: CorpusMatches,
): { readonly looked: number; readonly lost: LostSection[] } {
  const texts = tokensOf(documents, defaultOptions).sort((x, y) => (x.path < y.path ? -1 : 1));
  let looked = 0;
  const lost: LostSection[] = [];
  for (const [x, left] of texts.entries()) {
    for (const [y, right] of texts.entries()) {
      if (y < x || left.prose || right.prose) continue;
      const own = seeds.filter((seed) => seed.left === x && seed.right === y);
      const ofPair = matches.filter(({ docA, docB }) => docA === x && docB === y);
      const sections = renamedRuns(left.words, right.words, minTokens)
        .filter((run) => own.some((seed) => leadsTo(seed, run, left, right)))
        .flatMap((run) => sectionsOf(left, run))
        .flatMap((run) => partsAtCases(left, 'a', run))
        .flatMap((run) => partsAtCases(right, 'b', run))
        .flatMap((run) => partsAtCases(left, 'a', run))
        .filter(({ a, b, length }) => x !== y || a + length <= b);
      for (const run of sections) {
        const [a0, b0] = [run.a, run.b];
        const requiredMatch = matchGiven(
          { document: x, start: a0, end: a0 + run.length },
          { document: y, start: b0, end: b0 + run.length },
        );
        if (!requiredMatch) continue;
        looked++;
        const has = (match: typeof requiredMatch): number =>
          Math.min(
            Math.min(match.a1, requiredMatch.a1) - Math.max(match.a0, requiredMatch.a0),
            Math.min(match.b1, requiredMatch.b1) - Math.max(match.b0, requiredMatch.b0),
          );
        const found = Math.max(0, ...ofPair.map(has));
        if (found < has(requiredMatch) - maxTrimmed) lost.push({ left: left.path, right: right.path, run, found });
      }
    }
  }
  return { looked, lost };
}

/** True if a seed is in the stretch of one form that contains a run, and on no equal run of minimum size. */
function leadsTo(seed: { a: number; b: number }, run: Run, left: Tokens, right: Tokens): boolean {
  if (seed.b - seed.a !== run.b - run.a) return false;
  const reaches = (alike: (x: number, y: number) => boolean): [number, number] => {
    let [from, to] = [seed.a, seed.a];
    const at = (i: number): boolean =>
      i >= 0 &&
      i < left.words.length &&
      i + seed.b - seed.a < right.words.length &&
      i + seed.b - seed.a >= 0 &&
      alike(left.words[i], right.words[i + seed.b - seed.a]);
    while (at(from - 1)) from--;
    while (at(to)) to++;
    return [from, to];
  };
  const [from, to] = reaches(isAlike);
  const [equalFrom, equalTo] = reaches((x, y) => x === y && x !== separator);
  return run.a >= from && run.a < to && equalTo - equalFrom < minTokens;
}
