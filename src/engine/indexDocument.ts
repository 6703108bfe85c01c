/**
 * Bytes in, an indexed document out: tokens, lines, windows and their fingerprints in the kernel's memory. What is
 * computed for a document depends on its bytes, its lexicon and the options alone, so any thread may do it.
 */
import { joinBlanklessWords, type LexedArrays } from './blanklessWords.ts';
import { segments } from './embedded.ts';
import { sketchBytes } from './fileSketch.ts';
import { commentFamily, familyOf } from './family.ts';
import type { Kernel } from './kernel.ts';
import { compileLexicon, type Lexicon } from './lexicon.ts';
import type { Options } from './options.ts';
import { tuning } from './tuning.ts';
import { kindBits, tokenKinds } from './tokenKind.ts';

/**
 * Where a document's arrays are in the kernel's memory (addresses) and how many elements they have. Plain numbers, so
 * that threads can pass it on.
 *
 *   tokens   u32 × tokenCount       starts  u32 × tokenCount (byte offsets)     lengths  u16 × tokenCount (bytes)
 *   lines    { first token, line, byte offset of the line } × lineCount, u32 each, for lines on which a token starts
 *   windows  u32 every `windowStride` bytes × windowCount: the first token of each window
 *   written, renamed                u64 × windowCount: fingerprints of the two views, 0 where a window does not seed
 *   sketch                          the sketch of the whole document (fileSketch.ts): `sketchBytes(sketchSample)` bytes
 *   unitless                        a bit for each byte of the text, the lowest first: 1 where it adds no UTF-16 unit
 */
export interface DocumentIndex {
  /** Bytes of the text. */
  readonly sizeBytes: number;
  readonly tokens: number;
  readonly tokenCount: number;
  readonly starts: number;
  readonly lengths: number;
  readonly lines: number;
  readonly lineCount: number;
  /** Lines of the text, with or without tokens. */
  readonly totalLines: number;
  /** The column after the last character of the last line, from 1, in UTF-16 units. */
  readonly endColumn: number;
  /** 0 when the text is ASCII, each byte of which is a unit. */
  readonly unitless: number;
  readonly prose: boolean;
  /** A number for the document's language: rarity is counted by language. 0 to 255. */
  readonly family: number;
  readonly windows: number;
  readonly windowStride: number;
  readonly windowCount: number;
  readonly written: number;
  /** 0 when the renamed view is off. */
  readonly renamed: number;
  /** 0 when the document is too short to be compared as a whole. */
  readonly sketch: number;
  /** Hashes in the sample of the sketch. */
  readonly sketchSample: number;
  /** The words of its comments as a document of prose, with the same text; undefined when none are read. */
  readonly comments: DocumentIndex | undefined;
}

/** What of a `DocumentIndex` does not depend on where it lies: with it and the bytes of its arrays it is made again. */
export interface DocumentShape extends Pick<
  DocumentIndex,
  | 'sizeBytes'
  | 'tokenCount'
  | 'lineCount'
  | 'totalLines'
  | 'endColumn'
  | 'prose'
  | 'family'
  | 'windowCount'
  | 'sketchSample'
> {
  readonly isAscii: boolean;
  readonly hasRenamed: boolean;
  readonly hasSketch: boolean;
  readonly comments: DocumentShape | undefined;
}

const lineBytes = 12;
/** Bytes that lexing needs for each byte of source at most: token, start, length, line record. */
const lexBytesPerByte = 4 + 4 + 2 + lineBytes;

/** Tokens, of which fingerprints are made. */
interface Tokens extends LexedArrays {
  readonly prose: boolean;
  /** Whether copies with other names are looked for. */
  readonly renames: boolean;
}

/** What the lexer wrote, of the code or prose of a text or of its comments. */
interface Lexed extends Tokens {
  readonly text: Uint8Array;
  readonly totalLines: number;
  readonly endColumn: number;
  readonly isAscii: boolean;
  readonly family: number;
}

/** Addresses of the fingerprints of a text and of where its windows begin; they last until the next text is indexed. */
interface Fingerprints {
  readonly written: number;
  /** 0 without the renamed view. */
  readonly renamed: number;
  readonly windows: number;
  readonly windowCount: number;
}

