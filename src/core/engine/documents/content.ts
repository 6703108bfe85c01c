/** Tokens of data files. Two passages of data are copies only if their values are equal, so a name counts as a word. */
import type { Kernel } from '../kernel.ts';
import { firstNameKind, kindMask, lastNameKind, wordKind } from '../../kernel/lex/lexedLayout.ts';

/** Converts tokens of data that would be names in code into words. */
export function makeContent({ words }: Kernel, tokens: number, tokenCount: number): void {
  for (let at = tokens >>> 2; at < (tokens >>> 2) + tokenCount; at++) {
    const kind = words[at] & kindMask;
    if (kind >= firstNameKind && kind <= lastNameKind) words[at] = ((words[at] & ~kindMask) | wordKind) >>> 0;
  }
}
