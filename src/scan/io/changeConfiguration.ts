/** Changes the values of options in a configuration file. Comments and everything else are kept. */
import { applyEdits, modify } from 'jsonc-parser';
import { keyOf } from './configuration.ts';

/**
 * Returns the text with the new values.
 *
 * @param text    text of a valid configuration file
 * @param values  by option, such as `maxDistance` or `prose.minWords`
 */
export function changeConfiguration(text: string, values: Readonly<Record<string, number>>): string {
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: text.includes('\r\n') ? '\r\n' : '\n' };
  return Object.entries(values).reduce(
    (changed, [option, value]) =>
      applyEdits(changed, modify(changed, keyOf(option).split('.'), value, { formattingOptions })),
    text,
  );
}
