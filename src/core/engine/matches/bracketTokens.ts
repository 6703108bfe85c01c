/** Tokens of brackets, semicolons, tags, and colons. Matching uses them to find the ends of blocks and statements. */
import { DocumentIndexer } from '../documents/indexDocument.ts';
import { elementBrackets } from '../documents/units.ts';
import type { Kernel } from '../kernel.ts';
import { lexiconForPath } from '../languages/allLexicons.ts';
import { tokenOf } from '../languages/tokenKind.ts';
import type { Options } from '../options.ts';

/**
 * Returns the tokens of ( [ { ) ] } ; in this order, those of the beginning, end, and tags of an element, and that of a
 * colon.
 */
export function bracketTokens(kernel: Kernel, options: Options): number[] {
  const indexer = new DocumentIndexer(kernel, options);
  const text = '([{)]};';
  const bytes = indexer.reserve(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  const { tokens, tokenCount } = indexer.index(bytes, lexiconForPath('brackets.c'));
  const signs = kernel.words.subarray(tokens >>> 2, (tokens >>> 2) + tokenCount);
  const others = ['>', '</', ':'].map((sign) => tokenOf(sign, 'operator'));
  return [...signs, ...elementBrackets, ...others];
}
