/** Nesting limit of lists and objects. JSON parsers are recursive and would overflow the stack. */
import { createScanner } from 'jsonc-parser';

/** Configurations have two levels, and baselines three. */
export const maxDepth = 100;

/** Returns the offset at which JSON with comments exceeds `maxDepth`; `undefined` if it does not. */
export function offsetTooDeep(text: string): number | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  // Only the end of the text has no length.
  for (scanner.scan(); scanner.getTokenLength() > 0; scanner.scan()) {
    const sign = scanner.getTokenLength() === 1 ? text[scanner.getTokenOffset()] : '';
    if (sign === '{' || sign === '[') depth++;
    else if (sign === '}' || sign === ']') depth--;
    if (depth > maxDepth) return scanner.getTokenOffset();
  }
  return undefined;
}