/** Memory that grows with what it has to hold. */
interface Work {
  address: number;
  room: number;
}

/** One thread's indexer: its scratch memory and compiled lexicons. */
export class DocumentIndexer {
  readonly #kernel: Kernel;
  #options: Options;
  readonly #take: (size: number) => number;
  readonly #rows: number;
  readonly #weights: number;
  readonly #result: number;
  /** What the kernel keeps of the text of the comments: openComments in src/kernel/lexState.ts. */
  readonly #comments: number;
  readonly #lexicons = new Map<string, number>();
  /** What scratch memory that grew has left behind: documents are laid there first. */
  readonly #outgrown: { address: number; size: number }[] = [];
  #source = 0;
  #sourceRoom = 0;
  #scratch = 0;
  #scratchRoom = 0;

  /** @param take  gives memory for a document's arrays: so many bytes, aligned to 16; without, it is never given back */
  constructor(kernel: Kernel, options: Options, take?: (size: number) => number) {
    this.#kernel = kernel;
    this.#take = take ?? ((size) => this.#takeOutgrown(size) ?? kernel.allocate(size));
    this.#options = options;
    this.#rows = kernel.allocate(256 * 16);
    kernel.exports.writeRows(this.#rows);
    this.#weights = kernel.allocate(16 * 2);
    this.turnTo(options);
    this.#result = kernel.allocate(5 * 4);
    this.#comments = kernel.allocate(8 * 4);
  }

  /** Goes on with other options. */
  turnTo(options: Options): void {
    this.#options = options;
    new Uint16Array(this.#kernel.memory.buffer, this.#weights, 16).set(weightSteps(options));
  }

  /** A view of `size` bytes to put the next document's text into. Valid until the next call. */
  reserve(size: number): Uint8Array {
    if (size + 16 > this.#sourceRoom) {
      this.#leave(this.#source, this.#sourceRoom);
      this.#sourceRoom = Math.max(2 * size, 1 << 18);
      this.#source = this.#kernel.allocate(this.#sourceRoom);
    }
    return this.#kernel.bytes.subarray(this.#source, this.#source + size);
  }

  /** Indexes a text that lies in `reserve`d memory. */
  index(text: Uint8Array, lexicon: Lexicon): DocumentIndex {
    const kernel = this.#kernel;
    const size = text.byteLength;
    const source = text.byteOffset;
    const { prose, readComments } = this.#options;
    const splits = prose.enabled && readComments === 'asText' && !lexicon.prose;
    const room = size + 64;
    const roomBytes = (splits ? 2 : 1) * room * lexBytesPerByte;
    if (roomBytes > this.#scratchRoom) {
      this.#leave(this.#scratch, this.#scratchRoom);
      this.#scratchRoom = roomBytes + (roomBytes >>> 1);
      this.#scratch = kernel.allocate(this.#scratchRoom);
    }
    const code = lexRoom(this.#scratch, room);
    const comments = lexRoom(this.#scratch + room * lexBytesPerByte, room);
    const { tokens, starts, lengths, lines } = code;
    const commentWords = kernel.words.subarray(this.#comments >>> 2, (this.#comments >>> 2) + 8);
    commentWords.set([comments.tokens, comments.starts, comments.lengths, comments.lines, 0, 0, 0, 0]);
    const result = kernel.words.subarray(this.#result >>> 2, (this.#result >>> 2) + 5);
    result.fill(0);
    const parts = segments(text, lexicon);
    for (const part of parts) {
      if (result[0] > 0) this.#separate(tokens, starts, lengths, result, part.start);
      kernel.exports.lex(
        source,
        size,
        this.#lexicon(part.lexicon),
        tokens,
        starts,
        lengths,
        lines,
        this.#result,
        result[0],
        part.start,
        part.end,
        splits ? this.#comments : 0,
      );
    }
    const [codeTokens = 0, codeLines = 0, lineEnds = 0, lastLineStart = 0, flags = 0] = result;
    const [, , , , commentTokens = 0, commentLines = 0] = commentWords;
    const inCode = { ...code, tokenCount: codeTokens, lineCount: codeLines };
    const inComments = { ...comments, tokenCount: commentTokens, lineCount: commentLines };
    const words = (lexed: LexedArrays): LexedArrays =>
      (flags & 2) === 0 ? lexed : { ...lexed, ...joinBlanklessWords(kernel, text, lexed) };
    if (lexicon.data) makeContent(kernel, inCode);
    // A last line without an end is a line too.
    const totalLines = lineEnds + (lastLineStart < size ? 1 : 0);
    const endColumn = 1 + lastLineUnits(text);
    const isAscii = (flags & 1) === 0;
    const family = familyOf(lexicon.id);
    const renames = this.#renames(lexicon);
    return this.#store(
      { ...words(inCode), text, totalLines, endColumn, isAscii, prose: lexicon.prose, family, renames },
      commentTokens > 0
        ? {
            ...words(inComments),
            text,
            totalLines,
            endColumn,
            isAscii,
            prose: true,
            family: commentFamily,
            renames: false,
          }
        : undefined,
    );
  }

  /**
   * The document that an indexer of these options would have made of the same tokens, in memory of its own. Only of options
   * that lead to the same tokens.
   *
   * @param index  as it was, which stays
   */
  remake(index: DocumentIndex, lexicon: Lexicon): DocumentIndex {
    const { comments } = index;
    return this.#place(
      { ...shapeOf(index), comments: undefined },
      { ...index, renames: this.#renames(lexicon) },
      comments && { shape: shapeOf(comments), lexed: { ...comments, renames: false } },
      (unitless) => {
        const size = bitBytes(index);
        this.#kernel.bytes.copyWithin(unitless, index.unitless, index.unitless + size);
      },
    );
  }

  #renames(lexicon: Lexicon): boolean {
    return this.#options.renamed && lexicon.data !== true;
  }

  // Between two parts of a document stands a token that equals nothing, so that no match runs from one into the other.
  #separate(tokens: number, starts: number, lengths: number, result: Uint32Array, offset: number): void {
    const at = result[0]++;
    const words = this.#kernel.words;
    words[(tokens >>> 2) + at] = 0xffff_ffff;
    words[(starts >>> 2) + at] = offset;
    new Uint16Array(this.#kernel.memory.buffer, lengths, at + 1)[at] = 0;
  }

  // From the scratch memory, sized for the worst case, to memory of just the size needed.
  #store(lexed: Lexed, comments: Lexed | undefined): DocumentIndex {
    return this.#place(
      shapeOfLexed(lexed),
      lexed,
      comments && { shape: shapeOfLexed(comments), lexed: comments },
      (unitless) => {
        const bits = this.#kernel.bytes.subarray(unitless, unitless + bitBytes({ sizeBytes: lexed.text.length }));
        markUnitless(lexed.text, bits);
      },
    );
  }

  /**
   * Makes fingerprints and a sketch of what is lexed, and puts all into memory.
   *
   * @param shape  but for what depends on the fingerprints and the sketch
   * @param mark   writes the bits of what adds no unit to an address
   */
  #place(
    shape: DocumentShape,
    lexed: Tokens,
    comments: { readonly shape: DocumentShape; readonly lexed: Tokens } | undefined,
    mark: (unitless: number) => void,
  ): DocumentIndex {
    const bytes = (): Uint8Array => this.#kernel.bytes;
    const found = this.#fingerprints(lexed, this.#work);
    const sketch = this.#sketch(lexed.tokens, lexed.tokenCount, lexed.prose);
    const foundInComments = comments && this.#fingerprints(comments.lexed, this.#workOfComments);
    const whole: DocumentShape = {
      ...withFingerprints(shape, found),
      hasSketch: sketch !== undefined,
      sketchSample: sketch?.sampleCount ?? 0,
      comments: comments && foundInComments && withFingerprints(comments.shape, foundInComments),
    };
    const index = placeDocument(whole, this.#take(documentBytes(whole)));
    fill(bytes(), index, lexed, found);
    if (index.comments && comments && foundInComments) fill(bytes(), index.comments, comments.lexed, foundInComments);
    if (sketch) bytes().copyWithin(index.sketch, sketch.address, sketch.address + sketchBytes(sketch.sampleCount));
    if (!whole.isAscii) mark(index.unitless);
    return index;
  }

  // The sketch of a document that is long enough to be compared as a whole, in scratch memory.
  #sketch(tokens: number, tokenCount: number, prose: boolean): { address: number; sampleCount: number } | undefined {
    const { prose: ofProse, minTokens, shingleSize } = this.#options;
    const size = prose ? ofProse.shingleSize : shingleSize;
    if (tokenCount < Math.max(size, prose ? ofProse.minWords : minTokens)) return undefined;
    const { bins, modulus } = tuning.files;
    const scratchBytes = align8(Math.max(10 * tokenCount, 4 * bins));
    const needed = scratchBytes + sketchBytes(tokenCount);
    if (needed > this.#sketchRoom) {
      this.#leave(this.#sketchScratch, this.#sketchRoom);
      this.#sketchRoom = 2 * needed;
      this.#sketchScratch = this.#kernel.allocate(this.#sketchRoom);
    }
    const address = this.#sketchScratch + scratchBytes;
    const sampleCount = this.#kernel.exports.sketch(
      ...[tokens, tokenCount, size, this.#weights, this.#rows, this.#sketchScratch, bins, modulus, address],
    );
    return { address, sampleCount };
  }
  #sketchScratch = 0;
  #sketchRoom = 0;

  #fingerprints({ tokens, tokenCount, lines, lineCount, prose, renames }: Tokens, work: Work): Fingerprints {
    const kernel = this.#kernel;
    const options = this.#options;
    // Behind the lexed arrays: shingle hashes and weights (10 bytes a token), windows of prose, fingerprints.
    const fingerprintRoom = 8 * Math.max(lineCount, prose ? tokenCount : 0);
    const needed = align8(tokenCount * 10) + align8(tokenCount * 4) + 2 * fingerprintRoom + 64;
    if (needed > work.room) {
      this.#leave(work.address, work.room);
      work.room = 2 * needed;
      work.address = kernel.allocate(work.room);
    }
    const windowsOfProse = work.address + align8(tokenCount * 10);
    const written = windowsOfProse + align8(tokenCount * 4);
    const renamed = written + fingerprintRoom;
    if (prose) {
      const { windowWords, anchorModulus } = tuning.prose;
      const count = kernel.exports.anchors(tokens, tokenCount, windowWords, anchorModulus, windowsOfProse);
      kernel.exports.fingerprint(
        ...[tokens, tokenCount, windowsOfProse, 4, count, windowWords, options.prose.shingleSize, 0, windowWords, 0],
        ...[this.#weights, this.#rows, work.address, written],
      );
      return { written, renamed: 0, windowCount: count, windows: windowsOfProse };
    }
    const view = (
      renaming: number,
      window: { tokens: number; leastTokens: number; leastDistinct: number },
      out: number,
    ): void => {
      kernel.exports.fingerprint(
        ...[tokens, tokenCount, lines, lineBytes, lineCount, window.tokens, options.shingleSize, renaming],
        ...[window.leastTokens, window.leastDistinct, this.#weights, this.#rows, work.address, out],
      );
      kernel.exports.dropRepeating(out, lineCount, work.address);
    };
    view(0, tuning.written, written);
    if (renames) view(1, tuning.renamed, renamed);
    return { written, renamed: renames ? renamed : 0, windowCount: lineCount, windows: lines };
  }
  readonly #work: Work = { address: 0, room: 0 };
  readonly #workOfComments: Work = { address: 0, room: 0 };

  #leave(address: number, size: number): void {
    if (size > 0) this.#outgrown.push({ address, size: align16(size) });
  }

  #takeOutgrown(size: number): number | undefined {
    const place = this.#outgrown.find((left) => left.size >= size);
    if (place === undefined) return undefined;
    const { address } = place;
    place.address += align16(size);
    place.size -= align16(size);
    return address;
  }

