// Pieces of the current pair of documents: the extended seeds, before chaining. Their runs are in `runs`.
import { itemOf, newRecord, recordBytes } from '../records';
import { Side } from './side';

@unmanaged export class Piece {
  /** Tokens [a0, a1) and [b0, b1). */
  a0: u32;
  a1: u32;
  b0: u32;
  b1: u32;
  score: i32;
  /** Its runs are [first, end). */
  firstRun: u32;
  endRun: u32;
  bits: u32;
  /** True if a chain contains it. */
  used: bool;

  @inline startOf(side: Side): u32 {
    return load<u32>(changetype<usize>(this) + side.pieceAt);
  }

  @inline endOf(side: Side): u32 {
    return load<u32>(changetype<usize>(this) + side.pieceAt, offsetof<Piece>('a1'));
  }

  /** Returns start and end on the left side as one value. */
  @inline get rangeA(): u64 {
    return load<u64>(changetype<usize>(this), offsetof<Piece>('a0'));
  }

  @inline get rangeB(): u64 {
    return load<u64>(changetype<usize>(this), offsetof<Piece>('b0'));
  }
}

export const pieceRoom: u32 = 1 << 13;

@unmanaged class Pieces {
  records: usize;
  /** An additional piece: the stretch of a chain that is being written. */
  stretch: Piece;
  /** Pieces by number, sorted by their left passage. */
  order: usize;
  count: u32;
}

export let pieces = changetype<Pieces>(0);

/** Bytes of scratch memory that `placePieces` lays out. */
export const pieceScratchBytes: usize =
  recordBytes<Pieces>() + <usize>(pieceRoom + 1) * offsetof<Piece>() + ((<usize>pieceRoom) << 2);

export function placePieces(scratch: usize): void {
  pieces = newRecord<Pieces>(scratch);
  pieces.records = scratch + recordBytes<Pieces>();
  pieces.stretch = piece(pieceRoom);
  pieces.order = changetype<usize>(piece(pieceRoom + 1));
}

@inline export function piece(i: u32): Piece {
  return itemOf<Piece>(pieces.records, i);
}

/** Returns a new, uninitialized piece. There must be room. */
@inline export function addPiece(): Piece {
  pieces.count++;
  return piece(pieces.count - 1);
}

@inline export function dropPieces(): void {
  pieces.count = 0;
}
