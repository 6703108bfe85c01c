/**
 * Finds the text that several copies share, with holes where the copies differ. The result is the least general
 * generalization of the token sequences (anti-unification: Plotkin 1970). Each copy is aligned with the first one. If
 * the copies declare a variable under different names, and do so consistently, its name is not a hole.
 */
import { alignWords } from './alignWords.ts';
import { declaredNames, isAssigned, isMember, isOfOther } from './declaredNames.ts';
import { partnersIn, renameInString } from './renaming.ts';
import { asNames, memberSigns, tokensOf } from './tokens.ts';
import type { Word } from './words.ts';

/** Range of token indices; `end` is exclusive. */
export interface TokenRange {
  readonly start: number;
  readonly end: number;
}

/** A hole: tokens of the first copy that differ in at least one other copy. */
export interface Hole extends TokenRange {
  /** Fillings of the hole: for each copy, including the first, the tokens that it has in place of the hole. */
  readonly fillings: readonly TokenRange[];
}

export interface Template {
  readonly text: string;
  /** Tokens of each copy, the first copy included. */
  readonly copies: readonly (readonly Word[])[];
  /** For each copy, maps names that the first copy declares to the names that this copy declares instead. */
  readonly renamed: readonly ReadonlyMap<string, string>[];
  /** Names that the first copy declares. */
  readonly declared: ReadonlySet<string>;
  /** True if the first copy contains a class, which may declare members. Otherwise, members of `this` are outside. */
  readonly hasClass: boolean;
  /** VS Code id of the copies' language. */
  readonly language: string | undefined;
  /** Holes in order of position. Two adjacent holes are kept apart only if each is a single token. */
  readonly holes: readonly Hole[];
}

/**
 * Returns the shared text of copies, with holes.
 *
 * @param texts     texts of the copies, at least one
 * @param language  VS Code id of the copies' language
 */
export function antiUnify(texts: readonly string[], language?: string): Template {
  const copies = texts.map((text) => tokensOf(text, language));
  const [first = [], ...others] = copies;
  const declared = declaredNames(first, language);
  const aligned = others.map((right) => {
    const pairs = alignWords(asNames(first), asNames(right), 'names');
    const theirs = declaredNames(right, language);
    const partners = partnersIn({ left: first, right, pairs });
    const names = partners.filter((name) => declared.has(name.left) && theirs.has(name.right));
    return { opposite: new Map(pairs), renamed: new Map(names.map((name) => [name.left, name.right])) };
  });
  const renamed = [new Map<string, string>(), ...aligned.map((it) => it.renamed)];
  const opposites = aligned.map((it) => it.opposite);
  const frame = first.map((_, at) => opposites.every((opposite) => opposite.has(at)));
  const hasClass = first.some(({ text }) => classWords.has(text));
  const own = { text: texts[0] ?? '', copies, renamed, declared, hasClass, language };
  for (;;) {
    const holes = holesIn(own, frame, opposites);
    const widened = [
      ...holes.flatMap((hole) => [...missingBeside(own, hole), ...receiverOf(own, hole)]),
      ...adjacentTo(holes, frame),
    ].filter((at) => frame[at]);
    if (widened.length === 0) return { ...own, holes };
    for (const at of widened) frame[at] = false;
  }
}

const classWords = new Set(['class', 'struct', 'record', 'object', 'trait', 'impl', 'extension']);

/** Returns the tokens of one copy: the shared tokens with this copy's names, and its fillings of the holes. */
export function filled(template: Template, copy: number): string[] {
  const { copies, holes } = template;
  const [first, mine] = [copies[0]!, copies[copy]!];
  const texts: string[] = [];
  let at = 0;
  for (const { start, end, fillings } of holes) {
    appendCommon(start);
    const { start: from, end: to } = fillings[copy]!;
    texts.push(...mine.slice(from, to).map(({ text }) => text));
    at = end;
  }
  appendCommon(first.length);
  return texts;

  function appendCommon(to: number): void {
    for (; at < to; at++) texts.push(withNames(template, at, copy));
  }
}

/** Returns the text of a token of the first copy, with the names that another copy uses. */
function withNames({ copies, renamed, hasClass, language }: Parts, at: number, copy: number): string {
  const [tokens, names] = [copies[0]!, renamed[copy]!];
  const { text, kind } = tokens[at]!;
  if (kind !== 'name') return renameInString(text, names, language);
  const isElsewhere = hasClass ? isOfOther(tokens, at) : isMember(tokens, at);
  return isElsewhere ? text : (names.get(text) ?? text);
}