  #lexicon(lexicon: Lexicon): number {
    const known = this.#lexicons.get(lexicon.id);
    if (known !== undefined) return known;
    const compiled = compileLexicon(lexicon, { imports: false });
    const address = this.#kernel.allocate(compiled.length);
    this.#kernel.bytes.set(compiled, address);
    this.#lexicons.set(lexicon.id, address);
    return address;
  }
}

/** Makes words of what would be names in code, for data: in it a copy has the same values, or is none. */
function makeContent({ words }: Kernel, { tokens, tokenCount }: LexedArrays): void {
  for (let at = tokens >>> 2; at < (tokens >>> 2) + tokenCount; at++) {
    if (nameKinds.has(words[at] & kindMask)) words[at] = ((words[at] & ~kindMask) | wordKind) >>> 0;
  }
}

const kindMask = (1 << kindBits) - 1;
const wordKind = tokenKinds.indexOf('word');
/** Kinds of tokens that a renaming may change: isName in src/kernel/fingerprint.ts. */
const nameKinds: ReadonlySet<number> = new Set(
  (['identifier', 'call', 'number', 'string'] as const).map((kind) => tokenKinds.indexOf(kind)),
);

/** Arrays of the lexer for a text of so many bytes, from an address on. */
function lexRoom(tokens: number, room: number): Omit<LexedArrays, 'tokenCount' | 'lineCount'> {
  const starts = tokens + room * 4;
  const lines = starts + room * 4;
  return { tokens, starts, lines, lengths: lines + room * lineBytes };
}

