// The layout of a compiled lexicon, which `lexiconBytes` writes and the lexer reads: the record, and tables of bytes,
// rules, and words. Numbers are little-endian. scripts/build.mjs derives lexiconLayout.ts from this file.

@unmanaged export class Lexicon {
  flags: u32;
  /**
   * Offset of the word table, and number of its slots − 1. A slot is a u32: hash << 4 | meaning, or 0 if it is empty.
   */
  words: u32;
  wordMask: u32;
  /** Offset of the rules. Rules form chains, each of which ends with a rule that has the flag `lastRule`. */
  rules: u32;
}

/**
 * Bit set of the ASCII characters that may be part of a word: 16 bytes, in which bit h of byte l stands for the
 * character 16 h + l.
 */
export const lettersAt: usize = offsetof<Lexicon>();
/** Class of each byte, in the lower 4 bits. Bytes that may follow a prefix also have the bit `afterPrefix`. */
export const classesAt: usize = lettersAt + 16;
/** Class of each byte when no rule applies. */
export const plainClassesAt: usize = classesAt + 256;
/** For each byte, the number of the first rule in its chain, or `noRule`. */
export const firstRulesAt: usize = plainClassesAt + 256;
/** Number of the first rule in the chain of prefixed strings, or `noRule`; and the maximum length of a prefix. */
export const prefixRulesAt: usize = firstRulesAt + 256;
export const longestPrefixAt: usize = prefixRulesAt + 1;
export const headerBytes: usize = prefixRulesAt + 4;

export const noRule = 255;

// Flags of a lexicon.
/** The text has only words: prose, not code. */
export const proseFlag = 1;
/** Words are case-insensitive. */
export const foldFlag = 2;
/** The text is prose between tags, as in HTML and XML. */
export const markupFlag = 4;
/** A quote inside a number may be followed by a digit: 1'000. */
export const quotedDigitsFlag = 8;
/** Following lines with deeper indentation belong to an import. */
export const indentedImportsFlag = 16;
/** Statements end only at semicolons, not at line ends. */
export const semicolonsFlag = 128;
/** The words of comments become tokens of the kind comment. */
export const commentsFlag = 32;
/** The text is prose with commands after a backslash, and comments after %. */
export const texFlag = 64;

// Classes of bytes.
export const blankClass = 0;
export const lineEndClass = 1;
export const wordClass = 2;
export const digitClass = 3;
export const punctuationClass = 4;
export const operatorClass = 5;
/** The rules of the lexicon are tried. If none applies, the byte has its plain class. */
export const ruleClass = 6;
export const classMask = 15;
/** Bit of the bytes that may directly follow the prefix of a string. */
export const afterPrefix = 128;

// Meanings of words in the word table.
export const keywordMeaning = 1;
/** A keyword that is a value. A regular expression cannot follow it. */
export const valueMeaning = 2;
/** Begins an import, which extends to the end of the statement, including brackets. */
export const importMeaning = 3;
/** Same as `importMeaning`, but the word may also be followed by a parenthesis. */
export const importCallMeaning = 4;
/** Begins a header such as `package a.b;`, which contains only names up to the end of the statement. */
export const headerMeaning = 5;
/** Begins an import if it follows a mark, such as # or @, at the start of a line. */
export const directiveMeaning = 6;
/** Begins a declaration, which is an import if it calls `require`. */
export const declarationMeaning = 7;
/** The function that imports, as in `const a = require('a')`. */
export const requireMeaning = 8;
/** Begins a re-export if a list and `from` follow. */
export const reexportMeaning = 9;
/** Begins a bracketed import if it is the first word in the brackets: `(ns a)`. */
export const formMeaning = 10;
/** A keyword that may precede an import: `pub` of `pub use a;`. */
export const modifierMeaning = 11;
/** Begins a line comment if it is the first word of a line. */
export const commentMeaning = 12;
/** Ends the code if it is in the first column. */
export const endMeaning = 13;

