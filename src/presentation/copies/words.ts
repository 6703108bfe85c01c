/**
 * Splits a text in any language into words: names, numbers, and single punctuation characters. White space is omitted,
 * and no parser is needed. Reserved words and quoted text do not count as names, because they cannot be renamed.
 */
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

const pattern = /[\p{L}_$][\p{L}\p{M}\p{N}_$]*|\p{N}[\p{L}\p{N}_]*|\r\n|[\r\n]|[^\S\r\n]+|./gsu;

/**
 * Returns the words of a text, in order.
 *
 * @param language  VS Code id of the text's language; `undefined` if it is unknown
 */
export function wordsOf(text: string, language?: string): Word[] {
  const words: Word[] = [];
  const quoted = quotedIn(text);
  let line = 0;
  let quote = 0;
  for (const match of text.matchAll(pattern)) {
    const [found] = match;
    const start = match.index;
    if (/^[\r\n]/.test(found)) line++;
    if (/^\s/.test(found)) continue;
    while (quote < quoted.length && quoted[quote]!.end <= start) quote++;
    const isQuoted = quote < quoted.length && quoted[quote]!.start < start;
    const isName = /^[\p{L}_$]/u.test(found) && !isQuoted && !isReserved(found, language);
    words.push({ text: found, start, end: start + found.length, line, kind: isName ? 'name' : 'fixed' });
  }
  return words;
}

/** Returns the ranges of quoted text on single lines. Words in them are not names. */
function quotedIn(text: string): { readonly start: number; readonly end: number }[] {
  return [...text.matchAll(/(?<![\p{L}\p{N}])(["'`])(?:\\.|(?!\1)[^\\\r\n])*\1/gu)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
}
