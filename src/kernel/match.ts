// From seeds to matches: a seed (two windows with near fingerprints) is extended along the tokens of both documents by
// greedy gapped alignment (Zhang, Schwartz, Wagner, Miller 2000), the pieces of one pair of documents are chained across
// gaps, rescored and trimmed to their best-scoring stretch.
//
// An alignment is a list of runs { a, b, length }: tokens a … a + length − 1 of the left document stand for
// b … b + length − 1 of the right one. While extending, names count as equal when they are of one kind; rescoring then
// asks whether they are equal as written, or renamed consistently.
import { blockAround, blockEnd, blockStart, endsStatement, isCloser, isOpener, nearestLineEnd, nearestLineStart, paragraphAround, setBrackets } from './bounds';
import { documentBytes } from './candidates';
import { abstractToken, isName } from './fingerprint';
import { raritySlot } from './rarity';

/** Stands between parts of a document that are not one text (a fence, a script block). It equals nothing. */
export const separator: u32 = 0xffffffff;

// What a token of each kind weighs in a score: structure little, words much. Codes as in tokenKind.ts.
const kindWeights = memory.data<u8>([1, 2, 3, 4, 5, 3, 5, 4, 4, 2, 0, 0, 0, 0, 0, 0]);

// Two equal tokens score 2, a differing pair −6, a token on one side only −7: (i + j) − 8 × differences.
const differenceCost: i32 = 8;
const maxDifferences: i32 = 2000;
const cellRoom: i32 = 1 << 19;
const dead: i32 = -0x40000000;
const deadPair: i64 = 0xc0000000c0000000;

const tableBits: u32 = 16;
const tableSlots: u32 = 1 << tableBits;
const runRoom: u32 = 1 << 17;
const pieceRoom: u32 = 1 << 13;
const runBytes: usize = 12;
const filterBytes: usize = 512;
/** Pairs of names in one alignment, and columns that are remembered; what goes beyond them is looked up, or inconsistent. */
const pairRoom: u32 = 1 << 14;
const columnRoom: u32 = 1 << 20;
const pairBytes: usize = 16;
const anchorSlots: usize = 512;
/** More than the tokens that a gap may have. */
const anchorRoom: usize = 1024;
const pieceBytes: usize = 48;
/** Pieces looked back at to see whether a seed is covered already. */
const lookBack: u32 = 24;

// Parts of the scratch memory, laid out by `prepare`.
let rows: usize = 0; // maxDifferences records { lo, hi, address of cell 0 }
let cells: usize = 0;
let table: usize = 0; // tableSlots records { key u64, stamp u32, count u32 }
let runs: usize = 0;
let otherRuns: usize = 0;
let pieces: usize = 0;
let order: usize = 0;
let filter: usize = 0; // a bit for each hash of a name, filterBytes
let anchors: usize = 0; // anchorSlots slots (u16), then of each anchor the one before it in its slot (u16) and its hash (u32)
let pairs: usize = 0; // pairRoom records { record of the left name, of the right name, count, agreement }
let columns: usize = 0; // the pair of each column with a renamed name, u16
let features: usize = 0; // featureCount numbers, f64
let stamp: u32 = 0;

// Settings of this call.
let xDrop: i32 = 0;
let promisingScore: i32 = 0;
let gapRoom: u32 = 0;
let leastScore: i32 = 0;
let codeTokens: u32 = 0;
let proseTokens: u32 = 0;
let codeSimilarity: f64 = 0;
let proseSimilarity: f64 = 0;
let convictions: usize = 0; // see `conviction`
let givenCost: f64 = 0;
let renaming: bool = true;
let rarities: usize = 0; // u8 for each slot

// The pair of documents at hand.
let left: usize = 0;
let leftCount: u32 = 0;
let right: usize = 0;
let rightCount: u32 = 0;
// Whether separators part it into texts of their own: then nothing is aligned across them.
let leftApart: bool = false;
let rightApart: bool = false;
// The stretch of either side that the extension at hand may use.
let leftFrom: u32 = 0;
let leftTo: u32 = 0;
let rightFrom: u32 = 0;
let rightTo: u32 = 0;
let leftLines: usize = 0;
let leftLineCount: u32 = 0;
let rightLines: usize = 0;
let rightLineCount: u32 = 0;
let family: u32 = 0;
let given: bool = false;
let leastTokens: u32 = 0;
let leastSimilarity: f64 = 0;
let sameDocument: bool = false;

let gapFactor: i32 = 1;
let runCount: u32 = 0;
let otherRunCount: u32 = 0;
let pieceCount: u32 = 0;
// What the last extension used of either side.
let usedA: u32 = 0;
let usedB: u32 = 0;

/** Bytes of scratch memory that `matchSeeds` needs. */
export function matchScratchBytes(): usize {
  return <usize>maxDifferences * 12 + (<usize>cellRoom << 2) + (<usize>(tableSlots + 1) << 4) + <usize>runRoom * runBytes * 2 + <usize>pieceRoom * (pieceBytes + 4) + filterBytes + anchorSlots * 2 + anchorRoom * 6 + <usize>pairRoom * pairBytes + <usize>columnRoom * 2 + (featureCount << 3) + 96;
}

/** Lays the scratch memory out and clears what has to be clear. Once for each instance. */
export function prepareMatching(scratch: usize): void {
  rows = scratch;
  cells = rows + <usize>maxDifferences * 12 + 16;
  table = (cells + (<usize>cellRoom << 2) + 15) & ~15;
  runs = table + (<usize>(tableSlots + 1) << 4);
  otherRuns = runs + <usize>runRoom * runBytes;
  pieces = otherRuns + <usize>runRoom * runBytes;
  order = pieces + <usize>pieceRoom * pieceBytes;
  filter = order + (<usize>pieceRoom << 2);
  anchors = filter + filterBytes;
  pairs = (anchors + anchorSlots * 2 + anchorRoom * 6 + 15) & ~15;
  columns = pairs + <usize>pairRoom * pairBytes;
  features = (columns + <usize>columnRoom * 2 + 15) & ~15;
  memory.fill(table, 0, <usize>tableSlots << 4);
  stamp = 0;
}

/**
 * Sorts seeds { docA, docB, posA | bits << 27, posB } by docA, docB, posB, posA, bits. `other` is of the same size;
 * `counts` has 2,048 words. The result is in `seeds` again.
 */
export function sortSeeds(seeds: usize, other: usize, n: u32, counts: usize): void {
  let passes: u32 = 0;
  for (let field: u32 = 0; field < 5; field++) {
    const offset: usize = field < 2 ? 8 : field == 2 ? 12 : field == 3 ? 4 : 0;
    const lowest: u32 = field == 0 ? 27 : 0;
    const mask: u32 = field == 1 ? 0x07ffffff : 0xffffffff;
    let most: u32 = 0;
    for (let i: u32 = 0; i < n; i++) most |= load<u32>(seeds + (<usize>i << 4) + offset) & mask;
    for (let shift = lowest; shift < 32 && most >> shift; shift += 11) {
      memory.fill(counts, 0, 2048 << 2);
      for (let i: u32 = 0; i < n; i++) {
        const slot = counts + (((load<u32>(seeds + (<usize>i << 4) + offset) & mask) >> shift) & 2047) * 4;
        store<u32>(slot, load<u32>(slot) + 1);
      }
      let sum: u32 = 0;
      for (let slot = counts; slot < counts + (2048 << 2); slot += 4) {
        const count = load<u32>(slot);
        store<u32>(slot, sum);
        sum += count;
      }
      for (let i: u32 = 0; i < n; i++) {
        const seed = seeds + (<usize>i << 4);
        const slot = counts + (((load<u32>(seed + offset) & mask) >> shift) & 2047) * 4;
        const place = load<u32>(slot);
        store<u32>(slot, place + 1);
        v128.store(other + (<usize>place << 4), v128.load(seed));
      }
      const swapped = seeds;
      seeds = other;
      other = swapped;
      passes++;
    }
  }
  if (passes & 1) memory.copy(other, seeds, <usize>n << 4);
}

