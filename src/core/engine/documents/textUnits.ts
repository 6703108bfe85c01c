/**
 * Counts UTF-16 units of UTF-8 text, because editors count columns in them. An ASCII character has one unit per byte.
 * Invalid UTF-8 counts as an editor displays it: as one U+FFFD for each maximal prefix of a character, and for each
 * byte that cannot begin a character (Unicode 16, section 3.9, table 3-8; as TextDecoder does).
 */

/** Returns the number of UTF-16 units in the last line of a text, without its line break. */
export function lastLineUnits(text: Uint8Array): number {
  const isEnd = (at: number): boolean => text[at] === 10 || text[at] === 13;
  let end = text.byteLength;
  if (end > 0 && isEnd(end - 1)) end -= text[end - 1] === 10 && text[end - 2] === 13 ? 2 : 1;
  let start = end;
  while (start > 0 && !isEnd(start - 1)) start--;
  let units = 0;
  for (let at = start; at < end;) {
    const size = characterBytes(text, at);
    units += size === 4 ? 2 : 1;
    at += size;
  }
  return units;
}

/**
 * Writes a bit set with one bit for each byte of the text, lowest bit first. A bit is 1 if its byte adds no UTF-16
 * unit.
 */
export function markUnitless(text: Uint8Array, bits: Uint8Array): void {
  bits.fill(0);
  for (let at = 0; at < text.length;) {
    if (text[at] < 0x80) {
      at++;
      continue;
    }
    const size = characterBytes(text, at);
    // A character of four bytes has two units, so its second byte also counts.
    for (let i = at + (size === 4 ? 2 : 1); i < at + size; i++) bits[i >>> 3] |= 1 << (i & 7);
    at += size;
  }
}

/**
 * Returns the length in bytes of a character, or of the longest valid prefix of an invalid character. The result is 4
 * only if the character is complete.
 */
function characterBytes(text: Uint8Array, at: number): number {
  const lead = text[at];
  if (lead < 0xc2 || lead > 0xf4) return 1;
  const wanted = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  // Overlong encodings, surrogates, and numbers beyond Unicode are invalid at their second byte.
  const least = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const most = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (!(text[at + 1] >= least && text[at + 1] <= most)) return 1;
  let size = 2;
  while (size < wanted && (text[at + size] & 0xc0) === 0x80) size++;
  return size;
}
