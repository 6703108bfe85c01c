/** Tokens of data: in it a copy has the same values, or is none. */
import type { Kernel } from '../kernel.ts';
import { firstNameKind, kindMask, lastNameKind, wordKind } from '../../kernel/lex/lexedLayout.ts';

/** Makes words of what would be names in code. */
export function makeContent({ words }: Kernel, tokens: number, tokenCount: number): void {
  for (let at = tokens >>> 2; at < (tokens >>> 2) + tokenCount; at++) {
    const kind = words[at] & kindMask;
    if (kind >= firstNameKind && kind <= lastNameKind) words[at] = ((words[at] & ~kindMask) | wordKind) >>> 0;
  }
}
