// Whether two passages of prose are a text and its copy, or two entries of one form. An edit replaces a sentence and leaves
// those around it as they were; what two entries have in common is a frame of headings, field names and phrases, in short
// rows, around what each says. So the shorter the rows of equal words are, the less may differ.
import { kindMask, operatorKind } from '../lex/lexedLayout';
import { left, right } from './documentPair';
import { endA, endB, startA, startB } from './passages';
import { otherRuns, runAAt, runBAt, runBytes, runLengthAt } from './runs';

/**
 * Words of the row that an equal word is in, on average, where as much may differ as the least similarity leaves, and how
 * often a row can be half as long before nothing may. A logistic regression over pairs of seven trees and injected copies
 * gave the slope; the level is the strictest that keeps nine in ten of the edited copies: bench/results/2026-11-22-prose.md.
 */
const longRow: f64 = 57;
const mostHalvings: f64 = 8;

/**
 * Whether the passages at hand are one text by runs [first, end) of equal tokens. What differs is measured by the one that
 * says more: two entries of which one is half of the other are no copies, though both have the frame.
 *
 * @param leastSimilarity  see `Options`
 */
export function isOneText(first: u32, end: u32, leastSimilarity: f64): bool {
  let equal: u32 = 0,
    row: u32 = 0,
    nextA: u32 = 0,
    nextB: u32 = 0;
  let squares: u64 = 0;
  for (let r = first; r < end; r++) {
    const run = otherRuns + <usize>r * runBytes;
    const a = load<u32>(run, runAAt),
      b = load<u32>(run, runBAt),
      length = load<u32>(run, runLengthAt);
    // What widening has put together from several alignments may go on where the run before it ends.
    if (a != nextA || b != nextB) {
      squares += <u64>row * row;
      row = 0;
    }
    const words = wordsOf(left, a, a + length);
    equal += words;
    row += words;
    nextA = a + length;
    nextB = b + length;
  }
  squares += <u64>row * row;
  const all = max(wordsOf(left, startA, endA), wordsOf(right, startB, endB));
  if (equal == all) return true;
  const halvings = NativeMath.log2((longRow * <f64>equal) / <f64>squares);
  return <f64>(all - equal) * mostHalvings <= <f64>all * (1 - leastSimilarity) * (mostHalvings - halvings);
}

/** How many of tokens [from, to) are words: code in fences has signs as well, which all code of its language shares. */
function wordsOf(tokens: usize, from: u32, to: u32): u32 {
  let words: u32 = 0;
  for (let at = tokens + ((<usize>from) << 2), end = tokens + ((<usize>to) << 2); at < end; at += 4) {
    words += <u32>((load<u32>(at) & kindMask) > <u32>operatorKind);
  }
  return words;
}
