/** Composition of code: the share of its tokens that are logic, the share that are literal values, and so on. */
import type { Lexicon } from '../languages/lexicalRules.ts';
import { fallbackLexicon } from '../languages/lexicons/fallback.ts';
import { kindMask } from '../../kernel/lex/lexedLayout.ts';
import { kindCodes as codes, type TokenKind, tokenOf } from '../languages/tokenKind.ts';
import { TokenSet } from '../languages/tokenSet.ts';

/** Approximate number of tokens to sample from a document. */
const sampled = 512;

/** Samples the tokens of a document, and counts how many of the sampled tokens have each role. */
export function makeupOfDocument(words: Uint32Array, address: number, count: number): Makeup {
  return makeupOf(words, address, count, Math.max(1, Math.floor(count / sampled)));
}

/** Numbers of tokens by their role. */
export interface Makeup {
  readonly tokens: number;
  readonly punctuation: number;
  /** Calls, and keywords of control flow. */
  readonly logic: number;
  /** Keywords of conditions, loops, and exception handling. */
  readonly branches: number;
  /** Operators that assign a value. */
  readonly assignments: number;
  /** Keywords of declarations and their modifiers. */
  readonly declarations: number;
  /** Numbers and strings, except for strings that are part of a longer text. */
  readonly literals: number;
  /** Strings that are words of a longer text, such as a script, query, or template written as a string literal. */
  readonly textWords: number;
}

/** Counts the roles of `count` tokens at an address. Examines only every `every`th token. */
export function makeupOf(words: Uint32Array, address: number, count: number, every = 1): Makeup {
  const first = address >>> 2;
  const end = first + count;
  let [tokens, punctuation, logic, branches, assignments, declarations, literals] = [0, 0, 0, 0, 0, 0, 0];
  let [operators, textWords] = [0, 0];
  for (let at = first; at < end; at += every) {
    tokens++;
    const token = words[at];
    const kind = token & kindMask;
    if (kind === codes.punctuation) punctuation++;
    else if (kind === codes.call) logic++;
    else if (kind === codes.operator) {
      operators++;
      if (assigningTokens.has(token)) assignments++;
    } else if (kind === codes.keyword) {
      if (controlTokens.has(token)) {
        logic++;
        if (branchTokens.has(token)) branches++;
      } else if (declaringTokens.has(token)) declarations++;
    } else if (kind === codes.number) literals++;
    else if (kind === codes.string) {
      // Adjacent string tokens are words of one text. The values of a table, by contrast, are separated by punctuation
      // or an operator.
      if ((at > first && isString(words[at - 1])) || (at + 1 < end && isString(words[at + 1]))) textWords++;
      else literals++;
    }
  }
  // No branch is used here, because it would rarely be taken. V8 would discard the optimized code when it is taken for
  // the first time.
  const wordsOfData = operators < minOperatorsOfText * textWords ? textWords : 0;
  literals += wordsOfData;
  textWords -= wordsOfData;
  return { tokens, punctuation, logic, branches, assignments, declarations, literals, textWords };
}

function isString(token: number): boolean {
  return (token & kindMask) === codes.string;
}

/** Returns the share of branches among the tokens, in [0, 1]. */
export function branchShare({ tokens, branches }: Makeup): number {
  return tokens === 0 ? 0 : branches / tokens;
}

/** Returns the share of assignments among the tokens, in [0, 1]. */
export function assignmentShare({ tokens, assignments }: Makeup): number {
  return tokens === 0 ? 0 : assignments / tokens;
}

/** Returns the share of declarations among the tokens, in [0, 1]. */
export function declarationShare({ tokens, declarations }: Makeup): number {
  return tokens === 0 ? 0 : declarations / tokens;
}

/** Returns the share of logic among the tokens, in [0, 1]. */
export function logicShare({ tokens, logic }: Makeup): number {
  return tokens === 0 ? 0 : logic / tokens;
}

/** Returns true if code is a table: mostly values with almost no logic. */
export function isTable(makeup: Makeup): boolean {
  const { tokens, punctuation, literals, textWords } = makeup;
  return literals >= minLiterals * (tokens - punctuation - textWords) && logicShare(makeup) < maxLogicOfTables;
}

/** Returns true if a text other than prose is data: due to its language, or as a table or a program's output. */
export function isData({ id, data }: Lexicon, makeup: Makeup, text: Uint8Array): boolean {
  // Calls look the same in most languages: `name(…)`. So if a text in an unknown language has no calls, it is not code.
  const isUnknown = id === fallbackLexicon.id && logicShare(makeup) < minLogicOfCode;
  return data === true || id === 'xml' || isUnknown || isTable(makeup) || (id === 'typescript' && isTranslation(text));
}

/** Returns true if the text is a translation file of Qt. Such a file is XML, but has the extension `.ts`. */
function isTranslation(text: Uint8Array): boolean {
  if (text.subarray(0, 128).indexOf(less) < 0) return false;
  return headOfTranslation.test(String.fromCharCode(...text.subarray(0, 128)));
}

const less = 60;
const headOfTranslation = /^\s*(?:<\?xml[^>]*>\s*)?<!DOCTYPE TS\b/;

/**
 * Minimum share of literals in a table. Punctuation and words of longer texts are not included in the share. In `name:
 * value`, half of the tokens are literals.
 */
const minLiterals = 0.45;
/**
 * Minimum number of operators for each word of a text in strings. With fewer operators, the words are data: a list,
 * messages, or bytes. In the tests of Git, only 15 of 1,091 scripts are classified differently by thresholds from 0 to
 * .3.
 */
const minOperatorsOfText = 0.15;
const maxLogicOfTables = 0.03;
/** Minimum share of logic in source code. Source code has .06 to .2; logs and recorded output have .00 to .03. */
const minLogicOfCode = 0.04;

/** Keywords of conditions, loops, and exception handling. Each has the same token in every language. */
const branchWords = `
  if else elif elsif elseif unless switch case when match guard
  for foreach while until do loop try catch except finally rescue
`;
/** Other keywords of control flow. */
const jumpWords = `
  then select default repeat break continue next redo goto fallthrough
  return yield throw throws raise ensure defer panic recover
  await async go spawn with using assert
`;

const declaringWords = `
  public private protected internal pub static final abstract override virtual sealed readonly extern inline
  class struct enum interface trait impl type typedef union record object module namespace package
  def func fn fun function sub proc
`;
const assigningOperators = '= := += -= *= /= %= &= |= ^= <<= >>= ||= &&= ??=';

const branchTokens = tokensOf(branchWords, 'keyword');
export const controlTokens = tokensOf(branchWords + jumpWords, 'keyword');
export const declaringTokens = tokensOf(declaringWords, 'keyword');
export const assigningTokens = tokensOf(assigningOperators, 'operator');

function tokensOf(words: string, kind: TokenKind): TokenSet {
  return new TokenSet(
    words
      .trim()
      .split(/\s+/)
      .map((word) => tokenOf(word, kind)),
  );
}
