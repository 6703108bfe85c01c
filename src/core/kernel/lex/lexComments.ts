/**
 * Comments. They are skipped, or lexed as words: among the tokens of the code, or to a separate text. The separate text
 * has no licenses, that is, no comments above all code that mention a license, because many files repeat them.
 */
import { caseBit, letterC, letterL } from './ascii';
import { commentKind, wordKind } from './lexed';
import { afterLineEnd, afterWhite, isLineEnd } from './lexBytes';
import { lexWordsOf } from './lexProse';
import { beginComment, endComment, lexer, passLines } from './lexState';
import { caseBits, sevenBytes, wordCopyrigh, wordLicence, wordLicense } from './loadedWords';

/** Skips the comment from `p` to `stop`, and emits its words if they are requested. */
export function passComment(p: usize, stop: usize): void {
  if (lexer.splitsComments) {
    if (lexer.count == 0 && isLicence(p, stop)) {
      lexer.licenceEnd = stop;
    } else {
      beginComment(p);
      lexWordsOf(p, stop, wordKind);
      endComment();
      return;
    }
  }
  if (lexer.keepsComments) lexWordsOf(p, stop, commentKind);
  else passLines(p, stop);
}

/**
 * Returns true if a comment is above all code and mentions a license, or continues a license. Each line comment is a
 * comment of its own.
 */
function isLicence(p: usize, stop: usize): bool {
  if (lexer.licenceEnd != 0 && isNextLine(lexer.licenceEnd, p)) return true;
  for (let q = p; q + 9 <= stop; q++) {
    const first: u32 = load<u8>(q) | caseBit;
    if (first != letterC && first != letterL) continue;
    const word = load<u64>(q) | caseBits;
    if (word == wordCopyrigh) return true;
    const seven = word & sevenBytes;
    if (seven == wordLicense || seven == wordLicence) return true;
  }
  return false;
}

/** Returns true if two positions are separated only by white space without an empty line. */
function isNextLine(from: usize, to: usize): bool {
  if (afterWhite(from, to) != to) return false;
  let ends = 0;
  for (let q = from; q < to; q++) {
    if (!isLineEnd(load<u8>(q))) continue;
    ends++;
    q = afterLineEnd(q, to) - 1;
  }
  return ends <= 1;
}
