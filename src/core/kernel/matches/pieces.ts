// Pieces of the current pair of documents: extended seeds that are not chained yet. Their runs are in `runs`.
import { itemOf, newRecord, recordBytes } from '../records';
import { Side } from './side';

@unmanaged export class Piece {
  /** Range of the piece: left tokens [a0, a1) and right tokens [b0, b1). */
  a0: u32;
  a1: u32;
  b0: u32;
  b1: u32;
  score: i32;
  /** Numbers of the runs [firstRun, endRun) of the piece. */
  firstRun: u32;
  endRun: u32;
  bits: u32;
  /** True if the piece is part of a chain. */
  used: bool;

  @inline startOf(side: Side): u32 {
    return load<u32>(changetype<usize>(this) + side.pieceAt);
  }

  @inline endOf(side: Side): u32 {
    return load<u32>(changetype<usize>(this) + side.pieceAt, offsetof<Piece>('a1'));
  }

  /** Returns the start and end on the left side as one value, for comparisons. */
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
  /** An additional piece, which stands for the stretch of a chain that is being written. */
  stretch: Piece;
  /** Address of the numbers of all pieces, sorted by left passage. */
  order: usize;
  count: u32;
}

export let pieces = changetype<Pieces>(0);

/** Size in bytes of the scratch memory that `placePieces` initializes. */
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
