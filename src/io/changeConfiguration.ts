/** A configuration file with other values for some of its options. What else it says, comments too, stays as it is. */
import { applyEdits, modify } from 'jsonc-parser';
import { keyOf } from './configuration.ts';

/**
 * The text with the values.
 *
 * @param text    of a configuration file that can be used
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