type Parts = Pick<Template, 'copies' | 'renamed' | 'hasClass' | 'language'>;

/** @param frame  true for each token of the first copy that every copy has, possibly under another name */
function holesIn(parts: Parts, frame: readonly boolean[], opposites: readonly ReadonlyMap<number, number>[]): Hole[] {
  const { copies } = parts;
  const first = copies[0]!;
  const holes: Hole[] = [];
  const placesOf = (at: number): readonly number[] => [at, ...opposites.map((opposite) => opposite.get(at)!)];
  let before = copies.map(() => 0);
  let start = 0;
  for (let at = 0; at <= first.length; at++) {
    if (at < first.length && !frame[at]) continue;
    const places = at === first.length ? copies.map(({ length }) => length) : placesOf(at);
    const fillings = places.map((end, copy) => ({ start: before[copy]!, end }));
    if (fillings.some(({ start: from, end }) => from < end)) {
      const hole = { start, end: at, fillings };
      if (!isCommon(hole)) holes.push(hole);
    }
    if (at === first.length) break;
    const own = { start: at, end: at + 1, fillings: places.map((from) => ({ start: from, end: from + 1 })) };
    if (!isCommon(own)) holes.push(own);
    before = places.map((place) => place + 1);
    start = at + 1;
  }
  return holes;

  /** Returns true if all copies have the same tokens in this range, apart from renamed declarations. */
  function isCommon({ start: from, end, fillings }: Hole): boolean {
    return fillings.every((filling, copy) => {
      if (filling.end - filling.start !== end - from) return false;
      for (let i = 0; i < end - from; i++)
        if (copies[copy]![filling.start + i]!.text !== withNames(parts, from + i, copy)) return false;
      return true;
    });
  }
}

/**
 * Returns the tokens before a member name that must be added to its hole. If `options.width` and `options.height`
 * differ, the hole is the full expression. If the copies declare the variable themselves, the hole is only the member
 * name, because the variable does not exist outside the function.
 */
function receiverOf({ copies, declared }: Parts & Pick<Template, 'declared'>, { start, end }: Hole): number[] {
  const first = copies[0]!;
  if (end === start || !isMember(first, start) || isAssigned(first, end - 1)) return [];
  let at = start;
  while (isMember(first, at) && isReceiver(first[at - 2])) at -= 2;
  const root = first[at]!;
  if (at === start || isMember(first, at) || declared.has(root.text)) return [];
  return Array.from({ length: start - at }, (_, i) => at + i);
}

function isReceiver(token: Word | undefined): boolean {
  return token?.kind === 'name' || /^(?:this|self|super)$/.test(token?.text ?? '');
}

const brackets: Readonly<Record<string, number>> = { '(': 1, '[': 1, '{': 1, ')': -1, ']': -1, '}': -1 };

/**
 * Returns tokens next to a hole that must become part of it. If one copy has `g(a)` and another has `b`, these must
 * form a single hole. For `g b` and `h c`, there are two holes.
 */
function adjacentTo(holes: readonly Hole[], frame: readonly boolean[]): number[] {
  const isAligned = ({ start, end }: Hole): boolean => end > start && frame[start]!;
  return holes.flatMap((hole, at) => {
    const next = holes[at + 1];
    if (next?.start !== hole.end || isAligned(hole) === isAligned(next)) return [];
    return [isAligned(hole) ? hole.start : next.start];
  });
}

/** Operators and keywords that precede an operand. If only some copies have one, the hole must include the operand. */
const prefixes = new Set(['&', '*', '-', '!', '~', 'mut', 'await', 'not', 'new']);

/** Returns tokens next to a hole that must join it: matching brackets, names next to a dot, operands of prefixes. */
function missingBeside({ copies }: Parts, { start, end, fillings }: Hole): number[] {
  const places = new Set<number>();
  const isPrefix = fillings.every((filling, copy) =>
    copies[copy]!.slice(filling.start, filling.end).every(({ text }) => prefixes.has(text)),
  );
  if (isPrefix && fillings.some((filling) => filling.start === filling.end)) places.add(end);
  for (const [copy, filling] of fillings.entries()) {
    const tokens = copies[copy]!.slice(filling.start, filling.end);
    let [depth, minDepth] = [0, 0];
    for (const { text } of tokens) {
      depth += brackets[text] ?? 0;
      minDepth = Math.min(minDepth, depth);
    }
    if (minDepth < 0 || memberSigns.has(tokens[0]?.text ?? '')) places.add(start - 1);
    if (depth > minDepth || memberSigns.has(tokens.at(-1)?.text ?? '')) places.add(end);
  }
  return [...places];
}
