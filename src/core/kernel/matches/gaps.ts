// Continues an alignment after a gap, where the two texts match again.
import { leftToken, pair, rightToken, same, weightOf } from './documentPair';
import { reserve } from './matchScratch';
import { settings } from './settings';
import { extension, extendFrom } from './extend';
import { areNames, asWritten, namesAbstracted } from '../documents/fingerprint';
import { kindMask } from '../lex/lexed';
import { lanesOf } from './renaming';
import { gapCost } from './rescore';
import { lists, Run } from './runs';
import { golden32, murmur32 } from '../documents/hashFactors';
import { addressAt, bytesOf, itemOf, newRecord, recordBytes, setItem } from '../records';

/** Minimum number of equal tokens where the texts match again. */
const anchorTokens: u32 = 6;
/** Maximum number of tokens to compare after a gap. */
const longestTried: u32 = 40;
/**
 * Maximum number of positions after a gap to try; the best one is used. Trying more may find a better position farther
 * away, but each attempt compares up to `longestTried` tokens. With 60 instead of 200, matching the go tree took a
 * quarter of the time, and recall stayed within 0.2 points. Fewer links and a faster hash of anchors, which were
 * introduced at the same time, contributed to this.
 */
const maxTries: i32 = 60;
const anchorSlots: usize = 2048;
/**
 * Maximum number of gaps that one call of `bridge` crosses, and maximum number of runs that it appends. Beyond these
 * limits, the extension uses the extra budget of its pair of documents (`roomBeyond` in match.ts). If the limits are
 * higher, listings extend further without using the budget. If they are lower, a long copy that differs in each line
 * exhausts the budget sooner. The value 64 is not based on a measurement.
 */
const maxGapsAtOnce: u32 = 64;
const maxRunsOfBridges: u32 = 1 << 12;
/** Maximum number of anchors on a side. It exceeds the maximum number of tokens in a gap. */
const anchorRoom: usize = 1024;

@unmanaged class Gap {
  /**
   * Address of the tables of `jump`: `anchorSlots` slots (u16); for each anchor of one side, the previous anchor in the
   * same slot (u16); the anchor hashes of both sides (u32); and the attempts (8 bytes each).
   */
  anchors: usize;
  /** Number of tokens on each side that the last jump skipped. */
  jumpedA: u32;
  jumpedB: u32;
  /**
   * Results of the last call of `bridge`: the number of tokens used on each side, and true if the call ended only
   * because of its limits.
   */
  bridgedA: u32;
  bridgedB: u32;
  hasMore: bool;
  /** True if most names in the current piece are renamed. Anchors are then compared with abstracted names, too. */
  isRenamedCopy: bool;
}

export let gap = changetype<Gap>(0);

const scratchAt = reserve(recordBytes<Gap>() + anchorSlots * 2 + anchorRoom * 18);

export function placeGaps(scratch: usize): void {
  const address = scratch + scratchAt;
  gap = newRecord<Gap>(address);
  gap.anchors = address + recordBytes<Gap>();
}

/**
 * Crosses the gap at (posA, posB) and further gaps, as long as the text after a gap scores more than the gap costs.
 * Appends the runs to `otherRuns`, nearest first, and sets `bridgedA`, `bridgedB`, and `hasMore`.
 */
export function bridge(posA: u32, posB: u32, direction: i32, roomA: u32, roomB: u32): void {
  const behind: usize = direction > 0 ? 0 : 4;
  let i: u32 = 0,
    j: u32 = 0;
  gap.hasMore = false;
  const first = lists.otherRunCount;
  for (let gapCount: u32 = 0; ; gapCount++) {
    if (gapCount == maxGapsAtOnce || lists.otherRunCount >= first + maxRunsOfBridges) {
      gap.hasMore = true;
      break;
    }
    let a = direction > 0 ? posA + i : posA - i;
    let b = direction > 0 ? posB + j : posB - j;
    const nearA = pair.left.at(a) - behind,
      nearB = pair.right.at(b) - behind;
    if (!jump(nearA, nearB, direction << 2, min(roomA - i, settings.gapTokens), min(roomB - j, settings.gapTokens)))
      break;
    a += direction > 0 ? gap.jumpedA : -gap.jumpedA;
    b += direction > 0 ? gap.jumpedB : -gap.jumpedB;
    const before = lists.otherRunCount;
    extendFrom(a, b, direction, roomA - i - gap.jumpedA, roomB - j - gap.jumpedB);
    if (!worthJump(before, a, b, direction)) {
      lists.otherRunCount = before;
      break;
    }
    i += gap.jumpedA + extension.usedA;
    j += gap.jumpedB + extension.usedB;
  }
  gap.bridgedA = i;
  gap.bridgedB = j;
}

