/** Finds the end of PHP code in files that otherwise contain HTML. */
import { afterBlanks, find, findLine, isAt, lineEndAfter, textOf } from './asciiText.ts';

const doubleQuote = 34;
const hash = 35;
const quote = 39;
const slash = 47;
const less = 60;
const greater = 62;
const questionMark = 63;
const backslash = 92;
const backtick = 96;

/**
 * Finds the ends of stretches of PHP code. Ignores strings and comments that are not closed. Never searches for a
 * missing closing twice, so that the total time is linear.
 */
export class PhpEnds {
  readonly #bytes: Uint8Array;
  /** Openings that are known to have no closing in the rest of the text. */
  readonly #endless = new Set<number>();

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Returns the position of the next ?> from `start` on, outside of strings and block comments; −1 if none. */
  endAfter(start: number): number {
    const bytes = this.#bytes;
    for (let at = start; at < bytes.length;) {
      if (bytes[at] === questionMark && bytes[at + 1] === greater) return at;
      if (this.#isLineComment(at)) {
        const lineEnd = lineEndAfter(bytes, at);
        const close = find(bytes.subarray(0, lineEnd), '?>', at);
        if (close >= 0) return close;
        at = lineEnd;
      } else {
        at = this.#after(at);
      }
    }
    return -1;
  }

  #isLineComment(at: number): boolean {
    const bytes = this.#bytes;
    return (bytes[at] === slash && bytes[at + 1] === slash) || (bytes[at] === hash && bytes[at + 1] !== 91);
  }

  /** Returns the offset after the string, heredoc, or block comment at `at`, or else that of the next byte. */
  #after(at: number): number {
    const bytes = this.#bytes;
    const byte = bytes[at];
    if (this.#endless.has(byte)) return at + 1;
    let end = at + 1;
    if (byte === doubleQuote || byte === quote || byte === backtick) end = afterQuoted(bytes, at);
    else if (byte === slash && bytes[at + 1] === 42) end = indexAfter(bytes, '*/', at + 2);
    else if (byte === less && isAt(bytes, '<<<', at)) end = afterHeredoc(bytes, at + 3);
    if (end >= 0) return end;
    this.#endless.add(byte);
    return at + 1;
  }
}

function indexAfter(bytes: Uint8Array, text: string, start: number): number {
  const found = find(bytes, text, start);
  return found < 0 ? -1 : found + text.length;
}

/** Returns the offset after the string whose opening quote is at `start`, or −1 if the string is not closed. */
function afterQuoted(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    if (bytes[at] === backslash) at++;
    else if (bytes[at] === bytes[start]) return at + 1;
  }
  return -1;
}

/** Returns the offset after the heredoc whose name is at `start`: `start` without a name, −1 if not closed. */
function afterHeredoc(bytes: Uint8Array, start: number): number {
  const name = /^[ \t]*["']?([a-z_]\w*)/i.exec(textOf(bytes, start, lineEndAfter(bytes, start)))?.[1];
  if (name === undefined) return start;
  const close = new RegExp(`^[ \\t]*${name}(?!\\w)`);
  const line = findLine(bytes, lineEndAfter(bytes, start), (at) =>
    close.test(textOf(bytes, at, Math.min(lineEndAfter(bytes, at), at + 200))),
  );
  return line === bytes.length ? -1 : afterBlanks(bytes, line) + name.length;
}
