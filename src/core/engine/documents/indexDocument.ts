/**
 * Indexes a document: turns its bytes into tokens, lines, windows, and fingerprints in the kernel's memory. The result
 * depends only on the bytes, the lexicon, and the options, so any thread may index a document.
 */
import * as layout from '../../kernel/lex/lexedLayout.ts';
import { lineBytes } from '../../kernel/documents/placesLayout.ts';
import { isAsciiAround, linesOf } from '../languages/asciiText.ts';
import { joinBlanklessWords } from '../languages/blanklessWords.ts';
import {
  align8,
  documentBytes,
  type DocumentIndex,
  placeDocument,
  type WritableShape,
  unitlessBytes,
} from './documents.ts';
import { lexiconForName, quotedInComments, type Segment, segments } from '../languages/embedded.ts';
import { needsSketch, sketchBytes } from './fileSketch.ts';
import {
  copyQuoted,
  countTokens,
  lexBytesPerByte,
  type LexedTokens,
  lexedArrays,
  lexRoom,
  loadLexed,
  storeLexed,
} from './lexRoom.ts';
import { commentLanguageHash, languageHashOf, mainLanguageHash } from '../languages/languageHash.ts';
import type { Blocks, Kernel } from '../kernel.ts';
import { lexiconBytes } from '../languages/lexiconBytes.ts';
import type { Lexicon } from '../languages/lexicalRules.ts';
import type { DocumentPart } from './namedDocument.ts';
import { moveToOrigin, type Notebook, type Origin, readNotebook } from '../languages/notebook.ts';
import { isBuildOutput } from './buildOutput.ts';
import { isData, type Makeup, makeupOfDocument } from './makeup.ts';
import type { Options } from '../options.ts';
import { constants } from '../constants.ts';
import { separator } from '../languages/tokenKind.ts';
import { makeContent } from './content.ts';
import { flaggedFormOf, UnitFinder } from './units.ts';
import { fill, type Fingerprints, type Tokens, tokensOf } from './unplacedArrays.ts';
import { Windowings } from './windowings.ts';

/** Results of the lexer for a whole text. */
interface LexerResults {
  readonly text: Uint8Array;
  readonly totalLines: number;
  readonly isAscii: boolean;
  /** True if the text contains characters of scripts that are written without spaces. */
  readonly hasBlankless: boolean;
  /**
   * For a notebook: the text of its cells, which was lexed instead of the file, and the cell and line of each line of
   * that text. Otherwise `undefined`.
   */
  readonly read: { readonly text: Uint8Array; readonly origin: Origin } | undefined;
}

/** Totals of the lexer for all segments of a text. */
interface LexedText {
  readonly lineEnds: number;
  /** Offset at which the last line begins. */
  readonly lastLine: number;
  readonly flags: number;
}

/** A block of scratch memory. If the block becomes too small, it is replaced by a larger one. */
interface Work {
  address: number;
  room: number;
}

const noWork: Work = { address: 0, room: 0 };

/** Scratch memory above this size is released after use. Large notebooks are mostly images, and rare. */
const maxSpareBytes = 4 * 2 ** 20;

/** The indexer of one thread: its scratch memory and compiled lexicons. */
export class DocumentIndexer {
  readonly #kernel: Kernel;
  #options: Options;
  readonly #blocks: Blocks | undefined;
  readonly #windowings: Windowings;
  readonly #lexScratch: number;
  /** Addresses of the records that the lexer reads and changes: the text, and the arrays of a part and of comments. */
  readonly #text: number;
  readonly #arrays: number;
  readonly #comments: number;
  readonly #lexicons = new Map<string, number>();
  /**
   * Former scratch memory that became too small, sorted by size, largest last. New documents are placed there first.
   * There are a few dozen entries at most.
   */
  readonly #outgrown: { readonly address: number; readonly size: number }[] = [];
  readonly #source = { ...noWork };
  readonly #lexed = { ...noWork };
  readonly #sketched = { ...noWork };
  readonly #units = { ...noWork };
  readonly #unitFinder: UnitFinder;
  /**
   * Scratch memory for fingerprints. The fingerprints of a text and those of its comments must both fit, because they
   * are copied to the documents only at the end.
   */
  readonly #work = { ...noWork };
  readonly #workOfComments = { ...noWork };
  readonly #workOfQuoted = { ...noWork };
  /** Scratch memory for the text of a notebook's cells. */
  readonly #cells = { ...noWork };

