/** Limits the nesting depth of JSON. The parsers are recursive, so deeply nested text would overflow the stack. */
import { createScanner } from 'jsonc-parser';

/** Maximum nesting depth of lists and objects. Configurations have two levels, and baselines have three. */
export const maxDepth = 100;

/** Returns the offset at which JSON with comments is nested deeper than `maxDepth`, or `undefined` if it never is. */
export function offsetTooDeep(text: string): number | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  // At the end of the text, the scanner returns a token without length.
  for (scanner.scan(); scanner.getTokenLength() > 0; scanner.scan()) {
    const sign = scanner.getTokenLength() === 1 ? text[scanner.getTokenOffset()] : '';
    if (sign === '{' || sign === '[') depth++;
    else if (sign === '}' || sign === ']') depth--;
    if (depth > maxDepth) return scanner.getTokenOffset();
  }
  return undefined;
}
