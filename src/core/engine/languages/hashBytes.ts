/**
 * Computes the same hash of a token's bytes as the kernel (src/core/kernel/lex/lexState.ts). It is the key in the word
 * table of a compiled lexicon. Not optimized, because it runs only once for each keyword.
 */

const k1 = 0x6a09e667f3bcc909n;
const k2 = 0xbb67ae8584caa73bn;
const k3 = 0x3c6ef372fe94f82bn;
const k4 = 0xa54ff53a5f1d36f1n;

/**
 * Returns the 28-bit hash of `bytes`, which are read in blocks of 16 bytes. The last block is padded with zeros.
 *
 * @param seed  an unsigned 32-bit number. Hashes of the same bytes with different seeds are unrelated
 */
export function hashBytes(bytes: Uint8Array, seed: number): number {
  let hash = (BigInt(seed) << 32n) | BigInt(bytes.length);
  for (let start = 0; start < bytes.length; start += 16) {
    hash ^= wrap(littleEndian(bytes, start) * k1) ^ rotate(wrap(littleEndian(bytes, start + 8) * k2), 31n);
    hash = wrap((hash ^ (hash >> 32n)) * k3);
  }
  return Number(wrap((hash ^ (hash >> 29n)) * k4) >> 36n);
}

function littleEndian(bytes: Uint8Array, start: number): bigint {
  let number = 0n;
  for (let index = Math.min(start + 8, bytes.length) - 1; index >= start; index--) {
    number = (number << 8n) | BigInt(bytes[index]);
  }
  return number;
}

function wrap(number: bigint): bigint {
  return BigInt.asUintN(64, number);
}

function rotate(number: bigint, bits: bigint): bigint {
  return wrap(number << bits) | (number >> (64n - bits));
}
