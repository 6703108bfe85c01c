/**
 * The record of an index of windows that lives, twelve words, and of its tables. This file is both TypeScript and
 * AssemblyScript.
 */
export const liveIndexBytes = 48;
// What the engine writes.
export const distanceAt = 0;
/** Tables but the first, which has whole fingerprints. */
export const tableCountAt = 4;
/** How many lesser near ones a fingerprint is linked to at most. */
export const partnersAt = 8;
export const allPairsAt = 12;
export const apartAt = 16;
/** Address of the rank of each document, its place by path: a word each. */
export const ranksAt = 20;
/** Address of the tables. */
export const tablesAt = 24;
// What the kernel keeps.
/** How many groups there are. */
export const groupsAt = 28;
/** Records of groups in use or free. */
export const highestAt = 32;
/** The first free record + 1; its room is the next one. */
export const freeAt = 36;
/** Address of the addresses of chunks of 4,096 records. */
export const directoryAt = 40;

export const liveTableBytes = 24;
/** The bits of a fingerprint that choose its bucket (u64). */
export const tableMaskAt = 0;
/** The bit behind the block that these are. */
export const tableEndAt = 8;
/** log2 of the number of buckets. */
export const tableBitsAt = 12;
/** Address of the buckets; the kernel writes it. */
export const tableBucketsAt = 16;
