/** Compiles lexicons to the format that the kernel reads (src/core/kernel/lex/lexiconLayout.ts). */
import * as layout from '../../kernel/lex/lexiconLayout.ts';
import { hashBytes } from './hashBytes.ts';
import type { LexicalRule, Lexicon, RulePlace, StringRule } from './lexicalRules.ts';

/** Parts of a text that are converted to tokens only if an option says so. */
export interface KeptParts {
  /** True if import statements are converted to tokens. */
  readonly imports: boolean;
  /** True if the words of comments are tokens of the kind `comment`. */
  readonly comments?: boolean;
}

/** Compiles a lexicon. Throws a RangeError if the lexicon has too many rules, or if a rule is too long. */
export function lexiconBytes(lexicon: Lexicon, kept: KeptParts): Uint8Array {
  const rules = [...lexicon.rules].sort(
    (a, b) => chainOf(lexicon, a) - chainOf(lexicon, b) || b.open.length - a.open.length || bound(a) - bound(b),
  );
  if (rules.length >= layout.noRule) throw new RangeError(`Too many rules in the lexicon of ${lexicon.id}.`);
  const table = wordTable(lexicon, kept);
  const wordsStart = layout.headerBytes + rules.length * layout.ruleBytes;
  const bytes = new Uint8Array(wordsStart + table.byteLength);
  const view = new DataView(bytes.buffer);
  view.setUint32(layout.lexiconFlagsAt, flagsOf(lexicon, kept), true);
  view.setUint32(layout.lexiconWordsAt, wordsStart, true);
  view.setUint32(layout.lexiconWordMaskAt, table.length - 1, true);
  view.setUint32(layout.lexiconRulesAt, layout.headerBytes, true);
  writeClasses(bytes, lexicon);
  rules.forEach((rule, number) => {
    const chain = chainOf(lexicon, rule);
    const isFirst = number === 0 || chainOf(lexicon, rules[number - 1]) !== chain;
    const isLast = number === rules.length - 1 || chainOf(lexicon, rules[number + 1]) !== chain;
    if (isFirst && chain < prefixChain) {
      bytes[layout.firstRulesAt + chain] = number;
      bytes[layout.classesAt + chain] = layout.ruleClass;
    } else if (isFirst) {
      bytes[layout.prefixRulesAt] = number;
    }
    writeRule(view, layout.headerBytes + number * layout.ruleBytes, rule, isLast);
  });
  for (const rule of rules) if (chainOf(lexicon, rule) === prefixChain) writePrefix(bytes, lexicon, rule);
  table.forEach((entry, slot) => view.setUint32(wordsStart + 4 * slot, entry, true));
  return bytes;
}

/**
 * Number of the chain of rules that begin with a letter. Each of the chains 0 to 255 has the rules that begin with that
 * byte. The rules of a chain are tried in order.
 */
const prefixChain = 256;

function chainOf(lexicon: Lexicon, rule: LexicalRule): number {
  const first = rule.open.charCodeAt(0);
  return isWordByte(lexicon, first) ? prefixChain : first;
}

/** Returns a sort key for rules with the same opening: rules that apply only at some positions are tried first. */
function bound(rule: LexicalRule): number {
  return rule.where ? 0 : 1;
}

function isWordByte(lexicon: Lexicon, byte: number): boolean {
  return (
    byte >= 0x80 || /\w/.test(String.fromCharCode(byte)) || (lexicon.letters ?? '').includes(String.fromCharCode(byte))
  );
}

