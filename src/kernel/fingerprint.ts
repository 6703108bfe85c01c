// Window fingerprints: weighted simhash (Charikar 2002, section 3) of every window of tokens that begins at a line.
//
// A window's shingles vote on 64 bits. The votes are 8 vectors of 8 × i16; a byte of a shingle's hash looks up its row
// of ±1 and is multiplied by the shingle's weight. From one window to the next, the shingles that leave are taken away
// and those that enter are added, so a token costs two updates however long the window is.

/** Kinds of tokens that a renaming may change: identifier, call, number, string (codes 3 to 6). */
@inline export function isName(token: u32): bool {
  return (token & 15) - 3 <= <u32>3;
}

/** The token as it counts after renaming: of a name only its kind is left. */
@inline export function abstractToken(token: u32): u32 {
  return isName(token) ? token & 15 : token;
}

/** The finaliser of MurmurHash3 (Appleby 2011): every bit of the input reaches every bit of the output. */
@inline export function mix64(value: u64): u64 {
  value ^= value >> 33;
  value *= 0xff51afd7ed558ccd;
  value ^= value >> 33;
  value *= 0xc4ceb9fe1a85ec53;
  return value ^ (value >> 33);
}

/** Writes the 256 rows of ±1 (16 bytes each) that `fingerprint` looks up. */
export function writeRows(rows: usize): void {
  for (let byte: u32 = 0; byte < 256; byte++) {
    for (let bit: u32 = 0; bit < 8; bit++) {
      store<i16>(rows + (byte << 4) + (bit << 1), (byte >> bit) & 1 ? 1 : -1);
    }
  }
}

// What every shingle is: its hash (u64) at hashes + 8 i and its weight (u16) at shingleWeights + 2 i.
export function hashShingles(tokens: usize, count: u32, size: u32, renamed: u32, weights: usize, hashes: usize, shingleWeights: usize): void {
  if (count < size) return;
  const base: u64 = 0x9e3779b97f4a7c15;
  let leading: u64 = 1;
  for (let i: u32 = 1; i < size; i++) leading *= base;
  let hash: u64 = 0;
  let weight: u32 = 0;
  const half = size >> 1;
  for (let i: u32 = 0; i < count; i++) {
    const token = load<u32>(tokens + (<usize>i << 2));
    const value = mix64(<u64>(renamed ? abstractToken(token) : token));
    hash = hash * base + value;
    weight += <u32>load<u16>(weights + ((token & 15) << 1));
    if (i + 1 >= size) {
      const first = i + 1 - size;
      store<u64>(hashes + (<usize>first << 3), mix64(hash));
      store<u16>(shingleWeights + (<usize>first << 1), <u16>((weight + half) / size));
      const leaving = load<u32>(tokens + (<usize>first << 2));
      hash -= leading * mix64(<u64>(renamed ? abstractToken(leaving) : leaving));
      weight -= <u32>load<u16>(weights + ((leaving & 15) << 1));
    }
  }
}

/**
 * The fingerprints of the windows of one document; 0 where a window does not seed because it is shorter than
 * `leastTokens` or has fewer than `leastDistinct` different tokens.
 *
 * @param windows  the first token of each window, ascending, every `stride` bytes
 * @param weights  u16 for each of 16 kinds, at most 63
 * @param scratch  10 bytes for each token
 * @param out      u64 for each window
 */
