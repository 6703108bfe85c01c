/** Changes values in a configuration file without changing anything else, such as comments. */
import { parseTree } from 'jsonc-parser';
import { addEntry } from './addEntry.ts';
import { nodeAt } from './configuration.ts';

/**
 * Returns the text with the new values.
 *
 * @param text    text of a valid configuration file
 * @param values  new values by option, such as `maxDistance` or `prose.minWords`
 */
export function changeConfiguration(text: string, values: Readonly<Record<string, number>>): string {
  return Object.entries(values).reduce((changed, [option, value]) => {
    const path = option.split('.');
    const node = nodeAt(parseTree(changed, [], { allowTrailingComma: true })!, path);
    if (node === undefined) return addEntry(changed, path, value);
    return changed.slice(0, node.offset) + JSON.stringify(value) + changed.slice(node.offset + node.length);
  }, text);
}
