// Where one text of a document ends and the next begins: a document may have several, with a token between them.
import { separatorBits } from '../lex/lexedLayout';

/** Stands between parts of a document that are not one text (a fence, a script block). It equals nothing. */
export const separator: u32 = <u32>separatorBits;

/** Where the text between separators begins that has the token at `position`. */
export function partStart(tokens: usize, position: u32): u32 {
  while (position > 0 && load<u32>(tokens + ((<usize>(position - 1)) << 2)) != separator) position--;
  return position;
}

export function partEnd(tokens: usize, count: u32, position: u32): u32 {
  while (position < count && load<u32>(tokens + ((<usize>position) << 2)) != separator) position++;
  return position;
}
