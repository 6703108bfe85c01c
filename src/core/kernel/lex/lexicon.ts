// The layout of a compiled lexicon, which `lexiconBytes` writes and the lexer reads: the record, and tables of bytes,
// rules, and words. Numbers are little-endian. scripts/build.mjs derives lexiconLayout.ts from this file.

@unmanaged export class Lexicon {
  flags: u32;
  /**
   * Offset of the word table, and the number of its slots − 1. Each slot is a u32: hash << 4 | meaning, or 0 if it is
   * empty.
   */
  words: u32;
  wordMask: u32;
  /** Offset of the rules. Rules are divided into chains. The last rule of a chain has the flag `lastRule`. */
  rules: u32;
}

/**
 * Bit set of the ASCII characters that may be part of a word. It has 16 bytes; bit h of byte l represents the character
 * 16 h + l.
 */
export const lettersAt: usize = offsetof<Lexicon>();
/**
 * Class of each byte, in the lower 4 bits. If the byte may follow the prefix of a string, the bit `afterPrefix` is set,
 * too.
 */
export const classesAt: usize = lettersAt + 16;
/** Class of each byte for positions where no rule applies. */
export const plainClassesAt: usize = classesAt + 256;
/** For each byte, the number of the first rule in the chain of rules that begin with the byte, or `noRule`. */
export const firstRulesAt: usize = plainClassesAt + 256;
/** Number of the first rule in the chain of strings with a prefix, or `noRule`; and maximum length of a prefix. */
export const prefixRulesAt: usize = firstRulesAt + 256;
export const longestPrefixAt: usize = prefixRulesAt + 1;
export const headerBytes: usize = prefixRulesAt + 4;

export const noRule = 255;

// Flags of a lexicon.
/** Set if the text has only words: prose, not code. */
export const proseFlag = 1;
/** Set if words are case-insensitive. */
export const foldFlag = 2;
/** Set if the text is prose between tags, as in HTML and XML. */
export const markupFlag = 4;
/** Set if a quote may separate digits: 1'000. */
export const quotedDigitsFlag = 8;
/** Set if an import continues on lines with deeper indentation. */
export const indentedImportsFlag = 16;
/** Set if only semicolons end statements, not line breaks. */
export const semicolonsFlag = 128;
/** Set if the words of comments become tokens of the kind `comment`. */
export const commentsFlag = 32;
/** Set if the text is prose with commands after a backslash, and comments after %. */
export const texFlag = 64;

// Classes of bytes.
export const blankClass = 0;
export const lineEndClass = 1;
export const wordClass = 2;
export const digitClass = 3;
export const punctuationClass = 4;
export const operatorClass = 5;
/** Class of a byte at which rules of the lexicon may begin. If no rule applies, the byte has its plain class. */
export const ruleClass = 6;
export const classMask = 15;
/** Set if the byte may directly follow the prefix of a string. */
export const afterPrefix = 128;

// Meanings of words in the word table.
export const keywordMeaning = 1;
/** A keyword that is a value, so a regular expression cannot follow it. */
export const valueMeaning = 2;
/** A word that begins an import. The import extends to the end of the statement, including brackets. */
export const importMeaning = 3;
/** Same as `importMeaning`, but a parenthesis may follow the word, as in `const a = require('a')`. */
export const importCallMeaning = 4;
/** A word that begins a header such as `package a.b;`, which contains only names up to its end. */
export const headerMeaning = 5;
/** A word that begins an import if it follows a mark, such as # or @, at the start of a line. */
export const directiveMeaning = 6;
/** A word that begins a declaration. The declaration is an import if it calls `require`. */
export const declarationMeaning = 7;
/** A name of a type that is a keyword only where a type is expected: `string`. */
export const typeMeaning = 8;
/** A word that begins a re-export if a list and `from` follow. */
export const reexportMeaning = 9;
/** A word that begins an import in brackets if it is the first word in them: `(ns a)`. */
export const formMeaning = 10;
/** A keyword that may come before an import: `pub` of `pub use a;`. */
export const modifierMeaning = 11;
/** A word that begins a comment if it is the first word of a line. */
export const commentMeaning = 12;
/** A word that ends the code if it is in the first column. */
export const endMeaning = 13;
/** A word that is a keyword only before a declaration or a block: `type` of `type A`. */
export const introducingMeaning = 14;
/** A word that is a keyword only between two values: `of` of `a of b`. */
export const betweenMeaning = 15;

