/** Reads bytes as text: finds lines and substrings. Offsets count bytes. Only ASCII characters are recognized. */

const lineFeed = 10;
const carriageReturn = 13;
const space = 32;

/** Returns the text of the bytes [start, end). Characters outside of ASCII are garbled. */
export function textOf(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, Math.min(end, start + 1000)));
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === lineFeed || byte === carriageReturn;
}

/** Returns the end of the line at `offset`, including its line break: LF, CRLF, or CR. */
export function lineEndAfter(bytes: Uint8Array, offset: number): number {
  let end = offset;
  while (end < bytes.length && !isLineEnd(bytes[end])) end++;
  if (bytes[end] === carriageReturn && bytes[end + 1] === lineFeed) end++;
  return Math.min(end + 1, bytes.length);
}

/** Returns the start of the line at `offset`. */
export function lineStartOf(bytes: Uint8Array, offset: number): number {
  let start = offset;
  while (start > 0 && !isLineEnd(bytes[start - 1])) start--;
  return start;
}

/** Returns the end of the line before `lineStart`, excluding its line break; 0 if there is none. */
export function endOfLineBefore(bytes: Uint8Array, lineStart: number): number {
  const isCrlf = bytes[lineStart - 1] === lineFeed && bytes[lineStart - 2] === carriageReturn;
  return Math.max(0, lineStart - (isCrlf ? 2 : 1));
}

/** Returns the offset of the first byte from `start` on that is not a space or tab. */
export function afterBlanks(bytes: Uint8Array, start: number): number {
  while (bytes[start] === space || bytes[start] === 9) start++;
  return start;
}

export function isBlankLine(bytes: Uint8Array, start: number): boolean {
  const offset = afterBlanks(bytes, start);
  return offset >= bytes.length || isLineEnd(bytes[offset]);
}

/** Returns the start of the first line from `start` on for which `test` returns true, or the end of the text. */
export function findLine(bytes: Uint8Array, start: number, test: (lineStart: number) => boolean): number {
  while (start < bytes.length && !test(start)) start = lineEndAfter(bytes, start);
  return start;
}

/**
 * Returns the offset of the next occurrence of `text`, ignoring case, or −1 if there is none. `text` must consist of
 * lowercase ASCII letters and punctuation.
 */
export function find(bytes: Uint8Array, text: string, start: number): number {
  const first = text.charCodeAt(0);
  for (let at = bytes.indexOf(first, start); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (isAt(bytes, text, at)) return at;
  }
  return -1;
}

export function isAt(bytes: Uint8Array, text: string, start: number): boolean {
  for (let index = 0; index < text.length; index++) {
    const expectedSign = text.charCodeAt(index);
    const byte = bytes[start + index];
    if (byte !== expectedSign && !(expectedSign >= 97 && expectedSign <= 122 && (byte | 32) === expectedSign))
      return false;
  }
  return true;
}

/** Returns true if all text outside of the given stretches is ASCII. The stretches must be ascending. */
export function isAsciiAround(text: Uint8Array, stretches: readonly { start: number; end: number }[]): boolean {
  let from = 0;
  for (const { start, end } of [...stretches, { start: text.length, end: text.length }]) {
    for (let at = from; at < start; at++) if (text[at] >= 128) return false;
    from = end;
  }
  return true;
}

/** Returns the number of lines. A last line without a line break also counts. */
export function linesOf(text: Uint8Array): number {
  let lines = 0;
  for (let start = 0; start < text.length; start = lineEndAfter(text, start)) lines++;
  return lines;
}
