// Rows of listings and tables: windows that tell little, so that they are looked at longer and begin where their content says.
import { keywordKind, kindMask, numberKind, stringKind } from '../lex/lexedLayout';
import { mix64 } from './fingerprint';
import { separator } from './separators';
import { golden32, golden64 } from './hashFactors';

/** Of a row so many tokens are looked at for the place where its window begins. */
const rowTokens: u32 = 64;
/** Tokens of the shingle that chooses the place. */
const anchorTokens: u32 = 4;
/** Tokens that have to be numbers and punctuation for a row to be one of numbers. */
const numberTokens: u32 = 18;

/**
 * Where the window of a row begins that is tokens [first, end): where the hash of the tokens there is least (winnowing:
 * Schleimer, Wilkerson, Aiken 2003), so that copies of a table have windows at the same values wherever their lines break.
 */
export function rowAnchor(tokens: usize, first: u32, end: u32, count: u32): u32 {
  end = min(min(end, first + rowTokens), count - min(count, anchorTokens - 1));
  let anchor = first;
  let least = u32.MAX_VALUE;
  for (let i = first; i < end; i++) {
    let hash: u32 = 0;
    for (let j: u32 = 0; j < anchorTokens; j++) hash = (hash ^ load<u32>(tokens + ((<usize>(i + j)) << 2))) * golden32;
    hash ^= hash >> 15;
    if (hash >= least) continue;
    least = hash;
    anchor = i;
  }
  return anchor;
}

/** Whether a token is a number or a string: what rows of data begin with. */
@inline export function isLiteral(token: u32): bool {
  return (token & kindMask) - numberKind <= <u32>(stringKind - numberKind);
}

/** Whether the tokens from `first` on are numbers, operators and punctuation alone. */
function isOfNumbers(tokens: usize, first: u32, count: u32): bool {
  const end = min(count, first + numberTokens);
  for (let i = first; i < end; i++) {
    const kind = load<u32>(tokens + ((<usize>i) << 2)) & kindMask;
    if (kind != numberKind && kind > <u32>keywordKind) return false;
  }
  return (load<u32>(tokens + ((<usize>first) << 2)) & kindMask) == numberKind;
}

/**
 * Gives windows of listings, and of rows of numbers, a longer look: the hash of `listingTokens` tokens, which only an
 * equal text has. A listing or a table is like any other of its form in a short window; a copy of it is equal for long.
 * Windows that a separator parts or that end with the document before that stay as they are.
 *
 * @param windows  lines: the first token of each, every `stride` bytes
 * @param out      fingerprints as written; 0 where a window tells too little
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
    const target = out + ((<usize>window) << 3);
    const line = load<u32>(windows + <usize>window * stride);
    if (load<u64>(target) && !isOfNumbers(tokens, line, count)) continue;
    const next = window + 1 < windowCount ? load<u32>(windows + <usize>(window + 1) * stride) : count;
    const first = isLiteral(load<u32>(tokens + ((<usize>line) << 2))) ? rowAnchor(tokens, line, next, count) : line;
    if (first + listingTokens > count) continue;
    let hash: u64 = 0;
    let at = tokens + ((<usize>first) << 2);
    const end = at + ((<usize>listingTokens) << 2);
    for (; at < end; at += 4) {
      const token = load<u32>(at);
      if (token == separator) break;
      hash = (hash ^ (<u64>token)) * golden64;
      hash ^= hash >> 29;
    }
    if (at == end) store<u64>(target, mix64(hash));
  }
}
