// Windows for rows of listings and tables. Short windows would resemble each other too much, so these windows are
// longer, and their beginning is selected by content.
import { keywordKind, kindMask, numberKind, stringKind } from '../lex/lexed';
import { mix64 } from './fingerprint';
import { separator } from './separators';
import { golden32, golden64 } from './hashFactors';
import { addressAt, itemOf } from '../records';

/** Number of a row's first tokens among which the beginning of its window is selected. */
const rowTokens: u32 = 64;
/** Number of tokens in the shingle that selects the position. */
const anchorTokens: u32 = 4;
/** Number of first tokens that must all be numbers or punctuation in a row of numbers. */
const numberTokens: u32 = 18;

/**
 * Returns the first token of the window for a row that consists of the tokens [first, end): the position of the shingle
 * with the smallest hash (winnowing: Schleimer, Wilkerson, Aiken 2003). So copies of a table have windows at the same
 * values, even if their lines are broken differently.
 */
export function rowAnchor(tokens: usize, first: u32, end: u32, count: u32): u32 {
  end = min(min(end, first + rowTokens), count - min(count, anchorTokens - 1));
  let anchor = first;
  let minHash = u32.MAX_VALUE;
  for (let i = first; i < end; i++) {
    let hash: u32 = 0;
    for (let j: u32 = 0; j < anchorTokens; j++) hash = (hash ^ itemOf<u32>(tokens, i + j)) * golden32;
    hash ^= hash >> 15;
    if (hash >= minHash) continue;
    minHash = hash;
    anchor = i;
  }
  return anchor;
}

/** Returns true if a token is a number or a string. Rows of data begin with such tokens. */
@inline export function isLiteral(token: u32): bool {
  return (token & kindMask) - numberKind <= <u32>(stringKind - numberKind);
}

/** Returns true if the row that begins at `first` consists of numbers, operators, and punctuation only. */
function isOfNumbers(tokens: usize, first: u32, count: u32): bool {
  const end = min(count, first + numberTokens);
  for (let i = first; i < end; i++) {
    const kind = itemOf<u32>(tokens, i) & kindMask;
    if (kind != numberKind && kind > <u32>keywordKind) return false;
  }
  return (itemOf<u32>(tokens, first) & kindMask) == numberKind;
}

/**
 * Replaces the fingerprints of rows of listings and numbers by a hash of `listingTokens` tokens, so that only equal
 * text has an equal fingerprint. In a short window, all listings of the same form resemble each other; in a long
 * window, only copies are equal. Keeps the fingerprint of a window that would cross a separator or the end of the
 * document.
 *
 * @param windows  address of the first token of each line; the tokens are `stride` bytes apart
 * @param out      fingerprints of the written view; 0 for windows that are not distinctive
 */
export function fingerprintListings(
  tokens: usize,
  count: u32,
  windows: usize,
  stride: usize,
  windowCount: u32,
  listingTokens: u32,
  out: usize,
): void {
  for (let window: u32 = 0; window < windowCount; window++) {
    const target = addressAt<u64>(out, window);
    const line = load<u32>(windows + <usize>window * stride);
    if (load<u64>(target) && !isOfNumbers(tokens, line, count)) continue;
    const next = window + 1 < windowCount ? load<u32>(windows + <usize>(window + 1) * stride) : count;
    const first = isLiteral(itemOf<u32>(tokens, line)) ? rowAnchor(tokens, line, next, count) : line;
    if (first + listingTokens > count) continue;
    let hash: u64 = 0;
    let at = addressAt<u32>(tokens, first);
    const end = addressAt<u32>(at, listingTokens);
    for (; at < end; at += 4) {
      const token = load<u32>(at);
      if (token == separator) break;
      hash = (hash ^ (<u64>token)) * golden64;
      hash ^= hash >> 29;
    }
    if (at == end) store<u64>(target, mix64(hash));
  }
}