/** But for fingerprints, sketch and comments. */
function shapeOfLexed(lexed: Lexed): DocumentShape {
  const { text, tokenCount, lineCount, totalLines, endColumn, isAscii, prose, family } = lexed;
  return {
    sizeBytes: text.byteLength,
    tokenCount,
    lineCount,
    totalLines,
    endColumn,
    prose,
    family,
    isAscii,
    windowCount: 0,
    hasRenamed: false,
    hasSketch: false,
    sketchSample: 0,
    comments: undefined,
  };
}

function withFingerprints(shape: DocumentShape, { windowCount, renamed }: Fingerprints): DocumentShape {
  return { ...shape, windowCount, hasRenamed: renamed !== 0 };
}

/** Copies what was found of a text to its arrays. */
function fill(bytes: Uint8Array, index: DocumentIndex, lexed: LexedArrays, found: Fingerprints): void {
  const { tokenCount, lineCount, windowCount, prose, renamed } = index;
  bytes.copyWithin(index.tokens, lexed.tokens, lexed.tokens + tokenCount * 4);
  bytes.copyWithin(index.starts, lexed.starts, lexed.starts + tokenCount * 4);
  bytes.copyWithin(index.lengths, lexed.lengths, lexed.lengths + tokenCount * 2);
  bytes.copyWithin(index.lines, lexed.lines, lexed.lines + lineCount * lineBytes);
  bytes.copyWithin(index.written, found.written, found.written + windowCount * 8);
  if (renamed !== 0) bytes.copyWithin(renamed, found.renamed, found.renamed + windowCount * 8);
  if (prose) bytes.copyWithin(index.windows, found.windows, found.windows + windowCount * 4);
}

