// Counts UTF-16 units of UTF-8 text, because editors count columns in them. An ASCII character has one unit per byte.
// Invalid UTF-8 counts as an editor displays it: as one U+FFFD for each maximal prefix of a character, and for each
// byte that cannot begin a character (Unicode 16, section 3.9, table 3-8; as TextDecoder does).
import * as ascii from '../lex/ascii';
import { isLineEnd } from '../lex/lexBytes';
import { bytesOf } from '../records';

/** Returns the number of UTF-16 units in the last line of a text, without its line break. */
export function lastLineUnits(text: usize, size: u32): u32 {
  let end = text + <usize>size;
  if (end > text && isLineEnd(load<u8>(end - 1)))
    end -= load<u8>(end - 1) == ascii.lineFeed && end - 1 > text && load<u8>(end - 2) == ascii.carriageReturn ? 2 : 1;
  let at = end;
  while (at > text && !isLineEnd(load<u8>(at - 1))) at--;
  let units: u32 = 0;
  while (at < end) {
    const bytes = characterBytes(at, text + <usize>size);
    units += bytes == 4 ? 2 : 1;
    at += <usize>bytes;
  }
  return units;
}

/**
 * Writes a bit set with one bit for each byte of the text, lowest bit first. A bit is 1 if its byte adds no UTF-16
 * unit.
 *
 * @param bits  the bits, in whole words of 64 bits, so that equal documents have equal bytes
 */
export function markUnitless(text: usize, size: u32, bits: usize): void {
  memory.fill(bits, 0, bytesOf<u64>((size + 63) >> 6));
  const end = text + <usize>size;
  for (let at = text; at < end;) {
    if (at + 16 <= end) {
      const beyond = i8x16.bitmask(v128.load(at));
      if (!beyond) {
        at += 16;
        continue;
      }
      at += <usize>ctz<i32>(beyond);
    } else if (load<u8>(at) < 0x80) {
      at++;
      continue;
    }
    const bytes = characterBytes(at, end);
    // A character of four bytes has two units, so its second byte also counts.
    for (let i: u32 = bytes == 4 ? 2 : 1; i < bytes; i++) {
      const offset = <u32>(at - text) + i,
        place = bits + <usize>(offset >> 3);
      store<u8>(place, (<u32>load<u8>(place)) | (1 << (offset & 7)));
    }
    at += <usize>bytes;
  }
}

/**
 * Returns the length in bytes of a character, or of the longest valid prefix of an invalid character. The result is 4
 * only if the character is complete.
 */
function characterBytes(at: usize, end: usize): u32 {
  const lead: u32 = load<u8>(at);
  if (lead < 0xc2 || lead > 0xf4) return 1;
  const fullLength: u32 = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  // Overlong encodings, surrogates, and numbers beyond Unicode are invalid at their second byte.
  const minSecond: u32 = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  const maxSecond: u32 = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  const second: u32 = at + 1 < end ? load<u8>(at + 1) : 0;
  if (second < minSecond || second > maxSecond) return 1;
  let bytes: u32 = 2;
  while (bytes < fullLength && at + <usize>bytes < end && (load<u8>(at + <usize>bytes) & 0xc0) == 0x80) bytes++;
  return bytes;
}
