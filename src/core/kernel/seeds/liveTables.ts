// The record of a live index, and the records of its tables. scripts/build.mjs derives liveTablesLayout.ts from this
// file.

@unmanaged export class LiveIndex {
  // The engine writes the following fields.
  distance: u32;
  /** Number of tables, not counting the first one, whose block is the whole fingerprint. */
  tableCount: u32;
  /** Maximum number of partners of a fingerprint: near fingerprints with a smaller value, to which it is linked. */
  partners: u32;
  /** Maximum number of equal windows for which all pairs are linked; see `linkEqual`. */
  allPairs: u32;
  apart: u32;
  /** Address of an array with the rank of each document (its position by path), one word each. */
  ranks: usize;
  tables: usize;
  // The kernel writes the following fields.
  groups: u32;
  /** Number of group records, including those that are not in use. */
  highest: u32;
  /** Number + 1 of the first unused record. The `room` of an unused record is the number of the next one. */
  free: u32;
  /** Address of the directory, which has the addresses of blocks of 4,096 group records. */
  directory: usize;
}

@unmanaged export class LiveTable {
  /** The bits of a fingerprint that determine its bucket in this table. They are its block. */
  mask: u64;
  /** Position of the bit after the block. */
  end: u32;
  /** log2 of the number of buckets. */
  bits: u32;
  /** Address of the buckets, set by the kernel. */
  buckets: usize;
  /** Aligns the next table to 8 bytes. */
  padding: u32;
}
