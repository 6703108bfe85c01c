/** Recognizes the output of JavaScript and CSS compilers and bundlers by the beginning or end of the text. */
import type { Lexicon } from '../languages/lexicalRules.ts';

/**
 * Returns true if a text is the output of a compiler or bundler. Such a text ends with a source map comment, begins
 * with comments that disable two linters (as wasm-bindgen writes them), or begins with the module loader of Browserify
 * or webpack.
 */
export function isBuildOutput(text: Uint8Array, { id }: Pick<Lexicon, 'id'>): boolean {
  if (!languages.has(id)) return false;
  return (
    (mayEndWithMap(text) && endsWithMap.test(ascii(text.subarray(Math.max(0, text.length - endBytes))))) ||
    (mayBeUnlinted(text) && unlinted.test(ascii(text.subarray(0, headBytes)))) ||
    (mayBeBundle(text) && bundled.test(ascii(text.subarray(0, preludeBytes))))
  );
}

// The following functions read only a few bytes, which is enough to rule out nearly all files. Decoding each file for a
// regular expression would take far longer.

/** Returns true if the last line that is not blank may be a source map comment. */
function mayEndWithMap(text: Uint8Array): boolean {
  let at = text.length;
  while (at > 0 && isBlank(text[at - 1])) at--;
  while (at > 0 && text[at - 1] !== lineFeed && text[at - 1] !== carriageReturn) {
    if (text.length - --at > endBytes) return false;
  }
  return text[at] === slash && (text[at + 2] === numberSign || text[at + 2] === atSign);
}

function mayBeUnlinted(text: Uint8Array): boolean {
  const at = firstSign(text);
  return text[at] === slash && text[at + 1] === star;
}

/** Returns true if the text begins like an immediately invoked function, or like the banner of webpack. */
function mayBeBundle(text: Uint8Array): boolean {
  const at = firstSign(text);
  return (
    (text[at] === openParenthesis && text[at + 1] === letterF) ||
    (text[at] === slash && text[at + 1] === star && text[at + 3] === star)
  );
}

function firstSign(text: Uint8Array): number {
  let at = 0;
  while (at < headBytes && isBlank(text[at])) at++;
  return at;
}

/** True for the bytes that `\s` matches in a regular expression. */
function isBlank(byte: number): boolean {
  return byte === 32 || (byte >= 9 && byte <= 13) || byte === noBreakSpace;
}

const lineFeed = 10;
const carriageReturn = 13;
const numberSign = 35;
const openParenthesis = 40;
const star = 42;
const slash = 47;
const atSign = 64;
const letterF = 102;
const noBreakSpace = 0xa0;

const languages: ReadonlySet<string> = new Set([
  ...['javascript', 'javascriptreact', 'typescript', 'typescriptreact', 'css'],
]);

/** Enough bytes to contain the source map comment, which has the map's path. */
const endBytes = 256;
const headBytes = 128;

/**
 * Matches a source map comment at the end of a text. An inline source map is longer than `endBytes` and is not found,
 * but a file with an inline source map is minified or too large anyway.
 */
const endsWithMap = /[\r\n]\/[/*][#@] ?sourceMappingURL=[^\r\n]*\s*$/;
/** Number of bytes at the start of a text to search for Browserify's loader. A format check may precede it. */
const preludeBytes = 1_280;
/** Matches the first line of a bundle. */
const bundled =
  /^\s*(?:\(function.*\.code ?= ?"MODULE_NOT_FOUND"|\(function webpackUniversalModuleDefinition\(|\/\*{6}\/ .*\/\/ webpackBootstrap)/;
const unlinted = /^\s*\/\* tslint:disable \*\/\s*\/\* eslint-disable \*\//;

function ascii(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
