/** Files `language-configuration.json` of extensions: JSON with comments. */
import { readFileSync } from 'node:fs';
import { parse } from 'jsonc-parser';

/** What the file says, whatever that is; of what is no JSON as much as can be read. Undefined when it cannot be read. */
export function readLanguageConfiguration(file: string): unknown {
  try {
    return parse(readFileSync(file, 'utf8').replace(/^\ufeff/, ''), [], { allowTrailingComma: true }) as unknown;
  } catch {
    return undefined;
  }
}
