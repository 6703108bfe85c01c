/** The limit on lists and objects in each other: parsers of JSON call themselves for each, and the stack has an end. */
import { createScanner } from 'jsonc-parser';

/** A configuration has two levels, and a baseline three. */
export const mostDepth = 100;

/** The offset in JSON with comments at which lists and objects are nested more than `mostDepth` deep; undefined if they are not. */
export function offsetTooDeep(text: string): number | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  // Only the end has no length.
  for (scanner.scan(); scanner.getTokenLength() > 0; scanner.scan()) {
    const sign = scanner.getTokenLength() === 1 ? text[scanner.getTokenOffset()] : '';
    if (sign === '{' || sign === '[') depth++;
    else if (sign === '}' || sign === ']') depth--;
    if (depth > mostDepth) return scanner.getTokenOffset();
  }
  return undefined;
}
