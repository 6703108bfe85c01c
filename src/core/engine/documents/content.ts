/** Tokens of data files. Passages of data are copies only if their values are equal, so names count as words. */
import type { Kernel } from '../kernel.ts';
import { firstNameKind, kindMask, lastNameKind, wordKind } from '../../kernel/lex/lexedLayout.ts';

/**
 * Changes the kind of all name tokens to the kind of words. The lexer also produces name tokens for data, where names
 * should count as ordinary words.
 */
export function makeContent({ words }: Kernel, tokens: number, tokenCount: number): void {
  for (let at = tokens >>> 2; at < (tokens >>> 2) + tokenCount; at++) {
    const kind = words[at] & kindMask;
    if (kind >= firstNameKind && kind <= lastNameKind) words[at] = ((words[at] & ~kindMask) | wordKind) >>> 0;
  }
}
