/** What tokens of code are made of: how much of them does something, and how much are values that are written down. */
import { hashBytes } from '../languages/hashBytes.ts';
import type { Lexicon } from '../languages/lexicalRules.ts';
import { fallbackLexicon } from '../languages/lexicons/fallback.ts';
import { kindBits, kindMask } from '../../kernel/lex/lexedLayout.ts';
import { kindCodes as codes } from '../languages/tokenKind.ts';

/** Of a whole document about so many tokens say what it is made of. */
const sampled = 512;

/** What a document is made of, by a sample of its tokens. */
export function makeupOfDocument(words: Uint32Array, address: number, count: number): Makeup {
  return makeupOf(words, address, count, Math.max(1, Math.floor(count / sampled)));
}

/** Counts of tokens. */
export interface Makeup {
  readonly tokens: number;
  readonly punctuation: number;
  /** Calls, and keywords that decide what is done next. */
  readonly logic: number;
  /** Numbers and strings. */
  readonly literals: number;
}

/** What a run of tokens is made of; it begins at an address and has `count` tokens, of which every so many are looked at. */
export function makeupOf(words: Uint32Array, address: number, count: number, every = 1): Makeup {
  const first = address >>> 2;
  let [tokens, punctuation, logic, literals] = [0, 0, 0, 0];
  for (let at = first; at < first + count; at += every) {
    tokens++;
    const token = words[at];
    const kind = token & kindMask;
    if (kind === codes.punctuation) punctuation++;
    else if (kind === codes.call || (kind === codes.keyword && isControl(token))) logic++;
    else if (kind === codes.number || kind === codes.string) literals++;
  }
  return { tokens, punctuation, logic, literals };
}

/** The share of tokens that are logic, in [0, 1]. */
export function logicShare({ tokens, logic }: Makeup): number {
  return tokens === 0 ? 0 : logic / tokens;
}

/** Whether code is a table: mostly values, and next to nothing is done with them. */
export function isTable(makeup: Makeup): boolean {
  const { tokens, punctuation, literals } = makeup;
  return literals >= leastLiterals * (tokens - punctuation) && logicShare(makeup) < mostLogicOfTables;
}

/** Whether a text that is no prose is data: by its language, or as a table, or as what a program has written. */
export function isData({ id, data }: Lexicon, makeup: Makeup): boolean {
  // Most languages call functions as C does: what has no calls, and is in no language that we know, is no code.
  const isUnknown = id === fallbackLexicon.id && logicShare(makeup) < leastLogicOfCode;
  return data === true || id === 'xml' || isUnknown || isTable(makeup);
}

/** Of the tokens that are no punctuation: half of `name: value` is a value. */
const leastLiterals = 0.45;
const mostLogicOfTables = 0.03;
/** Source code has .06 to .2; logs and recorded outputs have .00 to .03. */
const leastLogicOfCode = 0.04;

/** Keywords of control flow, of any language: the same word has the same token in all. */
const controlWords = `
  if else elif elsif elseif unless then switch case when match select guard default
  for foreach while until do loop repeat break continue next redo goto fallthrough
  return yield throw throws raise try catch except finally ensure rescue defer panic recover
  await async go spawn with using assert
`;

const controlTokens: ReadonlySet<number> = new Set(
  controlWords
    .trim()
    .split(/\s+/)
    .map((word) => tokenOf(word, codes.keyword)),
);

/** Slots of a table that says of most words at once that they are none of these. */
const likelySlots = 1024;
const isLikely = new Uint8Array(likelySlots);
for (const token of controlTokens) isLikely[(token >>> kindBits) & (likelySlots - 1)] = 1;

function isControl(token: number): boolean {
  return isLikely[(token >>> kindBits) & (likelySlots - 1)] === 1 && controlTokens.has(token);
}

function tokenOf(word: string, code: number): number {
  const bytes = Uint8Array.from(word, (letter) => letter.charCodeAt(0));
  return ((hashBytes(bytes, 0) << kindBits) | code) >>> 0;
}
