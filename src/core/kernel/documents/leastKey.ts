// A content key of a run of tokens, as defined in src/library/clusterKey.ts, computed from hashes of its shingles.

/** Returns the XOR of the `r` least distinct hashes of the shingles of tokens [from, to). */
export function leastKey(tokens: usize, from: u32, to: u32, size: u32, r: u32, least: usize): u64 {
  let n: u32 = 0;
  // The factors are 2⁶⁴ over the golden ratio, and one of SplitMix64 (Steele, Lea, Flood 2014).
  for (let i = from; i < to && (i + size <= to || i == from); i++) {
    let hash: u64 = 0;
    for (let j = i; j < min(i + size, to); j++)
      hash = (hash ^ (<u64>load<u32>(tokens + ((<usize>j) << 2)))) * 0x9e3779b97f4a7c15 + 1;
    hash ^= hash >> 29;
    hash *= 0xbf58476d1ce4e5b9;
    hash ^= hash >> 32;
    // `least` contains the n least hashes so far, ascending.
    let at = n;
    while (at > 0 && load<u64>(least + ((<usize>(at - 1)) << 3)) > hash) at--;
    if (at == r || (at > 0 && load<u64>(least + ((<usize>(at - 1)) << 3)) == hash)) continue;
    if (n < r) n++;
    for (let k = n - 1; k > at; k--) store<u64>(least + ((<usize>k) << 3), load<u64>(least + ((<usize>(k - 1)) << 3)));
    store<u64>(least + ((<usize>at) << 3), hash);
  }
  let key: u64 = 0;
  for (let i: u32 = 0; i < n; i++) key ^= load<u64>(least + ((<usize>i) << 3));
  return key;
}
