/** Reads `language-configuration.json` files of extensions: JSON with comments. */
import { parse } from 'jsonc-parser';
import { offsetTooDeep } from './nesting.ts';
import { readTextFile } from './textFile.ts';

/** Far above the size for any language. */
const maxBytes = 2 ** 20;

/**
 * Returns the parsed content, unvalidated; for invalid JSON, as much as can be parsed. Returns `undefined` if the file
 * cannot be read.
 */
export function readLanguageConfiguration(file: string): unknown {
  const read = readTextFile(file, maxBytes);
  if (!('text' in read)) return undefined;
  const text = read.text.replace(/^\ufeff/, '');
  return offsetTooDeep(text) === undefined ? (parse(text, [], { allowTrailingComma: true }) as unknown) : undefined;
}
