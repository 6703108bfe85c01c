/** Runs the kernel's lexer over a text for tests. Returns tokens as objects with their text. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { createMemory, Kernel } from '../../src/core/engine/kernel.ts';
import { segments } from '../../src/core/engine/languages/embedded.ts';
import { moveToOrigin, type Notebook, readNotebook } from '../../src/core/engine/languages/notebook.ts';
import { lexiconForPath } from '../../src/core/engine/languages/allLexicons.ts';
import { type KeptParts, lexiconBytes } from '../../src/core/engine/languages/lexiconBytes.ts';
import type { Lexicon } from '../../src/core/engine/languages/lexicalRules.ts';
import { type LexedTokens as Room, loadLexed, storeLexed } from '../../src/core/engine/documents/lexRoom.ts';
import {
  beyondAsciiFlag,
  itemMark,
  lexedLineBytes,
  lexedLineNumberAt,
  lexedLineOffsetAt,
  lexedLineTokenAt,
  lexedTextBytes,
  lexedTextFlagsAt,
  lexedTextLengthAt,
  lexedTextLineAt,
  lexedTextSourceAt,
  markShift,
  numberMask,
} from '../../src/core/kernel/lex/lexedLayout.ts';
import { tokenKinds, type TokenKind } from '../../src/core/engine/languages/tokenKind.ts';

export interface LexedToken {
  readonly kind: TokenKind;
  /** The bytes of the token, decoded. */
  readonly text: string;
  /** Hash and kind in one number. */
  readonly word: number;
  readonly start: number;
  /** Saturated at 65,535. */
  readonly length: number;
}

export interface LineRecord {
  readonly firstToken: number;
  readonly line: number;
  readonly lineStart: number;
}

export interface LexingResult {
  readonly tokens: readonly LexedToken[];
  readonly lines: readonly LineRecord[];
  /** Numbers of the lines of prose that begin a list item, a row of a table, or a comment. */
  readonly itemLines: readonly number[];
  readonly lineEnds: number;
  readonly nonAscii: boolean;
}

/** Folder of fixtures: for each language a text with its difficult cases, and its tokens in NAME.tokens. */
export const fixtureFolder = path.resolve('test/fixtures/lex');

/** Returns the names of the texts, without their token files. */
export function fixtureNames(): string[] {
  return readdirSync(fixtureFolder).filter((name) => !name.endsWith('.tokens'));
}

/** Marks of the kinds. Identifiers, operators, and punctuation have none, because they are obvious. */
const marks = {
  punctuation: '',
  operator: '',
  identifier: '',
  keyword: 'k:',
  call: 'c:',
  number: 'n:',
  string: 's:',
  word: 'w:',
  heading: 'h:',
  comment: '#:',
} as const;

/** Returns tokens as one line, each with the mark of its kind. */
export function writtenTokens(tokens: readonly LexedToken[]): string {
  return tokens.map(({ kind, text }) => `${marks[kind]}${text}`).join(' ⏐ ');
}

const kernel = new Kernel(createMemory());
let capacity = 0;
let source = 0;
let lexiconAddress = 0;
let scratch = 0;
/** Addresses of the records of the kernel: the text, the arrays of its code, and those of its comments. */
let text = 0;
let codeRecord = 0;
let commentsRecord = 0;
/** Arrays of the code, and those of the comments. */
let code = noLexed();
let comments = noLexed();
/** Number of guard bytes around each array. They must not change. */
const guardBytes = 64;
const guard = 0xa5;
/** Number of bytes of a token, its start, its length, and a line record. */
const itemBytes = [4, 4, 2, lexedLineBytes];

function noLexed(): Room {
  return { room: { tokens: 0, starts: 0, lengths: 0, lines: 0 }, tokenCount: 0, lineCount: 0, ofLanguages: new Map() };
}

function reserve(length: number): void {
  if (length + 1 <= capacity) return;
  capacity = 2 * length + 1024;
  const guarded = (size: number): number => kernel.allocate(size + 2 * guardBytes) + guardBytes;
  source = guarded(capacity);
  lexiconAddress = guarded(65_536);
  scratch = guarded(kernel.exports.lexScratchBytes());
  [text, codeRecord, commentsRecord] = [guarded(64), guarded(64), guarded(64)];
  [code, comments] = [noLexed(), noLexed()].map((lexed) => {
    const [tokens, starts, lengths, lines] = itemBytes.map((size) => guarded(size * capacity));
    return { ...lexed, room: { tokens, starts, lengths, lines } };
  });
}

/** A segment of the text and its lexicon. */
interface Part {
  readonly start: number;
  readonly end: number;
  readonly lexicon: Lexicon;
}

/**
 * Lexes the given parts of `bytes`, in ascending order. Throws if the lexer writes beyond its limits: one token and one
 * line record per byte.
 */
export function lexParts(
  bytes: Uint8Array,
  parts: readonly Part[],
  kept: KeptParts = { imports: false },
): LexingResult {
  return lexWith(bytes, parts, kept, false);
}

/**
 * Like `lexParts`, with the words of comments as a separate text. Between separate comments it has a token of length
 * zero.
 */
export function splitParts(bytes: Uint8Array, parts: readonly Part[]): { code: LexingResult; comments: LexingResult } {
  const lexed = lexWith(bytes, parts, { imports: false }, true);
  return { code: lexed, comments: { ...lexed, ...contentOf(bytes, comments) } };
}