/**
 * The matches of sorted seeds [from, to).
 *
 * @param documents  records as `gatherWindows` reads them
 * @param settings   see `readSettings`
 * @param out        records of 64 bytes, see `emit`; room for `room` of them
 * @param progress   u32: the seed to go on with, when `room` is used up
 * @returns          records written
 */
export function matchSeeds(seeds: usize, from: u32, to: u32, documents: usize, settings: usize, out: usize, room: u32, progress: usize): u32 {
  readSettings(settings);
  let written: u32 = 0;
  let seed = from;
  while (seed < to) {
    const first = seeds + (<usize>seed << 4);
    const docA = load<u32>(first);
    const docB = load<u32>(first, 4);
    let end = seed + 1;
    while (end < to && load<u64>(seeds + (<usize>end << 4)) == load<u64>(first)) end++;
    openPair(documents, docA, docB);
    for (let i = seed; i < end; i++) {
      const record = seeds + (<usize>i << 4);
      const word = load<u32>(record, 8);
      extendSeed(word & 0x07ffffff, load<u32>(record, 12), word >> 27);
    }
    if (written + pieceCount > room) break;
    written = chainPieces(docA, docB, out, written);
    seed = end;
  }
  store<u32>(progress, seed);
  return written;
}

/**
 * The match of two given passages, tokens [a0, a1) of docA and [b0, b1) of docB, aligned from their beginnings. Writes a record as `matchSeeds` does; returns 1, or 0 when they do not match.
 */
export function matchPassages(documents: usize, settings: usize, docA: u32, a0: u32, a1: u32, docB: u32, b0: u32, b1: u32, out: usize): u32 {
  readSettings(settings);
  openPair(documents, docA, docB);
  given = true;
  renamedCopy = renaming;
  otherRunCount = 0;
  reach(a0, b0, 1, a1 - a0, b1 - b0);
  leap(a0 + usedA, b0 + usedB, 1, a1 - a0 - usedA, b1 - b0 - usedB);
  for (let i: u32 = 0; i < otherRunCount; i++) copyRun(otherRuns + <usize>i * runBytes);
  if (!runCount) return 0;
  rescore(runs, 0, runCount);
  if (bestScore < leastScore) return 0;
  const p = piece(0);
  trim(runs, p);
  store<i32>(p, bestScore, 16);
  otherRunCount = 0;
  appendRuns(p);
  return emit(docA, docB, 64, out, 0, p, false);
}

// The layout of the settings: matches.ts writes it.
function readSettings(settings: usize): void {
  xDrop = load<i32>(settings);
  gapRoom = load<u32>(settings, 4);
  leastScore = load<i32>(settings, 8);
  promisingScore = load<i32>(settings, 12);
  setBrackets(<usize>load<u32>(settings, 16));
  rarities = <usize>load<u32>(settings, 20);
  codeTokens = load<u32>(settings, 24);
  proseTokens = load<u32>(settings, 28);
  convictions = <usize>load<u32>(settings, 32);
  codeSimilarity = load<f64>(settings, 40);
  proseSimilarity = load<f64>(settings, 48);
  givenCost = load<f64>(settings, 56);
}

function openPair(documents: usize, docA: u32, docB: u32): void {
  const a = documents + <usize>docA * documentBytes;
  const b = documents + <usize>docB * documentBytes;
  left = <usize>load<u32>(a);
  leftCount = load<u32>(a, 4);
  right = <usize>load<u32>(b);
  rightCount = load<u32>(b, 4);
  leftLines = <usize>load<u32>(a, 32);
  leftLineCount = load<u32>(a, 36);
  rightLines = <usize>load<u32>(b, 32);
  rightLineCount = load<u32>(b, 36);
  renaming = (load<u32>(a, 8) & 1) == 0;
  leastTokens = renaming ? codeTokens : proseTokens;
  leastSimilarity = renaming ? codeSimilarity : proseSimilarity;
  family = (load<u32>(a, 8) >> 1) & 255;
  leftApart = (load<u32>(a, 8) >> 31) != 0;
  rightApart = (load<u32>(b, 8) >> 31) != 0;
  leftFrom = rightFrom = 0;
  leftTo = leftCount;
  rightTo = rightCount;
  sameDocument = docA == docB;
  given = false;
  runCount = 0;
  pieceCount = 0;
}

@inline function leftToken(i: u32): u32 { return load<u32>(left + (<usize>i << 2)); }
@inline function rightToken(i: u32): u32 { return load<u32>(right + (<usize>i << 2)); }

@inline function same(x: u32, y: u32): bool {
  return sameTokens(x, y, renaming);
}

@inline function sameTokens(x: u32, y: u32, names: bool): bool {
  return x == y ? x != separator : names && ((x ^ y) & 15) == 0 && isName(x);
}

// ---------------------------------------------------------------------------------------------------------------------
// Extending

// A piece: { a0, a1, b0, b1, score, first run, end run, bits, used }
@inline function piece(i: u32): usize { return pieces + <usize>i * pieceBytes; }

function extendSeed(posA: u32, posB: u32, bits: u32): void {
  // Covered by a piece already: the nearest bits are kept.
  for (let i = pieceCount, end = pieceCount > lookBack ? pieceCount - lookBack : 0; i-- > end; ) {
    const p = piece(i);
    if (posA < load<u32>(p) || posA >= load<u32>(p, 4) || posB < load<u32>(p, 8) || posB >= load<u32>(p, 12)) continue;
    if (!onPath(p, posA, posB)) continue;
    if (bits < load<u32>(p, 28)) store<u32>(p, bits, 28);
    return;
  }
  if (pieceCount >= pieceRoom || runCount + (1 << 14) > runRoom) return;
  const firstRun = runCount;
  extendAround(posA, posB);
  if (runCount > firstRun) {
    // Most seeds are a chance likeness: only what is promising is followed over gaps.
    const certain = surelyPromising(firstRun);
    if (!certain) rescore(runs, firstRun, runCount);
    const reached = runCount;
    if (certain || bestScore >= promisingScore) {
      renamedCopy = renaming && mostlyRenamed(firstRun);
      leapBoth(firstRun);
    }
    if (certain || runCount > reached) rescore(runs, firstRun, runCount);
  }
  // What was looked at is remembered even when it is no match, so that its other seeds are not tried again.
  const p = piece(pieceCount++);
  store<u32>(p, bits, 28);
  store<u32>(p, firstRun, 20);
  store<u32>(p, runCount, 24);
  store<u32>(p, 0, 32);
  if (runCount == firstRun) {
    store<u32>(p, posA); store<u32>(p, posA + 1, 4); store<u32>(p, posB, 8); store<u32>(p, posB + 1, 12);
    store<i32>(p, 0, 16);
    return;
  }
  if (bestScore < leastScore) {
    const last = runs + <usize>(runCount - 1) * runBytes;
    const first = runs + <usize>firstRun * runBytes;
    store<u32>(p, load<u32>(first)); store<u32>(p, load<u32>(last) + load<u32>(last, 8), 4);
    store<u32>(p, load<u32>(first, 4), 8); store<u32>(p, load<u32>(last, 4) + load<u32>(last, 8), 12);
    store<i32>(p, 0, 16);
    runCount = firstRun;
    store<u32>(p, runCount, 24);
    return;
  }
  trim(runs, p);
  store<i32>(p, bestScore, 16);
}

/**
 * Whether a run from `firstRun` on scores enough to be promising even if each of its renamed names were inconsistent:
 * then `rescore` finds no less, and need not be asked.
 */
