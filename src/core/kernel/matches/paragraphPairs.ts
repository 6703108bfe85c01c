// Compares paragraphs and list items of prose as a whole. They are compared if a seed suggests that one is a reworded
// copy of the other. If they share most of their words, in any order, they are a match, even if no alignment around the
// seed is accepted.
import { kindMask, wordKind } from '../lex/lexed';
import { runOnly, Seed } from '../seeds/seed';
import { itemAround } from './bounds';
import { classifier } from './classifier';
import { openComparedPairs } from './comparedPairs';
import { leftToken, pair, setPassages } from './documentPair';
import { writeReworded } from './matchRecords';
import { recordAround } from './recordGrid';
import { maxReordered } from './reordered';
import { Side } from './side';
import { itemOf } from '../records';

/** Compares the paragraphs around the seeds [from, to) of the current pair of documents, and writes their matches. */
export function writeParagraphPairs(seeds: usize, from: u32, to: u32): void {
  const compared = openComparedPairs();
  const left = pair.left,
    right = pair.right;
  for (let seed = from; seed < to && compared.hasRoom; seed++) {
    const record = itemOf<Seed>(seeds, seed);
    const a = record.tokenA,
      b = record.posB;
    // Quoted code has no paragraphs.
    if (record.bits == runOnly || (leftToken(a) & kindMask) < <u32>wordKind) continue;
    setPassages(a, a + 1, b, b + 1);
    if (!itemAround(left, maxReordered) || !itemAround(right, maxReordered)) continue;
    const lengthA = left.blockEnd - left.blockStart,
      lengthB = right.blockEnd - right.blockStart;
    const shorter = min(lengthA, lengthB);
    if (shorter < classifier.minTokens || max(lengthA, lengthB) > maxReordered) continue;
    if (pair.sameDocument && left.blockEnd > right.blockStart) continue;
    if (!compared.add(left.blockStart, right.blockStart)) continue;
    // A match already contains nearly all of both paragraphs.
    if (recordAround(left.blockStart, right.blockStart, shorter, shorter >> 2)) continue;
    setPassages(left.blockStart, left.blockEnd, right.blockStart, right.blockEnd);
    writeReworded(record.bits);
  }
}

/**
 * If the current passages, which the caller sets, are whole paragraphs or list items that share most of their words,
 * writes them as a match.
 */
export function writeGivenParagraphs(): void {
  if (isWholeItem(pair.left) && isWholeItem(pair.right)) writeReworded(64);
}

function isWholeItem(side: Side): bool {
  return itemAround(side, 0) && side.blockStart == side.start && side.blockEnd == side.end;
}
