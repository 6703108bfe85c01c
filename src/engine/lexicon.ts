/**
 * Lexicons: what the lexer has to know of a language, which language a file is in, and the compiled form that the kernel
 * reads (its layout: src/kernel/lexiconLayout.ts). The tables of the languages are in lexicons/.
 */
import * as layout from '../kernel/lexiconLayout.ts';
import { hashBytes } from './hashBytes.ts';
import { cLexicons } from './lexicons/c.ts';
import { fallbackLexicon } from './lexicons/fallback.ts';
import { proseLexicons } from './lexicons/prose.ts';
import { scriptLexicons } from './lexicons/script.ts';

/** What the lexer has to know of one language. Lists of words are separated by blanks. */
export interface Lexicon {
  /** The language's identifier in VS Code. */
  readonly id: string;
  /** Words only: no comments, strings or operators. */
  readonly prose: boolean;
  /** Other identifiers that mean the same language. */
  readonly aliases?: string;
  /** Endings (`.ts`) and whole names (`Makefile`) of its files; case does not matter. */
  readonly files: string;
  /** Whether words are the same in upper and lower case. */
  readonly foldCase?: boolean;
  /** ASCII characters that are letters of words besides A–Z, a–z, 0–9 and _. */
  readonly letters?: string;
  /** The same, but not as the first character of a word. */
  readonly innerLetters?: string;
  /** Whether a quote may separate digits: 1'000. */
  readonly quotedDigits?: boolean;
  readonly keywords?: string;
  /** Keywords that are values, such as `true` and `this`. */
  readonly values?: string;
  readonly imports?: ImportWords;
  readonly rules: readonly LexicalRule[];
}

/** The words that make a statement an import. */
export interface ImportWords {
  /** `import a;`, `use a::{b};`: up to the end of the statement. Keywords. */
  readonly statements?: string;
  /** The same for functions: `require 'a'`, `library(a)`. */
  readonly calls?: string;
  /** `package a.b;`: only where nothing but names follows. Keywords. */
  readonly headers?: string;
  /** `#include`, `@import`: after # or @. */
  readonly directives?: string;
  /** `const` of `const a = require('a')`. Keywords. */
  readonly declarations?: string;
  /** `require` of the same. */
  readonly require?: string;
  /** `export` of `export { a } from 'a'`. Keywords. */
  readonly reexports?: string;
  /** What may stand before: `pub use a;`. Keywords. */
  readonly modifiers?: string;
}

/** Where a rule applies; everywhere without it. */
export type RulePlace = 'firstColumn' | 'firstOnLine' | 'afterBlank' | 'value' | 'alone';

interface Placed {
  /** The bytes it begins with, at most 8; ASCII. */
  readonly open: string;
  readonly where?: RulePlace;
}

/** One thing that is not a word, number or operator. Of the rules that begin at a byte, the longest opening wins. */
export type LexicalRule =
  | (Placed & { readonly type: 'lineComment'; readonly continued?: boolean })
  | (Placed & {
      readonly type: 'blockComment';
      readonly close: string;
      readonly nested?: boolean;
      readonly closeInFirstColumn?: boolean;
    })
  | (Placed & {
      readonly type: 'string';
      readonly close: string;
      readonly escape?: string;
      readonly multiline?: boolean;
      /** The closing written twice is part of the string. */
      readonly doubled?: boolean;
      /** Opening and closing of code inside the string; of two characters and one. */
      readonly hole?: readonly [open: string, close: string];
      readonly docstring?: boolean;
      readonly closeFirstOnLine?: boolean;
      /** Strings are equal only within one sense: raw and other strings differ. */
      readonly sense?: string;
    })
  | (Placed & { readonly type: 'character' })
  | (Placed & { readonly type: 'regex' })
  | (Placed & {
      readonly type: 'fenced';
      readonly comment?: boolean;
      /** The byte that is repeated after the opening; any name where it is empty. */
      readonly fence: string;
      readonly leastFences?: number;
      readonly fenceEnd?: string;
      /** The closing before and after the repeated fence. */
      readonly close: readonly [before: string, after: string];
      readonly sense?: string;
    })
  | (Placed & { readonly type: 'token' });

