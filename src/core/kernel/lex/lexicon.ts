// The layout of a compiled lexicon, written by `lexiconBytes` and read by the lexer: the record, tables of bytes, rules,
// and words. Numbers are little-endian. scripts/build.mjs writes lexiconLayout.ts from this file.

@unmanaged export class Lexicon {
  flags: u32;
  /** Offset of the word table, and number of its slots − 1. Slots are u32: hash << 4 | meaning, 0 where empty. */
  words: u32;
  wordMask: u32;
  /** Offset of the rules, in chains; a chain ends with a rule that has `lastRule`. */
  rules: u32;
}

/** Letters of words: 16 bytes; bit h of byte l is set if the ASCII character 16 h + l may be inside a word. */
export const lettersAt: usize = offsetof<Lexicon>();
/** Class of each byte: the low 4 bits; `afterPrefix` on top. */
export const classesAt: usize = lettersAt + 16;
/** Fallback class of each byte if no rule applies. */
export const plainClassesAt: usize = classesAt + 256;
/** First rule of each byte: number of the rule, or `noRule`. */
export const firstRulesAt: usize = plainClassesAt + 256;
/** First of the rules for prefixed strings, or `noRule`; longest prefix. */
export const prefixRulesAt: usize = firstRulesAt + 256;
export const longestPrefixAt: usize = prefixRulesAt + 1;
export const headerBytes: usize = prefixRulesAt + 4;

export const noRule = 255;

// Flags of a lexicon.
/** Words only: prose, not code. */
export const proseFlag = 1;
/** Words are case-insensitive. */
export const foldFlag = 2;
/** Prose between tags, as in HTML and XML. */
export const markupFlag = 4;
/** A digit may follow a quote inside a number: 1'000. */
export const quotedDigitsFlag = 8;
/** Lines with deeper indentation belong to an import. */
export const indentedImportsFlag = 16;
/** Only a semicolon ends a statement, not a line end. */
export const semicolonsFlag = 128;
/** The words of comments are tokens of the kind comment. */
export const commentsFlag = 32;
/** Prose with commands after a backslash and comments after %. */
export const texFlag = 64;

// Classes of bytes.
export const blankClass = 0;
export const lineEndClass = 1;
export const wordClass = 2;
export const digitClass = 3;
export const punctuationClass = 4;
export const operatorClass = 5;
/** The lexicon's rules determine the token. If none applies, the plain class of the byte does. */
export const ruleClass = 6;
export const classMask = 15;
/** Set for bytes that can directly follow the prefix of a string. */
export const afterPrefix = 128;

// Meanings of words in the word table.
export const keywordMeaning = 1;
/** A keyword that is a value and therefore cannot be followed by a regular expression. */
export const valueMeaning = 2;
/** Begins an import: up to the end of the statement, brackets included. */
export const importMeaning = 3;
/** As `importMeaning`, but a parenthesis may follow directly. */
export const importCallMeaning = 4;
/** Begins a header such as `package a.b;`, which has only names up to the end of the statement. */
export const headerMeaning = 5;
/** An import if it follows a mark such as # or @ at the start of a line. */
export const directiveMeaning = 6;
/** Begins a declaration, which is an import if `require` is called in it. */
export const declarationMeaning = 7;
/** The function that imports, as in `const a = require('a')`. */
export const requireMeaning = 8;
/** Begins a re-export if followed by a list and `from`. */
export const reexportMeaning = 9;
/** Begins a bracketed import if it is the first word in the brackets: `(ns a)`. */
export const formMeaning = 10;
/** A keyword that can precede an import: `pub use a;`. */
export const modifierMeaning = 11;
/** As the first word of a line, it begins a line comment. */
export const commentMeaning = 12;
/** In the first column, it ends the code. */
export const endMeaning = 13;

