// The pieces of the pair of documents at hand: what seeds were extended to, before it is chained. Its runs are in `runs`.

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
/** Whether a chain has it. */
export const pieceUsedAt: usize = 32;
const pieceBytes: usize = 48;
export const pieceRoom: u32 = 1 << 13;

let pieces: usize = 0;
/** A piece besides: the stretch of a chain that is written. */
export let stretch: usize = 0;
/** Pieces by number, in the order of their left passage. */
export let order: usize = 0;
export let pieceCount: u32 = 0;

/** Bytes of scratch memory that `placePieces` lays out. */
export const pieceScratchBytes: usize = <usize>pieceRoom * (pieceBytes + 4) + pieceBytes;

export function placePieces(scratch: usize): void {
  pieces = scratch;
  stretch = pieces + <usize>pieceRoom * pieceBytes;
  order = stretch + pieceBytes;
}

@inline export function piece(i: u32): usize {
  return pieces + <usize>i * pieceBytes;
}

/** A piece more, of which nothing is written. There has to be room. */
@inline export function addPiece(): usize {
  pieceCount++;
  return piece(pieceCount - 1);
}

@inline export function dropPieces(): void {
  pieceCount = 0;
}
