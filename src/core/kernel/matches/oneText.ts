// For prose: distinguishes an edited copy of a text from a text that only follows the same template, such as another
// entry of a catalog. An edit replaces a sentence and keeps the sentences around it. Texts from one template share only
// headings, field names, and phrases, which are short sequences of equal words between different content. So the
// shorter these sequences are, the fewer words may differ.
import { kindMask, operatorKind } from '../lex/lexed';
import { pair } from './documentPair';
import { lists, Run } from './runs';
import { addressAt, itemOf } from '../records';

/**
 * `longRow`: average length of sequences of equal words at which the full difference is allowed. Longer sequences allow
 * more. `maxHalvings`: number of times this length can be halved before no difference is allowed. The slope comes from
 * a logistic regression over pairs of seven trees and injected copies; the length is the greatest one that keeps nine
 * of ten edited copies: bench/results/2026-11-22-prose.md.
 */
const longRow: f64 = 57;
const maxHalvings: f64 = 8;

/**
 * Returns true if the current passages are versions of one text. The runs [first, end) are their equal tokens. Words
 * differ if they are in the longer passage and in no run, so missing words count as differing words.
 *
 * @param minSimilarity  see `Options`
 */
export function isOneText(first: u32, end: u32, minSimilarity: f64): bool {
  let equal: u32 = 0,
    row: u32 = 0,
    nextA: u32 = 0,
    nextB: u32 = 0;
  let squares: u64 = 0;
  for (let r = first; r < end; r++) {
    const run = itemOf<Run>(lists.otherRuns, r);
    const a = run.a,
      b = run.b,
      length = run.length;
    // If the match was widened, one run may directly continue the previous one.
    if (a != nextA || b != nextB) {
      squares += <u64>row * row;
      row = 0;
    }
    const words = wordsOf(pair.left.tokens, a, a + length);
    equal += words;
    row += words;
    nextA = a + length;
    nextB = b + length;
  }
  squares += <u64>row * row;
  const all = max(
    wordsOf(pair.left.tokens, pair.left.start, pair.left.end),
    wordsOf(pair.right.tokens, pair.right.start, pair.right.end),
  );
  if (equal == all) return true;
  const halvings = NativeMath.log2((longRow * <f64>equal) / <f64>squares);
  return <f64>(all - equal) * maxHalvings <= <f64>all * (1 - minSimilarity) * (maxHalvings - halvings);
}

/**
 * Returns the number of words among the tokens [from, to). Punctuation in fenced code does not count, because all code
 * has it.
 */
function wordsOf(tokens: usize, from: u32, to: u32): u32 {
  let words: u32 = 0;
  for (let at = addressAt<u32>(tokens, from), end = addressAt<u32>(tokens, to); at < end; at += 4) {
    words += <u32>((load<u32>(at) & kindMask) > <u32>operatorKind);
  }
  return words;
}
