// The votes of shingles on the 64 bits of a fingerprint.
//
//   votes   see `Votes`
//   rows    i16 × 8 × 256   for each value of a byte, a row of eight values ±1
//
// For each byte of a shingle's hash, its row is multiplied by the weight of the shingle and added to the votes.
import { addressAt, itemOf, newRecord, setItem } from '../records';

/** Eight vectors of 8 × i16, and the table of rows after them. Each thread needs its own. */
@unmanaged export class Votes {
  v0: v128;
  v1: v128;
  v2: v128;
  v3: v128;
  v4: v128;
  v5: v128;
  v6: v128;
  v7: v128;
}

/** Returns the size in bytes of the votes and the table of rows. */
export function votesBytes(): usize {
  return offsetof<Votes>() + (256 << 4);
}

@inline function rowsOf(votes: Votes): usize {
  return changetype<usize>(votes) + offsetof<Votes>();
}

/** Creates empty votes, and their table of rows, in memory of `votesBytes` bytes. */
export function createVotes(address: usize): Votes {
  const votes = newRecord<Votes>(address);
  const rows = rowsOf(votes);
  for (let byte: u32 = 0; byte < 256; byte++) {
    for (let bit: u32 = 0; bit < 8; bit++) {
      setItem<i16>(rows + (byte << 4), bit, (byte >> bit) & 1 ? 1 : -1);
    }
  }
  return votes;
}

export function clearVotes(votes: Votes): void {
  memory.fill(changetype<usize>(votes), 0, offsetof<Votes>());
}

/**
 * Adds or subtracts the votes of the shingles [from, to).
 *
 * @param hashes   u64 for each shingle
 * @param weights  u16 for each shingle, at most 63. Votes have 16 bits, so they must not contain more than 512 shingles
 *   at a time
 * @param sign     1 or −1
 */
export function vote(votes: Votes, hashes: usize, weights: usize, from: u32, to: u32, sign: i32): void {
  const rows = rowsOf(votes);
  let a = votes.v0,
    b = votes.v1,
    c = votes.v2,
    d = votes.v3,
    e = votes.v4,
    f = votes.v5,
    g = votes.v6,
    h = votes.v7;
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
  votes.v0 = a;
  votes.v1 = b;
  votes.v2 = c;
  votes.v3 = d;
  votes.v4 = e;
  votes.v5 = f;
  votes.v6 = g;
  votes.v7 = h;
}

@inline function voted(votes: v128, weight: v128, rows: usize, byte: u32): v128 {
  return i16x8.add(votes, i16x8.mul(weight, v128.load(rows + ((<usize>byte) << 4))));
}

/** Stores the fingerprint. Each bit is 1 if the sum of its votes is positive. */
export function storeFingerprint(votes: Votes, target: usize): void {
  store<u8>(target, positive(votes.v0), 0);
  store<u8>(target, positive(votes.v1), 1);
  store<u8>(target, positive(votes.v2), 2);
  store<u8>(target, positive(votes.v3), 3);
  store<u8>(target, positive(votes.v4), 4);
  store<u8>(target, positive(votes.v5), 5);
  store<u8>(target, positive(votes.v6), 6);
  store<u8>(target, positive(votes.v7), 7);
}

@inline function positive(votes: v128): u8 {
  return <u8>i16x8.bitmask(i16x8.gt_s(votes, i16x8.splat(0)));
}

/** Adds the votes to 64 sums of 32 bits each, and resets the votes. */
export function moveVotes(votes: Votes, sums: usize): void {
  for (let bits: usize = 0; bits < 8; bits++)
    addTo(sums + (bits << 5), v128.load(changetype<usize>(votes) + (bits << 4)));
  clearVotes(votes);
}

@inline function addTo(sums: usize, votes: v128): void {
  v128.store(sums, i32x4.add(v128.load(sums), i32x4.extend_low_i16x8_s(votes)));
  v128.store(sums + 16, i32x4.add(v128.load(sums, 16), i32x4.extend_high_i16x8_s(votes)));
}
