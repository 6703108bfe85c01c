/**
 * Lexical description of a language: its words, and rules for all other tokens. Numbers and common operators need no
 * rules. The descriptions of all languages are in lexicons/.
 */

/** Lexical description of one language. In strings, words are separated by spaces. */
export interface Lexicon {
  /** Identifier of the language in VS Code. */
  readonly id: string;
  /** True if the text has only words: no comments, strings, or operators. */
  readonly prose?: boolean;
  /** True for prose between tags, as in HTML and XML. If set, `rules` is ignored. */
  readonly markup?: boolean;
  /** True for prose with TeX's commands and comments. */
  readonly tex?: boolean;
  /** True for data and settings. Their content is in strings and numbers, so other values make no copies. */
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
  /** True if an apostrophe may separate digits, as in 1'000. */
  readonly quotedDigits?: boolean;
  /** Words that are keywords everywhere. */
  readonly keywords?: string;
  /** Keywords that are values, such as `true` and `this`. */
  readonly values?: string;
  /** Words that are keywords only before a declaration or a block, and names elsewhere: `type A`, `get a()`. */
  readonly introducing?: string;
  /** Words that are keywords only between two values, and names elsewhere: `a as B`. */
  readonly between?: string;
  /** Names of types that are keywords only where a type is expected: `a: string`. */
  readonly typeNames?: string;
  /**
   * Words that begin a comment if they are the first word on a line, such as `REM`. The comment ends at the end of the
   * line, or of a string that begins on it and ends on another line, as after Elixir's `@doc`.
   */
  readonly commentWords?: string;
  /** Words after which the code ends if they are at the beginning of a line, such as `__END__`. */
  readonly endWords?: string;
  readonly imports?: ImportWords;
  readonly rules: readonly LexicalRule[];
}

/** Words that begin import statements. Where the description says so, the words are also keywords. */
export interface ImportWords {
  /** Keywords that begin an import statement. The import ends where the statement ends: `import a;`, `use a::{b};`. */
  readonly statements?: string;
  /** Functions that import something: `require 'a'`, `library(a)`. */
  readonly calls?: string;
  /** Keywords that begin an import if only names follow: `package a.b;`. */
  readonly headers?: string;
  /** Words that begin an import if they follow a mark at the beginning of a line: `#include`, `@import`. */
  readonly directives?: string;
  /** Keywords that begin a declaration which may be an import: `const` of `const a = require('a')`. */
  readonly declarations?: string;
  /** Functions whose call in a declaration is an import: `require` of `const a = require('a')`. */
  readonly require?: string;
  /** Keywords of exports that may import, too: `export` of `export { a } from 'a'`. */
  readonly reexports?: string;
  /** Words that begin an import in brackets. The import ends at the closing bracket: `ns` of `(ns a)`. */
  readonly forms?: string;
  /** Keywords that may come before an import: `pub` of `pub use a;`. */
  readonly modifiers?: string;
  /** True if a statement ends only at `;`, not at the end of a line. */
  readonly semicolons?: boolean;
  /** True if a statement continues on lines with deeper indentation. */
  readonly indented?: boolean;
}

/**
 * Position at which a rule applies. If omitted, the rule applies everywhere. `firstColumn`: at the beginning of a line.
 * `firstOnLine`: the same, but blanks may precede the opening. `afterBlank`: after a blank, bracket, or separator.
 * `value`: where a value can begin, that is, not directly after a value. `scalar`, `flow`: where a scalar of YAML can
 * begin, outside and inside brackets. `alone`: without an adjacent operator. `apart`: not directly after a name; a
 * keyword may precede it. `pattern`: after a pattern of the shell's `case`.
 */
export type RulePlace =
  'firstColumn' | 'firstOnLine' | 'afterBlank' | 'value' | 'scalar' | 'flow' | 'alone' | 'apart' | 'pattern';

interface Opening {
  /** Text that begins the token, at most 8 ASCII bytes. */
  readonly open: string;
  readonly where?: RulePlace;
  /**
   * Kind of string, such as "raw". Two strings that are single tokens are equal only if they also have the same kind.
   * For example, a raw string never equals an ordinary one.
   */
  readonly sense?: string;
}

export interface StringRule extends Opening {
  readonly type: 'string';
  readonly close: string;
  readonly escape?: string;
  /** True if a closing quote after a backslash ends the string, unless a letter or digit follows. */
  readonly escapeInWord?: boolean;
  readonly multiline?: boolean;
  /** True if a closing quote that is written twice is part of the string. */
  readonly doubled?: boolean;
  /** Opening of embedded code, which is one or two ASCII characters, and the bracket that closes the code. */
  readonly hole?: readonly [open: string, close: ')' | ']' | '}'];
  /** True if the string counts as a comment when it is a complete statement. */
  readonly docstring?: boolean;
  readonly closeFirstOnLine?: boolean;
  /** True if code in the comment is lexed as code. Lines count as code if they look like code of the same language. */
  readonly code?: boolean;
}

/** A string or comment whose closing repeats the middle part of its opening. */
export interface FencedRule extends Opening {
  readonly type: 'fenced';
  readonly comment?: boolean;
  /** See `CommentRule`. */
  readonly code?: boolean;
  /** The character that may be repeated after the opening. If empty, a name comes after the opening instead. */
  readonly fence: string;
  /** True if the name may contain punctuation: R"--(…)--". */
  readonly marks?: boolean;
  readonly minFences?: number;
  readonly fenceEnd?: string;
  /** The closing: text before the repeated fence, and text after it. */
  readonly close: readonly [before: string, after: string];
}

/**
 * A rule for tokens other than words, numbers, and common operators. If several rules match at a position, the one with
 * the longest opening applies.
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
  /** A character such as 'a', or a label such as 'a without a closing quote. */
  | (Opening & { readonly type: 'character' })
  /**
   * A regular expression such as /a/. `command`: it may be the argument of a call without brackets. `multiline`: line
   * breaks may follow the opening.
   */
  | (Opening & { readonly type: 'regex'; readonly command?: boolean; readonly multiline?: boolean })
  /** A heredoc: <<NAME and all lines up to a line with that name. */
  | (Opening & { readonly type: 'heredoc'; readonly blankBeforeName?: boolean })
  /** A quote-like operator of Perl or Ruby: q{…} or s/…/…/. The delimiter follows the opening. */
  | (Opening & { readonly type: 'quoteLike'; readonly twoParts?: boolean })
  /** The opening, and the character after it. */
  | (Opening & { readonly type: 'escaped' })
  /** A block scalar of YAML, which begins with | or >. */
  | (Opening & { readonly type: 'blockScalar' })
  /** #_ of Clojure, which turns the next form into a comment. */
  | (Opening & { readonly type: 'discard' })
  | (Opening & { readonly type: 'token' });