function surelyPromising(firstRun: u32): bool {
  for (let r = firstRun; r < runCount; r++) {
    const run = runs + <usize>r * runBytes;
    const a = load<u32>(run), b = load<u32>(run, 4), length = load<u32>(run, 8);
    let score: i32 = 0;
    for (let i: u32 = 0; i < length; i++) {
      const x = leftToken(a + i);
      const weight = weightOf(x);
      score = x == rightToken(b + i) ? score + (weight << 1) : max(0, score - weight);
      if (score >= promisingScore) return true;
    }
  }
  return false;
}

// What the extension at hand reaches: tokens [fromA, toA) and [fromB, toB).
let fromA: u32 = 0;
let toA: u32 = 0;
let fromB: u32 = 0;
let toB: u32 = 0;

/** Extends a seed forward and backward; the runs are appended in ascending order. */
function extendAround(posA: u32, posB: u32): void {
  if (leftApart) { leftFrom = partStart(left, posA); leftTo = partEnd(left, leftCount, posA); }
  if (rightApart) { rightFrom = partStart(right, posB); rightTo = partEnd(right, rightCount, posB); }
  // In one document the left passage must end before the right one begins.
  otherRunCount = 0;
  reach(posA, posB, 1, (sameDocument ? min(posB, leftTo) : leftTo) - posA, rightTo - posB);
  toA = posA + usedA;
  toB = posB + usedB;
  const forward = otherRunCount;
  reach(posA, posB, -1, posA - leftFrom, posB - (sameDocument ? max(toA, rightFrom) : rightFrom));
  fromA = posA - usedA;
  fromB = posB - usedB;
  for (let i = otherRunCount; i-- > forward; ) copyRun(otherRuns + <usize>i * runBytes);
  for (let i: u32 = 0; i < forward; i++) copyRun(otherRuns + <usize>i * runBytes);
}

/** Where the text between separators begins that has the token at `position`. */
function partStart(tokens: usize, position: u32): u32 {
  while (position > 0 && load<u32>(tokens + (<usize>(position - 1) << 2)) != separator) position--;
  return position;
}

function partEnd(tokens: usize, count: u32, position: u32): u32 {
  while (position < count && load<u32>(tokens + (<usize>position << 2)) != separator) position++;
  return position;
}

/** Goes on over gaps at both ends of the runs from `firstRun` on. */
function leapBoth(firstRun: u32): void {
  otherRunCount = 0;
  toA += leap(toA, toB, 1, (sameDocument ? min(fromB, leftTo) : leftTo) - toA, rightTo - toB);
  for (let i: u32 = 0; i < otherRunCount; i++) copyRun(otherRuns + <usize>i * runBytes);
  otherRunCount = 0;
  leap(fromA, fromB, -1, fromA - leftFrom, fromB - (sameDocument ? max(toA, rightFrom) : rightFrom));
  if (otherRunCount == 0 || runCount + otherRunCount > runRoom) return;
  const to = runs + <usize>(firstRun + otherRunCount) * runBytes;
  memory.copy(to, runs + <usize>firstRun * runBytes, <usize>(runCount - firstRun) * runBytes);
  for (let i: u32 = 0; i < otherRunCount; i++) {
    memory.copy(runs + <usize>(firstRun + i) * runBytes, otherRuns + <usize>(otherRunCount - 1 - i) * runBytes, runBytes);
  }
  runCount += otherRunCount;
}

/** Extends from (posA, posB) in one direction as far as greedy alignment reaches; appends to otherRuns, nearest first. */
function reach(posA: u32, posB: u32, direction: i32, roomA: u32, roomB: u32): void {
  const before = otherRunCount;
  const behind: usize = direction > 0 ? 0 : 4;
  const step: isize = direction << 2;
  extend(left + (<usize>posA << 2) - behind, step, roomA, right + (<usize>posB << 2) - behind, step, roomB, posA, posB);
  reverseRuns(before);
}

/**
 * Goes on behind the gap at (posA, posB), and behind the next, as long as what lies behind is worth more than the gap
 * costs. Appends to otherRuns, nearest first; returns how many tokens of the left side that took.
 */
function leap(posA: u32, posB: u32, direction: i32, roomA: u32, roomB: u32): u32 {
  const behind: usize = direction > 0 ? 0 : 4;
  let i: u32 = 0, j: u32 = 0;
  for (let leaps = 0; leaps < 64; leaps++) {
    let a = direction > 0 ? posA + i : posA - i;
    let b = direction > 0 ? posB + j : posB - j;
    const nearA = left + (<usize>a << 2) - behind, nearB = right + (<usize>b << 2) - behind;
    if (!jump(nearA, nearB, direction << 2, min(roomA - i, gapRoom), min(roomB - j, gapRoom))) break;
    a += direction > 0 ? jumpedA : -jumpedA;
    b += direction > 0 ? jumpedB : -jumpedB;
    const before = otherRunCount;
    reach(a, b, direction, roomA - i - jumpedA, roomB - j - jumpedB);
    if (!worthJump(before, a, b, direction)) {
      otherRunCount = before;
      break;
    }
    i += jumpedA + usedA;
    j += jumpedB + usedB;
  }
  return i;
}

// How far the last jump went on either side, and what the gap costs.
let jumpedA: u32 = 0;
let jumpedB: u32 = 0;

/** Whether the piece at hand owes more to renaming than to text equal as written: then anchors are abstracted too. */
let renamedCopy: bool = false;

/** Tokens that have to be equal behind a gap for it to be jumped. */
const anchorTokens: u32 = 6;

/**
 * Looks for the nearest place behind a gap where both sides go on alike: an anchor of a few equal tokens, as written or
 * with names abstracted. The candidates are compared by how long they go on less how far they are.
 */
function jump(a: usize, b: usize, step: isize, roomA: u32, roomB: u32): bool {
  if (roomA < anchorTokens || roomB < anchorTokens) return false;
  // Anchors of b by hash: slots of a place + 1, chained through `next`.
  const slots = anchors;
  const next = slots + anchorSlots * 2;
  const hashes = next + anchorRoom * 2;
  const renamed = renamedCopy;
  memory.fill(slots, 0, anchorSlots * 2);
  // Rolling hashes of anchorTokens tokens: the oldest token's factor is anchorBase ^ (anchorTokens − 1).
  let hash: u32 = 0;
  let newest = b;
  let oldest = b;
  for (let j: u32 = 0; j < roomB; j++, newest += <usize>step) {
    hash = hash * anchorBase + anchorValue(load<u32>(newest), renamed);
    if (j + 1 < anchorTokens) continue;
    const first = j + 1 - anchorTokens;
    const slot = slots + (slotOfAnchor(hash) << 1);
    store<u16>(next + (<usize>first << 1), load<u16>(slot));
    store<u32>(hashes + (<usize>first << 2), hash);
    store<u16>(slot, <u16>(first + 1));
    hash -= anchorValue(load<u32>(oldest), renamed) * anchorLeading;
    oldest += <usize>step;
  }
  let best: i32 = 0;
  let tried = 0;
  hash = 0;
  newest = a;
  for (let i: u32 = 0; i < roomA; i++, newest += <usize>step) {
    hash = hash * anchorBase + anchorValue(load<u32>(newest), renamed);
    if (i + 1 < anchorTokens) continue;
    const first = i + 1 - anchorTokens;
    const from = a + <usize>(<isize>first * step);
    const sought = hash;
    hash -= anchorValue(load<u32>(from), renamed) * anchorLeading;
    for (let j = <u32>load<u16>(slots + (slotOfAnchor(sought) << 1)); j > 0; j = load<u16>(next + (<usize>(j - 1) << 1))) {
      if (load<u32>(hashes + (<usize>(j - 1) << 2)) != sought) continue;
      const to = b + <usize>(<isize>(j - 1) * step);
      let gain: i32 = 0;
      let length: u32 = 0;
      while (length < 40 && first + length < roomA && j - 1 + length < roomB) {
        const x = load<u32>(from + <usize>(<isize>length * step));
        const y = load<u32>(to + <usize>(<isize>length * step));
        if (!same(x, y)) break;
        gain += x == y ? weightOf(x) << 2 : weightOf(x);
        length++;
      }
      if (length < anchorTokens) continue;
      const value = gain - <i32>(first + j - 1) * 2;
      if (value > best) {
        best = value;
        jumpedA = first;
        jumpedB = j - 1;
      }
      if (++tried > 60) return best > 0;
    }
  }
  return best > 0;
}