/**
 * Finds the best position after a gap at which both sides match again. Candidates begin with an anchor: a few tokens
 * that are identical or, in a renamed copy, equal with abstracted names. The best candidate has the greatest length of
 * the match minus its distance.
 */
export function jump(a: usize, b: usize, step: isize, roomA: u32, roomB: u32): bool {
  if (roomA < anchorTokens || roomB < anchorTokens) return false;
  const countA = roomA + 1 - anchorTokens,
    countB = roomB + 1 - anchorTokens;
  // Hashes are in memory order. In a backward search, the first hash is therefore the farthest.
  const slots = gap.anchors;
  const next = slots + anchorSlots * 2;
  const hashesA = next + anchorRoom * 2;
  const hashesB = hashesA + anchorRoom * 4;
  // For each anchor of b, the last attempt to match it: its position in a plus one (u16), its length (u16), and its
  // gain (i32). The gain is the weighted length of the match.
  const tries = hashesB + anchorRoom * 4;
  const firstOfA = step > 0 ? hashesA : addressAt<u32>(hashesA, countA - 1);
  const firstOfB = step > 0 ? hashesB : addressAt<u32>(hashesB, countB - 1);
  hashAnchors(step > 0 ? a : a - bytesOf<u32>(roomA - 1), countA, hashesA);
  hashAnchors(step > 0 ? b : b - bytesOf<u32>(roomB - 1), countB, hashesB);
  // Put the anchors of b in slots by their hash. A slot contains index + 1 of its last anchor; `next` leads to the
  // anchors before it.
  memory.fill(slots, 0, anchorSlots * 2);
  for (let j: u32 = 0, at = firstOfB; j < countB; j++, at += <usize>step) {
    const slot = slots + (slotOfAnchor(load<u32>(at)) << 1);
    setItem<u16>(next, j, load<u16>(slot));
    store<u16>(slot, <u16>(j + 1));
  }
  let best: i32 = 0;
  let tried = 0;
  let cleared = false;
  for (let i: u32 = 0, at = firstOfA; i < countA; i++, at += <usize>step) {
    const sought = load<u32>(at);
    // Visit the indices of b in descending order. The attempt for i at j reads the result of the attempt for i − 1 at
    // j − 1, which must not have been overwritten.
    for (let j = <u32>load<u16>(slots + (slotOfAnchor(sought) << 1)); j > 0; j = itemOf<u16>(next, j - 1)) {
      if (load<u32>(firstOfB + <usize>(<isize>(j - 1) * step)) != sought) continue;
      if (!cleared) {
        memory.fill(tries, 0, bytesOf<u64>(countB));
        cleared = true;
      }
      const room = min(longestTried, min(roomA - i, roomB - (j - 1)));
      let gain: i32 = 0;
      let length: u32 = 0;
      // This attempt begins one token after an earlier one on the same diagonal. It would find the same match without
      // its first token, so only the end of that match may have to be extended.
      const before = addressAt<u64>(tries, j - 2);
      if (i > 0 && j > 1 && load<u16>(before) == <u16>i) {
        const x = load<u32>(a + <usize>(<isize>(i - 1) * step));
        const y = load<u32>(b + <usize>(<isize>(j - 2) * step));
        gain = load<i32>(before, 4) - gainOf(x, y);
        length = load<u16>(before, 2) - 1;
      }
      let from = a + <usize>(<isize>(i + length) * step);
      let to = b + <usize>(<isize>(j - 1 + length) * step);
      for (; length < room; length++) {
        const x = load<u32>(from);
        const y = load<u32>(to);
        if (!same(x, y)) break;
        gain += gainOf(x, y);
        from += <usize>step;
        to += <usize>step;
      }
      if (length < anchorTokens) continue;
      const attempt = addressAt<u64>(tries, j - 1);
      store<u16>(attempt, <u16>(i + 1));
      store<u16>(attempt, <u16>length, 2);
      store<i32>(attempt, gain, 4);
      const value = gain - <i32>(i + j - 1) * 2;
      if (value > best) {
        best = value;
        gap.jumpedA = i;
        gap.jumpedB = j - 1;
      }
      if (++tried > maxTries) return best > 0;
    }
  }
  return best > 0;
}

