// Greedy gapped extension (Zhang, Schwartz, Wagner, Miller 2000): extends an alignment of two texts from one position.
// Names of the same kind count as equal here. Later, rescore.ts checks if they are renamed consistently.
import { areNames } from '../documents/fingerprint';
import { kindMask } from '../lex/lexed';
import { pair } from './documentPair';
import { reserve } from './matchScratch';
import { settings } from './settings';
import { addOtherRun, lists, reverseRuns, runRoom } from './runs';
import { addressAt, bytesOf, itemOf, newRecord, recordBytes, setItem } from '../records';

// Two equal tokens score 2, two different tokens −6, and a token on only one side −7. So the score is (i + j) − 8 ×
// differences, where i and j are the numbers of tokens on the two sides.
const differenceCost: i32 = 8;
const maxDifferences: i32 = 2000;
const cellRoom: i32 = 1 << 19;
const dead: i32 = -0x40000000;
const deadPair: i64 = 0xc0000000c0000000;

/**
 * All paths with the same number of differences: their lowest and highest diagonal, and the index of the first
 * diagonal's cell.
 */
@unmanaged class Row {
  lowest: i32;
  highest: i32;
  cells: i32;

  @inline set(lowest: i32, highest: i32, cells: i32): void {
    this.lowest = lowest;
    this.highest = highest;
    this.cells = cells;
  }
}

@unmanaged class Extension {
  /** Address of `maxDifferences` rows. */
  rows: usize;
  /** Address of the cells of all rows, i32 each. A cell contains the farthest position reached on a diagonal. */
  cells: usize;
  /** Number of tokens that the last extension has used on each side. */
  usedA: u32;
  usedB: u32;
}

export let extension = changetype<Extension>(0);

const scratchAt = reserve(
  recordBytes<Extension>() + <usize>maxDifferences * offsetof<Row>() + 16 + bytesOf<u32>(cellRoom + 4),
);

export function placeExtension(scratch: usize): void {
  const address = scratch + scratchAt;
  extension = newRecord<Extension>(address);
  extension.rows = address + recordBytes<Extension>();
  extension.cells = extension.rows + <usize>maxDifferences * offsetof<Row>() + 16;
}

/** Extends from (posA, posB) in one direction as far as possible. Appends the runs to `otherRuns`, nearest first. */
export function extendFrom(posA: u32, posB: u32, direction: i32, roomA: u32, roomB: u32): void {
  const before = lists.otherRunCount;
  const behind: usize = direction > 0 ? 0 : 4;
  const step: isize = direction << 2;
  extend(pair.left.at(posA) - behind, step, roomA, pair.right.at(posB) - behind, roomB, posA, posB);
  reverseRuns(before, lists.otherRunCount);
}

/**
 * Greedy extension from (0, 0) over a[0 … aLength) and b[0 … bLength), where element i is at address + i × step.
 * Appends the runs of the best path to `otherRuns`, farthest first. The positions of these runs are positions in the
 * documents, relative to originA and originB. Sets usedA and usedB to the numbers of elements on the best path.
 *
 * R(d, k) is the greatest i on the diagonal k = i − j that a path with d differences reaches. Paths that drop more than
 * xDrop below the best score are abandoned.
 */