const anchorBase: u32 = 0x01000193;
const anchorLeading: u32 = anchorBase * anchorBase * anchorBase * anchorBase * anchorBase;

/** What a token adds to an anchor's hash: as written, or of a renamed copy with names abstracted. */
@inline function anchorValue(token: u32, renamed: bool): u32 {
  return renamed ? abstractToken(token) : token;
}

@inline function slotOfAnchor(hash: u32): usize {
  return <usize>((hash * 0x9e3779b1) >> 23);
}

/** Whether the runs from `before` on give more than the gap between them and (originA, originB) less the jump costs. */
function worthJump(before: u32, originA: u32, originB: u32, direction: i32): bool {
  if (before == otherRunCount) return false;
  let gain: i32 = direction > 0
    ? -gapCost(originA - jumpedA, originA, originB - jumpedB, originB)
    : -gapCost(originA, originA + jumpedA, originB, originB + jumpedB);
  for (let r = before; r < otherRunCount; r++) {
    const run = otherRuns + <usize>r * runBytes;
    const a = load<u32>(run), b = load<u32>(run, 4), length = load<u32>(run, 8);
    if (r > before) {
      const last = run - runBytes;
      gain -= direction > 0
        ? gapCost(load<u32>(last) + load<u32>(last, 8), a, load<u32>(last, 4) + load<u32>(last, 8), b)
        : gapCost(a + length, load<u32>(last), b + length, load<u32>(last, 4));
    }
    for (let i: u32 = 0; i < length; i++) {
      const x = leftToken(a + i);
      gain += x == rightToken(b + i) ? weightOf(x) << 1 : weightOf(x) >> 1;
    }
  }
  return gain > 0;
}

/**
 * Whether the alignment of a piece leads through (posA, posB), or leaves posA out. In text that resembles itself the same
 * two stretches align in several ways, and the best is not always found first.
 */
function onPath(p: usize, posA: u32, posB: u32): bool {
  for (let r = load<u32>(p, 20), end = load<u32>(p, 24); r < end; r++) {
    const run = runs + <usize>r * runBytes;
    const a = load<u32>(run);
    if (posA < a) return true;
    if (posA < a + load<u32>(run, 8)) return posB - posA == load<u32>(run, 4) - a;
  }
  return load<u32>(p, 20) < load<u32>(p, 24) || posB - posA == load<u32>(p, 8) - load<u32>(p);
}

/** Whether under three in four names of the runs from `firstRun` on are equal as written. */
function mostlyRenamed(firstRun: u32): bool {
  let equal: u32 = 0, names: u32 = 0;
  for (let r = firstRun; r < runCount; r++) {
    const run = runs + <usize>r * runBytes;
    const a = load<u32>(run), b = load<u32>(run, 4), length = load<u32>(run, 8);
    for (let i: u32 = 0; i < length; i++) {
      const x = leftToken(a + i);
      if (!isName(x)) continue;
      names++;
      if (x == rightToken(b + i)) equal++;
    }
  }
  return equal * 4 < names * 3;
}

/** Turns the runs from `before` on around. */
function reverseRuns(before: u32): void {
  for (let x = before, y = otherRunCount; x + 1 < y; x++) {
    y--;
    const low = otherRuns + <usize>x * runBytes, high = otherRuns + <usize>y * runBytes;
    for (let field: usize = 0; field < runBytes; field += 4) {
      const kept = load<u32>(low + field);
      store<u32>(low + field, load<u32>(high + field));
      store<u32>(high + field, kept);
    }
  }
}

@inline function copyRun(from: usize): void {
  const length = load<u32>(from, 8);
  if (!length || runCount >= runRoom) return;
  const a = load<u32>(from);
  const b = load<u32>(from, 4);
  // Touching the run before it on the same diagonal: one run.
  const to = runs + <usize>runCount * runBytes;
  store<u32>(to, a);
  store<u32>(to, b, 4);
  store<u32>(to, length, 8);
  runCount++;
}

/**
 * Greedy extension from (0, 0) over a[0 … aLength) and b[0 … bLength), where element i is at address + i × step.
 * Appends the runs of the best path to otherRuns, the farthest first, in document positions counted from originA and
 * originB, and sets usedA and usedB to how many elements of each the best path uses.
 *
 * R(d, k) is the farthest i on diagonal k = i − j that d differences reach. Paths that fall more than xDrop below the
 * best score are given up.
 */
function extend(a: usize, step: isize, aLength: u32, b: usize, bStep: isize, bLength: u32, originA: u32, originB: u32): void {
  const aEnd = <i32>aLength;
  const bEnd = <i32>bLength;
  const names = renaming;
  let i = slide(a, b, step, 0, 0, aEnd, bEnd, names);
  let best = i << 1;
  let bestD: i32 = 0;
  let bestK: i32 = 0;
  let bestI = i;
  let lo: i32 = 0;
  let hi: i32 = 0;
  // Two dead cells on either side of a row stand for the diagonals that it does not reach.
  let used: i32 = 5;
  let before = cells + 8;
  store<i32>(rows, 0); store<i32>(rows, 0, 4); store<i32>(rows, 2, 8);
  store<i64>(cells, deadPair);
  store<i32>(before, i);
  store<i64>(before, deadPair, 4);
  for (let d: i32 = 1; d < maxDifferences; d++) {
    // `before` is the cell of diagonal lo in the row before this one; this row begins one diagonal further out.
    let cell = before - 8;
    lo--; hi++;
    if (used + (hi - lo + 5) > cellRoom) break;
    const floor = best - xDrop;
    let newLo: i32 = 0x7fffffff;
    let newHi: i32 = -0x7fffffff;
    const start = cells + (<usize>(used + 2) << 2);
    let out = start;
    store<i64>(start - 8, deadPair);
    let lower = load<i32>(cell);
    let middle = load<i32>(cell, 4);
    for (let k = lo; k <= hi; k++) {
      const upper = load<i32>(cell, 8);
      cell += 4;
      const from = max(max(lower, middle) + 1, upper);
      lower = middle;
      middle = upper;
      const other = from - k;
      let reached = dead;
      if (from >= 0 && from <= aEnd && other <= bEnd && other >= 0) {
        const to = slide(a, b, step, from, other, aEnd, bEnd, names);
        const score = (to << 1) - k - d * differenceCost;
        if (score >= floor) {
          reached = to;
          if (k < newLo) newLo = k;
          newHi = k;
          if (score > best) { best = score; bestD = d; bestK = k; bestI = to; }
        }
      }
      store<i32>(out, reached);
      out += 4;
    }
    store<i64>(out, deadPair);
    if (newLo > newHi) break;
    before = start + (<usize>(newLo - lo) << 2);
    const row = rows + <usize>d * 12;
    store<i32>(row, newLo); store<i32>(row, newHi, 4); store<i32>(row, <i32>((before - cells) >> 2), 8);
    used += hi - lo + 5;
    lo = newLo; hi = newHi;
  }
  const bestKFinal = bestK;
  // Back along the best path: on each step the same choice as above.
  i = bestI;
  let k = bestK;
  for (let d = bestD; d >= 0; d--) {
    let from: i32 = 0;
    let nextK = k;
    if (d > 0) {
      const before = rows + <usize>(d - 1) * 12;
      const bLo = load<i32>(before);
      const bHi = load<i32>(before, 4);
      const bCells = cells + (<usize>load<i32>(before, 8) << 2);
      from = dead;
      if (k - 1 >= bLo && k - 1 <= bHi) { const x = load<i32>(bCells + (<usize>(k - 1 - bLo) << 2)) + 1; if (x > from) { from = x; nextK = k - 1; } }
      if (k >= bLo && k <= bHi) { const x = load<i32>(bCells + (<usize>(k - bLo) << 2)) + 1; if (x > from) { from = x; nextK = k; } }
      if (k + 1 >= bLo && k + 1 <= bHi) { const x = load<i32>(bCells + (<usize>(k + 1 - bLo) << 2)); if (x > from) { from = x; nextK = k + 1; } }
    }
    if (i > from && otherRunCount < runRoom) {
      const length = <u32>(i - from);
      const run = otherRuns + <usize>(otherRunCount++) * runBytes;
      if (step > 0) {
        store<u32>(run, originA + <u32>from);
        store<u32>(run, originB + <u32>(from - k), 4);
      } else {
        store<u32>(run, originA - <u32>i);
        store<u32>(run, originB - <u32>(i - k), 4);
      }
      store<u32>(run, length, 8);
    }
    // Before the slide of this step the path came from diagonal nextK, at `from` less the step itself.
    i = nextK == k + 1 ? from : from - 1;
    k = nextK;
  }
  usedA = <u32>bestI;
  usedB = <u32>(bestI - bestKFinal);
}

