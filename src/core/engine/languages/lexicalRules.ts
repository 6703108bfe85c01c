/**
 * Lexical description of a language: its words, and rules for all other tokens except numbers and common operators. The
 * tables are in lexicons/.
 */

/** Lexical description of one language. In strings, words are separated by spaces. */
export interface Lexicon {
  /** The language's identifier in VS Code. */
  readonly id: string;
  /** True if the text has only words: no comments, strings, or operators. */
  readonly prose: boolean;
  /** True for prose between tags, as in HTML and XML. The rules are then ignored. */
  readonly markup?: boolean;
  /** True for prose with TeX's commands and comments. */
  readonly tex?: boolean;
  /** True for data and settings. Strings and numbers are their content, so a text with other values is not a copy. */
  readonly data?: boolean;
  /** Other names of the same language, as in the fences of Markdown. */
  readonly aliases?: string;
  /** Extensions (`.ts`) and full names (`Makefile`) of the language's files, case-insensitive. */
  readonly files: string;
  /** True if words are case-insensitive. */
  readonly foldCase?: boolean;
  /** ASCII characters that are part of words in addition to A–Z, a–z, 0–9, and _. */
  readonly letters?: string;
  /** Additional characters that are part of words, except at the beginning of a word. */
  readonly innerLetters?: string;
  /** True if an apostrophe may separate digits: 1'000. */
  readonly quotedDigits?: boolean;
  readonly keywords?: string;
  /** Keywords that are values, such as `true` and `this`. */
  readonly values?: string;
  /** Words that begin a line comment if they are first on their line: `REM`. */
  readonly commentWords?: string;
  /** Words that end the code if they are in the first column: `__END__`. */
  readonly endWords?: string;
  readonly imports?: ImportWords;
  readonly rules: readonly LexicalRule[];
}

/** Words of import statements. Where stated, they are keywords as well. */
export interface ImportWords {
  /** Keywords that begin an import, which extends to the end of the statement: `import a;`, `use a::{b};`. */
  readonly statements?: string;
  /** Functions that import: `require 'a'`, `library(a)`. */
  readonly calls?: string;
  /** Keywords that begin an import if only names follow: `package a.b;`. */
  readonly headers?: string;
  /** Words that begin an import if a mark precedes them at the beginning of a line: `#include`, `@import`. */
  readonly directives?: string;
  /** Keywords before an import that is a declaration: `const` of `const a = require('a')`. */
  readonly declarations?: string;
  /** Functions that import if they are called in a declaration: `require` of `const a = require('a')`. */
  readonly require?: string;
  /** Keywords of exports that may be imports: `export` of `export { a } from 'a'`. */
  readonly reexports?: string;
  /** Words that begin an import which extends to the closing bracket: `ns` of `(ns a)`. */
  readonly forms?: string;
  /** Keywords that may precede an import: `pub` of `pub use a;`. */
  readonly modifiers?: string;
  /** True if only `;` ends a statement, not the end of its line. */
  readonly semicolons?: boolean;
  /** True if a statement continues on lines with deeper indentation. */
  readonly indented?: boolean;
}

/**
 * Positions where a rule applies; without it, the rule applies everywhere. `firstColumn`: at the beginning of a line.
 * `firstOnLine`: the same, but blanks may precede it. `afterBlank`: after a blank, bracket, or separator. `value`:
 * where a value can begin, that is, not directly after a value. `scalar`, `flow`: where a scalar of YAML can begin,
 * outside and inside brackets. `alone`: without an adjacent operator. `apart`: not directly after a name; a keyword may
 * precede it. `pattern`: after a pattern of the shell's `case`.
 */
export type RulePlace =
  'firstColumn' | 'firstOnLine' | 'afterBlank' | 'value' | 'scalar' | 'flow' | 'alone' | 'apart' | 'pattern';

interface Opening {
  /** The opening, at most 8 ASCII bytes. */
  readonly open: string;
  readonly where?: RulePlace;
  /**
   * Kind of string, such as "raw". Two strings that are single tokens are equal only if their kinds are the same. For
   * example, a raw string never equals an ordinary one.
   */
  readonly sense?: string;
}

export interface StringRule extends Opening {
  readonly type: 'string';
  readonly close: string;
  readonly escape?: string;
  /** True if an escaped closing is a closing all the same, unless a word continues after it. */
  readonly escapeInWord?: boolean;
  readonly multiline?: boolean;
  /** True if a doubled closing does not end the string, but stands for itself. */
  readonly doubled?: boolean;
  /** Opening of embedded code, of one or two ASCII characters, and the bracket that closes the code. */
  readonly hole?: readonly [open: string, close: ')' | ']' | '}'];
  /** True if the string counts as a comment when it is a statement of its own. */
  readonly docstring?: boolean;
  readonly closeFirstOnLine?: boolean;
  /** True if lines of the comment that look like code of the same language are lexed as code. */
  readonly code?: boolean;
}

/** A string or comment whose closing repeats the middle part of its opening. */
export interface FencedRule extends Opening {
  readonly type: 'fenced';
  readonly comment?: boolean;
  /** See `CommentRule`. */
  readonly code?: boolean;
  /** The character that may be repeated after the opening. If empty, a name follows the opening instead. */
  readonly fence: string;
  /** True if the name may contain punctuation: R"--(…)--". */
  readonly marks?: boolean;
  readonly leastFences?: number;
  readonly fenceEnd?: string;
  /** Parts of the closing before and after the repeated fence. */
  readonly close: readonly [before: string, after: string];
}

/**
 * A rule for a token other than a word, number, or operator. If several rules match at a byte, the one with the longest
 * opening applies.
 */
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
  /** 'a' as a character, or 'a as a label. */
  | (Opening & { readonly type: 'character' })
  /**
   * A regular expression such as /a/. `command`: it may be an argument without brackets. `multiline`: line breaks may
   * follow the opening.
   */
  | (Opening & { readonly type: 'regex'; readonly command?: boolean; readonly multiline?: boolean })
  /** <<NAME and all lines up to a line with that name. */
  | (Opening & { readonly type: 'heredoc'; readonly blankBeforeName?: boolean })
  /** q{…} or s/…/…/, where the delimiter follows the opening. */
  | (Opening & { readonly type: 'quoteLike'; readonly twoParts?: boolean })
  /** The opening \ and the character after it. */
  | (Opening & { readonly type: 'escaped' })
  /** A block scalar of YAML, which begins with | or >. */
  | (Opening & { readonly type: 'blockScalar' })
  /** #_ of Clojure, which makes the next form a comment. */
  | (Opening & { readonly type: 'discard' })
  /** An operator. */
  | (Opening & { readonly type: 'token' });
