/**
 * Lexicons: what the lexer has to know of a language, which language a file is in, and the compiled form that the kernel
 * reads (its layout: src/kernel/lex/lexiconLayout.ts). The tables of the languages are in lexicons/.
 */
import { lexiconBytes } from './lexiconBytes.ts';
import { cLexicons } from './lexicons/c.ts';
import { classicLexicons } from './lexicons/classic.ts';
import { dataLexicons } from './lexicons/data.ts';
import { dynamicLexicons } from './lexicons/dynamic.ts';
import { fallbackLexicon } from './lexicons/fallback.ts';
import { functionalLexicons } from './lexicons/functional.ts';
import { markupLexicons } from './lexicons/markup.ts';
import { modernLexicons } from './lexicons/modern.ts';
import { proseLexicons } from './lexicons/prose.ts';
import { scriptLexicons } from './lexicons/script.ts';

/** What the lexer has to know of one language. Lists of words are separated by blanks. */
export interface Lexicon {
  /** The language's identifier in VS Code. */
  readonly id: string;
  /** Words only: no comments, strings or operators. */
  readonly prose: boolean;
  /** Prose between tags, as in HTML and XML; the rules do not count then. */
  readonly markup?: boolean;
  /** Prose with TeX's commands and comments. */
  readonly tex?: boolean;
  /** Data and settings: its strings and numbers are all that it says, so no copy has them under other names. */
  readonly data?: boolean;
  /** Other identifiers that mean the same language, also as names of fenced code in Markdown. */
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
  /** Words that make the rest of their line a comment, when they are first on it: `REM`. */
  readonly commentWords?: string;
  /** Words in the first column after which nothing is code: `__END__`. */
  readonly endWords?: string;
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
  /** `#include`, `@import`: after a mark that is first on the line. */
  readonly directives?: string;
  /** `const` of `const a = require('a')`. Keywords. */
  readonly declarations?: string;
  /** `require` of the same. */
  readonly require?: string;
  /** `export` of `export { a } from 'a'`. Keywords. */
  readonly reexports?: string;
  /** `ns` of `(ns a)`: up to the closing bracket. */
  readonly forms?: string;
  /** What may stand before: `pub use a;`. Keywords. */
  readonly modifiers?: string;
  /** Whether statements end with `;` only, never with their line. */
  readonly semicolons?: boolean;
  /** Whether more indented lines belong to a statement. */
  readonly indented?: boolean;
}

/**
 * Where a rule applies; everywhere without it. `firstColumn`, `firstOnLine`: what may come before it on its line is
 * nothing, or blanks. `afterBlank`: after a blank, bracket or separator. `value`: where a value can begin, not after
 * one. `scalar`, `flow`: where a scalar of YAML can begin, outside and inside of brackets. `alone`: without an operator
 * on either side. `apart`: not directly after a name, though after a keyword. `pattern`: behind a pattern of the shell's
 * `case`.
 */
export type RulePlace =
  'firstColumn' | 'firstOnLine' | 'afterBlank' | 'value' | 'scalar' | 'flow' | 'alone' | 'apart' | 'pattern';

interface Opening {
  /** The bytes it begins with, at most 8; ASCII. */
  readonly open: string;
  readonly where?: RulePlace;
  /** Strings that are one token are equal only within one sense: raw and other strings differ. */
  readonly sense?: string;
}

export interface StringRule extends Opening {
  readonly type: 'string';
  readonly close: string;
  readonly escape?: string;
  /** Whether the escape before a closing counts only when a word goes on behind it. */
  readonly escapeInWord?: boolean;
  readonly multiline?: boolean;
  /** The closing written twice is part of the string. */
  readonly doubled?: boolean;
  /** Opening (one or two characters) and closing of code inside the string. */
  readonly hole?: readonly [open: string, close: string];
  /** As a statement of its own it is a comment. */
  readonly docstring?: boolean;
  readonly closeFirstOnLine?: boolean;
  /** Whether its lines are lexed as code of the same language where they look like it. */
  readonly code?: boolean;
}

/** A string or comment whose closing repeats what its opening has in the middle. */
export interface FencedRule extends Opening {
  readonly type: 'fenced';
  readonly comment?: boolean;
  /** As for strings. */
  readonly code?: boolean;
  /** The character that is repeated after the opening; any name where it is empty. */
  readonly fence: string;
  /** Whether the name may hold marks: R"--(…)--". */
  readonly marks?: boolean;
  readonly leastFences?: number;
  readonly fenceEnd?: string;
  /** The closing before and after the repeated fence. */
  readonly close: readonly [before: string, after: string];
}