/** How far the diagonal through (i, j) goes on with equal tokens: the first coordinate of its end. */
@inline function slide(a: usize, b: usize, step: isize, i: i32, j: i32, aEnd: i32, bEnd: i32, names: bool): i32 {
  const room = min(aEnd - i, bEnd - j);
  let x = a + <usize>(<isize>i * step);
  let y = b + <usize>(<isize>j * step);
  let length: i32 = 0;
  // Most slides end at once; what goes on is worth four at a time.
  while (length < room && sameTokens(load<u32>(x), load<u32>(y), names)) {
    x += <usize>step; y += <usize>step;
    if (++length == 4) return i + slideFar(x, y, step, length, room, names);
  }
  return i + length;
}

function slideFar(x: usize, y: usize, step: isize, length: i32, room: i32, names: bool): i32 {
  // Four tokens in the order of memory: behind x when going back.
  const behind: usize = step > 0 ? 0 : 12;
  for (; length + 4 <= room; length += 4) {
    const alike = sameFour(v128.load(x - behind), v128.load(y - behind), names);
    if (alike != 15) return length + (step > 0 ? ctz<i32>(~alike) : clz<i32>(~(alike << 28)));
    x += <usize>(step << 2); y += <usize>(step << 2);
  }
  while (length < room && sameTokens(load<u32>(x), load<u32>(y), names)) {
    x += <usize>step; y += <usize>step;
    length++;
  }
  return length;
}

/** `same` of four tokens at once, as a bit each. */
@inline function sameFour(x: v128, y: v128, names: bool): i32 {
  const kinds = v128.and(x, i32x4.splat(15));
  // A separator is all ones.
  let alike = v128.andnot(i32x4.eq(x, y), i32x4.eq(x, i32x4.splat(-1)));
  if (names) {
    const name = i32x4.le_u(i32x4.sub(kinds, i32x4.splat(3)), i32x4.splat(3));
    const oneKind = i32x4.eq(v128.and(v128.xor(x, y), i32x4.splat(15)), i32x4.splat(0));
    alike = v128.or(alike, v128.and(name, oneKind));
  }
  return i32x4.bitmask(alike);
}

// ---------------------------------------------------------------------------------------------------------------------
// Rescoring

// What `rescore` finds: the best-scoring stretch of runs, from token `bestFrom` of run `bestFirst` to token `bestTo`
// (exclusive) of run `bestLast`.
let bestScore: i32 = 0;
let bestFirst: u32 = 0;
let bestFrom: u32 = 0;
let bestLast: u32 = 0;
let bestTo: u32 = 0;

@inline function weightOf(token: u32): i32 { return <i32>load<u8>(kindWeights + (token & 15)); }

// The part of the table in use is as large as what it is opened for: a small one stays in the nearest cache.
let tableShift: u64 = 48;
let tableMask: u32 = tableSlots - 1;

/** Empties the table, for about so many keys. */
function openTable(keys: u32): void {
  const bits = min<u32>(tableBits, max<u32>(8, 34 - clz<u32>(keys)));
  tableShift = 64 - <u64>bits;
  tableMask = (<u32>1 << bits) - 1;
  stamp++;
  store<u32>(crowdRecord(), 0, 12);
}

/** The record of a key, which is entered if it is new. */
function slotOf(key: u64): usize {
  let slot = <u32>((key * 0x9e3779b97f4a7c15) >> tableShift);
  for (let tries = 0; tries < 64; tries++) {
    const record = table + (<usize>slot << 4);
    if (load<u32>(record, 8) != stamp) {
      store<u64>(record, key);
      store<u32>(record, stamp, 8);
      store<u32>(record, 0, 12);
      return record;
    }
    if (load<u64>(record) == key) return record;
    slot = (slot + 1) & tableMask;
  }
  // A crowded table: the keys that find no place share a record, which can only make a renaming look inconsistent.
  return crowdRecord();
}

@inline function crowdRecord(): usize {
  return table + (<usize>tableSlots << 4);
}

/** The record of a key that is there; 0 if it is not. */
function knownSlot(key: u64): usize {
  let slot = <u32>((key * 0x9e3779b97f4a7c15) >> tableShift);
  for (let tries = 0; tries < 64; tries++) {
    const record = table + (<usize>slot << 4);
    if (load<u32>(record, 8) != stamp) return 0;
    if (load<u64>(record) == key) return record;
    slot = (slot + 1) & tableMask;
  }
  return 0;
}

/** Adds to the count of a key that is there. */
@inline function raiseKnown(key: u64): void {
  const record = knownSlot(key);
  if (record) raise(record, 1);
}

@inline function raise(record: usize, by: u32): void {
  store<u32>(record, load<u32>(record, 12) + by, 12);
}

@inline function leftKey(x: u32): u64 { return (<u64>x << 32) | 0xfffffffe; }
@inline function rightKey(y: u32): u64 { return (<u64>0xfffffffe << 32) | <u64>y; }
@inline function pairKey(x: u32, y: u32): u64 { return (<u64>x << 32) | <u64>y; }

/** Pairs of names that the table holds; pair 0 stands for those that found no room. */
let pairCount: u32 = 0;

/**
 * Counts which name stands for which in runs [first, end), and judges each pair. Only names that stand for another one
 * somewhere are counted: nobody asks for the others. The pair of each column where the two sides differ is remembered,
 * so that `rescore` need not look it up.
 */
