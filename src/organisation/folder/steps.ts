/**
 * The steps of a comparison of all documents, as SQL: from the windows in Parquet files to pairs of near fingerprints
 * and seeds. docs/organisation.md shows them.
 */
import { quoted } from './duckdb.ts';

/** Tables of a comparison, which are filled in this order. */
export const comparisonTables = `
CREATE OR REPLACE TABLE document (content UINTEGER, part UTINYINT, number UINTEGER);
CREATE OR REPLACE TABLE window_of_document (view UTINYINT, fp UBIGINT, place UBIGINT);
CREATE OR REPLACE TABLE near (greater UBIGINT, lesser UBIGINT, bits UTINYINT);
CREATE OR REPLACE TABLE seed (view UTINYINT, first UBIGINT, second UBIGINT, bits UTINYINT);
`;

/** Releases the memory of a comparison. */
export const dropComparisonTables = `DROP TABLE IF EXISTS document; DROP TABLE IF EXISTS window_of_document;
DROP TABLE IF EXISTS near; DROP TABLE IF EXISTS seed; DROP TABLE IF EXISTS fingerprint`;

export interface PartitionWindows {
  /** Parquet file. */
  readonly file: string;
  /** Number of the first content of the partition. */
  readonly base: number;
}

/**
 * The windows of all documents. The place of a window is the number of its document and its first token, so that
 * comparing places compares documents first.
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

/** The distinct fingerprints with their first windows. */
export const makeFingerprints = `CREATE OR REPLACE TABLE fingerprint AS
SELECT view, fp, min(place) AS place, count(*) AS windows FROM window_of_document GROUP BY view, fp`;

export const countFingerprints = 'SELECT view, count(*)::UINTEGER AS fingerprints FROM fingerprint GROUP BY view';

/** A block key: the bits on which two fingerprints must agree, and those of earlier keys that they may not agree on. */
export interface BlockKey {
  readonly mask: bigint;
  readonly leftOut: readonly bigint[];
}

/**
 * The pairs of fingerprints of a view that are within a distance and agree on a block key. A pair that agrees on
 * several keys is found by the first one.
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

/** The number of fingerprints with more lesser ones within the distance than are kept. */
export function countCrowded(most: number): string {
  return `SELECT count(*)::UINTEGER AS crowded
FROM (SELECT greater FROM near GROUP BY greater HAVING count(*) > ${most})`;
}

/** The first windows of near fingerprints. Of each fingerprint, only the nearest lesser ones are kept. */
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

/** All near seeds: the document and the first token of both windows, and the differing bits. */
export const nearSeeds = `SELECT (first >> 32)::UINTEGER, (first & 4294967295)::UINTEGER,
  (second >> 32)::UINTEGER, (second & 4294967295)::UINTEGER, bits FROM seed`;

/** The windows of fingerprints that occur more than once, by document and first token. */
export function repeatedWindows(view: number): string {
  return `SELECT fp, (place >> 32)::UINTEGER, (place & 4294967295)::UINTEGER
FROM (
  SELECT fp, w.place FROM window_of_document w
  SEMI JOIN (SELECT view, fp FROM fingerprint WHERE view = ${view} AND windows > 1) r USING (view, fp)
)
ORDER BY place`;
}
