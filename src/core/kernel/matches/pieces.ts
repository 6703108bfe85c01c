// Pieces of the current pair of documents. A piece is an extended seed that does not belong to a chain yet. The runs of
// pieces are in `runs`.
import { bytesOf, itemOf, newRecord, recordBytes } from '../records';
import { reserve } from './matchScratch';
import { Side } from './side';

@unmanaged export class Piece {
  /** Range of the piece: left tokens [a0, a1) and right tokens [b0, b1). */
  a0: u32;
  a1: u32;
  b0: u32;
  b1: u32;
  score: i32;
  /** Indices of the piece's runs: [firstRun, endRun). */
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

  /** Returns the start and end on the left side, combined to one number for comparisons. */
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
  /** An additional piece for the stretch of a chain that is being written. */
  stretch: Piece;
  /** Address of the indices of all pieces, sorted by start on the left side. */
  order: usize;
  count: u32;
}

export let pieces = changetype<Pieces>(0);

const scratchAt = reserve(recordBytes<Pieces>() + <usize>(pieceRoom + 1) * offsetof<Piece>() + bytesOf<u32>(pieceRoom));

export function placePieces(scratch: usize): void {
  const address = scratch + scratchAt;
  pieces = newRecord<Pieces>(address);
  pieces.records = address + recordBytes<Pieces>();
  pieces.stretch = piece(pieceRoom);
  pieces.order = changetype<usize>(piece(pieceRoom + 1));
}

@inline export function piece(i: u32): Piece {
  return itemOf<Piece>(pieces.records, i);
}

/** Returns a new, uninitialized piece. Precondition: there is room for it. */
@inline export function addPiece(): Piece {
  pieces.count++;
  return piece(pieces.count - 1);
}

@inline export function dropPieces(): void {
  pieces.count = 0;
}