  /** @param blocks  if given, documents are allocated there; otherwise in the arena */
  constructor(kernel: Kernel, options: Options, blocks?: Blocks) {
    this.#kernel = kernel;
    this.#blocks = blocks;
    this.#options = options;
    this.#windowings = new Windowings(kernel, options);
    this.#unitFinder = new UnitFinder(kernel, (needed) => this.#grow(this.#units, needed, 2 * needed));
    this.#lexScratch = kernel.allocate(kernel.exports.lexScratchBytes());
    this.#text = kernel.allocate(layout.lexedTextBytes);
    this.#arrays = kernel.allocate(layout.lexedArraysBytes);
    this.#comments = kernel.allocate(layout.lexedArraysBytes);
  }

  setOptions(options: Options): void {
    this.#options = options;
    this.#windowings.setOptions(options);
  }

  /** Returns a view of `size` bytes, to be filled with the text of the next document. Valid until the next call. */
  reserve(size: number): Uint8Array {
    const source = this.#grow(this.#source, size + 16, Math.max(size + Math.min(size, maxSpareBytes), 1 << 18));
    return this.#kernel.bytes.subarray(source, source + size);
  }

  /** Indexes the text in memory from `reserve`. */
  index(text: Uint8Array, lexicon: Lexicon): DocumentIndex {
    const notebook = lexicon.id === 'jupyter' ? readNotebook(text) : undefined;
    if (notebook) return this.#indexNotebook(text, notebook, lexicon);
    const language = lexicon.id === 'jupyter' ? lexiconForName('json') : lexicon;
    const own = segments(text, language);
    const inComments = quotedInComments(text, language);
    const parts = this.#openParts(text.byteLength, [...own, ...inComments]);
    const { lineEnds, lastLine, flags } = this.#lex(text, own, parts);
    // Also count the lines after the last segment. They may contain the output of an example, or a comment of a
    // template.
    const linesBehind = linesOf(text.subarray(own.at(-1)?.end ?? 0));
    // These segments lie within other segments, so their lines must not be counted again.
    if (inComments.length > 0) this.#lex(text, inComments, { ...parts, comments: undefined });
    if (language.data) makeContent(this.#kernel, parts.text.room.tokens, parts.text.tokenCount);
    const ofText: LexerResults = {
      text,
      // A last line without a line break also counts.
      totalLines: lineEnds + (linesBehind > 0 ? linesBehind : lastLine < text.byteLength ? 1 : 0),
      isAscii: (flags & layout.beyondAsciiFlag) === 0 && isAsciiAround(text, own),
      hasBlankless: (flags & layout.blanklessFlag) !== 0,
      read: undefined,
    };
    const { prose = false, id } = language;
    const form = { prose, languageHash: languageHashOf(id), blocks: flaggedFormOf(language) };
    const tokens = this.#pack(parts.text, ofText, form);
    tokens.shape.data = !prose && isData(language, this.#makeupOf(tokens), text);
    tokens.shape.generated = isBuildOutput(text, language);
    return this.#placeParts(tokens, this.#renames(language, tokens.shape.languageHash), parts, ofText);
  }

  #makeupOf({ tokens, shape: { tokenCount } }: Tokens): Makeup {
    return makeupOfDocument(this.#kernel.words, tokens, tokenCount);
  }

  /** Indexes a notebook. Its code cells are the text, and its other cells count as comments. */
  #indexNotebook(file: Uint8Array, { text: cells, segments: all, origin }: Notebook, lexicon: Lexicon): DocumentIndex {
    const address = this.#grow(this.#cells, cells.length + 16, 2 * cells.length + 16);
    const text = this.#kernel.bytes.subarray(address, address + cells.length);
    text.set(cells);
    const own = all.filter(({ part }) => part !== 'comments' || this.#options.prose.enabled);
    const parts = this.#openParts(cells.length, own);
    const { flags } = this.#lex(text, own, parts);
    const ofText: LexerResults = {
      text: file,
      totalLines: linesOf(file),
      isAscii: file.every((byte) => byte < 128),
      hasBlankless: (flags & layout.blanklessFlag) !== 0,
      read: { text, origin },
    };
    const tokens = this.#pack(parts.text, ofText, {
      prose: false,
      languageHash: mainLanguageHash(parts.text.ofLanguages),
    });
    tokens.shape.data = tokens.shape.languageHash === languageHashOf('json');
    return this.#placeParts(tokens, this.#renames(lexicon, tokens.shape.languageHash), parts, ofText);
  }