/** The bytes of all arrays of a document, which lie one behind the other, those of its comments last: a multiple of 8. */
export function documentBytes(shape: DocumentShape): number {
  return sizeOf(arraySizes(shape)) + (shape.comments ? sizeOf(arraySizes(commentArrays(shape.comments))) : 0);
}

/** The document whose arrays lie at an address, `documentBytes` of them. */
export function placeDocument(shape: DocumentShape, address: number): DocumentIndex {
  const { isAscii, hasRenamed, hasSketch, prose, comments } = shape;
  let end = address;
  const [tokens, starts, lengths, lines, written, renamed, windows, sketch, unitless] = arraySizes(shape).map(
    (size) => {
      const start = end;
      end += align8(size);
      return start;
    },
  ) as Addresses;
  const units = isAscii ? 0 : unitless;
  return {
    sizeBytes: shape.sizeBytes,
    tokens,
    tokenCount: shape.tokenCount,
    starts,
    lengths,
    lines,
    lineCount: shape.lineCount,
    totalLines: shape.totalLines,
    endColumn: shape.endColumn,
    prose,
    family: shape.family,
    windowCount: shape.windowCount,
    sketchSample: shape.sketchSample,
    written,
    renamed: hasRenamed ? renamed : 0,
    // Windows of code begin with the lines; those of prose are an array of their own.
    windows: prose ? windows : lines,
    windowStride: prose ? 4 : lineBytes,
    sketch: hasSketch ? sketch : 0,
    unitless: units,
    comments: comments && { ...placeDocument(commentArrays(comments), end), unitless: units },
  };
}

