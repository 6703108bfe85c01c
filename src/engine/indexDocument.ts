/**
 * Bytes in, an indexed document out: tokens, lines, windows and their fingerprints in the kernel's memory. What is
 * computed for a document depends on its bytes, its lexicon and the options alone, so any thread may do it.
 */
import { joinBlanklessWords, type LexedArrays } from './blanklessWords.ts';
import {
  align8,
  documentBytes,
  type DocumentIndex,
  lineBytes,
  placeDocument,
  type ShapeInMaking,
  shapeOf,
  unitlessBytes,
} from './documents.ts';
import { segments } from './embedded.ts';
import { sketchBytes } from './fileSketch.ts';
import { commentFamily, familyOf } from './family.ts';
import type { Kernel } from './kernel.ts';
import { compileLexicon, type Lexicon } from './lexicon.ts';
import type { Options } from './options.ts';
import { lastLineUnits, markUnitless } from './textUnits.ts';
import { tuning } from './tuning.ts';
import { kindBits, tokenKinds } from './tokenKind.ts';

/** Bytes of a line's record as the lexer writes it: with the offset of the line, which goes to the places of tokens. */
const lexedLineBytes = 12;
/** Bytes that lexing needs for each byte of source at most: token, start, length, line record. */
const lexBytesPerByte = 4 + 4 + 2 + lexedLineBytes;

/** Tokens of a text or of its comments: addresses of arrays that are as those of documents. */
interface Tokens {
  readonly tokens: number;
  readonly places: number;
  readonly lines: number;
  readonly shape: ShapeInMaking;
}

/** What the lexer tells of a text. */
interface OfText {
  readonly text: Uint8Array;
  readonly totalLines: number;
  readonly isAscii: boolean;
  /** Whether there is some of scripts without blanks in it. */
  readonly hasBlankless: boolean;
}

/** Addresses of the fingerprints of a text and of where its windows begin; they last until the next text is indexed. */
interface Fingerprints {
  readonly written: number;
  /** 0 without the renamed view. */
  readonly renamed: number;
  readonly windows: number;
}

/** Memory that grows with what it has to hold. */
interface Work {
  address: number;
  room: number;
}

const noWork: Work = { address: 0, room: 0 };

/** One thread's indexer: its scratch memory and compiled lexicons. */
export class DocumentIndexer {
  readonly #kernel: Kernel;
  #options: Options;
  readonly #memory: 'arena' | 'blocks';
  readonly #rows: number;
  readonly #weights: number;
  readonly #result: number;
  /** What the kernel keeps of the text of the comments: openComments in src/kernel/lexState.ts. */
  readonly #comments: number;
  readonly #lexicons = new Map<string, number>();
  /** What scratch memory that grew has left behind, the largest last: documents are laid there first. A few dozen places. */
  readonly #outgrown: { readonly address: number; readonly size: number }[] = [];
  readonly #source = { ...noWork };
  readonly #lexed = { ...noWork };
  readonly #sketched = { ...noWork };
  /** For the fingerprints of a text and those of its comments, which have to last until both are placed. */
  readonly #work = { ...noWork };
  readonly #workOfComments = { ...noWork };

