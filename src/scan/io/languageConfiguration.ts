/** Reads the `language-configuration.json` files of extensions, which are JSON with comments. */
import { parse } from 'jsonc-parser';
import { offsetTooDeep } from './nesting.ts';
import { readTextFile } from './textFile.ts';

/** Maximum size of a file in bytes. Actual files are far smaller. */
const maxBytes = 2 ** 20;

/**
 * Parses a file. Does not validate the result. Returns `undefined` if the file cannot be read. If its JSON is invalid,
 * returns as much as can be parsed.
 */
export function readLanguageConfiguration(file: string): unknown {
  const read = readTextFile(file, maxBytes);
  if (!('text' in read)) return undefined;
  const text = read.text.replace(/^\ufeff/, '');
  return offsetTooDeep(text) === undefined ? (parse(text, [], { allowTrailingComma: true }) as unknown) : undefined;
}