/** The shape of a document; its arrays are at `tokens`. */
export function shapeOf(index: DocumentIndex): DocumentShape {
  const {
    sizeBytes,
    tokenCount,
    lineCount,
    totalLines,
    endColumn,
    prose,
    family,
    windowCount,
    sketchSample,
    comments,
  } = index;
  return {
    sizeBytes,
    tokenCount,
    lineCount,
    totalLines,
    endColumn,
    prose,
    family,
    windowCount,
    sketchSample,
    isAscii: index.unitless === 0,
    hasRenamed: index.renamed !== 0,
    hasSketch: index.sketch !== 0,
    comments: comments && shapeOf(comments),
  };
}

/** Comments have the text of their document, and its units. */
function commentArrays(comments: DocumentShape): DocumentShape {
  return { ...comments, isAscii: true };
}

type Addresses = [number, number, number, number, number, number, number, number, number];

/** In the order in which they lie: tokens, starts, lengths, lines, written, renamed, windows of prose, sketch, unitless. */
function arraySizes(shape: DocumentShape): Addresses {
  const { tokenCount, lineCount, windowCount, hasRenamed, prose, hasSketch, sketchSample, isAscii } = shape;
  return [
    ...([tokenCount * 4, tokenCount * 4, tokenCount * 2, lineCount * lineBytes, windowCount * 8] as const),
    hasRenamed ? windowCount * 8 : 0,
    prose ? windowCount * 4 : 0,
    hasSketch ? sketchBytes(sketchSample) : 0,
    isAscii ? 0 : bitBytes(shape),
  ];
}

function sizeOf(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + align8(size), 0);
}

function bitBytes({ sizeBytes }: Pick<DocumentShape, 'sizeBytes'>): number {
  return (sizeBytes + 7) >>> 3;
}

/** The UTF-16 units of a text's last line, which may have an end or not. */
function lastLineUnits(text: Uint8Array): number {
  const isEnd = (at: number): boolean => text[at] === 10 || text[at] === 13;
  let end = text.byteLength;
  if (end > 0 && isEnd(end - 1)) end -= text[end - 1] === 10 && text[end - 2] === 13 ? 2 : 1;
  let units = 0;
  for (let at = end - 1; at >= 0 && !isEnd(at); at--) if (!addsNoUnit(text, at)) units++;
  return units;
}

/** Sets the bits of bytes that continue a character, but for one of each that is two UTF-16 units. */
function markUnitless(text: Uint8Array, bits: Uint8Array): void {
  bits.fill(0);
  for (let i = 0; i < text.length; i++) {
    if (addsNoUnit(text, i)) bits[i >>> 3] |= 1 << (i & 7);
  }
}

/** Whether a byte continues a character, but for one of each that is two UTF-16 units. */
function addsNoUnit(text: Uint8Array, at: number): boolean {
  return (text[at] & 0xc0) === 0x80 && !(at > 0 && text[at - 1] >= 0xf0);
}

function align16(size: number): number {
  return (size + 15) & ~15;
}

function align8(size: number): number {
  return (size + 7) & ~7;
}

/** Weights as whole steps of at most 63, by code of kind: only their ratios matter, and votes are 16 bits wide. */
function weightSteps(options: Options): number[] {
  const most = Math.max(...Object.values(options.weights), Number.MIN_VALUE);
  const scale = Math.min(16, 63 / most);
  return tokenKinds.map((kind) => Math.round(options.weights[kind] * scale));
}
