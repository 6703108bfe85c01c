/** Whether a text that nobody has named a language for is sentences: a licence or a message that a page quotes in a fence. */

const lineFeed = 10;
const space = 32;

/** Words that there have to be: of fewer, the sentences of an error message say nothing. */
const leastWords = 20;
/** The share of what stands between blanks that has to be words. Of a listing of commands or of output it is less. */
const leastShare = 0.85;
/** Words on a line: statements in words, as those of SQL, have fewer. */
const leastOfLine = 5;
/** A sentence or a part of one ends after so many words at most. */
const mostToMark = 20;

/** Whether the bytes [start, end) are sentences. Linear in their number. */
export function isRunningText(bytes: Uint8Array, start: number, end: number): boolean {
  let [chunks, words, marks, lines] = [0, 0, 0, 0];
  let isNewLine = true;
  for (let at = start; at < end;) {
    const byte = bytes[at];
    if (byte <= space) {
      isNewLine ||= byte === lineFeed;
      at++;
      continue;
    }
    let behind = at + 1;
    while (behind < end && bytes[behind] > space) behind++;
    chunks++;
    if (isNewLine) lines++;
    isNewLine = false;
    const kind = kindOf(bytes, at, behind);
    if (kind !== 'other') words++;
    if (kind === 'marked') marks++;
    at = behind;
  }
  return (
    words >= leastWords &&
    words >= leastShare * chunks &&
    words >= leastOfLine * lines &&
    words <= mostToMark * (marks + 1)
  );
}

/** What stands between two blanks: a word, one with a mark of a sentence behind it, or nothing that a sentence has. */
function kindOf(bytes: Uint8Array, start: number, end: number): 'word' | 'marked' | 'other' {
  let [from, to] = [start, end];
  while (from < to && isQuoteOrBracket(bytes[from])) from++;
  let isMarked = false;
  for (; to > from && (isQuoteOrBracket(bytes[to - 1]) || isMark(bytes[to - 1])); to--) {
    isMarked ||= isMark(bytes[to - 1]);
  }
  if (from === to) return 'other';
  for (let at = from; at < to; at++) {
    // Within a word, an apostrophe or a hyphen.
    const isInner = at > from && at < to - 1 && (bytes[at] === 39 || bytes[at] === 45);
    if (!isLetter(bytes[at]) && !isInner) return 'other';
  }
  return isMarked ? 'marked' : 'word';
}

function isLetter(byte: number): boolean {
  return (byte >= 97 && byte <= 122) || (byte >= 65 && byte <= 90) || byte >= 128;
}

/** . , : ; ! ? */
function isMark(byte: number): boolean {
  return byte === 46 || byte === 44 || byte === 58 || byte === 59 || byte === 33 || byte === 63;
}

/** " ' ( ) */
function isQuoteOrBracket(byte: number): boolean {
  return byte === 34 || byte === 39 || byte === 40 || byte === 41;
}
