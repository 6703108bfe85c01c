// One side of a pair of documents: a document and the current passage in it.
import { Line, lineIndex } from '../documents/places';
import { addressAt, itemOf, recordBytes } from '../records';

/** Maximum number of nested blocks around a passage to which it may be widened. */
export const widestBlock: i32 = 2;

/** A block around a passage: its opening bracket, and its end. */
@unmanaged export class Block {
  opener: u32;
  end: u32;
}

/** A token for which the line was searched before, and the index of that line. */
@unmanaged class TokenLine {
  token: u32;
  line: u32;
}

/** Number of tokens of which a side remembers the lines. The ends of passages are asked for again and again. */
const tokenLines: u32 = 64;
const tokenLinesBytes: usize = <usize>tokenLines * offsetof<TokenLine>();
const blocksBytes: usize = <usize>widestBlock * offsetof<Block>();

@unmanaged export class Side {
  /** Addresses and numbers of the document's tokens, line records (places.ts), and units (unit.ts). */
  tokens: usize;
  tokenCount: u32;
  lines: usize;
  lineCount: u32;
  units: usize;
  unitCount: u32;
  /**
   * Tokens [partFrom, partTo) that an extension may use. If separators divide the document into independent texts,
   * these are the tokens of one text.
   */
  partFrom: u32;
  partTo: u32;
  /** The current passage: tokens [start, end). */
  start: u32;
  end: u32;
  /** The current block, as found by `setBlock` or `paragraphAround`: tokens [blockStart, blockEnd). */
  blockStart: u32;
  blockEnd: u32;
  /** The passage for which blocks were last searched: tokens [blocksFrom, blocksTo). */
  blocksFrom: u32;
  blocksTo: u32;
  /** The longest section of a piece, as found by `cutToSection`: tokens [sectionStart, sectionEnd). */
  sectionStart: u32;
  sectionEnd: u32;
  /** Number of tokens that `widen` has aligned beyond an end of the passage. */
  outward: u32;
  /** Offset of this side's field in the record of a run: of `a` or `b`. */
  runAt: usize;
  /** Offset of this side's field in the record of a piece: of `a0` or `b0`. */
  pieceAt: usize;
  /** True if separators divide the document into independent texts. An alignment must not cross them. */
  isApart: bool;
  /** True if the line records have marks; see places.ts. */
  isMarked: bool;

  /** Returns the address of a token. */
  @inline at(i: u32): usize {
    return addressAt<u32>(this.tokens, i);
  }

  @inline token(i: u32): u32 {
    return load<u32>(this.at(i));
  }

  @inline line(i: u32): Line {
    return itemOf<Line>(this.lines, i);
  }

  @inline get length(): u32 {
    return this.end - this.start;
  }

  /** Returns a block around the passage, as found by `blocksAround`. Level 0 is the innermost one. */
  @inline block(level: i32): Block {
    return itemOf<Block>(changetype<usize>(this) + recordBytes<Side>(), level);
  }

  /** Returns the index of the line on which a token lies. */
  lineOf(token: u32): u32 {
    const entry = itemOf<TokenLine>(this.tokenLines, token % tokenLines);
    if (entry.token != token) {
      entry.token = token;
      entry.line = lineIndex(this.lines, this.lineCount, token);
    }
    return entry.line;
  }

  /** Forgets the lines of the previous document. */
  forgetLines(): void {
    memory.fill(this.tokenLines, 0xff, tokenLinesBytes);
  }

  /** Address of the lines of tokens, which follow the blocks. */
  @inline get tokenLines(): usize {
    return changetype<usize>(this) + recordBytes<Side>() + blocksBytes;
  }
}

/** Size in bytes of a side, its blocks, and lines of its tokens. */
export const sideBytes: usize = recordBytes<Side>() + blocksBytes + tokenLinesBytes;
