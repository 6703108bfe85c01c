// The record of a live index, and the records of its tables. scripts/build.mjs derives liveTablesLayout.ts from this
// file.

/**
 * The results of searches. The indexes of the views share one record. The engine clears it and resets the numbers of
 * seeds and truncated fingerprints; the kernel allocates its lists.
 */
@unmanaged export class LiveSearch {
  /**
   * Near groups that the last search found: the address of their numbers, the capacity of this list, and its length.
   */
  near: usize;
  nearRoom: u32;
  nearCount: u32;
  /** Seeds: address, capacity, and number. */
  seeds: usize;
  seedRoom: u32;
  seedCount: u32;
  /** Number of searched fingerprints with more near fingerprints than the allowed number of partners. */
  truncated: u32;
  /**
   * Filter for seeds. If `wantedWith` is 1, only seeds with a window in `wantedDocument` are added; otherwise, only
   * seeds without such a window.
   */
  wantedDocument: u32;
  wantedWith: u32;
}

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
  /** Address of the table of `Document` records in an index of phrases (livePhrases.ts); otherwise 0. */
  documents: usize;
  tables: usize;
  search: LiveSearch;
  // The kernel writes the following fields.
  groups: u32;
  /** Number of group records, including those that are not in use. */
  highest: u32;
  /** First unused record: its number + 1, or 0 if there is none. The `room` of an unused record is the next one. */
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
