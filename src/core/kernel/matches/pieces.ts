// Pieces of the current pair of documents: the extended seeds, before chaining. Their runs are in `runs`.
import { newRecord, recordBytes } from '../records';

/** Fields of a piece: tokens [a0, a1) and [b0, b1). */
export const pieceA0At: usize = 0;
export const pieceA1At: usize = 4;
export const pieceB0At: usize = 8;
export const pieceB1At: usize = 12;
export const pieceScoreAt: usize = 16;
/** Its runs are [first, end). */
export const pieceFirstRunAt: usize = 20;
export const pieceEndRunAt: usize = 24;
export const pieceBitsAt: usize = 28;
/** The tokens of a side, from its `pieceAt` on. */
export const pieceStartAt: usize = 0;
export const pieceEndAt: usize = 4;
/** True if a chain contains it. */
export const pieceUsedAt: usize = 32;
const pieceBytes: usize = 48;
export const pieceRoom: u32 = 1 << 13;

@unmanaged class Pieces {
  records: usize;
  /** An additional piece: the stretch of a chain that is being written. */
  stretch: usize;
  /** Pieces by number, sorted by their left passage. */
  order: usize;
  count: u32;
}

export let pieces = changetype<Pieces>(0);

/** Bytes of scratch memory that `placePieces` lays out. */
export const pieceScratchBytes: usize = recordBytes<Pieces>() + <usize>pieceRoom * (pieceBytes + 4) + pieceBytes;

export function placePieces(scratch: usize): void {
  pieces = newRecord<Pieces>(scratch);
  pieces.records = scratch + recordBytes<Pieces>();
  pieces.stretch = pieces.records + <usize>pieceRoom * pieceBytes;
  pieces.order = pieces.stretch + pieceBytes;
}

@inline export function piece(i: u32): usize {
  return pieces.records + <usize>i * pieceBytes;
}

/** Returns a new, uninitialized piece. There must be room. */
@inline export function addPiece(): usize {
  pieces.count++;
  return piece(pieces.count - 1);
}

@inline export function dropPieces(): void {
  pieces.count = 0;
}