@unmanaged export class Rule {
  type: u8;
  /** Length in bytes of the opening (1 to 8) and of the closing (0 to 8). */
  openLength: u8;
  closeLength: u8;
  /** The byte that begins an escape sequence, or 0 if there is none. */
  escape: u8;
  flags: u32;
  /** Bytes of the opening and of the closing, padded with 0. */
  open: u64;
  close: u64;
  /** Seed for the hash of a string token. Strings with different seeds are never equal. */
  seed: u32;
  /** Number of bytes in the opening of a hole (embedded code), 0 to 2. */
  holeLength: u8;
  /** Bracket that closes a hole: ) ] or } */
  holeClose: u8;
  /** Bytes that open a hole. */
  holeOpen: u16;
  /** The byte that a fence consists of, or 0; and the minimum length of a fence. */
  fence: u8;
  minFences: u8;
  /** Length (0 to 4) and bytes of the text that must follow the fence. */
  fenceEndLength: u8;
  fenceEnd: u32;
}

// Types of rules.
export const lineCommentRule = 1;
export const blockCommentRule = 2;
export const stringRule = 3;
/** A character such as 'a', or a label such as 'a without a closing quote. */
export const characterRule = 4;
/**
 * The types from this one up to `blockScalarRule` have in common that the opening alone does not prove that the rule
 * applies.
 */
export const regexRule = 5;
/** A string whose closing repeats the middle part of its opening: r#"…"#, [==[…]==], R"x(…)x". */
export const fencedRule = 6;
export const fencedCommentRule = 7;
/** A heredoc: <<EOF and all lines up to a line that contains only that name. */
export const heredocRule = 8;
/** A string with custom delimiters: q{…}, %w[…], s/…/…/. */
export const quoteLikeRule = 9;
/** A backslash and one character. */
export const escapedRule = 10;
/** A block scalar of YAML, which consists of the following lines with deeper indentation. */
export const blockScalarRule = 11;
/** An operator. The opening is the whole operator. */
export const tokenRule = 12;
/** A marker that turns the next form into a comment. The form is brackets, a string, or a word. */
export const discardRule = 13;

// Flags of a rule.
export const lastRule = 1;
/** Set if block comments may be nested. */
export const nestedRule = 2;
/** Set if the string may contain line breaks. */
export const multilineRule = 4;
/** Set if two closing quotes in a row do not end the string. */
export const doubledRule = 8;
/** Set if the string counts as a comment when it is a complete statement. */
export const docstringRule = 16;
/** Set if the rule applies only in the first column. */
export const firstColumnRule = 32;
/** Set if the rule applies only to the first item on a line. */
export const firstOnLineRule = 64;
/** Set if the rule applies only after a blank, a bracket, or a separator. */
export const afterBlankRule = 128;
/** Set if the rule applies only where a value can begin: not after a name, a number, a string, or a closing bracket. */
export const valueRule = 256;
/** Set if the rule applies only without an adjacent operator: Haskell's --> is not a comment. */
export const aloneRule = 512;
/** Set if a backslash before the line break continues the line comment. */
export const continuedRule = 1024;
/** Set if the closing must be in the first column, or must be the first text on its line. */
export const closeInFirstColumnRule = 2048;
export const closeFirstOnLineRule = 4096;
/** Set if the middle part of a fenced string is a name, not a repeated byte. */
export const namedFenceRule = 8192;
/**
 * Set if a closing quote after a backslash still ends the string, unless a word character follows: it does not end
 * 'don\\'t', but it ends 'C:\\'.
 */
export const escapeInWordRule = 16384;
/** Set if blanks may precede the name of the heredoc. */
export const blankBeforeNameRule = 32768;
/** Set if the regular expression may be the first argument of a call without brackets. */
export const commandRule = 65536;
/** Set if the rule applies only to a scalar of YAML after : - or ? on the same line. */
export const scalarRule = 131072;
/** Set if the quote-like string has two parts, as in s/…/…/. */
export const twoPartsRule = 262144;
/** Set if the rule applies only to a scalar of YAML after [ { or a comma on the same line. */
export const flowRule = 524288;
/**
 * Set if the middle part of a fenced string may contain punctuation. It never contains a blank, quote, backslash, or
 * bracket.
 */
export const markedFenceRule = 1048576;
/** Set if the rule does not apply directly after a name: an apostrophe in the text of JSX is not a quote. */
export const apartRule = 2097152;
/** Set if the string is lexed as code when its lines look like code, as in the templates of a generator. */
export const codeRule = 4194304;
/** Set if the rule applies only after a pattern of the shell's `case`. */
export const patternRule = 8388608;
/** All flags that restrict a rule to some positions. */
export const placeRules = 32 | 64 | 128 | 256 | 512 | 131072 | 524288 | 2097152 | 8388608;