/** Every language with a table. */
export const lexicons: readonly Lexicon[] = [...cLexicons, ...scriptLexicons, ...proseLexicons, fallbackLexicon];

const byFile = new Map(
  lexicons.flatMap((lexicon) => words(lexicon.files).map((file) => [file.toLowerCase(), lexicon])),
);
const byLanguage = new Map(
  lexicons.flatMap((lexicon) => [lexicon.id, ...words(lexicon.aliases)].map((id) => [id, lexicon])),
);

/** The lexicon for a file, by its name: the whole name first, then its longest known ending. Never a miss. */
export function lexiconForPath(path: string): Lexicon {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).toLowerCase();
  const whole = byFile.get(name);
  if (whole) return whole;
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    const lexicon = byFile.get(name.slice(dot));
    if (lexicon) return lexicon;
  }
  // Dockerfile.release, Makefile.am
  const stem = name.indexOf('.');
  return (stem > 0 ? byFile.get(name.slice(0, stem)) : undefined) ?? fallbackLexicon;
}

/** The lexicon for a language identifier of VS Code, or undefined where there is no table for it. */
export function lexiconForLanguage(languageId: string): Lexicon | undefined {
  return byLanguage.get(languageId);
}

/**
 * The bytes that the kernel reads; they can be at any address.
 *
 * @param options.imports  whether imports give tokens
 */
export function compileLexicon(lexicon: Lexicon, options: { readonly imports: boolean }): Uint8Array {
  const plain = lexicon.rules.filter((rule) => !isWordByte(lexicon, rule.open.charCodeAt(0)));
  const prefixed = lexicon.rules.filter((rule) => isWordByte(lexicon, rule.open.charCodeAt(0)));
  const rules = [...plain, ...prefixed].sort(
    (a, b) => rank(lexicon, a) - rank(lexicon, b) || b.open.length - a.open.length,
  );
  if (rules.length >= layout.noRule) throw new RangeError(`Too many rules in the lexicon of ${lexicon.id}.`);
  const table = wordTable(lexicon, options.imports);
  const wordsStart = layout.headerBytes + rules.length * layout.ruleBytes;
  const bytes = new Uint8Array(wordsStart + table.byteLength);
  const view = new DataView(bytes.buffer);
  view.setUint32(layout.flagsAt, flagsOf(lexicon), true);
  view.setUint32(layout.wordsAt, wordsStart, true);
  view.setUint32(layout.wordMaskAt, table.length - 1, true);
  view.setUint32(layout.rulesAt, layout.headerBytes, true);
  writeClasses(bytes, lexicon);
  rules.forEach((rule, number) => {
    const chain = rank(lexicon, rule);
    const isFirst = number === 0 || rank(lexicon, rules[number - 1]) !== chain;
    const isLast = number === rules.length - 1 || rank(lexicon, rules[number + 1]) !== chain;
    if (isFirst && chain < prefixChain) {
      bytes[layout.firstRulesAt + chain] = number;
      bytes[layout.classesAt + chain] = layout.ruleClass;
    } else if (isFirst) {
      bytes[layout.prefixRulesAt] = number;
    }
    writeRule(view, layout.headerBytes + number * layout.ruleBytes, rule, isLast);
  });
  for (const rule of prefixed) writePrefix(bytes, lexicon, rule);
  table.forEach((entry, slot) => view.setUint32(wordsStart + 4 * slot, entry, true));
  return bytes;
}

/** Rules are tried in chains: those with the same first byte, and last those whose first byte is a letter. */
const prefixChain = 256;

function rank(lexicon: Lexicon, rule: LexicalRule): number {
  const first = rule.open.charCodeAt(0);
  return isWordByte(lexicon, first) ? prefixChain : first;
}

function isWordByte(lexicon: Lexicon, byte: number): boolean {
  return (
    byte >= 0x80 || /\w/.test(String.fromCharCode(byte)) || (lexicon.letters ?? '').includes(String.fromCharCode(byte))
  );
}

