/** Files `language-configuration.json` of extensions: JSON with comments. */
import { parse } from 'jsonc-parser';
import { readTextFile } from './textFile.ts';

/** Far more than any language needs. */
const mostBytes = 2 ** 20;

/** What the file says, whatever that is; of what is no JSON as much as can be read. Undefined when it cannot be read. */
export function readLanguageConfiguration(file: string): unknown {
  const read = readTextFile(file, mostBytes);
  if (!('text' in read)) return undefined;
  try {
    return parse(read.text.replace(/^\ufeff/, ''), [], { allowTrailingComma: true }) as unknown;
  } catch {
    // Lists and objects lie in each other too deep for the parser.
    return undefined;
  }
}
