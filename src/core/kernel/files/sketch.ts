// Computes sketches of whole documents, with which near-duplicate files are found. A sketch is computed from shingles
// of tokens with their names. scripts/build.mjs derives sketchLayout.ts from this file.
//
//   head         see `SketchHead`
//   signature    u32 × bins   the smallest shingle hash in each bin
//   sample       u32 × …      the hashes that are divisible by the modulus, in text order, including repetitions
import { hashShingles, mix64 } from '../documents/fingerprint';
import { clearVotes, moveVotes, vote, Votes } from '../documents/votes';
import { Windowing } from '../documents/windowing';
import { addressAt, bytesOf, itemOf, setItem } from '../records';

@unmanaged export class SketchHead {
  /** Weighted simhash of all shingles, including repetitions. */
  fingerprint: u64;
}

/** Number of shingles after which the votes are added to wider sums. Votes have 16 bits, and a weight is at most 63. */
const shinglesPerSum: u32 = 512;
/** Value of an empty bin. Hashes in bins never have this value. */
const empty: u32 = 0xffff_ffff;

/**
 * Writes the sketch of a document.
 *
 * The signature is one-permutation minhash (Li, Owen, Zhang 2012, section 2): the range of hashes is divided into bins.
 * An empty bin takes the value of another bin, which is selected by a hash of the empty bin's number. So the choice is
 * the same for every document (Shrivastava 2017, section 4). The probability that two signatures agree in a bin is the
 * resemblance of the two documents.
 *
 * @param count      number of tokens, at least `windowing.shingleSize`
 * @param windowing  settings of the document's windows; the sketch uses the same shingles
 * @param scratch    at least 10 bytes for each token, and at least 4 bytes for each bin
 * @param bins       a power of two, from 64
 * @param modulus    a power of two
 * @param out        room for head, signature, and a sample of `count` hashes; aligned to 8 bytes
 * @returns number of hashes in the sample
 */
export function sketch(
  tokens: usize,
  count: u32,
  windowing: Windowing,
  scratch: usize,
  bins: u32,
  modulus: u32,
  out: usize,
): u32 {
  const size = windowing.shingleSize;
  const hashes = scratch;
  const shingleWeights = addressAt<u64>(scratch, count);
  hashShingles(tokens, count, size, 0, windowing.weights, hashes, shingleWeights);
  const n = count + 1 - size;
  const signature = out + offsetof<SketchHead>();
  // Use the memory of the signature for the sums, until the signature is written.
  changetype<SketchHead>(out).fingerprint = simhash(windowing.votes, hashes, shingleWeights, n, signature);
  const sample = addressAt<u32>(signature, bins);
  memory.fill(signature, 0xff, bytesOf<u32>(bins));
  const binShift = 64 - <u64>ctz(bins);
  const mask = <u64>modulus - 1;
  const maskShift = <u64>ctz(modulus);
  let sampled: usize = 0;
  for (let i: u32 = 0; i < n; i++) {
    const hash = itemOf<u64>(hashes, i);
    const bin = addressAt<u32>(signature, <usize>(hash >> binShift));
    // The highest bits of a hash select the bin; the next bits are the value in this bin. The greatest value is
    // reserved for empty bins.
    const value = min<u32>(<u32>(hash >> (binShift - 32)), empty - 1);
    if (value < load<u32>(bin)) store<u32>(bin, value);
    if (!(hash & mask)) {
      setItem<u32>(sample, sampled, <u32>(hash >> maskShift));
      sampled++;
    }
  }
  fillBins(signature, bins, scratch);
  return <u32>sampled;
}

/** Fills empty bins with the values of other bins. Precondition: at least one bin is not empty. */
function fillBins(signature: usize, bins: u32, before: usize): void {
  memory.copy(before, signature, bytesOf<u32>(bins));
  for (let bin: u32 = 0; bin < bins; bin++) {
    let value = itemOf<u32>(before, bin);
    for (let attempt: u64 = 1; value == empty; attempt++) {
      const otherBin = (<u32>mix64(((<u64>bin) << 32) | attempt)) & (bins - 1);
      value = itemOf<u32>(before, otherBin);
    }
    setItem<u32>(signature, bin, value);
  }
}

// Returns the weighted simhash of `n` shingles. From time to time, the votes are added to 64 sums of 32 bits each.
function simhash(votes: Votes, hashes: usize, shingleWeights: usize, n: u32, sums: usize): u64 {
  memory.fill(sums, 0, 64 * 4);
  clearVotes(votes);
  for (let first: u32 = 0; first < n; first += shinglesPerSum) {
    vote(votes, hashes, shingleWeights, first, min<u32>(first + shinglesPerSum, n), 1);
    moveVotes(votes, sums);
  }
  let fingerprint: u64 = 0;
  for (let bit: u64 = 0; bit < 64; bit++) {
    if (itemOf<i32>(sums, <usize>bit) > 0) fingerprint |= (<u64>1) << bit;
  }
  return fingerprint;
}