function countNames(list: usize, first: u32, end: u32): void {
  let total: u32 = 0;
  for (let r = first; r < end; r++) total += load<u32>(list + <usize>r * runBytes, 8);
  openTable(total << 1);
  pairCount = 0;
  store<u32>(pairs, 0, 12);
  let column: u32 = 0;
  for (let r = first; r < end; r++) {
    const run = list + <usize>r * runBytes;
    const x = left + (<usize>load<u32>(run) << 2), y = right + (<usize>load<u32>(run, 4) << 2);
    const length = load<u32>(run, 8);
    for (let i = equalTokens(x, y, 0, length); i < length; i = equalTokens(x, y, i + 1, length)) {
      const pair = pairOf(load<u32>(x + (<usize>i << 2)), load<u32>(y + (<usize>i << 2)));
      if (column < columnRoom) store<u16>(columns + (<usize>column << 1), <u16>pair);
      column++;
    }
  }
  if (!pairCount) return;
  for (let r = first; r < end; r++) {
    const run = list + <usize>r * runBytes;
    const x = left + (<usize>load<u32>(run) << 2), y = right + (<usize>load<u32>(run, 4) << 2);
    for (let i: usize = 0, bytes = <usize>load<u32>(run, 8) << 2; i < bytes; i += 4) {
      const name = load<u32>(x + i);
      if (!isMarked(name) || name != load<u32>(y + i) || !isName(name)) continue;
      raiseKnown(leftKey(name));
      raiseKnown(rightKey(name));
    }
  }
  for (let i: u32 = 1; i <= pairCount; i++) {
    const pair = pairs + <usize>i * pairBytes;
    raise(<usize>load<u32>(pair), load<u32>(pair, 8));
    raise(<usize>load<u32>(pair, 4), load<u32>(pair, 8));
  }
  for (let i: u32 = 1; i <= pairCount; i++) {
    const pair = pairs + <usize>i * pairBytes;
    const both = load<u32>(pair, 8);
    const mostly = both << 1 > load<u32>(<usize>load<u32>(pair), 12) && both << 1 > load<u32>(<usize>load<u32>(pair, 4), 12);
    store<u32>(pair, mostly ? (both > 1 ? 2 : 1) : 0, 12);
  }
}

/** Counts that name x stands for name y once more, and returns the number of the pair. */
function pairOf(x: u32, y: u32): u32 {
  if (!isName(x) || pairCount + 1 >= pairRoom) return 0;
  const record = slotOf(pairKey(x, y));
  if (record == crowdRecord()) return 0;
  let number = load<u32>(record, 12);
  if (!number) {
    if (!pairCount) memory.fill(filter, 0, filterBytes);
    markName(x);
    markName(y);
    number = ++pairCount;
    store<u32>(record, number, 12);
    const pair = pairs + <usize>number * pairBytes;
    store<u32>(pair, <u32>slotOf(leftKey(x)));
    store<u32>(pair, <u32>slotOf(rightKey(y)), 4);
    store<u32>(pair, 0, 8);
  }
  const count = pairs + <usize>number * pairBytes;
  store<u32>(count, load<u32>(count, 8) + 1, 8);
  return number;
}

/** The first of tokens [i, length) that is not equal as written on both sides; length if all are. */
@inline function equalTokens(x: usize, y: usize, i: u32, length: u32): u32 {
  for (; i + 4 <= length; i += 4) {
    const equal = i32x4.bitmask(i32x4.eq(v128.load(x + (<usize>i << 2)), v128.load(y + (<usize>i << 2))));
    if (equal != 15) return i + ctz<i32>(~equal);
  }
  while (i < length && load<u32>(x + (<usize>i << 2)) == load<u32>(y + (<usize>i << 2))) i++;
  return i;
}

@inline function markName(name: u32): void {
  const bit = (name * 0x9e3779b1) >> 20;
  const byte = filter + (bit >> 3);
  store<u8>(byte, load<u8>(byte) | <u8>(<u32>1 << (bit & 7)));
}

@inline function isMarked(name: u32): bool {
  const bit = (name * 0x9e3779b1) >> 20;
  return (load<u8>(filter + (bit >> 3)) >> (bit & 7)) & 1 ? true : false;
}

/** How x stands for y: 3 equal as written, 2 renamed alike in most places, 1 renamed once only, 0 not consistently. */
function agreement(x: u32, y: u32): u32 {
  if (x == y) return 3;
  const record = knownSlot(pairKey(x, y));
  return record ? load<u32>(pairs + <usize>load<u32>(record, 12) * pairBytes, 12) : 0;
}

/** Finds the stretch of runs [first, end) with the greatest score: the maximum-sum segment of its columns. */
function rescore(list: usize, first: u32, end: u32): void {
  if (renaming) countNames(list, first, end);
  bestScore = 0;
  bestFirst = bestLast = first;
  bestFrom = bestTo = 0;
  let score: i32 = 0;
  let startRun = first;
  let startAt: u32 = 0;
  let column: u32 = 0;
  for (let r = first; r < end; r++) {
    const run = list + <usize>r * runBytes;
    const a = load<u32>(run), b = load<u32>(run, 4), length = load<u32>(run, 8);
    if (r > first) {
      const before = run - runBytes;
      score -= gapCost(load<u32>(before) + load<u32>(before, 8), a, load<u32>(before, 4) + load<u32>(before, 8), b);
      if (score < 0) { score = 0; startRun = r; startAt = 0; }
    }
    for (let i: u32 = 0; i < length; i++) {
      const x = leftToken(a + i);
      const y = rightToken(b + i);
      const weight = weightOf(x) << 1;
      if (x == y) score += weight;
      else {
        const agrees = column < columnRoom
          ? load<u32>(pairs + <usize>load<u16>(columns + (<usize>column << 1)) * pairBytes, 12)
          : agreement(x, y);
        column++;
        if (agrees == 2) score += (weight * 3) >> 2;
        else if (agrees == 0) score -= weight >> 1;
      }
      if (score < 0) { score = 0; startRun = r; startAt = i + 1; }
      else if (score > bestScore) {
        bestScore = score;
        bestFirst = startRun; bestFrom = startAt;
        bestLast = r; bestTo = i + 1;
      }
    }
  }
}

// What the tokens left out on both sides cost: half of what they would give, times the factor.
function gapCost(a0: u32, a1: u32, b0: u32, b1: u32): i32 {
  let sum: i32 = 0;
  for (let i = a0; i < a1; i++) sum += weightOf(leftToken(i));
  for (let i = b0; i < b1; i++) sum += weightOf(rightToken(i));
  return (sum * gapFactor) >> 1;
}

/** Cuts the runs down to what `rescore` found and writes the piece's range and runs. */
function trim(list: usize, p: usize): void {
  if (bestFrom >= load<u32>(list + <usize>bestFirst * runBytes, 8)) { bestFirst++; bestFrom = 0; }
  const last = list + <usize>bestLast * runBytes;
  store<u32>(last, bestTo, 8);
  const firstRun = list + <usize>bestFirst * runBytes;
  store<u32>(firstRun, load<u32>(firstRun) + bestFrom);
  store<u32>(firstRun, load<u32>(firstRun, 4) + bestFrom, 4);
  store<u32>(firstRun, load<u32>(firstRun, 8) - bestFrom, 8);
  store<u32>(p, load<u32>(firstRun));
  store<u32>(p, load<u32>(last) + load<u32>(last, 8), 4);
  store<u32>(p, load<u32>(firstRun, 4), 8);
  store<u32>(p, load<u32>(last, 4) + load<u32>(last, 8), 12);
  store<u32>(p, bestFirst, 20);
  store<u32>(p, bestLast + 1, 24);
}

// ---------------------------------------------------------------------------------------------------------------------
// Chaining

