/**
 * SQL of the steps that compare all documents of an index: from the windows in Parquet files to pairs of similar
 * fingerprints, and then to seeds. See docs/organisation.md.
 */
import { quoted } from './duckdb.ts';

/** Creates the temporary tables of a comparison, in the order in which the steps fill them. */
export const comparisonTables = `
CREATE OR REPLACE TABLE document (content UINTEGER, part UTINYINT, number UINTEGER);
CREATE OR REPLACE TABLE window_of_document (view UTINYINT, fp UBIGINT, place UBIGINT);
CREATE OR REPLACE TABLE near (greater UBIGINT, lesser UBIGINT, bits UTINYINT);
CREATE OR REPLACE TABLE seed (view UTINYINT, first UBIGINT, second UBIGINT, bits UTINYINT);
`;

/** Drops the temporary tables, which releases their memory. */
export const dropComparisonTables = `DROP TABLE IF EXISTS document; DROP TABLE IF EXISTS window_of_document;
DROP TABLE IF EXISTS near; DROP TABLE IF EXISTS seed; DROP TABLE IF EXISTS fingerprint`;

export interface PartitionWindows {
  /** Path of the partition's Parquet file of windows. */
  readonly file: string;
  /** Number of the partition's first content. Contents are numbered across all partitions. */
  readonly base: number;
}

/**
 * Returns SQL that fills the table of all windows. A window's place has its document number in the upper 32 bits and
 * its first token in the lower 32 bits, so places sort by document.
 */
export function addWindows(partitions: readonly PartitionWindows[]): string {
  const all = partitions.map(
    ({ file, base }) =>
      `SELECT view, fp, (content + ${base})::UINTEGER AS content, part, position FROM read_parquet(${quoted(file)})`,
  );
  return `INSERT INTO window_of_document
SELECT view, fp, (number::UBIGINT << 32) | position
FROM (${all.join('\nUNION ALL ')}) JOIN document USING (content, part)`;
}

/** Fills the table of distinct fingerprints, each with the place of its first window. */
export const makeFingerprints = `CREATE OR REPLACE TABLE fingerprint AS
SELECT view, fp, min(place) AS place, count(*) AS windows FROM window_of_document GROUP BY view, fp`;

export const countFingerprints = 'SELECT view, count(*)::UINTEGER AS fingerprints FROM fingerprint GROUP BY view';

/**
 * Bits by which candidate pairs are found. Two fingerprints must be equal in the bits of `mask`, and must differ within
 * each mask in `leftOut`, which belongs to an earlier key.
 */
export interface BlockKey {
  readonly mask: bigint;
  readonly leftOut: readonly bigint[];
}

/**
 * Returns SQL that adds the pairs of fingerprints within a distance that agree on one block key. A pair that agrees on
 * several keys is added only for the first of them.
 */
export function addNearPairs(view: number, distance: number, { mask, leftOut }: BlockKey): string {
  const others = leftOut.map((bits) => `\n  AND (xor(x.fp, y.fp) & ${bits}::UBIGINT) <> 0`);
  return `INSERT INTO near
SELECT x.fp, y.fp, bit_count(xor(x.fp, y.fp))
FROM (SELECT fp, fp & ${mask}::UBIGINT AS key FROM fingerprint WHERE view = ${view}) x
JOIN (SELECT fp, fp & ${mask}::UBIGINT AS key FROM fingerprint WHERE view = ${view}) y
  ON x.key = y.key AND x.fp > y.fp
WHERE bit_count(xor(x.fp, y.fp)) <= ${distance}${others.join('')}`;
}

/**
 * Returns SQL that counts fingerprints with more than `most` similar fingerprints of smaller value. Only `most` of
 * those are kept.
 */
export function countCrowded(most: number): string {
  return `SELECT count(*)::UINTEGER AS crowded
FROM (SELECT greater FROM near GROUP BY greater HAVING count(*) > ${most})`;
}

/**
 * Returns SQL that adds seeds: the first windows of two similar fingerprints. For each fingerprint, only the nearest
 * `most` fingerprints of smaller value are used.
 */
export function addNearSeeds(view: number, most: number): string {
  return `INSERT INTO seed
SELECT ${view}, x.place, y.place, bits
FROM (
  SELECT greater, lesser, bits FROM near
  QUALIFY row_number() OVER (PARTITION BY greater ORDER BY bits, lesser) <= ${most}
)
JOIN fingerprint x ON x.view = ${view} AND x.fp = greater
JOIN fingerprint y ON y.view = ${view} AND y.fp = lesser`;
}

/** Selects all seeds: the document number and first token of both windows, and the number of differing bits. */
export const nearSeeds = `SELECT (first >> 32)::UINTEGER, (first & 4294967295)::UINTEGER,
  (second >> 32)::UINTEGER, (second & 4294967295)::UINTEGER, bits FROM seed`;

/** Returns SQL that selects the windows whose fingerprint occurs more than once, sorted by document and first token. */
export function repeatedWindows(view: number): string {
  return `SELECT fp, (place >> 32)::UINTEGER, (place & 4294967295)::UINTEGER
FROM (
  SELECT fp, w.place FROM window_of_document w
  SEMI JOIN (SELECT view, fp FROM fingerprint WHERE view = ${view} AND windows > 1) r USING (view, fp)
)
ORDER BY place`;
}
