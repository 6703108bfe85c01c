/**
 * Splits a text in any language into words: names, numbers, and single punctuation characters. White space is omitted,
 * and no parser is needed. Reserved words and quoted text do not count as names, because they cannot be renamed. Code
 * in a string has names (see interpolations.ts).
 */
import { codeInString, type TextRange } from './interpolations.ts';
import { isReserved } from './reservedWords.ts';

export interface Word {
  readonly text: string;
  /** Start in UTF-16 units; the end is exclusive. */
  readonly start: number;
  readonly end: number;
  /** Line number, counted from 0. */
  readonly line: number;
  /** `name`: a copy may use a different name here. `fixed`: never renamed, even if a copy has a different word here. */
  readonly kind: 'name' | 'fixed';
}

/** A string on one line, with the prefixes of Python, Scala, and C#. After other letters, ' is an apostrophe. */
const string =
  /(?:(?:(?<![\p{L}\p{N}_])(?:[bBfFrRuUs]{1,2}|raw)|[@$]{1,2})(?=")|(?<![\p{L}\p{N}_])[bBfFrRuU]{1,2}(?=')|(?<![\p{L}\p{N}]))(["'`])(?:\\.|(?!\1)[^\\\r\n])*\1/gu;

const pattern = /[\p{L}_$][\p{L}\p{M}\p{N}_$]*|\p{N}[\p{L}\p{N}_]*|\r\n|[\r\n]|[^\S\r\n]+|./gsu;

/**
 * Returns the words of a text, in order.
 *
 * @param language  VS Code id of the text's language; `undefined` if it is unknown
 */
export function wordsOf(text: string, language?: string): Word[] {
  const words: Word[] = [];
  const quoted = quotedIn(text, language);
  let line = 0;
  let quote = 0;
  for (const match of text.matchAll(pattern)) {
    const [found] = match;
    const start = match.index;
    if (/^[\r\n]/.test(found)) line++;
    if (/^\s/.test(found)) continue;
    while (quote < quoted.length && quoted[quote]!.end <= start) quote++;
    const end = start + found.length;
    const isQuoted = quote < quoted.length && quoted[quote]!.start <= start;
    // In "$name", the name begins after quoted text.
    const split = isQuoted ? Math.min(end, quoted[quote]!.end) : start;
    if (split > start) words.push({ text: text.slice(start, split), start, end: split, line, kind: 'fixed' });
    if (split === end) continue;
    const rest = text.slice(split, end);
    const isName = /^[\p{L}_$]/u.test(rest) && !isReserved(rest, language);
    words.push({ text: rest, start: split, end, line, kind: isName ? 'name' : 'fixed' });
  }
  return words;
}

/** Returns the ranges of quoted text on single lines, without code in it. Words in them are not names. */
function quotedIn(text: string, language: string | undefined): TextRange[] {
  return [...text.matchAll(string)].flatMap(({ 0: quoted, index }) => {
    const ranges: TextRange[] = [];
    let end = 0;
    for (const code of codeInString(quoted, language)) {
      ranges.push({ start: index + end, end: index + code.start });
      for (const inner of quotedIn(quoted.slice(code.start, code.end), language)) {
        ranges.push({ start: index + code.start + inner.start, end: index + code.start + inner.end });
      }
      end = code.end;
    }
    return [...ranges, { start: index + end, end: index + quoted.length }];
  });
}