@unmanaged export class Rule {
  type: u8;
  /** Length of the opening (1 to 8) and of the closing (0 to 8), in bytes. */
  openLength: u8;
  closeLength: u8;
  /** The escape byte; 0 if there is none. */
  escape: u8;
  flags: u32;
  /** Bytes of the opening and of the closing. Unused bytes are 0. */
  open: u64;
  close: u64;
  /** Seed of the hash. It is equal for strings with the same meaning. */
  seed: u32;
  /** Length of the opening of a hole, 0 to 2. */
  holeLength: u8;
  /** Closing bracket of a hole: ) ] or } */
  holeClose: u8;
  /** Bytes of the opening of a hole. */
  holeOpen: u16;
  /** The fence byte, or 0; and the minimum length of a fence. */
  fence: u8;
  leastFences: u8;
  /** Length (0 to 4) and bytes of the text after the fence. */
  fenceEndLength: u8;
  fenceEnd: u32;
}

// Types of rules.
export const lineCommentRule = 1;
export const blockCommentRule = 2;
export const stringRule = 3;
/** A character such as 'a', or a label without a closing quote, such as 'a. */
export const characterRule = 4;
/** The following rules, up to `blockScalarRule`, are not determined by their opening alone. */
export const regexRule = 5;
/** A string whose closing repeats the middle part of its opening: r#"…"#, [==[…]==], R"x(…)x". */
export const fencedRule = 6;
export const fencedCommentRule = 7;
/** All lines up to a line that contains only the given name: <<EOF. */
export const heredocRule = 8;
/** A string with custom delimiters: q{…}, %w[…], s/…/…/. */
export const quoteLikeRule = 9;
/** A backslash and one character. */
export const escapedRule = 10;
/** A block scalar of YAML: the following lines that have deeper indentation. */
export const blockScalarRule = 11;
/** The opening is one operator. */
export const tokenRule = 12;
/** A comment that consists of the next form: brackets, a string, or a word. */
export const discardRule = 13;

// Flags of a rule.
export const lastRule = 1;
/** Block comments may be nested. */
export const nestedRule = 2;
/** The string may contain line ends. */
export const multilineRule = 4;
/** A doubled closing does not end the string. */
export const doubledRule = 8;
/** The string counts as a comment if it is a statement by itself. */
export const docstringRule = 16;
/** Applies only in the first column. */
export const firstColumnRule = 32;
/** Applies only to the first item on a line. */
export const firstOnLineRule = 64;
/** Applies only after a blank, a bracket, or a separator. */
export const afterBlankRule = 128;
/** Applies only where a value can begin: not after a name, a number, a string, or a closing bracket. */
export const valueRule = 256;
/** Applies only if there is no adjacent operator: Haskell's --> is not a comment. */
export const aloneRule = 512;
/** A backslash before the line end continues the line comment. */
export const continuedRule = 1024;
/** The closing counts only in the first column, or only as the first item on its line. */
export const closeInFirstColumnRule = 2048;
export const closeFirstOnLineRule = 4096;
/** The middle part of a fenced string is any name, instead of a repeated byte. */
export const namedFenceRule = 8192;
/** An escaped closing is a closing all the same, unless a word continues after it: 'don\\'t', but not 'C:\\'. */
export const escapeInWordRule = 16384;
/** Blanks may precede the name of the heredoc. */
export const blankBeforeNameRule = 32768;
/** The regular expression may also be the first argument of a call without brackets. */
export const commandRule = 65536;
/** Applies only as a scalar of YAML after : - or ? on the same line. */
export const scalarRule = 131072;
/** The quote-like string has two parts, as in s/…/…/. */
export const twoPartsRule = 262144;
/** Applies only as a scalar of YAML after [ { or a comma on the same line. */
export const flowRule = 524288;
/** The middle part of a fenced string may also contain punctuation, but no blank, quote, backslash, or bracket. */
export const markedFenceRule = 1048576;
/** Does not apply directly after a name: an apostrophe in the text of JSX is not a quote. */
export const apartRule = 2097152;
/** If the lines of the string look like code, they are lexed as code, as in the templates of a generator. */
export const codeRule = 4194304;
/** Applies only after a pattern of the shell's `case`. */
export const patternRule = 8388608;
/** All flags that restrict a rule to some positions. */
export const placeRules = 32 | 64 | 128 | 256 | 512 | 131072 | 524288 | 2097152 | 8388608;
