/** Changes values in a configuration file without changing anything else, such as comments. */
import { applyEdits, findNodeAtLocation, type JSONPath, modify, parseTree } from 'jsonc-parser';
import { olderKeys } from './configuration.ts';

/**
 * Returns the text with the new values.
 *
 * @param text    text of a valid configuration file
 * @param values  new values by option, such as `maxDistance` or `prose.minWords`
 */
export function changeConfiguration(text: string, values: Readonly<Record<string, number>>): string {
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: text.includes('\r\n') ? '\r\n' : '\n' };
  return Object.entries(values).reduce(
    (changed, [option, value]) =>
      applyEdits(changed, modify(changed, pathOf(changed, option), value, { formattingOptions })),
    text,
  );
}

/** Returns the JSON path of an option in a file. The file may use an older name of the option. */
function pathOf(text: string, option: string): JSONPath {
  const path = option.split('.');
  const tree = parseTree(text, [], { allowTrailingComma: true });
  const olderPaths = [...olderKeys].flatMap(([older, name]) =>
    name === path.at(-1) ? [[...path.slice(0, -1), older]] : [],
  );
  return olderPaths.find((older) => tree !== undefined && findNodeAtLocation(tree, older) !== undefined) ?? path;
}
