/**
 * The kinds of tokens. A token is one unsigned 32-bit word: 28 bits of hash above 4 bits of kind, so that two tokens are
 * equal as written when the words are equal, and equal after renaming when `abstractToken` of them is equal.
 */

import * as layout from '../../kernel/lex/lexedLayout.ts';

/** The codes of kinds, as the kernel knows them. */
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

/** Kinds in the order of their codes: the code of a kind is its place in this list. */
export const tokenKinds = (Object.keys(kindCodes) as TokenKind[]).sort((x, y) => kindCodes[x] - kindCodes[y]);

/** Stands between segments of a text that are not read one after the other, and equals nothing. */
export const separator = layout.separatorBits >>> 0;
