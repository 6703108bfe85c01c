/** Where a stretch of PHP ends in a file that is HTML otherwise. */
import { afterBlanks, find, findLine, isAt, lineEndAfter, textOf } from './asciiText.ts';

const doubleQuote = 34;
const hash = 35;
const quote = 39;
const slash = 47;
const less = 60;
const greater = 62;
const backslash = 92;
const backtick = 96;

/** Where the ?> is that ends the PHP from `start` on: one in a string or a block comment does not. −1 without one. */
export function endOfPhp(bytes: Uint8Array, start: number): number {
  for (let at = start; at < bytes.length;) {
    const byte = bytes[at];
    let end = at + 1;
    if (byte === 63 && bytes[at + 1] === greater) return at;
    if (byte === doubleQuote || byte === quote || byte === backtick) end = afterQuoted(bytes, at);
    else if (byte === slash && bytes[at + 1] === 42) end = indexAfter(bytes, '*/', at + 2);
    else if (byte === less && isAt(bytes, '<<<', at)) end = afterHeredoc(bytes, at + 3);
    else if ((byte === slash && bytes[at + 1] === slash) || (byte === hash && bytes[at + 1] !== 91)) {
      const lineEnd = lineEndAfter(bytes, at);
      const close = find(bytes.subarray(0, lineEnd), '?>', at);
      if (close >= 0) return close;
      end = lineEnd;
    }
    // What has no end is no string or comment.
    if (end < 0) return find(bytes, '?>', at);
    at = end;
  }
  return -1;
}

function indexAfter(bytes: Uint8Array, text: string, start: number): number {
  const found = find(bytes, text, start);
  return found < 0 ? -1 : found + text.length;
}

/** After the string whose quote is at `start`; −1 when it has no end. */
function afterQuoted(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    if (bytes[at] === backslash) at++;
    else if (bytes[at] === bytes[start]) return at + 1;
  }
  return -1;
}

/** After the heredoc whose name follows at `start`; `start` when none does, −1 when it has no end. */
function afterHeredoc(bytes: Uint8Array, start: number): number {
  const name = /^[ \t]*["']?([a-z_]\w*)/i.exec(textOf(bytes, start, lineEndAfter(bytes, start)))?.[1];
  if (name === undefined) return start;
  const close = new RegExp(`^[ \\t]*${name}(?!\\w)`);
  const line = findLine(bytes, lineEndAfter(bytes, start), (at) =>
    close.test(textOf(bytes, at, Math.min(lineEndAfter(bytes, at), at + 200))),
  );
  return line === bytes.length ? -1 : afterBlanks(bytes, line) + name.length;
}
