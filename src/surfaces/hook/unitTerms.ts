/**
 * Extracts the terms of a declaration: the names that it calls, the words in its names and strings, its numbers, and
 * its shape (token sequences without names). Functions with the same purpose share terms even if they were written
 * independently. Names are split into words as in information retrieval of source code (Antoniol et al. 2002).
 */
import type { LexicalRule, Lexicon } from '../../core/engine/languages/lexicalRules.ts';

/** Kinds of terms. The index of a kind is stored in the two highest bits of a term. */
export const termKinds = ['word', 'call', 'number', 'shape'] as const;
export type TermKind = (typeof termKinds)[number];

export interface UnitTerms {
  /** Distinct terms in ascending order, as unsigned 32-bit numbers. */
  readonly terms: Uint32Array;
  /** Number of tokens, not counting comments. */
  readonly tokens: number;
}

interface Token {
  readonly type: 'word' | 'keyword' | 'number' | 'string' | 'sign';
  readonly text: string;
}

export function kindOfTerm(term: number): TermKind {
  return termKinds[term >>> 30]!;
}

/**
 * Returns the terms of a declaration.
 *
 * @param text  all lines of the declaration
 */
export function termsOf(text: string, lexicon: Lexicon): UnitTerms {
  const tokens = tokensOf(text, lexicon);
  const terms = new Set<number>();
  const add = (kind: TermKind, value: string): void => void terms.add(termFor(kind, value));
  const shapes = tokens.map((token, i) => shapeOf(token, tokens[i - 1], tokens[i + 1]));
  for (const [i, { type, text: value }] of tokens.entries()) {
    if (type === 'word' || type === 'string') for (const word of wordsOf(value)) add('word', word);
    if (type === 'word' && isUse(tokens[i - 1], tokens[i + 1])) add('call', value);
    if (type === 'number') add('number', value);
    if (i >= shapeSize - 1) add('shape', shapes.slice(i - shapeSize + 1, i + 1).join(' '));
  }
  return { terms: Uint32Array.from(terms).sort(), tokens: tokens.length };
}

/** Returns the names that code calls or accesses as members, in order of occurrence. */
export function calledIn(text: string, lexicon: Lexicon): ReadonlySet<string> {
  const tokens = tokensOf(text, lexicon);
  return new Set(
    tokens.flatMap((token, i) => (token.type === 'word' && isUse(tokens[i - 1], tokens[i + 1]) ? [token.text] : [])),
  );
}

/** Number of consecutive tokens in a shape. */
const shapeSize = 4;

/** Returns a token with a placeholder for local names, but not for called ones, which authors do not choose. */
function shapeOf({ type, text }: Token, before: Token | undefined, after: Token | undefined): string {
  switch (type) {
    case 'word':
      return isUse(before, after) ? text : '_';
    case 'number':
      return text;
    case 'string':
      return '""';
    case 'keyword':
    case 'sign':
      return text;
  }
}

/** Returns true if a name is called, or is accessed as a member. */
function isUse(before: Token | undefined, after: Token | undefined): boolean {
  return before?.text === '.' || before?.text === '->' || (after?.text === '(' && before?.type !== 'keyword');
}

/** Splits names such as `parseDay`, `parse_day`, and `HTMLElement` into words, and removes their endings. */
function wordsOf(name: string): string[] {
  const parts = name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}]+/gu) ?? [];
  return parts.filter((part) => part.length > 1).map(stemOf);
}

function stemOf(word: string): string {
  const lower = word.toLowerCase();
  return lower.length > 3 ? lower.replace(/(?:ies|y)$/, 'i').replace(/(?:ing|ed|es|s|e)$/, '') : lower;
}

function tokensOf(text: string, lexicon: Lexicon): Token[] {
  const keywords = keywordsOf(lexicon);
  return Array.from(text.matchAll(patternOf(lexicon)), ({ groups }): Token[] => {
    const { comment, string, word, number, sign } = groups!;
    if (comment !== undefined) return [];
    if (string !== undefined) return [{ type: 'string', text: string }];
    if (word !== undefined) return [{ type: keywords.has(word) ? 'keyword' : 'word', text: word }];
    if (number !== undefined) return [{ type: 'number', text: number.toLowerCase() }];
    return isPunctuation(sign!) ? [] : [{ type: 'sign', text: sign! }];
  }).flat();
}

/** Returns true for signs that depend on the author's style rather than on the code. */
function isPunctuation(sign: string): boolean {
  return sign === ';' || sign === ',' || sign === '{' || sign === '}';
}

const keywordSets = new Map<Lexicon, ReadonlySet<string>>();

function keywordsOf(lexicon: Lexicon): ReadonlySet<string> {
  const found = keywordSets.get(lexicon);
  if (found) return found;
  const { keywords, values, introducing, between, typeNames } = lexicon;
  const words = new Set([keywords, values, introducing, between, typeNames].join(' ').split(/\s+/));
  keywordSets.set(lexicon, words);
  return words;
}

const patterns = new Map<Lexicon, RegExp>();

/** Returns a regular expression for a language's tokens. It does not recognize code embedded in strings. */
function patternOf(lexicon: Lexicon): RegExp {
  const found = patterns.get(lexicon);
  if (found) return found;
  const rules = [...lexicon.rules].sort((a, b) => openingOf(b).length - openingOf(a).length);
  const comments = rules.flatMap(commentPattern);
  const strings = rules.flatMap(stringPattern);
  const pattern = new RegExp(
    [
      ...(comments.length > 0 ? [`(?<comment>${comments.join('|')})`] : []),
      ...(strings.length > 0 ? [`(?<string>${strings.join('|')})`] : []),
      String.raw`(?<word>[\p{L}_$][\p{L}\p{N}_$]*)`,
      String.raw`(?<number>\d[\w.]*)`,
      String.raw`(?<sign>=>|->|::|\?\?|&&|\|\||[=!]==?|[<>]=|<<|>>+|\S)`,
    ].join('|'),
    'gmu',
  );
  patterns.set(lexicon, pattern);
  return pattern;
}

function openingOf(rule: LexicalRule): string {
  return 'open' in rule ? rule.open : '';
}

function commentPattern(rule: LexicalRule): string[] {
  if (rule.type === 'lineComment') return [`${rule.where === 'firstColumn' ? '^' : ''}${escaped(rule.open)}.*`];
  if (rule.type === 'blockComment' || (rule.type === 'string' && rule.docstring && rule.multiline)) {
    return [`${escaped(rule.open)}[^]*?(?:${escaped(rule.close)}|$(?![^]))`];
  }
  return [];
}

function stringPattern(rule: LexicalRule): string[] {
  if (rule.type !== 'string' || (rule.docstring && rule.multiline)) return [];
  const any = rule.multiline ? '[^]' : '.';
  const inner = rule.escape === undefined ? any : `${escaped(rule.escape)}${any}|(?!${escaped(rule.escape)})${any}`;
  return [`${escaped(rule.open)}(?:${inner})*?${escaped(rule.close)}`];
}

function escaped(text: string): string {
  // Hyphens are not escaped, because that is an error in regular expressions with the flag `u`.
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

/** Returns the 30-bit hash of a term (FNV-1a), with the kind in the two highest bits. */
function termFor(kind: TermKind, value: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < value.length; i++) hash = Math.imul(hash ^ value.charCodeAt(i), 0x01000193);
  return ((termKinds.indexOf(kind) << 30) | ((hash ^ (hash >>> 15)) & 0x3fffffff)) >>> 0;
}
