// Cuts a match to whole blocks. The result is the longest part in which, on both sides, each bracket has a partner,
// each indented block has its head and its end, and each case is complete.
import {
  bounds,
  endsCase,
  findCases,
  firstToken,
  isCloser,
  isOpener,
  lineOf,
  lineStartFrom,
  statementStart,
} from './bounds';
import { pair } from './documentPair';
import { decoratedFrom, isIndented, nextOutside, noLine, openHead, statementFrom } from './indentation';
import { Piece } from './pieces';
import { settings } from './settings';
import { cutRuns } from './runs';
import { Side } from './side';

/**
 * Maximum number of times that each side is cut. A cut on one side may fall inside a block of the other side, which
 * must then be cut again.
 */
const maxCuts: u32 = 4;

/**
 * Cuts the runs of a piece to whole blocks, and to whole cases unless `keepsCases` is true. Returns false if fewer than
 * `minTokens` tokens would be left on a side. Then the piece must not be used anymore.
 */
export function cutToSection(p: Piece, minTokens: u32, keepsCases: bool): bool {
  for (let cuts: u32 = 0; cuts < maxCuts; cuts++) {
    const isLeftCut = cutSide(p, pair.left, keepsCases);
    if (isTooShort(p, minTokens)) return false;
    const isRightCut = cutSide(p, pair.right, keepsCases);
    if (!isLeftCut && !isRightCut) return true;
    if (isTooShort(p, minTokens)) return false;
  }
  return false;
}

/**
 * Finds the longest section of a piece on one side, and cuts the runs of the piece to it. Returns false if nothing had
 * to be cut.
 */
function cutSide(p: Piece, side: Side, keepsCases: bool): bool {
  const from = p.startOf(side),
    to = p.endOf(side);
  longestSection(side, from, to);
  if (side.isMarked) longestIndented(side, side.sectionStart, side.sectionEnd);
  if (!keepsCases) longestOfCases(side, side.sectionStart, side.sectionEnd);
  if (side.sectionStart == from && side.sectionEnd == to) return false;
  cutRuns(p, side.sectionStart, side.sectionEnd, side);
  return true;
}

function isTooShort(p: Piece, minTokens: u32): bool {
  return p.firstRun >= p.endRun || min(p.a1 - p.a0, p.b1 - p.b0) < minTokens;
}

/**
 * Finds the longest section of the tokens [from, to). A section lies between brackets without a partner in these
 * tokens, and consists of complete statements.
 */
function longestSection(side: Side, from: u32, to: u32): void {
  side.sectionStart = side.sectionEnd = from;
  // First process the tokens up to the last closing bracket without a partner.
  let depth: i32 = 0,
    start = from;
  for (let i = from; i < to; i++) {
    const token = side.token(i);
    if (isOpener(token)) depth++;
    else if (isCloser(token) && --depth < 0) {
      depth = 0;
      if (token == settings.closeElement) chooseContent(side, start, i, settings.closeTag);
      else keepLonger(side, start, i);
      start = min(to, lineStartFrom(side, i + 1, to));
    }
  }
  // After this position, all brackets without a partner are opening brackets.
  depth = 0;
  let end = to;
  for (let i = to; i-- > start;) {
    const token = side.token(i);
    if (isCloser(token)) depth++;
    else if (isOpener(token) && --depth < 0) {
      depth = 0;
      if (token == settings.openElement) chooseContent(side, i + 1, end, settings.greater);
      else keepLonger(side, i + 1, end);
      end = max(start, min(i, statementStart(side, i)));
      // The section ends before the statement of this bracket, including the brackets in the statement's head.
      i = end;
    }
  }
  keepLonger(side, start, end);
}

/**
 * Same as `keepLonger`, for the tokens [from, to) of an element of JSX. Uses only its content, without the rest of its
 * tags. Does nothing if the tokens do not contain the sign that divides a tag from the content.
 */
function chooseContent(side: Side, from: u32, to: u32, divider: u32): void {
  let depth: i32 = 0;
  let isDivided = false;
  for (let i = from; i < to; i++) {
    const token = side.token(i);
    if (isOpener(token)) depth++;
    else if (isCloser(token)) depth--;
    if (depth || (token != settings.greater && token != settings.closeTag)) continue;
    if (token == divider) isDivided = true;
    if (token == settings.greater) from = i + 1;
    else to = i;
  }
  if (isDivided) keepLonger(side, from, to);
}

/**
 * If the text has indented blocks, finds the longest part of the tokens [from, to) that consists of complete blocks.
 */
function longestIndented(side: Side, from: u32, to: u32): void {
  if (from >= to || !isIndented(side, from)) return;
  side.sectionStart = side.sectionEnd = from;
  const last = lineOf(side, to - 1);
  let first = lineOf(side, from),
    start = from;
  for (;;) {
    const outside = nextOutside(side, first, last);
    if (outside > last) break;
    const next = firstToken(side, outside);
    if (next > start) keepLonger(side, start, next);
    // A section cannot begin with a line that only continues the block before it.
    if (nextOutside(side, outside, outside) == outside) {
      first = outside + 1;
      start = first > last ? to : firstToken(side, first);
      if (start == to) break;
    } else {
      first = outside;
      start = next;
    }
  }
  let end = to;
  while (end > start) {
    const head = openHead(side, first, lineOf(side, end - 1));
    if (head == noLine) break;
    const body = statementFrom(side, head + 1);
    if (body < side.lineCount) keepLonger(side, firstToken(side, body), end);
    end = max(start, firstToken(side, max(first, decoratedFrom(side, head))));
  }
  keepLonger(side, start, end);
}

/**
 * Finds the longest part of the tokens [from, to) that has no part of a case: the statements before the first case,
 * the complete cases, or the statements after the head of the last case.
 */
function longestOfCases(side: Side, from: u32, to: u32): void {
  if (from >= to) return;
  findCases(side, from, to);
  const first = bounds.firstCase,
    isEnded = endsCase(side, to);
  if (!bounds.hasCase || (first == from && isEnded)) return;
  side.sectionStart = side.sectionEnd = from;
  keepLonger(side, from, first);
  keepLonger(side, first, isEnded ? to : bounds.lastCase);
  if (!isEnded) keepLonger(side, endOfCaseHead(side, bounds.lastCase, to), to);
}

/** Returns the position after the colon that ends the head of the case at a token, or `to` if there is none. */
function endOfCaseHead(side: Side, token: u32, to: u32): u32 {
  let depth: i32 = 0;
  for (let i = token; i < to; i++) {
    const next = side.token(i);
    if (next == settings.colon && !depth) return i + 1;
    if (isOpener(next)) depth++;
    else if (isCloser(next)) depth--;
  }
  return to;
}

@inline function keepLonger(side: Side, from: u32, to: u32): void {
  if (to <= from || to - from <= side.sectionEnd - side.sectionStart) return;
  side.sectionStart = from;
  side.sectionEnd = to;
}
