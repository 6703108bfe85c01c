// Going on behind gaps: where two texts that differ for a while are alike again.
import { left, leftToken, right, rightToken, same, weightOf } from './documentPair';
import { reach, usedA, usedB } from './extend';
import { abstractToken, isName } from './fingerprint';
import { gapCost } from './rescore';
import { otherRunCount, otherRuns, runBytes, runCount, runs, setOtherRunCount } from './runs';

/** Tokens that have to be equal behind a gap for it to be jumped. */
const anchorTokens: u32 = 6;
const anchorSlots: usize = 512;
/** More than the tokens that a gap may have. */
const anchorRoom: usize = 1024;

let anchors: usize = 0; // anchorSlots slots (u16), then of each anchor the one before it in its slot (u16) and its hash (u32)

export let gapRoom: u32 = 0;

/** How far the last jump went on either side. */
export let jumpedA: u32 = 0;
export let jumpedB: u32 = 0;

/** Whether the piece at hand owes more to renaming than to text equal as written: then anchors are abstracted too. */
let renamedCopy: bool = false;

/** Bytes of scratch memory that `placeGaps` lays out. */
export const gapScratchBytes: usize = anchorSlots * 2 + anchorRoom * 6;

export function placeGaps(scratch: usize): void {
  anchors = scratch;
}

/** @param room  tokens that a gap may have on either side */
export function setGaps(room: u32): void {
  gapRoom = room;
}

export function setRenamedCopy(renamed: bool): void {
  renamedCopy = renamed;
}

/**
 * Goes on behind the gap at (posA, posB), and behind the next, as long as what lies behind is worth more than the gap
 * costs. Appends to otherRuns, nearest first; returns how many tokens of the left side that took.
 */
export function leap(posA: u32, posB: u32, direction: i32, roomA: u32, roomB: u32): u32 {
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
      setOtherRunCount(before);
      break;
    }
    i += jumpedA + usedA;
    j += jumpedB + usedB;
  }
  return i;
}

/**
 * Looks for the nearest place behind a gap where both sides go on alike: an anchor of a few equal tokens, as written or
 * with names abstracted. The candidates are compared by how long they go on less how far they are.
 */
export function jump(a: usize, b: usize, step: isize, roomA: u32, roomB: u32): bool {
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

/** Whether under three in four names of the runs from `firstRun` on are equal as written. */
export function mostlyRenamed(firstRun: u32): bool {
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
