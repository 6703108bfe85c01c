/**
 * A text as its words, in any language: names, numbers, and single signs, with the blanks between them left out. It knows no
 * grammar. What matters for renaming are names, and those that no copy renames are told by a list, and by quotation marks.
 */
import { isReserved } from './reservedWords.ts';

export interface Word {
  readonly text: string;
  /** Where it is in the text, in UTF-16 units; the end exclusive. */
  readonly start: number;
  readonly end: number;
  /** The line that it is on, from 0. */
  readonly line: number;
  /** name: may be called otherwise in a copy. fixed: is what it is, also where a copy has another in its place. */
  readonly kind: 'name' | 'fixed';
}

const pattern = /[\p{L}_$][\p{L}\p{M}\p{N}_$]*|\p{N}[\p{L}\p{N}_]*|\r\n|[\r\n]|[^\S\r\n]+|./gsu;

/** The words of a text, in order. @param language  the text's, by its id in VS Code; undefined: any */
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

/** What stands between quotation marks on one line: what a program says or reads is no name of it. */
function quotedIn(text: string): { readonly start: number; readonly end: number }[] {
  return [...text.matchAll(/(?<![\p{L}\p{N}])(["'`])(?:\\.|(?!\1)[^\\\r\n])*\1/gu)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
}
