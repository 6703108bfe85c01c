/**
 * Comments: passed over, or their words handed out, among the tokens of the code or as a text of their own. That text has
 * no licences: the comment above all code that speaks of one is in every file.
 */
import { caseBit, letterC, letterL } from './ascii';
import { commentKind, wordKind } from './lexedLayout';
import { afterLineEnd, afterWhite, isLineEnd } from './lexBytes';
import { lexWordsOf } from './lexProse';
import { beginComment, count, endComment, keepsComments, passLines, splitsComments } from './lexState';
import { caseBits, sevenBytes, wordCopyrigh, wordLicence, wordLicense } from './loadedWords';

/** Where the licence ended that the text begins with, or 0. */
let licenceEnd: usize = 0;

export function openHead(): void {
  licenceEnd = 0;
}

/** Passes the comment from `p` to `stop`, with its words where they are wanted. */
export function passComment(p: usize, stop: usize): void {
  if (splitsComments) {
    if (count == 0 && isLicence(p, stop)) {
      licenceEnd = stop;
    } else {
      beginComment(p);
      lexWordsOf(p, stop, wordKind);
      endComment();
      return;
    }
  }
  if (keepsComments) lexWordsOf(p, stop, commentKind);
  else passLines(p, stop);
}

/** Whether a comment above all code speaks of a licence, or goes on with one: line comments are one each. */
function isLicence(p: usize, stop: usize): bool {
  if (licenceEnd != 0 && isNextLine(licenceEnd, p)) return true;
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

/** Whether nothing but white lies between two places, and no empty line. */
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
