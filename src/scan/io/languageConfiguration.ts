/** Reads the `language-configuration.json` files of extensions, which are JSON with comments. */
import { parse } from 'jsonc-parser';
import { offsetTooDeep } from './nesting.ts';
import { readTextFile } from './textFile.ts';

/** Maximum size in bytes, which is far above that of any language. */
const maxBytes = 2 ** 20;

/**
 * Returns the parsed content without validating it. Returns `undefined` if the file cannot be read. If the JSON is
 * invalid, returns as much as can be parsed.
 */
export function readLanguageConfiguration(file: string): unknown {
  const read = readTextFile(file, maxBytes);
  if (!('text' in read)) return undefined;
  const text = read.text.replace(/^\ufeff/, '');
  return offsetTooDeep(text) === undefined ? (parse(text, [], { allowTrailingComma: true }) as unknown) : undefined;
}
