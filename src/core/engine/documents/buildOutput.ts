/** Recognizes the output of compilers and bundlers of JavaScript and CSS by its first or last lines. */
import type { Lexicon } from '../languages/lexicalRules.ts';

/**
 * Returns true if a text ends with the comment that names its source map, or begins with the comments that wasm-bindgen
 * and others write to switch off two linters.
 */
export function isBuildOutput(text: Uint8Array, { id }: Pick<Lexicon, 'id'>): boolean {
  if (!languages.has(id)) return false;
  const last = text.length - endBytes;
  return endsWithMap.test(ascii(text.subarray(Math.max(0, last)))) || unlinted.test(ascii(text.subarray(0, headBytes)));
}

const languages: ReadonlySet<string> = new Set([
  ...['javascript', 'javascriptreact', 'typescript', 'typescriptreact', 'css'],
]);

/** Room for the path of a source map. */
const endBytes = 256;
const headBytes = 128;

/** A source map within the comment is long, and such a file is minified or too large. */
const endsWithMap = /[\r\n]\/[/*][#@] ?sourceMappingURL=[^\r\n]*\s*$/;
const unlinted = /^\s*\/\* tslint:disable \*\/\s*\/\* eslint-disable \*\//;

function ascii(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
