/** The record of a live index (twelve words), and of its tables. This file is both TypeScript and AssemblyScript. */
export const liveIndexBytes = 48;
// Written by the engine.
export const distanceAt = 0;
/** Tables except the first, which has whole fingerprints. */
export const tableCountAt = 4;
/** Maximum number of lesser near fingerprints that a fingerprint is linked to. */
export const partnersAt = 8;
export const allPairsAt = 12;
export const apartAt = 16;
/** Address of the ranks of the documents (positions by path), one word each. */
export const ranksAt = 20;
/** Address of the tables. */
export const tablesAt = 24;
// Written by the kernel.
/** Number of groups. */
export const groupsAt = 28;
/** Number of group records, in use or free. */
export const highestAt = 32;
/** The first free record + 1; its room field is the next one. */
export const freeAt = 36;
/** Address of the addresses of chunks of 4,096 records. */
export const directoryAt = 40;

export const liveTableBytes = 24;
/** The bits of a fingerprint that select its bucket (u64). */
export const tableMaskAt = 0;
/** The bit after that block. */
export const tableEndAt = 8;
/** log2 of the number of buckets. */
export const tableBitsAt = 12;
/** Address of the buckets; written by the kernel. */
export const tableBucketsAt = 16;
