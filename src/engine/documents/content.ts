/** Tokens of data: in it a copy has the same values, or is none. */
import type { Kernel } from '../kernel.ts';
import { kindBits, tokenKinds } from '../languages/tokenKind.ts';

const kindMask = (1 << kindBits) - 1;
const wordKind = tokenKinds.indexOf('word');
/** Kinds of tokens that a renaming may change: isName in src/kernel/documents/fingerprint.ts. */
const nameKinds: ReadonlySet<number> = new Set(
  (['identifier', 'call', 'number', 'string'] as const).map((kind) => tokenKinds.indexOf(kind)),
);

/** Makes words of what would be names in code. */
export function makeContent({ words }: Kernel, tokens: number, tokenCount: number): void {
  for (let at = tokens >>> 2; at < (tokens >>> 2) + tokenCount; at++) {
    if (nameKinds.has(words[at] & kindMask)) words[at] = ((words[at] & ~kindMask) | wordKind) >>> 0;
  }
}
