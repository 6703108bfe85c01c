/** Files `language-configuration.json` of extensions: JSON with comments. */
import { parse } from 'jsonc-parser';
import { offsetTooDeep } from './nesting.ts';
import { readTextFile } from './textFile.ts';

/** Far more than any language needs. */
const mostBytes = 2 ** 20;

/** What the file says, whatever that is; of what is no JSON as much as can be read. Undefined when it cannot be read. */
export function readLanguageConfiguration(file: string): unknown {
  const read = readTextFile(file, mostBytes);
  if (!('text' in read)) return undefined;
  const text = read.text.replace(/^\ufeff/, '');
  return offsetTooDeep(text) === undefined ? (parse(text, [], { allowTrailingComma: true }) as unknown) : undefined;
}