/** Returns the gain of two matching tokens after a gap. This is their weight, increased if the tokens are identical. */
@inline function gainOf(x: u32, y: u32): i32 {
  return x == y ? weightOf(x) << 2 : weightOf(x);
}

/**
 * Computes the hashes of the anchors that begin at `count` tokens, in memory order. In a renamed copy, names are
 * abstracted. Processes four tokens at a time, so it may read and write up to three additional items.
 */
function hashAnchors(tokens: usize, count: u32, hashes: usize): void {
  const end = addressAt<u32>(tokens, count);
  if (gap.isRenamedCopy) {
    for (; tokens < end; tokens += 16, hashes += 16) v128.store(hashes, anchorHashes(tokens, namesAbstracted));
  } else {
    for (; tokens < end; tokens += 16, hashes += 16) v128.store(hashes, anchorHashes(tokens, asWritten));
  }
}

/**
 * Computes four multilinear hashes of `anchorTokens` tokens each, at consecutive positions. The upper bits of a hash
 * are well mixed.
 */
@inline function anchorHashes(tokens: usize, renamed: bool): v128 {
  let sum = i32x4.mul(anchorValues(tokens, renamed), i32x4.splat(golden32));
  sum = i32x4.add(sum, i32x4.mul(anchorValues(tokens + 4, renamed), i32x4.splat(murmur32)));
  sum = i32x4.add(sum, i32x4.mul(anchorValues(tokens + 8, renamed), i32x4.splat(0xc2b2ae35)));
  sum = i32x4.add(sum, i32x4.mul(anchorValues(tokens + 12, renamed), i32x4.splat(0x27d4eb2f)));
  sum = i32x4.add(sum, i32x4.mul(anchorValues(tokens + 16, renamed), i32x4.splat(0x165667b1)));
  return i32x4.add(sum, i32x4.mul(anchorValues(tokens + 20, renamed), i32x4.splat(0xd3a2646d)));
}

/** Returns four tokens. In a renamed copy, their names are abstracted. */
@inline function anchorValues(tokens: usize, renamed: bool): v128 {
  const words = v128.load(tokens);
  if (!renamed) return words;
  return v128.bitselect(v128.and(words, i32x4.splat(kindMask)), words, areNames(words));
}

@inline function slotOfAnchor(hash: u32): usize {
  return <usize>(hash >> 21);
}

/**
 * Returns true if the score of the runs from index `before` on exceeds the cost of the gap before them. The gap begins
 * at (originA, originB).
 */
function worthJump(before: u32, originA: u32, originB: u32, direction: i32): bool {
  if (before == lists.otherRunCount) return false;
  let gain: i32 =
    direction > 0
      ? -gapCost(originA - gap.jumpedA, originA, originB - gap.jumpedB, originB)
      : -gapCost(originA, originA + gap.jumpedA, originB, originB + gap.jumpedB);
  for (let r = before; r < lists.otherRunCount; r++) {
    const run = itemOf<Run>(lists.otherRuns, r);
    const a = run.a,
      b = run.b,
      length = run.length;
    if (r > before) {
      const last = itemOf<Run>(lists.otherRuns, r - 1);
      gain -=
        direction > 0
          ? gapCost(last.a + last.length, a, last.b + last.length, b)
          : gapCost(a + length, last.a, b + length, last.b);
    }
    for (let i: u32 = 0; i < length; i++) {
      const x = leftToken(a + i);
      gain += x == rightToken(b + i) ? weightOf(x) << 1 : weightOf(x) >> 1;
    }
  }
  return gain > 0;
}

/** Returns true if less than three quarters of the aligned names in the runs [first, end) are identical. */
export function mostlyRenamed(list: usize, first: u32, end: u32): bool {
  let equal: u32 = 0,
    names: u32 = 0;
  for (let r = first; r < end; r++) {
    const run = itemOf<Run>(list, r);
    const x = pair.left.at(run.a),
      y = pair.right.at(run.b),
      length = run.length;
    for (let i: u32 = 0; i < length; i += 4) {
      const tokens = v128.load(addressAt<u32>(x, i));
      const named = i32x4.bitmask(areNames(tokens)) & lanesOf(length - i);
      names += popcnt<i32>(named);
      equal += popcnt<i32>(named & i32x4.bitmask(i32x4.eq(tokens, v128.load(addressAt<u32>(y, i)))));
    }
  }
  return equal * 4 < names * 3;
}