function flagsOf(lexicon: Lexicon): number {
  return (
    (lexicon.prose ? layout.proseFlag : 0) |
    (lexicon.foldCase ? layout.foldFlag : 0) |
    (lexicon.quotedDigits ? layout.quotedDigitsFlag : 0)
  );
}

function writeClasses(bytes: Uint8Array, lexicon: Lexicon): void {
  for (let byte = 0; byte < 256; byte++) {
    const inner = isWordByte(lexicon, byte) || (lexicon.innerLetters ?? '').includes(String.fromCharCode(byte));
    if (inner && byte < 0x80) bytes[layout.lettersAt + (byte & 15)] |= 1 << (byte >> 4);
    bytes[layout.classesAt + byte] = bytes[layout.plainClassesAt + byte] = classOf(lexicon, byte);
  }
  bytes.fill(layout.noRule, layout.firstRulesAt, layout.firstRulesAt + 256);
  bytes[layout.prefixRulesAt] = layout.noRule;
}

function classOf(lexicon: Lexicon, byte: number): number {
  if (byte === 10 || byte === 13) return layout.lineEndClass;
  if (byte <= 32 || byte === 127) return layout.blankClass;
  const character = String.fromCharCode(byte);
  if (/[0-9]/.test(character)) return layout.digitClass;
  if (isWordByte(lexicon, byte)) return layout.wordClass;
  return '()[]{};,.'.includes(character) ? layout.punctuationClass : layout.operatorClass;
}

const ruleTypes = {
  lineComment: layout.lineCommentRule,
  blockComment: layout.blockCommentRule,
  string: layout.stringRule,
  character: layout.characterRule,
  regex: layout.regexRule,
  fenced: layout.fencedRule,
  token: layout.tokenRule,
} as const;

const placeFlags: Record<RulePlace, number> = {
  firstColumn: layout.lineStartRule,
  firstOnLine: layout.firstOnLineRule,
  afterBlank: layout.afterBlankRule,
  value: layout.valueRule,
  alone: layout.alone,
};

function writeRule(view: DataView, at: number, rule: LexicalRule, isLast: boolean): void {
  const type = rule.type === 'fenced' && rule.comment ? layout.fencedCommentRule : ruleTypes[rule.type];
  view.setUint8(at + layout.typeAt, type);
  view.setUint8(at + layout.openLengthAt, writeText(view, at + layout.openAt, rule.open, 8));
  view.setUint8(at + layout.closeLengthAt, writeText(view, at + layout.closeAt, closingOf(rule), 8));
  view.setUint32(at + layout.ruleFlagsAt, ruleFlagsOf(rule) | (isLast ? layout.lastRule : 0), true);
  if (rule.type === 'string' || rule.type === 'fenced') view.setUint32(at + layout.seedAt, seedOf(rule.sense), true);
  if (rule.type === 'regex') view.setUint32(at + layout.seedAt, seedOf('regex'), true);
  if (rule.type === 'string') {
    view.setUint8(at + layout.escapeAt, rule.escape?.charCodeAt(0) ?? 0);
    writeHole(view, at, rule.hole);
  }
  if (rule.type === 'fenced') {
    view.setUint8(at + layout.escapeAt, rule.close[0].length);
    view.setUint8(at + layout.fenceAt, rule.fence === '' ? 0 : rule.fence.charCodeAt(0));
    view.setUint8(at + layout.leastFencesAt, rule.leastFences ?? 0);
    view.setUint8(at + layout.fenceEndLengthAt, writeText(view, at + layout.fenceEndAt, rule.fenceEnd ?? '', 4));
  }
}

function closingOf(rule: LexicalRule): string {
  switch (rule.type) {
    case 'blockComment':
    case 'string':
      return rule.close;
    case 'fenced':
      return rule.close.join('');
    case 'character':
      return rule.open;
    case 'lineComment':
    case 'regex':
    case 'token':
      return '';
  }
}