function extend(a: usize, step: isize, aLength: u32, b: usize, bLength: u32, originA: u32, originB: u32): void {
  const aEnd = <i32>aLength;
  const bEnd = <i32>bLength;
  const names = pair.renaming,
    rows = extension.rows,
    cells = extension.cells;
  let i = slide(a, b, step, 0, 0, aEnd, bEnd, names);
  let best = i << 1;
  let bestD: i32 = 0;
  let bestK: i32 = 0;
  let bestI = i;
  let lo: i32 = 0;
  let hi: i32 = 0;
  // Each row has two unused cells at either end. They represent the diagonals that the row does not reach.
  let used: i32 = 5;
  let before = cells + 8;
  itemOf<Row>(rows, 0).set(0, 0, 2);
  store<i64>(cells, deadPair);
  store<i32>(before, i);
  store<i64>(before, deadPair, 4);
  for (let d: i32 = 1; d < maxDifferences; d++) {
    // `before` points to the cell of diagonal lo in the previous row. This row has one more diagonal at either end.
    let cell = before - 8;
    lo--;
    hi++;
    if (used + (hi - lo + 5) > cellRoom) break;
    const floor = best - settings.xDrop;
    let newLo: i32 = 0x7fffffff;
    let newHi: i32 = -0x7fffffff;
    const start = addressAt<u32>(cells, used + 2);
    let out = start;
    store<i64>(start - 8, deadPair);
    // Process four diagonals at once. Lanes beyond hi are ignored.
    for (let k = lo; k <= hi; k += 4, cell += 16, out += 16) {
      const ks = i32x4.add(i32x4.splat(k), i32x4(0, 1, 2, 3));
      const from = i32x4.max_s(
        i32x4.add(i32x4.max_s(v128.load(cell), v128.load(cell, 4)), i32x4.splat(1)),
        v128.load(cell, 8),
      );
      const other = i32x4.sub(from, ks);
      const placeA = i32x4.min_s(i32x4.max_s(from, i32x4.splat(0)), i32x4.splat(aEnd));
      const placeB = i32x4.min_s(i32x4.max_s(other, i32x4.splat(0)), i32x4.splat(bEnd));
      const inside = v128.and(
        v128.and(i32x4.eq(from, placeA), i32x4.eq(other, placeB)),
        i32x4.le_s(ks, i32x4.splat(hi)),
      );
      const scores = i32x4.sub(i32x4.shl(from, 1), i32x4.add(ks, i32x4.splat(d * differenceCost)));
      const alive = v128.and(inside, i32x4.ge_s(scores, i32x4.splat(floor)));
      v128.store(out, v128.bitselect(from, i32x4.splat(dead), alive));
      let living = i32x4.bitmask(alive);
      // Usually, no tokens match at the ends of these four paths, so there is nothing to extend.
      let alike = i32x4.bitmask(inside) & sameFour(tokensAt(a, placeA, step), tokensAt(b, placeB, step), names);
      for (; alike; alike &= alike - 1) {
        const lane = ctz<i32>(alike);
        const diagonal = k + lane;
        const at = addressAt<u32>(cell, lane);
        const begin = max(max(load<i32>(at), load<i32>(at, 4)) + 1, load<i32>(at, 8));
        const to = slide(a, b, step, begin, begin - diagonal, aEnd, bEnd, names);
        const score = (to << 1) - diagonal - d * differenceCost;
        if (score < floor) continue;
        setItem<i32>(out, lane, to);
        living |= 1 << lane;
        if (score > best) {
          best = score;
          bestD = d;
          bestK = diagonal;
          bestI = to;
        }
      }
      if (!living) continue;
      newLo = min(newLo, k + ctz<i32>(living));
      newHi = k + 31 - clz<i32>(living);
    }
    out = addressAt<u32>(start, hi - lo + 1);
    store<i64>(out, deadPair);
    if (newLo > newHi) break;
    before = addressAt<u32>(start, newLo - lo);
    itemOf<Row>(rows, d).set(newLo, newHi, <i32>((before - cells) >> 2));
    used += hi - lo + 5;
    lo = newLo;
    hi = newHi;
  }
  // Follow the best path back to its beginning. Each step repeats the choice that was made before.
  i = bestI;
  let k = bestK;
  for (let d = bestD; d >= 0; d--) {
    let from: i32 = 0;
    let nextK = k;
    if (d > 0) {
      const before = itemOf<Row>(rows, d - 1);
      const bLo = before.lowest;
      const bHi = before.highest;
      const bCells = addressAt<u32>(cells, before.cells);
      from = dead;
      if (k - 1 >= bLo && k - 1 <= bHi) {
        const x = itemOf<i32>(bCells, k - 1 - bLo) + 1;
        if (x > from) {
          from = x;
          nextK = k - 1;
        }
      }
      if (k >= bLo && k <= bHi) {
        const x = itemOf<i32>(bCells, k - bLo) + 1;
        if (x > from) {
          from = x;
          nextK = k;
        }
      }
      if (k + 1 >= bLo && k + 1 <= bHi) {
        const x = itemOf<i32>(bCells, k + 1 - bLo);
        if (x > from) {
          from = x;
          nextK = k + 1;
        }
      }
    }
    if (i > from && lists.otherRunCount < runRoom) {
      const length = <u32>(i - from);
      if (step > 0) addOtherRun(originA + <u32>from, originB + <u32>(from - k), length);
      else addOtherRun(originA - <u32>i, originB - <u32>(i - k), length);
    }
    // Before this step and the equal tokens after it, the path was on diagonal nextK, at `from` minus the step itself.
    i = nextK == k + 1 ? from : from - 1;
    k = nextK;
  }
  extension.usedA = <u32>bestI;
  extension.usedB = <u32>(bestI - bestK);
}

