/** Recognizes prose in a text of unknown language, such as a license or a message in a fence. */

const lineFeed = 10;
const space = 32;

/** Minimum number of words. Shorter texts, such as error messages, do not count as prose. */
const minWords = 20;
/** Minimum share of words among the chunks between blanks. Listings of commands and program output have fewer words. */
const minShare = 0.85;
/** Minimum average number of words per line. Statements that consist of words, such as SQL, have fewer. */
const minOfLine = 5;
/** Maximum average number of words per punctuation mark. */
const maxToMark = 20;

/** Returns true if the bytes [start, end) are prose. Takes linear time. */
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
    words >= minWords && words >= minShare * chunks && words >= minOfLine * lines && words <= maxToMark * (marks + 1)
  );
}

/** Classifies a chunk between two blanks as a word, a word with a punctuation mark, or other text. */
function kindOf(bytes: Uint8Array, start: number, end: number): 'word' | 'marked' | 'other' {
  let [from, to] = [start, end];
  while (from < to && isQuoteOrBracket(bytes[from])) from++;
  let isMarked = false;
  for (; to > from && (isQuoteOrBracket(bytes[to - 1]) || isMark(bytes[to - 1])); to--) {
    isMarked ||= isMark(bytes[to - 1]);
  }
  if (from === to) return 'other';
  for (let at = from; at < to; at++) {
    // True for an apostrophe or a hyphen within a word.
    const isInner = at > from && at < to - 1 && (bytes[at] === 39 || bytes[at] === 45);
    if (!isLetter(bytes[at]) && !isInner) return 'other';
  }
  return isMarked ? 'marked' : 'word';
}

function isLetter(byte: number): boolean {
  return (byte >= 97 && byte <= 122) || (byte >= 65 && byte <= 90) || byte >= 128;
}

/** Returns true for . , : ; ! and ? */
function isMark(byte: number): boolean {
  return byte === 46 || byte === 44 || byte === 58 || byte === 59 || byte === 33 || byte === 63;
}

/** Returns true for " ' ( and ) */
function isQuoteOrBracket(byte: number): boolean {
  return byte === 34 || byte === 39 || byte === 40 || byte === 41;
}
