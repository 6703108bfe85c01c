/**
 * Words of scripts that are written without spaces: Chinese, Japanese, Thai, Lao, Khmer, Burmese. The kernel's lexer
 * makes each of their characters a token. This module joins the characters of a word into one token by Unicode
 * segmentation (UAX #29, with the dictionaries of ICU). Other text is not changed. Without `Intl.Segmenter`, each
 * character remains a token.
 */
import type { Kernel } from '../kernel.ts';
import { kindBits, kindMask, lexedLineBytes, lexedLineTokenAt } from '../../kernel/lex/lexedLayout.ts';

/** Output of the lexer: addresses of its arrays, and their lengths. */
export interface LexedArrays {
  readonly tokens: number;
  readonly starts: number;
  readonly lengths: number;
  readonly lines: number;
  readonly tokenCount: number;
  readonly lineCount: number;
}

/** Numbers of tokens and lines after characters have been joined. */
export interface Counts {
  readonly tokenCount: number;
  readonly lineCount: number;
}

/** Created on first use, because ICU takes a few milliseconds and most trees have no such text. */
let segmenter: Intl.Segmenter | undefined;

function newSegmenter(): Intl.Segmenter | undefined {
  // Pass a fixed language, so that the result does not depend on the system language. The segmentation of these scripts
  // is the same in every language.
  return typeof Intl.Segmenter === 'function' ? new Intl.Segmenter('en', { granularity: 'word' }) : undefined;
}

/** Size of a line record in words, and the offset of its first token's index, in words. */
const lineWords = lexedLineBytes >>> 2;
const tokenWord = lexedLineTokenAt >>> 2;

/**
 * Maximum number of characters to segment at once, because ICU takes quadratic time: 560,000 characters without
 * punctuation took 402 s when segmented at once, and 0.4 s in stretches of 28 characters.
 */
const maxStretch = 256;

/**
 * Joins the characters of each word into one token, in place.
 *
 * @param text  the text that was lexed
 */
export function joinBlanklessWords(kernel: Kernel, text: Uint8Array, lexed: LexedArrays): Counts {
  const { tokenCount, lineCount } = lexed;
  segmenter ??= newSegmenter();
  if (segmenter === undefined) return { tokenCount, lineCount };
  const words = kernel.words;
  const tokens = words.subarray(lexed.tokens >>> 2, (lexed.tokens >>> 2) + tokenCount);
  const starts = words.subarray(lexed.starts >>> 2, (lexed.starts >>> 2) + tokenCount);
  const lines = words.subarray(lexed.lines >>> 2, (lexed.lines >>> 2) + lineWords * lineCount);
  const lengths = new Uint16Array(kernel.memory.buffer, lexed.lengths, tokenCount);
  let token = 0;
  let written = 0;
  let line = 0;
  let writtenLines = 0;
  while (token < tokenCount) {
    const sizes = wordSizes(text, { tokens, starts, lengths }, token);
    for (const size of sizes) {
      // Advance to the last line that begins at or before the token. The skipped lines have no tokens of their own
      // anymore, because all were joined to earlier words.
      const before = line;
      while (line < lineCount && lines[lineWords * line + tokenWord] <= token) line++;
      if (line > before) {
        lines.copyWithin(lineWords * writtenLines, lineWords * (line - 1), lineWords * line);
        lines[lineWords * writtenLines + tokenWord] = written;
        writtenLines++;
      }
      // If lines are counted, a word that continues on the next line is cut at the end of its first line.
      const lineEnd = line < lineCount ? lines[lineWords * line + tokenWord] : tokenCount;
      const last = Math.min(token + size, lineEnd) - 1;
      const start = starts[token];
      const length = Math.min(starts[last] + lengths[last] - start, 65_535);
      tokens[written] = size === 1 ? tokens[token] : wordOf(tokens, token, token + size);
      starts[written] = start;
      lengths[written] = length;
      written++;
      token += size;
    }
    if (sizes !== oneToken) continue;
    // Most texts have few such characters. Copy the tokens up to the next one at once.
    const next = nextOfScript(text, starts, lengths, token);
    const joined = token - written;
    if (joined > 0) for (const array of [tokens, starts, lengths]) array.copyWithin(written, token, next);
    for (; line < lineCount && lines[lineWords * line + tokenWord] < next; line++, writtenLines++) {
      if (joined === 0) continue;
      lines.copyWithin(lineWords * writtenLines, lineWords * line, lineWords * (line + 1));
      lines[lineWords * writtenLines + tokenWord] -= joined;
    }
    written += next - token;
    token = next;
  }
  return { tokenCount: written, lineCount: writtenLines };
}

interface Arrays {
  readonly tokens: Uint32Array;
  readonly starts: Uint32Array;
  readonly lengths: Uint16Array;
}

const oneToken: readonly number[] = [1];

/**
 * Returns the number of tokens in each of the next words, beginning with token `first`. If `first` begins a stretch of
 * characters to be joined, returns the sizes of the words in this stretch. Otherwise returns a single 1.
 */
