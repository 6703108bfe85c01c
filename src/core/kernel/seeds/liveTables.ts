// The record of a live index, and the records of its tables. scripts/build.mjs derives liveTablesLayout.ts from this
// file.

@unmanaged export class LiveIndex {
  // The following fields are written by the engine.
  distance: u32;
  /** Number of tables without the first one, whose block is the complete fingerprint. */
  tableCount: u32;
  /** A fingerprint is linked to at most this many smaller near fingerprints. */
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
  /** Number + 1 of the first free record. The `room` of a free record leads to the next one. */
  free: u32;
  /** Address of the directory: addresses of blocks of 4,096 records. */
  directory: usize;
}

@unmanaged export class LiveTable {
  /** The bits of a fingerprint that select its bucket in this table. */
  mask: u64;
  /** Position of the bit after that block. */
  end: u32;
  /** log2 of the number of buckets. */
  bits: u32;
  /** Address of the buckets, written by the kernel. */
  buckets: usize;
  /** Aligns the mask of the next table. */
  padding: u32;
}
