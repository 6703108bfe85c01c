// Separator tokens, which divide a document into independent texts.
import { separatorBits } from '../lex/lexed';
import { itemOf } from '../records';

/**
 * Token between two independent texts in a document, such as two fences or script blocks. No other token has this
 * value.
 */
export const separator: u32 = <u32>separatorBits;

/** Returns the first token of the independent text that contains the token at `position`. */
export function partStart(tokens: usize, position: u32): u32 {
  while (position > 0 && itemOf<u32>(tokens, position - 1) != separator) position--;
  return position;
}

export function partEnd(tokens: usize, count: u32, position: u32): u32 {
  while (position < count && itemOf<u32>(tokens, position) != separator) position++;
  return position;
}
