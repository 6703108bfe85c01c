/** Changes values in a configuration file without changing anything else, such as comments. */
import { findNodeAtLocation, type JSONPath, type Node, parseTree } from 'jsonc-parser';
import { addEntry } from './addEntry.ts';
import { olderKeys } from './configuration.ts';

/**
 * Returns the text with the new values.
 *
 * @param text    text of a valid configuration file
 * @param values  new values by option, such as `maxDistance` or `prose.minWords`
 */
export function changeConfiguration(text: string, values: Readonly<Record<string, number>>): string {
  return Object.entries(values).reduce((changed, [option, value]) => {
    const path = option.split('.');
    const node = nodeOf(changed, path);
    if (node === undefined) return addEntry(changed, path, value);
    return changed.slice(0, node.offset) + JSON.stringify(value) + changed.slice(node.offset + node.length);
  }, text);
}

/** Returns the value of an option in a file; `undefined` if it is not set. The file may use an older name. */
function nodeOf(text: string, path: JSONPath): Node | undefined {
  const tree = parseTree(text, [], { allowTrailingComma: true })!;
  const olderNames = [...olderKeys].flatMap(([older, name]) => (name === path.at(-1) ? [older] : []));
  const found = [...olderNames, path.at(-1)!].map((name) => findNodeAtLocation(tree, [...path.slice(0, -1), name]));
  return found.find((node) => node !== undefined);
}