function ruleFlagsOf(rule: LexicalRule): number {
  const place = rule.where ? placeFlags[rule.where] : 0;
  switch (rule.type) {
    case 'lineComment':
      return place | flag(rule.continued, layout.continuedRule);
    case 'blockComment':
      return place | flag(rule.nested, layout.nestedRule) | flag(rule.closeInFirstColumn, layout.closeAtLineStartRule);
    case 'string':
      return (
        place |
        flag(rule.multiline, layout.multilineRule) |
        flag(rule.doubled, layout.doubledRule) |
        flag(rule.docstring, layout.docstringRule) |
        flag(rule.closeFirstOnLine, layout.closeAtLineStartRule)
      );
    case 'fenced':
      return place | flag(rule.fence === '', layout.namedFenceRule);
    case 'character':
    case 'regex':
    case 'token':
      return place;
  }
}

function flag(condition: boolean | undefined, bits: number): number {
  return condition ? bits : 0;
}

function writeHole(view: DataView, at: number, hole: readonly [string, string] | undefined): void {
  if (!hole) return;
  view.setUint8(at + layout.holeLengthAt, writeText(view, at + layout.holeOpenAt, hole[0], 2));
  view.setUint8(at + layout.holeCloseAt, hole[1].charCodeAt(0));
}

/** Writes ASCII `text` and returns its length. */
function writeText(view: DataView, at: number, text: string, limit: number): number {
  if (text.length > limit) throw new RangeError(`${text} is longer than ${limit} bytes.`);
  for (let index = 0; index < text.length; index++) view.setUint8(at + index, text.charCodeAt(index));
  return text.length;
}

/** Strings of one sense share a seed; those without have 0. */
function seedOf(sense = ''): number {
  return sense === '' ? 0 : hashBytes(asciiBytes(sense), 0);
}

/** Marks the bytes that can come directly after a prefix, so that other words are spared the look. */
function writePrefix(bytes: Uint8Array, lexicon: Lexicon, rule: LexicalRule): void {
  const letters = [...rule.open].findIndex((character) => !isWordByte(lexicon, character.charCodeAt(0)));
  const after = letters < 0 && rule.type === 'fenced' ? rule.fence + (rule.fenceEnd ?? '') : rule.open[letters];
  for (const character of after) bytes[layout.classesAt + character.charCodeAt(0)] |= layout.afterPrefix;
  const longest = letters < 0 ? rule.open.length + 1 : letters + 1;
  bytes[layout.longestPrefixAt] = Math.max(bytes[layout.longestPrefixAt], longest);
}

/** An open-addressing table of the words' hashes and meanings, at most a quarter full. */
function wordTable(lexicon: Lexicon, imports: boolean): Uint32Array {
  const meanings = wordMeanings(lexicon, imports);
  const table = new Uint32Array(2 ** Math.ceil(Math.log2(4 * meanings.size + 4)));
  for (const [word, meaning] of meanings) {
    const hash = hashBytes(asciiBytes(lexicon.foldCase ? word.toLowerCase() : word), 0);
    let slot = hash & (table.length - 1);
    while (table[slot] !== 0) slot = (slot + 1) & (table.length - 1);
    table[slot] = (hash << 4) | meaning;
  }
  return table;
}

/** The later meaning of a word wins. Where imports are kept, their words are plain keywords or nothing special. */
function wordMeanings(lexicon: Lexicon, imports: boolean): Map<string, number> {
  const { statements, calls, headers, directives, declarations, require, reexports, modifiers } = lexicon.imports ?? {};
  const keywords = [lexicon.keywords, statements, headers, declarations, reexports, modifiers].flatMap(words);
  const meanings = new Map(keywords.map((word) => [word, layout.keywordMeaning]));
  const add = (list: string | undefined, meaning: number): void => {
    for (const word of words(list)) meanings.set(word, meaning);
  };
  add(lexicon.values, layout.valueMeaning);
  if (imports) return meanings;
  add(modifiers, layout.modifierMeaning);
  add(statements, layout.importMeaning);
  add(headers, layout.headerMeaning);
  add(declarations, layout.declarationMeaning);
  add(reexports, layout.reexportMeaning);
  add(calls, layout.importCallMeaning);
  add(directives, layout.directiveMeaning);
  add(require, layout.requireMeaning);
  return meanings;
}

function words(list: string | undefined): string[] {
  return list?.split(/\s+/).filter((word) => word !== '') ?? [];
}

function asciiBytes(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