/** Chains the pieces of the pair at hand across gaps and writes what is large and similar enough. */
function chainPieces(docA: u32, docB: u32, out: usize, written: u32): u32 {
  // Pieces in the order of their left passage; the list is short and nearly sorted, so by insertion.
  let n: u32 = 0;
  for (let i: u32 = 0; i < pieceCount; i++) {
    if (load<i32>(piece(i), 16) <= 0) continue;
    const a0 = load<u32>(piece(i));
    const b0 = load<u32>(piece(i), 8);
    let at = n++;
    while (at > 0) {
      const before = load<u32>(order + (<usize>(at - 1) << 2));
      const ba = load<u32>(piece(before));
      if (ba < a0 || (ba == a0 && load<u32>(piece(before), 8) <= b0)) break;
      store<u32>(order + (<usize>at << 2), before);
      at--;
    }
    store<u32>(order + (<usize>at << 2), i);
  }
  for (let i: u32 = 0; i < n; i++) {
    const head = piece(load<u32>(order + (<usize>i << 2)));
    if (load<u32>(head, 32)) continue;
    store<u32>(head, 1, 32);
    otherRunCount = 0;
    appendRuns(head);
    let a1 = load<u32>(head, 4), b1 = load<u32>(head, 12);
    let score = load<i32>(head, 16), bits = load<u32>(head, 28);
    let chained = false;
    for (let j = i + 1; j < n; j++) {
      const next = piece(load<u32>(order + (<usize>j << 2)));
      if (load<u32>(next, 32)) continue;
      const a0 = load<u32>(next), b0 = load<u32>(next, 8);
      if (a0 > a1 + gapRoom) break;
      if (load<u32>(next, 4) <= a1 || load<u32>(next, 12) <= b1 || b0 > b1 + gapRoom) continue;
      // A small overlap belongs to the piece before; a large one means that these are two different alignments.
      const overlap = max<i32>(<i32>a1 - <i32>a0, <i32>b1 - <i32>b0);
      if (overlap > 16) continue;
      if (sameDocument && load<u32>(next, 4) > load<u32>(head, 8)) continue;
      if ((leftApart && partStart(left, a0) > a1) || (rightApart && partStart(right, b0) > b1)) continue;
      const cost = gapCost(a1, max(a0, a1), b1, max(b0, b1));
      if (cost >= min(score, load<i32>(next, 16))) continue;
      store<u32>(next, 1, 32);
      appendRunsFrom(next, a1, b1);
      a1 = load<u32>(next, 4);
      b1 = load<u32>(next, 12);
      score += load<i32>(next, 16) - cost;
      bits = min(bits, load<u32>(next, 28));
      chained = true;
    }
    if (otherRunCount == 0) continue;
    written = emit(docA, docB, bits, out, written, head, chained);
  }
  return written;
}

function appendRuns(p: usize): void {
  for (let r = load<u32>(p, 20), end = load<u32>(p, 24); r < end && otherRunCount < runRoom; r++) {
    memory.copy(otherRuns + <usize>(otherRunCount++) * runBytes, runs + <usize>r * runBytes, runBytes);
  }
}

/** The runs of a piece that lie behind (a1, b1), clipped. */
function appendRunsFrom(p: usize, a1: u32, b1: u32): void {
  for (let r = load<u32>(p, 20), end = load<u32>(p, 24); r < end && otherRunCount < runRoom; r++) {
    const run = runs + <usize>r * runBytes;
    const a = load<u32>(run), b = load<u32>(run, 4), length = load<u32>(run, 8);
    const skip = max(a < a1 ? a1 - a : 0, b < b1 ? b1 - b : 0);
    if (skip >= length) continue;
    const to = otherRuns + <usize>(otherRunCount++) * runBytes;
    store<u32>(to, a + skip); store<u32>(to, b + skip, 4); store<u32>(to, length - skip, 8);
  }
}

/**
 * Writes one match if it is large, similar and convincing enough. An alignment that is too loose as a whole is cut down
 * to a tighter stretch by making gaps dearer; one that nearly fills a block on both sides is widened to the whole of it.
 * The record: docA, docB, a0, a1, b0, b1 (tokens), tokens equal as written, renamed consistently, renamed once, not
 * consistent, bits, score, and four words of nothing.
 */
function emit(docA: u32, docB: u32, bits: u32, out: usize, written: u32, p: usize, chained: bool): u32 {
  const record = out + (<usize>written << 6);
  let first: u32 = 0;
  let end = otherRunCount;
  for (let factor = 1; factor <= 4; factor <<= 1) {
    if (chained || factor > 1) {
      gapFactor = factor;
      rescore(otherRuns, first, end);
      gapFactor = 1;
      if (bestScore < leastScore) return written;
      trim(otherRuns, p);
    } else {
      store<u32>(p, 0, 20);
      store<u32>(p, otherRunCount, 24);
      bestScore = load<i32>(p, 16);
    }
    if (renaming) {
      balance(p);
      trimToLines(p);
    }
    first = load<u32>(p, 20);
    end = load<u32>(p, 24);
    if (first >= end) return written;
    const alignment = otherRunCount;
    for (let level = given ? 0 : renaming ? widestBlock : 1; level >= 0; level--) {
      let found = false;
      takePassages(p);
      if (level == 0) found = convincing(first, end, record);
      else if (widen(first, end, level)) found = convincing(alignment, otherRunCount, record);
      otherRunCount = alignment;
      if (!found) continue;
      store<u32>(record, docA); store<u32>(record, docB, 4);
      store<u32>(record, startA, 8); store<u32>(record, endA, 12);
      store<u32>(record, startB, 16); store<u32>(record, endB, 20);
      store<u32>(record, bits, 40); store<i32>(record, bestScore, 44);
      return written + 1;
    }
  }
  return written;
}

// The passages of the match at hand: tokens [startA, endA) and [startB, endB).
let startA: u32 = 0;
let endA: u32 = 0;
let startB: u32 = 0;
let endB: u32 = 0;

function takePassages(p: usize): void {
  startA = load<u32>(p);
  endA = load<u32>(p, 4);
  startB = load<u32>(p, 8);
  endB = load<u32>(p, 12);
}

/** Blocks around a match that are tried, from the widest on: see `blockAround`. */
const widestBlock: i32 = 2;

@inline function around(tokens: usize, tokenCount: u32, lines: usize, lineCount: u32, from: u32, to: u32, level: i32): bool {
  return renaming
    ? blockAround(tokens, tokenCount, lines, lineCount, from, to, level)
    : paragraphAround(tokenCount, lines, lineCount, from, to);
}

/**
 * Widens the passages at hand to the blocks or paragraphs around them, and appends their alignment to otherRuns: that of the heads,
 * runs [first, end), that of the tails. A person who has copied most of a function or of a paragraph has copied it.
 */
