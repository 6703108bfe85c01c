/**
 * The sketch of a document, for the comparison of whole files. This file is both TypeScript and AssemblyScript.
 *
 *   fingerprint  u64          weighted simhash of all shingles, including repetitions
 *   signature    u32 × bins   the least shingle hash in each bin
 *   sample       u32 × …      the hashes that the modulus divides, in text order, including repetitions
 */
export const sketchFingerprintAt = 0;
export const sketchSignatureAt = 8;