  /** @param memory  where documents lie: for good, or in blocks that can be given back */
  constructor(kernel: Kernel, options: Options, memory: 'arena' | 'blocks' = 'arena') {
    this.#kernel = kernel;
    this.#memory = memory;
    this.#options = options;
    this.#rows = kernel.allocate(256 * 16);
    kernel.exports.writeRows(this.#rows);
    this.#weights = kernel.allocate(kindCodes * 2);
    this.turnTo(options);
    this.#result = kernel.allocate(5 * 4);
    this.#comments = kernel.allocate(8 * 4);
  }

  /** Goes on with other options. */
  turnTo(options: Options): void {
    this.#options = options;
    new Uint16Array(this.#kernel.memory.buffer, this.#weights, kindCodes).set(weightSteps(options));
  }

  /** A view of `size` bytes to put the next document's text into. Valid until the next call. */
  reserve(size: number): Uint8Array {
    const source = this.#grow(this.#source, size + 16, Math.max(2 * size, 1 << 18));
    return this.#kernel.bytes.subarray(source, source + size);
  }

  /** Indexes a text that lies in `reserve`d memory. */
  index(text: Uint8Array, lexicon: Lexicon): DocumentIndex {
    const kernel = this.#kernel;
    const size = text.byteLength;
    const source = text.byteOffset;
    const { prose, readComments } = this.#options;
    const splits = prose.enabled && readComments === 'asText' && !lexicon.prose;
    // Whole words: the arrays of the comments lie behind those of the code.
    const room = align8(size + 64);
    const roomBytes = (splits ? 2 : 1) * room * lexBytesPerByte;
    const scratch = this.#grow(this.#lexed, roomBytes, 1.5 * roomBytes);
    const code = lexRoom(scratch, room);
    const comments = lexRoom(scratch + room * lexBytesPerByte, room);
    const commentWords = kernel.words.subarray(this.#comments >>> 2, (this.#comments >>> 2) + 8);
    commentWords.set([comments.tokens, comments.starts, comments.lengths, comments.lines, 0, 0, 0, 0]);
    const result = kernel.words.subarray(this.#result >>> 2, (this.#result >>> 2) + 5);
    result.fill(0);
    for (const part of segments(text, lexicon)) {
      if (result[0] > 0) this.#separate(code, result, part.start);
      kernel.exports.lex(
        ...[source, size, this.#lexicon(part.lexicon)],
        ...[code.tokens, code.starts, code.lengths, code.lines, this.#result],
        ...[result[0], part.start, part.end, splits ? this.#comments : 0],
      );
    }
    const [codeTokens = 0, codeLines = 0, lineEnds = 0, lastLineStart = 0, flags = 0] = result;
    const [, , , , commentTokens = 0, commentLines = 0] = commentWords;
    if (lexicon.data) makeContent(kernel, code.tokens, codeTokens);
    // A last line without an end is a line too.
    const totalLines = lineEnds + (lastLineStart < size ? 1 : 0);
    const ofText: OfText = { text, totalLines, isAscii: (flags & 1) === 0, hasBlankless: (flags & 2) !== 0 };
    const tokens = this.#pack(lexedArrays(code, codeTokens, codeLines), ofText, lexicon.prose, familyOf(lexicon.id));
    const ofComments =
      commentTokens > 0
        ? this.#pack(lexedArrays(comments, commentTokens, commentLines), ofText, true, commentFamily)
        : undefined;
    return this.#place(tokens, this.#renames(lexicon), ofComments, (unitless) =>
      markUnitless(text, kernel.bytes.subarray(unitless, unitless + align8(unitlessBytes(tokens.shape)))),
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
    const size = unitlessBytes(index);
    return this.#place(tokensOf(index), this.#renames(lexicon), comments && tokensOf(comments), (unitless) =>
      copyArray(this.#kernel.bytes, unitless, index.unitless, size),
    );
  }

  #renames(lexicon: Lexicon): boolean {
    return this.#options.renamed && lexicon.data !== true;
  }

  // Between two parts of a document stands a token that equals nothing, so that no match runs from one into the other.
  #separate({ tokens, starts, lengths }: LexRoom, result: Uint32Array, offset: number): void {
    const at = result[0]++;
    const words = this.#kernel.words;
    words[(tokens >>> 2) + at] = 0xffff_ffff;
    words[(starts >>> 2) + at] = offset;
    new Uint16Array(this.#kernel.memory.buffer, lengths, at + 1)[at] = 0;
  }

  // What the lexer wrote, its places packed where there is room behind its lines.
  #pack(
    lexed: LexedArrays,
    { text, totalLines, isAscii, hasBlankless }: OfText,
    prose: boolean,
    family: number,
  ): Tokens {
    const { tokens, starts, lengths, lines } = lexed;
    const { tokenCount, lineCount } = hasBlankless ? joinBlanklessWords(this.#kernel, text, lexed) : lexed;
    const placesBytes = this.#kernel.exports.packPlaces(starts, lengths, tokenCount, lines, lineCount);
    const shape: ShapeInMaking = {
      sizeBytes: text.byteLength,
      tokenCount,
      placesBytes,
      lineCount,
      totalLines,
      endColumn: 1 + lastLineUnits(text),
      isAscii,
      prose,
      family,
      windowCount: 0,
      hasRenamed: false,
      hasSketch: false,
      sketchSample: 0,
      comments: undefined,
    };
    return { tokens, places: lines + lineCount * lexedLineBytes, lines, shape };
  }

  /**
   * Makes fingerprints and a sketch of what is lexed, and puts all into memory: from the scratch memory, sized for the worst
   * case, to memory of just the size needed.
   *
   * @param renames  whether copies with other names are looked for
   * @param mark     writes the bits of what adds no unit to an address
   */
  #place(
    code: Tokens,
    renames: boolean,
    comments: Tokens | undefined,
    mark: (unitless: number) => void,
  ): DocumentIndex {
    const bytes = (): Uint8Array => this.#kernel.bytes;
    const { shape } = code;
    const found = this.#fingerprints(code, renames, this.#work);
    const sketch = this.#sketch(code);
    shape.hasSketch = sketch !== undefined;
    shape.sketchSample = sketch?.sampleCount ?? 0;
    const foundInComments = comments && this.#fingerprints(comments, false, this.#workOfComments);
    shape.comments = comments?.shape;
    const index = placeDocument(shape, this.#take(documentBytes(shape)));
    fill(bytes(), index, code, found);
    if (index.comments && comments && foundInComments) fill(bytes(), index.comments, comments, foundInComments);
    if (sketch) copyArray(bytes(), index.sketch, sketch.address, sketchBytes(sketch.sampleCount));
    if (!shape.isAscii) mark(index.unitless);
    return index;
  }

  // The sketch of a document that is long enough to be compared as a whole, in scratch memory.
  #sketch({ tokens, shape: { tokenCount, prose } }: Tokens): { address: number; sampleCount: number } | undefined {
    const { prose: ofProse, minTokens, shingleSize } = this.#options;
    const size = prose ? ofProse.shingleSize : shingleSize;
    if (tokenCount < Math.max(size, prose ? ofProse.minWords : minTokens)) return undefined;
    const { bins, modulus } = tuning.files;
    const scratchBytes = align8(Math.max(10 * tokenCount, 4 * bins));
    const needed = scratchBytes + sketchBytes(tokenCount);
    const scratch = this.#grow(this.#sketched, needed, 2 * needed);
    const address = scratch + scratchBytes;
    const sampleCount = this.#kernel.exports.sketch(
      ...[tokens, tokenCount, size, this.#weights, this.#rows, scratch, bins, modulus, address],
    );
    return { address, sampleCount };
  }

  // Tells the shape what it found.
  #fingerprints({ tokens, lines, shape }: Tokens, renames: boolean, work: Work): Fingerprints {
    const { tokenCount, lineCount, prose } = shape;
    const kernel = this.#kernel;
    const options = this.#options;
    // Shingle hashes and weights (10 bytes a token), windows of prose, fingerprints of both views.
    const fingerprintRoom = 8 * Math.max(lineCount, prose ? tokenCount : 0);
    const needed = align8(tokenCount * 10) + align8(tokenCount * 4) + 2 * fingerprintRoom + 64;
    const scratch = this.#grow(work, needed, 2 * needed);
    const windowsOfProse = scratch + align8(tokenCount * 10);
    const written = windowsOfProse + align8(tokenCount * 4);
    const renamed = written + fingerprintRoom;
    if (prose) {
      const { windowWords, anchorModulus } = tuning.prose;
      const count = kernel.exports.anchors(tokens, tokenCount, windowWords, anchorModulus, windowsOfProse);
      kernel.exports.fingerprint(
        ...[tokens, tokenCount, windowsOfProse, 4, count, windowWords, options.prose.shingleSize, 0, windowWords, 0],
        ...[this.#weights, this.#rows, scratch, written],
      );
      shape.windowCount = count;
      shape.hasRenamed = false;
      return { written, renamed: 0, windows: windowsOfProse };
    }
    const view = (
      renaming: number,
      window: { tokens: number; leastTokens: number; leastDistinct: number },
      out: number,
    ): void => {
      kernel.exports.fingerprint(
        ...[tokens, tokenCount, lines, lineBytes, lineCount, window.tokens, options.shingleSize, renaming],
        ...[window.leastTokens, window.leastDistinct, this.#weights, this.#rows, scratch, out],
      );
      kernel.exports.dropRepeating(out, lineCount, scratch);
    };
    view(0, tuning.written, written);
    if (renames) view(1, tuning.renamed, renamed);
    shape.windowCount = lineCount;
    shape.hasRenamed = renames;
    return { written, renamed: renames ? renamed : 0, windows: lines };
  }

  /** The address of work that has `needed` bytes: where it is, or, with `room` bytes, elsewhere. What was in it is lost then. */
  #grow(work: Work, needed: number, room: number): number {
    if (needed > work.room) {
      this.#leave(work);
      work.room = Math.floor(room);
      work.address = this.#kernel.allocate(work.room);
    }
    return work.address;
  }

  #leave({ address, room }: Work): void {
    if (room === 0) return;
    if (this.#memory === 'blocks') this.#kernel.donateBlock(address, room);
    else this.#keepOutgrown({ address, size: align16(room) });
  }

  /** Memory for a document's arrays, aligned to 16. */
  #take(size: number): number {
    if (this.#memory === 'blocks') return this.#kernel.takeBlock(size);
    return this.#takeOutgrown(size) ?? this.#kernel.allocate(size);
  }

  // From the largest place: when it is too small, all are.
  #takeOutgrown(size: number): number | undefined {
    const largest = this.#outgrown.at(-1);
    if (largest === undefined || largest.size < size) return undefined;
    this.#outgrown.pop();
    const { address } = largest;
    const taken = align16(size);
    this.#keepOutgrown({ address: address + taken, size: largest.size - taken });
    return address;
  }

  #keepOutgrown(place: { readonly address: number; readonly size: number }): void {
    let at = this.#outgrown.length;
    while (at > 0 && this.#outgrown[at - 1].size > place.size) at--;
    this.#outgrown.splice(at, 0, place);
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
function makeContent({ words }: Kernel, tokens: number, tokenCount: number): void {
  for (let at = tokens >>> 2; at < (tokens >>> 2) + tokenCount; at++) {
    if (nameKinds.has(words[at] & kindMask)) words[at] = ((words[at] & ~kindMask) | wordKind) >>> 0;
  }
}

/** Codes that the kind of a token may have; there are fewer kinds. */
const kindCodes = 1 << kindBits;
const kindMask = kindCodes - 1;
const wordKind = tokenKinds.indexOf('word');
/** Kinds of tokens that a renaming may change: isName in src/kernel/fingerprint.ts. */
const nameKinds: ReadonlySet<number> = new Set(
  (['identifier', 'call', 'number', 'string'] as const).map((kind) => tokenKinds.indexOf(kind)),
);

/** Addresses of the arrays that the lexer writes. */
type LexRoom = Omit<LexedArrays, 'tokenCount' | 'lineCount'>;

/** Room for the lexer's arrays of a text of so many bytes, from an address on. */
function lexRoom(tokens: number, room: number): LexRoom {
  const starts = tokens + room * 4;
  const lines = starts + room * 4;
  return { tokens, starts, lines, lengths: lines + room * lexedLineBytes };
}

function lexedArrays({ tokens, starts, lengths, lines }: LexRoom, tokenCount: number, lineCount: number): LexedArrays {
  return { tokens, starts, lengths, lines, tokenCount, lineCount };
}

function tokensOf(index: DocumentIndex): Tokens {
  const { tokens, places, lines } = index;
  return { tokens, places, lines, shape: shapeOf(index) };
}

/** Copies what was found of a text to its arrays. */
function fill(bytes: Uint8Array, index: DocumentIndex, { tokens, places, lines }: Tokens, found: Fingerprints): void {
  const { tokenCount, placesBytes, lineCount, windowCount, prose, renamed } = index;
  copyArray(bytes, index.tokens, tokens, tokenCount * 4);
  copyArray(bytes, index.places, places, placesBytes);
  copyArray(bytes, index.lines, lines, lineCount * lineBytes);
  copyArray(bytes, index.written, found.written, windowCount * 8);
  if (renamed !== 0) copyArray(bytes, renamed, found.renamed, windowCount * 8);
  if (prose) copyArray(bytes, index.windows, found.windows, windowCount * 4);
}

/** What lies between an array and the next is 0, so that a document is the same bytes wherever it was made. */
function copyArray(bytes: Uint8Array, to: number, from: number, size: number): void {
  bytes.copyWithin(to, from, from + size);
  bytes.fill(0, to + size, to + align8(size));
}

function align16(size: number): number {
  return (size + 15) & ~15;
}

/**
 * Weights as whole steps of at most 63, by code of kind: only their ratios matter, and votes are 16 bits wide. Codes of no
 * kind weigh nothing: what stands between two parts of a document, or two comments, has one.
 */
function weightSteps({ weights }: Options): number[] {
  const most = Math.max(...Object.values(weights), Number.MIN_VALUE);
  const scale = Math.min(16, 63 / most);
  const steps = tokenKinds.map((kind) => Math.round(weights[kind] * scale));
  return [...steps, ...new Array<number>(kindCodes - steps.length).fill(0)];
}