function lexWith(bytes: Uint8Array, parts: readonly Part[], kept: KeptParts, splits: boolean): LexingResult {
  reserve(bytes.length);
  const memory = kernel.bytes;
  // The surrounding memory must not matter.
  memory.fill(guard, source - guardBytes, source + bytes.length + guardBytes);
  memory.set(bytes, source);
  const arrays = [code, comments].flatMap(({ room: { tokens, starts, lengths, lines } }) =>
    [tokens, starts, lengths, lines].map((start, array) => [start, itemBytes[array] * bytes.length]),
  );
  for (const [start, size] of arrays) {
    memory.fill(guard, start - guardBytes, start);
    memory.fill(guard, start + size, start + size + guardBytes);
  }
  const state = kernel.words.subarray(text / 4, (text + lexedTextBytes) / 4).fill(0);
  [state[lexedTextSourceAt / 4], state[lexedTextLengthAt / 4]] = [source, bytes.length];
  for (const lexed of [code, comments]) [lexed.tokenCount, lexed.lineCount] = [0, 0];
  storeLexed(kernel, codeRecord, code);
  storeLexed(kernel, commentsRecord, comments);
  const commentsAt = splits ? commentsRecord : 0;
  for (const { start, end, lexicon } of parts) {
    memory.set(lexiconBytes(lexicon, kept), lexiconAddress);
    kernel.exports.lex(scratch, text, start, end, lexiconAddress, codeRecord, commentsAt);
  }
  loadLexed(kernel, codeRecord, code);
  loadLexed(kernel, commentsRecord, comments);
  for (const [start, size] of arrays) {
    const around = [
      ...memory.subarray(start - guardBytes, start),
      ...memory.subarray(start + size, start + size + guardBytes),
    ];
    if (around.some((byte) => byte !== guard)) throw new Error('The lexer wrote beyond its arrays.');
  }
  return {
    ...contentOf(bytes, code),
    itemLines: Array.from({ length: code.lineCount }, (_, i) => kernel.words[lineAt(code, i) + lexedLineNumberAt / 4])
      .filter((number) => number >>> markShift === itemMark)
      .map((number) => number & numberMask),
    lineEnds: state[lexedTextLineAt / 4],
    nonAscii: (state[lexedTextFlagsAt / 4] & beyondAsciiFlag) !== 0,
  };
}

/** Returns the index of a line record among the words of the memory. */
function lineAt({ room }: Room, line: number): number {
  return (room.lines + lexedLineBytes * line) / 4;
}

/** Returns the contents of the arrays of a text. */
function contentOf(bytes: Uint8Array, lexed: Room): Pick<LexingResult, 'tokens' | 'lines'> {
  const { room, tokenCount, lineCount } = lexed;
  const view = new DataView(kernel.bytes.buffer);
  const decoder = new TextDecoder();
  const word = (address: number): number => view.getUint32(address, true);
  return {
    tokens: Array.from({ length: tokenCount }, (_, index) => {
      const start = word(room.starts + 4 * index);
      const length = view.getUint16(room.lengths + 2 * index, true);
      const token = word(room.tokens + 4 * index);
      const text = decoder.decode(bytes.slice(start, start + length));
      return { kind: tokenKinds[token & 15], text, word: token, start, length };
    }),
    lines: Array.from({ length: lineCount }, (_, line) => {
      const at = lineAt(lexed, line);
      return {
        firstToken: kernel.words[at + lexedLineTokenAt / 4],
        line: kernel.words[at + lexedLineNumberAt / 4] & numberMask,
        lineStart: kernel.words[at + lexedLineOffsetAt / 4],
      };
    }),
  };
}

/** Lexes a text as a file of this name, including embedded languages. */
export function lexFile(name: string, text: string | Uint8Array, kept?: KeptParts): LexingResult {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const lexicon = lexiconForPath(name);
  const notebook = lexicon.id === 'jupyter' ? readNotebook(bytes) : undefined;
  return notebook ? lexNotebook(bytes, notebook, kept) : lexParts(bytes, segments(bytes, lexicon), kept);
}

/** Returns the tokens of all cells with their positions in the file. */
function lexNotebook(file: Uint8Array, { text, segments, origin }: Notebook, kept?: KeptParts): LexingResult {
  const lexed = lexParts(text, segments, kept);
  const starts = Uint32Array.from(lexed.tokens, ({ start }) => start);
  const lengths = Uint16Array.from(lexed.tokens, ({ length }) => length);
  const records = lexed.lines.flatMap(({ firstToken, line, lineStart }) => [firstToken, line, lineStart]);
  const lines = Uint32Array.from(records);
  moveToOrigin(file, origin, { starts, lengths, lines });
  const decoder = new TextDecoder();
  return {
    ...lexed,
    tokens: lexed.tokens.map((token, i) => ({
      ...token,
      start: starts[i],
      length: lengths[i],
      text: decoder.decode(file.subarray(starts[i], starts[i] + lengths[i])),
    })),
    lines: lexed.lines.map((_, i) => ({
      firstToken: lines[3 * i],
      line: lines[3 * i + 1],
      lineStart: lines[3 * i + 2],
    })),
  };
}
