/**
 * Simple reference lexer for Java with regular expressions. The text is decoded as Latin-1, so that offsets are in
 * bytes and every byte from 0x80 on is a letter. Imports have tokens.
 */
import { hashBytes } from '../../../src/core/engine/languages/hashBytes.ts';
import { lexiconForLanguage } from '../../../src/core/engine/languages/allLexicons.ts';
import { kindBits } from '../../../src/core/kernel/lex/lexedLayout.ts';
import { type TokenKind, tokenKinds } from '../../../src/core/engine/languages/tokenKind.ts';

export interface PlainToken {
  readonly kind: TokenKind;
  /** Hash and kind in one number. */
  readonly word: number;
  readonly start: number;
  readonly length: number;
}

const java = lexiconForLanguage('java');
const keywords = new Set(`${java?.keywords} ${java?.values} import package`.split(/\s+/));
const values = new Set(java?.values?.split(' '));
const introducing = new Set(java?.introducing?.split(' '));
const between = new Set(java?.between?.split(' '));
/** Words between two values. If one of them follows a word, that word is a name. */
const infix = /^(?:as|by|if|in|is|of|or|to|and|for|not|else|then|sati.....|inst......)$/;

const letter = '[A-Za-z0-9_$\\x80-\\xff]';
/** A backslash with the escaped byte, where CRLF counts as one. */
const escape = '\\\\(?:\\r\\n|[^]|$)';

const patterns = {
  white: /[\0-\x20\x7f]+|\\(?=[\r\n])/y,
  comment: /\/\/[^\r\n]*|\/\*[^]*?(?:\*\/|$)/y,
  block: new RegExp(`"""((?:${escape}|[^\\\\])*?)(?:"""(?!")|$)`, 'y'),
  string: new RegExp(`(["'])((?:${escape}|(?!\\1)[^\\\\\\r\\n])*)\\1?`, 'y'),
  hexadecimal: /0[xX](?:[0-9A-Za-z_]|\.(?=[0-9])|(?<=[pP])[+-](?=[0-9]))*/y,
  number: /\.?[0-9](?:[0-9A-Za-z_]|\.(?=[0-9])|(?<=[eE])[+-](?=[0-9]))*/y,
  word: new RegExp(`${letter}+`, 'y'),
  operator:
    /\.\.[.=<]?|>>>=?|(?:&&|\|\||\?\?|<<|>>|\*\*)=?|<=>|[=!]==|[!%&*+\-/:<=>?@^|~]=|!!|\+\+|--|::|->|=>|\|>|<>|\?:|\?\.(?![0-9])/y,
} as const;

const words = new RegExp(`${letter}+`, 'g');
/** Words, and rows of equal signs other than quotes and backslashes. */
const wordsAndSigns = new RegExp(`(?<word>${letter}+)|([^\\0-\\x20\\x7f'"\`\\\\])\\2*`, 'g');

