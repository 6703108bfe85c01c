/**
 * A text as its words, in any language: names, numbers, and single signs, with the blanks between them left out. It knows no
 * grammar. What matters for renaming are names, and those that no copy renames are told by a list, and by quotation marks.
 */

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

/** The words of a text, in order. */
export function wordsOf(text: string): Word[] {
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
    const isName = /^[\p{L}_$]/u.test(found) && !isQuoted && !isReserved(found);
    words.push({ text: found, start, end: start + found.length, line, kind: isName ? 'name' : 'fixed' });
  }
  return words;
}

/** Whether a name declares the one behind it. */
export function declares(word: string): boolean {
  return declaring.has(word);
}

/** What stands between quotation marks on one line: what a program says or reads is no name of it. */
function quotedIn(text: string): { readonly start: number; readonly end: number }[] {
  return [...text.matchAll(/(?<![\p{L}\p{N}])(["'`])(?:\\.|(?!\1)[^\\\r\n])*\1/gu)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
}

function isReserved(word: string): boolean {
  return declaring.has(word) || reserved.has(word);
}

const declaring = new Set(
  'class const def defmodule enum fn func function fun interface let macro module namespace package proc struct trait type var val'.split(
    ' ',
  ),
);

/** Of languages in wide use, the words that no renaming touches. */
const reserved = new Set(
  (
    'abstract and any as assert async await auto base begin bool boolean break byte case catch char checked continue debugger ' +
    'decimal default defer del delete do double elif else elsif end ensure except export extends extern false False final ' +
    'finally fixed float for foreach from global go goto if implements impl import in include inline instanceof int internal ' +
    'is lambda lock long loop match mod move mut native new next nil none None nonlocal not null nullptr number object of ' +
    'operator or out override params pass private protected pub public raise range readonly redo ref rescue retry return ' +
    'sealed select self Self short signed sizeof static str strictfp string String super switch synchronized template then ' +
    'this throw throws transient true True try typedef typeof undef undefined union unless unsafe unsigned until use using ' +
    'virtual void volatile when where while with yield'
  ).split(' '),
);
