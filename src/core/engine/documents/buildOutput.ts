/** Recognizes the output of compilers and bundlers of JavaScript and CSS by its first or last lines. */
import type { Lexicon } from '../languages/lexicalRules.ts';

/**
 * Returns true if a text ends with the comment that names its source map, or begins with the comments that wasm-bindgen
 * and others write to switch off two linters, or with the code by which Browserify and webpack load modules.
 */
export function isBuildOutput(text: Uint8Array, { id }: Pick<Lexicon, 'id'>): boolean {
  if (!languages.has(id)) return false;
  return (
    (mayEndWithMap(text) && endsWithMap.test(ascii(text.subarray(Math.max(0, text.length - endBytes))))) ||
    (mayBeUnlinted(text) && unlinted.test(ascii(text.subarray(0, headBytes)))) ||
    (mayBeBundle(text) && bundled.test(ascii(text.subarray(0, preludeBytes))))
  );
}

// Nearly all files are excluded by a few bytes, because making a string of the others takes far longer.

/** True if the last line with text begins as the comment does. */
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

/** True if the text begins as an immediately invoked function, or as the lines of webpack. */
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

/** True for the bytes that are white space in a regular expression. */
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

/** Room for the path of a source map. */
const endBytes = 256;
const headBytes = 128;

/** A source map within the comment is long, and such a file is minified or too large. */
const endsWithMap = /[\r\n]\/[/*][#@] ?sourceMappingURL=[^\r\n]*\s*$/;
/** Room for the loader of Browserify, and for the choice of a kind of module before it. */
const preludeBytes = 1_280;
/** In the first line. */
const bundled =
  /^\s*(?:\(function.*\.code ?= ?"MODULE_NOT_FOUND"|\(function webpackUniversalModuleDefinition\(|\/\*{6}\/ .*\/\/ webpackBootstrap)/;
const unlinted = /^\s*\/\* tslint:disable \*\/\s*\/\* eslint-disable \*\//;

function ascii(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
