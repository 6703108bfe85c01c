/** Bytes read as text: lines, and what stands where. Offsets count bytes; only ASCII is looked for. */

const lineFeed = 10;
const carriageReturn = 13;
const space = 32;

/** ASCII text of the bytes [start, end); other characters come out as others. */
export function textOf(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, Math.min(end, start + 1000)));
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === lineFeed || byte === carriageReturn;
}

/** The end of the line that `offset` is on, with what ends it: LF, CRLF or CR. */
export function lineEndAfter(bytes: Uint8Array, offset: number): number {
  let end = offset;
  while (end < bytes.length && !isLineEnd(bytes[end])) end++;
  if (bytes[end] === carriageReturn && bytes[end + 1] === lineFeed) end++;
  return Math.min(end + 1, bytes.length);
}

/** The start of the line that `offset` is on. */
export function lineStartOf(bytes: Uint8Array, offset: number): number {
  let start = offset;
  while (start > 0 && !isLineEnd(bytes[start - 1])) start--;
  return start;
}

/** The end of the line before the one that begins at `lineStart`, without what ends it; 0 when there is none. */
export function endOfLineBefore(bytes: Uint8Array, lineStart: number): number {
  const isCrlf = bytes[lineStart - 1] === lineFeed && bytes[lineStart - 2] === carriageReturn;
  return Math.max(0, lineStart - (isCrlf ? 2 : 1));
}

/** The first offset from `start` on with a byte that is no space or tab. */
export function afterBlanks(bytes: Uint8Array, start: number): number {
  while (bytes[start] === space || bytes[start] === 9) start++;
  return start;
}

export function isBlankLine(bytes: Uint8Array, start: number): boolean {
  const offset = afterBlanks(bytes, start);
  return offset >= bytes.length || isLineEnd(bytes[offset]);
}

/** The start of the first line from `start` on, where `test` holds; the end of the text when it holds nowhere. */
export function findLine(bytes: Uint8Array, start: number, test: (lineStart: number) => boolean): number {
  while (start < bytes.length && !test(start)) start = lineEndAfter(bytes, start);
  return start;
}

/** Where `text`, small ASCII letters and marks, is next, in any case; −1 when it is nowhere. */
export function find(bytes: Uint8Array, text: string, start: number): number {
  const first = text.charCodeAt(0);
  for (let at = bytes.indexOf(first, start); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (isAt(bytes, text, at)) return at;
  }
  return -1;
}

export function isAt(bytes: Uint8Array, text: string, start: number): boolean {
  for (let index = 0; index < text.length; index++) {
    const wanted = text.charCodeAt(index);
    const byte = bytes[start + index];
    if (byte !== wanted && !(wanted >= 97 && wanted <= 122 && (byte | 32) === wanted)) return false;
  }
  return true;
}

/** Whether there is only ASCII between and around stretches of a text, which ascend. */
export function isAsciiAround(text: Uint8Array, stretches: readonly { start: number; end: number }[]): boolean {
  let from = 0;
  for (const { start, end } of [...stretches, { start: text.length, end: text.length }]) {
    for (let at = from; at < start; at++) if (text[at] >= 128) return false;
    from = end;
  }
  return true;
}

/** Lines of a text. A last line without an end is a line too. */
export function linesOf(text: Uint8Array): number {
  let lines = 0;
  for (let start = 0; start < text.length; start = lineEndAfter(text, start)) lines++;
  return lines;
}
