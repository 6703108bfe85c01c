/**
 * The kinds of tokens. A token is one unsigned 32-bit word: 28 bits of hash above 4 bits of kind, so that two tokens are
 * equal as written when the words are equal, and equal after renaming when `abstractToken` of them is equal.
 */

/** Kinds in the order of their codes: the code of a kind is its place in this list. */
export const tokenKinds = [
  'punctuation',
  'operator',
  'keyword',
  'identifier',
  'call',
  'number',
  'string',
  'word',
  'heading',
  'comment',
] as const;

export type TokenKind = (typeof tokenKinds)[number];

/** Stands between segments of a text that are not read one after the other, and equals nothing. */
export const separator = 0xffff_ffff;

/** Bits of a token word that hold its kind; the hash is above them. */
export const kindBits = 4;
