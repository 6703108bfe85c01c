// Where passages should begin and end: at lines, at the blocks that brackets make, at paragraphs. Nothing here knows a
// language; what is asked of a text are its tokens, the words of the six brackets, and where its lines begin.

// Words of the tokens ( [ { ) ] } ;
let brackets: usize = 0;

export function setBrackets(words: usize): void {
  brackets = words;
}

@inline export function isOpener(token: u32): bool {
  return token == load<u32>(brackets) || token == load<u32>(brackets, 4) || token == load<u32>(brackets, 8);
}

@inline export function isCloser(token: u32): bool {
  return token == load<u32>(brackets, 12) || token == load<u32>(brackets, 16) || token == load<u32>(brackets, 20);
}

/** Whether a statement may begin behind the token: { } or ; */
@inline export function endsStatement(token: u32): bool {
  return token == load<u32>(brackets, 8) || token == load<u32>(brackets, 20) || token == load<u32>(brackets, 24);
}

/** Lines are records of 12 bytes: the first token of the line, its number, its byte offset. */
const lineBytes: usize = 12;

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
  for (let i = from; i < to; i++) {
    const token = load<u32>(tokens + (<usize>i << 2));
    if (isOpener(token)) depth++;
    else if (isCloser(token)) least = min(least, --depth);
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

/**
 * The paragraphs that tokens [from, to) are in: lines without a blank one between them. False if they reach farther than a
 * block may.
 */
export function paragraphAround(tokenCount: u32, lines: usize, lineCount: u32, from: u32, to: u32): bool {
  let first = lineOf(lines, lineCount, from);
  while (first > 0 && lineNumber(lines, first - 1) + 1 == lineNumber(lines, first)) first--;
  let last = lineOf(lines, lineCount, to - 1);
  while (last + 1 < lineCount && lineNumber(lines, last) + 1 == lineNumber(lines, last + 1)) last++;
  blockStart = firstToken(lines, first);
  blockEnd = lineEnd(lines, lineCount, last, tokenCount);
  const room = max(leastRoom, to - from);
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
