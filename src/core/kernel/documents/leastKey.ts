// Computes the content key of a run of tokens from hashes of its shingles, as src/library/clusterKey.ts defines it.
import { addressAt, itemOf, setItem } from '../records';

/** Number of tokens in a shingle. A run with fewer tokens counts as one shingle. */
const shingleTokens: u32 = 4;

/**
 * Returns the XOR of the `r` smallest distinct hashes of the shingles in the tokens [from, to).
 *
 * @param r         number of hashes, at least 1
 * @param smallest  scratch memory for the `r` smallest hashes
 */
export function leastKey(tokens: usize, from: u32, to: u32, r: u32, smallest: usize): u64 {
  let n: u32 = 0;
  if (to - from < shingleTokens) {
    if (to > from) n = insertHash(finished(hashed(tokens, from, to)), n, r, smallest);
  } else {
    // Upper bound for the next hash to add. It is the maximum value while the list has free slots, and then the
    // greatest hash in the list.
    let maxHash: u64 = u64.MAX_VALUE;
    const last = addressAt<u32>(tokens, to - shingleTokens);
    for (let at = addressAt<u32>(tokens, from); at <= last; at += 4) {
      let hash = mixed(0, load<u32>(at));
      hash = mixed(hash, load<u32>(at, 4));
      hash = mixed(hash, load<u32>(at, 8));
      hash = finished(mixed(hash, load<u32>(at, 12)));
      if (n == r && hash >= maxHash) continue;
      n = insertHash(hash, n, r, smallest);
      if (n == r) maxHash = itemOf<u64>(smallest, r - 1);
    }
  }
  let key: u64 = 0;
  for (let i: u32 = 0; i < n; i++) key ^= itemOf<u64>(smallest, i);
  return key;
}

function hashed(tokens: usize, from: u32, to: u32): u64 {
  let hash: u64 = 0;
  for (let i = from; i < to; i++) hash = mixed(hash, itemOf<u32>(tokens, i));
  return hash;
}

// Mixes a token into a hash. The factors are 2⁶⁴ divided by the golden ratio, and a factor of SplitMix64 (Steele, Lea,
// Flood 2014).
@inline function mixed(hash: u64, token: u32): u64 {
  return (hash ^ (<u64>token)) * 0x9e3779b97f4a7c15 + 1;
}

@inline function finished(hash: u64): u64 {
  hash ^= hash >> 29;
  hash *= 0xbf58476d1ce4e5b9;
  return hash ^ (hash >> 32);
}

/**
 * Inserts a hash into an ascending list of `n` distinct hashes, which keeps only the `r` smallest ones. Returns the new
 * length of the list.
 */
function insertHash(hash: u64, n: u32, r: u32, smallest: usize): u32 {
  let at = n;
  while (at > 0 && itemOf<u64>(smallest, at - 1) > hash) at--;
  if (at == r || (at > 0 && itemOf<u64>(smallest, at - 1) == hash)) return n;
  if (n < r) n++;
  for (let k = n - 1; k > at; k--) setItem<u64>(smallest, k, itemOf<u64>(smallest, k - 1));
  setItem<u64>(smallest, at, hash);
  return n;
}
