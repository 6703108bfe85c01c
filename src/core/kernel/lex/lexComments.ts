/**
 * Processes comments. Depending on the options, they are skipped, lexed as words among the tokens of the code, or lexed
 * as words of a separate text. The separate text excludes licenses, which many files repeat: comments above all code
 * that mention a license.
 */
import * as ascii from './ascii';
import { commentKind, wordKind } from './lexed';
import { afterLineEnd, afterWhite, isLineEnd } from './lexBytes';
import { lexWordsOf } from './lexProse';
import { beginComment, endComment, lexer, passLines } from './lexState';
import { caseBits, sevenBytes, wordCopyrigh, wordLicence, wordLicense } from './loadedWords';

/** Skips the comment from `p` to `stop`. If the words of comments are requested, emits them. */
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
 * Returns true if a comment is above all code and either mentions a license or continues a comment that does. Each line
 * comment is a separate comment.
 */
function isLicence(p: usize, stop: usize): bool {
  if (lexer.licenceEnd != 0 && isNextLine(lexer.licenceEnd, p)) return true;
  for (let q = p; q + 9 <= stop; q++) {
    const first: u32 = load<u8>(q) | ascii.caseBit;
    if (first != ascii.letterC && first != ascii.letterL) continue;
    const word = load<u64>(q) | caseBits;
    if (word == wordCopyrigh) return true;
    const seven = word & sevenBytes;
    if (seven == wordLicense || seven == wordLicence) return true;
  }
  return false;
}

/** Returns true if there is only white space, and no empty line, between two positions. */
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
