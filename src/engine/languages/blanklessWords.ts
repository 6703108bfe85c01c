/**
 * Words of scripts that are written without blanks: Chinese, Japanese, Thai, Lao, Khmer, Burmese. The kernel hands out
 * their characters one by one; here those that stand side by side become words, as Unicode's segmentation says (UAX #29,
 * with the dictionaries of ICU). Other text is not looked at. Where there is no `Intl.Segmenter`, characters stay.
 */
import type { Kernel } from '../kernel.ts';
import { kindBits, kindMask, lexedLineBytes, lexedTokenAt } from '../../kernel/lex/lexedLayout.ts';

/** What the lexer wrote: addresses in the kernel's memory, and counts. */
export interface LexedArrays {
  readonly tokens: number;
  readonly starts: number;
  readonly lengths: number;
  readonly lines: number;
  readonly tokenCount: number;
  readonly lineCount: number;
}

/** What is left of each: words take less room than characters. */
export interface Counts {
  readonly tokenCount: number;
  readonly lineCount: number;
}

/** Made for the first text that needs it: it takes ICU some milliseconds, and most trees have no such text. */
let segmenter: Intl.Segmenter | undefined;

function newSegmenter(): Intl.Segmenter | undefined {
  // The language must not be that of the machine; these scripts are cut alike in all of them.
  return typeof Intl.Segmenter === 'function' ? new Intl.Segmenter('en', { granularity: 'word' }) : undefined;
}

/** Words of the record of a line, and which of them is the first token. */
const lineWords = lexedLineBytes >>> 2;
const tokenWord = lexedTokenAt >>> 2;

/** ICU takes the square of the length: 560,000 characters without a mark took it 402 s, in stretches of 28 0.4 s. */
const maxStretch = 256;

/** Joins characters to words in the arrays, in place. `text` is what was lexed. */
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
    for (const size of wordSizes(text, { tokens, starts, lengths }, token)) {
      // The line of a token is the last one that begins at or before it; of others all tokens went into words before.
      const before = line;
      while (line < lineCount && lines[lineWords * line + tokenWord] <= token) line++;
      if (line > before) {
        lines.copyWithin(lineWords * writtenLines, lineWords * (line - 1), lineWords * line);
        lines[lineWords * writtenLines + tokenWord] = written;
        writtenLines++;
      }
      // A word that goes on in the next line ends, for those who mark it, with its own.
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
  }
  return { tokenCount: written, lineCount: writtenLines };
}

interface Arrays {
  readonly tokens: Uint32Array;
  readonly starts: Uint32Array;
  readonly lengths: Uint16Array;
}

const oneToken: readonly number[] = [1];

/** How many tokens each word has, from `first` on: of the stretch of characters that begins there, or of one token. */
function wordSizes(text: Uint8Array, { tokens, starts, lengths }: Arrays, first: number): readonly number[] {
  let characters = '';
  /** Tokens up to each place of `characters`, and what script the last one is of. */
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
      return sizesIn(characters, counts, false);
    }
    script = next;
  } while (end - first < maxStretch);
  counts.push(end - first);
  return sizesIn(characters, counts, true);
}

/** The sizes of the words in a stretch, in tokens; without the last one when the stretch is cut off there. */
function sizesIn(characters: string, counts: readonly number[], isCut: boolean): number[] {
  const sizes: number[] = [];
  for (const { index, segment } of segmenter?.segment(characters) ?? []) {
    sizes.push(counts[index + segment.length] - counts[index]);
  }
  return isCut && sizes.length > 1 ? sizes.slice(0, -1) : sizes;
}

type Script = 'han' | 'other';

/** The script of a token that is one character of a script without blanks; undefined for any other token. */
function scriptAt(text: Uint8Array, start: number, length: number): Script | undefined {
  const lead = text[start];
  if (length < 3 || lead < 0xe0 || length !== (lead < 0xf0 ? 3 : 4)) return undefined;
  const code = codePointAt(text, start);
  // Chinese and Japanese, with full-width Katakana; Hangul has blanks.
  if ((code >= 0x2e80 && code < 0xa000) || (code >= 0xf900 && code < 0xfb00)) return 'han';
  if ((code >= 0xff66 && code < 0xffa0) || (code >= 0x20000 && code < 0x40000)) return 'han';
  // Thai and Lao, Burmese, Khmer. Tibetan has marks between syllables.
  if ((code >= 0x0e00 && code < 0x0f00) || (code >= 0x1000 && code < 0x10a0)) return 'other';
  return code >= 0x1780 && code < 0x1800 ? 'other' : undefined;
}

/** The character at `start`, which the lexer has found to be whole. */
function codePointAt(text: Uint8Array, start: number): number {
  const [a, b, c, d] = [text[start], text[start + 1], text[start + 2], text[start + 3]];
  return a < 0xf0
    ? ((a & 15) << 12) | ((b & 63) << 6) | (c & 63)
    : ((a & 7) << 18) | ((b & 63) << 12) | ((c & 63) << 6) | (d & 63);
}

/** Whether a word may go on over the bytes [from, to): nothing, emphasis, or, in Chinese and Japanese, a line end. */
function joins(text: Uint8Array, from: number, to: number, overLineEnd: boolean): boolean {
  let lineEnds = 0;
  for (let at = from; at < to; at++) {
    const byte = text[at];
    if (byte === 10 || (byte === 13 && text[at + 1] !== 10)) lineEnds++;
    // * _ `
    else if (byte !== 13 && byte !== 42 && byte !== 95 && byte !== 96) {
      // Blanks, and the mark of quoting, at the start of a line.
      if (lineEnds === 0 || (byte !== 32 && byte !== 9 && byte !== 62)) return false;
    }
  }
  return lineEnds === 0 || (overLineEnd && lineEnds === 1);
}

/** The token of the word made of tokens [from, to): their hashes in one, with the kind of the first. */
function wordOf(tokens: Uint32Array, from: number, to: number): number {
  let hash = 0;
  for (let token = from; token < to; token++) {
    hash = Math.imul(hash ^ (tokens[token] >>> kindBits), 0x9e37_79b1);
    hash ^= hash >>> 15;
  }
  return (((hash >>> kindBits) << kindBits) | (tokens[from] & kindMask)) >>> 0;
}
