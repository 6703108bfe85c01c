// Finds the matches of the current pair of documents by position, in grids over the tokens of both documents. There is
// a grid for each power of two. A match is stored in the first grid whose cells are at least as large as the match, in
// the cell that contains its first tokens. So all matches around a pair of tokens are in four cells of each grid.
import { golden32 } from '../documents/hashFactors';
import { linkOf, recordAt, written } from './matchRecords';
import { addressAt, newRecord, recordBytes } from '../records';
import { Match } from './matchRecord';
import { reserve } from './matchScratch';

/**
 * Minimum number of matches for using a grid. Fewer matches, as most pairs of documents have, are compared one by one.
 */
const minGridded: u32 = 64;
/** Number of bits of a slot number. A slot has a list of the matches in all cells with the same hash. */
const slotBits: u32 = 14;
const slotCount: u32 = 1 << slotBits;
const slotsBytes: usize = <usize>slotCount * sizeof<u32>();

@unmanaged class RecordGrid {
  /** Number of matches compared for the current pair. */
  recordsCompared: u64;
  /**
   * Address of the slots. Each contains the number of the last match in its list plus one, or 0. Each match links to
   * the one before it in the list.
   */
  slots: usize;
  /** Index of the current pair's first match. */
  firstRecord: u32;
  /** End of the matches that are in the grids. Equals `firstRecord` if the grids are not used. */
  gridEnd: u32;
  /** Bit set of the grids that have matches. Bit n represents the grid with cells of 2ⁿ tokens. */
  usedGrids: u32;
}

export let grid = changetype<RecordGrid>(0);

const scratchAt = reserve(recordBytes<RecordGrid>() + slotsBytes);

export function placeRecordGrid(scratch: usize): void {
  const address = scratch + scratchAt;
  grid = newRecord<RecordGrid>(address);
  grid.slots = address + recordBytes<RecordGrid>();
}

/** Begins a pair of documents. Matches that were written before belong to other pairs. */
export function openRecordGrid(): void {
  grid.firstRecord = grid.gridEnd = written.count;
  grid.usedGrids = 0;
  grid.recordsCompared = 0;
}

/**
 * Returns the first match of the current pair that contains, on both sides, at least `length - room` tokens of a run.
 * Returns null if there is none. `room` must be less than half of `length`.
 */
export function recordAround(a: u32, b: u32, length: u32, room: u32): Match | null {
  if (written.count - grid.firstRecord < minGridded) {
    for (let r = grid.firstRecord; r < written.count; r++) if (contains(r, a, b, length, room)) return recordAt(r);
    return null;
  }
  fillGrid();
  // `room` is less than half of the run, so such a match contains the middle of the run.
  const middleA = a + (length >> 1),
    middleB = b + (length >> 1);
  let first = written.count;
  for (let grids = grid.usedGrids; grids; grids &= grids - 1) {
    const bits = ctz(grids);
    const cellA = middleA >> bits,
      cellB = middleB >> bits;
    for (let i: u32 = 0; i < 4; i++) {
      for (
        let link = load<u32>(slotOf(bits, cellA - (i & 1), cellB - (i >> 1)));
        link;
        link = load<u32>(linkOf(link - 1))
      )
        if (link <= first && contains(link - 1, a, b, length, room)) first = link - 1;
    }
  }
  return first < written.count ? recordAt(first) : null;
}

/** Adds the matches written since the last call to the grids. */
function fillGrid(): void {
  if (grid.gridEnd == grid.firstRecord) memory.fill(grid.slots, 0, slotsBytes);
  for (; grid.gridEnd < written.count; grid.gridEnd++) {
    const record = recordAt(grid.gridEnd);
    const a0 = record.a0,
      b0 = record.b0;
    const bits = 32 - clz(max(record.a1 - a0, record.b1 - b0));
    grid.usedGrids |= 1 << bits;
    const slot = slotOf(bits, a0 >> bits, b0 >> bits);
    store<u32>(linkOf(grid.gridEnd), load<u32>(slot));
    store<u32>(slot, grid.gridEnd + 1);
  }
}

@inline function slotOf(bits: u32, cellA: u32, cellB: u32): usize {
  const hash = ((cellA * golden32) ^ (cellB + bits)) * golden32;
  return addressAt<u32>(grid.slots, hash >> (32 - slotBits));
}

function contains(r: u32, a: u32, b: u32, length: u32, room: u32): bool {
  grid.recordsCompared++;
  const record = recordAt(r);
  return (
    tokensOutside(a, length, record.a0, record.a1) <= room && tokensOutside(b, length, record.b0, record.b1) <= room
  );
}

function tokensOutside(start: u32, length: u32, from: u32, to: u32): u32 {
  const first = max(start, from),
    end = min(start + length, to);
  return first < end ? length - (end - first) : length;
}
