// The votes of shingles on the 64 bits of a fingerprint. They are in eight global vectors of 8 × i16, so each thread
// has its own. A table has a row of eight values ±1 for each value of a byte. For each byte of a shingle's hash, its
// row is multiplied by the weight of the shingle and added to the votes.
import { addressAt, itemOf, setItem } from '../records';

let v0 = i16x8.splat(0),
  v1 = i16x8.splat(0),
  v2 = i16x8.splat(0),
  v3 = i16x8.splat(0);
let v4 = i16x8.splat(0),
  v5 = i16x8.splat(0),
  v6 = i16x8.splat(0),
  v7 = i16x8.splat(0);

/** Writes the table that `vote` reads: 256 rows of eight ±1, 16 bytes each. */
export function writeRows(rows: usize): void {
  for (let byte: u32 = 0; byte < 256; byte++) {
    for (let bit: u32 = 0; bit < 8; bit++) {
      setItem<i16>(rows + (byte << 4), bit, (byte >> bit) & 1 ? 1 : -1);
    }
  }
}

export function clearVotes(): void {
  v0 = v1 = v2 = v3 = v4 = v5 = v6 = v7 = i16x8.splat(0);
}

/**
 * Adds or subtracts the votes of the shingles [from, to).
 *
 * @param hashes   u64 for each shingle
 * @param weights  u16 for each shingle, at most 63. Votes have 16 bits, so they must not contain more than 512 shingles
 *   at
 *                 a time
 * @param sign     1 or −1
 */
export function vote(hashes: usize, weights: usize, from: u32, to: u32, sign: i32, rows: usize): void {
  let a = v0,
    b = v1,
    c = v2,
    d = v3,
    e = v4,
    f = v5,
    g = v6,
    h = v7;
  for (let i = from; i < to; i++) {
    const hash = addressAt<u64>(hashes, i);
    const weight = i16x8.splat(<i16>(sign * <i32>itemOf<u16>(weights, i)));
    a = voted(a, weight, rows, load<u8>(hash, 0));
    b = voted(b, weight, rows, load<u8>(hash, 1));
    c = voted(c, weight, rows, load<u8>(hash, 2));
    d = voted(d, weight, rows, load<u8>(hash, 3));
    e = voted(e, weight, rows, load<u8>(hash, 4));
    f = voted(f, weight, rows, load<u8>(hash, 5));
    g = voted(g, weight, rows, load<u8>(hash, 6));
    h = voted(h, weight, rows, load<u8>(hash, 7));
  }
  v0 = a;
  v1 = b;
  v2 = c;
  v3 = d;
  v4 = e;
  v5 = f;
  v6 = g;
  v7 = h;
}

@inline function voted(votes: v128, weight: v128, rows: usize, byte: u32): v128 {
  return i16x8.add(votes, i16x8.mul(weight, v128.load(rows + ((<usize>byte) << 4))));
}

/** Stores the fingerprint. Each bit is 1 if the sum of its votes is positive. */
export function storeFingerprint(target: usize): void {
  store<u8>(target, positive(v0), 0);
  store<u8>(target, positive(v1), 1);
  store<u8>(target, positive(v2), 2);
  store<u8>(target, positive(v3), 3);
  store<u8>(target, positive(v4), 4);
  store<u8>(target, positive(v5), 5);
  store<u8>(target, positive(v6), 6);
  store<u8>(target, positive(v7), 7);
}

@inline function positive(votes: v128): u8 {
  return <u8>i16x8.bitmask(i16x8.gt_s(votes, i16x8.splat(0)));
}

/** Adds the votes to 64 sums of 32 bits each, and resets the votes. */
export function moveVotes(sums: usize): void {
  addTo(sums, v0);
  addTo(sums + 32, v1);
  addTo(sums + 64, v2);
  addTo(sums + 96, v3);
  addTo(sums + 128, v4);
  addTo(sums + 160, v5);
  addTo(sums + 192, v6);
  addTo(sums + 224, v7);
  clearVotes();
}

@inline function addTo(sums: usize, votes: v128): void {
  v128.store(sums, i32x4.add(v128.load(sums), i32x4.extend_low_i16x8_s(votes)));
  v128.store(sums + 16, i32x4.add(v128.load(sums, 16), i32x4.extend_high_i16x8_s(votes)));
}
