/** Brackets and semicolons as tokens: matching sees by them where blocks and statements end. */
import { DocumentIndexer } from '../documents/indexDocument.ts';
import type { Kernel } from '../kernel.ts';
import { lexiconForPath } from '../languages/lexicon.ts';
import type { Options } from '../options.ts';

/** The tokens ( [ { ) ] } ; as the lexer makes them, for the kernel to know them by. */
export function bracketTokens(kernel: Kernel, options: Options): number[] {
  const indexer = new DocumentIndexer(kernel, options);
  const text = '([{)]};';
  const bytes = indexer.reserve(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  const { tokens, tokenCount } = indexer.index(bytes, lexiconForPath('brackets.c'));
  return [...kernel.words.subarray(tokens >>> 2, (tokens >>> 2) + tokenCount)];
}