  /** Packs the tokens of a text, its comments, and its quoted code, and copies all to the memory of the document. */
  #placeParts(tokens: Tokens, renames: boolean, { comments, quoted }: LexedParts, ofText: LexerResults): DocumentIndex {
    const { text } = ofText;
    const parts: PartTokens = {
      comments:
        comments && comments.tokenCount > 0
          ? this.#pack(comments, ofText, { prose: true, apart: true, languageHash: commentLanguageHash })
          : undefined,
      quoted:
        quoted && quoted.tokenCount > 0
          ? this.#pack(quoted, ofText, {
              prose: false,
              apart: true,
              languageHash: mainLanguageHash(quoted.ofLanguages),
            })
          : undefined,
    };
    return this.#place(tokens, renames, parts, (unitless) =>
      this.#kernel.exports.markUnitless(text.byteOffset, text.byteLength, unitless),
    );
  }

  /** Reserves scratch memory for the tokens of a text of `size` bytes, and of its comments and quoted code. */
  #openParts(size: number, all: readonly Segment[]): LexedParts {
    const quotes = all.some(({ part, isQuoted }) => isQuoted === true || part === 'quoted');
    const comments = this.#splitsComments() ? !all.every(({ lexicon }) => lexicon.prose) : false;
    const hasComments = comments || all.some(({ part }) => part === 'comments');
    // Round up to whole words, because the arrays of the comments and quotes come after the array of the text.
    const room = align8(size + 64);
    const roomBytes = (1 + Number(hasComments) + Number(quotes)) * room * lexBytesPerByte;
    let next = this.#grow(this.#lexed, roomBytes, 1.5 * roomBytes);
    const open = (): LexedTokens => {
      const opened = { room: lexRoom(next, room), tokenCount: 0, lineCount: 0, ofLanguages: new Map() };
      next += room * lexBytesPerByte;
      return opened;
    };
    return {
      text: open(),
      comments: hasComments ? open() : undefined,
      quoted: quotes ? open() : undefined,
    };
  }

  /** Returns true if the comments become a separate document. */
  #splitsComments(): boolean {
    const { prose, readComments } = this.#options;
    return prose.enabled && readComments === 'asText';
  }

  /**
   * Appends the tokens of segments to the parts of a document (text, comments, quoted code). The segments must be
   * ascending. Comments are kept only if `parts` has room for them.
   */
  #lex(text: Uint8Array, all: readonly Segment[], parts: LexedParts): LexedText {
    const kernel = this.#kernel;
    const { comments } = parts;
    const state = kernel.words.subarray(this.#text >>> 2, (this.#text + layout.lexedTextBytes) >>> 2);
    state.fill(0);
    state[layout.lexedTextSourceAt >>> 2] = text.byteOffset;
    state[layout.lexedTextLengthAt >>> 2] = text.byteLength;
    for (const { start, end, lexicon, part, isQuoted, goesOn } of all) {
      const lexed = parts[part]!;
      if (goesOn !== true) this.#separate(lexed, start);
      const splits = comments !== undefined && part !== 'comments' && !lexicon.prose && this.#splitsComments();
      // The comments before and in quoted code do not belong together.
      if (splits && isQuoted) state[layout.lexedTextCodeBeforeAt >>> 2] = 0xffff_ffff;
      const { tokenCount: before, lineCount: linesBefore } = lexed;
      storeLexed(kernel, this.#arrays, lexed);
      if (splits) storeLexed(kernel, this.#comments, comments);
      const commentsAt = splits ? this.#comments : 0;
      kernel.exports.lex(this.#lexScratch, this.#text, start, end, this.#lexicon(lexicon), this.#arrays, commentsAt);
      loadLexed(kernel, this.#arrays, lexed);
      if (splits) loadLexed(kernel, this.#comments, comments);
      else if (part === 'comments') state[layout.lexedTextCodeBeforeAt >>> 2] = 0xffff_ffff;
      countTokens(lexed, lexicon, lexed.tokenCount - before);
      if (isQuoted !== true) continue;
      if (goesOn !== true) this.#separate(parts.quoted!, start);
      copyQuoted(this.#kernel, lexed, { token: before, line: linesBefore }, lexicon, parts.quoted!);
    }
    return {
      lineEnds: state[layout.lexedTextLineAt >>> 2],
      lastLine: state[layout.lexedTextLineStartAt >>> 2],
      flags: state[layout.lexedTextFlagsAt >>> 2],
    };
  }

  /**
   * Recomputes a document with the current options, in new memory, without lexing its text again. Precondition: the
   * current options lead to the same tokens.
   *
   * @param index  the existing document, which is not changed
   */
  remake(index: DocumentIndex, lexicon: Lexicon): DocumentIndex {
    const { comments, quoted } = index;
    const size = unitlessBytes(index);
    const parts = { comments: comments && tokensOf(comments), quoted: quoted && tokensOf(quoted) };
    return this.#place(tokensOf(index), this.#renames(lexicon, index.languageHash), parts, (unitless) =>
      this.#kernel.exports.copyArray(unitless, index.unitless, size),
    );
  }

  // A notebook counts as data if its JSON is invalid or its cells are JSON. The hash of the language shows this even in
  // `remake`, which has no text.
  #renames(lexicon: Lexicon, languageHash: number): boolean {
    const isData = lexicon.data ?? (lexicon.id === 'jupyter' && languageHash === languageHashOf('json'));
    return this.#options.renamed && !isData;
  }

  // Appends a unique token between two segments, so that no match crosses the boundary.
  #separate(lexed: LexedTokens, offset: number): void {
    if (lexed.tokenCount === 0) return;
    const { tokens, starts, lengths } = lexed.room;
    const at = lexed.tokenCount++;
    const words = this.#kernel.words;
    words[(tokens >>> 2) + at] = separator;
    words[(starts >>> 2) + at] = offset;
    new Uint16Array(this.#kernel.memory.buffer, lengths, at + 1)[at] = 0;
  }

  // Packs the positions of the lexed tokens into the memory after the lines. Returns the addresses of the packed
  // tokens.
  #pack(
    { room, tokenCount: lexedTokens, lineCount: lexedLines }: LexedTokens,
    { text, totalLines, isAscii, hasBlankless, read }: LexerResults,
    {
      prose,
      languageHash,
      apart = false,
      blocks,
    }: {
      readonly prose: boolean;
      readonly languageHash: number;
      readonly apart?: boolean;
      /** Way in which blocks end (src/core/kernel/documents/unit.ts); `undefined` for a text without units. */
      readonly blocks?: number;
    },
  ): Tokens {
    const { tokens, starts, lengths, lines } = room;
    const lexed = lexedArrays(room, lexedTokens, lexedLines);
    const { tokenCount, lineCount } = hasBlankless
      ? joinBlanklessWords(this.#kernel, read?.text ?? text, lexed)
      : lexed;
    if (read) {
      const { buffer } = this.#kernel.memory;
      moveToOrigin(text, read.origin, {
        starts: new Uint32Array(buffer, starts, tokenCount),
        lengths: new Uint16Array(buffer, lengths, tokenCount),
        lines: new Uint32Array(buffer, lines, (layout.lexedLineBytes >>> 2) * lineCount),
      });
    }
    const form = prose ? undefined : blocks;
    const units = this.#unitFinder.find({ ...room, tokenCount, lineCount }, form, totalLines < layout.maxMarkedLines);
    const placesBytes = this.#kernel.exports.packPlaces(starts, lengths, tokenCount, lines, lineCount);
    const shape: WritableShape = {
      sizeBytes: text.byteLength,
      tokenCount,
      placesBytes,
      lineCount,
      totalLines,
      endColumn: 1 + this.#kernel.exports.lastLineUnits(text.byteOffset, text.byteLength),
      isAscii,
      prose,
      apart,
      languageHash,
      data: false,
      generated: false,
      windowCount: 0,
      hasRenamed: false,
      hasSketch: false,
      sketchSample: 0,
      unitCount: units.count,
      comments: undefined,
      quoted: undefined,
    };
    return { tokens, places: lines + lineCount * layout.lexedLineBytes, lines, units: units.address, shape };
  }

  /**
   * Computes fingerprints and a sketch, then copies the document from scratch memory to memory of its exact size. The
   * scratch memory has room for the worst case.
   *
   * @param renames  true to also compute fingerprints of the renamed view, which finds copies with changed names
   * @param mark     writes the bits of `markUnitless` to the given address
   */
  #place(
    text: Tokens,
    renames: boolean,
    { comments, quoted }: PartTokens,
    mark: (unitless: number) => void,
  ): DocumentIndex {
    const { exports } = this.#kernel;
    const { shape } = text;
    const found = this.#fingerprints(text, { renames, work: this.#work });
    const foundInComments = comments && this.#fingerprints(comments, { renames: false, work: this.#workOfComments });
    const foundInQuoted =
      quoted && this.#fingerprints(quoted, { renames: this.#options.renamed, work: this.#workOfQuoted });
    shape.comments = comments?.shape;
    shape.quoted = quoted?.shape;
    const sketch = this.#sketch(text);
    shape.hasSketch = sketch !== undefined;
    shape.sketchSample = sketch?.sampleCount ?? 0;
    const index = placeDocument(shape, this.#take(documentBytes(shape)));
    fill(exports, index, text, found);
    if (index.comments && comments && foundInComments) fill(exports, index.comments, comments, foundInComments);
    if (index.quoted && quoted && foundInQuoted) fill(exports, index.quoted, quoted, foundInQuoted);
    if (sketch) exports.copyArray(index.sketch, sketch.address, sketchBytes(sketch.sampleCount));
    if (!shape.isAscii) mark(index.unitless);
    return index;
  }

  // Computes the sketch of a document in scratch memory. Returns `undefined` if the document is too short to be
  // compared as a whole.
  #sketch({ tokens, shape }: Tokens): { address: number; sampleCount: number } | undefined {
    if (!needsSketch(shape, this.#options)) return undefined;
    const { tokenCount, prose } = shape;
    const { bins, modulus } = constants.files;
    const scratchBytes = align8(Math.max(10 * tokenCount, 4 * bins));
    const needed = scratchBytes + sketchBytes(tokenCount);
    const scratch = this.#grow(this.#sketched, needed, 2 * needed);
    const address = scratch + scratchBytes;
    const sampleCount = this.#kernel.exports.sketch(
      tokens,
      tokenCount,
      prose ? this.#windowings.prose : this.#windowings.written,
      scratch,
      bins,
      modulus,
      address,
    );
    return { address, sampleCount };
  }

  // Computes the fingerprints and records the number of windows in the shape.
  #fingerprints(
    { tokens, lines, shape }: Tokens,
    { renames, work }: { readonly renames: boolean; readonly work: Work },
  ): Fingerprints {
    const { tokenCount, lineCount, prose } = shape;
    const kernel = this.#kernel;
    // The scratch memory holds shingle hashes and weights (10 bytes per token), windows of prose, and the fingerprints
    // of both views.
    const fingerprintRoom = 8 * Math.max(lineCount, prose ? tokenCount : 0);
    const needed = align8(tokenCount * 10) + align8(tokenCount * 4) + 2 * fingerprintRoom + 64;
    const scratch = this.#grow(work, needed, 2 * needed);
    const windowsOfProse = scratch + align8(tokenCount * 10);
    const written = windowsOfProse + align8(tokenCount * 4);
    const renamed = written + fingerprintRoom;
    if (prose) {
      const { windowWords, anchorModulus, maxCode } = constants.prose;
      const count = kernel.exports.anchors(tokens, tokenCount, windowWords, anchorModulus, maxCode, windowsOfProse);
      const { prose: windowing } = this.#windowings;
      kernel.exports.fingerprint(tokens, tokenCount, windowsOfProse, 4, count, windowing, scratch, written);
      shape.windowCount = count;
      shape.hasRenamed = false;
      return { written, renamed: 0, windows: windowsOfProse };
    }
    const view = (windowing: number, out: number): void => {
      kernel.exports.fingerprint(tokens, tokenCount, lines, lineBytes, lineCount, windowing, scratch, out);
      kernel.exports.dropRepeating(out, lineCount, scratch);
    };
    view(this.#windowings.written, written);
    kernel.exports.fingerprintListings(
      tokens,
      tokenCount,
      lines,
      lineBytes,
      lineCount,
      constants.listingTokens,
      written,
    );
    kernel.exports.dropRepeated(written, lineCount, scratch);
    if (renames) view(this.#windowings.renamed, renamed);
    shape.windowCount = lineCount;
    shape.hasRenamed = renames;
    return { written, renamed: renames ? renamed : 0, windows: lines };
  }

  /**
   * Returns the address of scratch memory of at least `needed` bytes. If the existing memory is too small, replaces it
   * with new memory of `room` bytes. The old content is lost.
   */
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
    if (this.#blocks) this.#blocks.donate(address, room);
    else this.#keepOutgrown({ address, size: align16(room) });
  }

  /** Allocates memory for a document's arrays, aligned to 16 bytes. */
  #take(size: number): number {
    if (this.#blocks) return this.#blocks.allocate(size);
    return this.#takeOutgrown(size) ?? this.#kernel.allocate(size);
  }

  // Takes memory from the largest block of scratch memory that was replaced. If that block is too small, so are all
  // others.
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
    const storedLexicon = this.#lexicons.get(lexicon.id);
    if (storedLexicon !== undefined) return storedLexicon;
    const compiled = lexiconBytes(lexicon, { imports: false });
    const address = this.#kernel.allocate(compiled.length);
    this.#kernel.bytes.set(compiled, address);
    this.#lexicons.set(lexicon.id, address);
    return address;
  }
}

/** Lexed tokens of each part of a text. */
interface LexedParts extends Readonly<Record<DocumentPart, LexedTokens | undefined>> {
  readonly text: LexedTokens;
}
/** Packed tokens of the comments and of the quoted code. */
type PartTokens = Readonly<Record<Exclude<DocumentPart, 'text'>, Tokens | undefined>>;

function align16(size: number): number {
  return (size + 15) & ~15;
}
