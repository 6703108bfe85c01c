// One side of a pair: a document, and the current passage in it.
import { Line } from '../documents/places';
import { itemOf, recordBytes } from '../records';

/** Number of nested blocks around a passage that are considered. */
export const widestBlock: i32 = 2;

/** A block around a passage: the token that opens it, and its end. */
@unmanaged export class Block {
  opener: u32;
  end: u32;
}

@unmanaged export class Side {
  /** Addresses and numbers of tokens, lines (places.ts), and units (unit.ts). */
  tokens: usize;
  tokenCount: u32;
  lines: usize;
  lineCount: u32;
  units: usize;
  unitCount: u32;
  /** The stretch that an extension may use: tokens [partFrom, partTo). */
  partFrom: u32;
  partTo: u32;
  /** Range of the current extension: tokens [from, to). */
  from: u32;
  to: u32;
  /** The current passage: tokens [start, end). */
  start: u32;
  end: u32;
  /** Result of `takeBlock` or `paragraphAround`: tokens [blockStart, blockEnd). */
  blockStart: u32;
  blockEnd: u32;
  /** The passage that `block` belongs to: tokens [blocksFrom, blocksTo). */
  blocksFrom: u32;
  blocksTo: u32;
  /** Number of tokens that `widen` aligned outward from an end of the passage. */
  outward: u32;
  /** Offsets of this side in a run and in a piece: `a` and `a0` for the left side. */
  runAt: usize;
  pieceAt: usize;
  /** True if separators divide the document into independent texts. Nothing is then aligned across them. */
  isApart: bool;
  /** True if the lines have marks: see places.ts. */
  isMarked: bool;

  /** Returns the address of a token. */
  @inline at(i: u32): usize {
    return this.tokens + ((<usize>i) << 2);
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

  /** Returns a block around the passage, a result of `blocksAround`. Level 0 is the innermost one. */
  @inline block(level: i32): Block {
    return changetype<Block>(changetype<usize>(this) + recordBytes<Side>() + <usize>level * offsetof<Block>());
  }
}

/** Bytes of a side and its blocks. */
export const sideBytes: usize = recordBytes<Side>() + <usize>widestBlock * offsetof<Block>();