function flagsOf(lexicon: Lexicon, kept: KeptParts): number {
  return (
    flag(lexicon.prose, layout.proseFlag) |
    flag(lexicon.foldCase, layout.foldFlag) |
    flag(lexicon.markup, layout.markupFlag) |
    flag(lexicon.quotedDigits, layout.quotedDigitsFlag) |
    flag(lexicon.imports?.indented, layout.indentedImportsFlag) |
    flag(lexicon.imports?.semicolons, layout.semicolonsFlag) |
    flag(kept.comments, layout.commentsFlag) |
    flag(lexicon.tex, layout.texFlag)
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
  heredoc: layout.heredocRule,
  quoteLike: layout.quoteLikeRule,
  escaped: layout.escapedRule,
  blockScalar: layout.blockScalarRule,
  discard: layout.discardRule,
  token: layout.tokenRule,
} as const;

const placeFlags: Record<RulePlace, number> = {
  firstColumn: layout.firstColumnRule,
  firstOnLine: layout.firstOnLineRule,
  afterBlank: layout.afterBlankRule,
  value: layout.valueRule,
  scalar: layout.scalarRule,
  flow: layout.flowRule,
  alone: layout.aloneRule,
  apart: layout.apartRule,
  pattern: layout.patternRule,
};

function writeRule(view: DataView, at: number, rule: LexicalRule, isLast: boolean): void {
  const type = rule.type === 'fenced' && rule.comment ? layout.fencedCommentRule : ruleTypes[rule.type];
  view.setUint8(at + layout.ruleTypeAt, type);
  view.setUint8(at + layout.ruleOpenLengthAt, writeText(view, at + layout.ruleOpenAt, rule.open, 8));
  view.setUint8(at + layout.ruleCloseLengthAt, writeText(view, at + layout.ruleCloseAt, closingOf(rule), 8));
  view.setUint32(at + layout.ruleFlagsAt, ruleFlagsOf(rule) | (isLast ? layout.lastRule : 0), true);
  const sense = rule.sense ?? (rule.type === 'regex' ? 'regex' : '');
  view.setUint32(at + layout.ruleSeedAt, sense === '' ? 0 : hashBytes(asciiBytes(sense), 0), true);
  if (rule.type === 'string') {
    view.setUint8(at + layout.ruleEscapeAt, rule.escape?.charCodeAt(0) ?? 0);
    writeHole(view, at, rule.hole);
  }
  if (rule.type === 'fenced') {
    view.setUint8(at + layout.ruleEscapeAt, rule.close[0].length);
    view.setUint8(at + layout.ruleFenceAt, rule.fence === '' ? 0 : rule.fence.charCodeAt(0));
    view.setUint8(at + layout.ruleMinFencesAt, rule.minFences ?? 0);
    view.setUint8(
      at + layout.ruleFenceEndLengthAt,
      writeText(view, at + layout.ruleFenceEndAt, rule.fenceEnd ?? '', 4),
    );
  }
}

function closingOf(rule: LexicalRule): string {
  if (rule.type === 'character') return rule.open;
  if (rule.type === 'fenced') return rule.close.join('');
  return 'close' in rule ? rule.close : '';
}

/** Flag in the compiled rule for each boolean property. */
const propertyFlags = {
  blankBeforeName: layout.blankBeforeNameRule,
  closeFirstOnLine: layout.closeFirstOnLineRule,
  closeInFirstColumn: layout.closeInFirstColumnRule,
  code: layout.codeRule,
  command: layout.commandRule,
  continued: layout.continuedRule,
  docstring: layout.docstringRule,
  doubled: layout.doubledRule,
  escapeInWord: layout.escapeInWordRule,
  marks: layout.markedFenceRule,
  multiline: layout.multilineRule,
  nested: layout.nestedRule,
  twoParts: layout.twoPartsRule,
} as const;

function ruleFlagsOf(rule: LexicalRule): number {
  const properties: { readonly [name: string]: unknown } = { ...rule };
  let flags = rule.where ? placeFlags[rule.where] : 0;
  for (const [name, bits] of Object.entries(propertyFlags)) {
    if (properties[name] === true) flags |= bits;
  }
  return flags | flag(rule.type === 'fenced' && rule.fence === '', layout.namedFenceRule);
}

function flag(condition: boolean | undefined, bits: number): number {
  return condition ? bits : 0;
}

function writeHole(view: DataView, at: number, hole: StringRule['hole']): void {
  if (!hole) return;
  view.setUint8(at + layout.ruleHoleLengthAt, writeText(view, at + layout.ruleHoleOpenAt, hole[0], 2));
  view.setUint8(at + layout.ruleHoleCloseAt, hole[1].charCodeAt(0));
}

/** Writes an ASCII text and returns its length. Throws a RangeError if it is longer than `limit`. */
function writeText(view: DataView, at: number, text: string, limit: number): number {
  if (text.length > limit) throw new RangeError(`${text} is longer than ${limit} bytes.`);
  for (let index = 0; index < text.length; index++) view.setUint8(at + index, text.charCodeAt(index));
  return text.length;
}

/** Delimiters that may directly follow the letters of a quote-like operator. */
const delimiters = '/([{<|!"\'#~^%:?`@,';

/**
 * Marks the bytes that can follow the letters at the beginning of a rule's opening. If a word is followed by another
 * byte, the lexer does not try rules that begin with letters.
 */
function writePrefix(bytes: Uint8Array, lexicon: Lexicon, rule: LexicalRule): void {
  const letters = [...rule.open].findIndex((character) => !isWordByte(lexicon, character.charCodeAt(0)));
  for (const character of letters >= 0 ? rule.open[letters] : afterOpening(rule)) {
    bytes[layout.classesAt + character.charCodeAt(0)] |= layout.afterPrefix;
  }
  const longest = (letters < 0 ? rule.open.length : letters) + 1;
  bytes[layout.longestPrefixAt] = Math.max(bytes[layout.longestPrefixAt], longest);
}

/** Returns the characters that can follow an opening that has only letters. */
function afterOpening(rule: LexicalRule): string {
  if (rule.type === 'fenced') return rule.fence + (rule.fenceEnd ?? '').slice(0, 1);
  return rule.type === 'quoteLike' ? delimiters : '';
}

/** Creates a hash table with open addressing from words to their meanings. At most a quarter of its slots are used. */
function wordTable(lexicon: Lexicon, kept: KeptParts): Uint32Array {
  const meanings = wordMeanings(lexicon, kept);
  const table = new Uint32Array(2 ** Math.ceil(Math.log2(4 * meanings.size + 4)));
  for (const [word, meaning] of meanings) {
    const hash = hashBytes(asciiBytes(word), 0);
    let slot = hash & (table.length - 1);
    while (table[slot] !== 0) slot = (slot + 1) & (table.length - 1);
    table[slot] = (hash << 4) | meaning;
  }
  return table;
}

/**
 * Returns the meaning of each special word. If a word has several meanings, the last one wins. If imports are converted
 * to tokens, import words have no special meaning.
 */
function wordMeanings(lexicon: Lexicon, kept: KeptParts): Map<string, number> {
  const { statements, headers, declarations, reexports, modifiers, ...others } = lexicon.imports ?? {};
  const meanings = new Map<string, number>();
  const add = (list: string | undefined, meaning: number): void => {
    for (const word of list?.split(/\s+/) ?? []) {
      if (word !== '') meanings.set(lexicon.foldCase ? word.toLowerCase() : word, meaning);
    }
  };
  for (const list of [lexicon.keywords, statements, headers, declarations, reexports, modifiers]) {
    add(list, layout.keywordMeaning);
  }
  add(lexicon.values, layout.valueMeaning);
  add(lexicon.introducing, layout.introducingMeaning);
  add(lexicon.between, layout.betweenMeaning);
  add(lexicon.typeNames, layout.typeMeaning);
  add(lexicon.commentWords, layout.commentMeaning);
  add(lexicon.endWords, layout.endMeaning);
  if (kept.imports) return meanings;
  add(modifiers, layout.modifierMeaning);
  add(statements, layout.importMeaning);
  add(headers, layout.headerMeaning);
  add(declarations, layout.declarationMeaning);
  add(reexports, layout.reexportMeaning);
  add(others.calls, layout.importCallMeaning);
  add(others.directives, layout.directiveMeaning);
  add(others.require, layout.importCallMeaning);
  add(others.forms, layout.formMeaning);
  return meanings;
}

function asciiBytes(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