/** Returns the tokens of a Java text, including those of imports. */
export function lexJavaByDefinition(bytes: Uint8Array): PlainToken[] {
  const text = Buffer.from(bytes).toString('latin1');
  const tokens: PlainToken[] = [];
  let start = text.startsWith('\xef\xbb\xbf') ? 3 : 0;

  function match(name: keyof typeof patterns): RegExpExecArray | null {
    const pattern = patterns[name];
    pattern.lastIndex = start;
    return pattern.exec(text);
  }
  function add(kind: TokenKind, at: number, length: number, hashed: string): void {
    const hash = hashBytes(Buffer.from(hashed, 'latin1'), 0);
    const word = ((hash << kindBits) | tokenKinds.indexOf(kind)) >>> 0;
    tokens.push({ kind, word, start: at, length: Math.min(length, 65_535) });
  }
  function addString(whole: string, body: string, bodyStart: number): void {
    const found = [...body.matchAll(words)];
    const hasLines = /[\r\n]/.test(whole);
    const isShort = body.length <= 80 && !hasLines;
    // A token must not span lines.
    if (isShort || found.length === 0) add('string', start, /[^\r\n]*/.exec(whole)![0].length, body);
    else if (!hasLines) for (const { 0: word, index } of found) add('string', bodyStart + index, word.length, word);
    else addText(body, bodyStart);
  }
  /** Signs are operators, except the first one on a line and the last one of the text. */
  function addText(body: string, bodyStart: number): void {
    const found = [...body.matchAll(wordsAndSigns)];
    for (const [number, { 0: token, index, groups }] of found.entries()) {
      const at = bodyStart + index;
      const lineStart = 1 + Math.max(text.lastIndexOf('\n', at - 1), text.lastIndexOf('\r', at - 1));
      const isFirst = (tokens.at(-1)?.start ?? -1) < lineStart;
      if (groups!['word'] !== undefined) add('string', at, token.length, token);
      else {
        const sign = token.slice(0, 4);
        add(isFirst || number === found.length - 1 ? 'string' : 'operator', at, sign.length, sign);
      }
    }
  }

  /** Returns true if a contextual keyword is a keyword before this text. */
  function isKeywordHere(word: string, after: string): boolean {
    const last = tokens.at(-1);
    const previous = last ? text.slice(last.start, last.start + Math.max(last.length, 2)) : '';
    const kind = last && tokenKinds[last.word & 15];
    const sign = kind === 'operator' || kind === 'punctuation' ? previous.slice(0, 1) : '';
    if (sign === '.' && !previous.startsWith('..')) return false;
    if (!between.has(word)) return introduces(sign, after);
    const isValue = kind === 'keyword' ? values.has(previous.slice(0, last!.length)) : /^$|[)\]}!>]/.test(sign);
    return last !== undefined && isValue && /^[ \t]*[\w$\x80-\xff([{"'`\-!<]/.test(after);
  }

  while (start < text.length) {
    const skipped = match('white') ?? match('comment');
    if (skipped) {
      start += skipped[0].length;
      continue;
    }
    let length = 1;
    const block = match('block');
    const string = match('string');
    const number = match('hexadecimal') ?? match('number');
    const word = match('word');
    const operator = match('operator');
    // A dot after a value does not begin a number.
    const isMember = text[start] === '.' && start > 0 && /[\w$\x80-\xff)\]]/.test(text[start - 1]);
    if (block) {
      length = block[0].length;
      addString(block[0], block[1], start + 3);
    } else if (string) {
      length = string[0].length;
      addString(string[0], string[2], start + 1);
    } else if (number && !isMember) {
      length = number[0].length;
      add('number', start, length, number[0]);
    } else if (word) {
      length = word[0].length;
      const isCall = /^[ \t]*\(/.test(text.slice(start + length));
      const isContextual = introducing.has(word[0]) || between.has(word[0]);
      const isKeyword = isContextual ? isKeywordHere(word[0], text.slice(start + length)) : keywords.has(word[0]);
      add(isKeyword ? 'keyword' : isCall ? 'call' : 'identifier', start, length, word[0]);
    } else if (operator) {
      length = operator[0].length;
      add('operator', start, length, operator[0]);
    } else {
      add(/[()[\]{};,.]/.test(text[start]) ? 'punctuation' : 'operator', start, 1, text[start]);
    }
    start += length;
  }
  return tokens;
}

/** Returns true if a declaration or a block follows a word. `sign` is the sign before the word. */
function introduces(sign: string, after: string): boolean {
  if (/[#@]/.test(sign)) return true;
  const next = new RegExp(`^[\\0-\\x20]*(${letter}+)(\\()?`).exec(after);
  if (next) return /^[\0-\x20]/.test(after) && (!infix.test(next[1]) || (next[2] !== undefined && next[1].length < 9));
  if (/^[\0-\x20]*[{"']|^[\0-\x20]+[[`]|^[\0-\x20]*->|^[\0-\x20]+\*[^\0-\x20]/.test(after)) return true;
  if (sign === ')' && /^[\0-\x20]*(?:\*|=>)/.test(after)) return true;
  return /[{};]/.test(sign) && /^[\0-\x20]*(?:;|=>|\*)/.test(after);
}
