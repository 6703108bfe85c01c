/** Tokens of data. A copy of data has the same values; otherwise it is not a copy. */
import type { Kernel } from '../kernel.ts';
import { firstNameKind, kindMask, lastNameKind, wordKind } from '../../kernel/lex/lexedLayout.ts';

/** Converts tokens that would be names in code into words. */
export function makeContent({ words }: Kernel, tokens: number, tokenCount: number): void {
  for (let at = tokens >>> 2; at < (tokens >>> 2) + tokenCount; at++) {
    const kind = words[at] & kindMask;
    if (kind >= firstNameKind && kind <= lastNameKind) words[at] = ((words[at] & ~kindMask) | wordKind) >>> 0;
  }
}
