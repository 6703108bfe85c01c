// Cuts a match to whole blocks: to its longest part in which each bracket has its partner, and each indented block its
// head and its end, on both sides.
import { firstToken, isCloser, isOpener, lineOf, lineStartFrom, statementStart } from './bounds';
import { pair } from './documentPair';
import { decoratedFrom, isIndented, nextOutside, noLine, openHead, statementFrom } from './indentation';
import { pieceA0At, pieceA1At, pieceB0At, pieceB1At, pieceEndRunAt, pieceFirstRunAt } from './pieces';
import { cutRuns, runAAt, runBAt } from './runs';
import { newRecord, recordBytes } from '../records';

/** Result of `longestSection`: tokens [start, end). */
@unmanaged class Section {
  start: u32;
  end: u32;
}

let section = changetype<Section>(0);

/** Bytes of scratch memory that `placeSection` initializes. */
export const sectionScratchBytes: usize = recordBytes<Section>();

export function placeSection(scratch: usize): void {
  section = newRecord<Section>(scratch);
}

/**
 * Maximum number of times that both sides are cut. A cut on one side may fall inside a block of the other side, which
 * has to be cut again.
 */
const mostCuts: u32 = 4;

/** Cuts the runs of a piece. Returns false if fewer than `least` tokens are left on a side; the piece is then of no use. */
export function cutToSection(p: usize, least: u32): bool {
  for (let cuts: u32 = 0; cuts < mostCuts; cuts++) {
    const a0 = load<u32>(p, pieceA0At),
      a1 = load<u32>(p, pieceA1At);
    longestSection(pair.left, pair.leftLines, pair.leftLineCount, a0, a1);
    if (pair.leftMarked) longestIndented(pair.leftLines, pair.leftLineCount, section.start, section.end);
    const isLeftWhole = section.start == a0 && section.end == a1;
    if (!isLeftWhole) cutRuns(p, section.start, section.end, runAAt);
    if (isTooShort(p, least)) return false;
    const b0 = load<u32>(p, pieceB0At),
      b1 = load<u32>(p, pieceB1At);
    longestSection(pair.right, pair.rightLines, pair.rightLineCount, b0, b1);
    if (pair.rightMarked) longestIndented(pair.rightLines, pair.rightLineCount, section.start, section.end);
    if (section.start == b0 && section.end == b1) {
      if (isLeftWhole) return true;
    } else {
      cutRuns(p, section.start, section.end, runBAt);
      if (isTooShort(p, least)) return false;
    }
  }
  return false;
}

function isTooShort(p: usize, least: u32): bool {
  return (
    load<u32>(p, pieceFirstRunAt) >= load<u32>(p, pieceEndRunAt) ||
    min(load<u32>(p, pieceA1At) - load<u32>(p, pieceA0At), load<u32>(p, pieceB1At) - load<u32>(p, pieceB0At)) < least
  );
}

/** Finds the longest section of tokens [from, to): between brackets whose partners are outside, in whole statements. */
function longestSection(tokens: usize, lines: usize, lineCount: u32, from: u32, to: u32): void {
  section.start = section.end = from;
  // Up to the last closing bracket without a partner.
  let depth: i32 = 0,
    start = from;
  for (let i = from; i < to; i++) {
    const token = load<u32>(tokens + ((<usize>i) << 2));
    if (isOpener(token)) depth++;
    else if (isCloser(token) && --depth < 0) {
      depth = 0;
      takeLonger(start, i);
      start = min(to, lineStartFrom(lines, lineCount, i + 1, to));
    }
  }
  // The brackets without a partner after it are opening ones.
  depth = 0;
  let end = to;
  for (let i = to; i-- > start;) {
    const token = load<u32>(tokens + ((<usize>i) << 2));
    if (isCloser(token)) depth++;
    else if (isOpener(token) && --depth < 0) {
      depth = 0;
      takeLonger(i + 1, end);
      end = max(start, min(i, statementStart(tokens, lines, lineCount, i)));
      // Brackets of the statement's head are outside, too.
      i = end;
    }
  }
  takeLonger(start, end);
}

/** Finds the longest part of tokens [from, to) with whole indented blocks, if the text has any. */
function longestIndented(lines: usize, lineCount: u32, from: u32, to: u32): void {
  if (from >= to || !isIndented(lines, lineCount, from)) return;
  section.start = section.end = from;
  const last = lineOf(lines, lineCount, to - 1);
  let first = lineOf(lines, lineCount, from),
    start = from;
  for (;;) {
    const outside = nextOutside(lines, first, last);
    if (outside > last) break;
    const next = firstToken(lines, outside);
    if (next > start) takeLonger(start, next);
    // A line that only continues the block before it begins nothing.
    if (nextOutside(lines, outside, outside) == outside) {
      first = outside + 1;
      start = first > last ? to : firstToken(lines, first);
      if (start == to) break;
    } else {
      first = outside;
      start = next;
    }
  }
  let end = to;
  while (end > start) {
    const head = openHead(lines, lineCount, first, lineOf(lines, lineCount, end - 1));
    if (head == noLine) break;
    const body = statementFrom(lines, lineCount, head + 1);
    if (body < lineCount) takeLonger(firstToken(lines, body), end);
    end = max(start, firstToken(lines, max(first, decoratedFrom(lines, head))));
  }
  takeLonger(start, end);
}

@inline function takeLonger(from: u32, to: u32): void {
  if (to <= from || to - from <= section.end - section.start) return;
  section.start = from;
  section.end = to;
}
