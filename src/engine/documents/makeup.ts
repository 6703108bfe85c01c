/** Composition of code: the share of tokens that are logic, and the share that are literal values. */
import type { Lexicon } from '../languages/lexicalRules.ts';
import { fallbackLexicon } from '../languages/lexicons/fallback.ts';
import { kindMask } from '../../kernel/lex/lexedLayout.ts';
import { kindCodes as codes, tokenOf } from '../languages/tokenKind.ts';
import { TokenSet } from '../languages/tokenSet.ts';

/** Approximate number of tokens that are sampled from a document. */
const sampled = 512;

/** Counts a sample of a document's tokens. */
export function makeupOfDocument(words: Uint32Array, address: number, count: number): Makeup {
  return makeupOf(words, address, count, Math.max(1, Math.floor(count / sampled)));
}

/** Token counts. */
export interface Makeup {
  readonly tokens: number;
  readonly punctuation: number;
  /** Calls, and keywords of control flow. */
  readonly logic: number;
  /** Numbers and strings. */
  readonly literals: number;
}

/** Counts the tokens of a run of `count` tokens at an address. Samples one of every `every` tokens. */
export function makeupOf(words: Uint32Array, address: number, count: number, every = 1): Makeup {
  const first = address >>> 2;
  let [tokens, punctuation, logic, literals] = [0, 0, 0, 0];
  for (let at = first; at < first + count; at += every) {
    tokens++;
    const token = words[at];
    const kind = token & kindMask;
    if (kind === codes.punctuation) punctuation++;
    else if (kind === codes.call || (kind === codes.keyword && controlTokens.has(token))) logic++;
    else if (kind === codes.number || kind === codes.string) literals++;
  }
  return { tokens, punctuation, logic, literals };
}

/** Returns the share of tokens that are logic, in [0, 1]. */
export function logicShare({ tokens, logic }: Makeup): number {
  return tokens === 0 ? 0 : logic / tokens;
}

/** Returns true if code is a table: mostly values with almost no logic. */
export function isTable(makeup: Makeup): boolean {
  const { tokens, punctuation, literals } = makeup;
  return literals >= leastLiterals * (tokens - punctuation) && logicShare(makeup) < mostLogicOfTables;
}

/**
 * Returns true if a text other than prose is data: because of its language, as a table, or as the output of a program.
 */
export function isData({ id, data }: Lexicon, makeup: Makeup): boolean {
  // Most languages call functions as C does. A text in an unknown language without calls is not code.
  const isUnknown = id === fallbackLexicon.id && logicShare(makeup) < leastLogicOfCode;
  return data === true || id === 'xml' || isUnknown || isTable(makeup);
}

/** Share of the tokens other than punctuation: half of `name: value` is a value. */
const leastLiterals = 0.45;
const mostLogicOfTables = 0.03;
/** Source code has .06 to .2; logs and recorded outputs have .00 to .03. */
const leastLogicOfCode = 0.04;

/** Keywords of control flow of all languages. A word has the same token in every language. */
const controlWords = `
  if else elif elsif elseif unless then switch case when match select guard default
  for foreach while until do loop repeat break continue next redo goto fallthrough
  return yield throw throws raise try catch except finally ensure rescue defer panic recover
  await async go spawn with using assert
`;

const controlTokens = new TokenSet(
  controlWords
    .trim()
    .split(/\s+/)
    .map((word) => tokenOf(word, 'keyword')),
);
