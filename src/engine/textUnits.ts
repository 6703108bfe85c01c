/** UTF-16 units of a text in UTF-8: editors count columns in them. Text of ASCII alone has one for each byte. */

/** The UTF-16 units of a text's last line, which may have an end or not. */
export function lastLineUnits(text: Uint8Array): number {
  const isEnd = (at: number): boolean => text[at] === 10 || text[at] === 13;
  let end = text.byteLength;
  if (end > 0 && isEnd(end - 1)) end -= text[end - 1] === 10 && text[end - 2] === 13 ? 2 : 1;
  let units = 0;
  for (let at = end - 1; at >= 0 && !isEnd(at); at--) if (!addsNoUnit(text, at)) units++;
  return units;
}

/** Sets the bits of bytes that add no unit: a bit for each byte of the text, the lowest first. */
export function markUnitless(text: Uint8Array, bits: Uint8Array): void {
  bits.fill(0);
  for (let i = 0; i < text.length; i++) {
    if (addsNoUnit(text, i)) bits[i >>> 3] |= 1 << (i & 7);
  }
}

/** Whether a byte continues a character, but for one of each that is two UTF-16 units. */
function addsNoUnit(text: Uint8Array, at: number): boolean {
  return (text[at] & 0xc0) === 0x80 && !(at > 0 && text[at - 1] >= 0xf0);
}