export function fingerprint(
  tokens: usize, count: u32, windows: usize, stride: usize, windowCount: u32,
  windowTokens: u32, shingleSize: u32, renamed: u32, leastTokens: u32, leastDistinct: u32,
  weights: usize, rows: usize, scratch: usize, out: usize,
): void {
  const hashes = scratch;
  const shingleWeights = scratch + (<usize>count << 3);
  hashShingles(tokens, count, shingleSize, renamed, weights, hashes, shingleWeights);
  let v0 = i16x8.splat(0), v1 = v0, v2 = v0, v3 = v0, v4 = v0, v5 = v0, v6 = v0, v7 = v0;
  // The votes hold the shingles [from, to).
  let from: u32 = 0;
  let to: u32 = 0;
  for (let window: u32 = 0; window < windowCount; window++) {
    const first = load<u32>(windows + <usize>window * stride);
    const end = min<u32>(first + windowTokens, count);
    const target = out + (<usize>window << 3);
    if (end - first < leastTokens || end - first < shingleSize || distinct(tokens, first, end, renamed) < leastDistinct) {
      store<u64>(target, 0);
      continue;
    }
    const last = end - shingleSize + 1;
    if (first >= to) {
      v0 = v1 = v2 = v3 = v4 = v5 = v6 = v7 = i16x8.splat(0);
      from = to = first;
    }
    for (; from < first; from++) {
      const hash = hashes + (<usize>from << 3);
      const weight = i16x8.splat(-load<u16>(shingleWeights + (<usize>from << 1)));
      v0 = i16x8.add(v0, i16x8.mul(weight, v128.load(rows + (<usize>load<u8>(hash, 0) << 4))));
      v1 = i16x8.add(v1, i16x8.mul(weight, v128.load(rows + (<usize>load<u8>(hash, 1) << 4))));
      v2 = i16x8.add(v2, i16x8.mul(weight, v128.load(rows + (<usize>load<u8>(hash, 2) << 4))));
      v3 = i16x8.add(v3, i16x8.mul(weight, v128.load(rows + (<usize>load<u8>(hash, 3) << 4))));
      v4 = i16x8.add(v4, i16x8.mul(weight, v128.load(rows + (<usize>load<u8>(hash, 4) << 4))));
      v5 = i16x8.add(v5, i16x8.mul(weight, v128.load(rows + (<usize>load<u8>(hash, 5) << 4))));
      v6 = i16x8.add(v6, i16x8.mul(weight, v128.load(rows + (<usize>load<u8>(hash, 6) << 4))));
      v7 = i16x8.add(v7, i16x8.mul(weight, v128.load(rows + (<usize>load<u8>(hash, 7) << 4))));
    }
    for (; to < last; to++) {
      const hash = hashes + (<usize>to << 3);
      const weight = i16x8.splat(load<u16>(shingleWeights + (<usize>to << 1)));
      v0 = i16x8.add(v0, i16x8.mul(weight, v128.load(rows + (<usize>load<u8>(hash, 0) << 4))));
      v1 = i16x8.add(v1, i16x8.mul(weight, v128.load(rows + (<usize>load<u8>(hash, 1) << 4))));
      v2 = i16x8.add(v2, i16x8.mul(weight, v128.load(rows + (<usize>load<u8>(hash, 2) << 4))));
      v3 = i16x8.add(v3, i16x8.mul(weight, v128.load(rows + (<usize>load<u8>(hash, 3) << 4))));
      v4 = i16x8.add(v4, i16x8.mul(weight, v128.load(rows + (<usize>load<u8>(hash, 4) << 4))));
      v5 = i16x8.add(v5, i16x8.mul(weight, v128.load(rows + (<usize>load<u8>(hash, 5) << 4))));
      v6 = i16x8.add(v6, i16x8.mul(weight, v128.load(rows + (<usize>load<u8>(hash, 6) << 4))));
      v7 = i16x8.add(v7, i16x8.mul(weight, v128.load(rows + (<usize>load<u8>(hash, 7) << 4))));
    }
    store<u8>(target, positive(v0), 0);
    store<u8>(target, positive(v1), 1);
    store<u8>(target, positive(v2), 2);
    store<u8>(target, positive(v3), 3);
    store<u8>(target, positive(v4), 4);
    store<u8>(target, positive(v5), 5);
    store<u8>(target, positive(v6), 6);
    store<u8>(target, positive(v7), 7);
  }
}

/** Windows this near each other in a document are compared to see whether its text repeats itself. */
const periodWindows: u32 = 4;

/**
 * Takes the seeds away from windows that are the same as one of the next few of their document: rows of a table, cases,
 * getters of one shape. They would match each other, and every such row elsewhere, at every offset.
 *
 * @param marks  one byte for each window
 */
export function dropRepeating(fingerprints: usize, count: u32, marks: usize): void {
  memory.fill(marks, 0, count);
  for (let i: u32 = 0; i < count; i++) {
    const fingerprint = load<u64>(fingerprints + (<usize>i << 3));
    if (!fingerprint) continue;
    for (let j = i + 1; j < count && j <= i + periodWindows; j++) {
      if (load<u64>(fingerprints + (<usize>j << 3)) != fingerprint) continue;
      store<u8>(marks + i, 1);
      store<u8>(marks + j, 1);
    }
  }
  for (let i: u32 = 0; i < count; i++) {
    if (load<u8>(marks + i)) store<u64>(fingerprints + (<usize>i << 3), 0);
  }
}

// One bit for each vote: 1 where it is above 0, so a bit whose votes cancel out is 0.
@inline function positive(votes: v128): u8 {
  return <u8>i16x8.bitmask(i16x8.gt_s(votes, i16x8.splat(0)));
}

// About how many different tokens [first, end) holds: bits set in a map of 64.
@inline function distinct(tokens: usize, first: u32, end: u32, renamed: u32): u32 {
  let seen: u64 = 0;
  for (let i = first; i < end; i++) {
    const token = load<u32>(tokens + (<usize>i << 2));
    seen |= (<u64>1) << ((renamed ? abstractToken(token) * 0x9e3779b1 : token * 0x9e3779b1) >> 26);
  }
  return <u32>popcnt(seen);
}
