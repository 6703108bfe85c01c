/**
 * The kinds of tokens. A token is one unsigned 32-bit word: 28 bits of hash above 4 bits of kind. Equal words mean that
 * the tokens are equal in the text. Tokens that differ only in a renamed name have the same `abstractToken`.
 */

import * as layout from '../../kernel/lex/lexedLayout.ts';
import { hashBytes } from './hashBytes.ts';

/** Numeric code of each kind. The kernel uses the same codes. */
export const kindCodes = {
  punctuation: layout.punctuationKind,
  operator: layout.operatorKind,
  keyword: layout.keywordKind,
  identifier: layout.identifierKind,
  call: layout.callKind,
  number: layout.numberKind,
  string: layout.stringKind,
  word: layout.wordKind,
  heading: layout.headingKind,
  comment: layout.commentKind,
} as const;

export type TokenKind = keyof typeof kindCodes;

/** Kinds in the order of their codes: the code of a kind is its index in this list. */
export const tokenKinds = (Object.keys(kindCodes) as TokenKind[]).sort((x, y) => kindCodes[x] - kindCodes[y]);

/** Value of the token between segments of a text that are not adjacent. No other token has this value. */
export const separator = layout.separatorBits >>> 0;

/** Returns the token of an ASCII word. It is the same in every language. */
export function tokenOf(word: string, kind: TokenKind): number {
  const bytes = Uint8Array.from(word, (letter) => letter.charCodeAt(0));
  return ((hashBytes(bytes, 0) << layout.kindBits) | kindCodes[kind]) >>> 0;
}
