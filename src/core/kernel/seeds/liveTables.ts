// The record of a live index, and of its tables. scripts/build.mjs writes liveTablesLayout.ts from this file.

@unmanaged export class LiveIndex {
  // Written by the engine.
  distance: u32;
  /** Number of tables except the first, which has whole fingerprints. */
  tableCount: u32;
  /** Maximum number of lesser near fingerprints that a fingerprint is linked to. */
  partners: u32;
  /** See `linkEqual`. */
  allPairs: u32;
  apart: u32;
  /** Address of the ranks of the documents (positions by path), one word each. */
  ranks: usize;
  tables: usize;
  // Written by the kernel.
  /** Number of groups. */
  groups: u32;
  /** Number of group records, in use or free. */
  highest: u32;
  /** The first free record + 1; its room is the next one. */
  free: u32;
  /** Address of the addresses of chunks of 4,096 records. */
  directory: usize;
}

@unmanaged export class LiveTable {
  /** The bits of a fingerprint that select its bucket. */
  mask: u64;
  /** The bit after that block. */
  end: u32;
  /** log2 of the number of buckets. */
  bits: u32;
  /** Address of the buckets; written by the kernel. */
  buckets: usize;
  /** Keeps the mask of the next table aligned. */
  padding: u32;
}