@unmanaged export class Rule {
  type: u8;
  /** Length of the opening, 1–8, and of the closing, 0–8. */
  openLength: u8;
  closeLength: u8;
  /** Escape byte or 0. */
  escape: u8;
  flags: u32;
  /** Bytes of the opening and the closing, unused ones 0. */
  open: u64;
  close: u64;
  /** Seed of the hash: equal for strings with the same meaning. */
  seed: u32;
  /** Opening of a hole: length, 0–2. */
  holeLength: u8;
  /** Closing bracket of a hole: ) ] or } */
  holeClose: u8;
  /** Opening of a hole: bytes. */
  holeOpen: u16;
  /** Fence byte or 0, and least number of fences. */
  fence: u8;
  leastFences: u8;
  /** Text after the fences: length, 0–4, and bytes. */
  fenceEndLength: u8;
  fenceEnd: u32;
}

// Types of rules.
export const lineCommentRule = 1;
export const blockCommentRule = 2;
export const stringRule = 3;
/** A character such as 'a', or a label such as 'a without the closing quote. */
export const characterRule = 4;
/** From here to `blockScalarRule`: rules that are not determined by their opening alone. */
export const regexRule = 5;
/** A string whose closing repeats the middle part of its opening: r#"…"#, [==[…]==], R"x(…)x". */
export const fencedRule = 6;
export const fencedCommentRule = 7;
/** The lines up to one that contains only the given name: <<EOF. */
export const heredocRule = 8;
/** A string with custom delimiters: q{…}, %w[…], s/…/…/. */
export const quoteLikeRule = 9;
/** One character after a backslash. */
export const escapedRule = 10;
/** YAML: the following lines with deeper indentation. */
export const blockScalarRule = 11;
/** These bytes are one operator. */
export const tokenRule = 12;
/** A comment that is one form: the brackets, string, or word that follows. */
export const discardRule = 13;

// Flags of a rule.
export const lastRule = 1;
/** Block comments: may be nested. */
export const nestedRule = 2;
/** Strings: may contain line ends. */
export const multilineRule = 4;
/** Strings: a doubled closing stands for itself. */
export const doubledRule = 8;
/** A string that is a statement by itself counts as a comment. */
export const docstringRule = 16;
/** Only in the first column. */
export const firstColumnRule = 32;
/** Only as the first thing on the line. */
export const firstOnLineRule = 64;
/** Only after a blank, a bracket, or a separator. */
export const afterBlankRule = 128;
/** Only where a value can begin: not after a name, a number, a string, or a closing bracket. */
export const valueRule = 256;
/** Only without operators on either side: Haskell's --> is not a comment. */
export const aloneRule = 512;
/** Line comments: a backslash before the line end continues them. */
export const continuedRule = 1024;
/** The closing counts only in the first column, or only as the first thing on its line. */
export const closeInFirstColumnRule = 2048;
export const closeFirstOnLineRule = 4096;
/** Fenced: the middle part is any name, not a run of one byte. */
export const namedFenceRule = 8192;
/** Strings: the escape before a closing counts only if a word continues after it: 'don\\'t', but not 'C:\\'. */
export const escapeInWordRule = 16384;
/** Heredocs: blanks may precede the name. */
export const blankBeforeNameRule = 32768;
/** Regular expressions: also as the first argument of a call without brackets. */
export const commandRule = 65536;
/** Only as a scalar of YAML after : - ? on the same line. */
export const scalarRule = 131072;
/** Quote-like: two parts, as in s/…/…/. */
export const twoPartsRule = 262144;
/** Only as a scalar of YAML after [ { , on the same line. */
export const flowRule = 524288;
/** Fenced: the middle part may also contain punctuation, but no blank, quote, backslash, or bracket. */
export const markedFenceRule = 1048576;
/** Not directly after a name: an apostrophe in JSX text is not a quote. */
export const apartRule = 2097152;
/** Strings: lines that look like code are lexed as code, as in the templates of a generator. */
export const codeRule = 4194304;
/** Only after a pattern of the shell's `case`. */
export const patternRule = 8388608;
/** Any rule that is bound to a position. */
export const placeRules = 32 | 64 | 128 | 256 | 512 | 131072 | 524288 | 2097152 | 8388608;
