/** What the lexer has to know of a language: its words, and rules for what is no word, number or operator. The tables are in lexicons/. */

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
