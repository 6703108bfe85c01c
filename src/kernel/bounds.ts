// Where passages should begin and end: at lines, at the blocks that brackets make, at paragraphs. Nothing here knows a
// language; what is asked of a text are its tokens, the words of the six brackets, and where its lines begin.

let openRound: u32 = 0;
let openSquare: u32 = 0;
let openCurly: u32 = 0;
let closeRound: u32 = 0;
let closeSquare: u32 = 0;
let closeCurly: u32 = 0;
let semicolon: u32 = 0;

/** @param words  of the tokens ( [ { ) ] } ; */
export function setBrackets(words: usize): void {
  openRound = load<u32>(words);
  openSquare = load<u32>(words, 4);
  openCurly = load<u32>(words, 8);
  closeRound = load<u32>(words, 12);
  closeSquare = load<u32>(words, 16);
  closeCurly = load<u32>(words, 20);
  semicolon = load<u32>(words, 24);
}

@inline export function isOpener(token: u32): bool {
  return token == openRound || token == openSquare || token == openCurly;
}

@inline export function isCloser(token: u32): bool {
  return token == closeRound || token == closeSquare || token == closeCurly;
}

/** Whether a statement may begin behind the token: { } or ; */
@inline export function endsStatement(token: u32): bool {
  return token == openCurly || token == closeCurly || token == semicolon;
}

/** Lines are records of 8 bytes: the first token of the line, its number. */
const lineBytes: usize = 8;

@inline function firstToken(lines: usize, line: u32): u32 {
  return load<u32>(lines + <usize>line * lineBytes);
}

@inline function lineNumber(lines: usize, line: u32): u32 {
  return load<u32>(lines + <usize>line * lineBytes, 4);
}

/** The line that a token is on. */
function lineOf(lines: usize, lineCount: u32, token: u32): u32 {
  let low: u32 = 0, high = lineCount;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (firstToken(lines, middle) <= token) low = middle;
    else high = middle;
  }
  return low;
}

@inline function lineEnd(lines: usize, lineCount: u32, line: u32, tokenCount: u32): u32 {
  return line + 1 < lineCount ? firstToken(lines, line + 1) : tokenCount;
}

/** Where a passage that begins at a token had better begin: there, or at the next line if most of its line lies before. */
export function nearestLineStart(lines: usize, lineCount: u32, tokenCount: u32, token: u32): u32 {
  const line = lineOf(lines, lineCount, token);
  const end = lineEnd(lines, lineCount, line, tokenCount);
  return (token - firstToken(lines, line)) * 2 > end - token ? end : token;
}

/** Where a passage that ends before a token had better end: there, or before its last line if most of that lies behind. */
export function nearestLineEnd(lines: usize, lineCount: u32, tokenCount: u32, token: u32): u32 {
  const line = lineOf(lines, lineCount, token - 1);
  const start = firstToken(lines, line);
  return (lineEnd(lines, lineCount, line, tokenCount) - token) * 2 > token - start ? start : token;
}

/** What `blockAround` found: tokens [blockStart, blockEnd). */
export let blockStart: u32 = 0;
export let blockEnd: u32 = 0;

/** A block may add as many tokens at either end as the passage has, and so many to a short one. */
const leastRoom: u32 = 40;

/**
 * The block around tokens [from, to), with the statement that opens it. Level 1 is the passage with all brackets closed
 * that it opens, and opened that it closes; each level more takes in one block around that. False if there is none near.
 */
export function blockAround(tokens: usize, tokenCount: u32, lines: usize, lineCount: u32, from: u32, to: u32, level: i32): bool {
  let depth: i32 = 0, least: i32 = 0;
  const round = openRound, square = openSquare, curly = openCurly;
  const roundEnd = closeRound, squareEnd = closeSquare, curlyEnd = closeCurly;
  // Without branches: which token is a bracket cannot be foreseen.
  for (let at = tokens + (<usize>from << 2), end = tokens + (<usize>to << 2); at < end; at += 4) {
    const token = load<u32>(at);
    depth += <i32>(token == round) | <i32>(token == square) | <i32>(token == curly);
    depth -= <i32>(token == roundEnd) | <i32>(token == squareEnd) | <i32>(token == curlyEnd);
    least = min(least, depth);
  }
  let missingBefore = level - 1 - least;
  let missingBehind = missingBefore + depth;
  const room = max(leastRoom, to - from);
  let start = from;
  for (depth = 0; missingBefore > 0; ) {
    if (start == 0 || from - start > room) return false;
    start--;
    const token = load<u32>(tokens + (<usize>start << 2));
    if (isCloser(token)) depth++;
    else if (isOpener(token) && --depth < 0) {
      depth = 0;
      missingBefore--;
    }
  }
  let end = to;
  for (depth = 0; missingBehind > 0; ) {
    if (end >= tokenCount || end - to > room) return false;
    const token = load<u32>(tokens + (<usize>end << 2));
    end++;
    if (isOpener(token)) depth++;
    else if (isCloser(token) && --depth < 0) {
      depth = 0;
      missingBehind--;
    }
  }
  blockStart = start < from ? statementStart(tokens, lines, lineCount, start) : from;
  blockEnd = end;
  return true;
}

/** How far beyond tokens [from, to) the block or paragraph around them may reach. */
export function roomAround(from: u32, to: u32): u32 {
  return max(leastRoom, to - from);
}

/**
 * The paragraphs that tokens [from, to) are in: lines without a blank one between them. False if they reach farther than
 * `room`.
 */
export function paragraphAround(tokenCount: u32, lines: usize, lineCount: u32, from: u32, to: u32, room: u32): bool {
  let first = lineOf(lines, lineCount, from);
  while (first > 0 && lineNumber(lines, first - 1) + 1 == lineNumber(lines, first)) first--;
  let last = lineOf(lines, lineCount, to - 1);
  while (last + 1 < lineCount && lineNumber(lines, last) + 1 == lineNumber(lines, last + 1)) last++;
  blockStart = firstToken(lines, first);
  blockEnd = lineEnd(lines, lineCount, last, tokenCount);
  return from - blockStart <= room && blockEnd - to <= room;
}

/** Lines that the head of a block may take: names of parameters, one on a line. */
const headLines = 12;

/** The first token of the lines that lead to an opener: back to where all brackets between are closed. */
function statementStart(tokens: usize, lines: usize, lineCount: u32, opener: u32): u32 {
  const last = lineOf(lines, lineCount, opener);
  let depth: i32 = 0;
  let start = opener;
  for (let line = last, n = 0; n < headLines; line--, n++) {
    const behind = start;
    start = firstToken(lines, line);
    for (let i = behind; i-- > start; ) {
      const token = load<u32>(tokens + (<usize>i << 2));
      if (isCloser(token)) depth++;
      else if (isOpener(token)) depth--;
    }
    // An opener on a line of its own belongs to the line before it.
    if ((depth <= 0 && start < opener) || line == 0) break;
  }
  return start;
}