/** One thing that is not a word, number or operator. Of the rules that apply at a byte, the longest opening wins. */
export type LexicalRule =
  | (Opening & { readonly type: 'lineComment'; readonly continued?: boolean })
  | (Opening & {
      readonly type: 'blockComment';
      readonly close: string;
      readonly nested?: boolean;
      readonly closeInFirstColumn?: boolean;
    })
  | StringRule
  | FencedRule
  /** 'a', or 'a as a label. */
  | (Opening & { readonly type: 'character' })
  /** /a/; `command` where it can be an argument without brackets, `multiline` where lines may follow the opening. */
  | (Opening & { readonly type: 'regex'; readonly command?: boolean; readonly multiline?: boolean })
  /** <<NAME, up to a line with that name. */
  | (Opening & { readonly type: 'heredoc'; readonly blankBeforeName?: boolean })
  /** q{…}, s/…/…/: the delimiter comes after the opening. */
  | (Opening & { readonly type: 'quoteLike'; readonly twoParts?: boolean })
  /** \a: one character. */
  | (Opening & { readonly type: 'escaped' })
  /** YAML's | and >. */
  | (Opening & { readonly type: 'blockScalar' })
  /** #_ of Clojure: the form behind it is a comment. */
  | (Opening & { readonly type: 'discard' })
  /** The opening is one operator. */
  | (Opening & { readonly type: 'token' });

/** Every language with a table. */
export const lexicons: readonly Lexicon[] = [
  ...cLexicons,
  ...modernLexicons,
  ...scriptLexicons,
  ...dynamicLexicons,
  ...functionalLexicons,
  ...classicLexicons,
  ...dataLexicons,
  ...markupLexicons,
  ...proseLexicons,
  fallbackLexicon,
];

/** Lexicons by the endings and whole names of their files, in small letters. */
export type FileLexicons = ReadonlyMap<string, Lexicon>;

/** The lexicons by their files; of two for one file the first. */
export function fileLexicons(some: readonly Lexicon[]): FileLexicons {
  const pairs = some.flatMap((lexicon) =>
    wordsOf(lexicon.files).map((file): [string, Lexicon] => [file.toLowerCase(), lexicon]),
  );
  return new Map(pairs.reverse());
}

const byFile = fileLexicons(lexicons);
const noLexicons: FileLexicons = new Map();
const byLanguage = new Map(
  lexicons.flatMap((lexicon) => [lexicon.id, ...wordsOf(lexicon.aliases)].map((id) => [id, lexicon])),
);

/** The identifiers of languages that have a table, and their other names. */
export const languageIds: readonly string[] = [...byLanguage.keys()];

/**
 * The lexicon for a file, by its name: the whole name first, then its longest known ending. Never a miss.
 *
 * @param others  lexicons for files that have no table here
 */
export function lexiconForPath(path: string, others: FileLexicons = noLexicons): Lexicon {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).toLowerCase();
  const known = lexiconIn(byFile, name) ?? lexiconIn(others, name);
  if (known) return known;
  // Dockerfile.release, Makefile.am
  const stem = name.indexOf('.');
  return (stem > 0 ? byFile.get(name.slice(0, stem)) : undefined) ?? fallbackLexicon;
}

function lexiconIn(files: FileLexicons, name: string): Lexicon | undefined {
  const whole = files.get(name);
  if (whole) return whole;
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    const lexicon = files.get(name.slice(dot));
    if (lexicon) return lexicon;
  }
  return undefined;
}

/** Whether there is a table for files with this ending (`.ts`) or whole name. */
export function hasTable(file: string): boolean {
  return lexiconIn(byFile, file.toLowerCase()) !== undefined;
}

/** The lexicon for a language identifier of VS Code, or undefined where there is no table for it. */
export function lexiconForLanguage(languageId: string): Lexicon | undefined {
  return byLanguage.get(languageId);
}

let unnamed: Lexicon | undefined;

/**
 * The lexicon for code whose language nobody has named: that of unknown files, and as keywords those of many languages, so
 * that most of its tokens are what they are where the code is from.
 */
export function unnamedLexicon(): Lexicon {
  if (unnamed) return unnamed;
  const counts = new Map<string, number>();
  for (const { prose, data, markup, foldCase, keywords, values } of lexicons) {
    if (prose || data || markup || foldCase) continue;
    for (const word of new Set([...wordsOf(keywords), ...wordsOf(values)]))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const words = [...counts].filter(([, count]) => count >= leastLanguages).map(([word]) => word);
  unnamed = { ...fallbackLexicon, id: 'unnamed', keywords: words.join(' ') };
  return unnamed;
}

/** With fewer, names that code has often count too (`get`, `string`, `object`); with more, `import` and `def` do not. */
const leastLanguages = 8;

/** What is kept of a text besides its code. */
export interface KeptParts {
  /** Whether imports give tokens. */
  readonly imports: boolean;
  /** Whether comments give their words, as tokens of the kind `comment`. */
  readonly comments?: boolean;
}

/** The compiled form of a lexicon: the bytes that the kernel reads, at any address. */
export function compileLexicon(lexicon: Lexicon, kept: KeptParts): Uint8Array {
  return lexiconBytes(lexicon, kept);
}

function wordsOf(list = ''): string[] {
  return list.split(/\s+/).filter((word) => word !== '');
}