function wordSizes(text: Uint8Array, { tokens, starts, lengths }: Arrays, first: number): readonly number[] {
  let characters = '';
  /** Number of tokens that end before each position in `characters`. */
  const counts: number[] = [];
  let end = first;
  let script = scriptAt(text, starts[first], lengths[first]);
  if (script === undefined) return oneToken;
  do {
    const character = String.fromCodePoint(codePointAt(text, starts[end]));
    for (let unit = 0; unit < character.length; unit++) counts.push(end - first);
    characters += character;
    const next = end + 1 < starts.length ? scriptAt(text, starts[end + 1], lengths[end + 1]) : undefined;
    const gap = starts[end] + lengths[end];
    end++;
    const isSameText = next !== undefined && ((tokens[end] ^ tokens[first]) & kindMask) === 0;
    if (!isSameText || !joins(text, gap, starts[end], script === 'han' && next === 'han')) {
      counts.push(end - first);
      return sizesIn(characters, counts);
    }
    script = next;
  } while (end - first < maxStretch);
  counts.push(end - first);
  // The stretch may have been cut within its last word, so leave that word for the next stretch.
  const sizes = sizesIn(characters, counts);
  return sizes.length > 1 ? sizes.slice(0, -1) : sizes;
}

/** Returns the first token, `from` or later, whose text begins like a character of a script without spaces. */
function nextOfScript(text: Uint8Array, starts: Uint32Array, lengths: Uint16Array, from: number): number {
  for (let token = from; token < starts.length; token++) {
    if (lengths[token] >= 3 && text[starts[token]] >= 0xe0) return token;
  }
  return starts.length;
}

/** Returns the number of tokens in each word of a text. */
function sizesIn(characters: string, counts: readonly number[]): number[] {
  const sizes: number[] = [];
  for (const { index, segment } of segmenter?.segment(characters) ?? []) {
    sizes.push(counts[index + segment.length] - counts[index]);
  }
  return sizes;
}

type Script = 'han' | 'other';

/** If a token is one character of a script without spaces, returns the script. Returns `undefined` for other tokens. */
function scriptAt(text: Uint8Array, start: number, length: number): Script | undefined {
  const lead = text[start];
  if (length < 3 || lead < 0xe0 || length !== (lead < 0xf0 ? 3 : 4)) return undefined;
  const code = codePointAt(text, start);
  // Chinese and Japanese, including half-width Katakana. Korean uses spaces.
  if ((code >= 0x2e80 && code < 0xa000) || (code >= 0xf900 && code < 0xfb00)) return 'han';
  if ((code >= 0xff66 && code < 0xffa0) || (code >= 0x20000 && code < 0x40000)) return 'han';
  // Thai, Lao, Burmese, and Khmer. Tibetan is excluded, because it marks the ends of syllables.
  if ((code >= 0x0e00 && code < 0x0f00) || (code >= 0x1000 && code < 0x10a0)) return 'other';
  return code >= 0x1780 && code < 0x1800 ? 'other' : undefined;
}

/** Returns the code point of the character at `start`. Precondition: it is valid UTF-8, which the lexer has checked. */
function codePointAt(text: Uint8Array, start: number): number {
  const [a, b, c, d] = [text[start], text[start + 1], text[start + 2], text[start + 3]];
  return a < 0xf0
    ? ((a & 15) << 12) | ((b & 63) << 6) | (c & 63)
    : ((a & 7) << 18) | ((b & 63) << 12) | ((c & 63) << 6) | (d & 63);
}

/**
 * Returns true if a word may continue after the bytes [from, to). They must be empty or marks of emphasis; in Chinese
 * and Japanese, they may also be a line break.
 */
function joins(text: Uint8Array, from: number, to: number, overLineEnd: boolean): boolean {
  let lineEnds = 0;
  for (let at = from; at < to; at++) {
    const byte = text[at];
    if (byte === 10 || (byte === 13 && text[at + 1] !== 10)) lineEnds++;
    // Skip CR and the marks of emphasis and code: * _ `
    else if (byte !== 13 && byte !== 42 && byte !== 95 && byte !== 96) {
      // After a line break, allow spaces, tabs, and the quote mark > at the start of the line.
      if (lineEnds === 0 || (byte !== 32 && byte !== 9 && byte !== 62)) return false;
    }
  }
  return lineEnds === 0 || (overLineEnd && lineEnds === 1);
}

/** Joins the tokens [from, to) into one token. Combines their hashes, and takes the kind of the first one. */
function wordOf(tokens: Uint32Array, from: number, to: number): number {
  let hash = 0;
  for (let token = from; token < to; token++) {
    hash = Math.imul(hash ^ (tokens[token] >>> kindBits), 0x9e37_79b1);
    hash ^= hash >>> 15;
  }
  return (((hash >>> kindBits) << kindBits) | (tokens[from] & kindMask)) >>> 0;
}