/**
 * Returns the first coordinate of the end of the run of equal tokens that begins at (i, j) and follows the diagonal.
 * Compares four tokens at a time without branches, because the end is unpredictable. Tokens beyond the ends are read,
 * but not counted.
 */
@inline export function slide(a: usize, b: usize, step: isize, i: i32, j: i32, aEnd: i32, bEnd: i32, names: bool): i32 {
  const room = min(aEnd - i, bEnd - j);
  const x = a + <usize>(<isize>i * step);
  const y = b + <usize>(<isize>j * step);
  const length = alikeOfFour(x, y, step, names);
  if (length < 4 || room <= 4) return i + min(length, room);
  return i + slideFar(x + <usize>(step << 2), y + <usize>(step << 2), step, 4, room, names);
}

/** Returns the tokens at four indices. Element i is at address + i × step. */
@inline function tokensAt(address: usize, places: v128, step: isize): v128 {
  const offsets = step > 0 ? i32x4.shl(places, 2) : i32x4.neg(i32x4.shl(places, 2));
  const at = i32x4.add(i32x4.splat(<i32>address), offsets);
  let tokens = v128.load32_zero(<usize>i32x4.extract_lane(at, 0));
  tokens = v128.load32_lane(<usize>i32x4.extract_lane(at, 1), tokens, 1);
  tokens = v128.load32_lane(<usize>i32x4.extract_lane(at, 2), tokens, 2);
  return v128.load32_lane(<usize>i32x4.extract_lane(at, 3), tokens, 3);
}

/** Compares four tokens at x with four tokens at y. Returns the number of equal pairs before the first unequal pair. */
@inline function alikeOfFour(x: usize, y: usize, step: isize, names: bool): i32 {
  // If the direction is backward, x and y point to the last of the four tokens.
  return step > 0
    ? ctz<i32>(~sameFour(v128.load(x), v128.load(y), names))
    : clz<i32>(~(sameFour(v128.load(x - 12), v128.load(y - 12), names) << 28));
}

function slideFar(x: usize, y: usize, step: isize, length: i32, room: i32, names: bool): i32 {
  for (; length < room; length += 4) {
    const alike = alikeOfFour(x, y, step, names);
    if (alike < 4) return min(length + alike, room);
    x += <usize>(step << 2);
    y += <usize>(step << 2);
  }
  return room;
}

/** Evaluates `same` for four pairs of tokens. Returns one bit for each pair. */
@inline function sameFour(x: v128, y: v128, names: bool): i32 {
  // A separator has all bits set. It matches no token.
  let alike = v128.andnot(i32x4.eq(x, y), i32x4.eq(x, i32x4.splat(-1)));
  if (names) {
    const oneKind = i32x4.eq(v128.and(v128.xor(x, y), i32x4.splat(kindMask)), i32x4.splat(0));
    alike = v128.or(alike, v128.and(areNames(x), oneKind));
  }
  return i32x4.bitmask(alike);
}