function widen(first: u32, end: u32, level: i32): bool {
  if (!around(left, leftCount, leftLines, leftLineCount, startA, endA, level)) return false;
  const blockA = blockStart, blockEndA = blockEnd;
  if (!around(right, rightCount, rightLines, rightLineCount, startB, endB, level)) return false;
  if (blockA == startA && blockEndA == endA && blockStart == startB && blockEnd == endB) return false;
  if (sameDocument && blockEndA > blockStart) return false;
  reach(blockA, blockStart, 1, startA - blockA, startB - blockStart);
  for (let r = first; r < end && otherRunCount < runRoom; r++) {
    memory.copy(otherRuns + <usize>(otherRunCount++) * runBytes, otherRuns + <usize>r * runBytes, runBytes);
  }
  const tail = otherRunCount;
  reach(blockEndA, blockEnd, -1, blockEndA - endA, blockEnd - endB);
  reverseRuns(tail);
  startA = blockA;
  endA = blockEndA;
  startB = blockStart;
  endB = blockEnd;
  return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// What convinces

/**
 * Whether runs [first, end), an alignment of the passages at hand, make a match worth showing: large enough, similar
 * enough, and convincing enough in code. Writes the counts into the record.
 */
function convincing(first: u32, end: u32, record: usize): bool {
  if (min(endA - startA, endB - startB) < leastTokens) return false;
  if (renaming) countNames(otherRuns, first, end);
  let equal: u32 = 0, consistent: u32 = 0, once: u32 = 0, differing: u32 = 0, longest: u32 = 0;
  for (let r = first; r < end; r++) {
    const run = otherRuns + <usize>r * runBytes;
    const a = load<u32>(run), b = load<u32>(run, 4), length = load<u32>(run, 8);
    let before = equal;
    for (let i: u32 = 0; i < length; i++) {
      const x = leftToken(a + i), y = rightToken(b + i);
      if (x == y) equal++;
      else {
        longest = max(longest, equal - before);
        before = equal;
        const agrees = agreement(x, y);
        if (agrees == 2) consistent++;
        else if (agrees == 1) once++;
        else differing++;
      }
    }
    longest = max(longest, equal - before);
  }
  const both: u32 = endA - startA + endB - startB;
  const similarity = <f64>(2 * (equal + consistent) + once) / <f64>both;
  if (similarity < leastSimilarity) return false;
  if (renaming) {
    const tokens = <f64>both / 2;
    setFeature(1, <f64>equal / tokens);
    setFeature(2, <f64>consistent / tokens);
    setFeature(3, <f64>once / tokens);
    setFeature(4, <f64>differing / tokens);
    setFeature(5, 1 - <f64>(equal + consistent + once + differing) / tokens);
    setFeature(6, tokens / <f64>max(endA - startA, endB - startB));
    setFeature(7, NativeMath.log(tokens / 50));
    setFeature(8, sameDocument ? 1 : 0);
    setFeature(9, <f64>min<u32>(longest, 60) / 60);
    setFeature(10, sharedVocabulary());
    if (conviction() < 0) return false;
  }
  store<u32>(record, equal, 24); store<u32>(record, consistent, 28);
  store<u32>(record, once, 32); store<u32>(record, differing, 36);
  return true;
}

/** What `convincing` measures of a match, behind a 1 for the constant; matches.ts has the names. */
const featureCount: usize = 11;

@inline function setFeature(i: usize, value: f64): void {
  store<f64>(features + (i << 3), value);
}

/** A quadratic form of the features: of each pair of them a weight, those of the first one first. */
function conviction(): f64 {
  setFeature(0, 1);
  let sum: f64 = given ? -givenCost : 0;
  let weight = convictions;
  for (let i: usize = 0; i < featureCount; i++) {
    for (let j = i; j < featureCount; j++) {
      sum += load<f64>(weight) * load<f64>(features + (i << 3)) * load<f64>(features + (j << 3));
      weight += 8;
    }
  }
  return sum;
}

/**
 * How much of the words of the passage that has fewer of them is in the other too, 0 to 1: weighted containment (Broder
 * 1997, section 2) of their different names and literals, by rarity. A copy says what its original says; look-alikes
 * share what everybody says.
 */
function sharedVocabulary(): f64 {
  openTable(endA - startA + endB - startB);
  let inA: u32 = 0, inB: u32 = 0, inBoth: u32 = 0;
  for (let i = startA; i < endA; i++) {
    const token = leftToken(i);
    if ((token & 15) < 3) continue;
    const record = slotOf(leftKey(token));
    if (load<u32>(record, 12)) continue;
    store<u32>(record, 1, 12);
    inA += rarityOf(token);
  }
  for (let i = startB; i < endB; i++) {
    const token = rightToken(i);
    if ((token & 15) < 3) continue;
    const record = slotOf(leftKey(token));
    const seen = load<u32>(record, 12);
    if (seen > 1) continue;
    store<u32>(record, 2, 12);
    inB += rarityOf(token);
    if (seen) inBoth += rarityOf(token);
  }
  return <f64>inBoth / <f64>max<u32>(1, min(inA, inB));
}

@inline function rarityOf(token: u32): u32 {
  return <u32>load<u8>(rarities + raritySlot(token, family));
}

// ---------------------------------------------------------------------------------------------------------------------
// Brackets

/**
 * Cuts off a short head that closes what was opened before the passage, and a short tail that opens what the passage
 * does not close: the end of the function before it and the beginning of the one behind it.
 */
function balance(p: usize): void {
  const a0 = load<u32>(p), a1 = load<u32>(p, 4);
  const room = max<u32>(12, (a1 - a0) * 3 / 10);
  let depth: i32 = 0;
  let cut = a0;
  for (let i = a0, end = min(a1, a0 + room); i < end; i++) {
    const token = leftToken(i);
    if (isOpener(token)) depth++;
    else if (isCloser(token) && --depth < 0) {
      depth = 0;
      cut = i + 1;
    }
  }
  let stop = a1;
  depth = 0;
  for (let i = a1, end = max(cut, a1 > room ? a1 - room : 0); i-- > end; ) {
    const token = leftToken(i);
    if (isCloser(token)) depth++;
    else if (isOpener(token) && --depth < 0) {
      depth = 0;
      // Back to where the statement of this opener begins.
      let at = i;
      while (at > cut) {
        const before = leftToken(at - 1);
        if (endsStatement(before)) break;
        at--;
      }
      if (a1 - at <= room) stop = at;
      else break;
    }
  }
  if (cut != a0 || stop != a1) cutRuns(p, cut, stop);
}

/** Cuts the runs of a piece down to those that align tokens [cut, stop) of the left side, and writes what they span. */
function cutRuns(p: usize, cut: u32, stop: u32): void {
  let first = load<u32>(p, 20), end = load<u32>(p, 24);
  while (first < end) {
    const run = otherRuns + <usize>first * runBytes;
    const a = load<u32>(run), length = load<u32>(run, 8);
    if (a + length <= cut) { first++; continue; }
    if (a < cut) dropHead(run, cut - a);
    break;
  }
  while (end > first) {
    const run = otherRuns + <usize>(end - 1) * runBytes;
    const a = load<u32>(run), length = load<u32>(run, 8);
    if (a >= stop) { end--; continue; }
    if (a + length > stop) store<u32>(run, stop - a, 8);
    break;
  }
  spanRuns(p, first, end);
}

@inline function dropHead(run: usize, tokens: u32): void {
  store<u32>(run, load<u32>(run) + tokens);
  store<u32>(run, load<u32>(run, 4) + tokens, 4);
  store<u32>(run, load<u32>(run, 8) - tokens, 8);
}

/** Makes runs [first, end) of otherRuns those of a piece. */
function spanRuns(p: usize, first: u32, end: u32): void {
  store<u32>(p, first, 20);
  store<u32>(p, end, 24);
  if (first >= end) return;
  const head = otherRuns + <usize>first * runBytes;
  const tail = otherRuns + <usize>(end - 1) * runBytes;
  store<u32>(p, load<u32>(head)); store<u32>(p, load<u32>(tail) + load<u32>(tail, 8), 4);
  store<u32>(p, load<u32>(head, 4), 8); store<u32>(p, load<u32>(tail, 4) + load<u32>(tail, 8), 12);
}

/** Cuts off what is the smaller part of a line at either end, on either side. */
function trimToLines(p: usize): void {
  let first = load<u32>(p, 20), end = load<u32>(p, 24);
  // In a text of few long lines a line is no measure.
  let room = min(load<u32>(p, 4) - load<u32>(p), load<u32>(p, 12) - load<u32>(p, 8)) * 3 / 10;
  while (first < end) {
    const run = otherRuns + <usize>first * runBytes;
    const a = load<u32>(run), b = load<u32>(run, 4);
    const skip = max(nearestLineStart(leftLines, leftLineCount, leftCount, a) - a, nearestLineStart(rightLines, rightLineCount, rightCount, b) - b);
    if (skip == 0 || skip > room) break;
    room -= skip;
    if (skip >= load<u32>(run, 8)) first++;
    else dropHead(run, skip);
  }
  while (first < end) {
    const run = otherRuns + <usize>(end - 1) * runBytes;
    const length = load<u32>(run, 8);
    const a = load<u32>(run) + length, b = load<u32>(run, 4) + length;
    const skip = max(a - nearestLineEnd(leftLines, leftLineCount, leftCount, a), b - nearestLineEnd(rightLines, rightLineCount, rightCount, b));
    if (skip == 0 || skip > room) break;
    room -= skip;
    if (skip >= length) end--;
    else store<u32>(run, length - skip, 8);
  }
  spanRuns(p, first, end);
}
