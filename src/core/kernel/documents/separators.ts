// Boundaries of the texts within a document, which are separated by a token.
import { separatorBits } from '../lex/lexed';

/** Separates parts of a document that are not continuous text (a fence, a script block). It equals no other token. */
export const separator: u32 = <u32>separatorBits;

/** Returns the beginning of the text between separators that contains the token at `position`. */
export function partStart(tokens: usize, position: u32): u32 {
  while (position > 0 && load<u32>(tokens + ((<usize>(position - 1)) << 2)) != separator) position--;
  return position;
}

export function partEnd(tokens: usize, count: u32, position: u32): u32 {
  while (position < count && load<u32>(tokens + ((<usize>position) << 2)) != separator) position++;
  return position;
}
