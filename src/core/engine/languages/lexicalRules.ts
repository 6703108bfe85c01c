/**
 * Lexical description of a language: its words, and rules for everything other than words, numbers, and operators. The
 * tables are in lexicons/.
 */

/** Lexical description of one language. Lists of words are separated by blanks. */
export interface Lexicon {
  /** The language's identifier in VS Code. */
  readonly id: string;
  /** True for words only: no comments, strings, or operators. */
  readonly prose: boolean;
  /** Prose between tags, as in HTML and XML. The rules are ignored then. */
  readonly markup?: boolean;
  /** Prose with TeX's commands and comments. */
  readonly tex?: boolean;
  /** Data and settings. Strings and numbers are their content, so a copy with other values is not a copy. */
  readonly data?: boolean;
  /** Other identifiers of the same language, also used in fenced code of Markdown. */
  readonly aliases?: string;
  /** Extensions (`.ts`) and full names (`Makefile`) of its files, case-insensitive. */
  readonly files: string;
  /** True if words are case-insensitive. */
  readonly foldCase?: boolean;
  /** ASCII characters that are part of words in addition to A–Z, a–z, 0–9, and _. */
  readonly letters?: string;
  /** Additional characters of words, except at their beginning. */
  readonly innerLetters?: string;
  /** True if a quote may separate digits: 1'000. */
  readonly quotedDigits?: boolean;
  readonly keywords?: string;
  /** Keywords that are values, such as `true` and `this`. */
  readonly values?: string;
  /** Words that begin a line comment if they are first on their line: `REM`. */
  readonly commentWords?: string;
  /** Words in the first column that end the code: `__END__`. */
  readonly endWords?: string;
  readonly imports?: ImportWords;
  readonly rules: readonly LexicalRule[];
}

/** Words of import statements. */
export interface ImportWords {
  /** `import a;`, `use a::{b};`: up to the end of the statement. Keywords. */
  readonly statements?: string;
  /** Functions that import: `require 'a'`, `library(a)`. */
  readonly calls?: string;
  /** `package a.b;`: only if followed by nothing but names. Keywords. */
  readonly headers?: string;
  /** `#include`, `@import`: after a mark that is first on its line. */
  readonly directives?: string;
  /** `const` of `const a = require('a')`. Keywords. */
  readonly declarations?: string;
  /** `require` in `const a = require('a')`. */
  readonly require?: string;
  /** `export` of `export { a } from 'a'`. Keywords. */
  readonly reexports?: string;
  /** `ns` of `(ns a)`: up to the closing bracket. */
  readonly forms?: string;
  /** Modifiers before an import: `pub use a;`. Keywords. */
  readonly modifiers?: string;
  /** True if only `;` ends a statement, not the end of its line. */
  readonly semicolons?: boolean;
  /** True if a statement continues on lines with deeper indentation. */
  readonly indented?: boolean;
}

/**
 * Position where a rule applies; the default is everywhere. `firstColumn`, `firstOnLine`: at the beginning of a line,
 * without or after blanks. `afterBlank`: after a blank, bracket, or separator. `value`: where a value can begin, not
 * after one. `scalar`, `flow`: where a scalar of YAML can begin, outside and inside brackets. `alone`: without an
 * operator on either side. `apart`: not directly after a name, though after a keyword. `pattern`: after a pattern of
 * the shell's `case`.
 */
export type RulePlace =
  'firstColumn' | 'firstOnLine' | 'afterBlank' | 'value' | 'scalar' | 'flow' | 'alone' | 'apart' | 'pattern';

interface Opening {
  /** The opening, at most 8 ASCII bytes. */
  readonly open: string;
  readonly where?: RulePlace;
  /** Strings that are one token are equal only if they have the same sense: raw strings differ from others. */
  readonly sense?: string;
}

export interface StringRule extends Opening {
  readonly type: 'string';
  readonly close: string;
  readonly escape?: string;
  /** True if the escape before a closing counts only if a word continues after it. */
  readonly escapeInWord?: boolean;
  readonly multiline?: boolean;
  /** True if a doubled closing is part of the string. */
  readonly doubled?: boolean;
  /** Opening of embedded code, one or two ASCII characters, and the bracket that closes it. */
  readonly hole?: readonly [open: string, close: ')' | ']' | '}'];
  /** True if it is a comment when it stands alone as a statement. */
  readonly docstring?: boolean;
  readonly closeFirstOnLine?: boolean;
  /** True if lines that look like code of the same language are lexed as code. */
  readonly code?: boolean;
}

/** A string or comment whose closing repeats the middle part of its opening. */
export interface FencedRule extends Opening {
  readonly type: 'fenced';
  readonly comment?: boolean;
  /** See strings. */
  readonly code?: boolean;
  /** The character that is repeated after the opening. If empty, any name. */
  readonly fence: string;
  /** True if the name may contain punctuation: R"--(…)--". */
  readonly marks?: boolean;
  readonly leastFences?: number;
  readonly fenceEnd?: string;
  /** The closing before and after the repeated fence. */
  readonly close: readonly [before: string, after: string];
}

/** A token other than a word, number, or operator. If several rules apply at a byte, the longest opening wins. */
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
  /** /a/. `command`: it can be an argument without brackets. `multiline`: lines may follow the opening. */
  | (Opening & { readonly type: 'regex'; readonly command?: boolean; readonly multiline?: boolean })
  /** <<NAME, up to a line with that name. */
  | (Opening & { readonly type: 'heredoc'; readonly blankBeforeName?: boolean })
  /** q{…}, s/…/…/: the delimiter follows the opening. */
  | (Opening & { readonly type: 'quoteLike'; readonly twoParts?: boolean })
  /** \a: one character. */
  | (Opening & { readonly type: 'escaped' })
  /** YAML's | and >. */
  | (Opening & { readonly type: 'blockScalar' })
  /** #_ of Clojure: the next form is a comment. */
  | (Opening & { readonly type: 'discard' })
  /** The opening is one operator. */
  | (Opening & { readonly type: 'token' });
