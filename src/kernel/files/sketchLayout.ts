/**
 * The sketch of a document, by which files are compared as wholes. This file is both TypeScript and AssemblyScript.
 *
 *   fingerprint  u64          weighted simhash of all shingles; one that occurs twice votes twice
 *   signature    u32 × bins   the least of the shingles' hashes in each bin
 *   sample       u32 × …      the hashes that the modulus divides, in the order of the text, repetitions included
 */
export const sketchFingerprintAt = 0;
export const sketchSignatureAt = 8;
